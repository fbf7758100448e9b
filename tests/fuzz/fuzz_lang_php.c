// SPDX-License-Identifier: GPL-2.0-only
/*
 * PHP's functions in a process that has put anything into its memory: lengths of 4 GB, pointers to
 * nowhere, names of control characters. The input is the memory from BASE on, and a function
 * stands at its beginning. Names are UTF-8 without control characters, of bounded length, and only
 * the function of the cookie has one.
 */
#include "fuzz.h"

#include "lang/php_function.h"
#include "util/utf8.h"

#define BASE 0x10000u

struct forged {
	const u8 *bytes;
	size_t size;
	unsigned int reads;
};

static bool read_input(void *arg, uint64_t addr, void *buf, size_t len)
{
	struct forged *in = arg;

	in->reads++;
	must(len <= PHP_TEXT);
	if (addr < BASE || addr - BASE > in->size || len > in->size - (addr - BASE))
		return false;
	memcpy(buf, in->bytes + (addr - BASE), len);
	return true;
}

static void check_text(const char *s, size_t room)
{
	must(strlen(s) < room);
	must(utf8_valid(s));
	for (; *s; s++)
		must((u8)*s >= 0x20 && (u8)*s != 0x7f);
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

	if (php_function_print(&m, &d, BASE, &print) != PHP_FUNCTION_READ)
		return 0;
	cookie = lang_php_cookie(&print);
	in.reads = 0;
	if (php_function_read(&m, &d, BASE, cookie, &f) == PHP_FUNCTION_READ) {
		check_text(f.name, sizeof(f.name));
		check_text(f.file, sizeof(f.file));
		must(f.name[0] || print.name.len == 0 || !*(const char *)print.name.head);
	}
	must(in.reads <= 32);
	told[0] = print.func[PHP_FUNC_NAME];
	told[1] = print.func[PHP_FUNC_SCOPE];
	told[2] = print.where[0];
	told[3] = print.where[1];
	told[4] = lang_php_type(&print);
	if (php_function_told(&m, told, cookie, &f) == PHP_FUNCTION_READ) {
		check_text(f.name, sizeof(f.name));
		check_text(f.file, sizeof(f.file));
	}
	must(php_function_told(&m, told, cookie + 1, &f) != PHP_FUNCTION_READ);
	must(php_function_read(&m, &d, BASE, cookie + 1, &f) != PHP_FUNCTION_READ);
	return 0;
}
