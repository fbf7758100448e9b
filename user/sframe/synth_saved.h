/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * x86-64: a CFA that counts from a register which a callee has saved. ld.so's
 * _dl_runtime_resolve, where every first call through a lazy PLT goes, makes room for
 * as much as the processor has to save, and keeps its frame's address in rbx:
 * CFA = rbx + 32. Sampled, that is known; but all of the work is done in a function
 * that it calls, and of a calling frame no register but SP and FP is.
 *
 * That function saves rbx, at a fixed distance from its own CFA, which is its
 * caller's SP. So for the caller CFA = *(SP - 40) + 32, a rule of ustack's extension.
 * A calling frame is looked up in the last byte of its call, where no sampled pc is:
 * that byte alone gets the rule.
 *
 * Nothing in a walk can tell whether the callee has saved the register yet, so that
 * it has to be proven of every address from which a walk may come there:
 *
 * - It is called directly, by an instruction which is found by decoding the caller
 *   from its start on.
 * - Its CFI says that the register is saved in one place, or not at all. Where it is
 *   not, in a prologue of some bytes, the callee gets a rule that no step believes,
 *   CFA = SP, so that walks end in it (BAD_CFA). Without any rule they would not:
 *   the module guesses there, as in code that has none.
 * - It is left by returns only, by the decoded code: whatever a jump led to would
 *   have the same caller, and the register elsewhere.
 * - The place is not below the 128 bytes under SP that signals leave alone, also in an
 *   epilogue, where SP has moved up and the CFI still says that the register is there.
 *
 * All by CFI and instructions, none by name. What the rule costs others is bounded: if
 * anything but such frames calls the function, all rules are as its CFI says.
 */
#ifndef USTACK_USER_SFRAME_SYNTH_SAVED_H
#define USTACK_USER_SFRAME_SYNTH_SAVED_H

#include "sframe/cfi.h"
#include "sframe/synth.h"

/**
 * struct saved_edit - text whose rules change
 * @start: link-time address
 * @end: the first one behind; both are in one function
 * @unsaved: it counts as a gap: walks end there
 * @rule: what it has now
 */
struct saved_edit {
	u64 start;
	u64 end;
	bool unsaved;
	struct ustack_rule rule;
};

/**
 * struct synth_saved - what was found in a file
 * @edits: ascending, not overlapping
 * @nr: number of @edits
 * @rows: what the functions that were cut have instead of theirs
 */
struct synth_saved {
	struct saved_edit *edits;
	size_t nr;
	struct sframe_row *rows;
};

/**
 * saved_find() - look for such calls
 * @s: its functions are final
 * @fd: the file; borrowed
 * @cfi: the same file; read again, if there are candidates
 * @ret: zeros; freed with saved_release()
 *
 * Return: 0 or -ENOMEM.
 */
int saved_find(const struct synth *s, int fd, struct cfi *cfi,
	       struct synth_saved *ret);

/**
 * saved_apply() - change the functions
 * @s: @s->funcs and @s->gaps are made anew
 * @saved: of @s; has no edits afterwards, and keeps rows of @s->funcs
 *
 * Return: 0 or -ENOMEM.
 */
int saved_apply(struct synth *s, struct synth_saved *saved);

void saved_release(struct synth_saved *saved);

#endif /* USTACK_USER_SFRAME_SYNTH_SAVED_H */
