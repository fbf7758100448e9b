/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads the frames of the Erlang process that runs in the current thread.
 *
 *	frame that the unwinder hands out -> top of the process's stack -> return addresses
 *
 * Generated code runs on the Erlang process's stack: SP is its top. To call a C function it
 * changes to the thread's own stack, after it has put the top into rbp or into the process;
 * the code after the call takes it from there again, which tells which of the two it was.
 *
 * Words of the stack are terms, whose lowest two bits are not 0, or return addresses, which are
 * multiples of 4. But a function makes room for its variables before it sets them, and then old
 * return addresses are among them. So each word that is an address of a module is sent, with
 * its distance from the one before; user space knows from the code how large a frame is and
 * keeps those that are where they must be (user/symbols/lang/beam_frames.c).
 *
 * Safety and bounds are as in lang_cpython.bpf.h: BEAM_WORDS words of the stack are read in each
 * turn, of which there are at most LANG_SLOTS.
 */
#ifndef USTACK_BPF_LANG_BEAM_BPF_H
#define USTACK_BPF_LANG_BEAM_BPF_H

#include "lang_walk.bpf.h"

/* Words of the stack that are read at once; they are within a page. */
#define BEAM_WORDS 16u
#define BEAM_WORDS_BYTES (8 * BEAM_WORDS)
/* Steps of the search for a module: 2 to this power modules. */
#define BEAM_SEARCH 16u
/* Bytes of code that are searched after a call, and after an interrupted instruction. */
#define BEAM_AFTER_CALL 16u
#define BEAM_AFTER_PC 96u
/* "mov %rbp, %rsp", and "mov x(%r13), %rsp" without its last byte. */
#define BEAM_MOV_BY_FP 0xec8948u
#define BEAM_MOV_SAVED 0x658b49u

/* Reads the ends of the table of lines. Return: whether they are there. */
static __always_inline bool lang_beam_lines(struct lang_beam_print *p)
{
	__u64 at = p->header[BEAM_HEADER_LINES], last = 0, bytes, n;

	if (!at)
		return true;
	if (p->header[BEAM_HEADER_FUNCTIONS] > BEAM_LINES_MOST ||
	    bpf_probe_read_user(p->lines, sizeof(p->lines), (void *)at) ||
	    bpf_probe_read_user(&last, sizeof(last),
				(void *)(at + 8 * (BEAM_LINES_FIRST +
						   p->header[BEAM_HEADER_FUNCTIONS]))))
		return false;
	bytes = lang_beam_line_bytes(p, last);
	n = bytes < BEAM_LINE_BYTES ? bytes : BEAM_LINE_BYTES;
	asm volatile("%0 &= %1" : "+r"(n) : "i"(2 * BEAM_LINE_BYTES - 1));
	if (n > BEAM_LINE_BYTES ||
	    bpf_probe_read_user(p->head, n, (void *)p->lines[BEAM_LINES_TABLE]))
		return false;
	return bytes <= BEAM_LINE_BYTES ||
	       !bpf_probe_read_user(p->tail, BEAM_LINE_BYTES,
				    (void *)(p->lines[BEAM_LINES_TABLE] + bytes - BEAM_LINE_BYTES));
}

/*
 * Return: the cookie of the module at @p->start; 0, with @p->faulted set, if it cannot be
 * computed. A separate function, which the verifier checks once.
 */
__attribute__((__noinline__)) int lang_beam_print(struct lang_beam_print *p)
{
	if (!p)
		return 0;
	__builtin_memset(p->lines, 0, sizeof(p->lines));
	__builtin_memset(p->head, 0, sizeof(p->head));
	__builtin_memset(p->tail, 0, sizeof(p->tail));
	p->faulted = bpf_probe_read_user(p->header, sizeof(p->header), (void *)p->start) ||
		     bpf_probe_read_user(p->md5, sizeof(p->md5),
					 (void *)p->header[BEAM_HEADER_MD5]) ||
		     !lang_beam_lines(p);
	return p->faulted ? 0 : lang_beam_cookie(p);
}

/* Takes one step of the search for the module of @l->beam.pc. Return: 1 to stop. */
static long lang_beam_search(__u32 i, struct lang_loop *loop)
{
	struct lang_walk *l = loop->l;
	__u64 mid = (l->beam.low + l->beam.high) / 2;

	if (l->beam.low >= l->beam.high ||
	    bpf_probe_read_user(&l->beam.found, sizeof(l->beam.found),
				(void *)(l->beam.code.modules + 16 * mid)))
		return 1;
	if (l->beam.pc < l->beam.found.start)
		l->beam.high = mid;
	else if (l->beam.pc >= l->beam.found.end)
		l->beam.low = mid + 1;
	else
		return 1;
	return 0;
}

/*
 * Finds the module of @pc; @l->beam.of becomes what is known of it. Return: whether there is one.
 * A separate function, which the verifier checks once. Frames often are in the same few modules,
 * so these are remembered within a sample.
 */
__attribute__((__noinline__)) int lang_beam_module(struct lang_walk *l, __u64 pc)
{
	struct lang_loop loop = { .l = l };
	__u64 at = pc >> 12;

	if (!l)
		return 0;
	if (pc - l->beam.of.start < l->beam.of.len)
		return 1;
	asm volatile("%0 &= %1" : "+r"(at) : "i"(LANG_BEAM_SEEN - 1));
	if (pc - l->beam.seen[at].start < l->beam.seen[at].len) {
		l->beam.of = l->beam.seen[at];
		return 1;
	}
	l->beam.pc = pc;
	l->beam.low = 0;
	l->beam.high = l->beam.code.nr;
	l->beam.found.start = l->beam.found.end = 0;
	bpf_loop(BEAM_SEARCH + 1, lang_beam_search, &loop, 0);
	if (pc < l->beam.found.start || pc >= l->beam.found.end)
		return 0;
	l->beam.print.start = l->beam.found.start;
	l->beam.print.end = l->beam.found.end;
	l->beam.of.start = l->beam.found.start;
	l->beam.of.len = l->beam.found.end - l->beam.found.start;
	l->beam.of.cookie = lang_beam_print(&l->beam.print);
	l->beam.of.faulted = l->beam.print.faulted;
	l->beam.seen[at] = l->beam.of;
	return 1;
}

/* Return: whether @pc, which is in no module, may be generated code of the runtime. */
static __always_inline bool lang_beam_is_fragment(const struct lang_walk *l, __u64 pc)
{
	return pc - l->beam.normal_exit + BEAM_FRAGMENTS < 2 * BEAM_FRAGMENTS;
}

/* Stores a pair for @pc; @found: @l->beam.of is its module. */
static __always_inline void lang_beam_put(struct lang_walk *l, __u64 pc, bool found, __u64 flags,
					  __u64 place)
{
	__u64 cookie = 0;

	if (!found)
		flags |= LANG_BEAM_FRAGMENT;
	else if (l->beam.of.faulted)
		flags |= LANG_FAULTED_OBJECT;
	else
		cookie = l->beam.of.cookie;
	lang_put(l, (__u64)LANG_BEAM << LANG_KIND_SHIFT | flags << LANG_FLAGS_SHIFT |
			    (pc & LANG_POINTER), cookie << 32 | (__u32)place);
}

/*
 * Looks at a word of the stack that may be a return address. @slot: its address / 8. Return: 1
 * to stop. A separate function, which the verifier checks once.
 */
__attribute__((__noinline__)) int lang_beam_word(struct lang_walk *l, __u64 word, __u64 slot)
{
	/* a fragment may have been called from anywhere, and call another one */
	bool any, found;

	if (!l)
		return 1;
	any = slot - l->beam.top < 2;
	if (word & 3 && !any)
		return 0;
	found = lang_beam_module(l, word);
	if (!found && word != l->beam.normal_exit && !(any && lang_beam_is_fragment(l, word)))
		return 0;
	if (l->nr >= l->max) {
		l->fate = LANG_CUT;
		return 1;
	}
	lang_beam_put(l, word, found, LANG_ENTRY, slot - l->beam.slot);
	l->beam.slot = slot;
	if (word != l->beam.normal_exit)
		return 0;
	l->at = 0;
	return 1;
}

/* Reads words of the stack. Return: 1 to stop. */
static long lang_beam_turn(__u32 i, struct lang_loop *loop)
{
	struct lang_walk *l = loop->l;
	__u32 j;

	if (bpf_probe_read_user(l->frame, BEAM_WORDS_BYTES, (void *)l->at)) {
		l->fate = LANG_FAULTED;
		return 1;
	}
#pragma unroll
	for (j = 0; j < BEAM_WORDS; j++) {
		__u64 word = l->frame[j];

		if (word - l->beam.code.low < l->beam.code.len && l->at / 8 + j >= l->beam.top &&
		    lang_beam_word(l, word, l->at / 8 + j))
			return 1;
	}
	l->at += BEAM_WORDS_BYTES;
	return 0;
}

/* Looks for the instruction that returns to the Erlang process's stack. Return: 1 to stop. */
static long lang_beam_code(__u32 i, struct lang_loop *loop)
{
	struct lang_walk *l = loop->l;
	__u64 at = i;
	__u32 code;

	asm volatile("%0 &= %1" : "+r"(at) : "i"(127));
	code = *(const __u32 *)((const char *)l->frame + at) & 0xffffff;
	if (code == BEAM_MOV_BY_FP)
		l->beam.stack = BEAM_STACK_IN_FP;
	else if (code == BEAM_MOV_SAVED &&
		 *((const __u8 *)l->frame + at + 3) == l->beam.process_stop)
		l->beam.stack = BEAM_STACK_SAVED;
	else
		return 0;
	return 1;
}

/*
 * Return: the saved top of the stack of the Erlang process that the thread runs; 0 if there is
 * none. The thread's registers, at the SP of the frame, belong to its scheduler.
 */
static __always_inline __u64 lang_beam_saved(const struct lang_walk *l, const struct lang_beam *d)
{
	__u64 block = 0, scheduler = 0, registers = 0, process = 0, top = 0;

	if (!l->thread ||
	    bpf_probe_read_user(&block, sizeof(block), (void *)(l->thread + d->key.block)) ||
	    !block ||
	    bpf_probe_read_user(&scheduler, sizeof(scheduler), (void *)(block + d->key.value)) ||
	    !scheduler ||
	    bpf_probe_read_user(&registers, sizeof(registers), (void *)scheduler) ||
	    registers != l->made.sp ||
	    bpf_probe_read_user(&process, sizeof(process),
				(void *)(scheduler + d->scheduler_process)) ||
	    !process ||
	    bpf_probe_read_user(&top, sizeof(top), (void *)(process + d->process_stop)))
		return 0;
	return top;
}

/* Return: the top of the Erlang process's stack, 0 if it is not known; @l->beam.stack is set. */
static __always_inline __u64 lang_beam_top(struct lang_loop *loop, const struct lang_beam *d)
{
	struct lang_walk *l = loop->l;

	l->beam.stack = BEAM_STACK_IN_SP;
	if (l->made.sampled && l->made.sp != l->made.bx - BEAM_REGISTERS)
		return l->made.sp;
	__builtin_memset(l->frame, 0, sizeof(l->frame));
	l->beam.process_stop = d->process_stop;
	/* the end of a page may be the end of the code, but it is that of a module's data */
	if (bpf_probe_read_user(l->frame, BEAM_AFTER_PC + 4, (void *)l->made.pc))
		return 0;
	bpf_loop(l->made.sampled ? BEAM_AFTER_PC : BEAM_AFTER_CALL, lang_beam_code, loop, 0);
	if (l->beam.stack == BEAM_STACK_IN_FP)
		return l->made.fp;
	return l->beam.stack == BEAM_STACK_SAVED ? lang_beam_saved(l, d) : 0;
}

/* Forgets the modules of the sample before. */
static __always_inline void lang_beam_forget(struct lang_walk *l)
{
	__u32 i;

	l->beam.of.len = 0;
#pragma unroll
	for (i = 0; i < LANG_BEAM_SEEN; i++)
		l->beam.seen[i].len = 0;
}

/* Return: whether the thread runs code of an Erlang process; @l gets its frames. */
static __always_inline bool lang_beam_read(struct lang_walk *l, const struct lang_proc *p)
{
	const struct lang_beam *d = &p->found.beam;
	struct lang_loop loop = { .l = l, .p = p };
	__u64 top;
	bool found;

	if (!l->made.pc || !made_beam_read(d, &l->beam.code))
		return false;
	l->beam.normal_exit = d->normal_exit;
	lang_beam_forget(l);
	found = lang_beam_module(l, l->made.pc);
	if (!found && !lang_beam_is_fragment(l, l->made.pc))
		return false;
	top = lang_beam_top(&loop, d);
	if (!top || top & 7)
		return false;
	lang_beam_put(l, l->made.pc, found, LANG_ENTRY | LANG_BEAM_INNERMOST, l->beam.stack);
	l->beam.top = top / 8;
	l->beam.slot = top / 8 - 1;
	l->at = top & ~(__u64)(BEAM_WORDS_BYTES - 1);
	bpf_loop(LANG_SLOTS, lang_beam_turn, &loop, 0);
	lang_turns_ended(l);
	return true;
}

#endif /* USTACK_BPF_LANG_BEAM_BPF_H */
