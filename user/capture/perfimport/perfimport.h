/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Makes a profile from what perf recorded: perf.data of perf record, in file
 * and in pipe mode, and the text of perf script.
 *
 * Values are "samples", and for each event the sum of its periods, named as in
 * recordings of this program (clocks "cpu", others by their name). The labels
 * are the same too: pid, tid, thread, command, stack, and event where there are
 * several.
 *
 * Names come from files with the recorded build id or, where none was recorded,
 * with the recorded path. The kernel gets names only if the sampled one runs
 * here. Text has its own names.
 */
#ifndef USTACK_USER_PERFIMPORT_H
#define USTACK_USER_PERFIMPORT_H

#include "profile/moments.h"
#include "profile/profile.h"
#include "capture/record/names.h"
#include "util/diag.h"
#include "util/file.h"

/**
 * struct perfimport_options - what to take, and where names come from
 * @event: comma-separated names of events; NULL is all. Modifiers may be left
 *	out: "cycles" is also "cycles:u"
 * @names: as for record_names_new(), except @past, which is set here; its @note
 *	also gets texts about missing data
 * @moments: gets the time of each sample, sorted; released by
 *	moments_release(), also on failure. May be NULL
 * @progress: see symstore_wait(); may be NULL
 * @arg: passed to @progress
 */
struct perfimport_options {
	const char *event;
	struct record_names_options names;
	struct moments *moments;
	bool (*progress)(unsigned int done, unsigned int all, const char *path, void *arg);
	void *arg;
};

/*
 * Return: whether the first bytes of a file are perf.data or perf script's
 * text.
 */
bool perfimport_is(const void *bytes, size_t len);

/**
 * perfimport_load() - read what perf recorded
 * @stream: open, at its start
 * @options: what to take
 * @ret: released by profile_free()
 * @diag: may be NULL; names @stream's path
 *
 * Return: 0; as perfdata_open() and perfdata_next() for perf.data; -EBADMSG for text with a line
 * that makes no sense; -ENODATA if @options' event is not there; another negative errno.
 */
int perfimport_load(struct file_stream *stream, const struct perfimport_options *options,
		    struct profile **ret, struct diag *diag);

#endif /* USTACK_USER_PERFIMPORT_H */
