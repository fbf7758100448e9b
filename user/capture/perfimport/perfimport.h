/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What perf recorded, as a profile: perf.data of perf record in file and in pipe mode, and the
 * text of perf script.
 *
 * Values: "samples", and one for each event: its periods added up, called as the recorder of
 * this program calls them (clocks "cpu", others by their name). Labels are those of the recorder:
 * pid, tid, thread, command, stack, and event where there are several.
 *
 * Names come from files with the recorded build id, or where it was not recorded of the recorded
 * path; of the kernel only if the one that was sampled runs here. Text has its own names.
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
 * @event: names of events, with commas between them; NULL is all. Modifiers may be left out:
 *         "cycles" is "cycles:u", too
 * @names: as record_names_new() has them, but @past; its @note is told of what is missing
 * @moments: gets the time of each sample, sorted; released by moments_release(), also on failure.
 *           May be NULL
 * @progress: see symstore_wait(); may be NULL
 * @arg: for @progress
 */
struct perfimport_options {
	const char *event;
	struct record_names_options names;
	struct moments *moments;
	bool (*progress)(unsigned int done, unsigned int all, const char *path, void *arg);
	void *arg;
};

/* Whether a file's first bytes say that it is of perf's: perf.data, or perf script's text. */
bool perfimport_is(const void *bytes, size_t len);

/**
 * perfimport_load() - read what perf recorded
 * @stream: open, from its start on
 * @options: see there
 * @ret: released by profile_free()
 * @diag: may be NULL; names @stream's path
 *
 * Return: 0; as perfdata_open() and perfdata_next() for perf.data; -EBADMSG for text with a line
 * that makes no sense; -ENODATA if @options' event is not there; another negative errno.
 */
int perfimport_load(struct file_stream *stream, const struct perfimport_options *options,
		    struct profile **ret, struct diag *diag);

#endif /* USTACK_USER_PERFIMPORT_H */
