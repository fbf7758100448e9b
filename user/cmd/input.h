/* SPDX-License-Identifier: GPL-2.0-only */
/* Reading of the profile that a command line names. */
#ifndef USTACK_USER_CMD_INPUT_H
#define USTACK_USER_CMD_INPUT_H

#include "cmd/naming.h"
#include "profile/profile.h"
#include "util/diag.h"

/* Name of the profile that record writes, and that other commands read if none is named. */
#define CMD_PROFILE "ustack.pb.gz"

/* Text of a command's help about its operand; some words come before it on the line. */
#define CMD_PROFILE_FORMS "FILE is ustack.pb.gz, any profile in pprof's\n" \
			  "form, or what perf record or perf script wrote."

/**
 * struct cmd_input - how a profile is read; NULL means the defaults
 * @event: names of events in perf's files, separated by commas; NULL means all
 * @moments: gets the times of samples, which are in perf's files and in profiles of record
 *           --timestamps; the caller releases it, also on failure. NULL if they are not wanted
 * @keep_times: times stay labels of the samples, for a command that writes the profile again;
 *              otherwise samples that differ only in time are merged
 * @naming: where names come from; NULL means the default places
 */
struct cmd_input {
	const char *event;
	struct moments *moments;
	bool keep_times;
	struct naming *naming;
};

#define CMD_EVENT_OPTION(event)                                     \
	OPTION_STRING('e', "event", "EVENTS", &(event),                 \
		      "perf's files: only samples of these events")

/**
 * cmd_load_profile() - read a profile; CMD_PROFILE if none was named
 * @path: as typed, - for standard input, NULL if none was named; set to the path that was read
 * @input: may be NULL
 * @ret: the profile; the caller frees it with profile_free()
 * @diag: may be NULL
 *
 * The file is in pprof's form, or was written by perf (capture/perfimport/perfimport.h), and
 * then gets names. Notes about missing parts go to standard error.
 *
 * Return: 0 or a negative errno.
 */
int cmd_load_profile(const char **path, const struct cmd_input *input, struct profile **ret,
		     struct diag *diag);

/* Return: whether perf wrote @path. Reading such a file gives names to its samples. */
bool cmd_is_perf(const char *path);

#endif /* USTACK_USER_CMD_INPUT_H */
