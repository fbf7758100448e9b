/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A Mach-O file as an image of a process: what unwinding asks of it by image offset, the
 * distance from its Mach-O header.
 *
 *	err = macho_image_init(&image, &m, &diag);
 *	macho_image_entry_code(&image, off, &code);
 *	macho_image_release(&image);
 *
 * Context: read-only after macho_image_init(), by any number of threads. The file's bytes
 * are borrowed.
 */
#ifndef USTACK_USER_DARWIN_IMAGE_H
#define USTACK_USER_DARWIN_IMAGE_H

#include "darwin/unwind_decode.h"
#include "darwin/unwind_edge.h"
#include "darwin/unwind_info.h"
#include "formats/macho/macho.h"

/* Sections of stubs that are kept; linkers write two. */
#define MACHO_IMAGE_STUBS 8u

/* What calls of other images go through. */
enum macho_stub {
	MACHO_STUB_JUMP,	/* __stubs, __objc_stubs: a jump, without a frame */
	MACHO_STUB_HELPER,	/* __stub_helper: pushes what the binder needs */
};

/* Section [@start, @end), as image offsets. */
struct macho_stubs {
	uint32_t start;
	uint32_t end;
	enum macho_stub kind;
};

/**
 * struct macho_image - the file
 * @m: it
 * @arch: how it is unwound
 * @has_unwind: it has __unwind_info, which is @u
 * @u: see there
 * @eh: its __eh_frame; NULL if there is none
 * @eh_len: bytes of it
 * @eh_addr: its address, as linked
 * @starts: image offsets of functions, ascending, from LC_FUNCTION_STARTS
 * @nr_starts: number of them
 * @stubs: see struct macho_stubs
 * @nr_stubs: number of them
 */
struct macho_image {
	struct macho m;
	enum unwind_arch arch;
	bool has_unwind;
	struct unwind_info u;
	const uint8_t *eh;
	uint64_t eh_len;
	uint64_t eh_addr;
	uint32_t *starts;
	size_t nr_starts;
	struct macho_stubs stubs[MACHO_IMAGE_STUBS];
	unsigned int nr_stubs;
};

/**
 * macho_image_init() - look at a file
 * @image: filled; released by macho_image_release() if that was a success
 * @m: open; copied, its bytes are borrowed
 * @diag: may be NULL
 *
 * Return: 0, also if it has neither section; -EINVAL if there is no unwinding for its
 * processor or byte order; -EBADMSG if what it has is damaged; -ENOMEM.
 */
int macho_image_init(struct macho_image *image, const struct macho *m, struct diag *diag);
/* One of zeros is fine. */
void macho_image_release(struct macho_image *image);

/**
 * macho_image_bytes() - what the file has at an address
 * @image: ready
 * @off: image offset
 * @ret: from there on, borrowed; up to the segment's end
 *
 * Return: number of bytes, 0 if it has none.
 */
size_t macho_image_bytes(const struct macho_image *image, uint64_t off, const uint8_t **ret);

/* Return: how many functions start at @off or below, which is the index of the next one. */
size_t macho_image_starts_up_to(const struct macho_image *image, uint32_t off);

/**
 * macho_image_code() - the function at an address
 * @image: ready
 * @off: image offset
 * @e: what is said of it: a function ends there at the latest, and where the file does
 *     not say where functions start, it is taken for one; NULL for nothing
 * @ret: on true
 *
 * Return: whether it is known, and its code is in the file.
 */
bool macho_image_code(const struct macho_image *image, uint32_t off,
		      const struct unwind_entry *e, struct unwind_code *ret);

/**
 * macho_image_stub() - the rule of an address in stubs
 * @image: ready
 * @off: image offset
 * @ret: on true
 *
 * Return: whether there are stubs.
 */
bool macho_image_stub(const struct macho_image *image, uint32_t off, struct unwind_rule *ret);

#endif /* USTACK_USER_DARWIN_IMAGE_H */
