/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A recording, from options to a profile:
 *
 *	source (eBPF, or copied stacks)  counts -> names.h -> profile
 *	watch  (mmap, fork, exec, exit)  -> processes ^
 *
 * It ends by itself (a command or a process ends, time is up, it is large enough) or by SIGINT or SIGTERM, and
 * leaves a profile in either case.
 */
#ifndef USTACK_USER_RECORD_SESSION_H
#define USTACK_USER_RECORD_SESSION_H

#include "profile/pprof_spool.h"
#include "profile/profile.h"
#include "profile/whole.h"
#include "capture/record/source.h"
#include "capture/sampler/sampler.h"
#include "util/diag.h"

/* How stacks are taken. */
enum record_mode {
	RECORD_AUTO,	/* as the module does, if it is there; else as RECORD_COPY */
	RECORD_BPF,	/* in the kernel, by the module or, without it, frame pointers */
	RECORD_COPY,	/* stacks are copied and unwound here */
	RECORD_TABLES,	/* in the kernel, by unwind tables in eBPF, without the module */
};

/**
 * struct record_interval - a piece of a session
 * @profile: what was counted in it, with the names that are known by now; released by the
 *           session, unless it is taken by setting this to NULL
 * @names: for record_name_again(), during the call
 * @so_far: of the session
 * @hz: rate of the first event, 0 if it has none. If this is changed, it has another one
 *      from here on; with copied stacks only where all of the machine is recorded
 * @ms: length of the next interval, may be changed
 * @last: no other comes
 */
struct record_interval {
	struct profile *profile;
	struct record_names *names;
	const struct record_summary *so_far;
	uint64_t hz;
	uint64_t ms;
	bool last;
};

/**
 * struct record_options - what to record
 * @sampler: events, filters, sizes; its @note is not used. Without @argv, processes and
 *           threads it records all of the machine
 * @argv: command to start and record, ends with NULL; NULL for none
 * @delay_ms: the command runs so long before sampling begins
 * @duration_ms: of sampling; 0 until something else ends it
 * @mode: enum record_mode
 * @raw: files' functions are not looked for
 * @native: keep frames of interpreters where the language's frames are known
 * @bsym_dir: see struct symstore_options
 * @servers: see struct symstore_options
 * @no_supply: do not answer the module's questions for tables
 * @stack_bytes: of RECORD_COPY: that are copied of each stack; 0 is its default
 * @quiet: what the command prints is thrown away
 * @interval_ms: hand out a profile of every interval of this length, and none at the end;
 *               0 for one profile of all
 * @interval: gets them; every sample is in exactly one. Returns 0; more than 0 to end; a
 *            negative errno
 * @started: called when it samples; may be NULL
 * @alive: called once a second or more often from then on, unless something takes longer; may
 *         be NULL
 * @spool: without intervals: takes samples when there are many, and the profile is to be
 *         saved with it; NULL keeps all in memory
 * @max_bytes: with @spool: ends when the profile's file would be larger soon, as far as can be
 *             told before all names are known; 0 is no limit
 * @imagemaps: profiles of intervals have image maps too, see record_imagemaps()
 * @input_fd: with @input: descriptor that is read from there
 * @input: called when @input_fd is readable, and when a signal interrupts waiting; returns
 *         as @interval; may be NULL
 * @note: gets what people have to know, in words; may be NULL
 * @detail: gets what it does, in words, for who is curious: how it samples, each drain, what
 *          became of samples and names; NULL for nobody. As in @note, foreign names may be in it
 * @progress: told while names are made, see symstore_wait(); may be NULL
 * @arg: for all of them
 */
struct record_options {
	struct sampler_options sampler;
	char *const *argv;
	uint64_t delay_ms;
	uint64_t duration_ms;
	enum record_mode mode;
	bool raw;
	bool native;
	const char *bsym_dir;
	const char *servers;
	bool no_supply;
	uint32_t stack_bytes;
	bool quiet;
	uint64_t interval_ms;
	int (*interval)(struct record_interval *i, void *arg);
	void (*started)(void *arg);
	void (*alive)(void *arg);
	struct pprof_spool *spool;
	uint64_t max_bytes;
	bool imagemaps;
	int input_fd;
	int (*input)(void *arg);
	void (*note)(const char *text, void *arg);
	void (*detail)(const char *text, void *arg);
	bool (*progress)(unsigned int done, unsigned int all, const char *path, void *arg);
	void *arg;
};

/**
 * struct record_summary - how it went
 * @source: name of what took the stacks
 * @samples: counted
 * @whole: how many are complete, by the first value that is not their number
 * @ns: it took
 * @losses: samples that are not in the profile, by cause
 * @nr_losses: of @losses
 * @tables: unwind tables in this process's memory, where stacks are copied
 * @table_bytes: of them
 * @table_ns: CPU time of this process that making tables has taken so far
 * @mmaps_lost: changes of processes' mappings that were missed; the processes were looked
 *              at again
 * @interrupted: a signal has ended it
 * @status: of the command, as a shell has it; -1 if there is none or it still runs
 */
struct record_summary {
	const char *source;
	uint64_t samples;
	struct profile_whole whole;
	uint64_t ns;
	struct record_loss losses[RECORD_MAX_LOSSES];
	unsigned int nr_losses;
	uint64_t tables;
	uint64_t table_bytes;
	uint64_t table_ns;
	uint64_t mmaps_lost;
	bool interrupted;
	int status;
};

/**
 * record_session() - record
 * @options: what
 * @ret: released by profile_free(); on 0. NULL with intervals
 * @summary: on 0
 * @diag: may be NULL
 *
 * SIGINT, SIGTERM and SIGCHLD are blocked while it runs. A second SIGINT ends the search
 * for names: the profile then has those that were found.
 *
 * With intervals it may go on for ever: nothing of an interval is kept when it has been
 * handed out, nor of processes that have gone.
 *
 * Return: 0 or a negative errno.
 */
int record_session(const struct record_options *options, struct profile **ret,
		   struct record_summary *summary, struct diag *diag);

#endif /* USTACK_USER_RECORD_SESSION_H */
