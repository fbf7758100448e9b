// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names that are rewritten: the set of kept functions does not change, strings that become
 * equal are one, other texts stay, threads do not matter, and a file that grows too much or
 * cannot be rewritten is refused.
 */
#include "support.h"

#include <errno.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

#include "formats/gsym/build.h"

#define BASE 0x1000ull

struct making {
	struct gsym_part *part;
	struct gsym_write_options o;
	struct gsym_write_stats stats;
	uint8_t *bytes;
	size_t len;
	struct gsym *g;
};

/* A thread of the function that rewrites names. */
struct state {
	char text[64];
	char *huge;
};

static atomic_int states;

static void *start(const void *arg)
{
	struct state *s = calloc(1, sizeof(*s));

	assert_ptr_equal(arg, &states);
	states++;
	return s;
}

static void *start_not(const void *arg)
{
	return NULL;
}

static void end(void *state)
{
	struct state *s = state;

	states--;
	free(s->huge);
	free(s);
}

/* "x.1" and "x.2" become "x"; "huge" becomes many copies of itself; "none" becomes empty. */
static const char *name(void *state, const char *name)
{
	struct state *s = state;
	size_t len = strcspn(name, ".");

	if (!strcmp(name, "none"))
		return "";
	if (!strncmp(name, "huge", 4)) {
		if (!s->huge)
			s->huge = calloc(1, 3u << 20);
		memset(s->huge, 'h', (3u << 20) - 1);
		return s->huge;
	}
	if (!name[len] || len >= sizeof(s->text))
		return name;
	memcpy(s->text, name, len);
	s->text[len] = '\0';
	return s->text;
}

static void making_init(struct making *m)
{
	*m = (struct making){
		.part = gsym_part_new(),
		.o = {
			.layout = GSYM_LLVM_1, .base = BASE,
			.namer = { &states, start, name, end },
		},
	};
}

static void making_release(struct making *m)
{
	gsym_part_free(m->part);
	gsym_close(m->g);
	free(m->bytes);
}

/* The file, opened. Return: as gsym_write(). */
static int making_write(struct making *m, struct diag *diag)
{
	int fd = memfd_create("out", 0), err;

	err = gsym_write(&m->part, 1, &m->o, fd, "out", &m->stats, diag);
	m->len = (size_t)lseek(fd, 0, SEEK_END);
	m->bytes = realloc(m->bytes, m->len + 1);
	assert_int_equal(pread(fd, m->bytes, m->len, 0), m->len);
	close(fd);
	assert_int_equal(states, 0);
	if (!err)
		assert_int_equal(gsym_open_bytes(m->bytes, m->len, "out", &m->g, NULL), 0);
	return err;
}

static uint32_t string(struct making *m, const char *s)
{
	uint32_t ret;

	assert_int_equal(gsym_part_string(m->part, s, strlen(s), &ret), 0);
	return ret;
}

/* With a line in a file named @file, and a call of @inlined, if it is not NULL. */
static void add(struct making *m, uint64_t start, const char *s, const char *file,
		const char *inlined)
{
	struct range r = { start, start + 4 };
	struct gsym_new_line line = { start, 0, 7 };
	struct gsym_new_call call = { .ranges = &r, .nr_ranges = 1, .depth = 1 };
	struct gsym_new_function f = {
		.range = { start, start + 8 }, .name = string(m, s),
		.lines = &line, .nr_lines = file ? 1 : 0,
		.calls = &call, .nr_calls = inlined ? 1 : 0,
	};

	if (inlined)
		call.name = string(m, inlined);
	if (file)
		assert_int_equal(gsym_part_file(m->part, string(m, "d.1"), string(m, file),
						&line.file), 0);
	assert_int_equal(gsym_part_add(m->part, &f), 0);
}

static void assert_frame(const struct making *m, uint64_t addr, unsigned int i,
			 const char *function, const char *file)
{
	struct gsym_frame frames[GSYM_MAX_FRAMES];
	int nr = gsym_lookup(m->g, addr, frames, GSYM_MAX_FRAMES);

	assert_true(nr > (int)i);
	assert_string_equal(frames[i].function, function);
	assert_string_equal(frames[i].file, file);
}

static void names_and_texts(void **state)
{
	struct making m;

	making_init(&m);
	/*
	 * the file has the name of a function, and the inlined one the new name of another
	 * function
	 */
	add(&m, BASE, "f.1", "f.1", "g.1");
	add(&m, BASE + 8, "f.2", "f", "f");
	add(&m, BASE + 16, "none", NULL, NULL);
	assert_int_equal(making_write(&m, NULL), 0);
	assert_frame(&m, BASE, 0, "g", "f.1");
	assert_frame(&m, BASE, 1, "f", "");
	assert_frame(&m, BASE + 8, 0, "f", "f");
	assert_frame(&m, BASE + 8, 1, "f", "");
	assert_frame(&m, BASE + 16, 0, "none", "");
	/* the file of an inlined call's caller is unknown, its folder is "d.1" */
	assert_int_equal(m.stats.strings, sizeof("\0d.1\0f.1\0f\0none\0g"));
	making_release(&m);
}

/* Two functions stay two, although their names become one string. */
static void same_range(void **state)
{
	struct gsym_function f, other;
	struct gsym_merged it;
	struct making m;

	making_init(&m);
	m.o.merge = true;
	add(&m, BASE, "C.1", NULL, NULL);
	add(&m, BASE, "C.2", NULL, NULL);
	assert_int_equal(making_write(&m, NULL), 0);
	assert_int_equal(m.stats.functions, 1);
	assert_int_equal(m.stats.merged, 1);
	assert_int_equal(m.stats.strings, sizeof("\0C"));
	assert_int_equal(gsym_function(m.g, 0, &f), 0);
	assert_string_equal(f.name, "C");
	assert_int_equal(gsym_merged_init(&it, m.g, &f), 0);
	assert_int_equal(gsym_merged_next(&it, &other), 1);
	assert_ptr_equal(other.name, f.name);
	making_release(&m);
}

static void many(struct making *m)
{
	char s[32];
	unsigned int i;

	for (i = 0; i < 3000; i++) {
		sprintf(s, "f%u.%u", i / 3, i);
		add(m, BASE + 8 * i, s, i % 7 ? "a.c" : s, i % 5 ? NULL : "g.9");
	}
}

static void threads(void **state)
{
	struct making one, more;
	unsigned int n;

	making_init(&one);
	many(&one);
	assert_int_equal(making_write(&one, NULL), 0);
	assert_frame(&one, BASE + 8 * 2999, 0, "f999", "a.c");
	for (n = 2; n < 100; n = 3 * n) {
		making_init(&more);
		more.o.threads = n;
		many(&more);
		assert_int_equal(making_write(&more, NULL), 0);
		assert_int_equal(more.len, one.len);
		assert_memory_equal(more.bytes, one.bytes, one.len);
		making_release(&more);
	}
	making_release(&one);
}

static void refused(void **state)
{
	struct diag diag = { 0 };
	struct making m;

	making_init(&m);
	add(&m, BASE, "huge", NULL, NULL);
	assert_int_equal(making_write(&m, &diag), -EFBIG);
	assert_string_equal(diag.text, "the names become more than 16 times as long");
	making_release(&m);
	making_init(&m);
	m.o.namer.start = start_not;
	add(&m, BASE, "f.1", NULL, NULL);
	assert_int_equal(making_write(&m, &diag), -ENOMEM);
	making_release(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_and_texts),
		cmocka_unit_test(same_range),
		cmocka_unit_test(threads),
		cmocka_unit_test(refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
