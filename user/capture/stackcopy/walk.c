// SPDX-License-Identifier: GPL-2.0-only
/*
 * Unwinds one copied stack: finds the mapping of each address and its rule,
 * steps by kmod/core, and goes on without a rule where that can be justified.
 * See walk.h; the same decisions are in kmod/callchain.c for the module.
 */
#include "capture/stackcopy/walk.h"

#include <stddef.h>

#include "core.h"
#include "util/native.h"

/*
 * Limit for the entry code of a program, up to its call: it has 40 bytes in
 * glibc, 72 in Free Pascal. The next call after it, in glibc's
 * __do_global_dtors_aux, is 176 bytes from the entry.
 */
#define ENTRY_BYTES 96u

/* The kind of executable mapping at an address. */
enum at {
	AT_NOTHING,
	AT_IMAGE,	/* code of a file */
	AT_MADE,	/* code that the process or the kernel made */
};

/**
 * struct walk - the walk of one sample
 * @mem: how the core reads memory and registers
 * @state: registers of the current frame
 * @walker: common to all walks
 * @sample: the sample
 * @at: kind of [@place.start, @place.end)
 * @place: mapping that was looked up last; its offset is the file offset of
 *	address 0
 * @image: the file, for AT_IMAGE
 * @stack_end: a read went beyond the copied part of the stack
 */
struct walk {
	struct ustack_mem mem;
	struct ustack_state state;
	const struct walker *walker;
	const struct sample *sample;
	enum at at;
	struct process_place place;
	struct image *image;
	bool stack_end;
};

static struct walk *walk_of(struct ustack_mem *mem)
{
	return (struct walk *)((char *)mem - offsetof(struct walk, mem));
}

static enum at look_up(struct walk *w, u64 addr)
{
	const struct sample *s = w->sample;

	if (w->at != AT_NOTHING && addr >= w->place.start && addr < w->place.end)
		return w->at;
	w->at = AT_NOTHING;
	w->image = NULL;
	if (processes_find(w->walker->processes, s->tgid, s->time, addr, &w->place) != 1)
		return AT_NOTHING;
	if (w->place.file->kind == PROCESS_VDSO || w->place.file->kind == PROCESS_FILE)
		w->image = images_get(w->walker->images, s->tgid, &w->place);
	w->place.offset -= addr;
	return w->at = w->image ? AT_IMAGE : AT_MADE;
}

static u64 offset_of(const struct walk *w, u64 addr)
{
	return w->place.offset + addr;
}

static bool read_made(const struct walk *w, u64 addr, u64 *ret)
{
	if (!w->walker->jit_memory ||
	    (w->place.file->kind != PROCESS_ANON && w->place.file->kind != PROCESS_GENERATED))
		return false;
	return jit_memory_read(w->walker->jit_memory, w->sample->tgid, addr, ret);
}

/*
 * Executable mappings are read as code; everything else is the stack and read
 * from the copy.
 */
static bool read_u64(struct ustack_mem *mem, u64 addr, u64 *ret)
{
	struct walk *w = walk_of(mem);
	const struct sample *s = w->sample;
	u64 off = addr - s->regs[NATIVE_PERF_SP];

	if (off < s->stack_len && s->stack_len - off >= sizeof(*ret)) {
		*ret = ustack_le64(s->stack + off);
		return true;
	}
	switch (look_up(w, addr)) {
	case AT_IMAGE:
		return image_read(w->image, offset_of(w, addr), ret);
	case AT_MADE:
		return read_made(w, addr, ret);
	case AT_NOTHING:
		break;
	}
	/*
	 * a copy shorter than asked for means that the rest of the stack was
	 * not readable
	 */
	w->stack_end |= off >= s->asked || s->stack_len == s->asked;
	return false;
}

/* @reg: DWARF number of the register. */
static bool read_reg(struct ustack_mem *mem, unsigned int reg, u64 *ret)
{
	unsigned int at = native_perf_reg(reg);

	if (at >= NATIVE_PERF_REGS)
		return false;
	*ret = walk_of(mem)->sample->regs[at];
	return true;
}

static bool is_code(struct ustack_mem *mem, u64 addr)
{
	struct walk *w = walk_of(mem);
	enum at at = look_up(w, addr);

	return at == AT_IMAGE || (at == AT_MADE && !mem->files_only);
}

static void begin(struct walk *w)
{
	const u64 *regs = w->sample->regs;

	w->mem = (struct ustack_mem){
		.read_u64 = read_u64, .read_reg = read_reg, .is_code = is_code,
		.ra_mask = NATIVE_RA_MASK, .user_end = NATIVE_USER_END,
		.may_follow = !w->walker->no_guess,
	};
	w->state = (struct ustack_state){
		.pc = regs[NATIVE_PERF_PC],
		.sp = regs[NATIVE_PERF_SP],
		.fp = regs[NATIVE_PERF_FP],
		.lr = NATIVE_PERF_LR(regs),
		.regs_in = USTACK_REGS_SAMPLE,
		.scratch_in = USTACK_REGS_SAMPLE,
		.exact = true,
	};
}

static const struct ustack_rule *find_rule(struct walk *w, enum ustack_reason *why)
{
	u64 key = ustack_state_key(&w->state), addr;
	const struct ustack_rule *rule;
	const struct code *c;

	*why = USTACK_NO_IMAGE;
	if (look_up(w, key) != AT_IMAGE)
		return NULL;
	c = image_code(w->image);
	*why = USTACK_NO_TABLE;
	if (!c)
		return NULL;
	*why = USTACK_NO_ROW;
	if (!code_address(c, offset_of(w, key), &addr))
		return NULL;
	rule = ustack_lookup(&c->table, addr - c->table.base);
	if (rule)
		*why = USTACK_OK;
	return rule;
}

/*
 * In most binaries a program's entry code has no row, and it has no caller: by
 * the ABI it has cleared the frame pointer.
 */
static bool is_entry(struct walk *w)
{
	u64 key = ustack_state_key(&w->state), addr, fp;
	const struct code *c;

	if (w->state.exact || look_up(w, key) != AT_IMAGE ||
	    !ustack_state_fp(&w->state, &w->mem, read_u64, &fp) || fp ||
	    look_up(w, key) != AT_IMAGE)
		return false;
	c = image_code(w->image);
	return c && c->entry && code_address(c, offset_of(w, key), &addr) &&
	       addr - c->entry < ENTRY_BYTES;
}

static const struct ustack_arch *arch(void)
{
	return supply_native_arch();
}

static enum ustack_reason step_blind(struct walk *w, enum ustack_reason why)
{
	enum ustack_reason reason;

	w->mem.may_guess = !w->walker->no_guess &&
			   (why == USTACK_NO_ROW || why == USTACK_NO_IMAGE);
	w->mem.may_search = look_up(w, ustack_state_key(&w->state)) == AT_MADE;
	reason = ustack_step_blind(arch(), &w->state, &w->mem);
	return reason && reason != USTACK_COMPLETE ? why : reason;
}

/*
 * Where no rule proves the step: follows frame pointers, as the kernel would.
 * Stops at a frame record that was not copied, because it cannot be read.
 */
static enum ustack_reason follow(struct walk *w, enum ustack_reason why)
{
	enum ustack_reason reason = ustack_step_follow(arch(), &w->state, &w->mem);

	return reason && reason != USTACK_COMPLETE ? why : reason;
}

static enum ustack_reason step(struct walk *w)
{
	enum ustack_reason why;
	const struct ustack_rule *rule = find_rule(w, &why);

	w->stack_end = false;
	if (rule)
		why = ustack_step(arch(), rule, &w->state, &w->mem);
	if (!rule || (why == USTACK_NO_REGISTER && w->state.sp_bound))
		why = is_entry(w) ? USTACK_COMPLETE : step_blind(w, why);
	if (!why || why == USTACK_COMPLETE)
		return why;
	if (is_entry(w))
		return USTACK_COMPLETE;
	return rule ? why : follow(w, why);
}

/*
 * Return: whether the return address points to no code, or, in code that the
 * process made, follows no call. Then the step before went wrong.
 */
static bool is_garbage(struct walk *w)
{
	u64 key = ustack_state_key(&w->state), bytes;

	if (w->state.exact || w->state.pc == w->mem.followed ||
	    !processes_known(w->walker->processes, w->sample->tgid))
		return false;
	switch (look_up(w, key)) {
	case AT_IMAGE:
		return false;
	case AT_MADE:
		return read_u64(&w->mem, w->state.pc - sizeof(bytes), &bytes) &&
		       !arch()->call_target(&w->mem, w->state.pc, &bytes);
	case AT_NOTHING:
		break;
	}
	return true;
}

/* Return: whether the walk goes on, after it has failed, where a search of the stack began. */
static bool go_back(struct walk *w, struct walked *ret)
{
	w->mem.frames = ret->nr;
	if (!ustack_step_back(&w->state, &w->mem))
		return false;
	ret->nr = w->mem.search.frames;
	return true;
}

static u8 walk_frames(struct walk *w, struct walked *ret)
{
	enum ustack_reason reason;

	for (;;) {
		if (ret->nr > 1 && is_garbage(w)) {
			ret->nr--;
			if (go_back(w, ret))
				continue;
			return USTACK_BAD_RA;
		}
		w->mem.frames = ret->nr;
		reason = step(w);
		if (reason && reason != USTACK_COMPLETE && go_back(w, ret))
			continue;
		if (reason == USTACK_STACK_FAULT && w->stack_end)
			return SAMPLER_WHY_COPY_END;
		if (reason)
			return (u8)reason;
		if (ret->nr == w->walker->max_frames) {
			ret->cut = true;
			return USTACK_DEPTH;
		}
		ret->pcs[ret->nr++] = w->state.pc;
	}
}

/*
 * A thread that is in the kernel came from code. If there is none at its
 * address, the program is gone: within execve(2) the registers are still those
 * of the old program.
 */
static bool is_execve(const struct walk *w, const struct walked *ret)
{
	return ret->why == USTACK_NO_IMAGE && ret->nr == 1 && w->sample->nr_kernel &&
	       processes_known(w->walker->processes, w->sample->tgid);
}

/*
 * A process that exits may still have registers (6.1) but has no memory, so no
 * byte is asked for. Within execve(2) bytes are asked for, at the address of
 * the old program's stack.
 */
static bool has_ended(const struct sample *s)
{
	return s->nr_kernel && !s->asked;
}

void walk_sample(const struct walker *walker, const struct sample *s, struct walked *ret)
{
	struct walk w = { .walker = walker, .sample = s };

	ret->nr = 0;
	ret->cut = false;
	ret->why = SAMPLER_WHY_NO_USER;
	if (s->abi == PERF_SAMPLE_REGS_ABI_NONE || has_ended(s))
		return;
	begin(&w);
	ret->pcs[ret->nr++] = w.state.pc;
	ret->why = s->abi == PERF_SAMPLE_REGS_ABI_64 ? walk_frames(&w, ret) :
						       SAMPLER_WHY_FOREIGN;
	if (is_execve(&w, ret))
		ret->why = USTACK_EXECVE;
	if (ret->why == USTACK_COMPLETE && w.mem.guessed)
		ret->why = SAMPLER_WHY_GUESSED;
}
