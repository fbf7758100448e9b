/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * x86-64: replaces a CFA that counts from a register which a callee has saved. ld.so's
 * _dl_runtime_resolve, through which every first call of a lazy PLT goes, reserves as much
 * stack as the processor's state needs, and keeps its frame's address in rbx:
 * CFA = rbx + 32. A sample in it knows rbx. But all of the work is done in a function that
 * it calls, and of a calling frame only SP and FP are known.
 *
 * That function saves rbx at a fixed distance from its own CFA, which is its caller's SP.
 * So for the caller CFA = *(SP - 40) + 32, a rule of ustack's extension. A calling frame is
 * looked up at the last byte of its call, where no sampled pc is: only that byte gets the
 * rule.
 *
 * An unwinder cannot see whether the callee has saved the register yet, so it must be
 * proven for every address from which an unwind may come there:
 *
 * - It is called directly, by an instruction which is found by decoding the caller
 *   from its start.
 * - Its CFI says that the register is saved in one place, or not at all. Where it is
 *   not, in a prologue of some bytes, the callee gets a rule that no step believes,
 *   CFA = SP, so that unwinds end there (BAD_CFA). Without any rule they would not:
 *   the module guesses there, as in code that has none.
 * - It is left by returns only, according to its code: the target of a jump would have
 *   the same caller, but the register elsewhere.
 * - The place is not lower than the 128 bytes below SP that signals leave alone, also in an
 *   epilogue, where SP has moved up and the CFI still says that the register is there.
 *
 * All this is found by CFI and instructions, not by name. Others lose nothing by the rule:
 * if any other frame calls the function, all rules stay as the CFI has them.
 */
#ifndef USTACK_USER_SFRAME_SYNTH_SAVED_H
#define USTACK_USER_SFRAME_SYNTH_SAVED_H

#include "sframe/cfi.h"
#include "sframe/synth.h"

/**
 * struct saved_edit - text whose rules change
 * @start: link-time address
 * @end: the first address after it; both are in one function
 * @unsaved: the text also counts as a gap, as unwinds end there
 * @rule: the new rule
 */
struct saved_edit {
	u64 start;
	u64 end;
	bool unsaved;
	struct ustack_rule rule;
};

/**
 * struct synth_saved - the edits of a file
 * @edits: ascending, not overlapping
 * @nr: number of @edits
 * @rows: rows of the functions that were cut, after saved_apply()
 */
struct synth_saved {
	struct saved_edit *edits;
	size_t nr;
	struct sframe_row *rows;
};

/**
 * saved_find() - find such calls
 * @s: the file's functions, complete
 * @fd: the file; borrowed
 * @cfi: CFI of the same file; read again if there are candidates
 * @ret: zeros; freed with saved_release()
 *
 * Return: 0 or -ENOMEM.
 */
int saved_find(const struct synth *s, int fd, struct cfi *cfi,
	       struct synth_saved *ret);

/**
 * saved_apply() - change the functions
 * @s: @s->funcs and @s->gaps are replaced
 * @saved: edits of @s; has none afterwards, and owns rows of @s->funcs
 *
 * Return: 0 or -ENOMEM.
 */
int saved_apply(struct synth *s, struct synth_saved *saved);

void saved_release(struct synth_saved *saved);

#endif /* USTACK_USER_SFRAME_SYNTH_SAVED_H */
