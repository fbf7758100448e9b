/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to user/formats/imagemap: numbers and tables that reader and writer share.
 */
#ifndef USTACK_USER_IMAGEMAP_PREFIX_H
#define USTACK_USER_IMAGEMAP_PREFIX_H

#include <stdbool.h>

/* Opcodes of a path: the top two bits are the opcode, the low six an operand. */
/* operand: number of bytes that follow */
#define IMAGEMAP_OP_STR 0x00u
/* operand: bytes of a name - 1; this ends the path */
#define IMAGEMAP_OP_FRAMEWORK 0x40u
#define IMAGEMAP_OP_EXPAND 0x80u	/* operand: code of a prefix */
/* operand: bytes of a big-endian number - 1 */
#define IMAGEMAP_OP_EXPAND_EXT 0xc0u
#define IMAGEMAP_EXT_BASE 64u		/* that number and this is the code */
#define IMAGEMAP_OPERAND 0x3fu
#define IMAGEMAP_FRAMEWORK_MIDDLE ".framework/Versions/"

/* First code that a stream defines. Codes between the fixed ones and this are reserved. */
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
