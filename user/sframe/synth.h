/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Makes SFrame from call frame information: a file's .eh_frame as functions with rules,
 * and as a section. If CFI of AArch64 is missing or wrong, the code is read: synth_leaf.h,
 * synth_fixup.h. If CFI of x86-64 needs a register that an unwinder does not have, the
 * section for the module gets another rule: synth_saved.h. Go programs have a table of
 * their own instead: synth_go.h. x86-64 code that no table describes is analysed itself:
 * synth_code.h.
 *
 *	struct synth s = SYNTH_INIT;
 *	err = synth_read(&s, fd, path, &diag);		s.funcs, s.gaps
 *	err = err ?: synth_encode(&s, 3, &sec, &diag);	sec.bytes, sec.vaddr
 *	synth_section_release(&sec);
 *	synth_release(&s);
 */
#ifndef USTACK_USER_SFRAME_SYNTH_H
#define USTACK_USER_SFRAME_SYNTH_H

#include "sframe/func.h"
#include "util/diag.h"

enum synth_cause {
#define SYNTH_CAUSE(name, sentence) SYNTH_##name,
#include "sframe/synth.def"
#undef SYNTH_CAUSE
	SYNTH_NR_CAUSES,
};

/* The cause's name, such as "CFA_EXPRESSION". */
const char *synth_cause_name(enum synth_cause cause);
/* The cause as a sentence: "its CFA is an expression that no rule can say". */
const char *synth_cause_text(enum synth_cause cause);

/**
 * struct synth_gap - code that has CFI but gets no rules
 * @start: link-time address
 * @size: number of bytes
 * @fde: offset of its entry in the CFI section
 * @cause: why it gets none
 */
struct synth_gap {
	u64 start;
	u64 size;
	u64 fde;
	enum synth_cause cause;
};

/**
 * struct synth - a file's functions
 * @arch: the file's architecture
 * @elf: the file's headers, as the core reads them
 * @funcs: functions, ascending, not overlapping
 * @nr_funcs: number of @funcs
 * @gaps: functions that were left out, in no order
 * @nr_gaps: number of @gaps
 * @cfi_bytes: bytes of text that have CFI, or are a vDSO's or Go's functions,
 *             @gaps included
 * @code_bytes: bytes of text without any table that have rules derived from the code
 * @section_bytes: sum of the lengths of the CFI sections
 */
struct synth {
	const struct ustack_arch *arch;
	struct ustack_elf elf;
	struct sframe_func *funcs;
	size_t nr_funcs;
	struct synth_gap *gaps;
	size_t nr_gaps;
	u64 cfi_bytes;
	u64 code_bytes;
	u64 section_bytes;

	/* private: the functions' rows, and edits of rules for the module (synth_saved.h) */
	struct synth_rows *rows;
	struct synth_saved *saved;
};

#define SYNTH_INIT { .arch = NULL }

/* Number and bytes of gaps, by cause. */
struct synth_lost {
	u64 funcs[SYNTH_NR_CAUSES];
	u64 bytes[SYNTH_NR_CAUSES];
};

/* Whether gaps of this cause are text without rules. They are not if another function
 * covers the code, or if it is no code.
 */
static inline bool synth_cause_is_text(enum synth_cause cause)
{
	return cause != SYNTH_OVERLAP && cause != SYNTH_OUTSIDE_TEXT;
}

/* Sums up @s->gaps. */
void synth_sum_lost(const struct synth *s, struct synth_lost *ret);

/* @s->gaps as @s->nr_gaps ascending ranges; the caller frees them. NULL: no memory. */
struct ustack_range *synth_sorted_gaps(const struct synth *s);

/**
 * synth_read() - translate a file's CFI
 * @s: holds SYNTH_INIT; released by synth_release(), also after a failure
 * @fd: the ELF file, open for reading; borrowed, its position does not matter
 * @path: for messages; must outlive @s
 * @diag: may be NULL
 *
 * A file without CFI is a success without functions.
 *
 * Return: 0; a negative errno; -EBADMSG if the file is not an ELF file that we read.
 */
int synth_read(struct synth *s, int fd, const char *path, struct diag *diag);

/**
 * struct synth_section - a synthesized section
 * @bytes: malloc'd; NULL if there is no function
 * @len: number of @bytes
 * @vaddr: link-time address that the contents assume it to be at
 * @functions: number of functions in it
 * @rows: number of rows in it
 */
struct synth_section {
	u8 *bytes;
	u32 len;
	u64 vaddr;
	u32 functions;
	u32 rows;
};

#define SYNTH_SECTION_INIT { .bytes = NULL }

/**
 * synth_encode() - make a section
 * @s: read; functions that the version cannot express are added to @s->gaps
 * @version: 2 or 3; SYNTH_MODULE for a section that only the module reads: version 3
 *           with ustack's extension
 * @ret: holds SYNTH_SECTION_INIT; released by synth_section_release()
 * @diag: may be NULL
 *
 * Return: 0, also if no function is left; -ENOMEM; -EFBIG if the section would
 * exceed USTACK_MAX_SECTION.
 */
#define SYNTH_MODULE 0x103u

int synth_encode(struct synth *s, unsigned int version,
		 struct synth_section *ret, struct diag *diag);

void synth_section_release(struct synth_section *sec);
void synth_release(struct synth *s);

#endif /* USTACK_USER_SFRAME_SYNTH_H */
