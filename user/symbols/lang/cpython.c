// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds CPython in a file and in a process. The offsets of its structures are in
 * cpython_layout.c.
 */
#include "symbols/lang/cpython.h"

#include <stdio.h>
#include <string.h>

#include "symbols/lang/cpython_layout.h"

enum {
	RUNTIME,
	VERSION,
	CODE_TYPE,
	EVAL,
	NR,
};

static const char *find_layout(const struct lang_elf *e, const struct lang_symbol *symbol,
			       struct cpython_file *ret)
{
	u64 version;

	if (!symbol[VERSION].found)
		return "it is older than 3.11";
	if (!lang_elf_bytes(e, symbol[VERSION].value, &version, sizeof(version)))
		return "its version cannot be read";
	ret->version = (u32)version;
	if (!symbol[RUNTIME].found || !symbol[CODE_TYPE].found || !symbol[EVAL].found)
		return "it does not export the symbols that lead to its frames";
	return cpython_layout(e, symbol[RUNTIME].value, ret);
}

bool cpython_file_read(const struct lang_elf *e, struct cpython_file *ret)
{
	struct lang_symbol symbol[NR] = {
		[RUNTIME] = { .name = "_PyRuntime" },
		[VERSION] = { .name = "Py_Version" },
		[CODE_TYPE] = { .name = "PyCode_Type" },
		[EVAL] = { .name = "_PyEval_EvalFrameDefault" },
	};

	*ret = (struct cpython_file){ 0 };
	if (!lang_elf_section(e, ".PyRuntime"))
		return false;
	lang_elf_symbols(e, symbol, NR);
	ret->refused = find_layout(e, symbol, ret);
	if (ret->refused)
		return true;
	ret->runtime = symbol[RUNTIME].value;
	ret->layout.code_type = symbol[CODE_TYPE].value;
	ret->nr_eval = eval_ranges(e, symbol[EVAL].value, symbol[EVAL].size, ret->eval);
	return true;
}

enum lang_ready cpython_describe(const struct cpython_file *f, u64 bias,
				 const struct lang_libc *libc, const struct lang_memory *m,
				 struct lang_cpython *ret)
{
	u32 key[2];	/* 1 if the key has been created; the key */

	if (!lang_memory_read(m, f->runtime + bias + f->autotss, key, sizeof(key)))
		return LANG_NEVER;
	if (!key[0])
		return LANG_NOT_YET;
	*ret = f->layout;
	ret->code_type += bias;
	if (key[0] != 1 || !lang_libc_key(libc, key[1], &ret->key))
		return LANG_NEVER;
	return LANG_READY;
}

const char *cpython_version_text(u32 version, char buf[CPYTHON_VERSION_TEXT])
{
	snprintf(buf, CPYTHON_VERSION_TEXT, "%u.%u.%u", version >> 24, version >> 16 & 255,
		 version >> 8 & 255);
	return buf;
}
