// SPDX-License-Identifier: GPL-2.0-only
/*
 * CPython's objects in a hostile process: lengths of 4 GB, pointers to nowhere,
 * tables without an end. The input is the memory (forged.h); it begins with a
 * code object. Texts that are read are UTF-8 without control characters and of
 * bounded length; a table of lines gives some line or none.
 */
#include "forged.h"

#include "symbols/lang/cpython_code.h"
#include "symbols/lang/cpython_layout.h"
#include "symbols/lang/linetable.h"

/*
 * Computes the cookie as bpf/lang_cpython.bpf.h does. Return: false if the
 * object cannot be read.
 */
static bool cookie_of(struct forged *in, const struct lang_cpython *d, u32 *ret)
{
	struct lang_cpython_print p = { 0 };
	u64 name;

	if (!forged_read(in, FORGED_BASE, p.code, LANG_CODE_BYTES))
		return false;
	name = lang_code_word(&p, d->code_qualname);
	if (!forged_read(in, name + LANG_TEXT_AT, p.text, sizeof(p.text)) ||
	    !forged_read(in, lang_code_word(&p, d->code_linetable) + LANG_TEXT_AT, p.table,
			sizeof(p.table)))
		return false;
	if (lang_text_has_tail(d, p.text) &&
	    !forged_read(in, name + lang_text_data(d, p.text) + lang_text_bytes(p.text) -
			sizeof(p.tail), p.tail, sizeof(p.tail)))
		return false;
	*ret = lang_cpython_cookie(d, &p);
	return true;
}

static void check_lines(const u8 *table, size_t len, u32 first)
{
	s64 i;

	for (i = -1; i < 64; i++)
		must(linetable_line(table, len, first, i) <= INT32_MAX || i < 0);
	(void)linetable_line(table, len, first, 1 << 24);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct forged in = { data, size, 0 };
	const struct lang_memory m = { forged_read, &in };
	const struct lang_elf e = { .head = { .arch = &ustack_arch_x86_64 } };
	struct cpython_file f = { .version = 0x030b02f0 };
	static struct cpython_code c;
	u32 cookie;

	check_lines(data, size, 1);
	must(!cpython_layout(&e, 0, &f));
	f.layout.code_type = FORGED_BASE;
	if (!cookie_of(&in, &f.layout, &cookie))
		return 0;
	in.reads = 0;
	if (cpython_code_read(&m, &f.layout, FORGED_BASE, cookie, &c) == CPYTHON_CODE_READ) {
		forged_check_text(c.name, CPYTHON_TEXT_BYTES);
		forged_check_text(c.file, CPYTHON_TEXT_BYTES);
		must(c.table && c.table_len <= CPYTHON_MAX_TABLE);
		check_lines(c.table, c.table_len, c.first_line);
		free(c.table);
	} else {
		must(!c.table);
	}
	must(in.reads <= 16);
	must(cpython_code_read(&m, &f.layout, FORGED_BASE, cookie + 1, &c) != CPYTHON_CODE_READ);
	return 0;
}
