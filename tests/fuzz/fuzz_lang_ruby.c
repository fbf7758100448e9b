// SPDX-License-Identifier: GPL-2.0-only
/*
 * Ruby's functions in a hostile process: lengths of 4 GB, pointers to nowhere,
 * control characters in names, bit vectors that decrease. The input: a byte
 * that chooses the version, then the memory (forged.h), which begins with a
 * body, and also with the definition of a function in C. Names are UTF-8
 * without control characters and of bounded length, and only the function with
 * the right cookie has one.
 */
#include "forged.h"

#include <stdlib.h>

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
