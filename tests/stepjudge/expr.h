/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * DWARF expressions, evaluated. Written from the DWARF standard (version 5, section
 * 2.5 and 2.6), for the judge alone: it shares nothing with user/sframe/cfi_expr.c,
 * which recognises forms and computes nothing.
 */
#ifndef USTACK_STEPJUDGE_EXPR_H
#define USTACK_STEPJUDGE_EXPR_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

/**
 * struct expr_frame - the frame that an expression is about
 * @regs: by DWARF number
 * @nr_regs: of them, up to 64
 * @cfa: for DW_OP_call_frame_cfa, if @has_cfa
 * @has_cfa: false while the CFA itself is computed
 * @used: grows: bit n for each register n that was read
 * @read: eight bytes of memory; @arg is for it
 * @arg: see @read
 */
struct expr_frame {
	const uint64_t *regs;
	unsigned int nr_regs;
	uint64_t cfa;
	bool has_cfa;
	uint64_t used;
	bool (*read)(void *arg, uint64_t addr, uint64_t *ret);
	void *arg;
};

/**
 * expr_value() - what an expression computes
 * @f: the frame
 * @ops: as libdw has parsed them
 * @nr: of them, not 0
 * @ret: written on success only
 *
 * Return: NULL, or the name of what it cannot do.
 */
const char *expr_value(struct expr_frame *f, const Dwarf_Op *ops, size_t nr,
		       uint64_t *ret);

/**
 * expr_object() - what is at the location that an expression describes
 *
 * As expr_value(), which it calls; of a location the word there is the answer:
 * in memory, in a register, or with DW_OP_stack_value nowhere.
 */
const char *expr_object(struct expr_frame *f, const Dwarf_Op *ops, size_t nr,
			uint64_t *ret);

#endif /* USTACK_STEPJUDGE_EXPR_H */
