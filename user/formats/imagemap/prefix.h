/* SPDX-License-Identifier: GPL-2.0-only */
/* Private to user/formats/imagemap: what reader and writer must have alike. */
#ifndef USTACK_USER_IMAGEMAP_PREFIX_H
#define USTACK_USER_IMAGEMAP_PREFIX_H

#include <stdbool.h>

/* Opcodes of a path, by their top bits; the low six are an operand. */
#define IMAGEMAP_OP_STR 0x00u		/* bytes that follow */
#define IMAGEMAP_OP_FRAMEWORK 0x40u	/* bytes of a name - 1: the path ends with it */
#define IMAGEMAP_OP_EXPAND 0x80u	/* code of a prefix */
#define IMAGEMAP_OP_EXPAND_EXT 0xc0u	/* bytes of a code - 1, big-endian, ... */
#define IMAGEMAP_EXT_BASE 64u		/* ... that counts from here */
#define IMAGEMAP_OPERAND 0x3fu
#define IMAGEMAP_FRAMEWORK_MIDDLE ".framework/Versions/"

/* Codes that a stream defines; those between the fixed ones and these are reserved. */
#define IMAGEMAP_FIRST_CODE 32u

static const char *const imagemap_fixed[] = {
	"/lib",
	"/usr/lib",
	"/usr/local/lib",
	"/opt/lib",
	"/System/Library/Frameworks",
	"/System/Library/PrivateFrameworks",
	"/System/iOSSupport",
	"/Library/Frameworks",
	"/System/Applications",
	"/Applications",
	"C:\\Windows\\System32",
	"C:\\Program Files",
};

#define IMAGEMAP_NR_FIXED (sizeof(imagemap_fixed) / sizeof(*imagemap_fixed))

static inline bool imagemap_separates(char c)
{
	return c == '/' || c == '\\';
}

#endif /* USTACK_USER_IMAGEMAP_PREFIX_H */
