// SPDX-License-Identifier: GPL-2.0-only
/*
 * The store of symbols, with real files, processes and folders: the file that it accepts for a
 * sampled one, the names that it makes from it, and what it caches. Files are made by gcc and
 * objcopy.
 */
#include "store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "symbols/symstore/gsym_cache.h"

/* The source of the names is known also if they come from the cache. */
static void test_source(void **state)
{
	static const struct {
		const char *name;
		enum symstore_source source;
	} cases[] = {
		{ "full", SYMSTORE_DWARF }, { "symtab", SYMSTORE_SYMTAB },
		{ "dynsym", SYMSTORE_DYNSYM },
	};
	struct answer a;
	unsigned int i, again;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct symstore_key key = key_of(in(files, cases[i].name), id);

		for (again = 0; again < 3; again++) {
			a = ask(&key);
			assert_string_equal(a.reason, "");
			if (cases[i].source == SYMSTORE_DWARF)
				expect_dwarf(&a);
			else
				expect_symbol(&a, cases[i].source);
		}
	}
	assert_string_equal(notes, "");
}

/* The build id decides, whatever the path; another build id is another file. */
static void test_build_id(void **state)
{
	const char *const file_dirs[] = { files, NULL };
	const struct symstore_options o = { .cache = "/dev/null/x", .file_dirs = file_dirs };
	struct symstore_key key = key_of("/gone/full", id);
	struct answer a = ask_with(&key, &o);

	expect_dwarf(&a);
	key.build_id[3] ^= 1;
	a = ask_with(&key, &o);
	assert_int_equal(a.frames, 0);
	assert_int_equal(a.source, SYMSTORE_NOTHING);
	assert_string_not_equal(a.reason, "");
}

static void put_debug(const char *name, const char *build_id)
{
	SHELL("mkdir -p %s/debug/.build-id/%.2s && cp %s/%s %s/debug/.build-id/%.2s/%s.debug",
	      dir, build_id, files, name, dir, build_id, build_id + 2);
}

static void test_debug_file(void **state)
{
	const struct symstore_key key = key_of(in(files, "dynsym"), id);
	const struct symstore_key gone = key_of("/gone", id);
	struct answer a = ask(&key);

	expect_symbol(&a, SYMSTORE_DYNSYM);
	/* names that were made without the debug file do not count when it is there */
	put_debug("full.debug", ID);
	a = ask(&key);
	expect_dwarf(&a);
	/* and the file itself is not needed */
	a = ask(&gone);
	expect_dwarf(&a);
}

static void test_wrong_debug_file(void **state)
{
	const struct symstore_key key = key_of(in(files, "symtab"), id);
	const struct symstore_key gone = key_of("/gone", id);
	struct answer a;

	put_debug("other.debug", ID);
	a = ask(&key);
	expect_symbol(&a, SYMSTORE_SYMTAB);
	assert_non_null(strstr(a.reason, "another build id"));
	a = ask(&gone);
	assert_int_equal(a.source, SYMSTORE_NOTHING);
	assert_non_null(strstr(a.reason, "another build id"));
	assert_non_null(strstr(notes, "another build id"));
}

/* The debug file has the build id, and then only unreadable contents. */
static void test_damaged_debug_file(void **state)
{
	const struct symstore_key key = key_of(in(files, "symtab"), id);
	struct answer a;

	put_debug("full.debug", ID);
	SHELL("f=%s/debug/.build-id/%.2s/%s.debug; o=$(readelf -SW $f | "
	      "sed -n 's/.* .debug_info *PROGBITS *[0-9a-f]* \\([0-9a-f]*\\).*/\\1/p'); "
	      "head -c 64 /dev/zero | tr '\\0' '\\377' | "
	      "dd of=$f bs=1 seek=$((0x$o)) conv=notrunc 2>/dev/null", dir, ID, &ID[2]);
	a = ask(&key);
	assert_string_equal(a.function, "outer");
	assert_true(a.frames >= 1);
}

static void test_debug_link(void **state)
{
	const struct symstore_key key = key_of(in(dir, "linked"), NULL);
	struct answer a;

	SHELL("cp %s/linked %s && cp %s/plain.debug %s", files, dir, files, dir);
	a = ask(&key);
	expect_dwarf(&a);
	assert_int_equal(a.build_id_len, 0);
	/* beside the file in .debug, and below the folder of debug files */
	SHELL("cd %s && rm -r cache && mkdir .debug && mv plain.debug .debug", dir);
	a = ask(&key);
	expect_dwarf(&a);
	SHELL("cd %s && rm -r cache && mkdir -p debug%s && mv .debug/plain.debug debug%s", dir,
	      dir, dir);
	a = ask(&key);
	expect_dwarf(&a);
	/* a file with that name, but another build id */
	SHELL("cd %s && rm -r cache && echo >>debug%s/plain.debug", dir, dir);
	a = ask(&key);
	assert_int_equal(a.source, SYMSTORE_DYNSYM);
	assert_int_equal(a.frames, 1);
}

static void *map(int fd)
{
	void *p = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);

	assert_ptr_not_equal(p, MAP_FAILED);
	return p;
}

/* The key of a file that this process has mapped, as in its /proc/self/maps. */
static struct symstore_key key_of_map(const char *path, int fd, void *p)
{
	struct symstore_key key = { .path = path, .pid = (uint32_t)getpid(),
				    .start = (uintptr_t)p, .end = (uintptr_t)p + 4096 };
	struct stat st;

	assert_int_equal(fstat(fd, &st), 0);
	key.dev = st.st_dev;
	key.ino = st.st_ino;
	return key;
}

/* Opening a mapping's file needs a right. */
static bool may_follow(void)
{
	return !geteuid();
}

static void test_deleted(void **state)
{
	const char *path = in(dir, "full");
	struct symstore_key key;
	struct answer a;
	void *p;
	int fd;

	if (!may_follow())
		skip();
	SHELL("cp %s/full %s", files, dir);
	fd = open(path, O_RDONLY);
	p = map(fd);
	key = key_of_map(path, fd, p);
	close(fd);
	assert_int_equal(unlink(path), 0);
	a = ask(&key);
	expect_dwarf(&a);
	munmap(p, 4096);
	SHELL("rm -r %s/cache", dir);
	a = ask(&key);
	assert_int_equal(a.source, SYMSTORE_NOTHING);
	assert_string_not_equal(a.reason, "");
}

/* An update replaces a file while the old one is running. */
static void test_replaced(void **state)
{
	const char *path = in(dir, "full");
	struct symstore_key key;
	struct answer a;
	void *p;
	int fd;

	if (!may_follow())
		skip();
	SHELL("cp %s/full %s && cp %s/other %s/new", files, dir, files, dir);
	fd = open(path, O_RDONLY);
	p = map(fd);
	key = key_of_map(path, fd, p);
	close(fd);
	SHELL("mv %s/new %s", dir, path);
	a = ask(&key);
	expect_dwarf(&a);
	assert_int_equal(a.build_id_len, 20);
	/* later, by its path: neither the inode nor the build id is the same */
	munmap(p, 4096);
	SHELL("rm -r %s/cache", dir);
	a = ask(&key);
	assert_int_equal(a.source, SYMSTORE_NOTHING);
	key = key_of(path, id);
	a = ask(&key);
	assert_int_equal(a.source, SYMSTORE_NOTHING);
}

/*
 * The file that now has its path and its inode number is another one, if the file system shows
 * it.
 */
static void test_reborn(void **state)
{
	union {
		long room;
		uint32_t generation;
	} now = { 0 };
	const char *path = in(dir, "full");
	struct symstore_key key = { .path = path };
	struct answer a;
	struct stat st;
	int fd;

	SHELL("cp %s/full %s", files, dir);
	fd = open(path, O_RDONLY);
	assert_int_equal(fstat(fd, &st), 0);
	if (ioctl(fd, FS_IOC_GETVERSION, &now))
		skip();
	close(fd);
	key.dev = st.st_dev;
	key.ino = st.st_ino;
	key.generation = now.generation;
	a = ask(&key);
	expect_dwarf(&a);
	SHELL("rm -r %s/cache", dir);
	key.generation++;
	a = ask(&key);
	assert_int_equal(a.source, SYMSTORE_NOTHING);
	assert_string_not_equal(a.reason, "");
}

/*
 * The kernel reports the device of the file system, and stat() one that some file systems make
 * up.
 */
static void test_device(void **state)
{
	struct symstore_key key = { 0 };
	struct answer a;
	struct stat st;
	char path[64];
	int fd, to;

	SHELL("cp %s/full %s", files, dir);
	fd = open(in(dir, "full"), O_RDONLY);
	to = memfd_create("subject", 0);
	assert_int_equal(fstat(fd, &st), 0);
	assert_int_equal(sendfile(to, fd, NULL, (size_t)st.st_size), st.st_size);
	key.dev = st.st_dev + 1;
	key.ino = st.st_ino;
	key.path = in(dir, "full");
	if (major(st.st_dev)) {
		a = ask(&key);
		assert_int_equal(a.source, SYMSTORE_NOTHING);
	}
	assert_int_equal(fstat(to, &st), 0);
	assert_int_equal(major(st.st_dev), 0);
	key.dev = st.st_dev + 1;
	key.ino = st.st_ino;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", to);
	key.path = path;
	a = ask(&key);
	expect_dwarf(&a);
	close(fd);
	close(to);
}

static void test_memfd(void **state)
{
	int fd = memfd_create("subject", 0), from = open(in(files, "full"), O_RDONLY);
	struct symstore_key key;
	struct answer a;
	char buf[65536];
	ssize_t n;
	void *p;

	if (!may_follow())
		skip();
	while ((n = read(from, buf, sizeof(buf))) > 0)
		assert_int_equal(write(fd, buf, (size_t)n), n);
	close(from);
	p = map(fd);
	key = key_of_map("/memfd:subject (deleted)", fd, p);
	close(fd);
	a = ask(&key);
	expect_dwarf(&a);
	munmap(p, 4096);
}

/* Both in a mount namespace of the caller. */
static int mount_private(void)
{
	return mount("", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	       mount(in(dir, "under"), in(dir, "root"), NULL, MS_BIND, NULL);
}

static int read_only(const char *path)
{
	return mount("", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	       mount(path, path, NULL, MS_BIND, NULL) ||
	       mount("", path, NULL, MS_BIND | MS_REMOUNT | MS_RDONLY, NULL);
}

/* A process with its own root and mount namespace, which has /full mapped. */
static pid_t start_inside(bool chrooted, struct symstore_key *key)
{
	uint64_t words[4];
	int out[2];
	pid_t pid;

	assert_int_equal(pipe(out), 0);
	pid = fork();
	if (!pid) {
		struct stat st;
		void *p;
		int fd;

		/* a test that fails does not reach its end */
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (unshare(CLONE_NEWNS) ||
		    mount_private() || (chrooted && (chroot(in(dir, "root")) || chdir("/"))))
			_exit(1);
		fd = open(chrooted ? "/full" : in(dir, "root/full"), O_RDONLY);
		if (fstat(fd, &st))
			_exit(1);
		p = map(fd);
		words[0] = (uintptr_t)p;
		words[1] = words[0] + 4096;
		words[2] = st.st_dev;
		words[3] = st.st_ino;
		if (write(out[1], words, sizeof(words)) < 0)
			_exit(1);
		pause();
		_exit(0);
	}
	close(out[1]);
	assert_int_equal(read(out[0], words, sizeof(words)), sizeof(words));
	close(out[0]);
	key->pid = (uint32_t)pid;
	key->start = words[0];
	key->end = words[1];
	key->dev = words[2];
	key->ino = words[3];
	return pid;
}

static void end(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static void inside(bool chrooted)
{
	const char *path = chrooted ? "/full" : in(dir, "root/full");
	struct symstore_key key = { .path = path };
	struct answer a;
	pid_t pid;

	SHELL("mkdir %s/root %s/under && cp %s/full %s/under/full", dir, dir, files, dir);
	pid = start_inside(chrooted, &key);
	/* in this mount namespace the path leads nowhere */
	assert_int_not_equal(access(path, F_OK), 0);
	a = ask(&key);
	expect_dwarf(&a);
	/* by the mapping or, because its addresses are wrong, by the root of the process */
	SHELL("rm -r %s/cache", dir);
	key.start -= 4096;
	a = ask(&key);
	expect_dwarf(&a);
	/* another inode than the mapped one */
	SHELL("rm -r %s/cache", dir);
	key.ino++;
	a = ask(&key);
	assert_int_equal(a.source, SYMSTORE_NOTHING);
	end(pid);
}

static void test_chroot(void **state)
{
	if (!may_follow())
		skip();
	inside(true);
}

/* The process has ended, and another one has the same root. */
static void test_other_root(void **state)
{
	struct symstore_key key = { .path = "/full" }, other = { .path = "/full" };
	pid_t pid, stays;
	struct answer a;

	if (!may_follow())
		skip();
	SHELL("mkdir %s/root %s/under && cp %s/full %s/under/full", dir, dir, files, dir);
	pid = start_inside(true, &key);
	stays = start_inside(true, &other);
	end(pid);
	a = ask(&key);
	expect_dwarf(&a);
	SHELL("rm -r %s/cache", dir);
	key.ino++;
	a = ask(&key);
	assert_int_equal(a.source, SYMSTORE_NOTHING);
	key.ino--;
	end(stays);
	a = ask(&key);
	assert_int_equal(a.source, SYMSTORE_NOTHING);
}

static void test_mount_namespace(void **state)
{
	if (!may_follow())
		skip();
	inside(false);
}

/* Files of the cache; path and size of the last one. */
static unsigned int entries(char path[256], off_t *size)
{
	char command[256];
	unsigned int n = 0;
	struct stat st;
	FILE *f;

	snprintf(command, sizeof(command), "find %s/cache -type f", dir);
	f = popen(command, "r");
	while (fgets(path, 256, f)) {
		path[strcspn(path, "\n")] = '\0';
		n++;
	}
	pclose(f);
	if (size && n) {
		assert_int_equal(stat(path, &st), 0);
		*size = st.st_size;
	}
	return n;
}

static void damage(const char *path, unsigned int how)
{
	struct stat st;
	int fd = open(path, O_RDWR);

	assert_true(fd >= 0 && !fstat(fd, &st));
	switch (how) {
	case 0:
		assert_int_equal(ftruncate(fd, st.st_size / 3), 0);
		break;
	case 1:
		assert_int_equal(ftruncate(fd, 0), 0);
		break;
	default:
		assert_int_equal(pwrite(fd, "????", 4, 0), 4);
	}
	close(fd);
}

static void test_damaged(void **state)
{
	const struct symstore_key key = key_of(in(files, "full"), id);
	struct answer a = ask(&key);
	off_t size, again;
	unsigned int how;
	char path[256];

	expect_dwarf(&a);
	assert_int_equal(entries(path, &size), 1);
	for (how = 0; how < 3; how++) {
		damage(path, how);
		a = ask(&key);
		expect_dwarf(&a);
		assert_int_equal(entries(path, &again), 1);
		assert_int_equal(again, size);
	}
}

static void expect_no_cache(const char *place)
{
	const struct symstore_options o = { .cache = place, .note = note };
	const struct symstore_key key = key_of(in(files, "full"), id);
	struct answer a;

	notes[0] = '\0';
	a = ask_with(&key, &o);
	expect_dwarf(&a);
	assert_non_null(strstr(notes, "names are not kept"));
}

static void test_no_cache(void **state)
{
	SHELL("mkdir -m 0777 %s/open && touch %s/file", dir, dir);
	expect_no_cache(in(dir, "file/below"));
	expect_no_cache(in(dir, "file"));
	/* its names would belong to others */
	expect_no_cache(in(dir, "open"));
	expect_no_cache("/proc/nothing");
}

/* The folder can be read, but not written: for root this needs a file system. */
static void test_read_only_cache(void **state)
{
	struct answer a;
	pid_t pid;
	int status;

	if (!may_follow())
		skip();
	SHELL("mkdir %s/cache", dir);
	pid = fork();
	if (!pid) {
		const struct symstore_key key = key_of(in(files, "symtab"), id);

		if (unshare(CLONE_NEWNS) || read_only(in(dir, "cache")))
			_exit(77);
		a = ask(&key);
		_exit(a.source != SYMSTORE_SYMTAB || a.frames != 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

/* @kib of an entry that was last used @age seconds ago. */
static void put_entry(const struct gsym_cache *c, const char *name, size_t kib, time_t age)
{
	const struct timespec times[2] = { { .tv_sec = time(NULL) - age },
					   { .tv_nsec = UTIME_OMIT } };
	char path[PATH_MAX], block[1024] = { 1 };
	int fd = gsym_cache_begin(c, 1);

	assert_true(fd >= 0);
	while (kib--)
		assert_int_equal(write(fd, block, sizeof(block)), sizeof(block));
	gsym_cache_commit(c, fd, name, SYMSTORE_SYMTAB);
	close(fd);
	assert_int_equal(gsym_cache_find(c, name, path), SYMSTORE_SYMTAB);
	snprintf(path, sizeof(path), "%s.symtab.gsym", name);
	assert_int_equal(utimensat(c->dir, path, times, 0), 0);
}

/* Names that are there are used, and a message says that no new ones are kept. */
static void test_cache_of_another(void **state)
{
	struct gsym_cache c = GSYM_CACHE_INIT;
	struct diag why = { 0 };
	char path[PATH_MAX];
	int err;

	snprintf(cache, sizeof(cache), "%s/cache", dir);
	assert_int_equal(gsym_cache_open(&c, cache, 1 << 20, NULL), 0);
	put_entry(&c, "aa/1", 100, 50);
	gsym_cache_release(&c);
	SHELL("chmod 0755 %s %s/cache/aa && chmod 0555 %s/cache", dir, dir, dir);
	if (!geteuid())
		assert_int_equal(seteuid(65534), 0);
	err = gsym_cache_open(&c, cache, 1 << 20, &why);
	assert_int_equal(seteuid(getuid()), 0);
	assert_int_equal(err, -EACCES);
	assert_non_null(strstr(why.text, "/cache: Permission denied: new names are not kept"));
	assert_int_equal(gsym_cache_find(&c, "aa/1", path), SYMSTORE_SYMTAB);
	gsym_cache_release(&c);
	SHELL("chmod 0755 %s/cache", dir);
}

static void test_full(void **state)
{
	struct gsym_cache c = GSYM_CACHE_INIT;
	char path[PATH_MAX];

	snprintf(cache, sizeof(cache), "%s/cache", dir);
	assert_int_equal(gsym_cache_open(&c, cache, 300 << 10, NULL), 0);
	put_entry(&c, "aa/1", 100, 50);
	put_entry(&c, "ab/2", 100, 5000);
	put_entry(&c, "ab/3", 100, 500);
	put_entry(&c, "ac/4", 100, 10000);
	/* it was made first, and is used now */
	assert_int_equal(gsym_cache_find(&c, "ac/4", path), SYMSTORE_SYMTAB);
	gsym_cache_release(&c);
	assert_int_equal(gsym_cache_open(&c, cache, 300 << 10, NULL), 0);
	assert_int_equal(gsym_cache_find(&c, "ab/2", path), SYMSTORE_NOTHING);
	assert_int_equal(gsym_cache_find(&c, "aa/1", path), SYMSTORE_SYMTAB);
	assert_int_equal(gsym_cache_find(&c, "ab/3", path), SYMSTORE_SYMTAB);
	assert_int_equal(gsym_cache_find(&c, "ac/4", path), SYMSTORE_SYMTAB);
	gsym_cache_release(&c);
	/* a cache with size 0 is emptied, and a store works with it */
	assert_int_equal(gsym_cache_open(&c, cache, 1, NULL), 0);
	gsym_cache_release(&c);
	assert_int_equal(entries(path, NULL), 0);
}

/* If there is a better file of the same name, it is used. */
static void test_best_entry(void **state)
{
	struct gsym_cache c = GSYM_CACHE_INIT;
	char path[PATH_MAX];

	snprintf(cache, sizeof(cache), "%s/cache", dir);
	assert_int_equal(gsym_cache_open(&c, cache, 1 << 20, NULL), 0);
	put_entry(&c, "aa/1", 1, 1);
	gsym_cache_commit(&c, gsym_cache_begin(&c, 1), "aa/1", SYMSTORE_DWARF);
	assert_int_equal(gsym_cache_find(&c, "aa/1", path), SYMSTORE_DWARF);
	gsym_cache_remove(&c, "aa/1", SYMSTORE_DWARF);
	assert_int_equal(gsym_cache_find(&c, "aa/1", path), SYMSTORE_SYMTAB);
	gsym_cache_release(&c);
}

static void test_two_makers(void **state)
{
	const struct symstore_key key = key_of(in(files, "full"), id);
	unsigned int round, i;
	char path[256];
	pid_t pid[4];
	int status;

	for (round = 0; round < 5; round++) {
		for (i = 0; i < ARRAY_SIZE(pid); i++) {
			struct answer a;

			pid[i] = fork();
			if (pid[i])
				continue;
			a = ask(&key);
			_exit(a.source != SYMSTORE_DWARF || a.frames != 2 || a.line != 4 ||
			      notes[0]);
		}
		for (i = 0; i < ARRAY_SIZE(pid); i++) {
			assert_int_equal(waitpid(pid[i], &status, 0), pid[i]);
			assert_int_equal(status, 0);
		}
		assert_int_equal(entries(path, NULL), 1);
		assert_non_null(strstr(path, ".dwarf.gsym"));
		assert_int_equal(unlink(path), 0);
	}
}

/* The note names its file once. */
static void test_nothing(void **state)
{
	struct symstore_key key = key_of(in(dir, "none"), id);
	struct answer a;
	const char *said;

	SHELL("cd %s && echo 'void _start(void) { for (;;); }' >none.c && gcc -O1 -static -nostdlib "
	      "-fno-asynchronous-unwind-tables -Wl,--build-id=0x" ID " -o none none.c && strip none", dir);
	a = ask(&key);
	assert_int_equal(a.source, SYMSTORE_NOTHING);
	said = strstr(notes, key.path);
	assert_non_null(said);
	assert_non_null(strstr(said, "/none: nothing in it names a function\n"));
	assert_null(strstr(said + 1, key.path));
}

/* Files that are not ELF files, or only look like them. */
static void test_hostile(void **state)
{
	struct symstore_key key = key_of(in(dir, "text"), NULL);
	struct answer a;

	SHELL("cd %s && echo hello >text && head -c 700 %s/full >short && mkfifo pipe", dir,
	      files);
	a = ask(&key);
	assert_int_equal(a.source, SYMSTORE_NOTHING);
	key.path = in(dir, "short");
	a = ask(&key);
	assert_int_equal(a.source, SYMSTORE_NOTHING);
	assert_string_not_equal(a.reason, "");
	key.path = in(dir, "pipe");
	a = ask(&key);
	assert_int_equal(a.source, SYMSTORE_NOTHING);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_source), TEST(test_build_id), TEST(test_debug_file),
		TEST(test_wrong_debug_file), TEST(test_damaged_debug_file),
		TEST(test_debug_link), TEST(test_deleted), TEST(test_replaced),
		TEST(test_reborn), TEST(test_device),
		TEST(test_memfd), TEST(test_chroot), TEST(test_other_root), TEST(test_mount_namespace),
		TEST(test_damaged), TEST(test_no_cache), TEST(test_read_only_cache), TEST(test_cache_of_another),
		TEST(test_full), TEST(test_best_entry), TEST(test_two_makers),
		TEST(test_nothing), TEST(test_hostile),
	};

	return cmocka_run_group_tests(tests, make_all, remove_all);
}
