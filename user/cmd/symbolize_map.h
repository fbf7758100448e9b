/* SPDX-License-Identifier: GPL-2.0-only */
/* Private to ustack symbolize: addresses of a process by its image map. */
#ifndef USTACK_USER_CMD_SYMBOLIZE_MAP_H
#define USTACK_USER_CMD_SYMBOLIZE_MAP_H

#include <stdbool.h>

#include "formats/imagemap/imagemap.h"
#include "symbols/symstore/symstore.h"

/**
 * struct symbolize_map - what is asked
 * @map: sorted
 * @store: finds the files
 * @json: a line of JSON for each address, not text
 * @progress: see symstore_wait()
 * @arg: for @progress
 */
struct symbolize_map {
	const struct imagemap *map;
	struct symstore *store;
	bool json;
	bool (*progress)(unsigned int done, unsigned int all, const char *path, void *arg);
	void *arg;
};

/**
 * symbolize_map() - print what is at addresses
 * @m: what is asked
 * @words: addresses; NULL for lines of standard input
 * @nr: of @words
 * @diag: on failure
 *
 * Return: 0; -EINVAL if a word is no address, and nothing is printed; -ENOMEM; -EINTR.
 */
int symbolize_map(const struct symbolize_map *m, char **words, int nr, struct diag *diag);

#endif /* USTACK_USER_CMD_SYMBOLIZE_MAP_H */
