/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Step: from one frame to its caller's frame. Sample-path code: NMI-safe, no
 * lock, no allocation, no loop that depends on user data.
 */
#ifndef USTACK_CORE_STEP_H
#define USTACK_CORE_STEP_H

#include "arch.h"
#include "bounds.h"
#include "core_env.h"
#include "reason.h"
#include "rule.h"

struct ustack_mem;

typedef bool ustack_read_u64(struct ustack_mem *mem, u64 addr, u64 *ret);

/* Where the registers of a frame other than pc, SP and FP are. */
enum ustack_regs_in {
	USTACK_REGS_UNKNOWN,		/* a caller's frame */
	USTACK_REGS_SAMPLE,		/* the sampled frame: ustack_mem.read_reg */
	USTACK_REGS_SIGCONTEXT,		/* an interrupted frame: state.sigcontext */
};

/**
 * struct ustack_state - one frame
 * @pc: sampled pc, interrupted pc or return address
 * @sp: stack pointer; with @sp_bound, its lowest possible value
 * @fp: frame pointer register, whatever the code uses it for; valid if @fp_at
 *      is 0
 * @fp_at: address at which a callee has saved this frame's FP, or 0. Most
 *         functions save it and few steps need it, so it is read only when
 *         needed: see ustack_state_fp()
 * @lr: link register (AArch64), valid unless @regs_in is UNKNOWN
 * @sigcontext: SP at the signal trampoline, for SIGCONTEXT
 * @regs_in: enum ustack_regs_in
 * @scratch_in: enum ustack_regs_in of the registers that a call need not preserve;
 *              they have their values of the walk's last exact frame. A step
 *              without a rule loses them
 * @exact: @pc is the next instruction to run, not a return address; a return
 *         address may be after its function's end, so it is looked up minus one
 * @sp_bound: @sp is only a lower bound: AArch64's frame records may be anywhere
 *            in their frames, so a frame-pointer step does not give SP
 */
struct ustack_state {
	u64 pc;
	u64 sp;
	u64 fp;
	u64 fp_at;
	u64 lr;
	u64 sigcontext;
	u8 regs_in;
	u8 scratch_in;
	bool exact;
	bool sp_bound;
};

/**
 * struct ustack_search - search of the stack for the caller of code that the process has made
 * @from: the frame of that code; its pc is 0 before the first search of a walk
 * @at: address of the next word
 * @frames: @ustack_mem.frames at that frame
 * @guessed: @ustack_mem.guessed at that frame
 * @followed: @ustack_mem.followed at that frame
 * @on: the walk goes on from a word that may be wrong; if it fails, there may be another one
 */
struct ustack_search {
	struct ustack_state from;
	u64 at;
	u64 followed;
	u32 frames;
	u32 guessed;
	bool on;
};

/**
 * struct ustack_mem - how the walk reads the process
 * @read_u64: reads 8 bytes of user memory at any alignment, without faulting;
 *            false if they are not present: then @ret must not be used. Called
 *            for stack words and, rarely, for code bytes
 * @read_reg: reads the DWARF register @reg of the sampled frame; false if the
 *            sample does not have it. On AMD64 it may have USTACK_FS_BASE, too
 * @is_code: whether code may be at an address; saves reads where there is none.
 *           NULL: it may be anywhere. With @files_only: whether a file's code is
 *           there
 * @ra_mask: mask of the address bits of a code pointer; the others (pointer
 *           authentication, tags) are cleared
 * @user_end: first address that is not a user address
 * @scanned: number of words that this walk's frame-pointer steps have read; 0
 *           when it starts, up to USTACK_MAX_SCAN
 * @guessed: number of steps of this walk that @may_guess or @may_follow
 *           allowed; 0 when it starts
 * @followed: the last address that ustack_step_follow() returned; 0 if none
 * @frames: number of frames that the walk has, when it calls
 *          ustack_step_search() or ustack_step_back()
 * @search: see there
 * @may_guess: whether steps may be made for which only the stack gives
 *             evidence: see ustack_step_blind()
 * @may_search: whether ustack_step_search() may step
 * @may_follow: whether ustack_step_follow() may step
 * @files_only: set while the core asks @is_code for code of files
 */
struct ustack_mem {
	ustack_read_u64 *read_u64;
	bool (*read_reg)(struct ustack_mem *mem, unsigned int reg, u64 *ret);
	bool (*is_code)(struct ustack_mem *mem, u64 addr);
	u64 ra_mask;
	u64 user_end;
	u32 scanned;
	u32 guessed;
	u64 followed;
	u32 frames;
	bool may_guess;
	bool may_search;
	bool may_follow;
	bool files_only;
	struct ustack_search search;
};

#ifdef USTACK_DIRECT_MEM

/* The file that includes the core defines these; there are no calls through pointers. */
static bool ustack_mem_read(struct ustack_mem *mem, u64 addr, u64 *ret);
static bool ustack_mem_reg(struct ustack_mem *mem, unsigned int reg, u64 *ret);
static bool ustack_mem_is_code(struct ustack_mem *mem, u64 addr);

#else

/* They call the functions that @mem names. */
static __always_inline bool ustack_mem_read(struct ustack_mem *mem, u64 addr, u64 *ret)
{
	return mem->read_u64(mem, addr, ret);
}

static __always_inline bool ustack_mem_reg(struct ustack_mem *mem, unsigned int reg, u64 *ret)
{
	return mem->read_reg(mem, reg, ret);
}

static __always_inline bool ustack_mem_is_code(struct ustack_mem *mem, u64 addr)
{
	return !mem->is_code || mem->is_code(mem, addr);
}

#endif

/* Return: whether a file's code may be at @addr. */
static __always_inline bool ustack_mem_is_file_code(struct ustack_mem *mem, u64 addr)
{
	bool is;

	mem->files_only = true;
	is = ustack_mem_is_code(mem, addr);
	mem->files_only = false;
	return is;
}

/*
 * Return: whether the code at @pc can be that of a function which a call enters
 * at @entry; 0 means unknown.
 */
static __always_inline bool ustack_may_be_in(u64 pc, u64 entry)
{
	return !entry || (pc >= entry && pc - entry <= USTACK_MAX_FP_FUNCTION);
}

/* The pc by which a frame's row is looked up. */
static __always_inline u64 ustack_state_key(const struct ustack_state *s)
{
	return s->pc - !s->exact;
}

/**
 * ustack_state_fp() - the frame pointer register of a frame
 * @s: the frame
 * @mem: access to the process
 * @read: @mem->read_u64, or the same as a constant
 * @ret: the register; undefined if the function returns false
 *
 * Context: NMI-safe.
 * Return: false if it was saved and cannot be read.
 */
static __always_inline bool
ustack_state_fp(const struct ustack_state *s, struct ustack_mem *mem,
		ustack_read_u64 *read, u64 *ret)
{
	if (s->fp_at)
		return read(mem, s->fp_at, ret);
	*ret = s->fp;
	return true;
}

/*
 * A frame of _start is at most this far below the stack pointer that execve set
 * up. If a frame record led to it (AArch64), SP is above that record, which is
 * in the frame of _start's callee.
 */
#define USTACK_ENTRY_FRAME_BYTES 32u
#define USTACK_ENTRY_CALLEE_BYTES 4096u

/**
 * ustack_state_is_entry() - whether a frame that no step leads on from is the program's entry code
 * @s: the frame
 * @mem: access to the process
 * @read: @mem->read_u64, or the same as a constant
 * @start_stack: the stack pointer that execve set up
 *
 * The entry code (_start) calls the C library. In stock binaries it has no row;
 * versions 1 and 2 cannot mark it as the last frame. It runs at the stack
 * pointer that execve set up, at most aligned and with two words pushed, and
 * has cleared FP, which the ABI requires of the outermost frame. A small frame
 * of a function that _start calls may be as near, but hardly with FP 0.
 *
 * Context: NMI-safe.
 */
static __always_inline bool
ustack_state_is_entry(const struct ustack_state *s, struct ustack_mem *mem,
		      ustack_read_u64 *read, u64 start_stack)
{
	u64 below = start_stack - s->sp, fp;

	if (s->exact || below > (s->sp_bound ? USTACK_ENTRY_CALLEE_BYTES :
					       USTACK_ENTRY_FRAME_BYTES))
		return false;
	return ustack_state_fp(s, mem, read, &fp) && !fp;
}

/**
 * ustack_step_slow() - step by a rule of any kind
 *
 * Like ustack_step(), which handles the two rules that are 98 % of all rows and
 * leaves the others to this function.
 */
USTACK_CORE enum ustack_reason
ustack_step_slow(const struct ustack_arch *arch, const struct ustack_rule *rule,
		 struct ustack_state *s, struct ustack_mem *mem);

/**
 * ustack_step_sigcontext() - step from a signal trampoline to the interrupted frame
 * @arch: architecture of the process
 * @s: the trampoline's frame; becomes the interrupted frame on success, else
 *     unchanged
 * @mem: access to the process
 *
 * All registers are in the signal frame that SP points to.
 *
 * Context: NMI-safe.
 * Return: USTACK_OK; STACK_FAULT; BAD_RA, also if the interrupted pc is 0.
 */
USTACK_CORE enum ustack_reason
ustack_step_sigcontext(const struct ustack_arch *arch, struct ustack_state *s,
		       struct ustack_mem *mem);

/**
 * ustack_step_blind() - step from a frame that has no row
 * @arch: architecture of the process
 * @s: the frame; becomes the caller's on success, else unchanged
 * @mem: access to the process
 *
 * Tries, in this order: a signal trampoline, by its code; in a caller's frame
 * the code that ends the stack of a coroutine or thread
 * (ustack_arch.is_bottom), and that of a function that has called on another
 * stack (ustack_arch.left_stack); in an exact frame PLT code by its bytes, and a
 * function whose return address is where the call put it (ustack_arch.leaf);
 * one frame-pointer record, if it is this frame's: FP is aligned and lies above
 * SP, the return address directly follows a call instruction that does not go
 * elsewhere, and either the function's code says that FP is its own
 * (ustack_arch.owns_record), or there is no other return address between SP and
 * FP, where that of a function without a record would be.
 *
 * With @mem->may_guess, on AMD64, there are three more ways, which count as
 * guessed. First, that call may go elsewhere, as the called code may jump on:
 * then no word between SP and FP may look like a return address, in whatever
 * memory. Second, with @mem->may_search, ustack_step_search(). Third, the word at the SP of an exact frame, if it follows a call
 * that does not go elsewhere, or if the caller then has a record of its own.
 *
 * Context: NMI-safe.
 * Return: USTACK_OK; COMPLETE; NO_ROW if nothing fits; STACK_FAULT.
 */
USTACK_CORE enum ustack_reason
ustack_step_blind(const struct ustack_arch *arch, struct ustack_state *s,
		  struct ustack_mem *mem);

/*
 * Parts of ustack_step_blind(), in its order; after NO_ROW the next one is tried.
 * ustack_step_search() is between the last two.
 */
USTACK_CORE enum ustack_reason
ustack_step_by_code(const struct ustack_arch *arch, struct ustack_state *s,
		    struct ustack_mem *mem);
USTACK_CORE enum ustack_reason
ustack_step_by_record(const struct ustack_arch *arch, struct ustack_state *s,
		      struct ustack_mem *mem);
USTACK_CORE enum ustack_reason
ustack_step_top(const struct ustack_arch *arch, struct ustack_state *s,
		struct ustack_mem *mem);

/**
 * ustack_step_search() - step from code that the process has made to what may be its caller
 * @arch: architecture of the process; only AMD64 has this step
 * @s: the frame; becomes the caller's on success, else unchanged
 * @mem: access to the process; @mem->guessed counts the step
 *
 * Just-in-time compilers make code that has no rows. Most of it runs in one frame
 * right below code of a file. Its return address is the first word above SP that
 * follows a call in code of a file, if no left-over word is below it. A word counts
 * only if the walk gets from there to the end of the stack, or to the next frame of
 * such code. The walk goes on from the word at once. If it fails,
 * ustack_step_back() leads back to this frame, and the next call takes the next
 * word.
 *
 * The search gives up at a word that may be the return address of a call of this
 * code in code nearby, and there is none if FP may point to a chain of frame records
 * that leads to code nearby: then the caller is such code, too, and a search would
 * leave it out.
 *
 * Context: NMI-safe: at most USTACK_MAX_FP_FRAME / 8 words, which count as words of
 * USTACK_MAX_SCAN.
 * Return: USTACK_OK; NO_ROW if there is no (other) word.
 */
USTACK_CORE enum ustack_reason
ustack_step_search(const struct ustack_arch *arch, struct ustack_state *s,
		   struct ustack_mem *mem);

/**
 * ustack_step_back() - go back after a failure to the frame where a search began
 * @s: the frame that no step leads on from; becomes the frame with the search
 * @mem: access to the process
 *
 * The frames that the walk drops count as words of USTACK_MAX_SCAN, and so does the
 * way back, so that a process cannot make a walk many times as long.
 *
 * Context: NMI-safe.
 * Return: false if no search is on: the walk ends. Else the walk drops its frames
 * but for the first @mem->search.frames and steps again from @s.
 */
USTACK_CORE bool ustack_step_back(struct ustack_state *s, struct ustack_mem *mem);

/**
 * ustack_step_follow() - step from a frame by the record that FP points to, unproven
 * @arch: architecture of the process
 * @s: the frame; becomes the caller's on success, else unchanged
 * @mem: access to the process; @mem->guessed counts the step
 *
 * Like the kernel's own walk: nothing proves that the record is this frame's.
 * For code without a row, where everything else has failed, so that no stack of
 * it is shorter than the kernel's. Refuses records that are hardly right: FP
 * below SP; a return address that does not follow a call, unless it and the
 * frame's pc are in code of no file.
 *
 * Context: NMI-safe: at most ten reads.
 * Return: USTACK_OK; COMPLETE at a record of two zeros; NO_ROW; STACK_FAULT.
 */
USTACK_CORE enum ustack_reason
ustack_step_follow(const struct ustack_arch *arch, struct ustack_state *s,
		   struct ustack_mem *mem);

/* The first page is never code. */
#define USTACK_MIN_CODE 4096u

/**
 * ustack_check_ra() - strip and check a return address
 * @mem: access to the process
 * @ra: in: the word as read; out: the address
 *
 * Context: NMI-safe.
 * Return: USTACK_OK; COMPLETE for 0, which ends stacks by convention, see
 * ustack_step_end(); BAD_RA for a word that cannot be a user code address.
 */
static __always_inline enum ustack_reason
ustack_check_ra(const struct ustack_mem *mem, u64 *ra)
{
	u64 v = *ra & mem->ra_mask;

	*ra = v;
	/* One comparison for the usual case. */
	if (likely(v - USTACK_MIN_CODE < mem->user_end - USTACK_MIN_CODE))
		return USTACK_OK;
	return v ? USTACK_BAD_RA : USTACK_COMPLETE;
}

/**
 * ustack_step_end() - whether a return address of 0 is the end of the stack
 * @s: the frame
 * @fp_at: address at which it has saved its caller's FP; 0 if it has not
 * @mem: access to the process
 *
 * The ABIs give the outermost frame an FP of 0, too. If a rule is wrong, a word
 * of data is taken for the return address; it is often 0, but seldom together
 * with FP.
 *
 * Context: NMI-safe.
 * Return: USTACK_COMPLETE; BAD_RA; STACK_FAULT.
 */
USTACK_CORE enum ustack_reason
ustack_step_end(const struct ustack_state *s, u64 fp_at, struct ustack_mem *mem);

/**
 * ustack_step_with() - step to the caller by a rule, with a known reader
 * @arch: architecture of the process
 * @rule: rule of the row, not a USTACK_RULE_MASK one
 * @s: the frame; becomes the caller's on success, else unchanged
 * @mem: access to the process
 * @read: @mem->read_u64; if it is a constant, the call is direct
 *
 * The CFA must be 8-aligned and lie above SP; it may equal SP only in an exact
 * frame whose return address is still in the link register. After a signal
 * frame SP may move anywhere (alternate stacks), so a loop must bound the
 * number of frames.
 *
 * Context: NMI-safe.
 * Return: USTACK_OK; COMPLETE when there is no caller; BAD_CFA, STACK_FAULT,
 * NO_REGISTER, BAD_RA.
 */
static __always_inline enum ustack_reason
ustack_step_with(const struct ustack_arch *arch, const struct ustack_rule *rule,
		 struct ustack_state *s, struct ustack_mem *mem,
		 ustack_read_u64 *read)
{
	u32 ops = ustack_rule_ops(rule);
	u64 cfa = s->sp, ra;
	enum ustack_reason reason;

	if (unlikely(!ustack_ops_are_plain(ops)))
		return ustack_step_slow(arch, rule, s, mem);

	if (!(ops & USTACK_OPS_SP)) {
		if (unlikely(!ustack_state_fp(s, mem, read, &cfa)))
			return USTACK_STACK_FAULT;
	} else if (unlikely(s->sp_bound)) {
		return USTACK_NO_REGISTER;
	}
	cfa += (s64)rule->cfa_off;
	if (unlikely(cfa <= s->sp || cfa & 7))
		return USTACK_BAD_CFA;
	if (unlikely(!read(mem, cfa + (s64)rule->ra_off, &ra)))
		return USTACK_STACK_FAULT;
	reason = ustack_check_ra(mem, &ra);
	if (unlikely(reason)) {
		if (reason != USTACK_COMPLETE)
			return reason;
		return ustack_step_end(s, ops & USTACK_OPS_FP_SAVED ?
					  cfa + (s64)rule->fp_off : 0, mem);
	}
	if (ops & USTACK_OPS_FP_SAVED)
		s->fp_at = cfa + (s64)rule->fp_off;
	s->pc = ra;
	s->sp = cfa;
	s->sp_bound = false;
	s->exact = false;
	s->regs_in = USTACK_REGS_UNKNOWN;
	return USTACK_OK;
}

/* ustack_step_with() with the reader that @mem names. */
static __always_inline enum ustack_reason
ustack_step(const struct ustack_arch *arch, const struct ustack_rule *rule,
	    struct ustack_state *s, struct ustack_mem *mem)
{
	return ustack_step_with(arch, rule, s, mem, ustack_mem_read);
}

#endif /* USTACK_CORE_STEP_H */
