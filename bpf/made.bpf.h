/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A frame in code that a process made at run time, between the unwinder and the reader of the
 * process's runtime. The frames of such a runtime are native ones, so the unwinder finds them,
 * but no table leads on from them. The unwinder hands out the first one with its registers and
 * stops; the reader knows the rest (decision 0041).
 */
#ifndef USTACK_BPF_MADE_H
#define USTACK_BPF_MADE_H

#include <stdbool.h>

#include <linux/types.h>

#if defined(MADE_FOR_READERS)
#include "lang_maps.bpf.h"
#endif

/* The register of @bx by its DWARF number. */
#define MADE_BX 3u

/**
 * struct made_frame - the frame that was handed out
 * @pc: code address of the frame; 0 if there is none
 * @sp: SP in the frame; after the return of the function that it called, if any
 * @fp: FP in the frame
 * @bx: rbx of the sample; counts only with @sampled
 * @sampled: not 0 if the frame is the interrupted one, so that all registers are those of the
 *           frame
 */
struct made_frame {
	__u64 pc;
	__u64 sp;
	__u64 fp;
	__u64 bx;
	__u64 sampled;
};

/**
 * struct made_beam - generated code of a process with a BEAM
 * @modules: address of the list of modules
 * @nr: number of modules
 * @low: lowest address of generated code
 * @len: bytes from there to the end of such code
 */
struct made_beam {
	__u64 modules;
	__u64 nr;
	__u64 low;
	__u64 len;
};

#if defined(MADE_FOR_READERS)
/* Reads the active list of modules. Return: whether it is there. */
static __always_inline bool made_beam_read(const struct lang_beam *d, struct made_beam *ret)
{
	__u64 low = 0, high[2] = { 0 };
	__u32 index = 0;

	if (bpf_probe_read_user(&index, sizeof(index), (void *)d->index) ||
	    index >= BEAM_CODE_INDEXES ||
	    bpf_probe_read_user(&ret->modules, 2 * sizeof(__u64),
				(void *)(d->ranges + index * BEAM_RANGES_BYTES)) ||
	    !ret->nr || ret->nr > BEAM_MODULES_MOST ||
	    bpf_probe_read_user(&low, sizeof(low), (void *)ret->modules) ||
	    bpf_probe_read_user(high, sizeof(high), (void *)(ret->modules + 16 * (ret->nr - 1))))
		return false;
	if (low > d->normal_exit - BEAM_FRAGMENTS)
		low = d->normal_exit - BEAM_FRAGMENTS;
	if (high[1] < d->normal_exit + BEAM_FRAGMENTS)
		high[1] = d->normal_exit + BEAM_FRAGMENTS;
	ret->low = low;
	ret->len = high[1] - low;
	return true;
}
#endif

/*
 * Whether @pc, in process @tgid, is generated code whose frames a reader knows. Only programs with
 * readers define MADE_FOR_READERS.
 */
static __always_inline bool made_is_wanted(__u32 tgid, __u64 pc)
{
#if defined(MADE_FOR_READERS)
	const struct lang_proc *p = bpf_map_lookup_elem(&lang_procs, &tgid);
	struct made_beam code;

	return p && p->kind == LANG_BEAM && made_beam_read(&p->found.beam, &code) &&
	       pc - code.low < code.len;
#else
	return false;
#endif
}

#endif /* USTACK_BPF_MADE_H */
