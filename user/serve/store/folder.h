/* SPDX-License-Identifier: GPL-2.0-only */
/* The folder of a store: which segments there are, and which number comes next. */
#ifndef USTACK_USER_STORE_FOLDER_H
#define USTACK_USER_STORE_FOLDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/diag.h"

/* A file of the folder: a segment, or one that is not readable. */
struct store_name {
	uint64_t number;
	bool bad;
};

/**
 * store_folder_list() - segments in ascending order
 * @dirfd: the folder
 * @dir: for messages
 * @ret: freed by the caller
 * @nr: of them
 * @diag: may be NULL
 *
 * Return: 0 or a negative errno.
 */
int store_folder_list(int dirfd, const char *dir, struct store_name **ret, size_t *nr,
		      struct diag *diag);

/* Room for a name. */
#define STORE_NAME_BYTES 32
/* Return: @buf, the name of a segment's file. */
const char *store_folder_name(const struct store_name *n, char buf[STORE_NAME_BYTES]);

/**
 * store_folder_number() - a number that no segment ever had
 * @dirfd: the folder
 * @dir: for messages
 * @newest: the highest number that is there, 0 if there is none
 * @now_ns: since 1970
 * @ret: the number, which is written down when this returns
 * @diag: may be NULL
 *
 * Return: 0; -EOVERFLOW; another negative errno.
 */
int store_folder_number(int dirfd, const char *dir, uint64_t newest, uint64_t now_ns,
			uint64_t *ret, struct diag *diag);

#endif /* USTACK_USER_STORE_FOLDER_H */
