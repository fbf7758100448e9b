/* SPDX-License-Identifier: GPL-2.0-only */
/* The memory that the readers of languages' chains write to. All readers use it. */
#ifndef USTACK_BPF_LANG_WALK_H
#define USTACK_BPF_LANG_WALK_H

#include <stdbool.h>

#include "kernel.bpf.h"
#include "lang_maps.bpf.h"
#include "made.bpf.h"

/* Largest number of generators that delegate to each other, plus 1; a longer chain is torn. */
#define LANG_PHP_DELEGATES 32u
#define LANG_PHP_DELEGATES_DONE 255u
/* Number of Ruby code objects that are remembered within a sample. */
#define LANG_RUBY_SEEN 16u
/* The same for classes. */
#define LANG_RUBY_CLASSES 16u
/* The same for code and for statements of Perl. */
#define LANG_PERL_SEEN 16u
/* The same for modules of the BEAM. */
#define LANG_BEAM_SEEN 16u
/* Number of functions that are remembered as sent to user space. */
#define LANG_TOLD 64u

struct lang_beam_range {
	__u64 start;
	__u64 end;
};

/*
 * State of reading the stack of an Erlang process.
 *
 * @print: copies of the data that describe a module
 * @code: where generated code is
 * @normal_exit: see struct lang_beam
 * @top: address of the top of the stack / 8
 * @slot: address / 8 of the word of the last pair
 * @pc: address whose module is searched
 * @low: module from which it is searched
 * @high: module before which it is searched
 * @found: the module that was looked at last
 * @of: the module that was found last; no module if the length is 0
 * @seen: modules that frames of this sample are in, hashed by address
 * @stack: enum lang_beam_stack
 * @process_stop: see struct lang_beam
 */
struct lang_beam_walk {
	struct lang_beam_print print;
	struct made_beam code;
	__u64 normal_exit;
	__u64 top;
	__u64 slot;
	__u64 pc;
	__u64 low;
	__u64 high;
	struct lang_beam_range found;
	struct lang_beam_seen {
		__u64 start;
		__u64 len;
		__u32 cookie;
		__u32 faulted;
	} of, seen[LANG_BEAM_SEEN];
	__u32 stack;
	__u32 process_stop;
};

/*
 * State of reading one chain, in the scratch memory of the program that reads it.
 *
 * @thread: the thread pointer
 * @epoch: epoch of the process's mappings
 * @made: frame in code that the process made, as the unwinder handed it out
 * @at: address of the next frame
 * @nr: number of slots used in @to
 * @max: largest number of slots for frames, at most LANG_SLOTS - 2
 * @entries: number of frames so far that C code called
 * @recovered: the innermost frames were dropped, as they were no frames
 * @fate: enum lang_fate
 * @cframe: the used part of CPython's struct _PyCFrame
 * @own: the one from which an entry is looked at
 * @frame: copy of a frame; only its first bytes are filled
 * @wish: message to user space about an unknown process or a function
 * @print: copies of the data that describe CPython's function
 * @php: copies of the data that describe PHP's function
 * @php_frame: the frame that the interpreter has in its register, if it has not called C code
 * @php_opline: the instruction in its register, with the same condition
 * @php_delegate: generators that delegate, the resumed one first
 * @php_delegates: number of them that are still to be read; LANG_PHP_DELEGATES_DONE: the last
 *                 one is being read; 0: there are none
 * @php_previous: frame that follows them
 * @ruby: copies of the data that describe Ruby's code
 * @ruby_end: address after the last frame
 * @ruby_env: the words before the flags of a frame, and the flags
 * @ruby_object: copy of an object
 * @ruby_def: copy of the definition of a function in C
 * @ruby_seen: code that frames of this sample run, hashed by the address of its object: its
 *             body, its code and the number of words, cookie, flags; the object of the code of
 *             the method around it; the method's object in the local environment, and the class
 *             that was found by it, or 0
 * @ruby_classes: classes of frames of this sample, hashed by address: both words of the pair
 *                with the name; 0 if there is no name to show
 * @ruby_class: copy of a class
 * @ruby_value: variable of the class; 0 if it has no such variable
 * @ruby_table: copy of the head of its table of variables
 * @ruby_entry: copy of entries of this table
 * @ruby_name: name of the class
 * @perl: copies of the data that describe Perl's code
 * @perl_interp: address of the interpreter
 * @perl_compiling: address of the statement that the interpreter runs while it compiles code
 * @perl_contexts: address of the contexts of the current stack; @perl_previous, @perl_type and
 *                 @perl_index belong to that stack, too
 * @perl_previous: address of the next outer stack
 * @perl_statement: address of the statement of the next frame
 * @perl_op: operation in that statement
 * @perl_eval_root: root of the operations of the next eval
 * @perl_index: index of the next context; -1 if there is none on this stack
 * @perl_called: index of the previous context, if C code may have called it, else -1
 * @perl_type: type of the stack, PERL_STACK_...
 * @perl_last: slot of the last function
 * @perl_has: there is a context on the stack
 * @perl_innermost: no frame was passed yet: @perl_op is the running operation
 * @perl_codes: code that frames of this sample run
 * @perl_places: statements that these frames are at
 * @beam: state of the reader of the BEAM
 * @told: sums that identify the functions which were sent to user space
 */
struct lang_walk {
	__u64 thread;
	__u64 epoch;
	struct made_frame made;
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
				__u64 local;
				__u64 method;
				__u64 owner;
			} ruby_seen[LANG_RUBY_SEEN];
			struct lang_ruby_class {
				__u64 at;
				__u64 first;
				__u64 second;
			} ruby_classes[LANG_RUBY_CLASSES];
			__u64 ruby_class[RUBY_CLASS_WORDS];
			__u64 ruby_value;
			__u64 ruby_table[RUBY_TABLE_HEAD_WORDS];
			__u64 ruby_entry[RUBY_ENTRIES * RUBY_ENTRY_WORDS];
			struct lang_ends ruby_name;
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
		struct lang_beam_walk beam;
	};
	__u64 told[LANG_TOLD];
	struct lang_wish wish;
	WIRE_STACK(LANG_SLOTS) to;
};

/* Argument of the callbacks of bpf_loop(). */
struct lang_loop {
	struct lang_walk *l;
	const struct lang_proc *p;
};

/* Stores a pair. There is room for it, as @max leaves room for the head. */
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

/* To be called after the turns. If they have ended before frames (@l->at), the stack is cut. */
static __always_inline void lang_turns_ended(struct lang_walk *l)
{
	if (l->at && l->fate == LANG_WHOLE)
		l->fate = LANG_CUT;
}

/*
 * Reads the first and last bytes of the @t->len bytes at @at; the rest of @t is zeros. Return:
 * whether they could be read. A separate function, which the verifier checks once.
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

#if defined(__TARGET_ARCH_x86)
#define LANG_THREAD_POINTER(task) ((task)->thread.fsbase)
#elif defined(__TARGET_ARCH_arm64)
/* Saved when the thread is switched out; 0 in a thread that never was. */
#define LANG_THREAD_POINTER(task) ((task)->thread.uw.tp_value)
#endif

#endif /* USTACK_BPF_LANG_WALK_H */
