/* SPDX-License-Identifier: MIT */
/*
 * What a library says about a failure: it returns a negative errno and, if the
 * caller wants to know more, fills the caller's struct diag. Libraries never
 * print; cmd_diag() does.
 */
#ifndef USTACK_USER_DIAG_H
#define USTACK_USER_DIAG_H

#include <stddef.h>
#include <stdint.h>

#define DIAG_NO_OFFSET UINT64_MAX

/**
 * struct diag - one failure
 * @file: file, device or process it is about; borrowed, NULL if there is none
 * @offset: offset in what @file holds, DIAG_NO_OFFSET if there is none. For a
 *          refused section: from the start of the section
 * @reason: number in kmod/core/reason.def, 0 if there is none
 * @text: the sentence, without a full stop
 */
struct diag {
	const char *file;
	uint64_t offset;
	unsigned int reason;
	char text[256];
};

/**
 * diag_set() - say it in words
 * @diag: may be NULL
 * @err: positive errno
 * @file: see struct diag
 * @fmt: the sentence
 *
 * Return: -@err, so that a caller can fail in one line.
 */
__attribute__((__format__(__printf__, 4, 5)))
int diag_set(struct diag *diag, int err, const char *file, const char *fmt, ...);

/**
 * diag_errno() - say what the system said
 * @diag: may be NULL
 * @err: positive errno
 * @file: see struct diag
 *
 * Return: -@err.
 */
int diag_errno(struct diag *diag, int err, const char *file);

/* The name in @file goes to the words, before who it is borrowed from is released. NULL is nothing. */
void diag_keep(struct diag *diag);

/**
 * diag_reason() - say why the core refused something
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
 * diag_format() - "FILE: offset 0x..: REASON: sentence", without what is absent
 * @diag: the failure
 * @buf: result
 * @len: bytes of @buf; a longer result is cut
 */
void diag_format(const struct diag *diag, char *buf, size_t len);

#endif /* USTACK_USER_DIAG_H */
