/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Frames of languages, as the sampler's programs and user/symbols/lang say them to each other. Both sides
 * are built with this file, so there are no versions of it. The contract is decision 0016.
 *
 *	sample -> lang_procs (is it a runtime?) -> chain -> two words a frame -> chunks -> lang id
 *
 * A stack of a language is a stack like others (wire.h): its slots are pairs of words, innermost
 * frame first, and the last pair is the head, which says whose frames they are. So chunks of two
 * processes are never the same, although forked processes have the same addresses.
 */
#ifndef USTACK_BPF_LANG_H
#define USTACK_BPF_LANG_H

#include <linux/types.h>

#include "lang_mix.h"
#include "lang_perl.h"
#include "lang_php.h"
#include "lang_ruby.h"
#include "lang_tsd.h"
#include "wire.h"

/* Slots of a stack, two for each frame and two for the head: 255 frames. */
#define LANG_SLOTS WIRE_FRAMES
/* The same of a thread that waits: 127 frames. */
#define LANG_WAIT_SLOTS 256u
/* Processes that are known, with a runtime or without. */
#define LANG_PROCS 65536u

/*
 * The first word of a pair. The second one of a frame has the cookie in its upper half and in its
 * lower half where in the function it is.
 */
#define LANG_KIND_SHIFT 60
#define LANG_FLAGS_SHIFT 56
#define LANG_POINTER ((1ull << LANG_FLAGS_SHIFT) - 1)

enum lang_kind {
	LANG_NONE,	/* struct lang_proc: nothing is read of the process */
	LANG_HEAD,	/* flags: enum lang_fate; pointer: exec id; second word: start */
	LANG_CPYTHON,	/* pointer: code object; place: index of the instruction plus 1 */
	LANG_PHP,	/* pointer: function; place: line, 0 if it is not known */
	LANG_RUBY,	/* pointer: body, place: word of code that is next plus 1; in C: definition, 0 */
	LANG_PERL,	/* pointer: code, or lang_perl_what; place: line of the statement. A pair of
			 * LANG_PERL_PLACE follows
			 */
	LANG_PERL_PLACE,	/* pointer: statement; place: lang_perl_distance() */
};

/* Flags of a frame. */
#define LANG_ENTRY 1u	/* the interpreter's function was called for it, from C */
#define LANG_IN_C 2u	/* it is a function in C, where the kind tells them by this */
#define LANG_FAULTED_OBJECT 4u	/* the object could not be read, and has no cookie */

/* How a chain ended. */
enum lang_fate {
	LANG_WHOLE,	/* at its outermost frame */
	LANG_CUT,	/* there was no room for more frames */
	LANG_FAULTED,	/* memory that is not there */
	LANG_TORN,	/* it makes no sense, or was just being changed */
	LANG_COMPILED,	/* a JIT has made code of it; there are no frames */
};

/*
 * CPython's structures; each is an offset in bytes unless something else is said.
 *
 * @code_type: address of PyCode_Type
 * @key: what holds the thread's state
 * @tstate_thread: in the thread's state, what pthread_self() returned
 * @tstate_frame: in the thread's state, the pointer to its innermost frame, or with @cframes to its
 *	struct _PyCFrame
 * @cframes: not 0: this version has a struct _PyCFrame
 * @cframe_frame: in that, its innermost frame; the _PyCFrame before follows
 * @frame_bytes: of a frame that are read, at most LANG_FRAME_BYTES
 * @frame_entry: 1 in frames that C code called; 0: @shim_owner tells
 * @str_ascii: characters of a str of ASCII alone
 * @str_other: of all others
 * @shim_owner: frames of this owner, or of a larger number, stand for C code that calls
 */
struct lang_cpython {
	__u64 code_type;
	struct lang_tsd key;
	__u16 tstate_thread;
	__u16 tstate_frame;
	__u8 cframe_frame;
	__u8 frame_bytes;
	__u8 frame_code;
	__u8 frame_previous;
	__u8 frame_instr;
	__u8 frame_owner;
	__u8 frame_entry;
	__u8 shim_owner;
	__u8 code_firstlineno;
	__u8 code_filename;
	__u8 code_qualname;
	__u8 code_linetable;
	__u16 code_bytecode;
	__u8 str_ascii;
	__u8 str_other;
	__u8 cframes;
	__u8 pad[3];
};

_Static_assert(sizeof(struct lang_cpython) == 56, "struct lang_cpython");

#define LANG_FRAME_BYTES 80u
#define LANG_CODE_BYTES 144u

/* How frames are read: by kind. */
union lang_found {
	struct lang_cpython cpython;
	struct lang_php php;
	struct lang_ruby ruby;
	struct lang_perl perl;
};

/*
 * What user space has found in a process, by tgid. User space writes a whole entry; programs read
 * it. tasks.bpf.c deletes it when the process ends.
 *
 * @start: start_boottime of its leader, to tell it from another of its number
 * @exec_id: the kernel's count of its execs, likewise
 * @epoch: of its mappings when it was looked at; without a runtime it is looked at again when they
 *	change
 * @again: CLOCK_MONOTONIC from when on it is to be looked at again; 0: never
 * @kind: enum lang_kind; LANG_NONE: no frames are read
 * @number: of what user space has published, never the same twice
 * @found: for the reader of its kind
 */
struct lang_proc {
	__u64 start;
	__u64 exec_id;
	__u64 epoch;
	__u64 again;
	__u32 kind;
	__u32 pad;
	__u64 number;
	union lang_found found;
};

_Static_assert(sizeof(struct lang_proc) == 48 + 56, "struct lang_proc");

/*
 * A program tells user space of a process that is not known, or of frames that it has not seen in
 * this window, as the process may be gone when the window ends.
 *
 * @tgid: the process
 * @nr: of @word; 0: the process is to be looked at; LANG_WISH_FUNCTION: a function that may go
 *	soon, of which @word has address, cookie, and what its names are found by. Of PHP: addresses of
 *	name, class and file's name, lines, and type; of Perl: PERL_TOLD_WORDS
 * @start: as in struct lang_proc, and the next two
 * @word: pairs of a chunk, outermost first: the second word of a pair stands in front
 */
#define LANG_WISH_FUNCTION 0x80000000u

struct lang_wish {
	__u32 tgid;
	__u32 nr;
	__u64 start;
	__u64 exec_id;
	__u64 epoch;
	__u64 word[WIRE_CHUNK_FRAMES];
};

_Static_assert(sizeof(struct lang_wish) == 32 + 64, "struct lang_wish");

/* The frames of a thread that does not run. Its struct wire_wait is in another map. */
struct lang_wait {
	WIRE_STACK(LANG_WAIT_SLOTS) stack;
};

/*
 * A code object's fingerprint: what stands at an address now is what was sampled there if they
 * agree. Objects are freed and their memory is used again, pointers and all, where programs make
 * code again and again; so what they point to counts, too: the name's characters, and the beginning
 * of the table of lines.
 */
#define LANG_TEXT_AT 16u	/* of a str: its length, hash and state, and what follows */
#define LANG_TEXT_WORDS 8u
#define LANG_TAIL_WORDS 2u
#define LANG_TABLE_WORDS 16u	/* of a bytes object: its length, hash, and what follows */

/*
 * @code: the first LANG_CODE_BYTES of the object, or more
 * @text: of its qualified name, from LANG_TEXT_AT on
 * @tail: the last bytes of its characters, if they are more than @text has; else 0
 * @table: of its table of lines, from LANG_TEXT_AT on
 * @faulted: not all of it could be read
 */
struct lang_cpython_print {
	__u64 code[32];
	__u64 text[LANG_TEXT_WORDS];
	__u64 tail[LANG_TAIL_WORDS];
	__u64 table[LANG_TABLE_WORDS];
	__u64 faulted;
};

/* Offset of a str's characters; the state's bits are: interned (2), bytes of one (3), compact,
 * ASCII.
 */
static inline __u64 lang_text_data(const struct lang_cpython *d, const __u64 *text)
{
	return text[2] >> 6 & 1 ? d->str_ascii : d->str_other;
}

static inline __u64 lang_text_bytes(const __u64 *text)
{
	return text[0] * (text[2] >> 2 & 7);
}

/* Whether @text does not have all of the characters, so that the last ones are read. */
static inline int lang_text_has_tail(const struct lang_cpython *d, const __u64 *text)
{
	__u64 bytes = lang_text_bytes(text);

	return bytes >= 8 * LANG_TAIL_WORDS && bytes < 1u << 20 &&
	       bytes > LANG_TEXT_AT + 8 * LANG_TEXT_WORDS - lang_text_data(d, text);
}

/* A word of the code object; @off is masked to it. */
static inline __u64 lang_code_word(const struct lang_cpython_print *p, __u64 off)
{
	return p->code[off / 8 & 31];
}

static inline __u32 lang_code_line(const struct lang_cpython *d,
				   const struct lang_cpython_print *p)
{
	return lang_code_word(p, d->code_firstlineno) >> (d->code_firstlineno & 4) * 8;
}

/*
 * The mask of word @i of a text of @bytes bytes: it keeps the bytes of the text and clears those
 * behind its end, which belong to something else. It has no branch, because the verifier would
 * follow each way through all words.
 */
static inline __u64 lang_part(__u64 bytes, __u64 i)
{
	__u64 whole, some;

	/* made when it is used: see lang_mix() */
	__asm__ volatile("" : "+r"(bytes));
	whole = (__u64)((__s64)(8 * i + 7 - bytes) >> 63);
	some = (__u64)((__s64)(8 * i - bytes) >> 63);
	return whole | (some & ((1ull << (bytes & 7) * 8) - 1));
}

static inline __u32 lang_cpython_cookie(const struct lang_cpython *d,
					const struct lang_cpython_print *p)
{
	__u64 data = lang_text_data(d, p->text) - LANG_TEXT_AT, sum = 0, i;
	/* lengths that are forged must not be negative */
	__u64 bytes = lang_text_bytes(p->text) & 0xffffffffffull;
	__u64 size = p->table[0] & 0xffffffffffull;
	__u64 has = bytes + data < 8 * LANG_TEXT_WORDS ? bytes : 8 * LANG_TEXT_WORDS - data;

	sum = lang_mix(sum, lang_code_word(p, d->code_qualname));
	sum = lang_mix(sum, lang_code_word(p, d->code_filename));
	sum = lang_mix(sum, lang_code_word(p, d->code_linetable));
	/* ob_size, constants, names */
	sum = lang_mix(sum, p->code[2]);
	sum = lang_mix(sum, p->code[3]);
	sum = lang_mix(sum, p->code[4]);
	sum = lang_mix(sum, lang_code_line(d, p));
	sum = lang_mix(sum, bytes);
#pragma GCC unroll 8
	for (i = 0; i < LANG_TEXT_WORDS; i++)
		sum = lang_mix(sum, p->text[(data / 8 + i) & (LANG_TEXT_WORDS - 1)] & lang_part(has, i));
	sum = lang_mix(sum, p->tail[0]);
	sum = lang_mix(sum, p->tail[1]);
	sum = lang_mix(sum, size);
#pragma GCC unroll 16
	for (i = 0; i < LANG_TABLE_WORDS - 2; i++)
		sum = lang_mix(sum, p->table[i + 2] & lang_part(size, i));
	return sum >> 32;
}

#endif /* USTACK_BPF_LANG_H */
