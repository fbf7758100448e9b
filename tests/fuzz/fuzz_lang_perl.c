// SPDX-License-Identifier: GPL-2.0-only
/*
 * Perl's code and statements in a hostile process: lengths of 4 GB, pointers to
 * nowhere, control characters in names, trees that are none. The input: a byte
 * of flags for a place, a byte for the distance of its operation, then the
 * memory (forged.h), which begins with the code of a sub, and also with a
 * statement. Names are UTF-8 without control characters and of bounded length;
 * only code with the right cookie has a name; and a walk through a tree ends.
 */
#include "forged.h"

#include "symbols/lang/perl_place.h"

/* Twice the operations that one walk may read, with their children, and some more. */
#define MAX_READS (4 * 65536u)

static const struct lang_perl layout = { .statement_file = 0x30, .statement_number = 0x3c,
					 .op_nextstate = 195, .op_scope = 200 };

/* Checks that no read is longer than a text. */
static bool read_input(void *arg, uint64_t addr, void *buf, size_t len)
{
	must(len <= PERL_TEXT + 2);
	return forged_read(arg, addr, buf, len);
}

static void check_told(const struct lang_memory *m, const struct lang_perl_print *print, u32 cookie)
{
	const __u64 word[PERL_TOLD_WORDS] = {
		[PERL_TOLD_PACKAGE] = print->code[PERL_CODE_PACKAGE],
		[PERL_TOLD_ROOT] = print->code[PERL_CODE_ROOT],
		[PERL_TOLD_NAME] = print->code[PERL_CODE_NAME],
		[PERL_TOLD_FLAGS] = print->code[PERL_CODE_FLAGS],
	};
	static struct perl_function f;

	if (perl_function_from_words(m, word, cookie, &f) == PERL_FUNCTION_READ)
		forged_check_text(f.name, sizeof(f.name));
	must(perl_function_from_words(m, word, cookie + 1, &f) != PERL_FUNCTION_READ);
}

static void check_function(struct forged *in, const struct lang_memory *m)
{
	static struct perl_function f;
	struct lang_perl_print print;
	u32 cookie;

	if (perl_function_print(m, FORGED_BASE, &print) != PERL_FUNCTION_READ)
		return;
	cookie = lang_perl_code_cookie(&print);
	in->reads = 0;
	if (perl_function_read(m, FORGED_BASE, cookie, &f) == PERL_FUNCTION_READ)
		forged_check_text(f.name, sizeof(f.name));
	must(in->reads <= 64);
	must(perl_function_read(m, FORGED_BASE, cookie + 1, &f) != PERL_FUNCTION_READ);
	check_told(m, &print, cookie);
}

static void check_place(struct forged *in, const struct lang_memory *m, u32 flags, s8 distance)
{
	struct lang_perl_print print;
	struct perl_place p;
	u64 first, second;

	flags &= LANG_PERL_INNERMOST | LANG_PERL_COMPILING;
	if (perl_place_print(m, &layout, FORGED_BASE, &print) != PERL_FUNCTION_READ)
		return;
	first = (u64)LANG_PERL_PLACE << LANG_KIND_SHIFT | (u64)flags << LANG_FLAGS_SHIFT | FORGED_BASE;
	second = (u64)lang_perl_place_cookie(&print, &layout, flags & LANG_PERL_COMPILING) << 32 |
		 (u32)distance;
	in->reads = 0;
	if (perl_place_read(m, &layout, first, second, &p) == PERL_FUNCTION_READ) {
		forged_check_text(p.file, sizeof(p.file));
		must(!p.root || flags == LANG_PERL_INNERMOST);
	}
	must(in->reads <= MAX_READS);
	must(perl_place_read(m, &layout, first, second ^ 1ull << 32, &p) != PERL_FUNCTION_READ);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct forged in = { data + 2, size < 2 ? 0 : size - 2, 0 };
	const struct lang_memory m = { read_input, &in };

	if (size < 2)
		return 0;
	check_function(&in, &m);
	check_place(&in, &m, data[0], (s8)data[1]);
	return 0;
}
