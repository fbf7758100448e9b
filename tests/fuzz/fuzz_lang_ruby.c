// SPDX-License-Identifier: GPL-2.0-only
/*
 * Ruby's functions in a hostile process: lengths of 4 GB, pointers to nowhere,
 * control characters in names, bit vectors that decrease. The input: a byte
 * that chooses the version, then the memory (forged.h), which begins with a
 * body, and also with the definition of a function in C, with the class Object
 * and with the string of a class's name. Names are UTF-8 without control
 * characters and of bounded length, and only the function, or the name, with
 * the right cookie is read.
 */
#include "forged.h"

#include <stdlib.h>

#include "symbols/lang/ruby_class.h"
#include "symbols/lang/ruby_function.h"
#include "symbols/lang/ruby_lines.h"

#define SYMBOLS (FORGED_BASE + 0x200)

static const struct lang_ruby layouts[] = {
	{ .frame_bytes = 64, .lines = 120, .jit = 280, .old = 1, .symbols = SYMBOLS },
	{ .frame_bytes = 56, .lines = 112, .jit = 288, .symbols = SYMBOLS },
};

/* Checks that no read is longer than the table of lines of the longest code. */
static bool read_input(void *arg, uint64_t addr, void *buf, size_t len)
{
	must(len <= (size_t)RUBY_LINES_MAX_CODE * RUBY_LINES_ENTRY);
	return forged_read(arg, addr, buf, len);
}

static void check(const struct ruby_function *f)
{
	forged_check_text(f->name, sizeof(f->name));
	forged_check_text(f->file, sizeof(f->file));
}

static void check_lines(const struct ruby_function *f, uint64_t size)
{
	uint32_t place;

	must(!f->table == !f->table_len);
	must(f->table_len % 8 == 0 && f->table_len / 8 <= size);
	must(ruby_lines_line(f->table, f->table_len, 0) == 0);
	for (place = 1; place < 600; place += 7)
		(void)ruby_lines_line(f->table, f->table_len, place);
	(void)ruby_lines_line(f->table, f->table_len, UINT32_MAX);
}

static void check_in_c(struct forged *in, const struct lang_memory *m, const struct lang_ruby *d)
{
	static struct ruby_function f;
	__u64 def[RUBY_DEF_WORDS];
	u32 cookie;

	if (!forged_read(in, FORGED_BASE, def, sizeof(def)))
		return;
	cookie = lang_ruby_cookie_in_c(def);
	in->reads = 0;
	if (ruby_function_in_c(m, d, FORGED_BASE, cookie, &f) == RUBY_FUNCTION_READ)
		check(&f);
	must(in->reads <= 8);
	must(ruby_function_in_c(m, d, FORGED_BASE, cookie + 1, &f) != RUBY_FUNCTION_READ);
}

/* Classes that pass the check, and names of classes. */
static void check_class(struct forged *in, const struct lang_memory *m, const struct lang_ruby *d)
{
	const u64 flags = LANG_RUBY_OF_CLASS, first = FORGED_BASE | flags << LANG_FLAGS_SHIFT;
	static char name[RUBY_TEXT_BYTES];
	struct lang_ruby found = *d;
	struct lang_ends ends = { 0 };
	u64 second;

	in->reads = 0;
	ruby_class_check(m, &found, FORGED_BASE);
	must(found.classes <= 1);
	must(!found.classes || !d->old || (found.name && found.attached));
	must(in->reads <= 8 + 2 * RUBY_ENTRIES * 8);
	if (!ruby_ends(m, d, FORGED_BASE, &ends))
		return;
	second = (u64)lang_ruby_class_cookie(&ends, flags) << 32;
	in->reads = 0;
	if (ruby_class_name(m, d, first, second, name) == RUBY_FUNCTION_READ)
		forged_check_text(name, sizeof(name));
	must(in->reads <= 8);
	must(ruby_class_name(m, d, FORGED_BASE, second, name) != RUBY_FUNCTION_READ);
	must(ruby_class_name(m, d, first, second ^ 1ull << 32, name) != RUBY_FUNCTION_READ);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	const struct lang_ruby *d = &layouts[size && data[0] & 1];
	struct forged in = { data + 1, size ? size - 1 : 0, 0 };
	const struct lang_memory m = { read_input, &in };
	static struct ruby_function f;
	struct lang_ruby_print print;
	u32 cookie;

	if (!size)
		return 0;
	check_in_c(&in, &m, d);
	check_class(&in, &m, d);
	if (ruby_function_print(&m, d, FORGED_BASE, &print) != RUBY_FUNCTION_READ)
		return 0;
	cookie = lang_ruby_cookie(&print, d);
	in.reads = 0;
	if (ruby_function_read(&m, d, FORGED_BASE, cookie, &f) == RUBY_FUNCTION_READ) {
		check(&f);
		check_lines(&f, lang_ruby_size(&print));
		free(f.table);
	}
	must(in.reads <= 32);
	must(ruby_function_read(&m, d, FORGED_BASE, cookie + 1, &f) != RUBY_FUNCTION_READ);
	return 0;
}
