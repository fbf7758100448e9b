// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads the files of a configuration: the main one and those of the folder conf.d beside it.
 * config.c merges and parses them. It also packs the bytes of all files into one for the serving
 * process.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "serve/daemon/config_read.h"
#include "util/buffer.h"
#include "util/cleanup.h"
#include "util/file.h"
#include "util/text.h"

#include "util/poison.h"

#define FOLDER "conf.d"
#define SUFFIX ".yaml"
/* config_pack() puts the length of each file before its bytes, as a number of so many bytes. */
#define LENGTH_BYTES 8

/**
 * struct file_list - files that were read
 * @file: the files; the list owns their names and bytes
 * @nr: number of entries in @file
 * @bytes: bytes of all files together
 */
struct file_list {
	struct config_file file[CONFIG_MAX_FILES];
	size_t nr;
	size_t bytes;
};

static void free_list(struct file_list *l)
{
	while (l->nr) {
		free((char *)l->file[--l->nr].name);
		free((char *)l->file[l->nr].bytes);
	}
}

/* Adds a file to the list. It takes the ownership of @path and @bytes, also on failure. */
static int add_file(struct file_list *l, char *path, uint8_t *bytes, size_t len, struct diag *diag)
{
	int err = 0;

	if (l->nr == CONFIG_MAX_FILES)
		err = diag_set(diag, E2BIG, path, "more than %u files", CONFIG_MAX_FILES);
	else if (len > CONFIG_MAX_BYTES - l->bytes)
		err = diag_set(diag, EFBIG, path, "more than %u bytes, with the files before it",
			       CONFIG_MAX_BYTES);
	if (err) {
		diag_copy_name(diag);
		free(path);
		free(bytes);
		return err;
	}
	l->bytes += len;
	l->file[l->nr++] = (struct config_file){ path, (const char *)bytes, len };
	return 0;
}

static int read_file(struct file_list *l, const char *path, struct diag *diag)
{
	_cleanup_(file_release) struct file file = FILE_INIT;
	uint8_t *bytes = NULL;
	char *name;
	int err;

	err = file_open(&file, path, diag);
	if (err)
		return err;
	if (file.size > CONFIG_MAX_BYTES)
		return diag_set(diag, EFBIG, path, "more than %u bytes", CONFIG_MAX_BYTES);
	err = file_read_new(&file, 0, file.size, &bytes, diag);
	if (err)
		return err;
	name = strdup(path);
	if (!name) {
		free(bytes);
		return diag_errno(diag, ENOMEM, path);
	}
	return add_file(l, name, bytes, file.size, diag);
}

/* Refuses a path of another user, who could then configure a daemon that has privileges. */
static int check_owner(const char *path, struct diag *diag)
{
	struct stat st;

	if (stat(path, &st))
		return diag_errno(diag, errno, path);
	if (st.st_uid && st.st_uid != geteuid())
		return diag_set(diag, EPERM, path, "belongs to user %u: it has to be root's or "
				"the caller's", st.st_uid);
	return 0;
}

/* Checks a file of conf.d. It must be regular, because opening a pipe waits for a writer. */
static int check_dropin(const char *path, struct diag *diag)
{
	struct stat st;

	if (!stat(path, &st) && !S_ISREG(st.st_mode))
		return diag_set(diag, EINVAL, path, "is not a regular file");
	return check_owner(path, diag);
}

static int is_dropin(const struct dirent *d)
{
	size_t len = strlen(d->d_name);

	return *d->d_name != '.' && len > strlen(SUFFIX) &&
	       !strcmp(d->d_name + len - strlen(SUFFIX), SUFFIX);
}

/* Compares bytes, so that the order is the same in every locale. */
static int compare_names(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static int read_dropin(struct file_list *l, const char *dir, const char *name, struct diag *diag)
{
	_cleanup_(cleanup_free) char *path = NULL;
	int err;

	if (asprintf(&path, "%s/%s", dir, name) < 0) {
		path = NULL;
		return diag_errno(diag, ENOMEM, dir);
	}
	err = check_dropin(path, diag) ?: read_file(l, path, diag);
	if (err)
		diag_copy_name(diag);
	return err;
}

static int read_folder(struct file_list *l, const char *dir, struct diag *diag)
{
	struct dirent **names;
	int nr = scandir(dir, &names, is_dropin, compare_names), i, err;

	/* a main file such as /proc/self/fd/3 or /dev/stdin has no folder beside it */
	if (nr < 0)
		return errno == ENOENT || errno == ENOTDIR ? 0 : diag_errno(diag, errno, dir);
	err = check_owner(dir, diag);
	for (i = 0; i < nr; i++) {
		if (!err)
			err = read_dropin(l, dir, names[i]->d_name, diag);
		free(names[i]);
	}
	free(names);
	return err;
}

char *config_folder(const char *path)
{
	size_t len = (size_t)(text_base_name(path) - path);
	char *dir;

	return asprintf(&dir, "%.*s%s", (int)len, path, FOLDER) < 0 ? NULL : dir;
}

static int read_all(struct file_list *l, const char *path, struct diag *diag)
{
	_cleanup_(cleanup_free) char *dir = config_folder(path);
	int err;

	if (!dir)
		return diag_errno(diag, ENOMEM, path);
	err = read_file(l, path, diag);
	if (err)
		return err;
	err = read_folder(l, dir, diag);
	if (err)
		diag_copy_name(diag);
	return err;
}

/*
 * Makes the diag outlive the list of files. The caller's own path stays in diag->file; another
 * file's name moves to the text.
 */
static void name_file(struct diag *diag, const char *path)
{
	if (!diag || !diag->file)
		return;
	if (!strcmp(diag->file, path))
		diag->file = path;
	else
		diag_copy_name(diag);
}

int config_load(const char *path, struct daemon_config *ret, struct diag *diag)
{
	_cleanup_(free_list) struct file_list l = { .nr = 0 };
	int err;

	if (!path)
		return config_parse_files(NULL, 0, ret, diag);
	err = read_all(&l, path, diag);
	if (err)
		return err;
	err = config_parse_files(l.file, l.nr, ret, diag);
	if (err)
		name_file(diag, path);
	return err;
}

int config_pack(const struct config_file *files, size_t nr, struct daemon_config *to)
{
	struct buffer b = { 0 };
	size_t i;

	for (i = 0; i < nr; i++) {
		buffer_fixed(&b, files[i].len, LENGTH_BYTES);
		buffer_put(&b, files[i].bytes, files[i].len);
	}
	/* makes @b.at not NULL even without files */
	if (b.failed || !buffer_begin(&b, 1)) {
		buffer_release(&b);
		return -ENOMEM;
	}
	to->bytes = (char *)b.at;
	to->len = b.len;
	return 0;
}

int config_load_packed(const char *path, struct daemon_config *ret, struct diag *diag)
{
	_cleanup_(file_release) struct file file = FILE_INIT;
	_cleanup_(cleanup_free) uint8_t *bytes = NULL;
	struct config_file files[CONFIG_MAX_FILES];
	size_t nr = 0, at = 0;
	uint64_t len;
	int err;

	err = file_open(&file, path, diag) ?: file_read_new(&file, 0, file.size, &bytes, diag);
	for (; !err && at < file.size; at += len) {
		if (file.size - at < LENGTH_BYTES || nr == CONFIG_MAX_FILES)
			return diag_set(diag, EINVAL, path, "offset %zu: no file begins here", at);
		memcpy(&len, bytes + at, LENGTH_BYTES);
		at += LENGTH_BYTES;
		if (len > file.size - at)
			return diag_set(diag, EINVAL, path, "offset %zu: a file is cut", at);
		files[nr++] = (struct config_file){ path, (const char *)bytes + at, len };
	}
	return err ?: config_parse_files(files, nr, ret, diag);
}
