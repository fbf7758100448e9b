// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds PHP in a file and in a process. Even a stripped PHP exports executor_globals,
 * execute_ex and zend_vm_kind(), which returns a constant. Its version is in the HTTP
 * header that it sends with each page. Nothing describes the structures: offsets are
 * constants, as offsetof() gives them with Debian's headers of 8.2.36 and 8.4.27, and
 * tests/live/lang checks them with running programs.
 */
#include "symbols/lang/php.h"

#include <stdlib.h>
#include <string.h>

#include "symbols/lang/version.h"
#include "util/cleanup.h"

/* Offsets in executor_globals, the same in all versions that are read. */
#define GLOBALS_FUNCTION_TABLE 432u
#define GLOBALS_CURRENT 488u

/*
 * The value of zend_vm_kind() for an interpreter that has frame and instruction in
 * registers and the code of all instructions in execute_ex.
 */
#define VM_HYBRID 4u

/* Limit for .rodata; that of PHP has 0.5 MB. */
#define MAX_RODATA ((u64)16 << 20)
static const char header[] = "X-Powered-By: PHP/";

enum {
	GLOBALS,
	EVAL,
	VM_KIND,
	NR,
};

static const struct {
	u32 minor;
	struct lang_php layout;
} layouts[] = {
	{ 0x0802, { .func_last = 80, .func_opcodes = 88, .func_filename = 152 } },
	{ 0x0804, { .func_last = 96, .func_opcodes = 104, .func_filename = 168 } },
};

static u32 version_of(const struct lang_elf *e)
{
	const struct lang_elf_section *s = lang_elf_section(e, ".rodata");
	_cleanup_(cleanup_free) u8 *bytes = NULL;
	const u8 *found;

	if (!s || s->size > MAX_RODATA)
		return 0;
	bytes = malloc(s->size + 1);
	if (!bytes || !lang_elf_bytes(e, s->addr, bytes, s->size))
		return 0;
	found = memmem(bytes, s->size, header, sizeof(header) - 1);
	return found ? lang_version_parse(found + sizeof(header) - 1, bytes + s->size) : 0;
}

static const char *find_layout(struct php_file *ret)
{
	size_t i;

	if (!ret->version)
		return "its version cannot be read";
	for (i = 0; i < sizeof(layouts) / sizeof(layouts[0]); i++)
		if (layouts[i].minor == ret->version >> 16) {
			ret->layout = layouts[i].layout;
			return NULL;
		}
	return "frames of this version are not read";
}

/*
 * Whether the function is "mov $4, %eax" or "mov w0, #4", possibly after a landing mark
 * for indirect jumps (endbr64, bti).
 */
static bool is_hybrid(const struct lang_elf *e, u64 function)
{
	static const u8 x86[] = { 0xb8, VM_HYBRID, 0, 0, 0, 0xc3 };
	static const u8 x86_mark[] = { 0xf3, 0x0f, 0x1e, 0xfa };
	static const u8 arm64[] = { 0x80, 0x00, 0x80, 0x52 };
	static const u8 arm64_mark[] = { 0x5f, 0x24, 0x03, 0xd5 };
	bool is_x86 = e->head.arch == &ustack_arch_x86_64;
	u8 code[10];

	if (!lang_elf_bytes(e, function, code, sizeof(code)))
		return false;
	if (is_x86)
		return !memcmp(memcmp(code, x86_mark, 4) ? code : code + 4, x86, sizeof(x86));
	return !memcmp(memcmp(code, arm64_mark, 4) ? code : code + 4, arm64, sizeof(arm64));
}

/* Only thread-safe builds (ZTS) have these symbols. */
static bool is_for_threads(const struct lang_elf *e)
{
	struct lang_symbol symbol[] = { { .name = "executor_globals_id" },
					{ .name = "executor_globals_offset" } };

	lang_elf_symbols(e, symbol, 2);
	return symbol[0].found || symbol[1].found;
}

bool php_file_read(const struct lang_elf *e, struct php_file *ret)
{
	struct lang_symbol symbol[NR] = {
		[GLOBALS] = { .name = "executor_globals" },
		[EVAL] = { .name = "execute_ex" },
		[VM_KIND] = { .name = "zend_vm_kind" },
	};

	*ret = (struct php_file){ 0 };
	lang_elf_symbols(e, symbol, NR);
	if (!symbol[EVAL].found || !symbol[VM_KIND].found)
		return false;
	ret->version = version_of(e);
	ret->refused = find_layout(ret);
	if (!symbol[GLOBALS].found)
		ret->refused = is_for_threads(e) ? "it is built for threads (ZTS)" :
						   "it does not export the symbols that lead to its frames";
	else if (!ret->refused && !is_hybrid(e, symbol[VM_KIND].value))
		ret->refused = "its interpreter is of an unsupported kind";
	if (ret->refused)
		return true;
	ret->is_x86 = e->head.arch == &ustack_arch_x86_64;
	ret->globals = symbol[GLOBALS].value;
	ret->nr_eval = eval_ranges(e, symbol[EVAL].value, symbol[EVAL].size, ret->eval);
	return true;
}

bool php_describe(const struct php_file *f, u64 bias, const struct lang_memory *m,
		  struct lang_php *ret)
{
	u64 globals = f->globals + bias, table;

	if (!lang_memory_read(m, globals + GLOBALS_FUNCTION_TABLE, &table, sizeof(table)) || !table)
		return false;
	*ret = f->layout;
	ret->current = globals + GLOBALS_CURRENT;
	ret->interpreter_len = ~(__u64)0;
	return true;
}

bool php_describe_jit(const struct php_file *f, u64 bias, struct lang_php *ret)
{
	ret->interpreter = f->eval[0].start + bias;
	ret->interpreter_len = f->eval[0].end - f->eval[0].start;
	return f->is_x86;
}
