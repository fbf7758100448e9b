/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A recording, from options to a profile:
 *
 *	source (eBPF, or copied stacks)  counts -> names.h -> profile
 *	watch  (mmap, fork, exec, exit)  -> processes ^
 *
 * It ends by itself (a command or a process ends, time is up) or by SIGINT or SIGTERM, and
 * leaves a profile in either case.
 */
#ifndef USTACK_USER_RECORD_SESSION_H
#define USTACK_USER_RECORD_SESSION_H

#include "profile/profile.h"
#include "record/source.h"
#include "sampler/sampler.h"
#include "util/diag.h"

/* How stacks are taken. */
enum record_mode {
	RECORD_AUTO,	/* as the module does, if it is there; else as RECORD_COPY */
	RECORD_BPF,	/* in the kernel, by the module or, without it, frame pointers */
	RECORD_COPY,	/* stacks are copied and unwound here */
};

/**
 * struct record_options - what to record
 * @sampler: events, filters, sizes; its @note is not used. Without @argv, processes and
 *           threads it records all of the machine
 * @argv: command to start and record, ends with NULL; NULL for none
 * @duration_ms: 0 until something else ends it
 * @mode: enum record_mode
 * @raw: files' functions are not looked for
 * @no_supply: do not answer the module's questions for tables
 * @stack_bytes: of RECORD_COPY: that are copied of each stack; 0 is its default
 * @note: gets what people have to know, in words; may be NULL
 * @progress: told while names are made, see symstore_wait(); may be NULL
 * @arg: for both
 */
struct record_options {
	struct sampler_options sampler;
	char *const *argv;
	uint64_t duration_ms;
	enum record_mode mode;
	bool raw;
	bool no_supply;
	uint32_t stack_bytes;
	void (*note)(const char *text, void *arg);
	bool (*progress)(unsigned int done, unsigned int all, const char *path, void *arg);
	void *arg;
};

/**
 * struct record_summary - how it went
 * @source: name of what took the stacks
 * @samples: counted
 * @complete: of them, those whose stack is whole
 * @ns: it took
 * @losses: samples that are not in the profile, by cause
 * @nr_losses: of @losses
 * @mmaps_lost: changes of processes' mappings that were missed; the processes were looked
 *              at again
 * @status: of the command, as a shell has it; -1 if there is none or it still runs
 */
struct record_summary {
	const char *source;
	uint64_t samples;
	uint64_t complete;
	uint64_t ns;
	struct record_loss losses[RECORD_MAX_LOSSES];
	unsigned int nr_losses;
	uint64_t mmaps_lost;
	int status;
};

/**
 * record_session() - record
 * @options: what
 * @ret: released by profile_free(); on 0
 * @summary: on 0
 * @diag: may be NULL
 *
 * SIGINT, SIGTERM and SIGCHLD are blocked while it runs. A second SIGINT ends the search
 * for names: the profile then has those that were found.
 *
 * Return: 0 or a negative errno.
 */
int record_session(const struct record_options *options, struct profile **ret,
		   struct record_summary *summary, struct diag *diag);

#endif /* USTACK_USER_RECORD_SESSION_H */
