/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads Apple's compact unwinding: the section __TEXT,__unwind_info of linked Mach-O files, an
 * index of pages that give every function an encoding of 32 bits. unwind_decode.h decodes
 * these.
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
 * Nothing is allocated and nothing printed. Opening checks the arrays of the header;
 * pages are checked when they are used. All addresses are image offsets: from the Mach-O
 * header, which is at the start of the segment __TEXT. The format is that of
 * <mach-o/compact_unwind_encoding.h>; Documentation/formats/compact-unwind.md describes
 * choices where that header is silent.
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
 * @bytes: contents, borrowed
 * @len: number of @bytes
 * @path: path of the file, for messages; borrowed
 * @file_off: offset of @bytes in the file, for messages
 * @common: offset of the encodings that all pages share
 * @nr_common: number of those encodings
 * @personalities: offset of the personalities
 * @nr_personalities: number of personalities
 * @index: offset of the index, the first level
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
 * unwind_info_open() - open a section
 * @bytes: contents, borrowed
 * @len: number of @bytes
 * @file_off: offset of @bytes in the file, for messages
 * @path: path of the file, for messages; borrowed
 * @ret: filled on success; there is nothing to release
 * @diag: may be NULL
 *
 * Return: 0; -EBADMSG if it is not of version 1 or its header is damaged, with offset and
 * reason.
 */
int unwind_info_open(const void *bytes, size_t len, uint64_t file_off, const char *path,
		     struct unwind_info *ret, struct diag *diag);

/**
 * unwind_info_of() - open the section of a file
 * @m: open; borrowed
 * @ret: as for unwind_info_open()
 * @diag: may be NULL
 *
 * Return: 0; -ENOENT if there is no such section, or if its bytes are not in the file, as in
 * files with debug information; -EBADMSG as unwind_info_open(), or if they are cut.
 */
int unwind_info_of(const struct macho *m, struct unwind_info *ret, struct diag *diag);

/* Common encoding @i, which must be below @u->nr_common. */
uint32_t unwind_info_common(const struct unwind_info *u, uint32_t i);
/* Image offset of the slot with the address of personality @i, which must be below
 * @u->nr_personalities.
 */
uint32_t unwind_info_personality(const struct unwind_info *u, uint32_t i);

/**
 * struct unwind_index - an entry of the first level
 * @start: image offset from which on the page applies; for the last entry, the end
 * @page: offset of the page in the section; 0 if the code from @start on has no entries
 * @lsda: offset of the page's first LSDA entry in the section
 */
struct unwind_index {
	uint32_t start;
	uint32_t page;
	uint32_t lsda;
};

/* Reads entry @i, which must be below @u->nr_index. */
void unwind_info_index(const struct unwind_info *u, uint32_t i, struct unwind_index *ret);

enum unwind_page_kind {
	UNWIND_PAGE_REGULAR = 2,
	UNWIND_PAGE_COMPRESSED = 3,
};

/**
 * struct unwind_page - a page of the second level
 * @kind: kind of the page
 * @at: offset of the page in the section
 * @start: start of its entry in the first level; compressed offsets count from it
 * @end: start of the next entry in the first level
 * @entries: offset of the entries in the section; all are inside it
 * @nr: number of entries, at least 1
 * @local: offset of the page's own encodings in the section; all are inside it
 * @nr_local: number of those encodings
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
 * unwind_info_page() - open the page of an entry of the first level
 * @u: open
 * @i: index of the entry, below @u->nr_index
 * @ret: written if 1 is returned
 * @diag: may be NULL
 *
 * Return: 1; 0 if the entry has no page; -EBADMSG if the page is damaged.
 */
int unwind_info_page(const struct unwind_info *u, uint32_t i, struct unwind_page *ret,
		     struct diag *diag);

/**
 * struct unwind_entry - the entry for a range of code
 * @start: image offset. Linkers merge neighbours that unwind alike: it need not be a
 *         symbol's start
 * @end: image offset after the last byte; @start if the entry is empty
 * @encoding: how to unwind; 0 if it is unknown
 * @index: index of its page's entry in the first level
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
 * unwind_info_find() - find the entry of an address
 * @u: open
 * @off: image offset; for a caller that of the call: the return address minus 1
 * @ret: written if 1 is returned; if several have the same start, the last one
 * @diag: may be NULL
 *
 * Reads the index and one page, each by a binary search.
 *
 * Return: 1; 0 if there is none; -EBADMSG if the read part is damaged.
 */
int unwind_info_find(const struct unwind_info *u, uint32_t off, struct unwind_entry *ret,
		     struct diag *diag);

/**
 * struct unwind_iter - position of an iteration; zeros at first
 * @index: index of the entry of the first level
 * @nr: index of the entry in its page
 * @seen: number of entries so far
 */
struct unwind_iter {
	uint32_t index;
	uint32_t nr;
	uint64_t seen;
};

/**
 * unwind_info_next() - read the next entry
 * @u: open
 * @it: zeros at first; the first error ends it
 * @ret: written if 1 is returned; empty entries are returned, too
 * @diag: may be NULL
 *
 * Return: 1; 0 after the last; -EBADMSG if entries do not ascend, are outside of their page's
 * range, or are more than the section has room for, as pages overlap.
 */
int unwind_info_next(const struct unwind_info *u, struct unwind_iter *it,
		     struct unwind_entry *ret, struct diag *diag);

/**
 * unwind_info_lsda() - find the language-specific data (LSDA) of a function
 * @u: open
 * @e: entry from @u
 * @ret: image offset of the data, written if 1 is returned
 * @diag: may be NULL
 *
 * Return: 1; 0 if the function at the entry's start has none; -EBADMSG if the page's LSDA
 * entries are not in the section.
 */
int unwind_info_lsda(const struct unwind_info *u, const struct unwind_entry *e, uint32_t *ret,
		     struct diag *diag);

#endif /* USTACK_USER_DARWIN_UNWIND_INFO_H */
