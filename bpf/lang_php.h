/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * PHP's structures, as the sampler's programs and user/symbols/lang read them. Included by
 * lang.h.
 *
 * A frame is a struct _zend_execute_data, a function is a union _zend_function. A value that is
 * the same in all versions that are read (8.2 to 8.4) is an enumerator here; a value that
 * differs is in struct lang_php. Offsets are in bytes.
 */
#ifndef USTACK_BPF_LANG_PHP_H
#define USTACK_BPF_LANG_PHP_H

#include <linux/types.h>

#include "lang_mix.h"

/* Words of a frame: @PHP_FRAME_INFO has the type and flags of the call in its lower half. */
enum {
	PHP_FRAME_OPLINE,
	PHP_FRAME_CALL,
	PHP_FRAME_RESULT,	/* frame of a generator: its object */
	PHP_FRAME_FUNC,
	PHP_FRAME_THIS,
	PHP_FRAME_INFO,
	PHP_FRAME_PREVIOUS,
	PHP_FRAME_WORDS,
};

#define PHP_CALL_TOP (1u << 17)		/* C code called it */
#define PHP_CALL_GENERATOR (1u << 24)

/* Types of functions: the first byte. */
#define PHP_INTERNAL 1u		/* written in C */
#define PHP_USER 2u
#define PHP_EVAL 4u

/* Words of a function. */
enum {
	PHP_FUNC_TYPE,		/* the lowest byte; flags in the upper half */
	PHP_FUNC_NAME,		/* 0 for code outside of functions */
	PHP_FUNC_SCOPE,		/* class, or 0 */
};
#define PHP_FUNC_WORDS 16u	/* words read of any function; one in C has 17 or 20 */

#define PHP_ACC_CLOSURE (1u << 22)
#define PHP_CLASS_NAME 8u
#define PHP_STRING_LEN 16u	/* the bytes follow it */
#define PHP_STRING_BYTES 24u
#define PHP_OP_BYTES 32u
#define PHP_OP_LINE 24u
#define PHP_GENERATOR_FRAME 56u
#define PHP_GENERATOR_PARENT 152u

/**
 * struct lang_php - how a process's frames are read
 * @current: address of executor_globals.current_execute_data
 * @interpreter: start of the code in which the registers of frame and instruction count
 * @interpreter_len: bytes of that code; code of the JIT uses one of them for other values
 * @func_opcodes: in a function, the address of its instructions
 * @func_last: in a function, the number of its instructions
 * @func_filename: in a function, the name of its file; the first line follows
 */
struct lang_php {
	__u64 current;
	__u64 interpreter;
	__u64 interpreter_len;
	__u16 func_opcodes;
	__u16 func_last;
	__u16 func_filename;
	__u16 pad;
};

_Static_assert(sizeof(struct lang_php) == 32, "struct lang_php");

/**
 * struct lang_php_print - a function's fingerprint
 *
 * Memory of functions is used again when a request ends or after code of eval() has run, with
 * the same pointers in it. So the fingerprint includes contents: those of names, and the first
 * line. (A string's own hash may be missing.)
 *
 * @func: the function's first words
 * @where: address of the file's name; first and last line. 0 for a function in C
 * @name: the function's name; zeros if it has none
 * @scope: name of its class; zeros if it has none
 * @file: name of its file; zeros for a function in C
 * @faulted: a part could not be read
 */
struct lang_php_print {
	__u64 func[PHP_FUNC_WORDS];
	__u64 where[2];
	struct lang_ends name;
	struct lang_ends scope;
	struct lang_ends file;
	__u64 faulted;
};

static inline __u32 lang_php_type(const struct lang_php_print *p)
{
	return p->func[PHP_FUNC_TYPE] & 0xff;
}

/* Return: first line of a function in PHP. */
static inline __u32 lang_php_line(const struct lang_php_print *p)
{
	return (__u32)p->where[1];
}

static inline __u32 lang_php_cookie(const struct lang_php_print *p)
{
	__u64 sum = lang_php_type(p);

	sum = lang_mix(sum, p->func[PHP_FUNC_NAME]);
	sum = lang_mix(sum, p->func[PHP_FUNC_SCOPE]);
	sum = lang_mix(sum, p->where[0]);
	sum = lang_mix(sum, p->where[1]);
	sum = lang_mix_ends(sum, &p->name);
	sum = lang_mix_ends(sum, &p->scope);
	sum = lang_mix_ends(sum, &p->file);
	return sum >> 32;
}

#endif /* USTACK_BPF_LANG_PHP_H */
