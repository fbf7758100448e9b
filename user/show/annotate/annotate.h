/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Samples of a function by instruction and by line of the source.
 *
 *	annotate_new(p, &options, &a, &diag);			finds functions, sums samples
 *	for (i = 0; i < a->nr_functions; i++)
 *		annotate_code(a, &a->functions[i], &diag);	their instructions and lines
 *	annotate_free(a);
 *
 * A sample counts where the processor was: at the address of its innermost
 * frame. Instructions are those of the sampled file, found by its build id, as
 * objdump (objdump.h) prints them. Lines and inlined functions come from the
 * file's names (symbols/symstore/symstore.h).
 */
#ifndef USTACK_USER_ANNOTATE_H
#define USTACK_USER_ANNOTATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/profile.h"
#include "symbols/symstore/symstore.h"
#include "util/diag.h"

/* Limit for the bytes of a function that is disassembled. */
#define ANNOTATE_MAX_BYTES (4u << 20)

/**
 * struct annotate_options - what to annotate
 * @function: name as in the profile or for the linker; the part in parentheses
 *	may be left out. NULL is all functions
 * @image: base names of files, with commas between them; NULL is all
 * @file: path of the profile, for messages
 * @value: index of the value type that is counted
 * @count: index of the value type that is the number of samples; with @counts
 * @counts: there is such a value type
 * @store: where names come from; borrowed
 * @file_dirs: see struct symstore_options
 * @objdump: see @program of struct objdump_request
 * @intel: see struct objdump_request
 * @keep: returns whether a sample is counted; NULL for all
 * @progress: see symstore_wait(); may be NULL
 * @arg: passed to @keep
 * @progress_arg: passed to @progress
 */
struct annotate_options {
	const char *function;
	const char *image;
	const char *file;
	uint32_t value;
	uint32_t count;
	bool counts;
	struct symstore *store;
	const char *const *file_dirs;
	const char *objdump;
	bool intel;
	bool (*keep)(const struct profile *p, const struct profile_sample *s, void *arg);
	bool (*progress)(unsigned int done, unsigned int all, const char *path, void *arg);
	void *arg;
	void *progress_arg;
};

/* A sum of samples: of the value type that is counted, and their number. */
struct annotate_sum {
	int64_t value;
	int64_t samples;
};

/**
 * struct annotate_address - samples at an address
 * @address: link-time address
 * @sum: sum of these samples
 */
struct annotate_address {
	uint64_t address;
	struct annotate_sum sum;
};

/**
 * struct annotate_frame - a function at an instruction
 * @function: name; "" if not known
 * @file: path of the source; "" if not known
 * @line: line in @file; 0 if not known
 */
struct annotate_frame {
	const char *function;
	const char *file;
	uint32_t line;
};

/**
 * struct annotate_insn - an instruction
 * @address: link-time address
 * @size: bytes
 * @text: as objdump prints it, with the names of addresses that it refers to
 * @sum: samples at its bytes
 * @first_frame: index in the function's @frames: the innermost inlined function
 *	first, then the functions it was inlined into
 * @nr_frames: number of frames, at least 1
 */
struct annotate_insn {
	uint64_t address;
	uint64_t size;
	const char *text;
	struct annotate_sum sum;
	uint32_t first_frame;
	uint32_t nr_frames;
};

/**
 * struct annotate_function - a function of one file
 * @name: name of the function that is not inlined
 * @path: path of the file, as recorded
 * @build_id: in hexadecimal, "" if not known
 * @inlined: samples were selected by the name of a function that was inlined
 *	into this one; @insns has the inlined copies only
 * @start: link-time address
 * @size: bytes; 0 if not known
 * @sum: sum over all addresses
 * @addresses: samples by address, ascending
 * @nr_addresses: number of entries in @addresses
 * @why: why there are no instructions: words, or "" if the names of the file do
 *	not tell where the function begins; NULL if no reason is known
 * @insns: instructions, ascending; NULL until annotate_code()
 * @nr_insns: number of entries in @insns
 * @frames: frames of all instructions
 * @changed_ns: after annotate_code(): when the file was last written,
 *	CLOCK_REALTIME nanoseconds
 * @unproven: the file has no build id, so it may not be the one that was
 *	sampled
 */
struct annotate_function {
	const char *name;
	const char *path;
	const char *build_id;
	bool inlined;
	uint64_t start;
	uint64_t size;
	struct annotate_sum sum;
	struct annotate_address *addresses;
	size_t nr_addresses;
	const char *why;
	struct annotate_insn *insns;
	size_t nr_insns;
	struct annotate_frame *frames;
	size_t nr_frames;
	uint64_t changed_ns;
	bool unproven;

	/* private */
	uint32_t mapping;
	struct symstore_image *image;
	size_t addresses_room;
	size_t insns_room;
	size_t frames_room;
};

/**
 * struct annotate - everybody may read it
 * @functions: functions with samples, the hottest first
 * @nr_functions: number of entries in @functions
 * @all: sum of all samples that @keep selects
 */
struct annotate {
	struct annotate_function *functions;
	size_t nr_functions;
	struct annotate_sum all;

	struct annotate_own *own;	/* private */
};

/**
 * annotate_new() - find functions, and count samples by address
 * @p: the profile; gets names if it has none
 * @options: borrowed until annotate_free()
 * @ret: released by annotate_free()
 * @diag: may be NULL
 *
 * Return: 0; -ENODATA: no sample was taken in such a function, and @diag says
 * what was found instead; another negative errno.
 */
int annotate_new(struct profile *p, const struct annotate_options *options, struct annotate **ret,
		 struct diag *diag);
/* @a may be NULL. */
void annotate_free(struct annotate *a);

/* For _cleanup_(). */
static inline void annotate_cleanup(struct annotate **a)
{
	annotate_free(*a);
}

/**
 * annotate_code() - disassemble a function
 * @a: the functions
 * @f: one of them
 * @diag: may be NULL
 *
 * Return: 0; -ENOENT: its file or objdump is missing; -ESTALE: the file has no
 * build id, and was written after the profile was recorded; -ENODATA: there is
 * no file (@f->why); others as code_read() and objdump_run().
 */
int annotate_code(struct annotate *a, struct annotate_function *f, struct diag *diag);

#endif /* USTACK_USER_ANNOTATE_H */
