// SPDX-License-Identifier: GPL-2.0-only
/* The cache of sections: a read returns what was written, or nothing. */
#include "support.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "supply/cache.h"

static char dir[64];
static struct cache cache;

static const struct cache_key key = {
	.arch = 1,
	.shape = 0x1234,
	.build_id = { 0xab, 0xcd, 0xef, 0x01 },
	.build_id_len = 4,
};

#define ENTRY "ab/cdef01.sframe"
#define HEADER_LEN 96u

static int setup(void **state)
{
	strcpy(dir, "/tmp/ustack-cache-XXXXXX");
	assert_non_null(mkdtemp(dir));
	cache = (struct cache)CACHE_INIT;
	return cache_open(&cache, dir, geteuid(), getegid(), NULL);
}

static int teardown(void **state)
{
	char command[128];

	cache_release(&cache);
	snprintf(command, sizeof(command), "rm -rf %s", dir);
	return system(command);
}

/* A section of @n bytes, all of them @byte. */
static struct cache_entry entry_of(u32 n, u8 byte)
{
	struct cache_entry e = {
		.bytes = n ? malloc(n) : NULL,
		.len = n,
		.vaddr = 0x400000,
		.functions = n ? 3 : 0,
		.rows = n ? 7 : 0,
	};

	if (n)
		memset(e.bytes, byte, n);
	return e;
}

static int64_t put(const struct cache_key *k, u32 n, u8 byte)
{
	struct cache_entry e = entry_of(n, byte);
	int64_t ret = cache_put(&cache, k, &e);

	cache_entry_release(&e);
	return ret;
}

static int get(const struct cache_key *k)
{
	struct cache_entry e = CACHE_ENTRY_INIT;
	int err = cache_get(&cache, k, &e);

	cache_entry_release(&e);
	return err;
}

static void assert_holds(const struct cache_key *k, u32 n, u8 byte)
{
	struct cache_entry want = entry_of(n, byte), e = CACHE_ENTRY_INIT;

	assert_int_equal(cache_get(&cache, k, &e), 0);
	assert_int_equal(e.len, want.len);
	assert_int_equal(e.vaddr, want.vaddr);
	assert_int_equal(e.functions, want.functions);
	assert_int_equal(e.rows, want.rows);
	if (n)
		assert_memory_equal(e.bytes, want.bytes, n);
	else
		assert_null(e.bytes);
	cache_entry_release(&e);
	cache_entry_release(&want);
}

/* Changes the entry's file by @change at offset @off, to a length of @len bytes. */
static void damage(u32 off, u8 change, u32 len)
{
	int fd = openat(cache.dir, ENTRY, O_RDWR);
	u8 byte;

	assert_true(fd >= 0);
	if (change) {
		assert_int_equal(pread(fd, &byte, 1, off), 1);
		byte ^= change;
		assert_int_equal(pwrite(fd, &byte, 1, off), 1);
	}
	assert_int_equal(ftruncate(fd, len), 0);
	close(fd);
}

static void what_was_put_is_got(void **state)
{
	assert_int_equal(get(&key), -ENOENT);
	assert_int_equal(put(&key, 5000, 0x55), HEADER_LEN + 5000);
	assert_holds(&key, 5000, 0x55);
	put(&key, 17, 0x66);
	assert_holds(&key, 17, 0x66);
}

static void an_empty_entry_is_one(void **state)
{
	assert_int_equal(put(&key, 0, 0), HEADER_LEN);
	assert_holds(&key, 0, 0);
}

static void no_build_id_no_entry(void **state)
{
	struct cache_key k = key;

	k.build_id_len = 0;
	assert_int_equal(put(&k, 10, 1), -EINVAL);
	assert_int_equal(get(&k), -ENOENT);
	k.build_id_len = CACHE_MAX_BUILD_ID + 1;
	assert_int_equal(put(&k, 10, 1), -EINVAL);
	k.build_id_len = CACHE_MAX_BUILD_ID;
	assert_true(put(&k, 10, 1) > 0);
	assert_holds(&k, 10, 1);
}

static void every_torn_file_is_seen(void **state)
{
	u32 len;

	for (len = 0; len < HEADER_LEN + 40; len++) {
		put(&key, 40, 0x55);
		damage(0, 0, len);
		assert_int_equal(get(&key), -EBADMSG);
	}
	put(&key, 40, 0x55);
	damage(0, 0, HEADER_LEN + 41);
	assert_int_equal(get(&key), -EBADMSG);
}

static void every_changed_bit_is_seen(void **state)
{
	u32 bit;
	int err;

	for (bit = 0; bit < 8 * (HEADER_LEN + 40); bit++) {
		put(&key, 40, 0x55);
		damage(bit / 8, (u8)(1u << bit % 8), HEADER_LEN + 40);
		err = get(&key);
		assert_true(err == -EBADMSG || err == -ESTALE);
	}
	put(&key, 40, 0x55);
	assert_holds(&key, 40, 0x55);
}

static void another_file_of_the_build_id(void **state)
{
	struct cache_key k = key;

	put(&key, 40, 1);
	k.shape++;
	assert_int_equal(get(&k), -ESTALE);
	/* a debug file must not replace the entry of its program */
	assert_int_equal(put(&k, 0, 0), 0);
	assert_holds(&key, 40, 1);
	put(&k, 50, 2);
	assert_holds(&k, 50, 2);
	assert_int_equal(get(&key), -ESTALE);
	k.arch = 2;
	assert_int_equal(get(&k), -ESTALE);
}

/* Otherwise they would replace each other for ever. */
static void two_empty_files_of_the_build_id(void **state)
{
	struct cache_key k = key;

	put(&key, 0, 0);
	k.shape++;
	assert_int_equal(put(&k, 0, 0), 0);
	assert_holds(&key, 0, 0);
	put(&k, 50, 2);
	assert_holds(&k, 50, 2);
}

static void another_owner_of_the_file(void **state)
{
	struct cache_key user = key, other = key;

	user.owner = 1000;
	other.owner = 1001;
	put(&user, 40, 1);
	assert_holds(&user, 40, 1);
	assert_int_equal(get(&key), -ESTALE);
	assert_int_equal(get(&other), -ESTALE);
	put(&key, 40, 2);
	assert_holds(&user, 40, 2);
	/* no entry replaces that of root */
	user.shape++;
	assert_int_equal(put(&user, 40, 3), 0);
	assert_int_equal(get(&user), -ESTALE);
	assert_holds(&key, 40, 2);
}

static void odd_things_in_its_place(void **state)
{
	put(&key, 40, 1);
	unlinkat(cache.dir, ENTRY, 0);
	assert_int_equal(mkdirat(cache.dir, ENTRY, 0700), 0);
	assert_int_equal(get(&key), -EBADMSG);
	assert_true(put(&key, 40, 1) < 0);
	unlinkat(cache.dir, ENTRY, AT_REMOVEDIR);
	assert_int_equal(mkfifoat(cache.dir, ENTRY, 0600), 0);
	assert_int_equal(get(&key), -EBADMSG);
	assert_true(put(&key, 40, 1) > 0);
	unlinkat(cache.dir, ENTRY, 0);
	assert_int_equal(symlinkat("/etc/passwd", cache.dir, ENTRY), 0);
	assert_int_equal(get(&key), -EBADMSG);
	assert_true(put(&key, 40, 1) > 0);
	assert_holds(&key, 40, 1);
	/* the folder of the cache */
	unlinkat(cache.dir, ENTRY, 0);
	unlinkat(cache.dir, "ab", AT_REMOVEDIR);
	assert_int_equal(symlinkat("/tmp", cache.dir, "ab"), 0);
	assert_true(get(&key) < 0);
	assert_true(put(&key, 40, 1) < 0);
}

/* Writes the entry again and again, each time with other bytes. */
static void writer(u32 seed)
{
	u32 i;

	for (i = 0; i < 300; i++)
		if (put(&key, 1000 + seed * 3000, (u8)(seed + 1)) <= 0)
			_exit(1);
	_exit(0);
}

static void writers_and_a_reader_at_once(void **state)
{
	struct cache_entry e = CACHE_ENTRY_INIT;
	unsigned int running = 3, seen = 0;
	pid_t pids[3];
	int status;
	u32 i;

	put(&key, 1000, 1);
	for (i = 0; i < 3; i++) {
		pids[i] = fork();
		if (!pids[i])
			writer(i);
	}
	while (running) {
		/* the entry is always there and always whole */
		assert_int_equal(cache_get(&cache, &key, &e), 0);
		assert_int_equal(e.len, 1000 + (e.bytes[0] - 1u) * 3000);
		for (i = 0; i < e.len; i++)
			assert_int_equal(e.bytes[i], e.bytes[0]);
		seen++;
		cache_entry_release(&e);
		for (i = 0; i < 3; i++) {
			if (!pids[i] || waitpid(pids[i], &status, WNOHANG) <= 0)
				continue;
			assert_int_equal(status, 0);
			pids[i] = 0;
			running--;
		}
	}
	assert_true(seen > 1);
}

static void the_oldest_go_first(void **state)
{
	const struct timespec old[2] = { { .tv_sec = 1000 }, { .tv_sec = 1000 } };
	struct cache_pruned pruned;
	struct cache_key k = key;
	u8 i;

	for (i = 0; i < 10; i++) {
		k.build_id[1] = i;
		put(&k, 100000, i);
	}
	k.build_id[1] = 4;
	assert_int_equal(utimensat(cache.dir, "ab/04ef01.sframe", old, 0), 0);
	assert_int_equal(cache_prune(&cache, 10 << 20, &pruned), 0);
	assert_int_equal(pruned.entries, 10);
	assert_int_equal(pruned.removed, 0);
	assert_int_equal(cache_prune(&cache, 1000000, &pruned), 0);
	assert_true(pruned.removed >= 1);
	assert_int_equal(get(&k), -ENOENT);
	assert_int_equal(cache_prune(&cache, 1, &pruned), 0);
	assert_int_equal(cache_prune(&cache, 1, &pruned), 0);
	assert_int_equal(pruned.entries, 0);
}

/* Its digest follows the magic number: each bit of it counts. */
static void of_another_synthesizer(void **state)
{
	struct cache_key other = key;
	struct cache_pruned pruned;
	struct stat st;
	u32 bit;

	other.build_id[1] = 1;
	put(&other, 40, 2);
	for (bit = 0; bit < 64; bit++) {
		put(&key, 40, 1);
		damage(8 + bit / 8, (u8)(1u << bit % 8), HEADER_LEN + 40);
		assert_int_equal(get(&key), -ESTALE);
	}
	assert_int_equal(cache_prune(&cache, 10 << 20, &pruned), 0);
	assert_int_equal(pruned.entries, 2);
	assert_int_equal(pruned.stale, 1);
	assert_int_equal(pruned.removed, 0);
	assert_int_equal(fstatat(cache.dir, ENTRY, &st, 0), -1);
	assert_holds(&other, 40, 2);
	/* a torn entry belongs to nobody */
	put(&key, 40, 1);
	damage(0, 0, 7);
	assert_int_equal(cache_prune(&cache, 10 << 20, &pruned), 0);
	assert_int_equal(pruned.stale, 1);
	assert_int_equal(get(&key), -ENOENT);
}

/* Removes torn entries again and again, until it is killed or the test has failed. */
static void pruner(void)
{
	struct cache_pruned pruned;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (!cache_prune(&cache, 10 << 20, &pruned))
		;
	_exit(1);
}

static unsigned int files_of_subdir(void)
{
	int fd = openat(cache.dir, "ab", O_RDONLY | O_DIRECTORY);
	DIR *d = fdopendir(fd);
	unsigned int n = 0;
	struct dirent *e;

	assert_non_null(d);
	while ((e = readdir(d)))
		n += e->d_name[0] != '.' || e->d_name[1] == 'n';
	closedir(d);
	return n;
}

/* A good entry replaces a torn one that another process is removing. */
static void a_new_entry_is_not_removed(void **state)
{
	struct cache_entry e = CACHE_ENTRY_INIT;
	unsigned int i;
	time_t start;
	int err, status;
	pid_t pid;

	put(&key, 40, 1);
	pid = fork();
	assert_true(pid >= 0);
	if (!pid)
		pruner();
	for (i = 0; i < 2000; i++) {
		put(&key, 40, (u8)i);
		/* the remover may be handling it for a moment, here and below */
		start = time(NULL);
		do
			err = renameat(cache.dir, ENTRY, cache.dir, "ab/new") ? -errno : 0;
		while (err == -ENOENT && time(NULL) - start < 20);
		assert_int_equal(err, 0);
		close(openat(cache.dir, "ab/torn", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
		/* as close together as possible: between the remover's check and its removal */
		renameat(cache.dir, "ab/torn", cache.dir, ENTRY);
		renameat(cache.dir, "ab/new", cache.dir, ENTRY);
		start = time(NULL);
		do
			err = cache_get(&cache, &key, &e);
		while (err == -ENOENT && time(NULL) - start < 20);
		assert_int_equal(err, 0);
		assert_int_equal(e.bytes[0], (u8)i);
		cache_entry_release(&e);
	}
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	assert_true(files_of_subdir() <= 2);
}

static void use_is_noted(void **state)
{
	const struct timespec old[2] = { { .tv_sec = 1000 }, { .tv_sec = 1000 } };
	struct stat st;

	put(&key, 40, 1);
	assert_int_equal(utimensat(cache.dir, ENTRY, old, 0), 0);
	assert_holds(&key, 40, 1);
	assert_int_equal(fstatat(cache.dir, ENTRY, &st, 0), 0);
	assert_true(time(NULL) - st.st_mtime < 60);
}

static void a_cache_for_everybody_is_none(void **state)
{
	struct cache c = CACHE_INIT;

	assert_int_equal(fchmod(cache.dir, 0777), 0);
	assert_int_equal(cache_open(&c, dir, geteuid(), getegid(), NULL),
			 -EPERM);
	assert_int_equal(c.dir, -1);
	assert_int_equal(cache_open(&c, "/nowhere/at/all", 0, 0, NULL), -ENOENT);
}

#define CACHE_TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CACHE_TEST(what_was_put_is_got),
		CACHE_TEST(an_empty_entry_is_one),
		CACHE_TEST(no_build_id_no_entry),
		CACHE_TEST(every_torn_file_is_seen),
		CACHE_TEST(every_changed_bit_is_seen),
		CACHE_TEST(another_file_of_the_build_id),
		CACHE_TEST(two_empty_files_of_the_build_id),
		CACHE_TEST(another_owner_of_the_file),
		CACHE_TEST(odd_things_in_its_place),
		CACHE_TEST(writers_and_a_reader_at_once),
		CACHE_TEST(the_oldest_go_first),
		CACHE_TEST(of_another_synthesizer),
		CACHE_TEST(a_new_entry_is_not_removed),
		CACHE_TEST(use_is_noted),
		CACHE_TEST(a_cache_for_everybody_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
