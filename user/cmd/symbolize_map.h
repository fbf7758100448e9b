/* SPDX-License-Identifier: GPL-2.0-only */
/* Private to ustack symbolize: names addresses of a process by its image map. */
#ifndef USTACK_USER_CMD_SYMBOLIZE_MAP_H
#define USTACK_USER_CMD_SYMBOLIZE_MAP_H

#include <stdbool.h>

#include "formats/imagemap/imagemap.h"
#include "symbols/symstore/symstore.h"

/**
 * struct symbolize_map - how addresses are named
 * @map: the image map, sorted
 * @store: the store that finds the files
 * @json: print a line of JSON for each address, instead of text
 * @progress: see symstore_wait()
 * @arg: argument for @progress
 */
struct symbolize_map {
	const struct imagemap *map;
	struct symstore *store;
	bool json;
	bool (*progress)(unsigned int done, unsigned int all, const char *path, void *arg);
	void *arg;
};

/**
 * symbolize_map() - print the functions at addresses
 * @m: the options
 * @words: the addresses; NULL to read them from standard input
 * @nr: number of @words
 * @diag: set on failure
 *
 * Return: 0; -EINVAL if a word is no address, and nothing is printed then; -ENOMEM; -EINTR.
 */
int symbolize_map(const struct symbolize_map *m, char **words, int nr, struct diag *diag);

#endif /* USTACK_USER_CMD_SYMBOLIZE_MAP_H */
