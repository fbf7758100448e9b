/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A recording, from options to a profile:
 *
 *	source (BPF, or copied stacks)   counts -> names.h -> profile
 *	watch  (mmap, fork, exec, exit)  -> processes ^
 *
 * It ends by itself (the command or the processes end, time is up, the profile
 * is large enough) or by SIGINT or SIGTERM, and leaves a profile in each case.
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
	RECORD_AUTO,	/* by the module if it is there; else by tables, else copied */
	RECORD_BPF,	/* in the kernel, by the module or, without it, by frame pointers */
	RECORD_COPY,	/* stacks are copied and unwound here */
	RECORD_TABLES,	/* in the kernel, by unwind tables in BPF, without the module */
};

/**
 * struct record_interval - one interval of a session
 * @profile: counts of the interval, with the names that are known so far; the
 *	session frees it, unless the receiver takes it and sets this to NULL
 * @names: for record_name_again(); valid during the call
 * @so_far: summary of the session so far
 * @hz: rate of the first event in samples a second and CPU, 0 if it has none.
 *	The receiver may change it for the following intervals; with copied
 *	stacks only if the whole machine is recorded
 * @ms: length of the next interval in milliseconds, may be changed
 * @last: this is the last interval
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
 * @sampler: events, filters, sizes; its @note is not used. Without @argv,
 *	processes and threads the whole machine is recorded
 * @argv: command to start and record, ends with NULL; NULL for none
 * @delay_ms: milliseconds that the command runs before sampling begins
 * @duration_ms: milliseconds of sampling; 0 until something else ends it
 * @mode: how stacks are taken
 * @raw: do not search for the functions of files
 * @native: keep frames of interpreters where the language's frames are known
 * @bsym_dir: see struct symstore_options
 * @servers: see struct symstore_options
 * @no_supply: do not answer the module's requests for tables
 * @stack_bytes: for RECORD_COPY: bytes of each stack to copy; 0 is its default
 * @quiet: throw away what the command prints
 * @interval_ms: hand out a profile for every interval of this length, and none
 *	at the end; 0 for one profile of the whole recording
 * @interval: receives them; every sample is in exactly one. Returns 0 to go on;
 *	more than 0 to end; a negative errno
 * @started: called when sampling has begun; may be NULL
 * @alive: called at least once a second from then on, unless something takes
 *	longer; may be NULL
 * @spool: without intervals: takes samples out of memory when there are many,
 *	and the profile must be saved with it; NULL keeps all in memory
 * @max_bytes: with @spool: end before the profile's file would be larger, as
 *	far as that can be estimated before all names are known; 0 is no limit
 * @imagemaps: profiles of intervals have image maps too, see record_imagemaps()
 * @input_fd: with @input: descriptor that @input reads
 * @input: called when @input_fd is readable, and when a signal interrupts
 *	waiting; returns the same as @interval; may be NULL
 * @note: gets texts that users should know; may be NULL
 * @detail: gets texts for users who ask for details: how it samples, each
 *	drain, what became of samples and names; may be NULL. Like @note it may
 *	get names from other programs
 * @progress: called while names are made, see symstore_wait(); may be NULL
 * @arg: passed to all of these functions
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
 * struct record_summary - the result of a recording
 * @source: name of the source
 * @samples: number of samples counted
 * @whole: how many of them are complete, by the first value that is not their
 *	number
 * @ns: duration in nanoseconds
 * @losses: samples that are not in the profile, by cause
 * @nr_losses: number of entries in @losses
 * @tables: number of unwind tables in this process's memory, where stacks are
 *	copied
 * @table_bytes: bytes of these tables
 * @table_ns: nanoseconds of CPU time that this process has used to make tables
 * @mmaps_lost: changes of processes' mappings that were missed; the processes
 *	were scanned again
 * @interrupted: a signal ended the recording
 * @status: exit status of the command as in a shell; -1 if there is none or it
 *	still runs
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
 * @options: what to record
 * @ret: on 0: the profile, released by profile_free(); not set with intervals
 * @summary: valid on 0
 * @diag: may be NULL
 *
 * SIGINT, SIGTERM and SIGCHLD are blocked meanwhile. A second SIGINT ends the
 * search for names: the profile then has those that were found.
 *
 * With intervals a recording may go on for ever: nothing is kept of an interval
 * that was handed out, nor of processes that are gone.
 *
 * Return: 0 or a negative errno.
 */
int record_session(const struct record_options *options, struct profile **ret,
		   struct record_summary *summary, struct diag *diag);

#endif /* USTACK_USER_RECORD_SESSION_H */
