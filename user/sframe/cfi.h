/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The call frame information of an ELF file, as rows: .eh_frame, .debug_frame,
 * or both.
 *
 *	struct cfi *cfi;
 *	struct cfi_fde fde;
 *
 *	err = cfi_new(path, &cfi, &diag);
 *	while ((err = cfi_next(cfi, &fde)) > 0)
 *		...				fde.status first, then fde.rows
 *	cfi_free(cfi);
 *
 * Everything is untrusted. A wrong entry is lost without its neighbours. Memory
 * holds the sections and the rows of one function. Elfutils reads the containers
 * (sections, compression, CIE and FDE). The programs in them are run here, each
 * in one pass, because libdw's interpreter returns the rules of one pc and starts
 * anew for each. The tests compare this reader with libdw.
 */
#ifndef USTACK_USER_SFRAME_CFI_H
#define USTACK_USER_SFRAME_CFI_H

#include "core.h"
#include "util/diag.h"

/* Largest section in bytes: cursors count in 32 bits, and a compressed section may
 * claim to be of any size. The largest known .eh_frame has 40 MB.
 */
#define CFI_MAX_SECTION (1u << 30)
/* Rows of one FDE, 72 bytes each; FDEs of libraries have some thousands. */
#define CFI_MAX_ROWS (1u << 18)
/* Depth of nested DW_CFA_remember_state; compilers nest two. */
#define CFI_MAX_DEPTH 32

/* The place that a value comes from. */
enum cfi_how {
	CFI_UNDEFINED,	/* nowhere; for the RA it means: there is no caller */
	CFI_SAME,	/* it is unchanged, or the CFI has no rule for it */
	CFI_OFFSET,	/* *(CFA + off) */
	CFI_VAL_OFFSET,	/* CFA + off */
	CFI_REGISTER,	/* register reg + off; off is 0 except in a CFA */
	CFI_EXPR,	/* *(expr) */
	CFI_VAL_EXPR,	/* expr */
};

/**
 * struct cfi_rule - one column of a row
 * @how: enum cfi_how
 * @reg: DWARF register number for CFI_REGISTER, else 0
 * @expr_len: number of bytes of @expr, else 0
 * @off: offset in bytes; enum cfi_how says how it is used
 * @expr: DWARF expression, borrowed until cfi_free(); read it with cfi_expr.h
 */
struct cfi_rule {
	u8 how;
	u8 pad;
	u16 reg;
	u32 expr_len;
	union {
		s64 off;
		const u8 *expr;
	};
};

/**
 * struct cfi_row - the rules from @pc to the next row's pc or the FDE's end
 * @pc: link-time address
 * @cfa: CFI_REGISTER or CFI_VAL_EXPR; CFI_UNDEFINED where the CFI has no rule for
 *       the CFA or contradicts itself
 * @ra: rule of the CIE's return address column; CFI_SAME on AArch64 means the
 *      register of that column, on AMD64 it means nothing
 * @fp: rule of FP; CFI_SAME if the CFI has none, as in both ABIs
 * @sp: rule of SP; CFI_VAL_OFFSET 0 if the CFI has none, as in both ABIs
 *
 * AArch64's signing of return addresses is not part of a row.
 */
struct cfi_row {
	u64 pc;
	struct cfi_rule cfa;
	struct cfi_rule ra;
	struct cfi_rule fp;
	struct cfi_rule sp;
};

enum cfi_status {
	CFI_GOOD,
	CFI_LOST,	/* cannot be read: @why, @bad_off */
	CFI_EMPTY,	/* covers no byte */
	CFI_DISCARDED,	/* address 0 or all ones: the linker dropped the code */
};

/**
 * struct cfi_fde - one function's entry
 * @status: unless it is CFI_GOOD no field below @offset is set, except that
 *          addresses are set as far as they could be read
 * @section: ".eh_frame" or ".debug_frame"
 * @offset: offset of the entry in the section
 * @why: a sentence, static; NULL unless CFI_LOST
 * @bad_off: offset in the section of the bytes that @why is about
 * @start: link-time address of the function
 * @end: the first address after the function, above @start
 * @signal: callers of this code were interrupted by a signal
 * @ra_reg: the CIE's return address column, by DWARF number
 * @overlap: the entry is in .debug_frame, and .eh_frame covers some of the same
 *           addresses; there .eh_frame wins
 * @nr_rows: number of @rows, not 0
 * @rows: in ascending order, the first at @start, all below @end; adjacent ones
 *        differ. Valid until the next cfi_next()
 */
struct cfi_fde {
	enum cfi_status status;
	const char *section;
	u64 offset;
	const char *why;
	u64 bad_off;
	u64 start;
	u64 end;
	bool signal;
	bool overlap;
	u16 ra_reg;
	u32 nr_rows;
	const struct cfi_row *rows;
};

/* Counts of the FDEs read so far, by status, and of their rows. */
struct cfi_stats {
	u64 good;
	u64 lost;
	u64 empty;
	u64 discarded;
	u64 overlaps;
	u64 rows;
	u64 bytes;	/* sum of the lengths of all sections */
};

struct cfi;

/**
 * cfi_new() - open an ELF file
 * @path: ET_EXEC or ET_DYN for AMD64 or AArch64; must outlive the result
 * @ret: freed with cfi_free()
 * @diag: may be NULL
 *
 * .eh_frame is found by its section header, or else by PT_GNU_EH_FRAME. A file
 * with none of the sections can be opened too, and has no FDE.
 *
 * Return: 0 or a negative errno; EBADMSG for a file that is not understood.
 */
int cfi_new(const char *path, struct cfi **ret, struct diag *diag);

/**
 * cfi_new_fd() - open an ELF file by a descriptor
 * @fd: readable; may be closed afterwards
 * @name: for diagnostics; must outlive the result
 * @ret: freed with cfi_free()
 * @diag: may be NULL
 *
 * Return: as cfi_new().
 */
int cfi_new_fd(int fd, const char *name, struct cfi **ret, struct diag *diag);

/**
 * cfi_new_memory() - open an ELF file that is in memory
 * @name: for diagnostics; must outlive the result
 * @image: bytes in the layout of the file (a mapped vDSO has it); copied
 * @len: number of bytes of @image
 * @ret: freed with cfi_free()
 * @diag: may be NULL
 *
 * Return: as cfi_new().
 */
int cfi_new_memory(const char *name, const void *image, size_t len,
		   struct cfi **ret, struct diag *diag);

/**
 * struct cfi_raw - a bare section
 * @bytes: the section's bytes, borrowed until cfi_free()
 * @len: number of @bytes
 * @vaddr: link-time address, 0 for .debug_frame
 * @debug: the section is a .debug_frame
 * @narrow: addresses have 32 bits
 */
struct cfi_raw {
	const void *bytes;
	size_t len;
	u64 vaddr;
	bool debug;
	bool narrow;
};

/**
 * cfi_new_raw() - open bare sections
 * @arch: architecture of the code; only its id, sp_reg and fp_reg are used, so it
 *        may be one that the core does not support
 * @raw: the sections, all .eh_frame first
 * @nr: number of @raw, up to 8
 * @ret: freed with cfi_free()
 *
 * Return: 0, -ENOMEM or -EINVAL.
 */
int cfi_new_raw(const struct ustack_arch *arch, const struct cfi_raw *raw,
		unsigned int nr, struct cfi **ret);

/**
 * cfi_add_debug() - also read the .debug_frame of a separate debug file
 * @cfi: open; keeps its own .debug_frame if it has one
 * @path: must outlive @cfi. The caller has to know that it belongs to the file;
 *        only the machine is compared
 * @diag: may be NULL
 *
 * Return: 0, also where there is no .debug_frame, or a negative errno.
 */
int cfi_add_debug(struct cfi *cfi, const char *path, struct diag *diag);

/**
 * cfi_next() - read the next FDE
 * @cfi: open
 * @ret: the entry
 *
 * Entries come in the file's order, .eh_frame before .debug_frame.
 *
 * Return: 1; 0 after the last; -ENOMEM.
 */
int cfi_next(struct cfi *cfi, struct cfi_fde *ret);

/* Go back to the first FDE and clear the stats. */
void cfi_rewind(struct cfi *cfi);

/**
 * cfi_seek() - go to an entry
 * @cfi: open
 * @offset: offset of the entry in the first section; any number is allowed
 *
 * If no entry starts at @offset, cfi_next() reads the bytes there as one: the
 * result is lost, or has other addresses than the caller expects.
 */
void cfi_seek(struct cfi *cfi, u64 offset);

/**
 * cfi_watch() - read another register's column instead of FP's
 * @cfi: open; reading starts again, as by cfi_rewind()
 * @reg: DWARF number of the register whose rule is in @fp of rows from now on
 */
void cfi_watch(struct cfi *cfi, unsigned int reg);

const struct ustack_arch *cfi_arch(const struct cfi *cfi);
const struct cfi_stats *cfi_stats(const struct cfi *cfi);
void cfi_free(struct cfi *cfi);

/* Whether both take the same value from the same place; expressions by bytes. */
bool cfi_rule_equal(const struct cfi_rule *a, const struct cfi_rule *b);

#endif /* USTACK_USER_SFRAME_CFI_H */
