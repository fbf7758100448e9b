/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Perl's structures, as the sampler's programs and user/symbols/lang read them. Included by
 * lang.h.
 *
 * An interpreter has a chain of stacks of contexts (struct stackinfo); it uses the innermost
 * one. Contexts of subs, formats and evals are linked by their indexes. Loops and blocks are
 * contexts, too, but they are not in that chain. A context has the statement (struct cop) that
 * its caller was at, and the operation (struct op) that comes next when it returns.
 *
 * A frame is two pairs of words: its function, and its place, which is a statement and an
 * operation. The line is not always the statement's: perl leaves out the first statement of a
 * block, and caller() looks for its remains in the tree of operations. User space does the
 * same. A value that is the same in all versions that are read (5.36, 5.40) is an enumerator
 * here; a value that differs is in struct lang_perl. Offsets are in bytes.
 */
#ifndef USTACK_BPF_LANG_PERL_H
#define USTACK_BPF_LANG_PERL_H

#include <linux/types.h>

#include "lang_mix.h"
#include "lang_tsd.h"

/* Words of a struct stackinfo. */
enum {
	PERL_STACK_CONTEXTS = 1,
	PERL_STACK_PREVIOUS,
	PERL_STACK_TOP = 4,	/* lower half: index of innermost context, -1: none */
	PERL_STACK_SUB,		/* lower half: same for subs, formats, evals; upper: type */
	PERL_STACK_WORDS,
};

/*
 * Types of stacks: the outermost one, and those that perl makes for separate calls of the
 * interpreter.
 */
#define PERL_STACK_MAIN 1u
#define PERL_STACK_SORT 3u
#define PERL_STACK_MULTICALL 10u

/* Words of a context, which has 13. */
enum {
	PERL_CONTEXT_TYPE,	/* the lowest byte */
	PERL_CONTEXT_STATEMENT = 2,	/* the statement that the caller was at */
	PERL_CONTEXT_SCOPE = 5,	/* lower half: number of scopes at the time */
	PERL_CONTEXT_RETURN,	/* the next operation of the caller; 0: the caller is C code */
	PERL_CONTEXT_OUTER,	/* lower half: index of the next outer sub, format or eval; or -1 */
	PERL_CONTEXT_CODE = 9,	/* sub, format: its code. eval: root of the previous code */
	PERL_CONTEXT_WORDS,
};
#define PERL_CONTEXT_BYTES 104u

#define PERL_CONTEXT_KIND 0x0fu
#define PERL_CONTEXT_IS_SUB 9u
#define PERL_CONTEXT_IS_FORMAT 10u
#define PERL_CONTEXT_IS_EVAL 11u
#define PERL_CONTEXT_EVAL_BLOCK 0x40u	/* eval of a block */
#define PERL_CONTEXT_HIDDEN 0x80u	/* sub: it is code of a regular expression in a sub */

/* Words of a value's head. Its flags are the upper half of the second word. */
enum {
	PERL_HEAD_BODY,
	PERL_HEAD_FLAGS,
	PERL_HEAD_VALUE,	/* glob: its contents */
	PERL_HEAD_WORDS,
};
#define PERL_TYPE 0xffu
#define PERL_TYPE_GLOB 9u
#define PERL_TYPE_HASH 12u
#define PERL_TYPE_CODE 13u
#define PERL_TYPE_FORMAT 14u
#define PERL_GLOB_HAS 0x8000u	/* with PERL_TYPE_GLOB: PERL_HEAD_VALUE is a struct gp */
#define PERL_HASH_EXTRA 0x2000000u	/* has an extension, for packages with the name */

/* Words of the body of code, from PERL_CODE_AT on. */
#define PERL_CODE_AT 32u
enum {
	PERL_CODE_PACKAGE,
	PERL_CODE_START,
	PERL_CODE_ROOT,		/* root of its operations */
	PERL_CODE_NAME,		/* a name, the glob that has the name, or 0 */
	PERL_CODE_FLAGS = 7,	/* upper half */
	PERL_CODE_WORDS,
};
#define PERL_CODE_IN_C 0x0008u
#define PERL_CODE_CLOSURE 0x0040u	/* made each time when perl comes to it */
#define PERL_CODE_NAMELESS 0x0080u
#define PERL_CODE_NAMED 0x8000u	/* PERL_CODE_NAME is a name */
#define PERL_CODE_LEXICAL 0x10000u	/* it has no package */

/* Words of the body of a glob, from PERL_CODE_AT on. */
enum {
	PERL_GLOB_NAME,
	PERL_GLOB_PACKAGE,
	PERL_GLOB_WORDS,
};
#define PERL_GLOB_ITSELF 56u	/* in a struct gp: the glob shown instead of it, or 0 */

/* Words that a program sends for code that is freed with its last reference (a closure, say). */
enum {
	PERL_TOLD_PACKAGE,
	PERL_TOLD_ROOT,
	PERL_TOLD_NAME,
	PERL_TOLD_FLAGS,	/* see PERL_CODE_FLAGS */
	PERL_TOLD_WORDS,
};

/*
 * Words of the body of a package: its name, or a list of names whose first one counts; the
 * number of names is in the upper half of PERL_PACKAGE_NAMES.
 */
#define PERL_PACKAGE_AT 32u
enum {
	PERL_PACKAGE_NAME,
	PERL_PACKAGE_NAMES = 3,
	PERL_PACKAGE_WORDS,
};

/* A name consists of its hash, its length in the upper half of the first word, and its bytes. */
#define PERL_NAME_BYTES 8u

/* Words of an operation that are used, and their contents. */
enum {
	PERL_OP_NEXT,
	PERL_OP_SIBLING,	/* for the last one: the parent */
	PERL_OP_FUNCTION,
	PERL_OP_TARGET,
	PERL_OP_TYPE,		/* the lowest 9 bits; flags. Statement: line in the upper half */
	PERL_OP_FIRST,
	PERL_OP_WORDS,
};
#define PERL_STATEMENT_WORDS 11u
#define PERL_OP_TYPE_BITS 0x1ffu
#define PERL_OP_HAS_SIBLING (1u << 14)
#define PERL_OP_HAS_KIDS (1u << 18)

/**
 * struct lang_perl - how a process's frames are read
 * @key: where the thread's interpreter is kept
 * @interp_op: in an interpreter, the running operation; the next ones are in it, too
 * @interp_statement: the running statement
 * @interp_stack: the innermost stack of contexts
 * @interp_main_root: root of the program's own operations
 * @interp_eval_root: root of the operations of the running eval or file
 * @interp_compiling: the statement that stands for code that is being compiled
 * @statement_file: in a statement, the address of its file's name
 * @statement_number: in a statement, the number that the interpreter has given to it
 * @op_nextstate: type of a statement, for user space
 * @op_scope: type of the operation of a block without a scope of its own, for user space
 */
struct lang_perl {
	struct lang_tsd key;
	__u16 interp_op;
	__u16 interp_statement;
	__u16 interp_stack;
	__u16 interp_main_root;
	__u16 interp_eval_root;
	__u16 interp_compiling;
	__u16 statement_file;
	__u16 statement_number;
	__u16 op_nextstate;
	__u16 op_scope;
	__u32 pad;
};

_Static_assert(sizeof(struct lang_perl) == 48, "struct lang_perl");

/* Flags of a function's pair: LANG_ENTRY, LANG_IN_C, LANG_FAULTED_OBJECT, and this one. */
#define LANG_PERL_NO_SUB 8u	/* not a sub: the cookie is an enum lang_perl_what */

/*
 * Kinds of frames without a sub. The pointer of such a pair is the root of its code, or 0 if
 * unknown.
 */
enum lang_perl_what {
	LANG_PERL_EVAL,		/* of text, or of a file */
	LANG_PERL_EVAL_BLOCK,
	LANG_PERL_MAIN,		/* the program */
	LANG_PERL_CALL,		/* not a frame but a call of the interpreter; it has no place */
};

/* Flags of a place's pair: LANG_FAULTED_OBJECT, and these. */
#define LANG_PERL_INNERMOST 1u	/* the operation is the running one, not the one after it */
#define LANG_PERL_COMPILING 2u	/* the statement is that of interp_compiling */

/* Bytes of a file's name that are read, with its NUL. */
#define LANG_PERL_FILE 256u

/*
 * The distance of an operation from its statement in words; it is the lower half of a place's
 * second word. Both come from one allocator. 0: unknown, or too far away.
 */
static inline __u32 lang_perl_distance(__u64 statement, __u64 op)
{
	__s64 words = (__s64)(op - statement) >> 3;

	return op && !((op - statement) & 7) && words == (__s32)words ? (__u32)words : 0;
}

/**
 * struct lang_perl_print - fingerprints of code and of a statement
 *
 * Programs that make code in a loop free both and use their memory again. Names are shared by
 * content and freed with their last use, so the fingerprint includes their contents, not their
 * addresses.
 *
 * @head: head of a value
 * @code: words of the body of code
 * @glob: words of the body of a glob
 * @package: words of the body of a package
 * @name: name of the code
 * @package_name: name of the code's package; zeros if it has none
 * @package_at: used by programs: address of the package with @package_name; 0 for none
 * @statement: a statement
 * @file: name of the statement's file
 * @path: all bytes of that name. Programs fill the rest of the first LANG_ENDS_BYTES with zeros
 */
struct lang_perl_print {
	__u64 head[PERL_HEAD_WORDS];
	__u64 code[PERL_CODE_WORDS];
	__u64 glob[PERL_GLOB_WORDS];
	__u64 package[PERL_PACKAGE_WORDS];
	struct lang_ends name;
	struct lang_ends package_name;
	__u64 package_at;
	__u64 statement[16];
	struct lang_ends file;
	char path[LANG_PERL_FILE];
};

static inline __u32 lang_perl_flags(const __u64 *head)
{
	return head[PERL_HEAD_FLAGS] >> 32;
}

static inline __u32 lang_perl_type(const __u64 *head)
{
	return lang_perl_flags(head) & PERL_TYPE;
}

static inline int lang_perl_is_code(const __u64 *head)
{
	return lang_perl_type(head) == PERL_TYPE_CODE || lang_perl_type(head) == PERL_TYPE_FORMAT;
}

static inline __u32 lang_perl_code_flags(const struct lang_perl_print *p)
{
	return p->code[PERL_CODE_FLAGS] >> 32;
}

static inline __u32 lang_perl_line(const struct lang_perl_print *p)
{
	return p->statement[PERL_OP_TYPE] >> 32;
}

static inline __u64 lang_perl_word(const struct lang_perl_print *p, __u64 off)
{
	return p->statement[off / 8 & 15];
}

static inline __u32 lang_perl_code_cookie(const struct lang_perl_print *p)
{
	__u64 sum = lang_perl_code_flags(p) & (PERL_CODE_IN_C | PERL_CODE_LEXICAL);

	sum = lang_mix(sum, p->code[PERL_CODE_ROOT]);
	sum = lang_mix_ends(sum, &p->name);
	sum = lang_mix_ends(sum, &p->package_name);
	return sum >> 32;
}

/* @compiling: the code is being compiled, so that line and number of the statement change */
static inline __u32 lang_perl_place_cookie(const struct lang_perl_print *p,
					   const struct lang_perl *d, int compiling)
{
	__u64 sum = compiling != 0;

	if (!compiling) {
		sum = lang_mix(sum, p->statement[PERL_OP_TYPE]);
		sum = lang_mix(sum, p->statement[PERL_OP_SIBLING]);
		sum = lang_mix(sum, (__u32)(lang_perl_word(p, d->statement_number) >>
					    (d->statement_number & 4) * 8));
	}
	sum = lang_mix_ends(sum, &p->file);
	return sum >> 32;
}

#endif /* USTACK_BPF_LANG_PERL_H */
