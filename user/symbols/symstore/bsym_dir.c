// SPDX-License-Identifier: GPL-2.0-only
/*
 * Opens the folder of BSYM files and the files in it. A folder or file that other users
 * may write to is refused, as names could be forged.
 */
#include "symbols/symstore/bsym_dir.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "symbols/symstore/symstore.h"
#include "util/text.h"

#include "util/poison.h"

static bool others_may_write(const struct stat *st)
{
	return st->st_mode & (S_IWGRP | S_IWOTH);
}

int bsym_dir_open(struct bsym_dir *d, const char *path, struct diag *diag)
{
	struct stat st;
	int err = 0;

	d->path = path;
	d->fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (d->fd < 0 || fstat(d->fd, &st))
		err = diag_set(diag, errno, NULL, "%s: %s", path, strerror(errno));
	else if (others_may_write(&st))
		err = diag_set(diag, EPERM, NULL,
			       "%s: others may write there, and could forge names", path);
	else
		d->owner = st.st_uid;
	if (err)
		bsym_dir_release(d);
	return err;
}

void bsym_dir_release(struct bsym_dir *d)
{
	if (d->fd >= 0)
		close(d->fd);
	d->fd = -1;
}

/* Return: the reason not to use the file, NULL if it is fine. */
static const char *refuse(const struct bsym_dir *d, const struct bsym_file *f)
{
	if (!S_ISREG(f->st.st_mode))
		return "not a regular file";
	if (f->st.st_uid && f->st.st_uid != geteuid() && f->st.st_uid != d->owner)
		return "it belongs to another user than its folder: not used";
	return others_may_write(&f->st) ? "others may write to it: not used" : NULL;
}

bool bsym_dir_find(const struct bsym_dir *d, const uint8_t *build_id, unsigned int len,
		   struct bsym_file *ret, char reason[256])
{
	char name[2 * SYMSTORE_MAX_BUILD_ID + 1], file[sizeof(name) + 8];
	const char *why;

	reason[0] = '\0';
	if (d->fd < 0 || !len || len > SYMSTORE_MAX_BUILD_ID)
		return false;
	snprintf(file, sizeof(file), "%s.bsym", text_hex(build_id, len, name, sizeof(name)));
	snprintf(ret->path, sizeof(ret->path), "%s/%s", d->path, file);
	/* opening a pipe would block */
	ret->fd = openat(d->fd, file, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (ret->fd < 0 && errno == ENOENT)
		return false;
	why = ret->fd < 0 || fstat(ret->fd, &ret->st) ? strerror(errno) : refuse(d, ret);
	if (!why)
		return true;
	snprintf(reason, 256, "%.180s: %s", ret->path, why);
	if (ret->fd >= 0)
		close(ret->fd);
	return false;
}
