// SPDX-License-Identifier: GPL-2.0-only
/*
 * Searches functions that have rules already for direct calls of text without rules. The
 * targets are entries of functions whose code is to be analysed. Addresses of such text that they
 * load are hints: functions that set up tables of assembler code have nothing else.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sframe/elf_read.h"
#include "sframe/synth_code.h"
#include "sframe/synth_code_flow.h"
#include "sframe/synth_rows.h"
#include "util/cleanup.h"

#define CHUNK (1u << 20)
#define CALL 0xe8
#define CALL_BYTES 5u
/* lea x(%rip), %reg: a prefix, this byte, a register, 4 bytes */
#define LEA 0x8d
#define LEA_BYTES 7u

/**
 * struct reader - decodes functions, one after the other
 * @s: the file's functions
 * @fd: the file; borrowed
 * @flow: receives the entries
 * @func: the function that is decoded at present, or NULL
 * @code: code of @func, or NULL
 * @at: offset in @func up to which it has been decoded
 */
struct reader {
	const struct synth *s;
	int fd;
	struct code_flow *flow;
	const struct sframe_func *func;
	u8 *code;
	u32 at;
};

static bool open_func(struct reader *r, u64 pc)
{
	const struct sframe_func *f = synth_func_before(r->s, r->s->nr_funcs, pc);

	if (f == r->func)
		return r->code;
	free(r->code);
	r->func = f;
	r->at = 0;
	r->code = f && pc - f->start < f->size ? malloc(f->size) : NULL;
	if (r->code && !elf_read_code(r->fd, &r->s->elf, f->start, r->code, f->size)) {
		free(r->code);
		r->code = NULL;
	}
	return r->code;
}

/*
 * Adds what a possible call, or a possible load of an address, at @pc says; these come in
 * ascending order.
 */
static int read_insn(struct reader *r, u64 pc)
{
	struct x86_insn insn;
	u64 off;

	if (!open_func(r, pc))
		return 0;
	for (off = pc - r->func->start; r->at <= off; r->at += insn.len) {
		if (!x86_insn_read(r->code + r->at, r->func->size - r->at,
				   r->func->start + r->at, &insn)) {
			r->at = UINT32_MAX;
			return 0;
		}
		if (r->at != off)
			continue;
		r->at += insn.len;
		if (insn.kind != X86_CALL)
			return code_flow_add_hint(r->flow,
						  x86_insn_address(r->code + off, &insn, pc));
		code_flow_add_entry(r->flow, insn.to);
		return 0;
	}
	return 0;
}

/* The address to which the last 4 bytes of an instruction, at @p and @pc, give the distance. */
static u64 target(const u8 *p, u64 pc)
{
	return pc + 4 + (u64)(s64)(s32)ustack_le32(p);
}

/* Sees a possible call at @p, which has @left bytes and the address @pc. */
static int see_call(struct reader *r, const u8 *p, u64 left, u64 pc)
{
	if (left < CALL_BYTES || !code_flow_is_news(r->flow, target(p + 1, pc + 1)))
		return 0;
	return read_insn(r, pc);
}

/* The same for a possible load of an address. @p and @pc: after the prefix */
static int see_lea(struct reader *r, const u8 *p, u64 left, u64 pc)
{
	u64 to;

	if (left < LEA_BYTES - 1 || (p[-1] & 0xfb) != 0x48 || (p[1] & 0xc7) != 5)
		return 0;
	to = target(p + 2, pc + 2);
	if (!code_flow_is_news(r->flow, to) || code_flow_is_hinted(r->flow, to))
		return 0;
	return read_insn(r, pc - 1);
}

/* Return: the next such byte, or @end. */
static const u8 *find(const u8 *p, const u8 *end, u8 byte)
{
	p = p < end ? memchr(p, byte, (size_t)(end - p)) : NULL;
	return p ? p : end;
}

static int search(struct reader *r, const u8 *bytes, u64 start, u64 len)
{
	const u8 *end = bytes + len, *call = find(bytes, end, CALL), *lea = find(bytes + 1, end, LEA);
	int err = 0;

	while (!err && (call < end || lea < end)) {
		if (call < lea) {
			err = see_call(r, call, (u64)(end - call), start + (u64)(call - bytes));
			call = find(call + 1, end, CALL);
		} else {
			err = see_lea(r, lea, (u64)(end - lea), start + (u64)(lea - bytes));
			lea = find(lea + 1, end, LEA);
		}
	}
	return err;
}

int synth_code_calls(const struct synth *s, int fd, struct code_flow *f)
{
	_cleanup_(cleanup_free) u8 *bytes = malloc(CHUNK);
	struct reader r = { .s = s, .fd = fd, .flow = f };
	const struct ustack_range *text = s->elf.text;
	u64 at, len;
	int err = 0;
	u32 i;

	if (!bytes)
		return -ENOMEM;
	for (i = 0; i < s->elf.nr_text; i++) {
		for (at = text[i].start; at < text[i].end && !err; at += CHUNK - LEA_BYTES + 1) {
			len = text[i].end - at < CHUNK ? text[i].end - at : CHUNK;
			if (!elf_read_code(fd, &s->elf, at, bytes, len))
				break;
			err = search(&r, bytes, at, len);
		}
	}
	free(r.code);
	return err;
}
