/* SPDX-License-Identifier: MIT */
/*
 * Mach-O files: headers, load commands, segments, sections, symbols, relocations and
 * starts of functions; of 32 and 64 bits, either byte order, thin and fat.
 *
 *	struct macho_section s = { 0 };
 *	struct macho m;
 *
 *	err = macho_open(bytes, len, path, &m, &diag);
 *	while (macho_next_section(&m, &s))
 *		...
 *
 * Nothing is allocated and nothing printed. Opening walks the load commands once and
 * proves their sizes, so that iterating cannot fail; where those point to is checked
 * when it is asked for. Offsets are from the first byte of the thin file, in messages
 * from that of the file that it is in. The format is that of <mach-o/loader.h>,
 * <mach-o/nlist.h>, <mach-o/reloc.h> and <mach-o/fat.h>.
 *
 * Context: read-only once open, by any number of threads. The bytes are borrowed.
 */
#ifndef USTACK_USER_MACHO_H
#define USTACK_USER_MACHO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/diag.h"

/* A name of 16 bytes that need not end with a NUL, and one. */
#define MACHO_NAME 17
#define MACHO_UUID 16

/* Types of files, MH_*. */
#define MACHO_OBJECT 1u
#define MACHO_EXECUTE 2u
#define MACHO_DSYM 10u

/* Processors, CPU_TYPE_*. */
#define MACHO_CPU_64 0x01000000u
#define MACHO_CPU_64_32 0x02000000u
#define MACHO_X86 7u
#define MACHO_X86_64 (MACHO_X86 | MACHO_CPU_64)
#define MACHO_ARM 12u
#define MACHO_ARM64 (MACHO_ARM | MACHO_CPU_64)
#define MACHO_ARM64_32 (MACHO_ARM | MACHO_CPU_64_32)
#define MACHO_PPC 18u
#define MACHO_PPC64 (MACHO_PPC | MACHO_CPU_64)

/* Load commands, LC_*. */
#define MACHO_SEGMENT_32 1u
#define MACHO_SYMTAB 2u
#define MACHO_SEGMENT_64 0x19u
#define MACHO_LC_UUID 0x1bu
#define MACHO_FUNCTION_STARTS 0x26u

/* Of a section's @flags: S_ATTR_*, and types S_* in the low eight bits. */
#define MACHO_PURE_INSTRUCTIONS 0x80000000u
#define MACHO_SOME_INSTRUCTIONS 0x400u
#define MACHO_ZEROFILL 1u
#define MACHO_GB_ZEROFILL 12u
#define MACHO_THREAD_ZEROFILL 18u

/* Of a symbol's @type: a stab if any of the first, else what the second has. */
#define MACHO_STAB 0xe0u
#define MACHO_TYPE 0x0eu
#define MACHO_UNDEFINED 0x0u
#define MACHO_EXTERNAL 0x1u
#define MACHO_IN_SECTION 0xeu
/* Stabs of a debug map. */
#define MACHO_STAB_FUN 0x24u
#define MACHO_STAB_OSO 0x66u

enum macho_kind {
	MACHO_NONE,
	MACHO_THIN,
	MACHO_FAT,
};

/**
 * macho_identify() - whether it is one, by its first bytes
 * @bytes: start of a file
 * @len: bytes of @bytes; 8 tell
 *
 * Fat files and Java's classes have the same magic number: what has more than 44
 * slices is one of the latter.
 *
 * Return: what it is.
 */
enum macho_kind macho_identify(const void *bytes, size_t len);

/**
 * struct macho - an open thin file
 * @bytes: borrowed
 * @len: bytes of @bytes
 * @path: for messages; borrowed
 * @file_off: where @bytes is in the file, for messages
 * @swap: its numbers are not in this machine's byte order
 * @wide: addresses have 64 bits
 * @cputype: MACHO_X86_64, ...
 * @cpusubtype: with the bits that say more than the processor
 * @filetype: MACHO_OBJECT, ...
 * @flags: MH_*
 * @commands: offset of the first load command
 * @nr_commands: number of them
 * @base: address of the segment __TEXT, 0 if there is none
 * @uuid: MACHO_UUID bytes in @bytes, NULL if there are none
 * @symtab: offset of the load command, 0 if there is none
 * @function_starts: the same
 */
struct macho {
	const uint8_t *bytes;
	uint64_t len;
	const char *path;
	uint64_t file_off;
	bool swap;
	bool wide;
	uint32_t cputype;
	uint32_t cpusubtype;
	uint32_t filetype;
	uint32_t flags;
	uint64_t commands;
	uint32_t nr_commands;
	uint64_t base;
	const uint8_t *uuid;
	uint64_t symtab;
	uint64_t function_starts;
};

/**
 * macho_open() - look at a thin file
 * @bytes: borrowed; all of the file, or a slice of a fat one
 * @len: bytes of @bytes
 * @file_off: of @bytes in the file, for messages
 * @path: for messages; borrowed
 * @ret: filled on success; there is nothing to release
 * @diag: may be NULL
 *
 * Return: 0; -EBADMSG if it is none, or load commands are damaged, with offset and
 * reason.
 */
int macho_open(const void *bytes, size_t len, uint64_t file_off, const char *path,
	       struct macho *ret, struct diag *diag);

/**
 * macho_bad() - say what is wrong with a file
 * @m: it
 * @off: where, from @m->bytes
 * @diag: may be NULL
 * @text: the sentence
 *
 * Return: -EBADMSG.
 */
int macho_bad(const struct macho *m, uint64_t off, struct diag *diag, const char *text);

/* Whether [@off, @off + @len) is in the file. */
bool macho_has(const struct macho *m, uint64_t off, uint64_t len);

/* Numbers of the file. Whoever asks has proven that they are there. */
uint16_t macho_u16(const struct macho *m, uint64_t off);
uint32_t macho_u32(const struct macho *m, uint64_t off);
uint64_t macho_u64(const struct macho *m, uint64_t off);

/**
 * struct macho_command - a load command
 * @at: its offset; 0 in front of the first one
 * @size: bytes, all of them in the file
 * @type: LC_*
 * @nr: how many were there up to this one
 */
struct macho_command {
	uint64_t at;
	uint64_t size;
	uint32_t type;
	uint32_t nr;
};

/* To the next one. @c: of zeros at first. Return: false behind the last. */
bool macho_next_command(const struct macho *m, struct macho_command *c);

/**
 * struct macho_segment - LC_SEGMENT or LC_SEGMENT_64
 * @name: such as __TEXT
 * @addr: where it is mapped
 * @size: bytes in memory
 * @off: offset in the file, not checked
 * @file_size: bytes in the file, not checked
 * @sections: offset of the first section's header; all of them are in the file
 * @nr_sections: number of them
 * @command: the iterator
 */
struct macho_segment {
	char name[MACHO_NAME];
	uint64_t addr;
	uint64_t size;
	uint64_t off;
	uint64_t file_size;
	uint64_t sections;
	uint32_t nr_sections;
	struct macho_command command;
};

/* To the next one. @s: of zeros at first. Return: false behind the last. */
bool macho_next_segment(const struct macho *m, struct macho_segment *s);

/**
 * struct macho_section - a section
 * @name: such as __text
 * @segment: the segment's name; objects have several in their one segment
 * @addr: of it
 * @size: bytes in memory
 * @off: offset in the file, not checked: see macho_section_bytes()
 * @align: log2
 * @reloc_off: offset of its relocations, not checked: see macho_has_relocs()
 * @nr_relocs: number of them
 * @flags: MACHO_PURE_INSTRUCTIONS, ...
 * @number: as symbols have it: from 1 on
 * @at: offset of its header
 * @in: the segment
 */
struct macho_section {
	char name[MACHO_NAME];
	char segment[MACHO_NAME];
	uint64_t addr;
	uint64_t size;
	uint32_t off;
	uint32_t align;
	uint32_t reloc_off;
	uint32_t nr_relocs;
	uint32_t flags;
	uint32_t number;
	uint64_t at;
	struct macho_segment in;
};

/* To the next one, of all segments. @s: of zeros at first. Return: false behind the last. */
bool macho_next_section(const struct macho *m, struct macho_section *s);

/**
 * macho_find_section() - the first section of a name
 * @m: open
 * @segment: its segment, NULL for any
 * @name: of it
 * @ret: filled if there is one
 *
 * Return: whether there is.
 */
bool macho_find_section(const struct macho *m, const char *segment, const char *name,
			struct macho_section *ret);

/**
 * macho_section_bytes() - what is in a section
 * @m: open
 * @s: of it
 * @ret: @s->size bytes, borrowed; NULL if it has none in the file
 * @diag: may be NULL
 *
 * Return: 0; -EBADMSG if they are not in the file.
 */
int macho_section_bytes(const struct macho *m, const struct macho_section *s,
			const uint8_t **ret, struct diag *diag);

/* Whether there are instructions in it. */
static inline bool macho_is_text(const struct macho_section *s)
{
	return s->size && s->flags & (MACHO_PURE_INSTRUCTIONS | MACHO_SOME_INSTRUCTIONS);
}

/**
 * struct macho_symtab - LC_SYMTAB
 * @m: the file
 * @off: of the first symbol
 * @nr: number of symbols, all of them in the file
 * @strings: offset of the strings, all of them in the file
 * @strings_len: bytes of them, up to the last NUL
 */
struct macho_symtab {
	const struct macho *m;
	uint64_t off;
	uint32_t nr;
	uint64_t strings;
	uint32_t strings_len;
};

/**
 * macho_symtab_open() - find the symbols
 * @m: open; borrowed
 * @ret: without symbols if there is no such command
 * @diag: may be NULL
 *
 * Return: 0; -EBADMSG if they are not in the file.
 */
int macho_symtab_open(const struct macho *m, struct macho_symtab *ret, struct diag *diag);

/**
 * struct macho_symbol - nlist or nlist_64
 * @name: NULL if it is not in the strings or does not end there
 * @type: see MACHO_STAB
 * @section: number of its section, 0 for none
 * @desc: n_desc
 * @value: its address; of stabs whatever it is for their type
 */
struct macho_symbol {
	const char *name;
	uint8_t type;
	uint8_t section;
	uint16_t desc;
	uint64_t value;
};

/* Symbol @i, which is below @tab->nr. */
void macho_symbol_get(const struct macho_symtab *tab, uint32_t i, struct macho_symbol *ret);

/**
 * struct macho_starts - LC_FUNCTION_STARTS, as an iterator
 * @p: next byte
 * @end: behind the last one
 * @addr: of the last function
 */
struct macho_starts {
	const uint8_t *p;
	const uint8_t *end;
	uint64_t addr;
};

/**
 * macho_starts_open() - find the starts of functions
 * @m: open
 * @ret: without any if there is no such command
 * @diag: may be NULL
 *
 * Return: 0; -EBADMSG if they are not in the file.
 */
int macho_starts_open(const struct macho *m, struct macho_starts *ret, struct diag *diag);

/* The next one, above the last; of 32-bit ARM, bit 0 says Thumb. Return: false behind
 * the last, or where a number is damaged.
 */
bool macho_starts_next(struct macho_starts *s, uint64_t *ret);

/**
 * struct macho_reloc - a relocation
 * @off: of what it is for, from the section's start
 * @symbol: number of a symbol if @external, else of a section
 * @type: of the processor's
 * @length: log2 of the bytes
 * @external: see @symbol
 * @pc_relative: it is
 * @scattered: it has an address in place of @symbol, which is 0 then
 */
struct macho_reloc {
	uint32_t off;
	uint32_t symbol;
	uint8_t type;
	uint8_t length;
	bool external;
	bool pc_relative;
	bool scattered;
};

/* Whether all relocations of @s are in the file. */
bool macho_has_relocs(const struct macho *m, const struct macho_section *s);
/* Relocation @i, which is below @s->nr_relocs, of those that are in the file. */
void macho_reloc_get(const struct macho *m, const struct macho_section *s, uint32_t i,
		     struct macho_reloc *ret);

/**
 * struct macho_fat - a file of several
 * @bytes: borrowed
 * @wide: offsets have 64 bits
 * @nr: number of slices, at most 44
 */
struct macho_fat {
	const uint8_t *bytes;
	bool wide;
	uint32_t nr;
};

/**
 * struct macho_slice - one of them
 * @cputype: see struct macho
 * @cpusubtype: see struct macho
 * @off: of its bytes, all of them in the file
 * @len: number of them
 */
struct macho_slice {
	uint32_t cputype;
	uint32_t cpusubtype;
	uint64_t off;
	uint64_t len;
};

/**
 * macho_fat_open() - look at a fat file
 * @bytes: borrowed; all of it
 * @len: bytes of @bytes
 * @path: for messages
 * @ret: filled on success; there is nothing to release
 * @diag: may be NULL
 *
 * Return: 0; -EBADMSG if it is none, or a slice is not in the file.
 */
int macho_fat_open(const void *bytes, size_t len, const char *path, struct macho_fat *ret,
		   struct diag *diag);
/* Slice @i, which is below @fat->nr. */
void macho_fat_get(const struct macho_fat *fat, uint32_t i, struct macho_slice *ret);

/* "x86_64", "arm64", ... as Apple's tools name them. Return: NULL if it has no name. */
const char *macho_arch_name(uint32_t cputype, uint32_t cpusubtype);
/* Names of processors, for option tables. Return: the @i'th; NULL after the last. */
const char *macho_arch_word(unsigned int i);
/* Whether @arch is the name, or the number of the processor. */
bool macho_arch_is(const char *arch, uint32_t cputype, uint32_t cpusubtype);

#endif /* USTACK_USER_MACHO_H */
