/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who makes the tables that stacks are walked by in eBPF. Programs keep how processes are mapped
 * (bpf/space.bpf.h) and ask for the table of a file that they meet; a thread here finds the file,
 * makes its table and puts it where the programs read it.
 *
 *	mmap -> program -> wish -> keeper: file -> code_make() -> bin, image
 *
 * Whether what was opened is the file that the process has mapped tells the kernel: the keeper
 * maps it, too, and the programs must give it the same image.
 */
#ifndef USTACK_USER_TABLES_KEEPER_H
#define USTACK_USER_TABLES_KEEPER_H

#include <stdint.h>

#include "util/diag.h"

struct keeper;
struct bpf_program;

/**
 * struct keeper_maps - descriptors of the programs' maps, which stay theirs
 * @spaces: struct tables_space by process
 * @images: struct tables_image by number
 * @bins: map of maps of bins
 * @wishes: ring of struct tables_wish
 */
struct keeper_maps {
	int spaces;
	int images;
	int bins;
	int wishes;
};

/**
 * struct keeper_counts - what it did
 * @tables: that programs have
 * @table_bytes: of these
 * @bin_bytes: memory of the kernel that they are in
 * @ns: CPU time that finding files and making tables has taken
 * @looks: at mappings of processes, as programs asked for them
 * @refused: files whose table there was no room for
 */
struct keeper_counts {
	uint64_t tables;
	uint64_t table_bytes;
	uint64_t bin_bytes;
	uint64_t ns;
	uint64_t looks;
	uint64_t refused;
};

/* Says of all images that they have no table yet. To be called before a program runs that uses
 * them. Return: 0 or a negative errno.
 */
int keeper_init_images(int images);

/**
 * keeper_new() - begin to answer
 * @maps: copied
 * @each: iterator over mappings, bpf/tasks.bpf.c; outlives it
 * @memory: bytes that bins may take; rounded up to one
 * @ret: released by keeper_free()
 * @diag: may be NULL
 *
 * Processes that are there are looked at before it returns; their tables come later.
 *
 * Return: 0 or a negative errno.
 */
int keeper_new(const struct keeper_maps *maps, struct bpf_program *each, uint64_t memory,
	       struct keeper **ret, struct diag *diag);
void keeper_free(struct keeper *k);

/* Waits until all is answered that was asked for before the call. */
void keeper_settle(struct keeper *k);

/* Context: any thread. */
void keeper_counts(const struct keeper *k, struct keeper_counts *ret);

#endif /* USTACK_USER_TABLES_KEEPER_H */
