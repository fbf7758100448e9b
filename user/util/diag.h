/* SPDX-License-Identifier: MIT */
/*
 * Why a library function failed. It returns a negative errno and fills the
 * caller's struct diag, if the caller passed one. Libraries never print;
 * cmd_diag() does.
 */
#ifndef USTACK_USER_DIAG_H
#define USTACK_USER_DIAG_H

#include <stddef.h>
#include <stdint.h>

#define DIAG_NO_OFFSET UINT64_MAX

/**
 * struct diag - one failure
 * @file: name of the file, device or process that the failure is about;
 *        borrowed, NULL if there is none
 * @offset: byte offset in @file, DIAG_NO_OFFSET if there is none. For a refused
 *          section it counts from the start of the section
 * @reason: number in kmod/core/reason.def, 0 if there is none
 * @text: sentence that describes the failure, without a full stop
 */
struct diag {
	const char *file;
	uint64_t offset;
	unsigned int reason;
	char text[256];
};

/**
 * diag_set() - describe a failure by a sentence
 * @diag: may be NULL
 * @err: positive errno
 * @file: see struct diag
 * @fmt: format of the sentence, as of printf(3)
 *
 * Return: -@err, so that a caller can fail in one line.
 */
__attribute__((__format__(__printf__, 4, 5)))
int diag_set(struct diag *diag, int err, const char *file, const char *fmt, ...);

/**
 * diag_errno() - describe a failure by the text of its errno
 * @diag: may be NULL
 * @err: positive errno
 * @file: see struct diag
 *
 * Return: -@err.
 */
int diag_errno(struct diag *diag, int err, const char *file);

/*
 * Moves the borrowed name in @file into @text, before the owner of the name
 * frees it. @diag may be NULL.
 */
void diag_copy_name(struct diag *diag);

/**
 * diag_reason() - describe a failure by the core's reason for it
 * @diag: may be NULL
 * @reason: enum ustack_reason
 * @file: see struct diag
 * @offset: see struct diag
 *
 * Return: -EBADMSG.
 */
int diag_reason(struct diag *diag, unsigned int reason, const char *file,
		uint64_t offset);

/**
 * diag_format() - print "FILE: offset 0x..: REASON: sentence" into a buffer
 * @diag: the failure; parts that it does not have are left out
 * @buf: result
 * @len: bytes of @buf; a longer result is cut
 */
void diag_format(const struct diag *diag, char *buf, size_t len);

#endif /* USTACK_USER_DIAG_H */
