/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The user stack walked by tables: lookup, stride and steps of kmod/core, built for eBPF. It is
 * the same walk as kmod/callchain.c; bpf/tables.h says where tables and mappings are.
 *
 *	space -> window -> image -> bin -> stride, or one step -> the caller's frame
 *
 * Context: any. Nothing here is locked or allocated. Everything that changes is in a struct
 * unwind, which is the program's own while it runs. Loops: bpf_loop() with at most UNWIND_TURNS
 * turns, and those that kmod/core bounds. User memory is read without faulting; a word that is
 * not present ends the stack.
 *
 * Numbers that grow (frames, places) are kept in map memory and not in registers: the verifier
 * would follow each value that they can have.
 */
#ifndef USTACK_BPF_UNWIND_H
#define USTACK_BPF_UNWIND_H

#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "kernel.bpf.h"
#include "made.bpf.h"
#include "spaces.bpf.h"
#include "tables.h"
#include "uretprobe.bpf.h"
#include "wire.h"

#include "step.h"
#include "stride.h"

#if defined(__TARGET_ARCH_x86)
#include "arch_x86_64.c"
#define USTACK_ARCH_NATIVE (&ustack_arch_x86_64)
#define UNWIND_RA_MASK (~0ull)
#define UNWIND_USER_END ((1ull << 56) - 4096)
#define UNWIND_REGS 16u
#elif defined(__TARGET_ARCH_arm64)
#include "arch_aarch64.c"
#define USTACK_ARCH_NATIVE (&ustack_arch_aarch64)
#define UNWIND_RA_MASK ((1ull << 48) - 1)
#define UNWIND_USER_END (1ull << 48)
#define UNWIND_REGS 32u
#endif

_Static_assert(USTACK_BIN_BYTES == TABLES_BIN_BYTES, "a masked offset is in the bin");

/* The stack is read in pieces that no page boundary crosses. */
#define UNWIND_PIECE 1024u
/*
 * Where no piece is: bit 63 (x86-64) or bit 55 (arm64) is set in no user address, so nothing that a walk reads is
 * in this piece.
 */
#define UNWIND_NO_PIECE (1ull << 63 | 1ull << 55)
/*
 * Turns of the loop: each one makes at least one step, or goes back to where a search of the stack
 * began. Those steps count as words of USTACK_MAX_SCAN, of which there are fewer.
 */
#define UNWIND_TURNS (WIRE_FRAMES + USTACK_MAX_SCAN)
/* Largest number of frames of a walk that are looked up among uretprobes. */
#define UNWIND_URETPROBE_LOOKUPS 16u

/*
 * State of one walk.
 *
 * @mem: memory access for the core; its functions are below
 * @state: the frame that was stored last
 * @rule: rule of the frame from which the walk steps
 * @start_stack: SP at the program's start, as execve set it up
 * @start: first address of the mapping that contains @state
 * @len: size of that mapping in bytes; 0 if there is none with a table
 * @rel: @start as a link-time address, minus the table's base
 * @off: offset of the mapping's table in its bin
 * @piece_at: address of @piece, or UNWIND_NO_PIECE
 * @bin: number of that bin
 * @wish: wish for the last table that was missing
 * @seq: @seq of the process's space when the walk began
 * @regs: registers of the sample, by DWARF number
 * @why: why the walk ended, or 0
 * @nr: number of frames in @to
 * @max: largest number of frames, at most WIRE_FRAMES
 * @ruled: the frame from which the walk steps has a row
 * @tgid: process id
 * @lookups: number of frames that were looked up among uretprobes
 * @cut: the process has mappings for which there is no room
 * @made: frame that was handed out, see unwind_hands_out()
 */
struct unwind {
	struct ustack_mem mem;
	struct ustack_state state;
	struct ustack_rule rule;
	__u64 start_stack;
	__u64 start;
	__u64 len;
	__u64 rel;
	__u64 off;
	__u64 piece_at;
	__u32 bin;
	__u32 why;
	__u32 nr;
	__u32 max;
	__u32 ruled;
	__u32 tgid;
	__u32 lookups;
	__u32 cut;
	struct tables_wish wish;
	__u64 seq;
	struct made_frame made;
	__u64 regs[UNWIND_REGS];
	__u64 piece[UNWIND_PIECE / 8 + 1];
	WIRE_STACK(WIRE_FRAMES) to;
};

/* Set before the programs are loaded: allow steps that nothing proves. */
const volatile bool ustack_may_guess = true;

static __always_inline struct unwind *unwind_of(struct ustack_mem *mem)
{
	return (struct unwind *)((char *)mem - offsetof(struct unwind, mem));
}

/*
 * Reads a word: from the copied piece, or by itself if it crosses the end of a piece, which
 * words of the stack hardly do.
 */
static __always_inline bool ustack_mem_read(struct ustack_mem *mem, u64 addr, u64 *ret)
{
	struct unwind *u = unwind_of(mem);
	u64 off = addr - u->piece_at;

	if (unlikely(off > UNWIND_PIECE - 8)) {
		off = addr & (UNWIND_PIECE - 1);
		if (unlikely(off > UNWIND_PIECE - 8))
			return !bpf_probe_read_user(ret, sizeof(*ret), (void *)addr);
		u->piece_at = addr - off;
		if (unlikely(bpf_probe_read_user(u->piece, UNWIND_PIECE, (void *)(addr - off)))) {
			u->piece_at = UNWIND_NO_PIECE;
			*ret = 0;	/* clang may compare it before it checks the result */
			return false;
		}
	}
	asm volatile("%0 &= %1" : "+r"(off) : "i"(UNWIND_PIECE - 1));
	*ret = *(u64 *)((char *)u->piece + off);
	return true;
}

static __always_inline bool ustack_mem_reg(struct ustack_mem *mem, unsigned int reg, u64 *ret)
{
	u64 at = reg;

#if defined(__TARGET_ARCH_x86)
	if (reg == USTACK_FS_BASE) {
		*ret = bpf_get_current_task_btf()->thread.fsbase;
		return true;
	}
#endif
	if (at >= UNWIND_REGS)
		return false;
	asm volatile("%0 &= %1" : "+r"(at) : "i"(UNWIND_REGS - 1));
	*ret = unwind_of(mem)->regs[at];
	return true;
}

/*
 * Return: the window that may contain @key; if it does not, none does. If a larger set of
 * windows appears during a walk, the smaller set stays as it was, until a change is made: then
 * the walk does not count, see @seq.
 */
static __always_inline const struct tables_window *
unwind_window(const struct tables_space *space, u64 key)
{
	struct tables_wide *wide;

	wide = huge_of(space, &space->id);
	if (unlikely(wide && wide_is_filled(wide)))
		return huge_window(wide, huge_search(wide, key));
	wide = wide_of(space, &space->id);
	if (unlikely(wide && wide_is_filled(wide)))
		return wide_window(wide, wide_search(wide, key));
	return space_window((struct tables_space *)space, space_search(space, key));
}

/*
 * Return: whether image @number is code that the process made: of no file, or of one that is
 * not ELF.
 */
static __always_inline bool image_is_made(__u32 number)
{
	const struct tables_image *image = bpf_map_lookup_elem(&ustack_images, &number);

	return image && !image->bytes && image->why == USTACK_NO_IMAGE;
}

static __always_inline bool ustack_mem_is_code(struct ustack_mem *mem, u64 addr)
{
	const struct unwind *u = unwind_of(mem);
	const struct tables_space *space = space_of(u->tgid);
	const struct tables_window *w;

	if (!space)
		return false;
	w = unwind_window(space, addr);
	return addr - w->start < w->len && !(mem->files_only && image_is_made(w->image));
}

#include "step.c"
#include "step_blind.c"
#include "step_search.c"

/* Return: the bytes of bin @number, or NULL. */
static __always_inline const u8 *unwind_bin(u32 number)
{
	void *bin = bpf_map_lookup_elem(&ustack_bins, &number);
	u32 zero = 0;

	return bin ? bpf_map_lookup_elem(bin, &zero) : NULL;
}

static __always_inline bool unwind_put(void *to, u64 pc)
{
	struct unwind *u = to;
	u64 at = u->nr;

	if (unlikely(at >= u->max)) {
		u->why = USTACK_DEPTH;
		return false;
	}
	asm volatile("%0 &= %1" : "+r"(at) : "i"(WIRE_FRAMES - 1));
	u->to.pc[at] = pc;
	u->nr++;
	return true;
}

/* Link-time address minus offset in the file, for the file's byte @off. */
static __always_inline bool unwind_delta(const struct tables_image *image, u64 off, u64 *ret)
{
	u32 i;

#pragma unroll
	for (i = 0; i < TABLES_SEGMENTS; i++) {
		const struct tables_segment *s = &image->segment[i];

		if (off - s->off < s->end - s->off) {
			*ret = s->delta;
			return true;
		}
	}
	return false;
}

/*
 * Finds the part of the image's table that has the rule of link-time address @at. Return: its place.
 * @from, @to: the addresses that it has rules of
 */
static __always_inline u64 unwind_part(const struct tables_image *image, u64 at, u64 *from, u64 *to)
{
	const volatile u64 *place = &image->place;
	u32 i;

	*from = 0;
	*to = ~0ull;
#pragma unroll
	for (i = 0; i < TABLES_PARTS - 1 && image->more[i].from; i++) {
		if (at < image->more[i].from) {
			*to = image->more[i].from;
			break;
		}
		*from = image->more[i].from;
		place = &image->more[i].place;
	}
	return *place;
}

/*
 * Asks for the table of a file. The wish is in map memory because the stack is small, see
 * ustack_unwind_step().
 */
static __always_inline void unwind_wish(struct unwind *u, const struct tables_window *w)
{
	u->wish.image = w->image;
	u->wish.tgid = u->tgid;
	u->wish.sampled = true;
	u->wish.start = w->start;
	u->wish.end = w->start + w->len;
	wish_send(&u->wish);
}

/*
 * Looks for the mapping of @u's frame. If it has a table, the piece of it that this part of the table
 * describes becomes @u's window. Return: USTACK_OK, or why there is no table. A separate function, so that
 * it does not share its 512 bytes of stack with steps.
 */
static __attribute__((__noinline__)) u32 unwind_enter(struct unwind *u, const struct tables_space *space)
{
	const struct tables_window *w;
	const struct tables_image *image;
	u64 key, delta, place, first, last, from, to;
	ustack_ref t;
	u32 number;

	if (!u || !space)
		return USTACK_NO_IMAGE;
	key = ustack_state_key(&u->state);
	u->len = 0;
	w = unwind_window(space, key);
	if (key - w->start >= w->len)
		return USTACK_NO_IMAGE;
	number = w->image;
	image = bpf_map_lookup_elem(&ustack_images, &number);
	if (!image)
		return USTACK_NO_IMAGE;
	if (!image->bytes) {
		if (image->why == USTACK_BUILDING)
			unwind_wish(u, w);
		return image->why;
	}
	if (!unwind_delta(image, key - w->start + w->off, &delta))
		return USTACK_NO_ROW;
	first = w->off + delta;
	last = first + w->len;
	place = unwind_part(image, key - w->start + first, &from, &to);
	if (from < first)
		from = first;
	if (to > last)
		to = last;
	u->bin = place / TABLES_BIN_BYTES;
	u->off = place % TABLES_BIN_BYTES;
	t.bin = unwind_bin(u->bin);
	t.off = u->off;
	if (!t.bin)
		return USTACK_NO_TABLE;
	u->start = w->start + (from - first);
	u->len = to - from;
	u->rel = from - ustack_ref_field(t, base);
	return USTACK_OK;
}

/*
 * If the frame stored last, which is in no window, is a uretprobe's trampoline, it becomes the
 * probed function's caller. Return: whether it was. SP is its value after the return: on x86-64
 * the return address was pushed right below it, and the place of that word identifies an entry.
 * A separate function for the reason of unwind_enter().
 */
__attribute__((__noinline__)) int ustack_unwind_return_probe(struct unwind *u)
{
	const struct task_struct *task = bpf_get_current_task_btf();
	u64 trampoline, caller, at;

	if (!u || u->nr < 2 || u->lookups >= UNWIND_URETPROBE_LOOKUPS)
		return false;
	trampoline = uretprobe_trampoline(task);
	if (!trampoline || u->state.pc != trampoline)
		return false;
	u->lookups++;
	caller = uretprobe_caller(task, u->state.sp - (USTACK_ARCH_NATIVE->ra_fixed ? 8 : 0));
	if (caller == trampoline || ustack_check_ra(&u->mem, &caller))
		return false;
	u->state.pc = caller;
	at = u->nr - 1;
	asm volatile("%0 &= %1" : "+r"(at) : "i"(WIRE_FRAMES - 1));
	u->to.pc[at] = caller;
	return true;
}

/* The native architecture's check, as in kmod/callchain.c. */
static __always_inline bool unwind_is_entry(struct unwind *u)
{
	return ustack_state_is_entry(&u->state, &u->mem, ustack_mem_read, u->start_stack);
}

/*
 * Makes one step of any kind from the frame of @u; @u->why: why the frame is in no window, or
 * 0. A separate function, which the verifier checks once.
 */
__attribute__((__noinline__)) int ustack_unwind_step(struct unwind *u)
{
	enum ustack_reason why;
	ustack_rule_ref rule;
	ustack_ref t;

	if (!u)
		return USTACK_NO_TABLE;
	why = u->why;
	u->why = 0;
	u->ruled = false;
	if (!why) {
		t.bin = unwind_bin(u->bin);
		t.off = u->off;
		if (!t.bin)
			return USTACK_NO_TABLE;
		rule = ustack_lookup(t, ustack_state_key(&u->state) - u->start + u->rel);
		why = USTACK_NO_ROW;
		if (rule) {
			u->ruled = true;
			ustack_ref_copy_rule(t, rule, &u->rule);
			why = ustack_step(USTACK_ARCH_NATIVE, &u->rule, &u->state, &u->mem);
		}
	}
	return why;
}

/*
 * Makes up to USTACK_STRIDE_ROUNDS plain steps within @u's window. A separate function, like
 * ustack_unwind_step(): they do not need their parts of the 512 bytes of stack at the same
 * time.
 */
__attribute__((__noinline__)) int ustack_unwind_stride(struct unwind *u)
{
	struct ustack_window w;

	if (!u)
		return 0;
	w.table.bin = unwind_bin(u->bin);
	w.table.off = u->off;
	if (!w.table.bin)
		return 0;
	w.start = u->start;
	w.len = u->len;
	w.rel = u->rel;
	ustack_window_clip(&w);
	ustack_stride(&w, &u->state, &u->mem, ustack_mem_read, unwind_put, u);
	return 0;
}

/*
 * Return: whether the frame is a return address outside all mappings, with no call in front of
 * it: then the step before went wrong.
 */
static __always_inline bool unwind_is_garbage(struct unwind *u)
{
	u64 entry;

	return u->nr > 1 && !u->state.exact && u->state.pc != u->mem.followed &&
	       !USTACK_ARCH_NATIVE->call_target(&u->mem, u->state.pc, &entry);
}

/*
 * Parts of a step without a row, see ustack_step_blind(); separate functions because of the
 * stack that each needs.
 */
__attribute__((__noinline__)) int ustack_unwind_by_code(struct unwind *u)
{
	return u ? ustack_step_by_code(USTACK_ARCH_NATIVE, &u->state, &u->mem) : USTACK_NO_ROW;
}

__attribute__((__noinline__)) int ustack_unwind_by_record(struct unwind *u)
{
	return u ? ustack_step_by_record(USTACK_ARCH_NATIVE, &u->state, &u->mem) : USTACK_NO_ROW;
}

__attribute__((__noinline__)) int ustack_unwind_search(struct unwind *u)
{
	return u ? ustack_step_search(USTACK_ARCH_NATIVE, &u->state, &u->mem) : USTACK_NO_ROW;
}

/* After a failure. Return: whether the walk goes on where a search of the stack began. */
__attribute__((__noinline__)) int ustack_unwind_back(struct unwind *u)
{
	if (!u)
		return false;
	u->mem.frames = u->nr;
	if (!ustack_step_back(&u->state, &u->mem))
		return false;
	u->nr = u->mem.search.frames;
	u->why = 0;
	return true;
}

__attribute__((__noinline__)) int ustack_unwind_top(struct unwind *u)
{
	return u ? ustack_step_top(USTACK_ARCH_NATIVE, &u->state, &u->mem) : USTACK_NO_ROW;
}

/* Kinds of a frame that no row leads on from. */
enum unwind_what {
	UNWIND_FRAME,
	UNWIND_GARBAGE,		/* not a frame: the step before went wrong */
	UNWIND_ENTRY,		/* the program's entry code */
};

__attribute__((__noinline__)) int ustack_unwind_what(struct unwind *u)
{
	if (!u)
		return UNWIND_FRAME;
	if (u->why == USTACK_NO_IMAGE && unwind_is_garbage(u))
		return UNWIND_GARBAGE;
	return unwind_is_entry(u) ? UNWIND_ENTRY : UNWIND_FRAME;
}

__attribute__((__noinline__)) int ustack_unwind_follow(struct unwind *u)
{
	return u ? ustack_step_follow(USTACK_ARCH_NATIVE, &u->state, &u->mem) : USTACK_NO_ROW;
}

/*
 * Steps where a row does not lead on, or where there is none, like kmod/callchain.c.
 * @why: what was missing
 * @knows_all: there is a window for each file that the process has mapped
 */
static __always_inline u32 unwind_blind(struct unwind *u, u32 why, bool knows_all)
{
	bool bare = !u->ruled;
	u32 reason = USTACK_NO_ROW, what;

	u->why = why;
	what = ustack_unwind_what(u);
	u->why = 0;
	if (what == UNWIND_GARBAGE) {
		u->nr--;
		return USTACK_BAD_RA;
	}
	if (bare || (why == USTACK_NO_REGISTER && u->state.sp_bound)) {
		u->mem.may_guess = ustack_may_guess &&
				   (why == USTACK_NO_ROW || why == USTACK_NO_IMAGE);
		u->mem.may_search = why == USTACK_NO_IMAGE && knows_all;
		u->mem.frames = u->nr;
		reason = ustack_unwind_by_code(u);
		if (reason == USTACK_NO_ROW)
			reason = ustack_unwind_by_record(u);
		if (reason == USTACK_NO_ROW)
			reason = ustack_unwind_search(u);
		if (reason == USTACK_NO_ROW)
			reason = ustack_unwind_top(u);
		if (!reason || reason == USTACK_COMPLETE)
			return reason;
	}
	if (what == UNWIND_ENTRY)
		return USTACK_COMPLETE;
	if (!bare)
		return why;
	reason = ustack_unwind_follow(u);
	return !reason || reason == USTACK_COMPLETE ? reason : why;
}

/*
 * Hands a frame in code that the process made to the reader of its runtime (made.bpf.h), and ends
 * the walk there: no table tells what called such code. A separate function for the reason of
 * unwind_enter(). Return: whether the runtime wants it.
 */
__attribute__((__noinline__)) int ustack_unwind_hand_out(struct unwind *u)
{
	if (!u || !made_is_wanted(u->tgid, u->state.pc))
		return false;
	u->made.fp = u->state.fp;
	if (u->state.fp_at && bpf_probe_read_user(&u->made.fp, sizeof(u->made.fp),
						  (void *)u->state.fp_at))
		return false;
	u->made.pc = u->state.pc;
	u->made.sp = u->state.sp;
	u->made.bx = u->regs[MADE_BX];
	u->made.sampled = u->nr == 1;
	return true;
}

/* Return: why a frame is in no window: its mapping may be unknown, or there was no room for it. */
static __always_inline u32 unwind_no_image(const struct unwind *u, const struct tables_space *space)
{
	if (u->cut)
		return USTACK_NO_ROOM;
	return space->flags & TABLES_MISSED ? USTACK_LEARNING : USTACK_NO_IMAGE;
}

struct unwind_loop {
	struct unwind *u;
	const struct tables_space *space;
};

/* Return: 1 to stop, with @u->why set. */
static long unwind_turn(u32 i, struct unwind_loop *loop)
{
	struct unwind *u = loop->u;
	u32 before = u->nr, why;

	if (ustack_state_key(&u->state) - u->start >= u->len) {
		u->why = unwind_enter(u, loop->space);
		if (u->why == USTACK_NO_IMAGE && ustack_unwind_return_probe(u))
			u->why = unwind_enter(u, loop->space);
		if ((u->why == USTACK_NO_IMAGE || u->why == USTACK_BUILDING) &&
		    ustack_unwind_hand_out(u))
			return 1;
	}
	if (!u->why) {
		ustack_unwind_stride(u);
		if (u->why)
			return 1;
		if (u->nr != before)
			return 0;
	}
	why = ustack_unwind_step(u);
	if (why && why != USTACK_COMPLETE)
		why = unwind_blind(u, why, unwind_no_image(u, loop->space) == USTACK_NO_IMAGE);
	if (why) {
		if (why != USTACK_COMPLETE && ustack_unwind_back(u))
			return 0;
		u->why = why;
		return 1;
	}
	return !unwind_put(u, u->state.pc);
}

/*
 * Return: whether the task still runs in its parent's memory: a child of vfork() within
 * execve() lets its parent run on, and leaves the parent's memory only later; see
 * stack_is_anothers() in kmod/callchain.c.
 */
static __always_inline bool unwind_is_anothers(const struct task_struct *task,
					       const struct tables_space *space)
{
	const struct user_regs *regs = (void *)bpf_task_pt_regs((struct task_struct *)task);
	unsigned long nr = 0;

	if (space->start == task->group_leader->start_boottime || task->vfork_done)
		return false;
	/* the process shares another one's memory */
	bpf_probe_read_kernel(&nr, sizeof(nr), &regs_syscall_at(regs));
	return nr == NR_EXECVE || nr == NR_EXECVEAT;
}

/* Return: whether user space has answered for a space that is full. */
static __always_inline bool unwind_is_learned(struct unwind *u, const struct tables_space *space)
{
	const struct tables_wide *wide = huge_of(space, &space->id);
	u64 state;

	u->cut = space->flags & TABLES_CUT;
	if (wide)
		return wide_is_filled(wide);
	wide = wide_answer(&space->id);
	if (!wide)
		return false;
	state = *(volatile u64 *)&wide->state;
	u->cut = state == TABLES_WIDE_REFUSED || state == TABLES_WIDE_LAST;
	return u->cut || (state == TABLES_WIDE_READY && !(space->flags & TABLES_HUGE));
}

/*
 * Return: the process's space, or NULL with @u->why: the process must not be walked. A separate
 * function for the reason of unwind_enter().
 */
static __attribute__((__noinline__)) struct tables_space *unwind_find(struct unwind *u)
{
	const struct task_struct *task = bpf_get_current_task_btf();
	struct tables_space *space = space_of(task->tgid);

	if (!u)
		return NULL;
	u->tgid = task->tgid;
	u->why = USTACK_LEARNING;
	if (!space)
		return NULL;
	u->seq = *(volatile u64 *)&space->seq;
	if (u->seq & 1)
		return NULL;
	if (space->flags & TABLES_FULL) {
		u->wish.image = TABLES_MADE;
		u->wish.tgid = u->tgid;
		space_ask(space, &u->wish);
		if (!unwind_is_learned(u, space))
			return NULL;
	}
	u->why = USTACK_EXECVE;
	if (space->mm != (u64)task->mm || space->flags & TABLES_STARTING ||
	    unwind_is_anothers(task, space))
		return NULL;
	u->why = 0;
	return space;
}

/**
 * unwind_walk() - walk a stack from a state
 * @u: the walk; @state, @regs, @max and @start_stack are set for the current thread, which has
 *     user memory
 *
 * Return: why the walk ended: enum ustack_reason. @u->to.pc has @u->nr frames.
 */
static __always_inline u32 unwind_walk(struct unwind *u)
{
	struct unwind_loop loop = { .u = u };

	u->mem.ra_mask = UNWIND_RA_MASK;
	u->mem.user_end = UNWIND_USER_END;
	u->mem.scanned = 0;
	u->mem.guessed = 0;
	u->mem.followed = 0;
	u->mem.may_follow = ustack_may_guess;
	u->mem.files_only = false;
	u->mem.search.on = false;
	u->mem.search.from.pc = 0;
	u->piece_at = UNWIND_NO_PIECE;
	u->len = 0;
	u->why = 0;
	u->lookups = 0;
	u->cut = false;
	u->nr = 0;
	if (!unwind_put(u, u->state.pc))
		return u->why;
	loop.space = unwind_find(u);
	if (!loop.space)
		return u->why;
	bpf_loop(UNWIND_TURNS, unwind_turn, &loop, 0);
	if (u->seq == *(volatile u64 *)&loop.space->seq)
		return u->why == USTACK_NO_IMAGE ? unwind_no_image(u, loop.space) : u->why;
	/* the windows or tables have changed during the walk */
	u->nr = 1;
	return USTACK_LEARNING;
}

#endif /* USTACK_BPF_UNWIND_H */
