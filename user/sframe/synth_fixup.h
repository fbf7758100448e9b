/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Corrects CFI that is wrong in every copy of a library, where the code proves what would
 * be right. The functions are found by their instructions, never by name: stock libraries
 * are stripped.
 *
 * glibc on AArch64: PLT0 pushes 16 bytes, x16 and the return address, and jumps to
 * _dl_runtime_resolve, or to _dl_runtime_profile if there is an auditor. Their CFI does not
 * count these bytes, so that each CFA is 16 bytes too low and each return address at
 * CFA + 8. The rules of the first function are corrected. The second's last rows are wrong
 * in other ways, too: it is left out.
 */
#ifndef USTACK_USER_SFRAME_SYNTH_FIXUP_H
#define USTACK_USER_SFRAME_SYNTH_FIXUP_H

#include "sframe/cfi.h"
#include "sframe/synth.h"

/* Bytes that PLT0 pushes. */
#define FIXUP_PUSHED 16

/**
 * struct fixup - the file whose FDEs are checked
 * @fd: the file, borrowed
 * @elf: headers of the file, borrowed
 * @resolver_end: the first address after _dl_runtime_resolve, 0 until it is found
 */
struct fixup {
	int fd;
	const struct ustack_elf *elf;
	u64 resolver_end;
};

/**
 * fixup_is_resolver() - whether an FDE is that of _dl_runtime_resolve
 * @m: the file; FDEs come in its order
 * @fde: an FDE with status CFI_GOOD
 *
 * The function's last two instructions pop x30, from the place that its rows give for the
 * return address, and jump: the popped bytes are no part of the caller's frame.
 */
bool fixup_is_resolver(struct fixup *m, const struct cfi_fde *fde);

/* Corrects a rule of one of its rows. */
void fixup_rule(struct ustack_rule *rule);

/**
 * fixup_is_profiler() - whether an FDE is that of _dl_runtime_profile
 * @m: has met _dl_runtime_resolve
 * @fde: an FDE with status CFI_GOOD
 *
 * It follows _dl_runtime_resolve, and adds 16 bytes more to SP than it subtracts.
 */
bool fixup_is_profiler(const struct fixup *m, const struct cfi_fde *fde);

#endif /* USTACK_USER_SFRAME_SYNTH_FIXUP_H */
