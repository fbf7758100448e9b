/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Makes the tables by which stacks are unwound in eBPF. The BPF programs know how processes are
 * mapped (bpf/space.bpf.h), and send wishes: requests for the table of a file that they meet, or to
 * have a process's mappings read. A thread here finds the file, makes its table and puts it where
 * the programs read it.
 *
 *	mmap -> program -> wish -> maker: file -> code_make() -> bin, image
 *
 * The kernel decides whether the opened file is the one that the process has mapped: the maker
 * maps it, too, and the programs must give it the same image.
 */
#ifndef USTACK_USER_TABLES_MAKER_H
#define USTACK_USER_TABLES_MAKER_H

#include <stdbool.h>
#include <stdint.h>

#include "host/process/made_code.h"
#include "util/diag.h"

struct table_maker;
struct bpf_program;

/**
 * struct table_maker_maps - descriptors of the programs' maps, owned by the caller
 * @spaces: struct tables_space by process
 * @wides: map of maps: struct tables_wide by a space's id; empty at first
 * @huges: the same, for TABLES_HUGE_WINDOWS
 * @images: struct tables_image by number; none has a table at first
 * @files: numbers of images, by struct tables_file
 * @free_images: queue of freed numbers
 * @shares: struct tables_shares, all zero at first
 * @bins: map of maps: the bins
 * @wishes: ring buffer of struct tables_wish
 * @each: iterator over mappings, bpf/tasks.bpf.c; outlives the maker
 * @made: finds code that processes made in shared memory; NULL: such code has no table
 */
struct table_maker_maps {
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
	made_code_find *made;
};

/**
 * struct table_maker_counts - counts of the maker's work
 * @tables: number of tables that programs have
 * @table_bytes: sum of the tables' bytes
 * @bin_bytes: bytes of kernel memory for tables
 * @ns: CPU time in ns for finding files and making tables
 * @looks: number of times that a process's mappings were read on a program's wish
 * @refused: number of files whose table had no room
 * @wide_bytes: bytes of kernel memory for mappings of processes that have very many
 * @crowded: number of processes that were refused such memory
 */
struct table_maker_counts {
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
 * struct table_maker_limits - how much tables may take
 * @memory: bytes that tables may take; rounded up to whole bins
 * @collect_every: number of tables after which those that no process has mapped are freed;
 *                 0: a reasonable number. They are freed as well when there is no room
 * @part_bytes: bytes of a table that is made in one part, at most TABLES_BIN_BYTES, which 0 means
 */
struct table_maker_limits {
	uint64_t memory;
	unsigned int collect_every;
	uint32_t part_bytes;
};

/**
 * table_maker_new() - start to answer wishes
 * @maps: copied
 * @limits: copied
 * @ret: released by table_maker_free()
 * @diag: may be NULL
 *
 * The mappings of present processes are read before it returns; their tables come later.
 *
 * Return: 0 or a negative errno.
 */
int table_maker_new(const struct table_maker_maps *maps, const struct table_maker_limits *limits,
		    struct table_maker **ret, struct diag *diag);
void table_maker_free(struct table_maker *k);

/**
 * table_maker_settle() - wait until all wishes from before the call are answered
 * @k: the maker
 * @ms: longest wait in ms; 0: no limit
 *
 * An answer can lead to more wishes: a process whose mappings are read has files without a table.
 * These are waited for, too, but not other wishes that come meanwhile, so that programs which
 * ask all the time do not keep the caller waiting.
 *
 * Return: whether all are answered.
 */
bool table_maker_settle(struct table_maker *k, unsigned int ms);

/**
 * table_maker_know() - have a file's table made before anybody maps it
 * @k: the maker
 * @path: path of a program or library; any other file is ignored
 * @ms: see table_maker_settle(), which is called
 */
void table_maker_know(struct table_maker *k, const char *path, unsigned int ms);

/* Context: any thread. */
void table_maker_counts(const struct table_maker *k, struct table_maker_counts *ret);

/* Most executable mappings of a process that can have tables; later mappings have none. */
unsigned int table_maker_most_mappings(void);

#endif /* USTACK_USER_TABLES_MAKER_H */
