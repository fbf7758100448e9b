// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the BEAM in a file and in a process. Even a stripped file exports its version and most
 * variables. Other addresses are operands of short exported functions. Nothing
 * describes the structures: their offsets belong to a version. Those of modules are operands of
 * erts_lookup_function_info(), too, so a file of that version that was changed is refused.
 */
#include "symbols/lang/beam.h"

#include <stdlib.h>
#include <string.h>

#include "sframe/x86_insn.h"
#include "symbols/lang/version.h"
#include "util/cleanup.h"

/* Limit for the functions that are read: some 300 bytes. */
#define MAX_CODE 4096u
/* Bytes of the version's text that are read. */
#define VERSION_BYTES 16u

enum {
	VERSION,
	JIT,
	INDEX,
	NORMAL_EXIT,
	FRAMES,
	SCHEDULERS,
	ATOMS,
	RANGES_CODE,
	LOOKUP_CODE,
	KEY_CODE,
	NR,
};

/*
 * Offsets of a version.
 *
 * @scheduler_number: in the scheduler's data, its number; 1 in the first one
 */
static const struct {
	u32 version;
	u16 scheduler_process;
	u16 scheduler_number;
	u16 process_stop;
} layouts[] = {
	/* OTP 25.2.3 */
	{ .version = 0x0d010500, .scheduler_process = 168, .scheduler_number = 184,
	  .process_stop = 0x58 },
};

/*
 * Instructions of erts_lookup_function_info() with the offsets of lang_beam.h and
 * beam_module.c: addresses of functions in a module's header, its table of lines, the names in
 * the description of a function, the size of an entry in the table of lines.
 */
static const u8 lookup_marks[][4] = {
	{ 0x4d, 0x8d, 0x48, 8 * BEAM_HEADER_WORDS },
	{ 0x49, 0x8b, 0x70, 8 * BEAM_HEADER_LINES },
	{ 0x48, 0x83, 0xc6, 0x10 },
	{ 0x83, 0x7e, 8 * BEAM_LINES_SIZE, 2 },
};

static const char code_differs[] = "its code differs from that of its version";

/* The version has two numbers or more; with four it is another one than with the first three. */
static u32 version_of(const struct lang_elf *e, const struct lang_symbol *s)
{
	char text[VERSION_BYTES + 3] = "";
	u64 len = s->size < VERSION_BYTES ? s->size : VERSION_BYTES, dots = 0, i;

	if (!s->found || !lang_elf_bytes(e, s->value, text, len))
		return 0;
	text[len] = '\0';
	for (i = 0; text[i]; i++)
		dots += text[i] == '.';
	if (dots == 1)
		strcat(text, ".0");
	return dots <= 2 ? lang_version_parse((const u8 *)text, (const u8 *)text + strlen(text)) : 0;
}

static bool has_jit(const struct lang_elf *e, const struct lang_symbol *s)
{
	u8 byte = 0;

	return s->found && lang_elf_bytes(e, s->value, &byte, 1) && byte;
}

/* Reads the code of a function. Return: NULL if it cannot be read. */
static u8 *code_of(const struct lang_elf *e, const struct lang_symbol *s)
{
	u8 *code = s->size && s->size <= MAX_CODE ? malloc(s->size) : NULL;

	if (code && !lang_elf_bytes(e, s->value, code, s->size)) {
		free(code);
		return NULL;
	}
	return code;
}

static bool has_marks(const struct lang_elf *e, const struct lang_symbol *s)
{
	_cleanup_(cleanup_free) u8 *code = code_of(e, s);
	size_t i;

	for (i = 0; code && i < sizeof(lookup_marks) / sizeof(lookup_marks[0]); i++)
		if (!memmem(code, s->size, lookup_marks[i], sizeof(lookup_marks[i])))
			return false;
	return code;
}

/*
 * erts_start_staging_ranges() begins with the address of the lists of modules; the first address
 * of memory that it computes is theirs.
 */
static u64 ranges_of(const struct lang_elf *e, const struct lang_symbol *s)
{
	_cleanup_(cleanup_free) u8 *code = code_of(e, s);
	struct x86_insn insn;
	u64 at, to;

	for (at = 0; code && at < s->size; at += insn.len) {
		if (!x86_insn_read(code + at, s->size - at, s->value + at, &insn))
			return 0;
		to = code[at + 1] == 0x8d ? x86_insn_address(code + at, &insn, s->value + at) : 0;
		if (to)
			return to;
	}
	return 0;
}

/* erts_get_scheduler_data() is "return ethr_tsd_get(key)": mov x(%rip), %edi; jmp. */
static u64 key_of(const struct lang_elf *e, const struct lang_symbol *s)
{
	u8 code[7];

	if (s->size < 11 || !lang_elf_bytes(e, s->value, code, sizeof(code)) || code[0] != 0x8b ||
	    code[1] != 0x3d || code[6] != 0xe9)
		return 0;
	return s->value + 6 + (u64)(s64)(s32)ustack_le32(code + 2);
}

static bool is_known(u32 version)
{
	size_t i;

	for (i = 0; i < sizeof(layouts) / sizeof(layouts[0]); i++)
		if (layouts[i].version == version)
			return true;
	return false;
}

static const char *refuse(const struct lang_elf *e, const struct lang_symbol *symbol,
			  struct beam_file *ret)
{
	unsigned int i;

	if (!ret->version)
		return "its version cannot be read";
	if (!is_known(ret->version))
		return "frames of this version are not read";
	if (e->head.arch != &ustack_arch_x86_64)
		return "how its code uses registers is not known on this architecture";
	if (!has_jit(e, &symbol[JIT]))
		return "it has no JIT, and frames of its interpreter are not read";
	for (i = 0; i < NR; i++)
		if (!symbol[i].found)
			return "it does not export the symbols that lead to its frames";
	ret->ranges = ranges_of(e, &symbol[RANGES_CODE]);
	ret->key = key_of(e, &symbol[KEY_CODE]);
	return ret->ranges && ret->key && has_marks(e, &symbol[LOOKUP_CODE]) ? NULL : code_differs;
}

bool beam_file_read(const struct lang_elf *e, struct beam_file *ret)
{
	struct lang_symbol symbol[NR] = {
		[VERSION] = { .name = "etp_erts_version" },
		[JIT] = { .name = "etp_beamasm" },
		[INDEX] = { .name = "the_active_code_index" },
		[NORMAL_EXIT] = { .name = "beam_normal_exit" },
		[FRAMES] = { .name = "erts_frame_layout" },
		[SCHEDULERS] = { .name = "erts_aligned_scheduler_data" },
		[ATOMS] = { .name = "erts_atom_table" },
		[RANGES_CODE] = { .name = "erts_start_staging_ranges" },
		[LOOKUP_CODE] = { .name = "erts_lookup_function_info" },
		[KEY_CODE] = { .name = "erts_get_scheduler_data" },
	};

	*ret = (struct beam_file){ 0 };
	lang_elf_symbols(e, symbol, NR);
	if (!symbol[VERSION].found || !symbol[INDEX].found)
		return false;
	ret->version = version_of(e, &symbol[VERSION]);
	ret->refused = refuse(e, symbol, ret);
	ret->index = symbol[INDEX].value;
	ret->normal_exit = symbol[NORMAL_EXIT].value;
	ret->frames = symbol[FRAMES].value;
	ret->schedulers = symbol[SCHEDULERS].value;
	ret->atoms = symbol[ATOMS].value;
	return true;
}

/* The first scheduler's number is 1 where the version has it. */
static enum beam_ready check_scheduler(const struct lang_memory *m, u64 variable, u16 number)
{
	u64 schedulers, value;

	if (!lang_memory_read(m, variable, &schedulers, sizeof(schedulers)))
		return BEAM_INVALID;
	if (!schedulers)
		return BEAM_NOT_YET;
	if (!lang_memory_read(m, schedulers + number, &value, sizeof(value)) || value > 1)
		return BEAM_INVALID;
	return value ? BEAM_READY : BEAM_NOT_YET;
}

enum beam_ready beam_describe(const struct beam_file *f, u64 bias, const struct lang_libc *libc,
			      const struct lang_memory *m, struct lang_beam *ret)
{
	enum beam_ready ready;
	u64 normal_exit;
	u32 frames, key;
	size_t i = 0;

	while (layouts[i].version != f->version)
		i++;
	ready = check_scheduler(m, f->schedulers + bias, layouts[i].scheduler_number);
	if (ready != BEAM_READY)
		return ready;
	if (!lang_memory_read(m, f->frames + bias, &frames, sizeof(frames)) ||
	    !lang_memory_read(m, f->normal_exit + bias, &normal_exit, sizeof(normal_exit)) ||
	    !lang_memory_read(m, f->key + bias, &key, sizeof(key)))
		return BEAM_INVALID;
	if (frames)
		return BEAM_FRAME_POINTERS;
	if (!normal_exit)
		return BEAM_NOT_YET;
	*ret = (struct lang_beam){
		.ranges = f->ranges + bias, .index = f->index + bias, .normal_exit = normal_exit,
		.scheduler_process = layouts[i].scheduler_process,
		.process_stop = layouts[i].process_stop, .atoms = f->atoms + bias,
	};
	return lang_libc_key(libc, key, &ret->key) ? BEAM_READY : BEAM_INVALID;
}
