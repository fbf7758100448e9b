/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Image maps: the addresses of all images (programs and libraries) of a process,
 * in Swift's Compact ImageMap Format, version 0. A process takes a few hundred
 * bytes, small enough for a log line or a ticket. Documentation/formats/imagemap.md
 * describes what the format leaves open.
 *
 *	struct imagemap map = IMAGEMAP_INIT;
 *
 *	err = imagemap_decode(bytes, len, "a.cif", 0, &map, &diag);
 *	i = imagemap_find(&map, addr);
 *	puts(imagemap_path(&map, i));
 *	imagemap_release(&map);
 *
 * A stream may hold anything: damage is an error with an offset and a sentence,
 * and memory stays within the bounds below.
 *
 * Context: one thread at a time for each map.
 */
#ifndef USTACK_USER_IMAGEMAP_H
#define USTACK_USER_IMAGEMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/diag.h"

/* The bounds of Swift's reader. */
#define IMAGEMAP_MAX_IMAGES (1u << 20)
#define IMAGEMAP_MAX_BUILD_ID 1024u
#define IMAGEMAP_MAX_PLATFORM 255u
/*
 * Most bytes of a stream, and of the text of all its paths and build ids. The
 * text needs a bound of its own: a path of 13 bytes may repeat all paths before
 * it.
 */
#define IMAGEMAP_MAX_BYTES (64u << 20)
#define IMAGEMAP_MAX_TEXT (64u << 20)

/* Size of an address; the numbers are those of the format. */
enum imagemap_word {
	IMAGEMAP_16,
	IMAGEMAP_32,
	IMAGEMAP_64,
};

/* Return: 16, 32 or 64. */
unsigned int imagemap_bits(enum imagemap_word word);

/* Why an image of a stream has no path, or a path that Swift's reader refuses. */
enum imagemap_damage {
	IMAGEMAP_WHOLE,
	IMAGEMAP_BAD_CODE,	/* the path uses an undefined prefix; no path */
	IMAGEMAP_CUT,		/* the stream ends inside the path; no path */
	IMAGEMAP_NUL,		/* the path contains a NUL; no path */
	IMAGEMAP_NOT_UTF8,	/* the path is kept as it is */
};

/* Return: a sentence for the user. */
const char *imagemap_damage_text(enum imagemap_damage damage);

/**
 * struct imagemap_image - an image of a map
 * @base: address of its first byte, to which the first segment of the file is
 *        mapped
 * @end: address after its text; above @base
 * @build_id: position of the build id in the map's texts, see
 *            imagemap_build_id()
 * @path: position of the path, see imagemap_path(); 0 if there is none
 * @build_id_len: bytes of the build id, 0 if there is none
 * @damage: enum imagemap_damage; set by imagemap_decode()
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
 * @word: size of an address
 * @platform: name of the platform that the process ran on, UTF-8, may be ""
 * @images: in the order in which they were added, or ascending by base after
 *          imagemap_sort()
 * @nr: number of @images
 * @old: the stream had no platform, as in streams before 2025
 * @trailing: bytes of the stream after its last image
 */
struct imagemap {
	enum imagemap_word word;
	char platform[IMAGEMAP_MAX_PLATFORM + 1];
	struct imagemap_image *images;
	uint32_t nr;
	bool old;
	size_t trailing;

	/* private: texts and build ids one after the other; position 0 means none */
	uint32_t room;
	char *text;
	size_t text_len;
	size_t text_room;
};

#define IMAGEMAP_INIT { .word = IMAGEMAP_64 }

/* Frees all memory of @map and sets it to IMAGEMAP_INIT. */
void imagemap_release(struct imagemap *map);

/**
 * struct imagemap_new - an image to be added
 * @base: address of the first byte, within the map's word size
 * @end: address after the text, above @base, within the map's word size
 * @build_id: build id, at most IMAGEMAP_MAX_BUILD_ID bytes
 * @build_id_len: bytes of @build_id, 0 if there is none
 * @path: path; NULL or "" if there is none
 */
struct imagemap_new {
	uint64_t base;
	uint64_t end;
	const uint8_t *build_id;
	size_t build_id_len;
	const char *path;
};

/**
 * imagemap_add() - add an image after the others
 * @map: map whose word size is set
 * @image: image to add; all of it is copied
 *
 * Return: 0; -EINVAL if @image breaks the rules above; -E2BIG beyond the
 * bounds; -ENOMEM.
 */
int imagemap_add(struct imagemap *map, const struct imagemap_new *image);

/*
 * Sorts the images by base: this order needs the fewest bytes, and
 * imagemap_find() needs it.
 */
void imagemap_sort(struct imagemap *map);

/* Return: the image of a sorted map that contains @addr, the last one if several do; NULL. */
const struct imagemap_image *imagemap_find(const struct imagemap *map, uint64_t addr);

/* Return: the path of an image, valid until an image is added; NULL if there is none. */
const char *imagemap_path(const struct imagemap *map, const struct imagemap_image *i);
/* Return: the part of the path after the last '/' or '\'; NULL if there is no path. */
const char *imagemap_name(const struct imagemap *map, const struct imagemap_image *i);
/* Return: the build id, @i->build_id_len bytes, valid until an image is added. */
const uint8_t *imagemap_build_id(const struct imagemap *map,
				 const struct imagemap_image *i);

/*
 * Refuses what Swift's reader ignores: a damaged path, bit 6 in the header of
 * an image, bytes after the last image, and streams without a platform.
 */
#define IMAGEMAP_STRICT 1u
/* Accepts an image without text (its end is its base), as readers before 2025 did. */
#define IMAGEMAP_EMPTY_TEXT 2u

/**
 * imagemap_decode() - read a stream
 * @bytes: the stream
 * @len: number of bytes in @bytes, up to IMAGEMAP_MAX_BYTES
 * @name: name for messages; borrowed
 * @flags: IMAGEMAP_STRICT, IMAGEMAP_EMPTY_TEXT
 * @ret: holds IMAGEMAP_INIT; to be released also on failure: after -EBADMSG it
 *       has the images before the damage
 * @diag: may be NULL
 *
 * If a stream is damaged when it is read with a platform, but complete when it
 * is read without one, the second reading is returned. If a path cannot be
 * read, the image has no path.
 *
 * Return: 0; -EBADMSG with the offset of the damage; -E2BIG beyond the bounds;
 * -ENOMEM.
 */
int imagemap_decode(const void *bytes, size_t len, const char *name, unsigned int flags,
		    struct imagemap *ret, struct diag *diag);

/**
 * imagemap_encode() - write a stream that Swift's reader reads
 * @map: images in any order; ascending ones take fewer bytes
 * @ret: the stream; freed by the caller
 * @len: set to the number of bytes in @ret
 * @diag: may be NULL
 *
 * Paths that are not UTF-8 are written unchanged: Swift's reader ignores them.
 *
 * Return: 0; -ERANGE for a text of 2^63 bytes or more; -ENOMEM.
 */
int imagemap_encode(const struct imagemap *map, uint8_t **ret, size_t *len,
		    struct diag *diag);

/**
 * imagemap_from_json() - read a map from JSON
 * @text: document as "ustack imagemap decode --json" prints it, or as a person
 *        writes it
 * @len: number of bytes in @text
 * @name: name for messages; borrowed
 * @ret: holds IMAGEMAP_INIT; released by the caller; images in the document's
 *       order
 * @diag: may be NULL
 *
 * { "platform": "linux", "word": 64, "images": [ { "base": "0x...", "end":
 * "0x...", "build_id": "hex", "path": "..." } ] }. Only base and end are
 * required. Addresses may be numbers, too. "path_hex" is for paths that are not
 * UTF-8.
 *
 * Return: 0; -EBADMSG with the place and the reason; another negative errno.
 */
int imagemap_from_json(const char *text, size_t len, const char *name, struct imagemap *ret,
		       struct diag *diag);

#endif /* USTACK_USER_IMAGEMAP_H */
