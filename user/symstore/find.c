// SPDX-License-Identifier: GPL-2.0-only
#include "symstore/find.h"

#include <elf.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/fs.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "process/scan.h"
#include "supply/outcome.h"
#include "supply/roots.h"

/* Its number was another file's before. Not every file system tells. */
static bool is_reborn(const struct supply_file *f, uint64_t generation)
{
	union {
		long room;	/* the request's type; it is an int that is written */
		uint32_t generation;
	} now = { 0 };

	return generation && !ioctl(f->fd, FS_IOC_GETVERSION, &now) &&
	       now.generation != (uint32_t)generation;
}

/*
 * Whether the inode is the one of the event, which names the device of the file system. What
 * stands on others (overlayfs) or is in parts (btrfs) tells stat() a device of its own making.
 */
static bool is_its_inode(const struct supply_file *f, const struct symstore_key *key)
{
	return f->st.st_ino == key->ino &&
	       (f->st.st_dev == key->dev || !major(f->st.st_dev)) &&
	       !is_reborn(f, key->generation);
}

/* A file whose path leads elsewhere by now is another file. */
static bool is_it(const struct supply_file *f, const struct symstore_key *key, bool mapped)
{
	if (key->build_id_len)
		return key->build_id_len == f->elf.build_id_len &&
		       !memcmp(key->build_id, f->elf.build_id, key->build_id_len);
	if (key->ino)
		return mapped ? f->st.st_ino == key->ino : is_its_inode(f, key);
	/* nothing is known but the path */
	return !key->pid || mapped;
}

static enum supply_outcome try(const struct symstore_key *key, int at, const char *path,
			       bool in_root, bool mapped, struct supply_file *ret)
{
	enum ustack_reason reason = USTACK_NOT_ELF;
	enum supply_outcome found;

	supply_file_release(ret);
	*ret = (struct supply_file)SUPPLY_FILE_INIT;
	found = supply_file_open(ret, at, path, in_root);
	if (!found)
		found = supply_file_headers(ret, &reason);
	/* of the other architecture: what was recorded there is looked at here */
	if (found == SUPPLY_NOT_OURS && reason == USTACK_OK)
		found = SUPPLY_CACHED;
	if (!found && !is_it(ret, key, mapped))
		found = SUPPLY_REPLACED;
	return found;
}

#define MEMFD "/memfd:"

static enum supply_outcome try_process(const struct symstore_key *key,
				       struct supply_file *ret)
{
	enum supply_outcome found;
	char path[SCAN_MAPPED_PATH];
	int root;

	scan_mapped_path(key->pid, key->start, key->end, path);
	found = try(key, AT_FDCWD, path, false, true, ret);
	if (!found)
		return found;
	snprintf(path, sizeof(path), "/proc/%" PRIu32 "/root", key->pid);
	root = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (root < 0)
		return SUPPLY_GONE;
	found = try(key, root, key->path, true, false, ret);
	close(root);
	return found;
}

/* The file that is mapped, of any content. */
static bool open_mapped(const struct symstore_key *key, struct supply_file *ret)
{
	enum supply_outcome found;
	char path[SCAN_MAPPED_PATH];
	int root;

	scan_mapped_path(key->pid, key->start, key->end, path);
	if (!supply_file_open(ret, AT_FDCWD, path, false))
		return true;
	snprintf(path, sizeof(path), "/proc/%" PRIu32 "/root", key->pid);
	root = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (root < 0)
		return false;
	supply_file_release(ret);
	*ret = (struct supply_file)SUPPLY_FILE_INIT;
	found = supply_file_open(ret, root, key->path, true);
	close(root);
	return !found && is_its_inode(ret, key);
}

/* Where its process has gone, or never was seen: the same file by its path. */
static bool open_named(const struct symstore_key *key, struct supply_file *ret)
{
	supply_file_release(ret);
	*ret = (struct supply_file)SUPPLY_FILE_INIT;
	return key->path[0] == '/' && !supply_file_open(ret, AT_FDCWD, key->path, false) &&
	       is_it(ret, key, false);
}

bool symstore_is_made(const struct symstore_key *key)
{
	struct supply_file f = SUPPLY_FILE_INIT;
	bool made = !strncmp(key->path, MEMFD, strlen(MEMFD));
	char start[SELFMAG];

	/* the kernel finds build ids in ELF files alone */
	if (key->build_id_len)
		return false;
	if ((open_mapped(key, &f) || open_named(key, &f)) &&
	    pread(f.fd, start, sizeof(start), 0) == sizeof(start))
		made = memcmp(start, ELFMAG, SELFMAG) != 0;
	supply_file_release(&f);
	return made;
}

/* DIR/PATH, then DIR/NAME. */
static enum supply_outcome try_dir(const struct symstore_key *key, const char *dir,
				   struct supply_file *ret)
{
	const char *name = strrchr(key->path, '/');
	enum supply_outcome found = SUPPLY_GONE;
	int at = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (at < 0)
		return found;
	found = try(key, at, key->path, true, false, ret);
	if (found && name)
		found = try(key, at, name + 1, true, false, ret);
	close(at);
	return found;
}

/**
 * struct search - a file that is looked for in the roots of processes
 * @key: what is known of it
 * @ret: the file
 * @found: SUPPLY_CACHED if it was found
 */
struct search {
	const struct symstore_key *key;
	struct supply_file *ret;
	enum supply_outcome found;
};

static bool try_root(int root, void *arg)
{
	struct search *s = arg;
	enum supply_outcome now = try(s->key, root, s->key->path, true, false, s->ret);

	/* a build id is what the file says of itself: one container's word is not for another's */
	if (!now && !is_its_inode(s->ret, s->key))
		now = SUPPLY_REPLACED;
	if (!now || now == SUPPLY_REPLACED)
		s->found = now;
	return !now;
}

/*
 * Its process has gone. In a container or a chroot others have the same root: those that start
 * compilers, shells and the like.
 */
static enum supply_outcome try_roots(const struct symstore_key *key, struct supply_file *ret)
{
	struct search s = { key, ret, SUPPLY_GONE };

	supply_roots_each(try_root, &s);
	return s.found;
}

static enum supply_outcome try_all(const struct symstore_key *key,
				   const char *const *file_dirs, struct supply_file *ret)
{
	enum supply_outcome found = SUPPLY_GONE;

	if (key->pid)
		found = try_process(key, ret);
	if (found && key->path[0] == '/')
		found = try(key, AT_FDCWD, key->path, false, false, ret);
	if (found && key->pid && key->ino && key->path[0] == '/')
		found = try_roots(key, ret);
	for (; found && file_dirs && *file_dirs; file_dirs++)
		found = try_dir(key, *file_dirs, ret);
	return found;
}

const char *symstore_find(const struct symstore_key *key, const char *const *file_dirs,
			  struct supply_file *ret)
{
	const struct ustack_event vdso = { .pid = (uint32_t)getpid(), .vdso = 1 };
	enum ustack_reason reason;
	enum supply_outcome found;

	if (!strcmp(key->path, "[vdso]"))
		found = supply_locate_vdso(ret, &vdso, &reason);
	else
		found = try_all(key, file_dirs, ret);
	if (!found)
		return NULL;
	supply_file_release(ret);
	*ret = (struct supply_file)SUPPLY_FILE_INIT;
	return supply_outcome_text(found);
}
