/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds modules and functions of the BEAM in a process's memory, by code address. */
#ifndef USTACK_USER_LANG_BEAM_MODULE_H
#define USTACK_USER_LANG_BEAM_MODULE_H

#include <stdbool.h>

#include "core.h"
#include "lang.h"
#include "symbols/lang/memory.h"
#include "util/range.h"

/* Largest number of functions in a module that is read. */
#define BEAM_FUNCTIONS_MOST 65536u
/* Bytes of a function's description, which is in front of its code. */
#define BEAM_FUNCTION_HEAD 40u

/**
 * struct beam_module - a module in memory
 * @start: address of its header
 * @end: address after its data
 * @lines: address of its table of lines; 0 if it has none
 * @function: addresses of functions, and the address after the last one; owned
 * @nr: number of functions, not 0
 */
struct beam_module {
	u64 start;
	u64 end;
	u64 lines;
	u64 *function;
	u32 nr;
};

#define BEAM_MODULE_INIT { .function = NULL }

enum beam_state {
	BEAM_FOUND,
	BEAM_STALE,	/* another module is at the address, or none */
	BEAM_UNREADABLE,	/* the memory is missing */
};

/**
 * beam_module_find() - find the module of a code address
 * @m: the process's memory
 * @d: where its modules are
 * @pc: the address
 * @ret: gets the fingerprint of the module, as bpf/lang_beam.bpf.h computes it
 */
enum beam_state beam_module_find(const struct lang_memory *m, const struct lang_beam *d, u64 pc,
				 struct lang_beam_print *ret);

/*
 * Reads the functions of the module with this fingerprint; @ret starts as BEAM_MODULE_INIT and
 * is released in any case. Return: whether they are there and in order.
 */
bool beam_module_read(const struct lang_memory *m, const struct lang_beam_print *p,
		      struct beam_module *ret);
void beam_module_release(struct beam_module *mod);

/* Return: index of the function that @pc is in; @mod->nr if it is in none. */
u32 beam_module_function(const struct beam_module *mod, u64 pc);

#endif /* USTACK_USER_LANG_BEAM_MODULE_H */
