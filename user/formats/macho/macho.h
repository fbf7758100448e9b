/* SPDX-License-Identifier: MIT */
/*
 * Reads Mach-O files: headers, load commands, segments, sections, symbols,
 * relocations and starts of functions; 32-bit and 64-bit, in either byte order,
 * thin and fat.
 *
 *	struct macho_section s = { 0 };
 *	struct macho m;
 *
 *	err = macho_open(bytes, len, path, &m, &diag);
 *	while (macho_next_section(&m, &s))
 *		...
 *
 * Nothing is allocated and nothing is printed. Opening walks over the load
 * commands once and proves their sizes, so that iterating cannot fail; what
 * they point to is checked when it is asked for. Offsets count from the first
 * byte of the thin file; in messages they count from the start of the file that
 * contains it. The format is that of <mach-o/loader.h>, <mach-o/nlist.h>,
 * <mach-o/reloc.h> and <mach-o/fat.h>.
 *
 * Context: read-only once it is open, for any number of threads. The bytes are
 * borrowed.
 */
#ifndef USTACK_USER_MACHO_H
#define USTACK_USER_MACHO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/diag.h"

/* Bytes of a name, 16 of which need not end with a NUL, and a NUL. */
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

/* @flags of a section: S_ATTR_*, and types S_* in the low eight bits. */
#define MACHO_PURE_INSTRUCTIONS 0x80000000u
#define MACHO_SOME_INSTRUCTIONS 0x400u
#define MACHO_ZEROFILL 1u
#define MACHO_GB_ZEROFILL 12u
#define MACHO_THREAD_ZEROFILL 18u

/*
 * @type of a symbol: a stab if any bit of MACHO_STAB is set; else MACHO_TYPE
 * masks the type.
 */
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
 * macho_identify() - recognize a Mach-O file by its first bytes
 * @bytes: start of a file
 * @len: number of bytes in @bytes; 8 are enough
 *
 * Fat files and Java's class files have the same magic number: a file with more
 * than 44 slices is a class file.
 *
 * Return: the kind of the file.
 */
enum macho_kind macho_identify(const void *bytes, size_t len);

/**
 * struct macho - an open thin file
 * @bytes: contents; borrowed
 * @len: number of bytes in @bytes
 * @path: name for messages; borrowed
 * @file_off: offset of @bytes in the file, for messages
 * @swap: the file's numbers do not have the byte order of this machine
 * @wide: addresses have 64 bits
 * @cputype: MACHO_X86_64, ...
 * @cpusubtype: subtype, including the bits that are not the processor
 * @filetype: MACHO_OBJECT, ...
 * @flags: MH_*
 * @commands: offset of the first load command
 * @nr_commands: number of load commands
 * @base: address of the segment __TEXT, 0 if there is none
 * @uuid: MACHO_UUID bytes in @bytes, NULL if there are none
 * @symtab: offset of the load command LC_SYMTAB, 0 if there is none
 * @function_starts: offset of LC_FUNCTION_STARTS, 0 if there is none
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
 * macho_open() - open a thin file
 * @bytes: the whole file, or a slice of a fat one; borrowed
 * @len: number of bytes in @bytes
 * @file_off: offset of @bytes in the file, for messages
 * @path: name for messages; borrowed
 * @ret: filled on success; there is nothing to release
 * @diag: may be NULL
 *
 * Return: 0; -EBADMSG with offset and reason if it is not a thin Mach-O file,
 * or its load commands are damaged.
 */
int macho_open(const void *bytes, size_t len, uint64_t file_off, const char *path,
	       struct macho *ret, struct diag *diag);

/**
 * macho_bad() - report what is wrong with a file
 * @m: the file
 * @off: offset of the damage from @m->bytes
 * @diag: may be NULL
 * @text: the sentence
 *
 * Return: -EBADMSG.
 */
int macho_bad(const struct macho *m, uint64_t off, struct diag *diag, const char *text);

/* Return: whether [@off, @off + @len) is in the file. */
bool macho_has(const struct macho *m, uint64_t off, uint64_t len);

/* Reads numbers of the file. The caller must have proven that they are inside the file. */
uint16_t macho_u16(const struct macho *m, uint64_t off);
uint32_t macho_u32(const struct macho *m, uint64_t off);
uint64_t macho_u64(const struct macho *m, uint64_t off);

/**
 * struct macho_command - a load command
 * @at: offset of the command; 0 before the first one
 * @size: bytes, all of them in the file
 * @type: LC_*
 * @nr: number of commands up to this one
 */
struct macho_command {
	uint64_t at;
	uint64_t size;
	uint32_t type;
	uint32_t nr;
};

/* Goes to the next command. @c: all zeros at first. Return: false after the last one. */
bool macho_next_command(const struct macho *m, struct macho_command *c);

/**
 * struct macho_segment - LC_SEGMENT or LC_SEGMENT_64
 * @name: such as __TEXT
 * @addr: address at which it is mapped
 * @size: bytes in memory
 * @off: offset in the file, not checked
 * @file_size: bytes in the file, not checked
 * @sections: offset of the first section's header; all headers are in the file
 * @nr_sections: number of sections
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

/* Goes to the next segment. @s: all zeros at first. Return: false after the last one. */
bool macho_next_segment(const struct macho *m, struct macho_segment *s);

/**
 * struct macho_section - a section
 * @name: such as __text
 * @segment: name of its segment. In an object file all sections are in one
 *           segment, but have different names here
 * @addr: address
 * @size: bytes in memory
 * @off: offset in the file, not checked: see macho_section_bytes()
 * @align: log2 of the alignment
 * @reloc_off: offset of its relocations, not checked: see macho_has_relocs()
 * @nr_relocs: number of its relocations
 * @flags: MACHO_PURE_INSTRUCTIONS, ...
 * @number: number that symbols have for it, from 1 on
 * @at: offset of its header
 * @in: the segment that it is in
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

/*
 * Goes to the next section, over all segments. @s: all zeros at first. Return:
 * false after the last one.
 */
bool macho_next_section(const struct macho *m, struct macho_section *s);

/**
 * macho_find_section() - find the first section with a name
 * @m: open
 * @segment: name of its segment, NULL for any
 * @name: name of the section
 * @ret: filled if there is one
 *
 * Return: whether there is one.
 */
bool macho_find_section(const struct macho *m, const char *segment, const char *name,
			struct macho_section *ret);

/**
 * macho_section_bytes() - get the contents of a section
 * @m: open
 * @s: a section of @m
 * @ret: @s->size bytes, borrowed; NULL if it has none in the file
 * @diag: may be NULL
 *
 * Return: 0; -EBADMSG if they are outside of the file.
 */
int macho_section_bytes(const struct macho *m, const struct macho_section *s,
			const uint8_t **ret, struct diag *diag);

/* Return: whether the section contains instructions. */
static inline bool macho_is_text(const struct macho_section *s)
{
	return s->size && s->flags & (MACHO_PURE_INSTRUCTIONS | MACHO_SOME_INSTRUCTIONS);
}

/**
 * struct macho_symtab - LC_SYMTAB
 * @m: the file; borrowed
 * @off: offset of the first symbol
 * @nr: number of symbols, all of them in the file
 * @strings: offset of the strings, all of them in the file
 * @strings_len: bytes of the strings, up to the last NUL
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
 * @ret: has no symbols if there is no such command
 * @diag: may be NULL
 *
 * Return: 0; -EBADMSG if the symbols are outside of the file.
 */
int macho_symtab_open(const struct macho *m, struct macho_symtab *ret, struct diag *diag);

/**
 * struct macho_symbol - nlist or nlist_64
 * @name: NULL if it is outside of the strings or has no end there
 * @type: see MACHO_STAB
 * @section: number of its section, 0 for none
 * @desc: n_desc
 * @value: address; the meaning in a stab depends on its type
 */
struct macho_symbol {
	const char *name;
	uint8_t type;
	uint8_t section;
	uint16_t desc;
	uint64_t value;
};

/* Reads symbol @i, which is below @tab->nr. */
void macho_symbol_get(const struct macho_symtab *tab, uint32_t i, struct macho_symbol *ret);

/**
 * struct macho_starts - LC_FUNCTION_STARTS, as an iterator
 * @p: next byte
 * @end: end of the bytes
 * @addr: start of the last function
 */
struct macho_starts {
	const uint8_t *p;
	const uint8_t *end;
	uint64_t addr;
};

/**
 * macho_starts_open() - find the starts of functions
 * @m: open
 * @ret: empty if there is no such command
 * @diag: may be NULL
 *
 * Return: 0; -EBADMSG if they are outside of the file.
 */
int macho_starts_open(const struct macho *m, struct macho_starts *ret, struct diag *diag);

/*
 * Goes to the next start, which is above the last one. For 32-bit ARM, bit 0
 * means Thumb. Return: false after the last one, or if a number is damaged.
 */
bool macho_starts_next(struct macho_starts *s, uint64_t *ret);

/**
 * struct macho_reloc - a relocation
 * @off: offset from the section's start of the place that is relocated
 * @symbol: number of a symbol if @external is set, else of a section
 * @type: type, which depends on the processor
 * @length: log2 of the number of bytes
 * @external: see @symbol
 * @pc_relative: relative to the address of the place
 * @scattered: there is an address in place of @symbol, which is 0 then
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

/* Return: whether all relocations of @s are in the file. */
bool macho_has_relocs(const struct macho *m, const struct macho_section *s);
/* Reads relocation @i, which is below @s->nr_relocs. macho_has_relocs() must be true. */
void macho_reloc_get(const struct macho *m, const struct macho_section *s, uint32_t i,
		     struct macho_reloc *ret);

/**
 * struct macho_fat - a fat file
 * @bytes: contents; borrowed
 * @wide: offsets have 64 bits
 * @nr: number of slices, at most 44
 */
struct macho_fat {
	const uint8_t *bytes;
	bool wide;
	uint32_t nr;
};

/**
 * struct macho_slice - a slice of a fat file
 * @cputype: see struct macho
 * @cpusubtype: see struct macho
 * @off: offset of its bytes, all of them in the file
 * @len: number of its bytes
 */
struct macho_slice {
	uint32_t cputype;
	uint32_t cpusubtype;
	uint64_t off;
	uint64_t len;
};

/**
 * macho_fat_open() - open a fat file
 * @bytes: the whole file; borrowed
 * @len: number of bytes in @bytes
 * @path: name for messages
 * @ret: filled on success; there is nothing to release
 * @diag: may be NULL
 *
 * Return: 0; -EBADMSG if it is not a fat file, or a slice is outside of the
 * file.
 */
int macho_fat_open(const void *bytes, size_t len, const char *path, struct macho_fat *ret,
		   struct diag *diag);
/* Reads slice @i, which is below @fat->nr. */
void macho_fat_get(const struct macho_fat *fat, uint32_t i, struct macho_slice *ret);

/*
 * Return: the name that Apple's tools use, such as "x86_64" or "arm64"; NULL if
 * there is none.
 */
const char *macho_arch_name(uint32_t cputype, uint32_t cpusubtype);
/* Names of processors, for option tables. Return: name number @i; NULL after the last one. */
const char *macho_arch_word(unsigned int i);
/* Return: whether @arch is the name or the number of the processor. */
bool macho_arch_is(const char *arch, uint32_t cputype, uint32_t cpusubtype);

#endif /* USTACK_USER_MACHO_H */
