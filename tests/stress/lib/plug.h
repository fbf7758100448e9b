/* SPDX-License-Identifier: GPL-2.0-only */
/* Plugs (plug.S) as files, as mappings, and what samples in them must be. */
#ifndef STRESS_PLUG_H
#define STRESS_PLUG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "sampler.h"

#define PLUG_MAGIC 0x67756c706b636174ull
#define PLUG_KINDS 4

/* At the start of the text; offsets from there. See plug.S. */
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

/* Reads PATH and finds its text; ends the program when it is no plug. */
void plug_read(struct plug *plug, const char *path);

/* The .sframe of the plug in @plug's bytes; ends the program when there is none. @vaddr is its
 * link-time address.
 */
const uint8_t *plug_sframe(const struct plug *plug, size_t *len, uint64_t *vaddr);

/* Pages of the text: entry, mid, room, leaf, room. */
#define PLUG_PAGE_ROOM 2
#define PLUG_PAGE_LEAF 3

/* Maps the text of the plug in @fd, like mmap(2) with PROT_READ | PROT_EXEC. */
void *plug_map(const struct plug *plug, int fd, void *addr, int flags);

/* What the stack of a call is; filled by plug_call(). */
struct plug_stack {
	const struct plug_header *text;	/* where it is mapped, maybe in a child */
	struct plug_header header;	/* a copy */
	void *to_call;		/* return address of the plug, in plug_call() */
	void *to_caller;	/* return address of plug_call() */
};

/* Runs the plug mapped at @text for @loops rounds. Return: its kind. */
long plug_call(struct plug_stack *stack, const void *text,
	       unsigned long loops);

/* About 0.1 ms of loops on an emulated machine. */
#define PLUG_SPIN 20000ul

struct tally {
	unsigned long whole;	/* right to the caller of plug_call() */
	unsigned long cut;	/* right, but ending before */
	unsigned long wrong;	/* with a wrong frame */
	unsigned long edge;	/* wrong behind the pc, in the first function: */
				/* the kernel's own walk takes the frame pointer */
				/* of plug_call() there */
	unsigned long apart;	/* taken outside the plug */
	bool quiet;		/* wrong ones are not printed */
};

/* Judges one sample; prints the first few wrong ones. */
void plug_judge(const struct plug_stack *stack, const struct sample *sample,
		struct tally *tally);

/* Calls and samples until @want samples are in the plug or time runs out. */
void plug_sample(const void *text, unsigned long want, struct tally *tally);

#endif
