// SPDX-License-Identifier: GPL-2.0-only
/*
 * A file system is unmounted, and the next one gets its device number: a file there may have
 * the identity of a file that the module knew, and be another one.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fuse.h"
#include "users.h"

#define MOUNT "/mnt/forged"
#define LOOP "/dev/loop5"

/* Samples in the plug of this kind on the mount, and its reported identity. */
static struct stat sample_plug(int kind, struct tally *t)
{
	int fd = open(MOUNT "/lib", O_RDONLY | O_CLOEXEC);
	void *at = place();
	struct stat st;

	if (fd < 0 || fstat(fd, &st))
		die_errno(MOUNT "/lib");
	plug_map(&plugs[kind], fd, at, MAP_FIXED);
	close(fd);
	plug_sample(at, samples_wanted, t);
	munmap(at, plugs[kind].text_len);
	return st;
}

static bool is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino &&
	       a->st_size == b->st_size &&
	       a->st_ctim.tv_sec == b->st_ctim.tv_sec &&
	       a->st_ctim.tv_nsec == b->st_ctim.tv_nsec;
}

/* Without a table a stack may be cut; with another file's table it is wrong. */
static void verdict(const char *what, const struct stat *first,
		    const struct stat *second, const struct tally *t)
{
	check(is_same(first, second),
	      "%s: both files are dev %#llx, inode %llu, %llu bytes, changed at %lld", what,
	      (unsigned long long)second->st_dev, (unsigned long long)second->st_ino,
	      (unsigned long long)second->st_size, (long long)second->st_ctim.tv_sec);
	check(t->whole + t->cut && !t->wrong && !t->edge,
	      "%s: stacks in the second one: whole %lu, cut %lu, wrong %lu", what,
	      t->whole, t->cut, t->wrong + t->edge);
}

void test_forged_fuse(void)
{
	struct stat st[2];
	struct fuse *fuse;
	struct tally t;
	int i;

	if (plugs[1].len != plugs[2].len)
		die("plugs differ in size");
	for (i = 0; i < 2; i++) {
		fuse = fuse_start(MOUNT, plugs[1 + i].bytes, plugs[1 + i].len);
		if (!fuse) {
			skip("forged_fuse: this kernel has no FUSE");
			return;
		}
		st[i] = sample_plug(1 + i, &t);
		if (umount(MOUNT))
			die_errno("unmount of FUSE");
		fuse_kill(fuse);
		munmap(fuse, sizeof(*fuse));
	}
	verdict("FUSE", &st[0], &st[1], &t);
}

static void run(const char *command)
{
	if (system(command))
		die("%s: failed", command);
}

/* Images from a reproducible build, such as snaps: equal times, inodes and sizes. */
void test_forged_loop(void)
{
	struct tally first, t;
	struct stat st[2];

	mkdir(MOUNT, 0755);
	run("losetup " LOOP " /a.squashfs && mount -t squashfs " LOOP " " MOUNT);
	st[0] = sample_plug(1, &first);
	run("umount " MOUNT " && losetup -d " LOOP);
	run("losetup " LOOP " /b.squashfs && mount -t squashfs " LOOP " " MOUNT);
	st[1] = sample_plug(2, &t);
	run("umount " MOUNT " && losetup -d " LOOP);
	check(is_whole(&first), "squashfs: whole %lu, cut %lu, wrong %lu", first.whole,
	      first.cut, first.wrong);
	verdict("squashfs on the same loop device", &st[0], &st[1], &t);
	check(is_whole(&t), "and the second one's are whole");
}
