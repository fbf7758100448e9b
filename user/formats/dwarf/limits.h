/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Limits above which the reader refuses a file as damaged. They are far above
 * anything that compilers make.
 */
#ifndef USTACK_USER_DWARF_LIMITS_H
#define USTACK_USER_DWARF_LIMITS_H

/* Most abbreviations of a unit, 40 bytes each. GCC's largest tables have some thousands. */
#define DWARF_MAX_ABBREVS (1u << 20)
/* Most attributes in a table of abbreviations, 16 bytes each. */
#define DWARF_MAX_SPECS (1u << 22)
/* Most sections of a package that its units have shares of. 8 are defined. */
#define DWARF_MAX_COLUMNS 16u
/* Deepest nesting of entries. */
#define DWARF_MAX_DEPTH 4096u
/* Most references from entry to entry until a name is found. */
#define DWARF_MAX_HOPS 16u
/* Most scopes that a name is qualified with. */
#define DWARF_MAX_SCOPES 64u
/* Most bytes of a string. A longer one is treated as missing. */
#define DWARF_MAX_NAME 65536u
/* Most bytes of all names in the header of a line table. */
#define DWARF_MAX_FILE_NAMES (64u << 20)
/* Most rows of a unit's line table, 16 bytes each. */
#define DWARF_MAX_ROWS (1u << 26)
/* Most directories or files in a line table. */
#define DWARF_MAX_FILES (1u << 22)
/*
 * Bytes of shared tables that may be read, as a multiple of the file's size,
 * and an amount that any file may read. More is an attempt to make time grow
 * with the square of the size. Files made by dwz and LTO need less than 4 times
 * their size.
 */
#define DWARF_MAX_READS 32u
#define DWARF_FREE_READS (64u << 20)

#endif /* USTACK_USER_DWARF_LIMITS_H */
