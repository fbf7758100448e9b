/* SPDX-License-Identifier: GPL-2.0-only */
/* The memory that readers of languages' chains write to. All readers use it. */
#ifndef USTACK_BPF_LANG_WALK_H
#define USTACK_BPF_LANG_WALK_H

#include <stdbool.h>

#include "kernel.bpf.h"
#include "lang_maps.bpf.h"

/* Generators that delegate to each other; with more of them a chain is torn. */
#define LANG_PHP_DELEGATES 32u
#define LANG_PHP_DELEGATES_DONE 255u
/* Objects of Ruby's code that are remembered within a sample. */
#define LANG_RUBY_SEEN 16u
/* Code and statements of Perl, likewise. */
#define LANG_PERL_SEEN 16u
/* Functions that are remembered as told. */
#define LANG_TOLD 64u

/*
 * One read of a chain, in the scratch memory of the program that does it.
 *
 * @thread: the thread's pointer to its own memory
 * @epoch: of the process's mappings
 * @at: address of the frame that comes next
 * @nr: slots of @to
 * @max: that there may be of frames, at most LANG_SLOTS - 2
 * @entries: frames that C code called, so far
 * @recovered: the innermost frames were none
 * @fate: enum lang_fate
 * @cframe: CPython's struct _PyCFrame, as far as it is of use
 * @own: the one that is looked at from
 * @frame: copy of a frame, of which the first bytes are filled
 * @wish: for a process that is not known
 * @print: copies of what describes CPython's function, likewise
 * @php: the same of PHP's
 * @php_frame: the frame that the interpreter has in its register, if it has not called C code
 * @php_opline: the instruction, likewise
 * @php_delegate: generators that delegate, the resumed one first
 * @php_delegates: number of them that are still to be read; LANG_PHP_DELEGATES_DONE: the last one
 *	is being read; 0: there are none
 * @php_previous: frame that follows them
 * @ruby: copies of what describes Ruby's code
 * @ruby_end: where its frames end
 * @ruby_env: what stands before the flags of a frame, and these
 * @ruby_object: copy of an object
 * @ruby_def: copy of the definition of a function in C
 * @ruby_seen: code that frames of this sample run, by the address of its object: its body, words of
 *	code and how many, cookie, flags
 * @perl: copies of what describes Perl's code
 * @perl_interp: the interpreter
 * @perl_compiling: address of the statement that the interpreter runs while it compiles code
 * @perl_contexts: of the stack at hand, and so @perl_previous, @perl_type, @perl_index
 * @perl_previous: the stack that follows
 * @perl_statement: that the next frame is at
 * @perl_op: operation in it
 * @perl_eval_root: root of the operations of the next eval
 * @perl_index: of the context that comes next; -1: there is none on this stack
 * @perl_called: index of the context before, if C code may have called it, else -1
 * @perl_type: enum of the stack
 * @perl_last: slot of the last function
 * @perl_has: there is a context on the stack
 * @perl_innermost: no frame was passed: @perl_op is the one that runs
 * @perl_codes: code that frames of this sample run
 * @perl_places: statements that they are at
 * @told: functions that were told, by sums of them
 */
struct lang_walk {
	__u64 thread;
	__u64 epoch;
	__u64 at;
	__u32 nr;
	__u32 max;
	__u32 entries;
	__u32 recovered;
	__u32 fate;
	__u32 pad;
	struct {
		__u64 frame;
		__u64 previous;
	} cframe, own;
	__u64 frame[32];
	union {
		struct lang_cpython_print print;
		struct {
			struct lang_php_print php;
			__u64 php_frame;
			__u64 php_opline;
			__u64 php_previous;
			__u64 php_delegate[LANG_PHP_DELEGATES];
			__u64 php_delegates;
		};
		struct {
			struct lang_ruby_print ruby;
			__u64 ruby_end;
			__u64 ruby_env[RUBY_ENV_WORDS];
			__u64 ruby_object[RUBY_OBJECT_WORDS];
			__u64 ruby_def[RUBY_DEF_WORDS];
			struct lang_ruby_seen {
				__u64 object;
				__u64 body;
				__u64 code;
				__u64 size;
				__u32 cookie;
				__u32 flags;
			} ruby_seen[LANG_RUBY_SEEN];
		};
		struct {
			struct lang_perl_print perl;
			__u64 perl_interp;
			__u64 perl_compiling;
			__u64 perl_contexts;
			__u64 perl_previous;
			__u64 perl_statement;
			__u64 perl_op;
			__u64 perl_eval_root;
			__s32 perl_index;
			__s32 perl_called;
			__u32 perl_type;
			__u32 perl_last;
			bool perl_has;
			bool perl_innermost;
			struct lang_perl_seen {
				__u64 at;
				__u32 cookie;
				__u32 line;
				__u64 flags;
			} perl_codes[LANG_PERL_SEEN], perl_places[LANG_PERL_SEEN];
		};
	};
	__u64 told[LANG_TOLD];
	struct lang_wish wish;
	WIRE_STACK(LANG_SLOTS) to;
};

/* For the callback of bpf_loop(). */
struct lang_loop {
	struct lang_walk *l;
	const struct lang_proc *p;
};

/* Stores a pair; there is room for it, as @max leaves room for the head. */
static __always_inline void lang_put(struct lang_walk *l, __u64 first, __u64 second)
{
	__u64 at = l->nr, next = at + 1;

	asm volatile("%0 &= %1" : "+r"(at) : "i"(LANG_SLOTS - 1));
	asm volatile("%0 &= %1" : "+r"(next) : "i"(LANG_SLOTS - 1));
	l->to.pc[at] = first;
	l->to.pc[next] = second;
	l->nr += 2;
}

/* Adds flags to the frame that was stored last, if there is one. */
static __always_inline void lang_flag_last(struct lang_walk *l, __u32 flags)
{
	__u64 at = l->nr - 2;

	if (!l->nr)
		return;
	asm volatile("%0 &= %1" : "+r"(at) : "i"(LANG_SLOTS - 1));
	l->to.pc[at] |= (__u64)flags << LANG_FLAGS_SHIFT;
}

/*
 * Reads the ends of @t->len bytes at @at; the rest of @t is zeros. Return: whether they are there. A
 * function that the verifier looks at once.
 */
__attribute__((__noinline__)) int lang_ends_read(struct lang_ends *t, __u64 at)
{
	__u64 n;

	if (!t)
		return 0;
	n = t->len < LANG_ENDS_BYTES ? t->len : LANG_ENDS_BYTES;
	asm volatile("%0 &= %1" : "+r"(n) : "i"(2 * LANG_ENDS_BYTES - 1));
	if (n > LANG_ENDS_BYTES || bpf_probe_read_user(t->head, n, (void *)at))
		return 0;
	return t->len <= LANG_ENDS_BYTES ||
	       !bpf_probe_read_user(t->tail, LANG_ENDS_BYTES,
				    (void *)(at + t->len - LANG_ENDS_BYTES));
}

/* The kernel's structures again, by CO-RE as in kernel.bpf.h: what follows ___ is no part of the
 * name.
 */
#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

#if defined(__TARGET_ARCH_x86)
struct thread_struct___lang {
	unsigned long fsbase;
};

#define LANG_THREAD_POINTER(task) ((task)->thread.fsbase)
#elif defined(__TARGET_ARCH_arm64)
struct thread_struct___lang {
	struct {
		unsigned long tp_value;
	} uw;
};

/* Saved when the thread is switched out: 0 in a thread that never was. */
#define LANG_THREAD_POINTER(task) ((task)->thread.uw.tp_value)
#endif

struct task_struct___lang {
	__u64 self_exec_id;
	struct thread_struct___lang thread;
};

#pragma clang attribute pop

#endif /* USTACK_BPF_LANG_WALK_H */
