/* SPDX-License-Identifier: GPL-2.0-only */
/* The profile that a command reads. */
#ifndef USTACK_USER_CMD_INPUT_H
#define USTACK_USER_CMD_INPUT_H

#include "cmd/naming.h"
#include "profile/profile.h"
#include "util/diag.h"

/* What record writes and the others read if nothing is said. */
#define CMD_PROFILE "ustack.pb.gz"

/* What a command says of its operand; some words stand before it in the line. */
#define CMD_PROFILE_FORMS "FILE is ustack.pb.gz, any profile in pprof's\n" \
			  "form, or what perf record or perf script wrote."

/**
 * struct cmd_input - how files of perf's are read; NULL is as most want it
 * @event: names of events, with commas between them; NULL is all
 * @moments: gets the times of samples, which perf's files have, and profiles of record --timestamps;
 *	     the caller's to release, also on failure. NULL for none
 * @keep_times: times of a profile stay labels of its samples, as who writes it again has to have
 *		them; else samples of different times are one
 * @naming: where names come from; NULL is where they come from by default
 */
struct cmd_input {
	const char *event;
	struct moments *moments;
	bool keep_times;
	struct naming *naming;
};

#define CMD_EVENT_OPTION(event)                                     \
	OPTION_STRING('e', "event", "EVENTS", &(event),                 \
		      "of perf's files: samples of these events alone")

/**
 * cmd_load_profile() - read the profile, CMD_PROFILE where none was named
 * @path: as typed, - for standard input; NULL if none was. Set to what was read
 * @input: may be NULL
 * @ret: released by profile_free()
 * @diag: may be NULL
 *
 * Of pprof's form, or what perf recorded (capture/perfimport/perfimport.h), which gets names; what is
 * missing of it is said on standard error.
 *
 * Return: 0 or a negative errno.
 */
int cmd_load_profile(const char **path, const struct cmd_input *input, struct profile **ret,
		     struct diag *diag);

/* Whether @path is a file of perf's: its names are given when it is read. */
bool cmd_is_perf(const char *path);

#endif /* USTACK_USER_CMD_INPUT_H */
