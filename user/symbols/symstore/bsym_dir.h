/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to user/symbols/symstore: BSYM files (formats/bsym/bsym.h) that name what
 * nothing else does. They are DIR/BUILD-ID.bsym, with BUILD-ID in hexadecimal. Nothing in
 * such a file tells which program it belongs to: the user who gave the folder, and those
 * who may write to it, are trusted for that.
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
 * @fd: descriptor of the folder, -1 if there is none
 * @path: path of the folder, borrowed
 * @owner: user that owns the folder
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
 * @path: path of the folder; must outlive @d
 * @diag: may be NULL
 *
 * A folder that others than its owner may write to is refused.
 *
 * Return: 0 or a negative errno.
 */
int bsym_dir_open(struct bsym_dir *d, const char *path, struct diag *diag);
void bsym_dir_release(struct bsym_dir *d);

/**
 * struct bsym_file - a file in the folder
 * @fd: descriptor, open for reading; the caller closes it
 * @st: result of fstat(2)
 * @path: path of the file, for messages
 */
struct bsym_file {
	int fd;
	struct stat st;
	char path[PATH_MAX];
};

/**
 * bsym_dir_find() - open the file of a build id
 * @d: the folder
 * @build_id: the build id, @len bytes
 * @len: number of bytes; 0 if there is no build id, and so no file
 * @ret: set if true is returned
 * @reason: if false is returned, the reason why the file is not used; "" if there is no
 *          file
 *
 * The file must be a regular file of root, of the caller or of the folder's owner, and
 * others must not be able to write to it.
 *
 * Return: whether there is such a file.
 */
bool bsym_dir_find(const struct bsym_dir *d, const uint8_t *build_id, unsigned int len,
		   struct bsym_file *ret, char reason[256]);

#endif /* USTACK_USER_SYMSTORE_BSYM_DIR_H */
