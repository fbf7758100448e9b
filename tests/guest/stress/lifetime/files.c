// SPDX-License-Identifier: GPL-2.0-only
/* Files that change, and file systems that are unmounted. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "lifetime.h"

void test_replaced(void)
{
	void *at = place();
	int fd, kind;
	char what[64];

	for (kind = 1; kind <= 3; kind++) {
		close(plug_file(kind, DIR "/new"));
		if (rename(DIR "/new", DIR "/lib"))
			die_errno("rename");
		fd = open(DIR "/lib", O_RDONLY);
		plug_map(&plugs[kind], fd, at, MAP_FIXED);
		close(fd);
		snprintf(what, sizeof(what), "file replaced by rename, %d", kind);
		check_whole(at, what);
		munmap(at, plugs[kind].text_len);
	}
}

static void overwrite(const char *path, int kind)
{
	int fd = open(path, O_WRONLY);

	if (fd < 0 || pwrite(fd, plugs[kind].bytes, plugs[kind].len, 0) !=
			      (ssize_t)plugs[kind].len)
		die_errno(path);
	close(fd);
}

void test_overwritten(void)
{
	void *at = place();
	int fd = plug_file(1, DIR "/lib"), kind;
	char what[64];

	for (kind = 1; kind <= 4; kind++) {
		overwrite(DIR "/lib", kind);
		plug_map(&plugs[kind], fd, at, MAP_FIXED);
		snprintf(what, sizeof(what), "file overwritten in place, %d", kind);
		check_whole(at, what);
		munmap(at, plugs[kind].text_len);
		usleep(20000);	/* the next tick of file times */
	}
	close(fd);
}

/* Two changes within one tick of the file system's clock. */
void test_overwritten_quickly(void)
{
	unsigned long want = samples_wanted;
	struct tally sum = { 0 }, t;
	void *at = place();
	int fd = plug_file(1, DIR "/lib"), round, kind;

	for (round = 0; round < 40; round++) {
		for (kind = 1; kind <= 2; kind++) {
			overwrite(DIR "/lib", kind);
			plug_map(&plugs[kind], fd, at, MAP_FIXED);
			if (kind == 1) {
				munmap(at, plugs[kind].text_len);
				continue;
			}
			plug_sample(at, want / 20, &t);
			tally_add(&sum, &t);
			munmap(at, plugs[kind].text_len);
		}
	}
	check_sum(&sum, "file overwritten twice in one tick");
	close(fd);
}

/* A new file with the same inode number and size, which ext4 assigns at once. */
static void recreate_in(const char *dir)
{
	struct tally sum = { 0 }, t;
	char path[64], what[96];
	void *at = place();
	int round, fd, kind;

	snprintf(path, sizeof(path), "%s/lib", dir);
	for (round = 0; round < 40; round++) {
		kind = 1 + round % 4;
		unlink(path);
		fd = plug_file(kind, path);
		plug_map(&plugs[kind], fd, at, MAP_FIXED);
		close(fd);
		plug_sample(at, samples_wanted / 20, &t);
		tally_add(&sum, &t);
		munmap(at, plugs[kind].text_len);
	}
	snprintf(what, sizeof(what), "file deleted and made again in %s", dir);
	check_sum(&sum, what);
}

static bool mount_ext4(const char *image, const char *dir)
{
	char command[128];

	if (access(image, F_OK))
		return false;
	mkdir(dir, 0755);
	snprintf(command, sizeof(command), "mount -t ext4 -o loop %s %s", image,
		 dir);
	return !system(command);
}

void test_recreated(void)
{
	recreate_in(DIR);
	if (!mount_ext4("/ext4.img", "/mnt/ext4")) {
		skip("recreated: this kernel mounts no ext4 image");
		return;
	}
	recreate_in("/mnt/ext4");
	check(!umount("/mnt/ext4"), "unmount of ext4 after that");
}

/* Maps the plug of this kind from @fd, so that the module examines it. */
static void look_at(int fd, int kind, void *at)
{
	plug_map(&plugs[kind], fd, at, MAP_FIXED);
	munmap(at, plugs[kind].text_len);
}

/* Sleeps until @ms milliseconds after the start of the next second. */
static void next_second(unsigned int ms)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	now.tv_nsec = 1000000000 - now.tv_nsec + ms * 1000000l;
	usleep(now.tv_nsec / 1000);
}

static struct timespec ctime_of(int fd)
{
	struct stat st;

	if (fstat(fd, &st))
		die_errno("fstat");
	return st.st_ctim;
}

/*
 * Inodes of 128 bytes store whole seconds. The first file is examined when its change time is
 * long past, by the clock that the time was taken from.
 */
static void overwrite_in_a_second(int fd, const char *path)
{
	unsigned int round, right = 0;
	struct tally sum = { 0 }, t;
	struct timespec first, second;
	void *at = place();

	/* on a busy machine the second may end too early; such a round shows nothing */
	for (round = 0; round < 30 && right < 5; round++) {
		next_second(100);
		overwrite(path, 1);
		first = ctime_of(fd);
		usleep(100000);
		look_at(fd, 1, at);
		overwrite(path, 2);
		second = ctime_of(fd);
		if (first.tv_nsec || second.tv_nsec)
			break;
		if (first.tv_sec != second.tv_sec)
			continue;
		right++;
		plug_map(&plugs[2], fd, at, MAP_FIXED);
		plug_sample(at, samples_wanted / 4, &t);
		tally_add(&sum, &t);
		munmap(at, plugs[2].text_len);
	}
	check(right == 5, "change times are whole seconds, and equal in %u of %u rounds",
	      right, round);
	check_sum(&sum, "file overwritten twice in one second");
}

void test_overwritten_in_a_second(void)
{
	int fd;

	if (!mount_ext4("/ext4-128.img", "/mnt/ext4")) {
		skip("overwritten_in_a_second: this kernel mounts no ext4 image");
		return;
	}
	fd = plug_file(1, "/mnt/ext4/lib");
	overwrite_in_a_second(fd, "/mnt/ext4/lib");
	close(fd);
	check(!umount("/mnt/ext4"), "unmount of ext4 after that");
}

void test_map_loop(void)
{
	struct tally sum = { 0 }, t;
	void *at = place();
	int fd[5], i, kind, rounds = 3 * samples_wanted;

	for (i = 1; i <= 4; i++) {
		char path[64];

		snprintf(path, sizeof(path), DIR "/lib%d", i);
		fd[i] = plug_file(i, path);
	}
	for (i = 0; i < rounds; i++) {
		kind = 1 + i % 4;
		plug_map(&plugs[kind], fd[kind], at, MAP_FIXED);
		plug_sample(at, 2, &t);
		tally_add(&sum, &t);
		munmap(at, plugs[kind].text_len);
	}
	check_sum(&sum, "four files in turn at one address");
	for (i = 1; i <= 4; i++)
		close(fd[i]);
}

void test_dlopen_loop(void)
{
	struct tally sum = { 0 }, t;
	unsigned int i, same = 0, rounds = 3 * samples_wanted;
	void *last = NULL;

	for (i = 0; i < rounds; i++) {
		char path[32];
		void *handle, *entry;
		uintptr_t text;

		snprintf(path, sizeof(path), "/plugs/plug%u.so", 1 + i % 4);
		handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
		if (!handle)
			die("dlopen: %s", dlerror());
		entry = dlsym(handle, "entry");
		if (!entry)
			die("dlsym: %s", dlerror());
		text = (uintptr_t)entry & ~4095ul;
		same += text == (uintptr_t)last;
		last = (void *)text;
		plug_sample(last, 2, &t);
		tally_add(&sum, &t);
		dlclose(handle);
	}
	check_sum(&sum, "dlopen and dlclose of four libraries in turn");
	check(same > rounds / 2, "of %u loads, %u at the address of the last",
	      rounds, same);
}

static void unmount_of(const char *dir, const char *kind)
{
	char path[64], what[96], line[256];
	void *at = place();
	int fd;

	snprintf(path, sizeof(path), "%s/lib-%s", dir, kind);
	fd = plug_file(2, path);
	plug_map(&plugs[2], fd, at, MAP_FIXED);
	close(fd);
	snprintf(what, sizeof(what), "a library on %s", kind);
	check_whole(at, what);
	munmap(at, plugs[2].text_len);
	errno = 0;
	umount(dir);
	check(!errno, "unmount of %s right after munmap: %s", kind,
	      strerror(errno));
	snprintf(path, sizeof(path), "lib-%s", kind);
	/* the next file system may get its device number */
	check(!module_image(path, line, sizeof(line)), "its image is forgotten");
}

void test_unmount(void)
{
	int round, fd;
	void *at;

	mkdir("/mnt/t", 0755);
	for (round = 0; round < 2; round++) {
		if (mount("t", "/mnt/t", "tmpfs", 0, ""))
			die_errno("mount of tmpfs");
		unmount_of("/mnt/t", "tmpfs");
	}
	/* another file at the same path */
	mount("t", "/mnt/t", "tmpfs", 0, "");
	at = place();
	fd = plug_file(3, "/mnt/t/lib-tmpfs");
	plug_map(&plugs[3], fd, at, MAP_FIXED);
	close(fd);
	check_whole(at, "another file on a new tmpfs");
	munmap(at, plugs[3].text_len);
	check(!umount("/mnt/t"), "and its unmount");
	if (mount_ext4("/ext4.img", "/mnt/ext4"))
		unmount_of("/mnt/ext4", "ext4");
	else
		skip("unmount: this kernel mounts no ext4 image");
}
