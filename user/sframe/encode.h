/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Functions and their rules as the bytes of one .sframe section, laid out as GNU
 * ld does: header, function entries in ascending order, rows. What the core reads
 * from the result is what was given, rule by rule.
 *
 * What a version cannot say is never approximated: the function is left out, and
 * the caller is told which one and why. Libraries only: nothing is printed.
 */
#ifndef USTACK_USER_SFRAME_ENCODE_H
#define USTACK_USER_SFRAME_ENCODE_H

#include "sframe/func.h"
#include "util/diag.h"

/*
 * SFRAME_CAUSE(name, sentence): why a function is left out. OVERLAP and START_RANGE
 * depend on the functions around it and on where the section is, all others on the
 * function alone.
 */
#define SFRAME_CAUSES(SFRAME_CAUSE)					\
	/* no version: the function is not one */			\
	SFRAME_CAUSE(EMPTY, "it has no text or no rows")		\
	SFRAME_CAUSE(ADDRESS, "it ends behind the last address or starts "	\
		     "inside an instruction")				\
	SFRAME_CAUSE(ROW_ORDER, "its rows do not ascend from 0 to within its "	\
		     "text, or its repeating block")			\
	SFRAME_CAUSE(BAD_RULE, "a rule that no frame can have")		\
	SFRAME_CAUSE(BAD_REGISTER, "a rule names a register that the "	\
		     "architecture does not have")			\
	SFRAME_CAUSE(OVERLAP, "it starts inside another function")	\
	/* no version can say it */					\
	SFRAME_CAUSE(CFA_ADD, "the CFA is a word in memory plus an offset")	\
	SFRAME_CAUSE(VALUE, "the caller's FP is an offset from the CFA, not "	\
		     "a saved word")					\
	SFRAME_CAUSE(SIGNAL_ROWS, "some rows are a signal frame's, and the "	\
		     "function is none")				\
	/* version 3 cannot */						\
	SFRAME_CAUSE(MANY_ROWS, "it has more than 65,535 rows")		\
	/* version 2 cannot */						\
	SFRAME_CAUSE(SIGNAL, "version 2 has no mark for a signal frame")	\
	SFRAME_CAUSE(FLEX_CFA, "version 2 has only CFA = SP + offset and "	\
		     "FP + offset")					\
	SFRAME_CAUSE(FLEX_RA, "version 2 has no place for where the return "	\
		     "address is")					\
	SFRAME_CAUSE(FLEX_FP, "version 2 has no place for where the caller's "	\
		     "FP is")						\
	SFRAME_CAUSE(FP_ALONE, "version 2 cannot say that FP is saved and the "	\
		     "return address is not (AArch64)")			\
	SFRAME_CAUSE(START_RANGE, "version 2 has 32 bits for the distance "	\
		     "from the section")

/* Numbers of causes; SFRAME_ENCODED is none. */
enum sframe_cause {
	SFRAME_ENCODED,
#define SFRAME_CAUSE_ENUM(name, sentence) SFRAME_##name,
	SFRAME_CAUSES(SFRAME_CAUSE_ENUM)
#undef SFRAME_CAUSE_ENUM
	SFRAME_NR_CAUSES,
};

/**
 * struct sframe_verdict - what became of one function
 * @cause: SFRAME_ENCODED, or why it was left out
 * @at: of a cause in a rule or of ROW_ORDER the index of the row; of OVERLAP the
 *      index of the other function, which was encoded; else 0
 */
struct sframe_verdict {
	enum sframe_cause cause;
	u32 at;
};

/* "CFA_ADD", for counters and JSON; NULL if there is no such cause. */
const char *sframe_cause_name(unsigned int cause);
/* The sentence, without a full stop; NULL if there is no such cause. */
const char *sframe_cause_text(unsigned int cause);

/* Versions that can be written. */
static inline bool sframe_encode_version(unsigned int version)
{
	return version == 2 || version == 3;
}

/**
 * sframe_encodable() - whether a version can say all of a function
 * @func: any; its rows are read once
 * @arch: what it was compiled for
 * @version: 2 or 3
 *
 * Return: the verdict; never OVERLAP or START_RANGE, as it knows neither the
 * other functions nor the section's address.
 */
struct sframe_verdict sframe_encodable(const struct sframe_func *func,
				       const struct ustack_arch *arch,
				       unsigned int version);

/**
 * struct sframe_format - what to write
 * @arch: AMD64 or AArch64, little endian
 * @version: 3 or 2
 * @section_anchor: of version 2: starts count from the section, as binutils 2.41
 *                  to 2.44 have them, instead of from their own field, as 2.45
 *                  and later and the kernel. Version 3 knows only the latter.
 *                  Binutils that old do not know outermost rows, and show a rule
 * @vaddr: link-time address of the section
 * @extended: of version 3: with ustack's extension 1 (sframe_format.h), which the
 *            module and ustack's own commands read, and no other tool. Then CFA_ADD
 *            is no cause
 */
struct sframe_format {
	const struct ustack_arch *arch;
	unsigned int version;
	bool section_anchor;
	u64 vaddr;
	bool extended;
};

/**
 * struct sframe_encoded - a section
 * @bytes: the section, in exactly @len bytes
 * @len: not above USTACK_MAX_SECTION
 * @nr_funcs: functions in it
 * @nr_rows: their rows
 * @nr_refused: functions that were left out
 */
struct sframe_encoded {
	u8 *bytes;
	u32 len;
	u32 nr_funcs;
	u32 nr_rows;
	u32 nr_refused;
};

#define SFRAME_ENCODED_INIT { .bytes = NULL }

/**
 * sframe_encode() - write a section
 * @fmt: what to write
 * @funcs: in any order, borrowed for the call
 * @nr: number of @funcs
 * @verdicts: @nr verdicts to be filled, in the order of @funcs; NULL if only
 *            @ret->nr_refused matters
 * @ret: holds SFRAME_ENCODED_INIT; released by sframe_encoded_release().
 *       @ret->nr_refused is also set on ENODATA
 * @diag: may be NULL; names the first function at fault when none is left
 *
 * Of functions that overlap the one that starts first stays, of equal starts the
 * one that comes first in @funcs. The same functions in the same order give the
 * same bytes. Takes 24 bytes of memory a function beside the result.
 *
 * Two things a reader may refuse although they are encoded: the core takes a
 * repeating block that starts with CFA = SP + 16 for a known linker bug, and text
 * of more than 4 GiB between the first and the last function for an error.
 *
 * Return: 0, also when functions were left out; -EINVAL for a format that there
 * is not, -ENODATA when no function is left, -EFBIG when the section would be
 * longer than any reader of ours takes, -ENOMEM.
 */
int sframe_encode(const struct sframe_format *fmt,
		  const struct sframe_func *funcs, u32 nr,
		  struct sframe_verdict *verdicts, struct sframe_encoded *ret,
		  struct diag *diag);

/* Accepts SFRAME_ENCODED_INIT, and leaves it. */
void sframe_encoded_release(struct sframe_encoded *s);

#endif /* USTACK_USER_SFRAME_ENCODE_H */
