/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to user/capture/record: the state and the functions that the files of names.h share.
 *
 *	resolve_stack.c    from a counted stack to a sample of the profile
 *	resolve_user.c     from an address of a process to a location in a file or in made code
 *	resolve_kernel.c   from an address of the kernel to a location
 *	name_locations.c   from a location to its functions and lines
 *	name_kernel.c      the same for the kernel
 *
 * The first three fill the profile while samples arrive, the last two read it
 * later. They share the origin of each mapping: where names of its addresses
 * come from.
 */
#ifndef USTACK_USER_RECORD_NAMES_PRIVATE_H
#define USTACK_USER_RECORD_NAMES_PRIVATE_H

#include "host/kernel/kallsyms.h"
#include "capture/record/imagemaps.h"
#include "capture/record/image_index.h"
#include "capture/record/lang_stack.h"
#include "capture/record/names.h"
#include "capture/record/otel_processes.h"
#include "capture/record/symbols.h"
#include "symbols/symstore/jit.h"

/* The image of BPF programs and trampolines, as kallsyms_image() names it. */
#define BPF_IMAGE "[bpf]"

/**
 * enum source - the kind of an origin
 * @SOURCE_NONE: nothing names the addresses, or they have their names already
 * @SOURCE_IMAGE: a file's symbols and debug information
 * @SOURCE_KERNEL: the kernel's list of symbols
 * @SOURCE_JIT: list that a process publishes of the code that it makes
 */
enum source {
	SOURCE_NONE,
	SOURCE_IMAGE,
	SOURCE_KERNEL,
	SOURCE_JIT,
};

/**
 * struct origin - where the names of one mapping of the profile come from
 * @source: kind of the origin
 * @pid: the process, for SOURCE_JIT
 * @image: the file, for SOURCE_IMAGE; owned by the store
 */
struct origin {
	enum source source;
	uint32_t pid;
	struct symstore_image *image;
};

struct record_names {
	struct record_names_options options;
	uint64_t clock;			/* CLOCK_REALTIME minus CLOCK_MONOTONIC, ns */
	struct processes *processes;
	struct symstore *store;
	struct kallsyms *kallsyms;	/* NULL: the kernel's list cannot be read */
	struct jit *jit;
	struct cgroups *cgroups;
	struct otel_processes *contexts; /* NULL if the processes are those of a recording */
	struct names *names;		/* how names are shown */

	struct image_index image_index;	/* files of profiles that were handed out */
	bool elsewhere;			/* the kernel that was sampled does not run here */
	struct record_symbols symbols;	/* kernel functions that come and go */
	uint64_t kallsyms_read;		/* ns: when the kernel's list was last read */
	uint64_t kallsyms_wait;		/* ns from then until it may be read again */
	struct lang_merged merged;	/* stack of the count that record_take() works on */

	/* about the current profile */
	struct record_imagemaps imagemaps;
	struct profile *p;
	struct origin *origins;		/* by number of the mapping, @nr_origins entries */
	uint32_t nr_origins;
	uint32_t origins_room;
	bool no_memory;			/* something is missing in the profile */
};

/* Return: the image that record_meet_file() found; NULL if it found none. */
static inline struct symstore_image *record_image_of(const struct process_file *f)
{
	return (struct symstore_image *)(uintptr_t)f->user;
}

/* Drops code and cgroups of processes that are gone. */
void record_forget_processes(struct record_names *n);

/*
 * Sets where names of addresses in @mapping come from. Without memory
 * @n->no_memory is set.
 */
void record_set_origin(struct record_names *n, uint32_t mapping, struct origin origin);

/*
 * Return: number of the profile's string that shows @nr bytes in hexadecimal; 0
 * for none.
 */
uint32_t record_hex_string(struct profile *p, const uint8_t *bytes, unsigned int nr);

/*
 * Called by host/process when a file is mapped by a first process, and when it
 * is mapped by none.
 */
void record_meet_file(struct process_file *f, uint32_t pid, const struct process_map *map,
		      void *arg);
void record_lose_file(struct process_file *f, void *arg);

/**
 * record_is_in_file() - whether an address is shown as a place in a file
 * @n: the names
 * @pid: process
 * @f: file that it has mapped there
 *
 * This includes mapped code that the process made, if the file has a name and
 * nothing names the code: an offset in the file tells more than an address of
 * one process.
 */
bool record_is_in_file(const struct record_names *n, uint32_t pid, const struct process_file *f);

/*
 * @ret: gets the location of an address of @c's process. Return: 0 or -ENOMEM.
 */
int record_user_location(struct record_names *n, const struct sampler_count *c,
			 uint64_t addr, uint32_t *ret);

/* Return: the location of a kernel address. */
uint32_t record_kernel_location(struct record_names *n, uint64_t addr);

/*
 * Begins to read the kernel's list. If it cannot be read, the user gets a note
 * and it stays NULL.
 */
void record_open_kallsyms(struct record_names *n);

/* Gives a location its function, if the kernel's list has it. */
void record_name_by_kernel(struct record_names *n, uint32_t location, uint64_t addr);

/*
 * Return: a kernel address in the profile that has no name; 0 if all have one.
 */
uint64_t record_unknown_to_kernel(const struct record_names *n);

/*
 * Reads the kernel's list again if an address has no name and the last reading
 * is long ago.
 */
void record_refresh_kernel(struct record_names *n);

#endif /* USTACK_USER_RECORD_NAMES_PRIVATE_H */
