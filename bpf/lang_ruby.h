/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Ruby's structures, as the sampler's programs and user/symbols/lang read them. Included by
 * lang.h.
 *
 * A thread runs an execution context (struct rb_execution_context_struct), which has a stack of
 * control frames. A frame runs code, which its body (struct rb_iseq_constant_body) describes,
 * or a function in C, which a definition (struct rb_method_definition_struct) describes. Both
 * are in memory of malloc(), which GC.compact does not move. A value that is the same in all
 * versions that are read (3.1 and 3.3) is an enumerator here; a value that differs is in struct
 * lang_ruby.
 *
 * The class of a frame is that of its method (struct rb_method_entry_struct), which is in the
 * environment of the method's own frame. A block has the environment of the code around it, and so
 * on, up to that of the method; this one is called local. A frame with a class takes two pairs: its
 * own, and one with the string that is the class's name.
 */
#ifndef USTACK_BPF_LANG_RUBY_H
#define USTACK_BPF_LANG_RUBY_H

#include <linux/types.h>

#include "lang_mix.h"

/* Words of an execution context: the stack, its size in words, the innermost frame. */
enum {
	RUBY_EC_STACK,
	RUBY_EC_SIZE,
	RUBY_EC_FRAME,
	RUBY_EC_WORDS,
};

/* Words of a frame, which has 7 or 8. @RUBY_FRAME_EP points to the flags. */
enum {
	RUBY_FRAME_PC,		/* 0: a frame of C code that Ruby does not show */
	RUBY_FRAME_CODE = 2,	/* object of the code (iseq), 0 for a function in C */
	RUBY_FRAME_EP = 4,
	RUBY_FRAME_WORDS = 8,
};

/* Words of an environment, from the method's object to the flags. */
enum {
	RUBY_ENV_METHOD,
	RUBY_ENV_OUTER,		/* address of the flags of the environment around it; 2 bits are flags */
	RUBY_ENV_FLAGS,
	RUBY_ENV_WORDS,
};
/* Environments from a block to its method that are followed. */
#define RUBY_ENV_DEPTH 8u

#define RUBY_FLAG_LOCAL 0x02u		/* no environment is around it */
#define RUBY_FLAG_FINISH 0x20u		/* C code called it, by vm_exec() */
#define RUBY_FRAME_TYPE 0x7fff0001u
#define RUBY_FRAME_IN_C 0x55550001u
#define RUBY_FRAME_NOT_RUN 0x79990001u	/* not of code that runs; also the outermost frame */

/*
 * An object's first word has its type. An imemo, an internal object of the interpreter, has its
 * kind there, too.
 */
#define RUBY_TYPE 0x1fu
#define RUBY_T_CLASS 0x02u
#define RUBY_T_MODULE 0x03u
#define RUBY_T_STRING 0x05u
#define RUBY_T_ARRAY 0x07u
#define RUBY_T_IMEMO 0x1au
#define RUBY_IMEMO 0xf01fu
#define RUBY_IMEMO_SVAR (2u << 12 | RUBY_T_IMEMO)
#define RUBY_IMEMO_METHOD (6u << 12 | RUBY_T_IMEMO)
#define RUBY_IMEMO_CODE (7u << 12 | RUBY_T_IMEMO)
/* Flags: the bytes of a string are elsewhere; the elements of an array are in the object. */
#define RUBY_STRING_APART (1u << 13)
#define RUBY_ARRAY_WITHIN (1u << 13)

/* Words of the objects: the body of code, the definition of a method, the method of an svar. */
#define RUBY_CODE_BODY 2u
#define RUBY_METHOD_DEFINITION 2u
#define RUBY_METHOD_OWNER 4u	/* the class that defines it */
#define RUBY_SVAR_METHOD 1u
#define RUBY_OBJECT_WORDS 5u
/* Words of a string; the version tells where length and bytes are. */
#define RUBY_STRING_WORDS 4u

/* Words of a body. */
enum {
	RUBY_BODY_SIZE,		/* upper half: number of words of code */
	RUBY_BODY_CODE,
	RUBY_BODY_PATH = 8,	/* a string, or an array that begins with the string */
	RUBY_BODY_LABEL = 10,
	RUBY_BODY_LINE,		/* first line */
	RUBY_BODY_JIT_LAST = 38,	/* last word of a JIT's data; see also @jit */
	RUBY_BODY_WORDS,
};

/* Words of struct iseq_insn_info, which is at offset @lines of a body (struct lang_ruby). */
enum {
	RUBY_LINES_TABLE,	/* entries of 12 bytes, which begin with a line */
	RUBY_LINES_NR = 2,	/* number of entries, in the lower half */
	RUBY_LINES_PLACES,	/* which instruction has which entry */
	RUBY_LINES_LOCAL = 7,	/* not of it: object of the code of the method around this code */
};
#define RUBY_LINES_ENTRY 12u

/* Words of a definition. */
enum {
	RUBY_DEF_TYPE,		/* the lowest 4 bits */
	RUBY_DEF_FUNCTION,	/* of a method in Ruby: the object of its code */
	RUBY_DEF_ID = 4,	/* the first name of the method */
	RUBY_DEF_SERIAL,	/* no two definitions have the same */
	RUBY_DEF_WORDS,
};

#define RUBY_DEF_IN_RUBY 0u
#define RUBY_DEF_IN_C 1u
#define RUBY_DEF_NOT_IMPLEMENTED 8u	/* a function in C that raises NotImplementedError */

/*
 * Words of a class. 3.1 has the first ones, and keeps the name, and the object of a singleton
 * class, in a table of variables.
 */
enum {
	RUBY_CLASS_FLAGS,
	RUBY_CLASS_SINGLETON,	/* class of the class */
	RUBY_CLASS_EXTRA = 3,	/* 3.1: more about it; its second word is the table of variables */
	RUBY_CLASS_OLD_WORDS,
	RUBY_CLASS_ATTACHED = 16,	/* singleton class: its object */
	RUBY_CLASS_BITS = 18,
	RUBY_CLASS_NAME,	/* a string */
	RUBY_CLASS_WORDS,
};
#define RUBY_CLASS_IS_SINGLETON (1u << 12)	/* flag: it is the class of one object */
#define RUBY_CLASS_NAMED (1ull << 40)	/* in RUBY_CLASS_BITS: a constant has given it its name */

/* Words of the table of variables in 3.1, and of an entry. */
enum {
	RUBY_TABLE_BOUND = 5,	/* number of entries, with removed ones */
	RUBY_TABLE_ENTRIES,
	RUBY_TABLE_HEAD_WORDS,
};
enum {
	RUBY_ENTRY_HASH,	/* ~0: it was removed */
	RUBY_ENTRY_ID,
	RUBY_ENTRY_VALUE,
	RUBY_ENTRY_WORDS,
};
/* Entries that are looked at. A class is usually named before it has variables of its own. */
#define RUBY_ENTRIES 8u

/* Flag of the pair with a class's name: the method is one of the class itself. */
#define LANG_RUBY_OF_CLASS 1u

/**
 * struct lang_ruby - how a process's frames are read
 * @dtv: offset from the thread pointer to the pointer to the thread's vector of modules
 * @module: in that vector, the offset of the library's entry
 * @ec: in the library's block for the thread, the pointer to the execution context
 * @symbols: address of the table of all symbols
 * @frame_bytes: bytes of a frame, at most 8 * RUBY_FRAME_WORDS
 * @lines: in a body, struct iseq_insn_info
 * @jit: in a body, a word that is not 0 if a JIT has made code for it; the same holds for
 *       RUBY_BODY_JIT_LAST
 * @old: the version is 3.1: strings have their length in their flags, and lines are numbers of
 *       Ruby
 * @classes: whether methods get the names of their classes
 * @name: 3.1: number of the variable with a class's name
 * @attached: 3.1: number of the variable with the object of a singleton class
 */
struct lang_ruby {
	__s64 dtv;
	__u64 module;
	__u64 ec;
	__u64 symbols;
	__u16 frame_bytes;
	__u16 lines;
	__u16 jit;
	__u8 old;
	__u8 classes;
	__u32 name;
	__u32 attached;
};

_Static_assert(sizeof(struct lang_ruby) == 48, "struct lang_ruby");

/* Words of the table of lines that go into the fingerprint. */
#define RUBY_TABLE_WORDS 16u
#define RUBY_TABLE_BYTES (8 * RUBY_TABLE_WORDS)

/**
 * struct lang_ruby_print - a fingerprint of code, or of a function in C
 *
 * Programs that make code in a loop free bodies with their code and use their memory again.
 * GC.compact moves strings, so the fingerprint includes their contents, not their addresses.
 *
 * @body: the body's first RUBY_BODY_WORDS; there is room for any masked offset
 * @lines: first bytes of its table of lines, followed by zeros
 * @label: the name of the code
 * @path: name of the code's file
 * @string: a string's object
 * @faulted: a part could not be read
 */
struct lang_ruby_print {
	__u64 body[64];
	__u64 lines[RUBY_TABLE_WORDS];
	struct lang_ends label;
	struct lang_ends path;
	__u64 string[RUBY_STRING_WORDS];
	__u64 faulted;
};

/* Return: the word at @off of a body; @off is masked to the array. */
static inline __u64 lang_ruby_word(const struct lang_ruby_print *p, __u64 off)
{
	return p->body[off / 8 & 63];
}

/* Return: number of words of code. */
static inline __u64 lang_ruby_size(const struct lang_ruby_print *p)
{
	return p->body[RUBY_BODY_SIZE] >> 32;
}

static inline __u32 lang_ruby_nr_lines(const struct lang_ruby_print *p, const struct lang_ruby *d)
{
	return (__u32)lang_ruby_word(p, d->lines + 8 * RUBY_LINES_NR);
}

static inline __u32 lang_ruby_first_line(const struct lang_ruby_print *p, const struct lang_ruby *d)
{
	return (__u32)(p->body[RUBY_BODY_LINE] >> (d->old ? 1 : 0));
}

/* Return: whether a JIT has made code for it. */
static inline int lang_ruby_is_compiled(const struct lang_ruby_print *p, const struct lang_ruby *d)
{
	return lang_ruby_word(p, d->jit) || p->body[RUBY_BODY_JIT_LAST];
}

static inline int lang_ruby_is_string(const __u64 *string)
{
	return (string[0] & RUBY_TYPE) == RUBY_T_STRING;
}

static inline __u64 lang_ruby_length(const struct lang_ruby *d, const __u64 *string)
{
	if (!d->old || string[0] & RUBY_STRING_APART)
		return string[2];
	return string[0] >> 14 & 31;
}

/* Return: address of the bytes of the string at @at. */
static inline __u64 lang_ruby_bytes(const struct lang_ruby *d, const __u64 *string, __u64 at)
{
	if (string[0] & RUBY_STRING_APART)
		return string[3];
	return at + (d->old ? 16 : 24);
}

static inline __u32 lang_ruby_cookie(const struct lang_ruby_print *p, const struct lang_ruby *d)
{
	__u64 sum = p->body[RUBY_BODY_SIZE], i;

	sum = lang_mix(sum, p->body[RUBY_BODY_CODE]);
	sum = lang_mix(sum, p->body[RUBY_BODY_LINE]);
	sum = lang_mix(sum, lang_ruby_word(p, d->lines + 8 * RUBY_LINES_TABLE));
	sum = lang_mix(sum, lang_ruby_nr_lines(p, d));
	sum = lang_mix_ends(sum, &p->label);
	sum = lang_mix_ends(sum, &p->path);
#pragma GCC unroll 16
	for (i = 0; i < RUBY_TABLE_WORDS; i++)
		sum = lang_mix(sum, p->lines[i]);
	return sum >> 32;
}

/* Return: the cookie of a function in C. @def: RUBY_DEF_WORDS words of its definition. */
static inline __u32 lang_ruby_cookie_in_c(const __u64 *def)
{
	__u64 sum = def[RUBY_DEF_TYPE] & 15;

	sum = lang_mix(sum, def[RUBY_DEF_FUNCTION]);
	sum = lang_mix(sum, def[RUBY_DEF_ID]);
	sum = lang_mix(sum, def[RUBY_DEF_SERIAL]);
	return sum >> 32;
}

static inline int lang_ruby_is_class(__u64 flags)
{
	__u64 type = flags & RUBY_TYPE;

	return type == RUBY_T_CLASS || type == RUBY_T_MODULE;
}

static inline int lang_ruby_is_singleton(__u64 flags)
{
	return (flags & RUBY_TYPE) == RUBY_T_CLASS && flags & RUBY_CLASS_IS_SINGLETON;
}

/* Return: the cookie of a class's name. @flags: LANG_RUBY_OF_CLASS or 0 */
static inline __u32 lang_ruby_class_cookie(const struct lang_ends *name, __u64 flags)
{
	return lang_mix_ends(flags, name) >> 32;
}

static inline int lang_ruby_is_in_c(const __u64 *def)
{
	__u64 type = def[RUBY_DEF_TYPE] & 15;

	return type == RUBY_DEF_IN_C || type == RUBY_DEF_NOT_IMPLEMENTED;
}

#endif /* USTACK_BPF_LANG_RUBY_H */
