/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * CFI that is wrong in every copy of a library, where the code proves what is
 * right. Found by instructions, never by name: stock libraries are stripped.
 *
 * glibc on AArch64: PLT0 pushes 16 bytes, x16 and the return address, and goes on
 * to _dl_runtime_resolve, or _dl_runtime_profile if there is an auditor. Their CFI
 * counts from there, so that each CFA is 16 bytes too low and each return address
 * at CFA + 8. The first is mended. The second's is also wrong in its last rows, in
 * other ways: it is left out.
 */
#ifndef USTACK_USER_SFRAME_SYNTH_MEND_H
#define USTACK_USER_SFRAME_SYNTH_MEND_H

#include "sframe/cfi.h"
#include "sframe/synth.h"

/* What PLT0 pushes */
#define MEND_PUSHED 16

/**
 * struct mend - a file that is looked at
 * @fd: borrowed
 * @elf: its headers, borrowed
 * @resolver_end: the first address behind _dl_runtime_resolve, 0 until it is met
 */
struct mend {
	int fd;
	const struct ustack_elf *elf;
	u64 resolver_end;
};

/**
 * mend_forgot_push() - whether an FDE is that of _dl_runtime_resolve
 * @m: the file; FDEs come in its order
 * @fde: good
 *
 * Its last two instructions take x30 off the stack, from where its rows say that
 * the return address is, and jump: what they take is no part of the caller's frame.
 */
bool mend_forgot_push(struct mend *m, const struct cfi_fde *fde);

/* The rule of one of its rows, put right. */
void mend_rule(struct ustack_rule *rule);

/**
 * mend_is_profiler() - whether an FDE is that of _dl_runtime_profile
 * @m: has met _dl_runtime_resolve
 * @fde: good
 *
 * It lies behind the other, and gives back 16 bytes more than it takes.
 */
bool mend_is_profiler(const struct mend *m, const struct cfi_fde *fde);

#endif /* USTACK_USER_SFRAME_SYNTH_MEND_H */
