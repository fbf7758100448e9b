// SPDX-License-Identifier: GPL-2.0-only
/*
 * Of 3.11 and 3.12 nothing describes the structures: offsets are here, as offsetof() gives them
 * with the headers of Debian's python3.11-dev, and as tests/lang finds them right in programs that
 * run. Within a minor version they do not change. From 3.13 on _PyRuntime begins with a
 * description, struct _Py_DebugOffsets.
 */
#include "lang/cpython_layout.h"

#define MINOR(version) ((version) >> 16)

/* struct _PyInterpreterFrame: is_entry is 1 in frames that C code called. */
static const struct lang_cpython layout_3_11 = {
	.tstate_thread = 152, .tstate_frame = 56, .cframe_frame = 8, .frame_bytes = 72,
	.frame_code = 32, .frame_previous = 48, .frame_instr = 56, .frame_owner = 69,
	.frame_entry = 68, .code_firstlineno = 72, .code_filename = 112, .code_qualname = 128,
	.code_linetable = 136, .code_bytecode = 184,
	.str_ascii = 48, .str_other = 72,
};

const char *cpython_layout(const struct lang_elf *e, u64 runtime, struct cpython_file *ret)
{
	(void)e;
	(void)runtime;
	switch (MINOR(ret->version)) {
	case 0x030b:
		ret->layout = layout_3_11;
		ret->autotss = 592;
		return NULL;
	}
	return "frames of this version are not read yet";
}
