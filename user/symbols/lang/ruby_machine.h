/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds what a stripped Ruby does not export, in the machine code of small functions that
 * it exports: rb_errinfo() loads the thread's execution context, rb_id2str() looks into
 * the symbol table, and rb_iseq_eval() and rb_iseq_eval_main() have one internal callee
 * in common. Only for x86-64.
 */
#ifndef USTACK_USER_LANG_RUBY_MACHINE_H
#define USTACK_USER_LANG_RUBY_MACHINE_H

#include "symbols/lang/elf.h"
#include "util/range.h"

/**
 * struct ruby_places - link-time addresses and offsets that were found
 * @tls: address of the two words that the loader sets for the TLS variable with the
 *       execution context
 * @tls_more: added to the second of these words
 * @errinfo: offset of a field of the execution context, which differs between layouts
 * @symbols: address of the symbol table
 * @vm_exec: function that C code calls to run Ruby code
 * @vm_exec_core: function that vm_exec calls to run it; all 0 if not known
 */
struct ruby_places {
	u64 tls;
	u64 tls_more;
	u32 errinfo;
	u64 symbols;
	struct range vm_exec;
	struct range vm_exec_core;
};

/* Return: NULL, or the reason why frames cannot be read, a sentence. */
const char *ruby_machine_read(const struct lang_elf *e, struct ruby_places *ret);

#endif /* USTACK_USER_LANG_RUBY_MACHINE_H */
