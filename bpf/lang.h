/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Frames of languages: the interface between the sampler's programs and user/symbols/lang. Both
 * sides are built with this file, so it has no version. The contract is decision 0016.
 *
 *	sample -> lang_procs (is it a runtime?) -> chain -> two words a frame -> chunks -> lang id
 *
 * A stack of a language is a stack like others (wire.h): its slots are pairs of words,
 * innermost frame first, and the last pair is the head, which says which process the frames
 * belong to. So chunks of two processes are never the same, although forked processes have the
 * same addresses.
 */
#ifndef USTACK_BPF_LANG_H
#define USTACK_BPF_LANG_H

#include <linux/types.h>

#include "lang_beam.h"
#include "lang_mix.h"
#include "lang_perl.h"
#include "lang_php.h"
#include "lang_ruby.h"
#include "lang_tsd.h"
#include "wire.h"

/*
 * Slots of a stack, two for each pair of words and two for the head: 511 frames, or 255 of Perl
 * and of Ruby, which need two pairs.
 */
#define LANG_SLOTS 1024u
/* The same for a thread that waits: 255 pairs. */
#define LANG_WAIT_SLOTS 512u
/* Largest number of processes that are known, with or without a runtime. */
#define LANG_PROCS 65536u

/*
 * The first word of a pair. The second word of a frame has the cookie in its upper half; the
 * lower half says where in the function the frame is.
 */
#define LANG_KIND_SHIFT 60
#define LANG_FLAGS_SHIFT 56
#define LANG_POINTER ((1ull << LANG_FLAGS_SHIFT) - 1)

enum lang_kind {
	LANG_NONE,	/* struct lang_proc: no frames of the process are read */
	LANG_HEAD,	/* flags: enum lang_fate; pointer: exec id; second word: start time */
	LANG_CPYTHON,	/* pointer: code object; place: index of the instruction plus 1 */
	LANG_PHP,	/* pointer: function; place: line, 0 if unknown */
	LANG_RUBY,	/* pointer: body; place: next word of code, plus 1; in C: definition, 0 */
	LANG_PERL,	/* code, or lang_perl_what; place: line. Next: a LANG_PERL_PLACE */
	LANG_PERL_PLACE,	/* pointer: statement; place: lang_perl_distance() */
	LANG_RUBY_CLASS,	/* after its frame; pointer: string with the class's name; place: 0 */
	LANG_BEAM,	/* pointer: code address; place: enum lang_beam_stack, or a distance */
};

/* Flags of a frame. */
#define LANG_ENTRY 1u	/* C code called the interpreter's function for this frame */
#define LANG_IN_C 2u	/* a function in C; only for kinds that mark them so */
#define LANG_FAULTED_OBJECT 4u	/* the object could not be read, and has no cookie */

/* How a chain ended. */
enum lang_fate {
	LANG_WHOLE,	/* at its outermost frame */
	LANG_CUT,	/* no room for more frames */
	LANG_FAULTED,	/* memory is not present */
	LANG_TORN,	/* the frames make no sense, or were just being changed */
	LANG_COMPILED,	/* a JIT has compiled the code; there are no frames */
};

/*
 * CPython's structures. Each member is an offset in bytes, unless it says something else.
 *
 * @code_type: address of PyCode_Type
 * @key: where the thread's state is kept
 * @tstate_thread: in the thread's state, the value that pthread_self() returned
 * @tstate_frame: in the thread's state, the pointer to its innermost frame, or with @cframes to
 *                its struct _PyCFrame
 * @cframes: not 0 if this version has a struct _PyCFrame
 * @cframe_frame: in a struct _PyCFrame, its innermost frame; the previous _PyCFrame follows
 * @frame_bytes: number of bytes of a frame that are read, at most LANG_FRAME_BYTES
 * @frame_entry: a byte that is 1 in frames that C code called; 0 if @shim_owner tells instead
 * @str_ascii: the characters of a str that is all ASCII
 * @str_other: the characters of any other str
 * @shim_owner: frames with this owner, or a larger number, stand for a call from C code
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

/* How frames are read, for each kind of runtime. */
union lang_found {
	struct lang_cpython cpython;
	struct lang_php php;
	struct lang_ruby ruby;
	struct lang_perl perl;
	struct lang_beam beam;
};

/*
 * Facts about a process that user space has found; the key is the tgid. User space writes a
 * whole entry; programs read it. tasks.bpf.c deletes it when the process ends.
 *
 * @start: start_boottime of the leader: another process with the same tgid has another one
 * @exec_id: the kernel's count of the process's execs, for the same purpose
 * @epoch: epoch of its mappings when user space looked at it; a process without a runtime is
 *         looked at again when they change
 * @again: time of CLOCK_MONOTONIC from which it is to be looked at again; 0: never
 * @kind: enum lang_kind; LANG_NONE: no frames are read
 * @number: number of this publication; no two have the same
 * @found: how its frames are read, by @kind
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

_Static_assert(sizeof(struct lang_proc) == 48 + 64, "struct lang_proc");

/*
 * A program tells user space of a process that is not known, or of frames that are new in this
 * window: the process may have ended when the window ends.
 *
 * @tgid: the process
 * @nr: number of words in @word; 0 asks to look at the process; LANG_WISH_FUNCTION: a function
 *      that may be freed soon; @word has its address, its cookie, and the data by which its
 *      names are found. For PHP: addresses of the function's name, its class and its file's
 *      name, lines, and type; for Perl: PERL_TOLD_WORDS
 * @start: see struct lang_proc, also for the next two
 * @word: pairs of a chunk, outermost first: the second word of a pair comes first
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
 * A code object's fingerprint. If it agrees, the object at an address is still the one that was
 * sampled there. Programs that make code again and again free objects and use their memory
 * again, with the same pointers in it; so the fingerprint includes what they point to: the
 * name's characters, and the beginning of the table of lines.
 */
#define LANG_TEXT_AT 16u	/* in a str: its length, hash and state, and the following bytes */
#define LANG_TEXT_WORDS 8u
#define LANG_TAIL_WORDS 2u
#define LANG_TABLE_WORDS 16u	/* in a bytes object: its length, hash, and the following bytes */

/*
 * @code: the first LANG_CODE_BYTES of the object, or more
 * @text: words of its qualified name, from LANG_TEXT_AT on
 * @tail: the last bytes of the name's characters, if @text does not have them all; else 0
 * @table: words of its table of lines, from LANG_TEXT_AT on
 * @faulted: a part could not be read
 */
struct lang_cpython_print {
	__u64 code[32];
	__u64 text[LANG_TEXT_WORDS];
	__u64 tail[LANG_TAIL_WORDS];
	__u64 table[LANG_TABLE_WORDS];
	__u64 faulted;
};

/*
 * Offset of a str's characters. The state's bits are: interned (2), bytes of a character (3),
 * compact, ASCII.
 */
static inline __u64 lang_text_data(const struct lang_cpython *d, const __u64 *text)
{
	return text[2] >> 6 & 1 ? d->str_ascii : d->str_other;
}

static inline __u64 lang_text_bytes(const __u64 *text)
{
	return text[0] * (text[2] >> 2 & 7);
}

/* Return: whether @text lacks some of the characters, so that the last ones are read separately. */
static inline int lang_text_has_tail(const struct lang_cpython *d, const __u64 *text)
{
	__u64 bytes = lang_text_bytes(text);

	return bytes >= 8 * LANG_TAIL_WORDS && bytes < 1u << 20 &&
	       bytes > LANG_TEXT_AT + 8 * LANG_TEXT_WORDS - lang_text_data(d, text);
}

/* A word of the code object; @off is masked to its size. */
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
 * The mask for word @i of a text of @bytes bytes: it keeps the bytes of the text and clears
 * those after its end, which belong to something else. It has no branch, because the verifier
 * would follow each way through all words.
 */
static inline __u64 lang_part(__u64 bytes, __u64 i)
{
	__u64 whole, some;

	/* keeps the compiler from computing it earlier, see lang_mix() */
	__asm__ volatile("" : "+r"(bytes));
	whole = (__u64)((__s64)(8 * i + 7 - bytes) >> 63);
	some = (__u64)((__s64)(8 * i - bytes) >> 63);
	return whole | (some & ((1ull << (bytes & 7) * 8) - 1));
}

static inline __u32 lang_cpython_cookie(const struct lang_cpython *d,
					const struct lang_cpython_print *p)
{
	__u64 data = lang_text_data(d, p->text) - LANG_TEXT_AT, sum = 0, i;
	/* forged lengths must not be negative */
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
