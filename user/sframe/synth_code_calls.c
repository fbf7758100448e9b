// SPDX-License-Identifier: GPL-2.0-only
/*
 * Searches functions that have rules already for direct calls of text without rules. The
 * targets are entries of functions whose code is to be analysed.
 */
#include <errno.h>
#include <stdlib.h>

#include "sframe/elf_read.h"
#include "sframe/synth_code.h"
#include "sframe/synth_code_flow.h"
#include "sframe/synth_rows.h"
#include "util/cleanup.h"

#define CHUNK (1u << 20)
#define CALL 0xe8
#define CALL_BYTES 5u

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

/* Adds the target of a possible call at @pc; addresses come in ascending order. */
static void read_call(struct reader *r, u64 pc)
{
	struct x86_insn insn;
	u64 off;

	if (!open_func(r, pc))
		return;
	for (off = pc - r->func->start; r->at <= off; r->at += insn.len) {
		if (!x86_insn_read(r->code + r->at, r->func->size - r->at,
				   r->func->start + r->at, &insn)) {
			r->at = UINT32_MAX;
			return;
		}
		if (r->at == off && insn.kind == X86_CALL)
			code_flow_add_entry(r->flow, insn.to);
	}
}

static void search(struct reader *r, const u8 *bytes, u64 start, u64 len)
{
	const u8 *p = bytes, *end = bytes + len;
	u64 pc, to;

	while (end - p >= CALL_BYTES && (p = memchr(p, CALL, (size_t)(end - p) - 4))) {
		pc = start + (u64)(p - bytes);
		to = pc + CALL_BYTES + (u64)(s64)(s32)ustack_le32(p + 1);
		if (code_flow_is_news(r->flow, to))
			read_call(r, pc);
		p++;
	}
}

int synth_code_calls(const struct synth *s, int fd, struct code_flow *f)
{
	_cleanup_(cleanup_free) u8 *bytes = malloc(CHUNK);
	struct reader r = { .s = s, .fd = fd, .flow = f };
	const struct ustack_range *text = s->elf.text;
	u64 at, len;
	u32 i;

	if (!bytes)
		return -ENOMEM;
	for (i = 0; i < s->elf.nr_text; i++) {
		for (at = text[i].start; at < text[i].end; at += CHUNK - CALL_BYTES + 1) {
			len = text[i].end - at < CHUNK ? text[i].end - at : CHUNK;
			if (!elf_read_code(fd, &s->elf, at, bytes, len))
				break;
			search(&r, bytes, at, len);
		}
	}
	free(r.code);
	return 0;
}
