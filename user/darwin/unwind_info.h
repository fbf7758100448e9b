/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Apple's compact unwinding: the section __TEXT,__unwind_info of linked Mach-O files, an
 * index of pages that give every function an encoding of 32 bits. What those mean is
 * unwind_decode.h's.
 *
 *	struct unwind_iter it = { 0 };
 *	struct unwind_info u;
 *	struct unwind_entry e;
 *
 *	err = unwind_info_of(&macho, &u, &diag);
 *	found = unwind_info_find(&u, pc - image, &e, &diag);
 *	while ((found = unwind_info_next(&u, &it, &e, &diag)) > 0)
 *		...
 *
 * Nothing is allocated and nothing printed. Opening proves the arrays of the header;
 * pages are checked when they are used. All addresses are image offsets: from the Mach-O
 * header, which is the address of the segment __TEXT. The format is that of
 * <mach-o/compact_unwind_encoding.h>; Documentation/formats/compact-unwind.md has the
 * choices made where it is silent.
 *
 * Context: read-only once open, by any number of threads. The bytes are borrowed.
 */
#ifndef USTACK_USER_DARWIN_UNWIND_INFO_H
#define USTACK_USER_DARWIN_UNWIND_INFO_H

#include <stddef.h>
#include <stdint.h>

#include "formats/macho/macho.h"
#include "util/diag.h"

/**
 * struct unwind_info - an open section
 * @bytes: borrowed
 * @len: bytes of @bytes
 * @path: for messages; borrowed
 * @file_off: where @bytes is in the file, for messages
 * @common: offset of the encodings that all pages share
 * @nr_common: number of them
 * @personalities: offset of them
 * @nr_personalities: number of them
 * @index: offset of the first level
 * @nr_index: number of its entries with the sentinel, at least 1
 */
struct unwind_info {
	const uint8_t *bytes;
	uint64_t len;
	const char *path;
	uint64_t file_off;
	uint32_t common;
	uint32_t nr_common;
	uint32_t personalities;
	uint32_t nr_personalities;
	uint32_t index;
	uint32_t nr_index;
};

/**
 * unwind_info_open() - look at a section
 * @bytes: borrowed
 * @len: bytes of @bytes
 * @file_off: of @bytes in the file, for messages
 * @path: for messages; borrowed
 * @ret: filled on success; there is nothing to release
 * @diag: may be NULL
 *
 * Return: 0; -EBADMSG if it is not of version 1 or its header is damaged, with offset and
 * reason.
 */
int unwind_info_open(const void *bytes, size_t len, uint64_t file_off, const char *path,
		     struct unwind_info *ret, struct diag *diag);

/**
 * unwind_info_of() - look at the section of a file
 * @m: open; borrowed
 * @ret: as for unwind_info_open()
 * @diag: may be NULL
 *
 * Return: 0; -ENOENT if there is no such section, or none of its bytes, as in files of
 * debug information; -EBADMSG as unwind_info_open(), or if they are not in the file.
 */
int unwind_info_of(const struct macho *m, struct unwind_info *ret, struct diag *diag);

/* Common encoding @i, which is below @u->nr_common. */
uint32_t unwind_info_common(const struct unwind_info *u, uint32_t i);
/* Image offset of the slot that holds personality @i's address; @i is from 0 on, and
 * below @u->nr_personalities.
 */
uint32_t unwind_info_personality(const struct unwind_info *u, uint32_t i);

/**
 * struct unwind_index - an entry of the first level
 * @start: image offset from which on the page says it; of the last one, the end
 * @page: offset of the page in the section; 0 if nothing is said from @start on
 * @lsda: offset of the page's first LSDA entry in the section
 */
struct unwind_index {
	uint32_t start;
	uint32_t page;
	uint32_t lsda;
};

/* Entry @i, which is below @u->nr_index. */
void unwind_info_index(const struct unwind_info *u, uint32_t i, struct unwind_index *ret);

enum unwind_page_kind {
	UNWIND_PAGE_REGULAR = 2,
	UNWIND_PAGE_COMPRESSED = 3,
};

/**
 * struct unwind_page - a page of the second level
 * @kind: of it
 * @at: its offset in the section
 * @start: of its entry in the first level: what compressed offsets count from
 * @end: of the next one
 * @entries: offset of the entries in the section, all of them in it
 * @nr: number of them, at least 1
 * @local: offset of its own encodings in the section, all of them in it
 * @nr_local: number of them
 */
struct unwind_page {
	enum unwind_page_kind kind;
	uint64_t at;
	uint32_t start;
	uint32_t end;
	uint64_t entries;
	uint32_t nr;
	uint64_t local;
	uint32_t nr_local;
};

/**
 * unwind_info_page() - look at the page of an entry of the first level
 * @u: open
 * @i: below @u->nr_index
 * @ret: filled if there is one
 * @diag: may be NULL
 *
 * Return: 1; 0 if the entry has no page; -EBADMSG if it is damaged.
 */
int unwind_info_page(const struct unwind_info *u, uint32_t i, struct unwind_page *ret,
		     struct diag *diag);

/**
 * struct unwind_entry - what is said of a range of code
 * @start: image offset. Linkers merge neighbours that unwind alike: no symbol's start
 * @end: behind the last byte. @start if it covers nothing
 * @encoding: how to unwind; 0 if nothing is known
 * @index: the entry of the first level
 * @at: offset of the entry in the section, for messages
 */
struct unwind_entry {
	uint32_t start;
	uint32_t end;
	uint32_t encoding;
	uint32_t index;
	uint64_t at;
};

/**
 * unwind_info_find() - what is said of an address
 * @u: open
 * @off: image offset; of a caller, of the call: the return address less 1
 * @ret: filled if it is covered. Of several with one start, the last one
 * @diag: may be NULL
 *
 * Reads the index and one page, each by a binary search.
 *
 * Return: 1; 0 if nothing is said of it; -EBADMSG if what it looked at is damaged.
 */
int unwind_info_find(const struct unwind_info *u, uint32_t off, struct unwind_entry *ret,
		     struct diag *diag);

/**
 * struct unwind_iter - where an iteration is; of zeros at first
 * @index: entry of the first level
 * @nr: entry of its page
 * @seen: entries so far
 */
struct unwind_iter {
	uint32_t index;
	uint32_t nr;
	uint64_t seen;
};

/**
 * unwind_info_next() - to the next entry
 * @u: open
 * @it: of zeros at first; ends with the first error
 * @ret: filled if there is one, with those that cover nothing
 * @diag: may be NULL
 *
 * Return: 1; 0 behind the last; -EBADMSG if they are not ascending, are outside of their
 * page's range, or are more than the section can have: pages lie over each other then.
 */
int unwind_info_next(const struct unwind_info *u, struct unwind_iter *it,
		     struct unwind_entry *ret, struct diag *diag);

/**
 * unwind_info_lsda() - the language's data of a function
 * @u: open
 * @e: from @u
 * @ret: image offset, written if there is one
 * @diag: may be NULL
 *
 * Return: 1; 0 if there is none for the entry's start; -EBADMSG if the page's part of
 * them is not in the section.
 */
int unwind_info_lsda(const struct unwind_info *u, const struct unwind_entry *e, uint32_t *ret,
		     struct diag *diag);

#endif /* USTACK_USER_DARWIN_UNWIND_INFO_H */
