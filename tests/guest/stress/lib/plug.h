/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Plugs (plug.S): reading and mapping their files, and the stacks that samples in them must
 * have.
 */
#ifndef STRESS_PLUG_H
#define STRESS_PLUG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "sampler.h"

#define PLUG_MAGIC 0x67756c706b636174ull
#define PLUG_KINDS 4

/* At the start of the text; contains offsets from there. See plug.S. */
struct plug_header {
	uint64_t magic;
	uint64_t kind;
	uint64_t entry;
	uint64_t return_to_entry;
	uint64_t mid;
	uint64_t return_to_mid;
	uint64_t leaf;
	uint64_t loop;
	uint64_t leaf_end;
};

/* One plug file in memory. */
struct plug {
	uint8_t *bytes;
	size_t len;
	size_t text_off;	/* page aligned */
	size_t text_len;	/* whole pages */
};

/* Reads PATH and finds its text; ends the program when it is not a plug. */
void plug_read(struct plug *plug, const char *path);

/*
 * Finds the .sframe section in @plug's bytes; ends the program when there is none. @vaddr is
 * its link-time address.
 */
const uint8_t *plug_sframe(const struct plug *plug, size_t *len, uint64_t *vaddr);

/* Pages of the text: entry, mid, room, leaf, room. */
#define PLUG_PAGE_ROOM 2
#define PLUG_PAGE_LEAF 3

/* Maps the text of the plug in @fd, like mmap(2) with PROT_READ | PROT_EXEC. */
void *plug_map(const struct plug *plug, int fd, void *addr, int flags);

/* The true stack of a call; filled by plug_call(). */
struct plug_stack {
	const struct plug_header *text;	/* address of the mapping, which may be in a child */
	struct plug_header header;	/* copy of the plug's header */
	void *to_call;		/* return address of the plug, inside plug_call() */
	void *to_caller;	/* return address of plug_call() */
};

/* Runs the plug mapped at @text for @loops rounds. Return: its kind. */
long plug_call(struct plug_stack *stack, const void *text,
	       unsigned long loops);

/* About 0.1 ms of loops on an emulated machine. */
#define PLUG_SPIN 20000ul

struct tally {
	unsigned long whole;	/* right up to the caller of plug_call() */
	unsigned long cut;	/* right, but ending earlier */
	unsigned long wrong;	/* with a wrong frame */
	unsigned long edge;	/* wrong after the pc, in the first function: */
				/* there the kernel's own walk uses the frame */
				/* pointer of plug_call() */
	unsigned long apart;	/* taken outside the plug */
	bool quiet;		/* wrong samples are not printed */
};

/* Judges one sample; prints the first few wrong ones. */
void plug_judge(const struct plug_stack *stack, const struct sample *sample,
		struct tally *tally);

/* Calls and samples until @want samples are in the plug or the time is over. */
void plug_sample(const void *text, unsigned long want, struct tally *tally);

#endif
