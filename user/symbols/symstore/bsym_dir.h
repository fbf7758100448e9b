/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to user/symbols/symstore: BSYM files (formats/bsym/bsym.h) that name what nothing else does,
 * DIR/BUILD-ID.bsym, BUILD-ID in hexadecimal. Nothing in such a file says which program it
 * is of: that is the word of who named the folder, and of who may write there.
 */
#ifndef USTACK_USER_SYMSTORE_BSYM_DIR_H
#define USTACK_USER_SYMSTORE_BSYM_DIR_H

#include <linux/limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "util/diag.h"

/**
 * struct bsym_dir - the folder
 * @fd: of it, -1 if there is none
 * @path: of it, borrowed
 * @owner: of it
 */
struct bsym_dir {
	int fd;
	const char *path;
	uid_t owner;
};

#define BSYM_DIR_INIT { .fd = -1 }

/**
 * bsym_dir_open() - open the folder
 * @d: holds BSYM_DIR_INIT; released by bsym_dir_release()
 * @path: of it; must outlive @d
 * @diag: may be NULL
 *
 * One that others than its owner may write to is refused.
 *
 * Return: 0 or a negative errno.
 */
int bsym_dir_open(struct bsym_dir *d, const char *path, struct diag *diag);
void bsym_dir_release(struct bsym_dir *d);

/**
 * struct bsym_file - a file of it
 * @fd: open for reading, to be closed by the caller
 * @st: what fstat(2) says
 * @path: for messages
 */
struct bsym_file {
	int fd;
	struct stat st;
	char path[PATH_MAX];
};

/**
 * bsym_dir_find() - open the file of a build id
 * @d: the folder
 * @build_id: first @len bytes
 * @len: 0 for none: then there is no file
 * @ret: on true
 * @reason: on false why it is not used; "" if there is none
 *
 * It is a regular file of root, of the caller or of the folder's owner, and others may not
 * write to it.
 *
 * Return: whether there is one.
 */
bool bsym_dir_find(const struct bsym_dir *d, const uint8_t *build_id, unsigned int len,
		   struct bsym_file *ret, char reason[256]);

#endif /* USTACK_USER_SYMSTORE_BSYM_DIR_H */
