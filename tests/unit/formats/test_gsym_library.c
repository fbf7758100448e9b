// SPDX-License-Identifier: GPL-2.0-only
/* The functions of libgsym: answers for samples, and errors for damaged files. */
#include "support.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/gsym/format.h"
#include "formats/gsym/gsym.h"
#include "formats/gsym/reader.h"

#define SAMPLES "tests/golden/gsym/"

static const char *const samples[] = {
	SAMPLES "g14.gsym", SAMPLES "g23v2.gsym", SAMPLES "prototype.gsym", SAMPLES "elf.o",
};

/* The contents of an error before a call. A call that succeeds does not change it. */
static const struct gsym_error untouched = {
	.code = 77, .offset = 78, .file = "no file", .reason = "no reason",
};

static struct gsym_reader *sample(const char *path)
{
	struct gsym_error error = untouched;
	struct gsym_reader *r = NULL;

	if (gsym_reader_open(path, &r, &error))
		fail_msg("%s: %s", path, error.reason);
	assert_memory_equal(&error, &untouched, sizeof(error));
	return r;
}

/* The bytes of a sample, to be damaged; the caller frees them. */
static struct bytes copy_of(const char *path)
{
	struct bytes b = { 0 };

	bytes_read_file(path, &b);
	return b;
}

static struct gsym_reader *open_bytes(const struct bytes *b)
{
	struct gsym_error error = untouched;
	struct gsym_reader *r = NULL;

	if (gsym_reader_open_memory(b->p, b->len, "memory", &r, &error))
		fail_msg("%s", error.reason);
	return r;
}

static void is_frame(const struct gsym_frame *f, const char *function, uint64_t offset, uint32_t line,
		     bool inlined)
{
	assert_string_equal(f->function, function);
	assert_string_equal(f->file, line ? "g.c" : "");
	assert_int_equal(f->line, line);
	assert_int_equal(f->offset, offset);
	assert_int_equal(f->inlined, inlined);
}

static void lookups(void **state)
{
	struct gsym_error error = untouched;
	struct gsym_frame f[3];
	struct gsym_reader *r;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(samples); i++) {
		r = sample(samples[i]);
		assert_int_equal(gsym_reader_lookup(r, 0x401131, f, 3, &error), 3);
		is_frame(&f[0], "inner", 0, 3, true);
		is_frame(&f[1], "outer", 0, 6, true);
		is_frame(&f[2], "foo", 1, 10, false);
		assert_string_equal(f[0].dir, "/src/gsym/example");
		assert_int_equal(gsym_reader_lookup(r, 0x40103f, f, 3, &error), 1);
		is_frame(&f[0], "_init", 63, 0, false);
		assert_int_equal(gsym_reader_lookup(r, 0x40114c, f, 3, &error), 0);
		assert_int_equal(gsym_reader_lookup(r, 0, f, 3, NULL), 0);
		assert_memory_equal(&error, &untouched, sizeof(error));
		gsym_reader_close(r);
	}
}

/* If there is no room, outer frames are counted but not written. */
static void room(void **state)
{
	struct gsym_reader *r = sample(samples[0]);
	struct gsym_frame f[2];

	memset(f, 0x5a, sizeof(f));
	assert_int_equal(gsym_reader_lookup(r, 0x401131, f, 1, NULL), 3);
	is_frame(&f[0], "inner", 0, 3, true);
	assert_int_equal(f[1].line, 0x5a5a5a5a);
	assert_int_equal(gsym_reader_lookup(r, 0x401131, NULL, 0, NULL), 3);
	gsym_reader_close(r);
}

static void symbols(void **state)
{
	struct gsym_error error = untouched;
	struct gsym_symbol s, at;
	struct gsym_reader *r;
	uint64_t last = 0;
	uint32_t i, nr;

	r = sample(samples[0]);
	nr = gsym_reader_nr_symbols(r);
	assert_int_equal(nr, 10);
	for (i = 0; i < nr; i++) {
		assert_int_equal(gsym_reader_symbol(r, i, &s, &error), 0);
		assert_true(s.start >= last && s.name[0]);
		last = s.start;
	}
	assert_int_equal(gsym_reader_symbol_at(r, 0x401144, &at, &error), 1);
	assert_string_equal(at.name, "foo");
	assert_int_equal(at.start, 0x401130);
	assert_int_equal(at.size, 0x1c);
	assert_int_equal(gsym_reader_symbol_at(r, 0x40114c, &at, &error), 0);
	assert_memory_equal(&error, &untouched, sizeof(error));

	assert_int_equal(gsym_reader_symbol(r, nr, &s, &error), -EINVAL);
	assert_int_equal(error.code, EINVAL);
	assert_int_equal(error.offset, GSYM_NO_OFFSET);
	assert_string_equal(error.file, samples[0]);
	assert_string_equal(error.reason, "there is no function 10: the file has 10");
	assert_int_equal(gsym_reader_symbol(r, UINT32_MAX, &s, NULL), -EINVAL);
	gsym_reader_close(r);
}

static void uuids(void **state)
{
	struct gsym_info info;
	struct gsym_reader *r;
	struct gsym *g = NULL;
	const uint8_t *uuid;
	size_t i, size;

	for (i = 0; i < ARRAY_SIZE(samples); i++) {
		r = sample(samples[i]);
		assert_int_equal(gsym_open(samples[i], &g, NULL), 0);
		gsym_identify(g, &info);
		uuid = gsym_reader_uuid(r, &size);
		assert_int_equal(size, info.layout == GSYM_PROTOTYPE ? 0 : 20);
		assert_non_null(uuid);
		assert_memory_equal(uuid, info.uuid, size);
		gsym_close(g);
		gsym_reader_close(r);
	}
}

/* usage: refused(PATH, ERR, TEXT) */
static void refused(const char *path, int err, const char *reason)
{
	struct gsym_reader *r = (void *)1;
	struct gsym_error error = untouched;

	assert_int_equal(gsym_reader_open(path, &r, &error), -err);
	assert_ptr_equal(r, (void *)1);
	assert_int_equal(error.code, err);
	assert_string_equal(error.file, path);
	assert_string_equal(error.reason, reason);
	assert_int_equal(error.offset, err == EBADMSG && strcmp(reason, "an empty file") ? 0 : GSYM_NO_OFFSET);
	assert_int_equal(gsym_reader_open(path, &r, NULL), -err);
}

static void not_opened(void **state)
{
	char dir[] = "/tmp/libgsym.XXXXXX", path[64];

	refused("/nonexistent", ENOENT, strerror(ENOENT));
	refused("/", EINVAL, "not a regular file");
	refused("/dev/null", EINVAL, "not a regular file");
	/*
	 * a path is always a path: this one means standard input only to commands of the
	 * program
	 */
	refused("-", ENOENT, strerror(ENOENT));
	refused("tests/unit/formats/test_gsym_library.c", EBADMSG, "not a GSYM file: wrong magic number");

	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/fifo", dir);
	assert_int_equal(mkfifo(path, 0600), 0);
	refused(path, EINVAL, "not a regular file");
	unlink(path);
	snprintf(path, sizeof(path), "%s/empty", dir);
	fclose(fopen(path, "w"));
	refused(path, EBADMSG, "an empty file");
	unlink(path);
	rmdir(dir);
	gsym_reader_close(NULL);
}

/* A path of any length: its first bytes are in the error. */
static void long_names(void **state)
{
	struct bytes b = { .p = (uint8_t *)"nothing", .len = 7 };
	struct gsym_error error = untouched;
	struct gsym_reader *r = NULL;
	char name[1000];

	memset(name, 'n', sizeof(name) - 1);
	name[sizeof(name) - 1] = 0;
	assert_int_equal(gsym_reader_open_memory(b.p, b.len, name, &r, &error), -EBADMSG);
	assert_int_equal(strlen(error.file), sizeof(error.file) - 1);
	assert_string_equal(error.reason, "too short for a GSYM file");
	assert_int_equal(gsym_reader_open_memory(NULL, 0, "", &r, &error), -EBADMSG);
	assert_int_equal(error.offset, 0);
}

/* usage: damaged(BYTES, OFFSET, REASON): checks the error of a lookup in foo */
static void damaged(const struct bytes *b, uint64_t offset, const char *reason)
{
	struct gsym_error error = untouched;
	struct gsym_reader *r = open_bytes(b);
	struct gsym_frame f[3];

	assert_int_equal(gsym_reader_lookup(r, 0x401131, f, 3, &error), -EBADMSG);
	assert_int_equal(error.code, EBADMSG);
	assert_string_equal(error.file, "memory");
	assert_string_equal(error.reason, reason);
	assert_int_equal(error.offset, offset);
	assert_int_equal(gsym_reader_lookup(r, 0x401131, f, 3, NULL), -EBADMSG);
	gsym_reader_close(r);
}

/* The offset of foo's information in the file, and the number of foo. */
static void find_foo(const char *path, struct gsym_function *ret, uint32_t *index)
{
	struct gsym *g = NULL;

	assert_int_equal(gsym_open(path, &g, NULL), 0);
	for (*index = 0; !gsym_function(g, *index, ret) && ret->start != 0x401130; )
		++*index;
	gsym_close(g);
}

static void damaged_functions(void **state)
{
	static const char *const paths[] = { SAMPLES "g14.gsym", SAMPLES "elf.o" };
	struct gsym_error error = untouched;
	struct gsym_function foo;
	struct gsym_symbol s;
	struct gsym_reader *r;
	struct gsym_info info;
	struct gsym *g = NULL;
	char reason[64];
	struct bytes b;
	uint32_t index;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(paths); i++) {
		find_foo(paths[i], &foo, &index);
		assert_int_equal(gsym_open(paths[i], &g, NULL), 0);
		gsym_identify(g, &info);
		gsym_close(g);
		b = copy_of(paths[i]);
		foo.at += info.section;
		/* size and name, type and length, then the table: without a last opcode */
		memset(b.p + foo.at + 16, 0xff, 2);
		damaged(&b, foo.at + 16, "foo: damaged line table");
		/* its name in the string table, with a control character */
		memcpy(b.p + foo.at + 4, "\0\0\0\0", 4);
		snprintf(reason, sizeof(reason), "the entry of function %u is damaged", index);
		damaged(&b, foo.at, reason);

		r = open_bytes(&b);
		assert_int_equal(gsym_reader_symbol(r, index, &s, &error), -EBADMSG);
		assert_string_equal(error.reason, reason);
		assert_int_equal(error.offset, foo.at);
		assert_int_equal(gsym_reader_symbol(r, index, &s, NULL), -EBADMSG);
		assert_int_equal(gsym_reader_symbol_at(r, 0x401131, &s, &error), -EBADMSG);
		/* the other functions are unchanged */
		assert_int_equal(gsym_reader_symbol(r, index - 1, &s, &error), 0);
		assert_int_equal(gsym_reader_symbol_at(r, 0x40103f, &s, &error), 1);
		gsym_reader_close(r);
		free(b.p);
	}
}

#define BASE 0x1000
#define NR 5

/* Where the parts of file_of() are, in words. */
#define INFOS (7 + NR)
#define FUNCTIONS (INFOS + NR + 2)
#define FUNCTION(i) (FUNCTIONS + 3 * (i))

/*
 * A file of the prototype's layout. Each function has 16 bytes, but four if the next one starts
 * at the same address.
 */
static struct bytes file_of(const uint32_t starts[NR])
{
	const uint32_t head[] = {
		GSYM_MAGIC, 1 | 4 << 16, BASE, 0, NR, 4 * (INFOS + NR + 1), 4,
	};
	uint32_t words[FUNCTION(NR)] = { 0 }, i;
	struct bytes b = { 0 };

	memcpy(words, head, sizeof(head));
	memcpy(words + INFOS + NR + 1, "\0ab", 4);
	for (i = 0; i < NR; i++) {
		words[7 + i] = starts[i];
		words[INFOS + i] = 4 * FUNCTION(i);
		words[FUNCTION(i)] = i + 1 < NR && starts[i + 1] == starts[i] ? 4 : 16;
		words[FUNCTION(i) + 1] = 1;
	}
	bytes_put(&b, words, sizeof(words));
	return b;
}

/* Checks which function is said to be damaged when @address is looked up, and its place. */
static void is_blamed(const struct gsym_reader *r, uint64_t address, uint32_t index, uint64_t offset)
{
	struct gsym_error error = untouched;
	struct gsym_symbol s;
	char reason[64];

	snprintf(reason, sizeof(reason), "the entry of function %u is damaged", index);
	assert_int_equal(gsym_reader_lookup(r, address, NULL, 0, &error), -EBADMSG);
	assert_string_equal(error.reason, reason);
	assert_int_equal(error.offset, offset);
	error = untouched;
	assert_int_equal(gsym_reader_symbol_at(r, address, &s, &error), -EBADMSG);
	assert_string_equal(error.reason, reason);
	assert_int_equal(error.code, EBADMSG);
}

/* The damaged function is named, and not another one that was read before it. */
static void which_is_damaged(void **state)
{
	static const uint32_t starts[][NR] = {
		{ 0x10, 0x20, 0x20, 0x20, 0x40 }, { 0x10, 0x20, 0x20, 0x20, 0x20 },
		{ 0x20, 0x20, 0x20, 0x20, 0x20 },
	};
	struct gsym_reader *r;
	uint32_t i, k;
	struct bytes b;

	for (k = 0; k < ARRAY_SIZE(starts); k++)
		for (i = 0; i < NR; i++) {
			b = file_of(starts[k]);
			r = open_bytes(&b);
			assert_int_equal(gsym_reader_lookup(r, BASE + starts[k][i] + 8, NULL, 0, NULL), 1);
			gsym_reader_close(r);
			/* without a name */
			memset(b.p + 4 * FUNCTION(i) + 4, 0, 4);
			r = open_bytes(&b);
			is_blamed(r, BASE + starts[k][i] + 8, i, 4 * FUNCTION(i));
			gsym_reader_close(r);
			free(b.p);
		}
}

/* Offset and size of a part of a file of version 2. */
static void find_part(const struct bytes *b, uint32_t type, uint64_t part[2])
{
	const uint8_t *p = b->p + GSYM_HEADER_LLVM_2;
	uint32_t got;

	do {
		memcpy(&got, p, sizeof(got));
		memcpy(part, p + sizeof(got), 2 * sizeof(*part));
		p += GSYM_GLOBAL_SIZE;
	} while (got != type);
}

/* If no function can be where the table says, the place is that of the table's entry. */
static void no_place_for_a_function(void **state)
{
	struct bytes b = copy_of(SAMPLES "g23v2.gsym");
	uint64_t infos[2], functions[2], end, at;
	struct gsym_function foo;
	struct gsym_reader *r;
	uint32_t index;

	find_foo(SAMPLES "g23v2.gsym", &foo, &index);
	find_part(&b, GSYM_GLOBAL_INFO_OFFSETS, infos);
	find_part(&b, GSYM_GLOBAL_FUNCTIONS, functions);
	at = infos[0] + 8 * (uint64_t)index;
	for (end = functions[1] - 1; end <= functions[1] + 1; end++) {
		memcpy(b.p + at, &end, 8);
		r = open_bytes(&b);
		is_blamed(r, 0x401131, index, end < functions[1] ? functions[0] + end : at);
		gsym_reader_close(r);
	}
	free(b.p);
}

/* A program that has closed its standard input gets 0 as a descriptor. */
static void descriptor_0(void **state)
{
	int in = dup(0);

	assert_true(in > 0);
	close(0);
	gsym_reader_close(sample(samples[0]));
	dup2(in, 0);
	close(in);
}

/* The name of a damaged function is in the reason, without control characters. */
static void names_in_reasons(void **state)
{
	struct bytes b = copy_of(samples[0]);
	struct gsym_function foo;
	uint32_t index;
	uint8_t *name;

	find_foo(samples[0], &foo, &index);
	name = memmem(b.p, b.len, "\0foo", 5);
	assert_non_null(name);
	memcpy(name + 1, "\033\177\n", 3);
	memset(b.p + foo.at + 16, 0xff, 2);
	damaged(&b, foo.at + 16, "???: damaged line table");
	free(b.p);
}

#define THREADS 4
#define LOOKUPS 20000

static void *look_up(void *arg)
{
	const struct gsym_reader *r = arg;
	struct gsym_frame f[3];
	struct gsym_error error;
	uintptr_t wrong = 0;
	int i;

	for (i = 0; i < LOOKUPS; i++) {
		wrong += gsym_reader_lookup(r, 0x401131, f, 3, &error) != 3 || strcmp(f[1].function, "outer");
		wrong += gsym_reader_lookup(r, 0x40114c, f, 3, &error) != 0;
	}
	return (void *)wrong;
}

static void threads(void **state)
{
	struct gsym_reader *r = sample(samples[0]);
	pthread_t t[THREADS];
	void *wrong;
	int i;

	for (i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&t[i], NULL, look_up, r), 0);
	for (i = 0; i < THREADS; i++) {
		assert_int_equal(pthread_join(t[i], &wrong), 0);
		assert_null(wrong);
	}
	gsym_reader_close(r);
}

/*
 * Programs were compiled with these sizes: they must not change as long as the library is
 * libgsym.so.0.
 */
static void sizes(void **state)
{
	if (sizeof(void *) != 8)
		skip();
	assert_int_equal(sizeof(struct gsym_error), 528);
	assert_int_equal(offsetof(struct gsym_error, reason), 272);
	assert_int_equal(sizeof(struct gsym_frame), 40);
	assert_int_equal(offsetof(struct gsym_frame, offset), 32);
	assert_int_equal(sizeof(struct gsym_symbol), 24);
	assert_int_equal(GSYM_MAX_FRAMES, 257);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lookups),
		cmocka_unit_test(room),
		cmocka_unit_test(symbols),
		cmocka_unit_test(uuids),
		cmocka_unit_test(not_opened),
		cmocka_unit_test(long_names),
		cmocka_unit_test(damaged_functions),
		cmocka_unit_test(which_is_damaged),
		cmocka_unit_test(no_place_for_a_function),
		cmocka_unit_test(descriptor_0),
		cmocka_unit_test(names_in_reasons),
		cmocka_unit_test(threads),
		cmocka_unit_test(sizes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
