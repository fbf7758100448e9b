/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Encodes functions and their rules as one .sframe section, laid out as GNU ld
 * does: header, function entries in ascending order, rows. The core reads exactly
 * the rules that were given.
 *
 * If a version cannot express a function it is never approximated: the function is
 * left out, and the caller learns which one and why. Nothing is printed.
 */
#ifndef USTACK_USER_SFRAME_ENCODE_H
#define USTACK_USER_SFRAME_ENCODE_H

#include "sframe/func.h"
#include "util/diag.h"

/*
 * SFRAME_CAUSE(name, sentence): why a function is left out. OVERLAP and START_RANGE
 * depend on the functions around it and on the section's address, all others on the
 * function alone.
 */
#define SFRAME_CAUSES(SFRAME_CAUSE)					\
	/* the function is not valid in any version */			\
	SFRAME_CAUSE(EMPTY, "it has no text or no rows")		\
	SFRAME_CAUSE(ADDRESS, "it ends after the last address or starts "	\
		     "inside an instruction")				\
	SFRAME_CAUSE(ROW_ORDER, "its rows do not ascend from 0 to within its "	\
		     "text, or its repeating block")			\
	SFRAME_CAUSE(BAD_RULE, "a rule that no frame can have")		\
	SFRAME_CAUSE(BAD_REGISTER, "a rule names a register that the "	\
		     "architecture does not have")			\
	SFRAME_CAUSE(OVERLAP, "it starts inside another function")	\
	/* no version can express it */					\
	SFRAME_CAUSE(CFA_ADD, "the CFA is a word in memory plus an offset")	\
	SFRAME_CAUSE(VALUE, "the caller's FP is an offset from the CFA, not "	\
		     "a saved word")					\
	SFRAME_CAUSE(SIGNAL_ROWS, "some rows are a signal frame's, but the "	\
		     "function is not one")				\
	/* version 3 cannot express it */				\
	SFRAME_CAUSE(MANY_ROWS, "it has more than 65,535 rows")		\
	/* version 2 cannot express it */				\
	SFRAME_CAUSE(SIGNAL, "version 2 has no mark for a signal frame")	\
	SFRAME_CAUSE(FLEX_CFA, "version 2 has only CFA = SP + offset and "	\
		     "FP + offset")					\
	SFRAME_CAUSE(FLEX_RA, "version 2 cannot express where the "		\
		     "return address is")				\
	SFRAME_CAUSE(FLEX_FP, "version 2 cannot express where the "		\
		     "caller's FP is")					\
	SFRAME_CAUSE(FP_ALONE, "version 2 cannot express that FP is saved "	\
		     "and the return address is not (AArch64)")		\
	SFRAME_CAUSE(START_RANGE, "version 2 has 32 bits for the distance "	\
		     "from the section")

/* Numbers of causes; SFRAME_ENCODED means that there is none. */
enum sframe_cause {
	SFRAME_ENCODED,
#define SFRAME_CAUSE_ENUM(name, sentence) SFRAME_##name,
	SFRAME_CAUSES(SFRAME_CAUSE_ENUM)
#undef SFRAME_CAUSE_ENUM
	SFRAME_NR_CAUSES,
};

/**
 * struct sframe_verdict - the result for one function
 * @cause: SFRAME_ENCODED, or why it was left out
 * @at: for a cause in a rule or for ROW_ORDER, index of the row; for OVERLAP, index
 *      of the other function, which was encoded; else 0
 */
struct sframe_verdict {
	enum sframe_cause cause;
	u32 at;
};

/* The cause's name, such as "CFA_ADD", for counters and JSON; NULL if there is none. */
const char *sframe_cause_name(unsigned int cause);
/* The sentence, without a full stop; NULL if there is no such cause. */
const char *sframe_cause_text(unsigned int cause);

/* Whether this version can be written. */
static inline bool sframe_encode_version(unsigned int version)
{
	return version == 2 || version == 3;
}

/**
 * sframe_encodable() - whether a version can express a whole function
 * @func: any function; its rows are read once
 * @arch: architecture of its code
 * @version: 2 or 3
 *
 * Return: the verdict; never OVERLAP or START_RANGE, as it knows neither the
 * other functions nor the section's address.
 */
struct sframe_verdict sframe_encodable(const struct sframe_func *func,
				       const struct ustack_arch *arch,
				       unsigned int version);

/**
 * struct sframe_format - kind of section to write
 * @arch: AMD64 or AArch64, little endian
 * @version: 3 or 2
 * @section_anchor: only for version 2: starts count from the section, as in
 *                  binutils 2.41 to 2.44, instead of from their own field, as in
 *                  2.45 and later and in the kernel. Version 3 has only the latter.
 *                  Binutils that old do not know outermost rows, and show a rule
 * @vaddr: link-time address of the section
 * @extended: only for version 3: use ustack's extension 1 (sframe_format.h), which
 *            the module and ustack's own commands read, and no other tool. It can
 *            express rules that CFA_ADD stands for
 */
struct sframe_format {
	const struct ustack_arch *arch;
	unsigned int version;
	bool section_anchor;
	u64 vaddr;
	bool extended;
};

/**
 * struct sframe_encoded - a section that was written
 * @bytes: the section, in exactly @len bytes
 * @len: number of @bytes, not above USTACK_MAX_SECTION
 * @nr_funcs: number of functions in it
 * @nr_rows: number of their rows
 * @nr_refused: number of functions that were left out
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
 * @fmt: kind of section
 * @funcs: in any order, borrowed for the call
 * @nr: number of @funcs
 * @verdicts: array of @nr that receives a verdict for each of @funcs; NULL if only
 *            @ret->nr_refused matters
 * @ret: holds SFRAME_ENCODED_INIT; released by sframe_encoded_release().
 *       @ret->nr_refused is also set on ENODATA
 * @diag: may be NULL; names the first refused function if none is left
 *
 * If functions overlap, the one that starts first is kept; if starts are equal, the
 * one that comes first in @funcs. The same functions in the same order give the same
 * bytes. Besides the result it takes 24 bytes of memory for each function.
 *
 * Readers may refuse two things although they are encoded: the core takes a
 * repeating block that starts with CFA = SP + 16 for a known linker bug, and text of
 * more than 4 GiB between the first and the last function for an error.
 *
 * Return: 0, also if functions were left out; -EINVAL for an unknown format, -ENODATA
 * if no function is left, -EFBIG if the section would be longer than our readers
 * accept, -ENOMEM.
 */
int sframe_encode(const struct sframe_format *fmt,
		  const struct sframe_func *funcs, u32 nr,
		  struct sframe_verdict *verdicts, struct sframe_encoded *ret,
		  struct diag *diag);

/* Accepts SFRAME_ENCODED_INIT, and sets @s to it. */
void sframe_encoded_release(struct sframe_encoded *s);

#endif /* USTACK_USER_SFRAME_ENCODE_H */
