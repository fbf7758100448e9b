/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Makes the tables by which stacks are unwound in eBPF. The BPF programs know how processes are
 * mapped (bpf/space.bpf.h), and send wishes: requests for the table of a file that they meet, or to
 * have a process's mappings read. A thread here finds the file, makes its table and puts it where
 * the programs read it.
 *
 *	mmap -> program -> wish -> keeper: file -> code_make() -> bin, image
 *
 * The kernel decides whether the opened file is the one that the process has mapped: the keeper
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
 * struct keeper_maps - descriptors of the programs' maps, owned by the caller
 * @spaces: struct tables_space by process
 * @wides: map of maps: struct tables_wide by a space's id; empty at first
 * @huges: the same, for TABLES_HUGE_WINDOWS
 * @images: struct tables_image by number; none has a table at first
 * @files: numbers of images, by struct tables_file
 * @free_images: queue of freed numbers
 * @shares: struct tables_shares, all zero at first
 * @bins: map of maps: the bins
 * @wishes: ring buffer of struct tables_wish
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
 * struct keeper_counts - counts of the keeper's work
 * @tables: number of tables that programs have
 * @table_bytes: sum of the tables' bytes
 * @bin_bytes: bytes of kernel memory for tables
 * @ns: CPU time in ns for finding files and making tables
 * @looks: number of times that a process's mappings were read on a program's wish
 * @refused: number of files whose table had no room
 * @wide_bytes: bytes of kernel memory for mappings of processes that have very many
 * @crowded: number of processes that were refused such memory
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
 * keeper_new() - start to answer wishes
 * @maps: copied
 * @memory: bytes that tables may take; rounded up to whole bins
 * @collect_every: number of tables after which those that no process has mapped are freed;
 *	0: a reasonable number. They are freed as well when there is no room
 * @ret: released by keeper_free()
 * @diag: may be NULL
 *
 * The mappings of present processes are read before it returns; their tables come later.
 *
 * Return: 0 or a negative errno.
 */
int keeper_new(const struct keeper_maps *maps, uint64_t memory, unsigned int collect_every,
	       struct keeper **ret, struct diag *diag);
void keeper_free(struct keeper *k);

/**
 * keeper_settle() - wait until all wishes from before the call are answered
 * @k: the keeper
 * @ms: longest wait in ms; 0: no limit
 *
 * An answer can lead to more wishes: a process whose mappings are read has files without a table.
 * These are waited for, too, but not other wishes that come meanwhile, so that programs which
 * ask all the time do not keep the caller waiting.
 *
 * Return: whether all are answered.
 */
bool keeper_settle(struct keeper *k, unsigned int ms);

/**
 * keeper_know() - have a file's table made before anybody maps it
 * @k: the keeper
 * @path: path of a program or library; any other file is ignored
 * @ms: see keeper_settle(), which is called
 */
void keeper_know(struct keeper *k, const char *path, unsigned int ms);

/* Context: any thread. */
void keeper_counts(const struct keeper *k, struct keeper_counts *ret);

/* Most executable mappings of a process that can have tables; later mappings have none. */
unsigned int keeper_most_mappings(void);

#endif /* USTACK_USER_TABLES_KEEPER_H */
