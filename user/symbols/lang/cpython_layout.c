// SPDX-License-Identifier: GPL-2.0-only
/*
 * Offsets in CPython's structures. Nothing in 3.11 and 3.12 describes them: they are
 * constants here, as offsetof() gives them with the headers of 3.11.2 and 3.12.1, and
 * tests/live/lang checks them with running programs. They do not change within a minor
 * version, and all but one are the same on both architectures. From 3.13 on, _PyRuntime begins
 * with a description, struct _Py_DebugOffsets, which lacks only the offset of the thread state's
 * key.
 */
#include "symbols/lang/cpython_layout.h"

#include <string.h>

#define MINOR(version) ((version) >> 16)

/* In struct _PyInterpreterFrame of 3.11, is_entry is 1 in frames that C code called. */
static const struct lang_cpython layout_3_11 = {
	.tstate_thread = 152, .tstate_frame = 56, .cframes = 1, .cframe_frame = 8,
	.frame_bytes = 72, .frame_code = 32, .frame_previous = 48, .frame_instr = 56,
	.frame_owner = 69, .frame_entry = 68, .code_firstlineno = 72, .code_filename = 112,
	.code_qualname = 128, .code_linetable = 136, .code_bytecode = 184, .str_ascii = 48,
	.str_other = 72,
};

/* In 3.12, a call from C code has its own frame, with owner FRAME_OWNED_BY_CSTACK. */
static const struct lang_cpython layout_3_12 = {
	.tstate_thread = 136, .tstate_frame = 56, .cframes = 1, .cframe_frame = 0,
	.frame_bytes = 72, .frame_code = 0, .frame_previous = 8, .frame_instr = 56,
	.frame_owner = 70, .shim_owner = 3, .code_firstlineno = 68, .code_filename = 112,
	.code_qualname = 128, .code_linetable = 136, .code_bytecode = 192, .str_ascii = 40,
	.str_other = 56,
};

/* Indexes of words in struct _Py_DebugOffsets of 3.13, after its cookie and version. */
enum {
	FREE_THREADED = 0,
	TSTATE_FRAME = 21,
	TSTATE_THREAD = 22,
	FRAME_PREVIOUS = 27,
	FRAME_CODE = 28,
	FRAME_INSTR = 29,
	FRAME_OWNER = 31,
	CODE_FILENAME = 33,
	CODE_QUALNAME = 35,
	CODE_LINETABLE = 36,
	CODE_FIRSTLINENO = 37,
	CODE_BYTECODE = 41,
	STR_STATE = 66,
	STR_LENGTH = 67,
	STR_ASCII = 68,
	NR_OFFSETS = 71,
};

struct debug_offsets {
	char cookie[8];
	u64 version;
	u64 word[NR_OFFSETS];
};

/* The words that are used, and their limits: only so many bytes of a structure are copied. */
static const struct {
	u8 word;
	u16 end;
} limits[] = {
	{ TSTATE_FRAME, 4096 }, { TSTATE_THREAD, 4096 }, { FRAME_PREVIOUS, 65 }, { FRAME_CODE, 65 },
	{ FRAME_INSTR, 65 }, { FRAME_OWNER, 72 }, { CODE_FILENAME, 137 }, { CODE_QUALNAME, 137 },
	{ CODE_LINETABLE, 137 }, { CODE_FIRSTLINENO, 141 }, { CODE_BYTECODE, 1024 },
	{ STR_ASCII, 64 },
};

static const char *described(const struct lang_elf *e, u64 runtime, struct cpython_file *ret)
{
	struct debug_offsets d;
	const u64 *w = d.word;
	unsigned int i;

	if (!lang_elf_bytes(e, runtime, &d, sizeof(d)) || memcmp(d.cookie, "xdebugpy", 8) ||
	    d.version != ret->version)
		return "it does not describe its structures";
	if (w[FREE_THREADED])
		return "it is a free-threaded build";
	for (i = 0; i < sizeof(limits) / sizeof(limits[0]); i++)
		if (w[limits[i].word] >= limits[i].end)
			return "its structures are larger than expected";
	if (w[STR_STATE] != 32 || w[STR_LENGTH] != 16)
		return "its strings have an unexpected layout";
	ret->layout = (struct lang_cpython){
		.tstate_thread = (u16)w[TSTATE_THREAD], .tstate_frame = (u16)w[TSTATE_FRAME],
		.frame_bytes = 72, .frame_code = (u8)w[FRAME_CODE],
		.frame_previous = (u8)w[FRAME_PREVIOUS], .frame_instr = (u8)w[FRAME_INSTR],
		.frame_owner = (u8)w[FRAME_OWNER], .shim_owner = 3,
		.code_firstlineno = (u8)w[CODE_FIRSTLINENO], .code_filename = (u8)w[CODE_FILENAME],
		.code_qualname = (u8)w[CODE_QUALNAME], .code_linetable = (u8)w[CODE_LINETABLE],
		.code_bytecode = (u16)w[CODE_BYTECODE], .str_ascii = (u8)w[STR_ASCII],
		.str_other = (u8)(w[STR_ASCII] + 16),
	};
	return NULL;
}

const char *cpython_layout(const struct lang_elf *e, u64 runtime, struct cpython_file *ret)
{
	switch (MINOR(ret->version)) {
	case 0x030b:
		ret->layout = layout_3_11;
		/* before it are two mutexes of glibc, which have 48 bytes on AArch64, else 40 */
		ret->autotss = e->head.arch == &ustack_arch_aarch64 ? 608 : 592;
		return NULL;
	case 0x030c:
		ret->layout = layout_3_12;
		ret->autotss = 1544;
		return NULL;
	case 0x030d:
		ret->autotss = 2160;
		return described(e, runtime, ret);
	}
	return "frames of this version are not read yet";
}
