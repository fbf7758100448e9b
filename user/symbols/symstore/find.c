// SPDX-License-Identifier: GPL-2.0-only
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

static enum supply_outcome judge(struct supply_file *f, enum supply_way way, const void *arg)
{
	const struct symstore_key *key = arg;
	enum ustack_reason reason = USTACK_NOT_ELF;
	enum supply_outcome found = supply_file_headers(f, &reason);

	/* of the other architecture: what was recorded there is looked at here */
	if (found == SUPPLY_NOT_OURS && reason == USTACK_OK)
		found = SUPPLY_CACHED;
	if (found)
		return found;
	/* a build id is what the file says of itself: one container's word is not for another's */
	if (!is_it(f, key, way == SUPPLY_BY_MAPPING) ||
	    (way == SUPPLY_BY_OTHER_ROOT && !is_its_inode(f, key)))
		return SUPPLY_REPLACED;
	return SUPPLY_CACHED;
}

/* A file of any content: its build id, if it has one, is not known. */
static enum supply_outcome judge_any(struct supply_file *f, enum supply_way way, const void *arg)
{
	const struct symstore_key *key = arg;

	if (way == SUPPLY_BY_MAPPING || (key->ino ? is_its_inode(f, key) : !key->pid))
		return SUPPLY_CACHED;
	return SUPPLY_REPLACED;
}

#define MEMFD "/memfd:"

bool symstore_is_made(const struct symstore_key *key)
{
	const struct supply_wanted wanted = {
		.path = key->path, .pid = key->pid, .start = key->start, .end = key->end,
		.no_others = true, .judge = judge_any, .arg = key,
	};
	struct supply_file f = SUPPLY_FILE_INIT;
	bool made = !strncmp(key->path, MEMFD, strlen(MEMFD));
	char start[SELFMAG];

	/* the kernel finds build ids in ELF files alone */
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

/* DIR/PATH, then DIR/NAME. */
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
		/* nothing but its inode would tell it from a file of the same path */
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
