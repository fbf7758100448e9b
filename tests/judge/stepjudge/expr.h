/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Evaluation of DWARF expressions. It was written from the DWARF standard (version 5, sections
 * 2.5 and 2.6) for the judge only. It shares nothing with user/sframe/cfi_expr.c, which
 * recognises forms and computes nothing.
 */
#ifndef USTACK_STEPJUDGE_EXPR_H
#define USTACK_STEPJUDGE_EXPR_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

/**
 * struct expr_frame - the frame that an expression refers to
 * @regs: registers by DWARF number
 * @nr_regs: number of entries in @regs, up to 64
 * @cfa: value of DW_OP_call_frame_cfa, if @has_cfa
 * @has_cfa: false while the CFA itself is computed
 * @used: bit n is set for each register n that was read; the caller clears it
 * @read: reads eight bytes of memory
 * @arg: argument of @read
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
 * expr_value() - compute an expression
 * @f: the frame
 * @ops: operations, as libdw has parsed them
 * @nr: number of operations, not 0
 * @ret: written on success only
 *
 *  Return: NULL, or the name of the operation that is not supported.
 */
const char *expr_value(struct expr_frame *f, const Dwarf_Op *ops, size_t nr,
		       uint64_t *ret);

/**
 * expr_object() - the value at the location that an expression describes
 *
 * Works as expr_value(), which it calls. If the result is a location, the answer is the word
 * there: in memory, in a register, or, with DW_OP_stack_value, the result itself.
 */
const char *expr_object(struct expr_frame *f, const Dwarf_Op *ops, size_t nr,
			uint64_t *ret);

#endif /* USTACK_STEPJUDGE_EXPR_H */
