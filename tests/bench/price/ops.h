/* SPDX-License-Identifier: GPL-2.0-only */
/* The operations whose cost is measured. */
#ifndef PRICE_OPS_H
#define PRICE_OPS_H

#include <stdint.h>

/* the folder where the host puts the files (tests/bench/price/run) */
#define PRICE_STATIC "/price/static"
#define PRICE_DYNAMIC "/price/dynamic"
#define PRICE_LIBRARY "/price/library.so"

/* copies of the library, which the processes with many mappings map in turn */
#define PRICE_FILES 64
#define PRICE_FILE_FORMAT "/tmp/price/%u.so"

/**
 * struct price_op - one operation
 * @name: name in the table
 * @run: does the operation once; the process is afterwards as before
 */
struct price_op {
	const char *name;
	void (*run)(void);
};

extern const struct price_op price_ops[];
extern const unsigned int price_nr_ops;

/* The operations that many processes run at once. */
extern const struct price_op price_loops[];
extern const unsigned int price_nr_loops;

/* Opens and maps the files of the operations, in the process that runs them. */
void price_ops_init(void);
/* Maps one page of code of file @n, modulo PRICE_FILES. */
void price_map_code(unsigned int n);
/* Waits for child @pid, which must exit with 0. */
void price_wait(int pid);

#endif
