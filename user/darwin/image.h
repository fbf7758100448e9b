/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A Mach-O file as an image of a process, as unwinding needs it. Positions are image offsets:
 * distances from its Mach-O header.
 *
 *	err = macho_image_init(&image, &m, &diag);
 *	macho_image_code(&image, off, NULL, &code);
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

/* Most sections of stubs of a file; linkers write two. */
#define MACHO_IMAGE_STUBS 8u

/* The code through which functions of other images are called. */
enum macho_stub {
	MACHO_STUB_JUMP,	/* __stubs, __objc_stubs: a jump, without a frame */
	MACHO_STUB_HELPER,	/* __stub_helper: pushes arguments of the dynamic binder */
};

/* Section [@start, @end), as image offsets. */
struct macho_stubs {
	uint32_t start;
	uint32_t end;
	enum macho_stub kind;
};

/**
 * struct macho_image - the file
 * @m: the open Mach-O file
 * @arch: architecture that it is unwound for
 * @has_unwind: the file has __unwind_info, which is @u
 * @u: the section __unwind_info
 * @eh: bytes of __eh_frame; NULL if there is none
 * @eh_len: number of bytes of @eh
 * @eh_addr: address of @eh, as linked
 * @starts: image offsets of functions, ascending, from LC_FUNCTION_STARTS
 * @nr_starts: number of @starts
 * @stubs: sections of stubs
 * @nr_stubs: number of @stubs
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
 * macho_image_init() - open a file's unwind information
 * @image: filled; released by macho_image_release() if 0 is returned
 * @m: open; copied, but its bytes are borrowed
 * @diag: may be NULL
 *
 * Return: 0, also if it has neither section; -EINVAL if its processor or byte order is not
 * supported; -EBADMSG if a section is damaged; -ENOMEM.
 */
int macho_image_init(struct macho_image *image, const struct macho *m, struct diag *diag);
/* Accepts a struct of zeros. */
void macho_image_release(struct macho_image *image);

/**
 * macho_image_bytes() - find the file's bytes at an image offset
 * @image: open
 * @off: image offset
 * @ret: the bytes from there to the segment's end, borrowed
 *
 * Return: number of bytes, 0 if the file has none there.
 */
size_t macho_image_bytes(const struct macho_image *image, uint64_t off, const uint8_t **ret);

/* Return: number of functions that start at or below @off, which is the index of the next one. */
size_t macho_image_starts_up_to(const struct macho_image *image, uint32_t off);

/**
 * macho_image_code() - find the function at an image offset
 * @image: open
 * @off: image offset
 * @e: entry of @off: the function ends at its end at the latest, and if the file has no
 *     starts of functions the entry counts as one function; NULL for none
 * @ret: written if true is returned
 *
 * Return: whether the function is known, and its code is in the file.
 */
bool macho_image_code(const struct macho_image *image, uint32_t off,
		      const struct unwind_entry *e, struct unwind_code *ret);

/**
 * macho_image_stub() - the rule of an offset in stubs
 * @image: open
 * @off: image offset
 * @ret: written if true is returned
 *
 * Return: whether the offset is in stubs.
 */
bool macho_image_stub(const struct macho_image *image, uint32_t off, struct unwind_rule *ret);

#endif /* USTACK_USER_DARWIN_IMAGE_H */
