/* SPDX-License-Identifier: GPL-2.0-only */
/* The options of record and top that say what is recorded, and how. */
#ifndef USTACK_USER_CMD_RECORDING_H
#define USTACK_USER_CMD_RECORDING_H

#include "cmd.h"
#include "capture/record/session.h"

/* The numbers of a list such as 12,34. */
struct recording_ids {
	uint32_t *id;
	size_t nr;
	size_t room;
};

/**
 * struct recording - options as typed, and the values parsed from them
 * @all: the members from here to @native are options as typed
 * @frequency: the members from here to @mode are set by recording_check()
 */
struct recording {
	bool all;
	const char *pids;
	const char *tids;
	const char *events;
	const char *owner;
	const char *rate;
	struct option_u64 period;
	bool off_cpu;
	struct option_u64 min_wait;
	const char *cpus;
	const char *cgroup;
	const char *comm;
	bool per_thread;
	bool user;
	bool kernel;
	struct option_u64 max_stack;
	const char *mode_name;
	struct option_u64 stack_size;
	bool no_supply;
	bool native;

	uint32_t frequency;
	struct recording_ids pid;
	struct recording_ids tid;
	char *event_words;
	struct sampler_event event[SAMPLER_MAX_EVENTS];
	size_t nr_events;
	enum record_mode mode;
};

#define RECORDING_INIT { .rate = "99", .mode_name = "auto" }

/* Options of both commands; @r is a struct recording, as an lvalue. */
#define RECORDING_OPTIONS(r)                                                                    \
	OPTION_FLAG('a', "all-cpus", &(r).all, "all processes, on all CPUs"),                   \
	OPTION_STRING('p', "pid", "PID", &(r).pids, "these processes and their children"),      \
	OPTION_STRING('t', "tid", "TID", &(r).tids, "these threads"),                           \
	OPTION_STRING('u', "uid", "USER", &(r).owner,                                           \
		      "processes of this user and those that they start"),            \
	OPTION_STRING('e', "event", "EVENT", &(r).events,                                       \
		      "event to sample (cpu-clock); see ustack-record(1)",                      \
		      .word = sampler_event_word),                                              \
	OPTION_STRING('F', "freq", "HZ", &(r).rate,                                             \
		      "samples per second and CPU (99), or max"),          \
	OPTION_U64('c', "count", "N", &(r).period, "a sample for every N events instead"),      \
	OPTION_FLAG(0, "off-cpu", &(r).off_cpu, "also record how long threads wait"),           \
	OPTION_US(0, "min-wait", "US", &(r).min_wait,                                           \
		  "with --off-cpu: shortest wait, such as 100 or 10ms"),                        \
	OPTION_STRING('C', "cpu", "LIST", &(r).cpus, "only on these CPUs, such as 0-3,7"),      \
	OPTION_STRING('G', "cgroup", "PATH", &(r).cgroup, "only this cgroup and those below"),  \
	OPTION_STRING(0, "comm", "NAME", &(r).comm,                                             \
		      "only threads of this name; NAME* is a prefix"),                          \
	OPTION_FLAG(0, "per-thread", &(r).per_thread, "count threads separately"),              \
	OPTION_FLAG(0, "all-user", &(r).user, "no kernel stacks"),                              \
	OPTION_FLAG(0, "all-kernel", &(r).kernel, "no user stacks"),                            \
	OPTION_U64(0, "max-stack", "N", &(r).max_stack, "at most N frames of a stack"),         \
	OPTION_STRING(0, "mode", "MODE", &(r).mode_name,                                        \
		      "how to take stacks: auto, bpf, tables or copy",                         \
		      .word = recording_mode_word),                                            \
	OPTION_U64(0, "stack-size", "BYTES", &(r).stack_size, "size of a copied stack"),        \
	OPTION_FLAG(0, "no-supply", &(r).no_supply, "make no unwind tables for the module"), \
	OPTION_FLAG(0, "native", &(r).native, "keep interpreters' own frames")

/* Names of the modes, for the table of options. Return: number @i; NULL after the last. */
const char *recording_mode_word(unsigned int i);

/**
 * recording_check() - parse the options
 * @usage: for error messages
 * @r: the options; the caller must call recording_release(), even on failure
 * @argc: number of operands; operands are a command to run
 *
 * Return: CMD_RUN, or CMD_USAGE after an error message.
 */
int recording_check(const struct cmd_usage *usage, struct recording *r, int argc);
void recording_release(struct recording *r);

/* Return: the options of a session. @argv: the command to run, NULL for none. */
struct record_options recording_options(const struct recording *r, char **argv);

#endif /* USTACK_USER_CMD_RECORDING_H */
