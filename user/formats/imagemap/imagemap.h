/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which image (program, library) was where in a process, in Swift's Compact ImageMap
 * Format, version 0: a few hundred bytes for a process, small enough for a log line or a
 * ticket. Documentation/formats/imagemap.md has what the format leaves open.
 *
 *	struct imagemap map = IMAGEMAP_INIT;
 *
 *	err = imagemap_decode(bytes, len, "a.cif", 0, &map, &diag);
 *	i = imagemap_find(&map, addr);
 *	puts(imagemap_path(&map, i));
 *	imagemap_release(&map);
 *
 * A stream may hold anything: what is wrong in it is an error with an offset and a
 * sentence, and memory is within the bounds below.
 *
 * Context: one thread at a time for each map.
 */
#ifndef USTACK_USER_IMAGEMAP_H
#define USTACK_USER_IMAGEMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/diag.h"

/* The bounds of Swift's reader */
#define IMAGEMAP_MAX_IMAGES (1u << 20)
#define IMAGEMAP_MAX_BUILD_ID 1024u
#define IMAGEMAP_MAX_PLATFORM 255u
/* A stream, and the text of all of its paths and build ids: a path of 13 bytes may be
 * the sum of any that were before it.
 */
#define IMAGEMAP_MAX_BYTES (64u << 20)
#define IMAGEMAP_MAX_TEXT (64u << 20)

/* Size of an address; the numbers are the format's. */
enum imagemap_word {
	IMAGEMAP_16,
	IMAGEMAP_32,
	IMAGEMAP_64,
};

/* 16, 32 or 64 */
unsigned int imagemap_bits(enum imagemap_word word);

/* Why an image of a stream has no path, or one that Swift's reader gives up. */
enum imagemap_damage {
	IMAGEMAP_WHOLE,
	IMAGEMAP_BAD_CODE,	/* a prefix that nothing has defined; no path */
	IMAGEMAP_CUT,		/* the stream ends in it; no path */
	IMAGEMAP_NUL,		/* there is a NUL in it; no path */
	IMAGEMAP_NOT_UTF8,	/* the path is as it was written */
};

/* A sentence for people. */
const char *imagemap_damage_text(enum imagemap_damage damage);

/**
 * struct imagemap_image - an image of a map
 * @base: address of its first byte: where the first segment of the file is
 * @end: address behind its text; above @base
 * @build_id: where it is, see imagemap_build_id()
 * @build_id_len: bytes of it, 0 if there is none
 * @path: where it is, see imagemap_path(); 0 if there is none
 * @damage: enum imagemap_damage, of one that was decoded
 */
struct imagemap_image {
	uint64_t base;
	uint64_t end;
	uint32_t build_id;
	uint32_t path;
	uint16_t build_id_len;
	uint8_t damage;
};

/**
 * struct imagemap - the images of a process
 * @word: size of its addresses
 * @platform: where it ran, UTF-8, may be ""
 * @images: as they came, or ascending by base after imagemap_sort()
 * @nr: of them
 * @old: it was decoded from a stream without a platform, as they were before 2025
 * @trailing: bytes behind the last image in the stream that it was decoded from
 */
struct imagemap {
	enum imagemap_word word;
	char platform[IMAGEMAP_MAX_PLATFORM + 1];
	struct imagemap_image *images;
	uint32_t nr;
	bool old;
	size_t trailing;

	/* private: texts and build ids, one behind the other; 0 is none */
	uint32_t room;
	char *text;
	size_t text_len;
	size_t text_room;
};

#define IMAGEMAP_INIT { .word = IMAGEMAP_64 }

/* Frees what it has; then it is as IMAGEMAP_INIT. */
void imagemap_release(struct imagemap *map);

/**
 * struct imagemap_new - an image to add
 * @base: within the map's word size
 * @end: above @base, likewise
 * @build_id: @build_id_len bytes, up to IMAGEMAP_MAX_BUILD_ID
 * @build_id_len: 0 for none
 * @path: NULL or "" for none
 */
struct imagemap_new {
	uint64_t base;
	uint64_t end;
	const uint8_t *build_id;
	size_t build_id_len;
	const char *path;
};

/**
 * imagemap_add() - add an image behind the others
 * @map: its word size is set
 * @image: all of it is copied
 *
 * Return: 0; -EINVAL if it breaks the rules above; -E2BIG beyond the bounds; -ENOMEM.
 */
int imagemap_add(struct imagemap *map, const struct imagemap_new *image);

/* Ascending by base: the order that encodes best, and imagemap_find() needs. */
void imagemap_sort(struct imagemap *map);

/* Return: the image of a sorted map that has @addr, the last one if several do; NULL. */
const struct imagemap_image *imagemap_find(const struct imagemap *map, uint64_t addr);

/* Its path, valid until something is added; NULL if there is none. */
const char *imagemap_path(const struct imagemap *map, const struct imagemap_image *i);
/* What is behind the last '/' or '\' of it; NULL if it has no path. */
const char *imagemap_name(const struct imagemap *map, const struct imagemap_image *i);
/* Its build id, @i->build_id_len bytes, valid until something is added. */
const uint8_t *imagemap_build_id(const struct imagemap *map,
				 const struct imagemap_image *i);

/* Refuse what Swift's reader ignores: a damaged path, bit 6 of an image's header, bytes
 * behind the last image, and streams without a platform.
 */
#define IMAGEMAP_STRICT 1u
/* Take an image without text (its end is its base), as readers before 2025 did. */
#define IMAGEMAP_EMPTY_TEXT 2u

/**
 * imagemap_decode() - read a stream
 * @bytes: the stream
 * @len: of @bytes, up to IMAGEMAP_MAX_BYTES
 * @name: for messages; borrowed
 * @flags: IMAGEMAP_STRICT, IMAGEMAP_EMPTY_TEXT
 * @ret: holds IMAGEMAP_INIT; to be released in either case: after -EBADMSG it has the
 *       images in front of what is wrong
 * @diag: may be NULL
 *
 * A stream that is not whole as it is, but is whole as one without a platform, is read
 * as that. A path that cannot be had costs the path, not the image.
 *
 * Return: 0; -EBADMSG with the offset of what is wrong; -E2BIG beyond the bounds; -ENOMEM.
 */
int imagemap_decode(const void *bytes, size_t len, const char *name, unsigned int flags,
		    struct imagemap *ret, struct diag *diag);

/**
 * imagemap_encode() - write a stream that Swift's reader reads
 * @map: images in any order; ascending ones take fewer bytes
 * @ret: freed by the caller
 * @len: bytes of @ret
 * @diag: may be NULL
 *
 * Paths that are not UTF-8 are written as they are: Swift's reader takes them as none.
 *
 * Return: 0; -ERANGE for a text of 2^63 bytes or more; -ENOMEM.
 */
int imagemap_encode(const struct imagemap *map, uint8_t **ret, size_t *len,
		    struct diag *diag);

/**
 * imagemap_from_json() - what "ustack imagemap decode --json" prints, or somebody writes
 * @text: the document
 * @len: of @text
 * @name: for messages; borrowed
 * @ret: holds IMAGEMAP_INIT; released by the caller; in the document's order
 * @diag: may be NULL
 *
 * { "platform": "linux", "word": 64, "images": [ { "base": "0x...", "end": "0x...",
 * "build_id": "hex", "path": "..." } ] }, of which all but base and end may be left out.
 * Addresses may be numbers, too. "path_hex" is for paths that are not UTF-8.
 *
 * Return: 0; -EBADMSG with the place and the reason; another negative errno.
 */
int imagemap_from_json(const char *text, size_t len, const char *name, struct imagemap *ret,
		       struct diag *diag);

#endif /* USTACK_USER_IMAGEMAP_H */
