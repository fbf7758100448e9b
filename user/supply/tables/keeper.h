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

#include <stdbool.h>
#include <stdint.h>

#include "util/diag.h"

struct keeper;
struct bpf_program;

/**
 * struct keeper_maps - descriptors of the programs' maps, which stay theirs
 * @spaces: struct tables_space by process
 * @wides: struct tables_wide by a space's id, in maps of their own; none is there yet
 * @huges: the same, of TABLES_HUGE_WINDOWS
 * @images: struct tables_image by number; none has a table yet
 * @files: numbers of images, by struct tables_file
 * @free_images: queue of numbers that are free again
 * @shares: struct tables_shares, of nobody yet
 * @bins: map of maps of bins
 * @wishes: ring of struct tables_wish
 * @each: iterator over mappings, bpf/tasks.bpf.c; outlives the keeper
 */
struct keeper_maps {
	int spaces;
	int wides;
	int huges;
	int images;
	int files;
	int free_images;
	int shares;
	int bins;
	int wishes;
	struct bpf_program *each;
};

/**
 * struct keeper_counts - what it did
 * @tables: that programs have
 * @table_bytes: of these
 * @bin_bytes: memory of the kernel that they are in
 * @ns: CPU time that finding files and making tables has taken
 * @looks: at mappings of processes, as programs asked for them
 * @refused: files whose table there was no room for
 * @wide_bytes: memory of the kernel for mappings of processes that have very many
 * @crowded: processes that were refused such memory
 */
struct keeper_counts {
	uint64_t tables;
	uint64_t table_bytes;
	uint64_t bin_bytes;
	uint64_t ns;
	uint64_t looks;
	uint64_t refused;
	uint64_t wide_bytes;
	uint64_t crowded;
};

/**
 * keeper_new() - begin to answer
 * @maps: copied
 * @memory: bytes that bins may take; rounded up to one
 * @collect_every: when so many tables were made, those are let go that no process has mapped;
 *	0: a reasonable number. They are as well when there is no room
 * @ret: released by keeper_free()
 * @diag: may be NULL
 *
 * Processes that are there are looked at before it returns; their tables come later.
 *
 * Return: 0 or a negative errno.
 */
int keeper_new(const struct keeper_maps *maps, uint64_t memory, unsigned int collect_every,
	       struct keeper **ret, struct diag *diag);
void keeper_free(struct keeper *k);

/**
 * keeper_settle() - wait until all is answered that was asked for before the call
 * @k: the keeper
 * @ms: at most so long; 0: as long as that takes
 *
 * An answer can lead to more wishes: a process that is looked at has files without a table. These
 * are waited for, too. Other wishes that come meanwhile are not, so that programs which ask all the
 * time do not keep the caller waiting.
 *
 * Return: whether it is.
 */
bool keeper_settle(struct keeper *k, unsigned int ms);

/**
 * keeper_know() - have a file's table made before anybody maps it
 * @k: the keeper
 * @path: of a program or library; what is none is not an error
 * @ms: see keeper_settle(), which this does
 */
void keeper_know(struct keeper *k, const char *path, unsigned int ms);

/* Context: any thread. */
void keeper_counts(const struct keeper *k, struct keeper_counts *ret);

/* Executable mappings of a process that can have tables: those that were mapped first. */
unsigned int keeper_most_mappings(void);

#endif /* USTACK_USER_TABLES_KEEPER_H */
