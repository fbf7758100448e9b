// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds and opens the file of a key: through the process that has mapped it, by its path,
 * or in folders that the user gave. Called when an image is added to the store.
 */
#include "symbols/symstore/find.h"

#include <elf.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "host/file/outcome.h"
#include "host/file/process_file.h"

/* Whether the inode was reused for another file. Not every file system can tell. */
static bool is_reborn(const struct supply_file *f, uint64_t generation)
{
	union {
		long room;	/* the ioctl's type is long, but the kernel writes an int */
		uint32_t generation;
	} now = { 0 };

	return generation && !ioctl(f->fd, FS_IOC_GETVERSION, &now) &&
	       now.generation != (uint32_t)generation;
}

/*
 * Whether the file is the inode of the event, which has the device of the file system.
 * For files on overlayfs or in subvolumes of btrfs, stat() reports a virtual device
 * instead.
 */
static bool is_its_inode(const struct supply_file *f, const struct symstore_key *key)
{
	return f->st.st_ino == key->ino &&
	       (f->st.st_dev == key->dev || !major(f->st.st_dev)) &&
	       !is_reborn(f, key->generation);
}

/* Whether the opened file is the wanted one, as its path may have been given to another. */
static bool is_it(const struct supply_file *f, const struct symstore_key *key, bool mapped)
{
	if (key->build_id_len)
		return key->build_id_len == f->elf.build_id_len &&
		       !memcmp(key->build_id, f->elf.build_id, key->build_id_len);
	if (key->ino)
		return mapped ? f->st.st_ino == key->ino : is_its_inode(f, key);
	/* only the path is known */
	return !key->pid || mapped;
}

static enum supply_outcome judge(struct supply_file *f, enum supply_way way, const void *arg)
{
	const struct symstore_key *key = arg;
	enum ustack_reason reason = USTACK_NOT_ELF;
	enum supply_outcome found = supply_file_headers(f, &reason);

	/*
	 * a file for the other architecture is fine: the profile may be from another
	 * machine
	 */
	if (found == SUPPLY_NOT_OURS && reason == USTACK_OK)
		found = SUPPLY_CACHED;
	if (found)
		return found;
	/*
	 * a file can claim any build id: a file from another process's root must also
	 * have the inode
	 */
	if (!is_it(f, key, way == SUPPLY_BY_MAPPING) ||
	    (way == SUPPLY_BY_OTHER_ROOT && !is_its_inode(f, key)))
		return SUPPLY_REPLACED;
	return SUPPLY_CACHED;
}

/* Accepts a file with any content, as its build id is not known. */
static enum supply_outcome judge_any(struct supply_file *f, enum supply_way way, const void *arg)
{
	const struct symstore_key *key = arg;

	if (way == SUPPLY_BY_MAPPING || (key->ino ? is_its_inode(f, key) : !key->pid))
		return SUPPLY_CACHED;
	return SUPPLY_REPLACED;
}

#define MEMFD "/memfd:"

bool symstore_is_generated(const struct symstore_key *key)
{
	const struct supply_wanted wanted = {
		.path = key->path, .pid = key->pid, .start = key->start, .end = key->end,
		.no_others = true, .judge = judge_any, .arg = key,
	};
	struct supply_file f = SUPPLY_FILE_INIT;
	bool made = !strncmp(key->path, MEMFD, strlen(MEMFD));
	char start[SELFMAG];

	/* the kernel finds build ids only in ELF files */
	if (key->build_id_len)
		return false;
	if (!supply_process_file(&wanted, &f) &&
	    pread(f.fd, start, sizeof(start), 0) == sizeof(start))
		made = memcmp(start, ELFMAG, SELFMAG) != 0;
	supply_file_release(&f);
	return made;
}

static enum supply_outcome try_in(const struct symstore_key *key, int at, const char *path,
				  struct supply_file *ret)
{
	enum supply_outcome found;

	supply_file_release(ret);
	*ret = (struct supply_file)SUPPLY_FILE_INIT;
	found = supply_file_open(ret, at, path, true);
	return found ? found : judge(ret, SUPPLY_BY_PATH, key);
}

/* Tries DIR/PATH, then DIR/NAME. */
static enum supply_outcome try_dir(const struct symstore_key *key, const char *dir,
				   struct supply_file *ret)
{
	const char *name = strrchr(key->path, '/');
	enum supply_outcome found = SUPPLY_GONE;
	int at = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (at < 0)
		return found;
	found = try_in(key, at, key->path, ret);
	if (found && name)
		found = try_in(key, at, name + 1, ret);
	close(at);
	return found;
}

static enum supply_outcome try_all(const struct symstore_key *key,
				   const char *const *file_dirs, struct supply_file *ret)
{
	const struct supply_wanted wanted = {
		.path = key->path, .pid = key->pid, .start = key->start, .end = key->end,
		/* only the inode can tell another process's file of the same path */
		.no_others = !key->ino, .judge = judge, .arg = key,
	};
	enum supply_outcome found = supply_process_file(&wanted, ret), now;

	for (; found && file_dirs && *file_dirs; file_dirs++) {
		now = try_dir(key, *file_dirs, ret);
		if (supply_says_more(now, found))
			found = now;
	}
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
