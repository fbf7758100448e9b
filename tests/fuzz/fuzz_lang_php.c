// SPDX-License-Identifier: GPL-2.0-only
/*
 * PHP's functions in a hostile process: lengths of 4 GB, pointers to nowhere,
 * control characters in names. The input is the memory (forged.h); it begins
 * with a function. Names are UTF-8 without control characters and of bounded
 * length, and only the function with the right cookie has one.
 */
#include "forged.h"

#include "symbols/lang/php_function.h"

/* Checks that no read is longer than the part of a name that is shown. */
static bool read_input(void *arg, uint64_t addr, void *buf, size_t len)
{
	must(len <= PHP_TEXT);
	return forged_read(arg, addr, buf, len);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	static const struct lang_php d = { .func_last = 80, .func_opcodes = 88,
					   .func_filename = 152 };
	struct forged in = { data, size, 0 };
	const struct lang_memory m = { read_input, &in };
	static struct php_function f;
	struct lang_php_print print;
	__u64 told[5];
	u32 cookie;

	if (php_function_print(&m, &d, FORGED_BASE, &print) != PHP_FUNCTION_READ)
		return 0;
	cookie = lang_php_cookie(&print);
	in.reads = 0;
	if (php_function_read(&m, &d, FORGED_BASE, cookie, &f) == PHP_FUNCTION_READ) {
		forged_check_text(f.name, sizeof(f.name));
		forged_check_text(f.file, sizeof(f.file));
		must(f.name[0] || print.name.len == 0 || !*(const char *)print.name.head);
	}
	must(in.reads <= 32);
	told[0] = print.func[PHP_FUNC_NAME];
	told[1] = print.func[PHP_FUNC_SCOPE];
	told[2] = print.where[0];
	told[3] = print.where[1];
	told[4] = lang_php_type(&print);
	if (php_function_from_words(&m, told, cookie, &f) == PHP_FUNCTION_READ) {
		forged_check_text(f.name, sizeof(f.name));
		forged_check_text(f.file, sizeof(f.file));
	}
	must(php_function_from_words(&m, told, cookie + 1, &f) != PHP_FUNCTION_READ);
	must(php_function_read(&m, &d, FORGED_BASE, cookie + 1, &f) != PHP_FUNCTION_READ);
	return 0;
}
