// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names and lines from CPython's objects, read from memory that may be forged; and the places
 * of thread-specific keys.
 */
#include "forged_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "symbols/lang/cpython_code.h"
#include "symbols/lang/cpython_layout.h"
#include "symbols/lang/functions.h"
#include "symbols/lang/libc.h"
#include "symbols/lang/linetable.h"
#include "symbols/lang/process.h"

/*
 * Data of a function that python3.11 compiled; the lines of its instructions are as co_lines()
 * gives them.
 */
static const u8 table[] = {
	0x80, 0x00, 0xe0, 0x08, 0x09, 0x80, 0x41, 0xdd, 0x0d, 0x12, 0xd8, 0x0c, 0x0d, 0xf1,
	0x03, 0x01, 0x0e, 0x0f, 0xf4, 0x00, 0x01, 0x0e, 0x0f, 0xf0, 0x00, 0x08, 0x05, 0x12,
	0xf0, 0x00, 0x08, 0x05, 0x12, 0x88, 0x01, 0xf0, 0x04, 0x06, 0x09, 0x12, 0xd8, 0x0c,
	0x0d, 0x90, 0x21, 0xd8, 0x12, 0x13, 0xf1, 0x03, 0x01, 0x13, 0x14, 0xf1, 0x00, 0x01,
	0x0d, 0x15, 0x88, 0x41, 0x88, 0x41, 0xf8, 0xe5, 0x0f, 0x19, 0xf0, 0x00, 0x01, 0x09,
	0x22, 0xf0, 0x00, 0x01, 0x09, 0x22, 0xf0, 0x00, 0x01, 0x09, 0x22, 0xdd, 0x12, 0x1a,
	0xa0, 0x01, 0xd0, 0x0c, 0x21, 0xf8, 0xf8, 0xf8, 0xf8, 0xf0, 0x03, 0x01, 0x09, 0x22,
	0xf8, 0xf8, 0xf8, 0xf0, 0x05, 0x00, 0x0d, 0x0e, 0xf0, 0x0a, 0x00, 0x11, 0x12, 0x88,
	0x41, 0x88, 0x41, 0xf8, 0x90, 0x01, 0x88, 0x41, 0x88, 0x45, 0x88, 0x45, 0x88, 0x45,
	0x88, 0x45, 0xdd, 0x09, 0x0d, 0xd8, 0x0c, 0x0f, 0xf1, 0x03, 0x01, 0x0a, 0x11, 0xf4,
	0x00, 0x01, 0x0a, 0x11, 0xf0, 0x00, 0x01, 0x05, 0x2d, 0xd8, 0x14, 0x15, 0x98, 0x6e,
	0x98, 0x6e, 0xa8, 0x21, 0x98, 0x6e, 0x99, 0x6e, 0x9c, 0x6e, 0xf0, 0x03, 0x01, 0x05,
	0x2d, 0xf0, 0x00, 0x01, 0x05, 0x2d, 0xf0, 0x00, 0x01, 0x05, 0x2d, 0xf0, 0x00, 0x01,
	0x05, 0x2d, 0xf1, 0x00, 0x01, 0x05, 0x2d, 0xf4, 0x00, 0x01, 0x05, 0x2d, 0xf0, 0x00,
	0x01, 0x05, 0x2d, 0xf0, 0x00, 0x01, 0x05, 0x2d, 0xf0, 0x00, 0x01, 0x05, 0x2d, 0xf0,
	0x00, 0x01, 0x05, 0x2d, 0xf0, 0x00, 0x01, 0x05, 0x2d, 0xf0, 0x00, 0x01, 0x05, 0x2d,
	0xf8, 0xf8, 0xf8, 0xf0, 0x00, 0x01, 0x05, 0x2d, 0xf0, 0x00, 0x01, 0x05, 0x2d, 0xf0,
	0x00, 0x01, 0x05, 0x2d, 0xf0, 0x00, 0x01, 0x05, 0x2d, 0xf0, 0x70, 0x04, 0x00, 0x0c,
	0x0d, 0x88, 0x31
};

static const u32 lines[] = {
	1, 3, 3, 4, 4, 4, 4, 4, 4, 5, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 6, 7, 7, 8,
	7, 7, 7, 7, 7, 7, 0, 9, 9, 9, 9, 9, 9, 9, 9, 9, 10, 10, 10, 10, 10, 10, 10, 10,
	0, 0, 0, 0, 9, 0, 0, 0, 7, 12, 12, 12, 0, 12, 12, 12, 12, 12, 12, 13, 13, 13, 13, 13,
	13, 14, 13, 13, 13, 13, 13, 13, 13, 13, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 13, 13,
	13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 0, 0, 0, 13, 13, 13, 13, 165, 165
};

static void lines_are_cpythons(void **state)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(lines); i++)
		assert_int_equal(linetable_line(table, sizeof(table), 1, (int64_t)i), lines[i]);
	assert_int_equal(linetable_line(table, sizeof(table), 1, -1), 1);
	assert_int_equal(linetable_line(table, sizeof(table), 1, ARRAY_SIZE(lines)), 0);
	assert_int_equal(linetable_line(table, 0, 7, 0), 0);
}

static void damaged_tables_have_no_lines(void **state)
{
	static const u8 no_end[] = { 0xe8, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f };
	static const u8 cut[] = { 0xe8, 0x41 };
	static const u8 no_entry[] = { 0x08, 0x00 };
	static const u8 below_one[] = { 0xe8, 0x3f };	/* -31 */

	assert_int_equal(linetable_line(no_end, sizeof(no_end), 1, 0), 0);
	assert_int_equal(linetable_line(cut, sizeof(cut), 1, 0), 0);
	assert_int_equal(linetable_line(no_entry, sizeof(no_entry), 1, 0), 0);
	assert_int_equal(linetable_line(below_one, sizeof(below_one), 1, 0), 0);
	assert_int_equal(linetable_line(below_one, sizeof(below_one), 40, 0), 9);
}

#define CODE BASE
#define TYPE 0x4242424242424242ull
#define NAME (BASE + 0x200)
#define FILE_NAME (BASE + 0x400)
#define TABLE (BASE + 0x600)

/*
 * A str with characters of @size bytes: 1 means only ASCII, 11 means other characters of one
 * byte.
 */
static void put_text(struct forged *m, u64 addr, const void *text, u64 len, unsigned int size)
{
	bool ascii = size == 1;

	size = size == 11 ? 1 : size;
	put(m, addr + 16, len, 8);
	put(m, addr + 32, size << 2 | 1 << 5 | ascii << 6, 4);
	memcpy(m->bytes + (addr - BASE) + (ascii ? 48 : 72), text, len * size);
}

static struct lang_cpython layout(void)
{
	struct cpython_file f = { .version = 0x030b02f0 };
	struct lang_elf e = { .head = { .arch = &ustack_arch_x86_64 } };

	assert_null(cpython_layout(&e, 0, &f));
	f.layout.code_type = TYPE;
	return f.layout;
}

static struct forged *forged(void)
{
	struct forged *m = calloc(1, sizeof(*m));

	put(m, CODE + 8, TYPE, 8);
	put(m, CODE + 16, 120, 8);
	put(m, CODE + 72, 1, 4);
	put(m, CODE + 112, FILE_NAME, 8);
	put(m, CODE + 128, NAME, 8);
	put(m, CODE + 136, TABLE, 8);
	put_text(m, NAME, "outer.<locals>.f", 16, 1);
	put_text(m, FILE_NAME, "/srv/a.py", 9, 1);
	put(m, TABLE + 16, sizeof(table), 8);
	memcpy(&m->bytes[TABLE - BASE + 32], table, sizeof(table));
	return m;
}

static u32 cookie_of(struct forged *m)
{
	struct lang_cpython d = layout();
	struct lang_cpython_print p = { 0 };

	memcpy(p.code, &m->bytes[CODE - BASE], LANG_CODE_BYTES);
	memcpy(p.text, &m->bytes[NAME - BASE + LANG_TEXT_AT], sizeof(p.text));
	memcpy(p.table, &m->bytes[TABLE - BASE + LANG_TEXT_AT], sizeof(p.table));
	if (lang_text_has_tail(&d, p.text))
		memcpy(p.tail, &m->bytes[NAME - BASE + lang_text_data(&d, p.text) +
					 lang_text_bytes(p.text) - sizeof(p.tail)], sizeof(p.tail));
	return lang_cpython_cookie(&d, &p);
}

static enum cpython_code_state read_code(struct forged *m, u64 addr, u32 cookie,
					 struct cpython_code *ret)
{
	const struct lang_memory memory = { read_image, m };
	struct lang_cpython d = layout();

	return cpython_code_read(&memory, &d, addr, cookie, ret);
}

static void functions_are_read(void **state)
{
	struct forged *m = forged();
	struct cpython_code c;

	assert_int_equal(read_code(m, CODE, cookie_of(m), &c), CPYTHON_CODE_READ);
	assert_string_equal(c.name, "outer.<locals>.f");
	assert_string_equal(c.file, "/srv/a.py");
	assert_int_equal(c.first_line, 1);
	assert_int_equal(c.table_len, sizeof(table));
	assert_memory_equal(c.table, table, sizeof(table));
	free(c.table);
	free(m);
}

static void another_function_is_stale(void **state)
{
	static const struct { u64 at; u64 value; } changes[] = {
		{ CODE + 8, 1 }, { CODE + 16, 121 }, { CODE + 72, 2 }, { CODE + 112, NAME },
		{ NAME + 48, 0x6f75746572312e66 }, { NAME + 16, 15 }, { TABLE + 32, 0x1234 },
		{ TABLE + 136, 0x77 }, { TABLE + 16, 13 },
	};
	struct cpython_code c;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(changes); i++) {
		struct forged *m = forged();
		u32 cookie = cookie_of(m);

		put(m, changes[i].at, changes[i].value, 8);
		assert_int_equal(read_code(m, CODE, cookie, &c), CPYTHON_CODE_STALE);
		assert_null(c.table);
		free(m);
	}
}

static void what_lies_behind_a_name_does_not_count(void **state)
{
	struct forged *m = forged();
	u32 cookie;

	put(m, NAME + 16, 3, 8);
	put(m, TABLE + 16, 5, 8);
	cookie = cookie_of(m);
	m->bytes[NAME - BASE + 48 + 3]++;
	m->bytes[TABLE - BASE + 32 + 5]++;
	put(m, NAME + 24, 77, 8);	/* a hash is computed when it is first wanted */
	assert_int_equal(cookie_of(m), cookie);
	m->bytes[NAME - BASE + 48 + 2]++;
	assert_int_not_equal(cookie_of(m), cookie);
	free(m);
}

static void the_end_of_a_long_name_counts(void **state)
{
	char name[300];
	struct forged *m = forged();
	u32 cookie;

	memset(name, 'x', sizeof(name));
	put_text(m, NAME, name, sizeof(name), 1);
	cookie = cookie_of(m);
	m->bytes[NAME - BASE + 48 + sizeof(name) - 1]++;
	assert_int_not_equal(cookie_of(m), cookie);
	free(m);
}

static void what_is_gone_is_unreadable(void **state)
{
	struct forged *m = forged();
	struct cpython_code c;

	assert_int_equal(read_code(m, 0, 0, &c), CPYTHON_CODE_UNREADABLE);
	assert_int_equal(read_code(m, ~0ull - 8, 0, &c), CPYTHON_CODE_UNREADABLE);
	put(m, CODE + 136, 0xdead0000, 8);
	assert_int_equal(read_code(m, CODE, cookie_of(m), &c), CPYTHON_CODE_STALE);
	free(m);
}

/* A place for a long name */
#define LONG_NAME (BASE + 0x1000)

static int text_at(struct forged *m, u64 name, char *ret)
{
	const struct cpython_objects from = { name, FILE_NAME, TABLE };
	const struct cpython_strings s = { 48, 72 };
	const struct lang_memory memory = { read_image, m };
	char file[CPYTHON_TEXT_BYTES];
	struct cpython_texts texts = { .name = ret, .file = file };
	bool whole = cpython_texts(&memory, &s, &from, &texts);

	free(texts.table);
	return whole ? (int)strlen(ret) : -1;
}

static int text(struct forged *m, char *ret)
{
	return text_at(m, NAME, ret);
}

static void texts_are_utf8_without_controls(void **state)
{
	static const uint16_t two[] = { 'g', 0x540d, 0xd800, 0x9f, 0x7f };
	static const uint32_t four[] = { 0x1f600, 0x110000, '\n' };
	char ret[CPYTHON_TEXT_BYTES], many[2000];
	struct forged *m = forged();

	put_text(m, NAME, "a\x1b[31m\\\n", 8, 1);
	text(m, ret);
	assert_string_equal(ret, "a\\033[31m\\134\\012");
	put_text(m, NAME, "gr\xf6\xdf" "e\x85", 6, 11);
	text(m, ret);
	assert_string_equal(ret, "gr\xc3\xb6\xc3\x9f" "e\\205");
	put_text(m, NAME, two, 5, 2);
	text(m, ret);
	assert_string_equal(ret, "g\xe5\x90\x8d\xef\xbf\xbd\\237\\177");
	put_text(m, NAME, four, 3, 4);
	text(m, ret);
	assert_string_equal(ret, "\xf0\x9f\x98\x80\xef\xbf\xbd\\012");
	memset(many, 1, sizeof(many));
	put_text(m, LONG_NAME, many, sizeof(many), 1);
	assert_int_equal(text_at(m, LONG_NAME, ret), 4 * CPYTHON_TEXT + 3);
	free(m);
}

static void forged_lengths_are_refused(void **state)
{
	struct forged *m = forged();
	char ret[CPYTHON_TEXT_BYTES];

	put(m, NAME + 16, ~0ull, 8);
	assert_int_equal(text(m, ret), -1);
	put(m, NAME + 16, 1ull << 32, 8);	/* 4 GB, of which only the beginning is read */
	assert_in_range(text(m, ret), CPYTHON_TEXT, CPYTHON_TEXT_BYTES - 1);
	put(m, NAME + 16, 3, 8);
	put(m, NAME + 32, 7 << 2 | 1 << 5, 4);	/* characters of 7 bytes */
	assert_int_equal(text(m, ret), -1);
	put(m, NAME + 32, 1 << 2, 4);		/* elsewhere */
	assert_int_equal(text(m, ret), -1);
	put_text(m, NAME, "f", 1, 1);
	assert_int_equal(text(m, ret), 1);
	put(m, TABLE + 16, 1ull << 32, 8);
	assert_int_equal(text(m, ret), -1);
	put(m, TABLE + 16, ~0ull, 8);
	assert_int_equal(text(m, ret), -1);
	put(m, TABLE + 16, CPYTHON_MAX_TABLE, 8);	/* larger than the memory */
	assert_int_equal(text(m, ret), -1);
	free(m);
}

static void functions_are_found_by_process_and_words(void **state)
{
	struct lang_function f = { .process = 1, .pointer = 0x1000, .cookie = 7 };
	struct lang_functions all;
	u32 n, other;

	assert_int_equal(lang_functions_init(&all), 0);
	n = lang_functions_add(&all, &f, "f", "a.py");
	f.cookie = 8;
	assert_int_equal(lang_functions_find(&all, 1, 0x1000, 8, 0), 0);
	other = lang_functions_add(&all, &f, "g", "a.py");
	assert_int_equal(lang_functions_find(&all, 1, 0x1000, 7, 0), n);
	assert_int_equal(lang_functions_find(&all, 1, 0x1000, 8, 0), other);
	assert_int_equal(lang_functions_find(&all, 2, 0x1000, 7, 0), 0);
	assert_int_equal(all.function[n].file, all.function[other].file);
	assert_int_equal(lang_functions_clear(&all), 0);
	assert_int_equal(lang_functions_find(&all, 1, 0x1000, 7, 0), 0);
	lang_functions_release(&all);
}

/* Each thread's value for the key in this program. */
static __thread char of_thread[64];

static void *block_of_thread(void *libc)
{
	char *vector = *(char **)((char *)__builtin_thread_pointer() + ((struct lang_libc *)libc)->dtv);
	char *block = *(char **)(vector + LANG_DTV_ENTRY);

	assert_true(of_thread >= block && of_thread < block + 4096);
	return block;
}

/* The program is the first module. */
static void modules_are_where_libc_says(struct lang_libc *libc)
{
	pthread_t thread;
	void *other;

	assert_true(libc->has_dtv);
	assert_int_equal(pthread_create(&thread, NULL, block_of_thread, libc), 0);
	assert_int_equal(pthread_join(thread, &other), 0);
	assert_ptr_not_equal(other, block_of_thread(libc));
}

/*
 * The C library that this test runs with says where it keeps keys. The test creates so many
 * that one is not among the first 32.
 */
static void keys_are_where_libc_says(void **state)
{
	char *thread = __builtin_thread_pointer();
	struct lang_elf e = LANG_ELF_INIT;
	struct file file = FILE_INIT;
	char path[4096], line[4096];
	struct lang_libc libc;
	pthread_key_t key[40];
	struct lang_tsd tsd;
	bool found = false;
	size_t i;
	FILE *f = fopen("/proc/self/maps", "re");

	while (!found && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%*s %*s %*s %*s %*s %4095s", path) != 1 || path[0] != '/' ||
		    file_open(&file, path, NULL))
			continue;
		found = lang_elf_open(&e, &file) && lang_libc_read(&e, &libc);
		lang_elf_release(&e);
		file_release(&file);
		file = (struct file)FILE_INIT;
	}
	fclose(f);
	assert_true(found);
	modules_are_where_libc_says(&libc);
	for (i = 0; i < ARRAY_SIZE(key); i++) {
		assert_int_equal(pthread_key_create(&key[i], NULL), 0);
		pthread_setspecific(key[i], (void *)(0x1000 + i));
		assert_true(lang_libc_key(&libc, key[i], &tsd));
		assert_int_equal(*(u64 *)(*(char **)(thread + tsd.block) + tsd.value), 0x1000 + i);
		assert_int_equal((u64)thread + (u64)tsd.self, (u64)pthread_self());
	}
	assert_false(lang_libc_key(&libc, 1024, &tsd));
	for (i = 0; i < ARRAY_SIZE(key); i++)
		pthread_key_delete(key[i]);
}

static void a_process_without_a_runtime_has_none(void **state)
{
	struct lang_files *files = lang_files_new();
	struct lang_process p;

	lang_process_look(files, (u32)getpid(), &p);
	assert_int_equal(p.kind, LANG_NONE);
	assert_null(p.why);
	assert_int_equal(p.mem.fd, -1);
	lang_process_look(files, 0x7ffffff0, &p);
	assert_int_equal(p.kind, LANG_NONE);
	assert_non_null(p.why);
	lang_files_free(files);
}

/*
 * A process may map a device, whose driver does something when the device is opened. Here it is
 * one of /dev/zero's number, watched for being opened.
 */
static void a_mapped_device_is_not_opened(void **state)
{
	char path[] = "/tmp/ustack-test-XXXXXX", event[256];
	struct lang_files *files = lang_files_new();
	int watch = inotify_init1(IN_NONBLOCK), fd;
	struct lang_process p;
	void *at;

	assert_int_equal(close(mkstemp(path)), 0);
	unlink(path);
	fd = mknod(path, S_IFCHR | 0600, makedev(1, 5)) ? -1 : open(path, O_RDWR);
	at = fd < 0 ? MAP_FAILED : mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	if (at == MAP_FAILED) {
		unlink(path);
		print_message("no device can be made here\n");
		skip();
	}
	assert_true(inotify_add_watch(watch, path, IN_OPEN) > 0);
	lang_process_look(files, (u32)getpid(), &p);
	assert_int_equal(read(watch, event, sizeof(event)), -1);
	assert_int_equal(errno, EAGAIN);
	/* the watch works */
	close(open(path, O_RDONLY));
	assert_true(read(watch, event, sizeof(event)) > 0);
	munmap(at, 4096);
	close(fd);
	close(watch);
	unlink(path);
	lang_files_free(files);
}

/* The debug offsets of 3.13.5, from byte 16 on: the words that are used. */
static void describe(u64 *word)
{
	static const struct { u8 at; u8 value; } of[] = {
		{ 21, 72 }, { 22, 152 }, { 27, 8 }, { 28, 0 }, { 29, 56 }, { 31, 70 }, { 33, 112 },
		{ 35, 128 }, { 36, 136 }, { 37, 68 }, { 41, 200 }, { 66, 32 }, { 67, 16 }, { 68, 40 },
	};
	size_t i;

	memset(word, 0, 80 * sizeof(*word));
	memcpy(word, "xdebugpy", 8);
	word[1] = 0x030d05f0;
	for (i = 0; i < ARRAY_SIZE(of); i++)
		word[2 + of[i].at] = of[i].value;
}

static const char *layout_of(const u64 *word, struct cpython_file *ret)
{
	struct file file = { .path = "described", .size = 80 * sizeof(*word) };
	struct lang_elf e = { .file = &file, .head = { .nr_segments = 1 } };
	const char *why;

	file.fd = memfd_create("described", MFD_CLOEXEC);
	assert_int_equal(write(file.fd, word, file.size), file.size);
	e.head.segments[0].filesz = file.size;
	*ret = (struct cpython_file){ .version = 0x030d05f0 };
	why = cpython_layout(&e, 0, ret);
	close(file.fd);
	return why;
}

/* As the code of PyGILState_GetThisThreadState() in Debian's packages has it. */
static void the_key_of_older_versions_is_found(void **state)
{
	static const struct {
		const struct ustack_arch *arch;
		u32 version;
		u32 autotss;
	} known[] = {
		{ &ustack_arch_x86_64, 0x030b02f0, 592 }, { &ustack_arch_aarch64, 0x030b02f0, 608 },
		{ &ustack_arch_x86_64, 0x030c01f0, 1544 }, { &ustack_arch_aarch64, 0x030c01f0, 1544 },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(known); i++) {
		struct lang_elf e = { .head = { .arch = known[i].arch } };
		struct cpython_file f = { .version = known[i].version };

		assert_null(cpython_layout(&e, 0, &f));
		assert_int_equal(f.autotss, known[i].autotss);
	}
}

static void newer_versions_describe_themselves(void **state)
{
	struct cpython_file f;
	u64 word[80];

	describe(word);
	assert_null(layout_of(word, &f));
	assert_int_equal(f.layout.tstate_frame, 72);
	assert_int_equal(f.layout.tstate_thread, 152);
	assert_int_equal(f.layout.frame_owner, 70);
	assert_int_equal(f.layout.code_bytecode, 200);
	assert_int_equal(f.layout.str_ascii, 40);
	assert_int_equal(f.layout.str_other, 56);
	assert_false(f.layout.cframes || f.layout.frame_entry);
	word[2] = 1;
	assert_string_equal(layout_of(word, &f), "it is a free-threaded build");
	describe(word);
	word[0]++;
	assert_non_null(layout_of(word, &f));
	describe(word);
	word[1]++;
	assert_non_null(layout_of(word, &f));
}

static void wild_descriptions_are_refused(void **state)
{
	static const u8 used[] = { 21, 22, 27, 28, 29, 31, 33, 35, 36, 37, 41, 66, 67, 68 };
	struct cpython_file f;
	u64 word[80];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(used); i++) {
		describe(word);
		word[2 + used[i]] = 5000;
		assert_non_null(layout_of(word, &f));
		word[2 + used[i]] = ~0ull;
		assert_non_null(layout_of(word, &f));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_cpythons),
		cmocka_unit_test(damaged_tables_have_no_lines),
		cmocka_unit_test(functions_are_read),
		cmocka_unit_test(another_function_is_stale),
		cmocka_unit_test(what_lies_behind_a_name_does_not_count),
		cmocka_unit_test(the_end_of_a_long_name_counts),
		cmocka_unit_test(what_is_gone_is_unreadable),
		cmocka_unit_test(texts_are_utf8_without_controls),
		cmocka_unit_test(forged_lengths_are_refused),
		cmocka_unit_test(functions_are_found_by_process_and_words),
		cmocka_unit_test(the_key_of_older_versions_is_found),
		cmocka_unit_test(newer_versions_describe_themselves),
		cmocka_unit_test(wild_descriptions_are_refused),
		cmocka_unit_test(keys_are_where_libc_says),
		cmocka_unit_test(a_process_without_a_runtime_has_none),
		cmocka_unit_test(a_mapped_device_is_not_opened),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
