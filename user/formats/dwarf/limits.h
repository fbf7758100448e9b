/* SPDX-License-Identifier: GPL-2.0-only */
/* What the reader refuses as damaged: far above anything that compilers make. */
#ifndef USTACK_USER_DWARF_LIMITS_H
#define USTACK_USER_DWARF_LIMITS_H

/* Abbreviations of a unit: 40 bytes each. GCC's largest tables have some thousands. */
#define DWARF_MAX_ABBREVS (1u << 20)
/* Attributes of a table: 16 bytes each. */
#define DWARF_MAX_SPECS (1u << 22)
/* Sections of a package that its units have shares of: 8 are defined. */
#define DWARF_MAX_COLUMNS 16u
/* Entries in one another. */
#define DWARF_MAX_DEPTH 4096u
/* Entries that refer to one another until there is a name. */
#define DWARF_MAX_HOPS 16u
/* Scopes that a name is qualified with. */
#define DWARF_MAX_SCOPES 64u
/* Bytes of a string. A longer one is taken for none. */
#define DWARF_MAX_NAME 65536u
/* Bytes of all names in a line table's header. */
#define DWARF_MAX_FILE_NAMES (64u << 20)
/* Rows of a unit's line table: 16 bytes each. */
#define DWARF_MAX_ROWS (1u << 26)
/* Directories or files of one. */
#define DWARF_MAX_FILES (1u << 22)
/*
 * Tables that units share may be read this often, all in all: more is an attempt to
 * make time grow with the square of the size. dwz's and LTO's come to less than 4.
 */
#define DWARF_MAX_READS 32u
#define DWARF_FREE_READS (64u << 20)

#endif /* USTACK_USER_DWARF_LIMITS_H */
