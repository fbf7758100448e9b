/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a stripped Ruby does not export, found in the machine code of small functions that it does:
 * rb_errinfo() loads the thread's execution context, rb_id2str() looks into the table of symbols,
 * and rb_iseq_eval() and rb_iseq_eval_main() have one callee in common that is no import. x86-64.
 */
#ifndef USTACK_USER_LANG_RUBY_MACHINE_H
#define USTACK_USER_LANG_RUBY_MACHINE_H

#include "symbols/lang/elf.h"
#include "util/range.h"

/**
 * struct ruby_places - what was found, all of it link-time addresses and offsets
 * @tls: the pair of words that the loader fills for the TLS variable with the execution context
 * @tls_more: added to the second of these
 * @errinfo: offset of a field of the execution context: tells layouts apart
 * @symbols: the table of symbols
 * @vm_exec: function that C code calls to run Ruby's code
 * @vm_exec_core: function that it has the code run by; all 0 if it is not known
 */
struct ruby_places {
	u64 tls;
	u64 tls_more;
	u32 errinfo;
	u64 symbols;
	struct range vm_exec;
	struct range vm_exec_core;
};

/* Return: NULL, or why frames cannot be read, a sentence. */
const char *ruby_machine_read(const struct lang_elf *e, struct ruby_places *ret);

#endif /* USTACK_USER_LANG_RUBY_MACHINE_H */
