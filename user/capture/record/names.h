/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From what was counted to a profile with names: addresses become locations in files as
 * they are met, and locations get functions and lines at the end.
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
 * @raw: name what nobody can name later: the kernel, code made at run time; not files
 * @native: keep frames of interpreters where the language's frames are known
 * @past: processes are those of a file: the files of one that runs now with the same number
 *        are not asked for
 * @note: gets what is not an error and has to be known, in words; may be NULL
 * @arg: for @note
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
 * record_names_new() - begin
 * @options: copied, but for what it points to
 * @ret: released by record_names_free()
 * @diag: may be NULL
 *
 * Return: 0 or a negative errno.
 */
int record_names_new(const struct record_names_options *options,
		     struct record_names **ret, struct diag *diag);
void record_names_free(struct record_names *n);

/* The kernel that was sampled is not the one that runs: it and its vDSO get no names. */
void record_kernel_elsewhere(struct record_names *n);

/* A function of the kernel that was sampled comes, or goes (@name NULL): of BPF, or a trampoline.
 * Return: 0 or -ENOMEM.
 */
int record_kernel_symbol(struct record_names *n, uint64_t start, uint64_t len, const char *name);

/* What was mapped where; filled by who watches (host/process/watch.h). */
struct processes *record_processes(struct record_names *n);

/**
 * record_profile() - begin a profile
 * @n: the names
 * @p: gets locations, stacks and samples from now on; must outlive the next call. NULL
 *     for none
 *
 * Files and processes stay known from one profile to the next.
 */
void record_profile(struct record_names *n, struct profile *p);

/* What both clocks say of one moment: for counts with times. */
void record_clock(struct record_names *n, uint64_t realtime, uint64_t monotonic);

#define RECORD_MAX_IMAGEMAPS 1024u

/**
 * struct record_event - how an event's counts become values
 * @samples: index of the value that counts samples
 * @weight: index of the value that adds up weights, in profile's value types; may be
 *          @samples, and then they are not added
 * @label: text of PROFILE_LABEL_EVENT, or NULL
 */
struct record_event {
	uint32_t samples;
	uint32_t weight;
	const char *label;
};

/**
 * record_take() - add a count to the profile
 * @n: with a profile
 * @e: its event
 * @c: the count
 *
 * What its process had mapped must be known by now.
 *
 * Return: 0 or -ENOMEM.
 */
int record_take(struct record_names *n, const struct record_event *e,
		const struct sampler_count *c);

/**
 * record_expire() - forget what processes had mapped before a moment
 * @n: they
 * @before: no sample from before it is taken any more
 *
 * Return: 0 or -ENOMEM.
 */
int record_expire(struct record_names *n, uint64_t before);

/**
 * record_imagemaps() - give the profile its processes' image maps
 * @n: with a profile
 *
 * What each process had mapped at its last sample becomes a comment (profile/imagemaps.h):
 * of up to RECORD_MAX_IMAGEMAPS processes, 4 MB of text; how many more there were is said.
 */
void record_imagemaps(struct record_names *n);

/**
 * record_name() - give the profile's locations their functions
 * @n: with a profile
 * @progress: see symstore_wait()
 * @arg: for @progress
 *
 * Return: 0; -EINTR if @progress gave up: then what is known by then has been given.
 */
int record_name(struct record_names *n,
		bool (*progress)(unsigned int done, unsigned int all, const char *path,
				 void *arg),
		void *arg);

/**
 * struct record_named - what names a file of the profile has
 * @path: of the file
 * @locations: addresses in it
 * @named: those of them that have a function
 * @source: what names are made of
 * @reason: why there are none, or fewer than there could be; or ""
 */
struct record_named {
	const char *path;
	uint32_t locations;
	uint32_t named;
	enum symstore_source source;
	const char *reason;
};

/**
 * record_names_each() - tell of each file that the profile has addresses in
 * @n: with a profile
 * @tell: is called for each mapping of a file, in the profile's order
 * @arg: for @tell
 *
 * Without memory it tells of none.
 */
void record_names_each(const struct record_names *n,
		       void (*tell)(const struct record_named *file, void *arg), void *arg);

/**
 * record_name_now() - give the profile's locations the functions that are known by now
 * @n: with a profile
 *
 * It waits for nothing: files whose functions are still looked for have none yet.
 *
 * Return: 0 or -ENOMEM.
 */
int record_name_now(struct record_names *n);

/**
 * record_names_to_come() - about how many bytes of a file are not in the profile yet
 * @n: with a profile; record_name_now() was called
 *
 * Return: bytes, packed: of the functions of files that are still looked for, and of image maps.
 */
uint64_t record_names_to_come(struct record_names *n);

/**
 * record_name_gone() - give the code of processes that have gone its functions
 * @n: with a profile
 *
 * Nobody makes more of it. What only they and their cgroups had is forgotten, as a profile
 * that goes on would meet more and more of them.
 *
 * Return: 0 or -ENOMEM.
 */
int record_name_gone(struct record_names *n);

/**
 * record_names_forget() - forget what was known of processes and files that have gone
 * @n: with a profile that has nothing yet
 *
 * What was of them has been taken and named.
 *
 * Return: 0 or -ENOMEM.
 */
int record_names_forget(struct record_names *n);

/**
 * record_name_again() - give locations the functions that have been found since
 * @n: the names
 * @p: any profile that is or was of @n, or was merged of such
 *
 * Return: 0 or -ENOMEM.
 */
int record_name_again(struct record_names *n, struct profile *p);

#endif /* USTACK_USER_RECORD_NAMES_H */
