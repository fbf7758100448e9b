/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Go's table of functions, runtime.pclntab. The linker puts it into every program,
 * stripped or not, as Go's own runtime walks stacks by it: for each pc of each
 * function it has the distance from SP to where SP was when the function was called.
 *
 *	struct gopcln t;
 *	struct gopcln_func f;
 *	struct gopcln_sp sp;
 *
 *	why = gopcln_open(&t, bytes, len, quantum);	NULL, or a sentence
 *	for (i = 0; i < t.nr_funcs; i++)
 *		if (gopcln_func(&t, i, &f))
 *			for (gopcln_sp_init(&t, &f, &sp); gopcln_sp_next(&sp); )
 *				...			[sp.start, sp.end): sp.delta
 *
 * Bytes are untrusted: every offset is checked, and a walk over all functions takes
 * no more steps than there are bytes of text. This file knows nothing of ELF.
 */
#ifndef USTACK_USER_SFRAME_GOPCLNTAB_H
#define USTACK_USER_SFRAME_GOPCLNTAB_H

#include "core.h"

/* Length of the start: 4 bytes of magic, 2 zeros, the pc quantum, the pointer size. */
#define GOPCLN_START 8u
/* Most bytes of a table; dockerd's has 20 MB. */
#define GOPCLN_MAX (1u << 30)
/* Most functions of a table; dockerd has 90,000. */
#define GOPCLN_MAX_FUNCS (1u << 22)

/* Layouts, named after the first Go release that writes them. */
enum gopcln_layout {
	GOPCLN_NONE,
	GOPCLN_1_2,	/* addresses; offsets count from the table's start */
	GOPCLN_1_16,	/* addresses; parts of their own for names and values */
	GOPCLN_1_18,	/* offsets from the start of text */
	GOPCLN_1_20,	/* the same, and a function has its first line */
};

/**
 * struct gopcln - an open table
 * @bytes: the table, borrowed
 * @len: number of @bytes
 * @layout: layout of the table, never GOPCLN_NONE
 * @quantum: every pc is a multiple of so many bytes
 * @nr_funcs: number of functions
 * @text: address that entries are relative to, from the header; 0 if the header has
 *        none, as from Go 1.26 on, and in files that are relocated when loaded
 * @has_flags: functions have enum gopcln_flag, as from Go 1.17 on
 */
struct gopcln {
	const u8 *bytes;
	u32 len;
	enum gopcln_layout layout;
	u32 quantum;
	u32 nr_funcs;
	u64 text;
	bool has_flags;

	/* private: where parts begin; entries of the list of functions */
	u32 names;
	u32 values;
	u32 funcs;
	u32 list;
};

/* Bits that Go's assembler and linker set. */
enum gopcln_flag {
	GOPCLN_TOP_FRAME = 1,	/* it is the first of its stack */
	GOPCLN_SP_WRITE = 2,	/* it writes SP in a way that the table does not show */
};

/**
 * struct gopcln_func - one function
 * @start: an address, or from 1.18 on an offset from the start of text
 * @end: @start of the next function, or the end of text
 * @name: the function's name in the table; compare it by gopcln_name_is()
 * @name_max: number of bytes from @name to the table's end
 * @flags: enum gopcln_flag
 * @sp: offset of its values of SP; 0 if it has none, as C code that Go's linker has
 *      linked
 */
struct gopcln_func {
	u64 start;
	u64 end;
	const u8 *name;
	u32 name_max;
	u8 flags;
	u32 sp;
};

/**
 * struct gopcln_sp - an iterator over a function's values
 * @start: offset in the function at which the value begins
 * @end: the first offset after the value's range
 * @delta: bytes that SP is below its position at the function's entry
 * @why: set if the walk ended before the end of the values
 */
struct gopcln_sp {
	u32 start;
	u32 end;
	s32 delta;
	const char *why;

	/* private */
	const u8 *at;
	const u8 *stop;
	u32 size;
	u32 quantum;
};

/**
 * gopcln_open() - check a table
 * @t: set on success
 * @bytes: the table and any bytes after it
 * @len: number of @bytes
 * @quantum: the architecture's: 1 on AMD64, 4 on AArch64
 *
 * Return: NULL, or why it is no table.
 */
const char *gopcln_open(struct gopcln *t, const void *bytes, size_t len,
			u32 quantum);

/* Reads function @i; functions ascend and do not overlap. False if its entry is broken:
 * then only @start and @end are set.
 */
bool gopcln_func(const struct gopcln *t, u32 i, struct gopcln_func *ret);

bool gopcln_name_is(const struct gopcln_func *f, const char *name);

/* Start of the first and end of the last function, as in struct gopcln_func. */
u64 gopcln_first(const struct gopcln *t);
u64 gopcln_end(const struct gopcln *t);

void gopcln_sp_init(const struct gopcln *t, const struct gopcln_func *f,
		    struct gopcln_sp *ret);
bool gopcln_sp_next(struct gopcln_sp *sp);

#endif /* USTACK_USER_SFRAME_GOPCLNTAB_H */
