/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Samples of a function by instruction and by line of the source.
 *
 *	annotate_new(p, &options, &a, &diag);			which functions, how hot
 *	for (i = 0; i < a->nr_functions; i++)
 *		annotate_code(a, &a->functions[i], &diag);	their instructions and lines
 *	annotate_free(a);
 *
 * A sample counts where the processor was: at its innermost frame's address. Instructions are
 * those of the file that was sampled, by its build id, as objdump (objdump.h) has them; lines and
 * inlined functions come from its names (symbols/symstore/symstore.h).
 */
#ifndef USTACK_USER_ANNOTATE_H
#define USTACK_USER_ANNOTATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/profile.h"
#include "symbols/symstore/symstore.h"
#include "util/diag.h"

/* Bytes of a function that are disassembled. */
#define ANNOTATE_MAX_BYTES (4u << 20)

/**
 * struct annotate_options - what is looked at
 * @function: name, as the profile or the linker has it; what it has in parentheses may be left
 *            out. NULL is all
 * @image: base names of files, with commas between them; NULL is all
 * @file: the profile's, for messages
 * @value: index of the value type that is counted
 * @count: index of the value type that is the number of samples; with @counts
 * @counts: there is one
 * @store: where names come from; borrowed
 * @file_dirs: see struct symstore_options
 * @objdump: see struct objdump_request
 * @intel: likewise
 * @keep: whether a sample is counted; NULL for all
 * @progress: see symstore_wait(); may be NULL
 * @arg: for @keep
 * @progress_arg: for @progress
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

/* What samples amount to: of the value type that is counted, and how many they are. */
struct annotate_sum {
	int64_t value;
	int64_t samples;
};

/**
 * struct annotate_address - samples at an address
 * @address: link-time address
 * @sum: of them
 */
struct annotate_address {
	uint64_t address;
	struct annotate_sum sum;
};

/**
 * struct annotate_frame - a function at an instruction
 * @function: name; "" if it is not known
 * @file: path of the source; "" if it is not known
 * @line: of @file; 0 if it is not known
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
 * @text: as objdump has it, with names of what it refers to
 * @sum: samples at its bytes
 * @first_frame: index in the function's @frames: the innermost inlined function first, then what
 *               it was inlined into
 * @nr_frames: at least 1
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
 * @name: of the concrete function
 * @path: of the file, as it was recorded
 * @build_id: in hexadecimal, "" if it is not known
 * @inlined: samples were chosen by the name of a function that was inlined into this one:
 *           instructions are those of the inlined copies alone
 * @start: link-time address
 * @size: bytes; 0 if nothing says it
 * @sum: of all addresses
 * @addresses: @nr_addresses, ascending
 * @why: why there are no instructions to be had, "" if the names of its file do not say where it
 *       begins; NULL if nothing is known against them
 * @insns: @nr_insns, ascending; NULL until annotate_code()
 * @frames: of all instructions
 * @changed_ns: when the file was written to, CLOCK_REALTIME; after annotate_code()
 * @unproven: the file has no build id: that it is the one that was sampled is a guess
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
 * struct annotate - to be read by anyone
 * @functions: @nr_functions, the hottest first
 * @all: sum of all samples that are looked at
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
 * Return: 0; -ENODATA: no sample was taken in such a function, and @diag says what is there
 * instead; another negative errno.
 */
int annotate_new(struct profile *p, const struct annotate_options *options, struct annotate **ret,
		 struct diag *diag);
/* NULL is fine. */
void annotate_free(struct annotate *a);

/* For _cleanup_(). */
static inline void annotate_cleanup(struct annotate **a)
{
	annotate_free(*a);
}

/**
 * annotate_code() - disassemble a function
 * @a: has it
 * @f: a function of @a's
 * @diag: may be NULL
 *
 * Return: 0; -ENOENT: its file or objdump cannot be had; -ESTALE: the file has no build id, and was
 * written to after the profile was recorded; -ENODATA: there is no file (@f->why); as code_read() and
 * objdump_run().
 */
int annotate_code(struct annotate *a, struct annotate_function *f, struct diag *diag);

#endif /* USTACK_USER_ANNOTATE_H */
