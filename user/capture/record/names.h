/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From counts to a profile with names. Addresses become locations in files when
 * a count is taken; locations get functions and lines at the end. Used by
 * session.c and perfimport.
 *
 *	struct sampler_count -> record_take() -> locations, stacks, labels, samples
 *	                        record_name() -> functions, lines
 */
#ifndef USTACK_USER_RECORD_NAMES_H
#define USTACK_USER_RECORD_NAMES_H

#include "host/process/cgroup.h"
#include "host/process/processes.h"
#include "profile/profile.h"
#include "capture/sampler/sampler.h"
#include "symbols/symstore/symstore.h"
#include "util/diag.h"

struct record_names;

/**
 * struct record_names_options - where names come from
 * @debug_dirs: see struct symstore_options
 * @file_dirs: see struct symstore_options
 * @cache: see struct symstore_options
 * @cache_bytes: see struct symstore_options
 * @bsym_dir: see struct symstore_options
 * @servers: see struct symstore_options
 * @raw: give names only to what cannot be named later: the kernel, code made at
 *	run time; not to files
 * @native: keep frames of interpreters where the language's frames are known
 * @past: the processes are those of a recording: files of a process that runs
 *	now with the same number are not used
 * @note: gets texts about what is no error but should be known; may be NULL
 * @arg: passed to @note
 */
struct record_names_options {
	const char *const *debug_dirs;
	const char *const *file_dirs;
	const char *cache;
	uint64_t cache_bytes;
	const char *bsym_dir;
	const char *servers;
	bool raw;
	bool native;
	bool past;
	void (*note)(const char *text, void *arg);
	void *arg;
};

/**
 * record_names_new() - create the state
 * @options: copied, except what it points to
 * @ret: released by record_names_free()
 * @diag: may be NULL
 *
 * Return: 0 or a negative errno.
 */
int record_names_new(const struct record_names_options *options,
		     struct record_names **ret, struct diag *diag);
void record_names_free(struct record_names *n);

/*
 * Tells that the sampled kernel is not the one that runs: it and its vDSO get
 * no names.
 */
void record_kernel_elsewhere(struct record_names *n);

/*
 * A function of the sampled kernel comes or, with @name NULL, goes: a BPF
 * program or a trampoline. Return: 0 or -ENOMEM.
 */
int record_kernel_symbol(struct record_names *n, uint64_t start, uint64_t len, const char *name);

/*
 * The mappings of processes; filled by whoever watches them
 * (host/process/watch.h).
 */
struct processes *record_processes(struct record_names *n);

/**
 * record_profile() - begin a profile
 * @n: the names
 * @p: gets locations, stacks and samples from now on; must outlive the next
 *	call. NULL for none
 *
 * Files and processes stay known from one profile to the next.
 */
void record_profile(struct record_names *n, struct profile *p);

/* Takes readings of both clocks at the same moment, for counts with times. */
void record_clock(struct record_names *n, uint64_t realtime, uint64_t monotonic);

#define RECORD_MAX_IMAGEMAPS 1024u

/**
 * struct record_event - how an event's counts become values
 * @samples: index, in the profile's value types, of the number of samples
 * @weight: index of the sum of weights; may be the same as @samples, and then
 *	weights are not added
 * @label: text of PROFILE_LABEL_EVENT, or NULL
 */
struct record_event {
	uint32_t samples;
	uint32_t weight;
	const char *label;
};

/**
 * record_take() - add a count to the profile
 * @n: names with a profile
 * @e: event of the count
 * @c: the count
 *
 * The mappings of its process must be known up to the count's epoch.
 *
 * Return: 0 or -ENOMEM.
 */
int record_take(struct record_names *n, const struct record_event *e,
		const struct sampler_count *c);

/**
 * record_expire() - drop the mappings of processes before a moment
 * @n: the names
 * @before: CLOCK_MONOTONIC nanoseconds; no sample from before it is taken any
 *	more
 *
 * Return: 0 or -ENOMEM.
 */
int record_expire(struct record_names *n, uint64_t before);

/**
 * record_imagemaps() - add the image maps of its processes to the profile
 * @n: names with a profile
 *
 * The mappings of each process at its last sample become a comment
 * (profile/imagemaps.h), for up to RECORD_MAX_IMAGEMAPS processes and 4 MB of
 * text. One more comment counts the rest.
 */
void record_imagemaps(struct record_names *n);

/**
 * record_name() - give the profile's locations their functions
 * @n: names with a profile
 * @progress: see symstore_wait()
 * @arg: passed to @progress
 *
 * Return: 0; -EINTR if @progress stopped it: then locations have the names
 * found until then.
 */
int record_name(struct record_names *n,
		bool (*progress)(unsigned int done, unsigned int all, const char *path,
				 void *arg),
		void *arg);

/**
 * struct record_named - how many names a file of the profile has
 * @path: path of the file
 * @locations: number of addresses in it
 * @named: number of those that have a function
 * @source: what the names were made from
 * @reason: why there are none, or fewer than possible; or ""
 */
struct record_named {
	const char *path;
	uint32_t locations;
	uint32_t named;
	enum symstore_source source;
	const char *reason;
};

/**
 * record_names_each() - call a function for each file that the profile has
 * addresses in
 * @n: names with a profile
 * @tell: called for each mapping of a file, in the profile's order
 * @arg: passed to @tell
 *
 * Without memory @tell is not called.
 */
void record_names_each(const struct record_names *n,
		       void (*tell)(const struct record_named *file, void *arg), void *arg);

/**
 * record_name_now() - give the profile's locations the functions that are known by now
 * @n: names with a profile
 *
 * Does not wait: files whose functions are still being searched get none yet.
 *
 * Return: 0 or -ENOMEM.
 */
int record_name_now(struct record_names *n);

/**
 * record_names_to_come() - estimate how much naming would add to the profile's
 * file
 * @n: names with a profile, after record_name_now()
 *
 * Return: bytes, packed: functions of files that are still being searched, and
 * image maps.
 */
uint64_t record_names_to_come(struct record_names *n);

/**
 * record_name_gone() - name the code that processes made which are gone
 * @n: names with a profile
 *
 * No more names for that code will be published. Data known only for such
 * processes and their cgroups is dropped; a long profile would collect more and
 * more of it.
 *
 * Return: 0 or -ENOMEM.
 */
int record_name_gone(struct record_names *n);

/**
 * record_names_forget() - drop what is known of processes and files that are
 * gone
 * @n: names with a profile that is still empty
 *
 * All their counts must have been taken and named.
 *
 * Return: 0 or -ENOMEM.
 */
int record_names_forget(struct record_names *n);

/**
 * record_name_again() - give locations the functions that have been found since
 * @n: the names
 * @p: a profile that @n fills or has filled, or a merge of such profiles
 *
 * Return: 0 or -ENOMEM.
 */
int record_name_again(struct record_names *n, struct profile *p);

#endif /* USTACK_USER_RECORD_NAMES_H */
