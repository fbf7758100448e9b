/* SPDX-License-Identifier: GPL-2.0-only */
/* The folder of a store: which segments it has, and which number the next one gets. */
#ifndef USTACK_USER_STORE_FOLDER_H
#define USTACK_USER_STORE_FOLDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/diag.h"

/* A segment's file in the folder; @bad: its name ends in ".bad", its header is not readable. */
struct store_name {
	uint64_t number;
	bool bad;
};

/**
 * store_folder_list() - list segments in ascending order of their numbers
 * @dirfd: descriptor of the folder
 * @dir: path of the folder, for messages
 * @ret: the list, freed by the caller
 * @nr: number of entries in @ret
 * @diag: may be NULL
 *
 * Return: 0 or a negative errno.
 */
int store_folder_list(int dirfd, const char *dir, struct store_name **ret, size_t *nr,
		      struct diag *diag);

/* Bytes of the longest file name, with its NUL. */
#define STORE_NAME_BYTES 32
/* Writes the name of a segment's file. Return: @buf. */
const char *store_folder_name(const struct store_name *n, char buf[STORE_NAME_BYTES]);

/**
 * store_folder_number() - reserve a number that no segment ever had
 * @dirfd: descriptor of the folder
 * @dir: path of the folder, for messages
 * @newest: the highest number of an existing segment, 0 if there is none
 * @now_ns: time of day, nanoseconds since 1970
 * @ret: the number; it is in the file "last", synced, when this returns
 * @diag: may be NULL
 *
 * Return: 0; -EOVERFLOW if no number is left; another negative errno.
 */
int store_folder_number(int dirfd, const char *dir, uint64_t newest, uint64_t now_ns,
			uint64_t *ret, struct diag *diag);

#endif /* USTACK_USER_STORE_FOLDER_H */
