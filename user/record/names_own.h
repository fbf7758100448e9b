/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to user/record: what the files behind names.h share. Every mapping of the profile has a
 * place beside it that says where its names come from: a file's image, the kernel, or a process
 * that makes code.
 */
#ifndef USTACK_USER_RECORD_NAMES_OWN_H
#define USTACK_USER_RECORD_NAMES_OWN_H

#include "jit/jit.h"
#include "kernel/kallsyms.h"
#include "record/imagemaps.h"
#include "record/known.h"
#include "record/lang_stack.h"
#include "record/names.h"
#include "record/otel_processes.h"
#include "record/symbols.h"

/* What programs of BPF and trampolines are in, as kallsyms_image() names it. */
#define BPF_IMAGE "[bpf]"

enum source {
	SOURCE_NONE,
	SOURCE_IMAGE,
	SOURCE_KERNEL,
	SOURCE_JIT,
};

/**
 * struct origin - of the names of one mapping of the profile
 * @source: enum source
 * @pid: of SOURCE_JIT
 * @image: of SOURCE_IMAGE
 */
struct origin {
	enum source source;
	uint32_t pid;
	struct symstore_image *image;
};

struct record_names {
	struct record_names_options options;
	uint64_t clock;		/* see record_clock() */
	struct processes *processes;
	struct symstore *store;
	struct kallsyms *kallsyms;
	struct jit *jit;
	struct cgroups *cgroups;
	struct otel_processes *contexts;	/* NULL: processes are those of a file */
	struct names *names;

	struct known known;
	bool elsewhere;			/* the kernel that was sampled does not run here */
	struct record_symbols symbols;	/* of it, that come and go */
	uint64_t kallsyms_read;		/* when */
	uint64_t kallsyms_wait;		/* until it may be read again */
	struct lang_merged merged;	/* of the count that is taken */

	struct record_imagemaps imagemaps;
	struct profile *p;
	struct origin *origins;		/* by number of mapping */
	uint32_t nr_origins;
	uint32_t origins_room;
	bool no_memory;
};

static inline struct symstore_image *record_image_of(const struct process_file *f)
{
	return (struct symstore_image *)(uintptr_t)f->user;
}

void record_forget_processes(struct record_names *n);

void record_set_origin(struct record_names *n, uint32_t mapping, struct origin origin);
uint32_t record_hex_string(struct profile *p, const uint8_t *bytes, unsigned int nr);

void record_meet_file(struct process_file *f, uint32_t pid, const struct process_map *map,
		      void *arg);
void record_lose_file(struct process_file *f, void *arg);
bool record_is_in_file(const struct record_names *n, uint32_t pid, const struct process_file *f);
int record_user_location(struct record_names *n, const struct sampler_count *c,
			 uint64_t addr, uint32_t *ret);

uint32_t record_kernel_location(struct record_names *n, uint64_t addr);

void record_open_kallsyms(struct record_names *n);
void record_name_by_kernel(struct record_names *n, uint32_t location, uint64_t addr);
uint64_t record_unknown_to_kernel(const struct record_names *n);
void record_refresh_kernel(struct record_names *n);

#endif /* USTACK_USER_RECORD_NAMES_OWN_H */
