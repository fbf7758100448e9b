/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads the chain of frames of CPython's interpreter, for the thread that runs this.
 *
 *	thread pointer -> pthread key -> thread state -> (C frame ->) frame -> previous ... -> 0
 *
 * The key also gives the state of a thread that has released the interpreter's lock.
 *
 * Why it is safe in any context, NMI included: it reads user memory without faulting and writes
 * only to a struct lang_walk, which is the program's own while it runs. It takes no lock and
 * allocates nothing. Each turn of bpf_loop() stores a pair of words, notes an entry of C code, or ends
 * the loop; there are at most LANG_SLOTS turns, whatever the process has in its memory: frames that
 * form a circle are cut. All offsets are masked to the copies that they are used in.
 *
 * The thread is stopped at an arbitrary instruction, perhaps just before the interpreter pushes
 * a frame. Up to 3.12 each call of the interpreter has a struct _PyCFrame on the C stack; one
 * that is linked but has no frame yet contains old data. So the innermost frames count only if
 * they lead to the frame of the previous C frame.
 */
#ifndef USTACK_BPF_LANG_CPYTHON_H
#define USTACK_BPF_LANG_CPYTHON_H

#include "lang_walk.bpf.h"

/*
 * Return: the word at @off in @bytes, an array of 256 bytes. The mask shows the verifier that
 * @off is within it.
 */
static __always_inline __u64 lang_u64(const void *bytes, __u64 off)
{
	asm volatile("%0 &= 0xf8" : "+r"(off));
	return *(const __u64 *)((const char *)bytes + off);
}

static __always_inline __u8 lang_u8(const void *bytes, __u64 off)
{
	asm volatile("%0 &= 0xff" : "+r"(off));
	return *((const __u8 *)bytes + off);
}

/* Reads a C frame's innermost frame, and the previous C frame. */
static __always_inline bool lang_cframe(struct lang_walk *l, const struct lang_cpython *d,
					__u64 at)
{
	if (at && !bpf_probe_read_user(&l->cframe, sizeof(l->cframe),
				       (void *)(at + d->cframe_frame)))
		return true;
	l->cframe.frame = l->cframe.previous = 0;
	return false;
}

/*
 * The chain ends before an entry. The frames read for the innermost call may not be frames yet,
 * or no longer: they do not count, and the chain begins at the previous call.
 * @pushed: this is the call's first frame, or it leads to another frame than that of the call: it
 *	has just been made, and the rest is whole
 *
 * Return: 1 to stop.
 */
static __always_inline long lang_cpython_torn(struct lang_walk *l, const struct lang_cpython *d,
					      enum lang_fate fate, bool pushed)
{
	if (!d->cframes || l->entries || l->recovered) {
		l->fate = fate;
		return 1;
	}
	l->recovered = true;
	l->fate = pushed ? LANG_WHOLE : fate;
	l->nr = 0;
	l->at = 0;
	if (!lang_cframe(l, d, l->cframe.previous))
		return 1;
	l->at = l->cframe.frame;
	return !l->at;
}

/* Return: whether C code called the interpreter for this frame, and the chain agrees with that. */
static __always_inline bool lang_cpython_entry(struct lang_walk *l, const struct lang_cpython *d,
					       __u64 previous)
{
	__u64 outer = l->cframe.previous;

	if (!d->cframes)
		return true;
	l->own = l->cframe;
	if (lang_cframe(l, d, outer) && l->cframe.frame == previous)
		return true;
	l->cframe = l->own;
	return false;
}

/*
 * Return: the cookie of the code object in @p->code; 0, with @p->faulted set, if it cannot be
 * computed. A separate function, which the verifier checks once.
 */
__attribute__((__noinline__)) int lang_cpython_print(struct lang_cpython_print *p,
						     const struct lang_cpython *d)
{
	__u64 name, table;

	if (!p || !d)
		return 0;
	name = lang_code_word(p, d->code_qualname);
	table = lang_code_word(p, d->code_linetable);
	p->tail[0] = p->tail[1] = 0;
	p->faulted = true;
	if (bpf_probe_read_user(p->text, sizeof(p->text), (void *)(name + LANG_TEXT_AT)) ||
	    bpf_probe_read_user(p->table, sizeof(p->table), (void *)(table + LANG_TEXT_AT)))
		return 0;
	if (lang_text_has_tail(d, p->text) &&
	    bpf_probe_read_user(p->tail, sizeof(p->tail),
				(void *)(name + lang_text_data(d, p->text) +
					 lang_text_bytes(p->text) - sizeof(p->tail))))
		return 0;
	p->faulted = false;
	return lang_cpython_cookie(d, p);
}

/* Reads one frame. Return: 1 to stop. */
static long lang_cpython_turn(__u32 i, struct lang_loop *loop)
{
	const struct lang_cpython *d = &loop->p->found.cpython;
	struct lang_walk *l = loop->l;
	__u64 code, previous, instr, bytes = d->frame_bytes;
	__u32 flags = 0, cookie;

	if (l->nr >= l->max) {
		l->fate = LANG_CUT;
		return 1;
	}
	asm volatile("%0 &= 0x7f" : "+r"(bytes));
	if (bpf_probe_read_user(l->frame, bytes, (void *)l->at))
		return lang_cpython_torn(l, d, LANG_FAULTED, !l->nr);
	code = lang_u64(l->frame, d->frame_code) & ~3ull;
	previous = lang_u64(l->frame, d->frame_previous);
	if (d->shim_owner && lang_u8(l->frame, d->frame_owner) >= d->shim_owner) {
		if (!lang_cpython_entry(l, d, previous))
			return lang_cpython_torn(l, d, LANG_TORN, true);
		l->entries++;
		lang_flag_last(l, LANG_ENTRY);
		l->at = previous;
		return !previous;
	}
	if (bpf_probe_read_user(l->print.code, LANG_CODE_BYTES, (void *)code))
		return lang_cpython_torn(l, d, LANG_FAULTED, !l->nr);
	instr = (lang_u64(l->frame, d->frame_instr) - code - d->code_bytecode + 2) / 2;
	/* the second word of an object is its type */
	if (l->print.code[1] != d->code_type || code & ~LANG_POINTER || instr >= 1u << 24)
		return lang_cpython_torn(l, d, LANG_TORN, !l->nr);
	if (d->frame_entry && lang_u8(l->frame, d->frame_entry)) {
		if (!lang_cpython_entry(l, d, previous))
			return lang_cpython_torn(l, d, LANG_TORN, true);
		l->entries++;
		flags = LANG_ENTRY;
	}
	/* the outermost frame must have been called by C code */
	if (d->frame_entry && !flags && !previous)
		return lang_cpython_torn(l, d, LANG_TORN, false);
	cookie = lang_cpython_print(&l->print, d);
	if (l->print.faulted)
		flags |= LANG_FAULTED_OBJECT;
	lang_put(l, (__u64)LANG_CPYTHON << LANG_KIND_SHIFT | (__u64)flags << LANG_FLAGS_SHIFT | code,
		 (__u64)cookie << 32 | instr);
	l->at = previous;
	return !previous;
}

/* Return: address of the thread's state, or 0. */
static __always_inline __u64 lang_cpython_state(const struct lang_cpython *d, __u64 thread)
{
	__u64 block = 0, state = 0, self = 0;

	if (!thread || bpf_probe_read_user(&block, sizeof(block), (void *)(thread + d->key.block)) ||
	    !block || bpf_probe_read_user(&state, sizeof(state), (void *)(block + d->key.value)) ||
	    !state ||
	    bpf_probe_read_user(&self, sizeof(self), (void *)(state + d->tstate_thread)) ||
	    self != thread + d->key.self)
		return 0;
	return state;
}

/* Return: whether the thread has a state; @l gets its frames. */
static __always_inline bool lang_cpython_read(struct lang_walk *l, const struct lang_proc *p)
{
	struct lang_loop loop = { .l = l, .p = p };
	const struct lang_cpython *d = &p->found.cpython;
	__u64 state = lang_cpython_state(d, l->thread), at = 0;

	if (!state)
		return false;
	if (bpf_probe_read_user(&at, sizeof(at), (void *)(state + d->tstate_frame))) {
		l->fate = LANG_FAULTED;
		return true;
	}
	if (d->cframes) {
		if (!lang_cframe(l, d, at)) {
			l->fate = LANG_FAULTED;
			return true;
		}
		at = l->cframe.frame;
		/* the C frame is linked, but has no frame yet: the memory was 0 before */
		if (!at && lang_cpython_torn(l, d, LANG_WHOLE, true))
			return true;
		at = at ? at : l->at;
	}
	l->at = at;
	if (at)
		bpf_loop(LANG_SLOTS, lang_cpython_turn, &loop, 0);
	lang_turns_ended(l);
	return true;
}

#endif /* USTACK_BPF_LANG_CPYTHON_H */
