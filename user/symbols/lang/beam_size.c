// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves how large a frame of the BEAM is at a code address. A function makes room for its
 * variables when it begins and takes it back before it returns; between these a word of the
 * frame may be an old return address. So the code is followed from the address on, on all ways,
 * up to where it returns or jumps to another function: what it takes off the stack until then
 * is the frame. The ways must agree.
 *
 * If no way returns, because the function always raises an exception, it is followed from its
 * beginning, where the frame is empty, to the address. Handlers of exceptions and the targets of
 * jumps by a table are entered from nowhere; they have the frame that there is where the handler
 * is set, or the jump.
 *
 * C functions run on the thread's own stack: a way is then "away", until an instruction takes
 * the process's stack back. A way does not count if it ends without a return: exceptions, and
 * the scheduler, which goes on with another process.
 */
#include "symbols/lang/beam_size.h"

#include <stdlib.h>
#include <string.h>

#include "sframe/x86_stack.h"
#include "util/cleanup.h"

/*
 * Limits. A function of 100 KB has 20,000 instructions; when enough ways agree the rest is not
 * followed.
 */
#define MAX_STEPS 20000u
#define MAX_STATES 8192u	/* a power of two */
#define MAX_WAYS 1024u
#define ENOUGH 8u
#define MAX_FRAGMENT_STEPS 2000u
#define MAX_FRAGMENTS 32u
#define PIECE 4096u
/* Bytes at the beginning of a function that its code jumps over: a call for breakpoints. */
#define PROLOGUE 8u

/**
 * struct way - a place on a way, and what was done so far
 * @pc: the next instruction
 * @off: bytes that were taken off the stack; negative: put on it
 * @away: on the thread's own stack
 * @first: no instruction has taken the process's stack back yet
 */
struct way {
	u64 pc;
	s32 off;
	bool away;
	bool first;
};

/**
 * struct walk - on all ways from a place
 * @p: the place
 * @seen: states that were visited, hashed by address; an address of 0 is free
 * @nr_seen: number of @seen
 * @todo: ways that are not followed yet
 * @nr_todo: number of @todo
 * @steps: instructions that may still be followed
 * @size: bytes of the frame, once a way has ended
 * @agree: number of ways that ended
 * @whole: follow all ways, also if enough of them agree
 * @entered: places from which code is entered that no way leads to
 * @entered_off: @off there
 * @failed: the ways do not agree, or are not understood
 * @fragment: fragments that were called, and whether they return
 * @nr_fragments: number of @fragment
 * @piece_at: address of @piece; 1: there is none
 * @piece: code
 */
struct walk {
	const struct beam_place *p;
	struct way seen[MAX_STATES];
	u32 nr_seen;
	struct way todo[MAX_WAYS];
	u32 nr_todo;
	u32 steps;
	s32 size;
	u32 agree;
	bool whole;
	bool entered;
	s32 entered_off;
	bool failed;
	struct {
		u64 pc;
		bool returns;
	} fragment[MAX_FRAGMENTS];
	u32 nr_fragments;
	u64 piece_at;
	u8 piece[PIECE + X86_INSN_MAX];
};

static bool is_fragment_of(const struct beam_place *p, u64 pc)
{
	const struct beam_module *mod = p->module;

	return pc - p->d->normal_exit + BEAM_FRAGMENTS < 2 * BEAM_FRAGMENTS &&
	       !(mod && pc - mod->start < mod->end - mod->start);
}

static bool is_fragment(const struct walk *w, u64 pc)
{
	return is_fragment_of(w->p, pc);
}

/*
 * Whether @pc is code of the module's functions. A function's head is called if no clause of the
 * function fits, and does not return.
 */
static bool is_in_module(const struct walk *w, u64 pc)
{
	const struct beam_module *mod = w->p->module;
	u32 n = mod ? beam_module_function(mod, pc) : 0;

	return mod && n != mod->nr && pc - mod->function[n] >= BEAM_FUNCTION_HEAD;
}

/*
 * Whether a function of the module begins at @pc. It may be the same one: a loop calls itself last,
 * and perhaps never returns.
 */
static bool is_function(const struct walk *w, u64 pc)
{
	const struct beam_module *mod = w->p->module;
	u32 n = mod ? beam_module_function(mod, pc) : 0;

	return mod && n != mod->nr && mod->function[n] + BEAM_FUNCTION_HEAD == pc;
}

/* Copies code. Return: number of bytes at @ret; at least one if the memory is there. */
static u32 code_at(struct walk *w, u64 pc, const u8 **ret)
{
	u64 off = pc - w->piece_at;

	if (off >= PIECE) {
		w->piece_at = pc & ~(u64)(PIECE - 1);
		off = pc - w->piece_at;
		if (!lang_memory_read(w->p->m, w->piece_at, w->piece, PIECE)) {
			w->piece_at = 1;
			return 0;
		}
		/* an instruction may cross the end of the piece */
		memset(w->piece + PIECE, 0, X86_INSN_MAX);
		if (!lang_memory_read(w->p->m, w->piece_at + PIECE, w->piece + PIECE, X86_INSN_MAX))
			memset(w->piece + PIECE, 0, X86_INSN_MAX);
	}
	*ret = w->piece + off;
	return (u32)(PIECE + X86_INSN_MAX - off);
}

/* A way has ended with the return address on top of the stack. */
static void end_way(struct walk *w, const struct way *at)
{
	if (at->away || at->off < 0 || at->off % 8 || (w->agree && at->off != w->size))
		w->failed = true;
	w->size = at->off;
	w->agree++;
}

static void add_way(struct walk *w, const struct way *at, u64 pc)
{
	if (w->nr_todo == MAX_WAYS) {
		w->failed = true;
		return;
	}
	w->todo[w->nr_todo] = *at;
	w->todo[w->nr_todo++].pc = pc;
}

/* Goes on at @to, which the way jumps or branches to. */
static void jump(struct walk *w, const struct way *at, u64 to)
{
	if (is_function(w, to))
		end_way(w, at);
	else if (is_in_module(w, to) || is_fragment(w, to))
		add_way(w, at, to);
	/* else: the module's way to the scheduler, or C code, from which nothing returns */
}

/* The address that "call/jmp *x(%rip)" reads, which is a constant of the module; 0: another one. */
static u64 pointed(const struct walk *w, const u8 *code, const struct x86_insn *insn, u64 pc)
{
	u32 prefix = (code[0] & 0xf0) == 0x40;
	u64 to;

	if (insn->len != 6 + prefix || code[prefix] != 0xff || (code[prefix + 1] & 0xef) != 0x25)
		if (insn->len != 6 + prefix || code[prefix] != 0xff || code[prefix + 1] != 0x15)
			return 0;
	if (!lang_memory_read(w->p->m, pc + insn->len + (u64)(s64)(s32)ustack_le32(code + prefix + 2),
			      &to, sizeof(to)))
		return 0;
	return to;
}

/* From here code is entered that no way leads to: all such places must have the same frame. */
static void enter_elsewhere(struct walk *w, const struct way *at)
{
	if (!is_in_module(w, at->pc))
		return;
	if (at->away || (w->entered && w->entered_off != at->off))
		w->failed |= w->whole;
	w->entered = true;
	w->entered_off = at->off;
}

/*
 * A jump to an address that is not a constant: "jmp *x(%rax,%r12,8)" calls a function of another
 * module last, "jmp *%reg" a fun, but in a fragment the handler of an exception. Others are a
 * choice among places of the same function: their ways are left out.
 */
static void jump_anywhere(struct walk *w, const struct way *at, const u8 *code)
{
	bool is_exported = code[0] == 0x42 && code[1] == 0xff && (code[2] & 0x3f) == 0x24 &&
			   code[3] == 0xe0;
	u32 prefix = (code[0] & 0xf0) == 0x40;
	bool is_fun = code[prefix] == 0xff && (code[prefix + 1] & 0xf8) == 0xe0;

	if (is_exported || (is_fun && is_in_module(w, at->pc)))
		end_way(w, at);
	else
		enter_elsewhere(w, at);
}

static bool is_code(const u8 *code, const struct x86_insn *insn, const u8 *is, u32 len)
{
	return insn->len == len && !memcmp(code, is, len);
}

/* An instruction takes the process's stack back from @from. */
static void come_back(struct walk *w, struct way *at, enum lang_beam_stack from)
{
	if (!at->away || (at->first && w->p->stack != BEAM_STACK_IN_SP && w->p->stack != from))
		w->failed = true;
	at->away = false;
	at->first = false;
}

/* SP is written in a way that is not arithmetic. */
static void change_stack(struct walk *w, struct way *at, const u8 *code, const struct x86_insn *insn)
{
	static const u8 leave[] = { 0x48, 0x8d, 0x63, (u8)-BEAM_REGISTERS };
	const u8 saved[] = { 0x49, 0x8b, 0x65, (u8)w->p->d->process_stop };

	if (is_code(code, insn, leave, sizeof(leave)) && !at->away)
		at->away = true;
	else if (is_code(code, insn, saved, sizeof(saved)))
		come_back(w, at, BEAM_STACK_SAVED);
	else
		w->failed = true;
}

/* Whether the instruction is "inc x(%r13)", which counts the handlers that are set. */
static bool sets_handler(const u8 *code, const struct x86_insn *insn)
{
	return insn->len >= 4 && code[0] == 0x49 && code[1] == 0xff &&
	       (code[2] == 0x45 || code[2] == 0x85);
}

/* Applies what an instruction does to the stack. Return: whether the way goes on. */
static bool take_effect(struct walk *w, struct way *at, const u8 *code, const struct x86_insn *insn)
{
	static const u8 other_process[] = { 0x49, 0x89, 0xc5 };	/* mov %rax, %r13 */
	struct x86_stack x;
	s64 pushed = 0;

	if (sets_handler(code, insn))
		enter_elsewhere(w, at);
	x86_stack_read(code, insn, &x);
	if (x.effect == X86_RET) {
		end_way(w, at);
		return false;
	}
	if (is_code(code, insn, other_process, sizeof(other_process)))
		return false;
	if (x.effect == X86_SP_BY_FP) {
		if (x.off)
			w->failed = true;
		come_back(w, at, BEAM_STACK_IN_FP);
	} else if (x.effect == X86_LOSE_SP) {
		change_stack(w, at, code, insn);
	} else if (x.effect == X86_LEAVE || x.effect == X86_LOSE_BOTH || x.effect == X86_SYSCALL) {
		w->failed = true;
	} else if (x86_stack_pushed(&x, &pushed)) {
		if (at->away && pushed)
			w->failed = true;
		at->off -= (s32)pushed;
	}
	if (at->off > (s32)(8 * BEAM_SIZE_MOST) || at->off < -(s32)(8 * BEAM_SIZE_MOST))
		w->failed = true;
	return !w->failed;
}

/* Notes a state. Return: whether it is new; another one at the same address is an error. */
static bool is_new(struct walk *w, const struct way *at)
{
	u32 i = (u32)(at->pc * 0x9e3779b97f4a7c15ull >> 32) & (MAX_STATES - 1);

	while (w->seen[i].pc && w->seen[i].pc != at->pc)
		i = (i + 1) & (MAX_STATES - 1);
	if (w->seen[i].pc) {
		/* fragments are entered with any stack */
		if (!is_fragment(w, at->pc) && (w->seen[i].off != at->off || w->seen[i].away != at->away))
			w->failed = true;
		if (w->seen[i].off == at->off && w->seen[i].away == at->away)
			return false;
		return !w->failed;
	}
	if (w->nr_seen == MAX_STATES / 2) {
		w->failed = true;
		return false;
	}
	w->seen[i] = *at;
	w->nr_seen++;
	return true;
}

static bool fragment_returns(struct walk *w, u64 pc);

/* Whether the code after a call runs: it does not after a fragment that raises an exception. */
static bool call_returns(struct walk *w, const struct way *at, u64 to)
{
	return at->away || !to || !is_fragment(w, to) || fragment_returns(w, to);
}

/* Follows one instruction. Return: whether the way goes on after it. */
static bool step(struct walk *w, struct way *at)
{
	struct x86_insn insn;
	const u8 *code;
	u32 len = code_at(w, at->pc, &code);
	u64 to;

	if (!len || !x86_insn_read(code, len, at->pc, &insn)) {
		w->failed = true;
		return false;
	}
	if (!take_effect(w, at, code, &insn))
		return false;
	to = insn.to;
	if (!to && (insn.kind == X86_JUMP || insn.kind == X86_CALL))
		to = pointed(w, code, &insn, at->pc);
	if (insn.kind == X86_BRANCH || (insn.kind == X86_JUMP && to))
		jump(w, at, to);
	else if (insn.kind == X86_JUMP)
		jump_anywhere(w, at, code);
	if (insn.kind == X86_JUMP || insn.kind == X86_END ||
	    (insn.kind == X86_CALL && !call_returns(w, at, to)))
		return false;
	at->pc += insn.len;
	return true;
}

static void follow(struct walk *w, struct way at)
{
	while (!w->failed && (w->whole || w->agree < ENOUGH) && is_new(w, &at)) {
		if (!w->steps--) {
			w->failed = true;
			return;
		}
		if (!step(w, &at))
			return;
		if (!is_in_module(w, at.pc) && !is_fragment(w, at.pc))
			return;
	}
}

static void follow_all(struct walk *w)
{
	while (w->nr_todo && !w->failed && (w->whole || w->agree < ENOUGH))
		follow(w, w->todo[--w->nr_todo]);
}

static struct walk *walk_new(const struct beam_place *p)
{
	struct walk *w = calloc(1, sizeof(*w));

	if (w) {
		w->p = p;
		w->piece_at = 1;
		w->steps = MAX_STEPS;
	}
	return w;
}

static bool returns_by_code(const struct walk *w, u64 pc)
{
	struct beam_place p = { .m = w->p->m, .d = w->p->d, .pc = pc };
	_cleanup_(cleanup_free) struct walk *inner = walk_new(&p);

	if (!inner)
		return true;
	inner->steps = MAX_FRAGMENT_STEPS;
	follow(inner, (struct way){ .pc = pc });
	follow_all(inner);
	return inner->agree;
}

/*
 * Return: whether a fragment, called at @pc, comes back to its caller. The code of a module calls
 * few of them; fragments that fragments call are taken to return.
 */
static bool fragment_returns(struct walk *w, u64 pc)
{
	u32 i;

	if (!w->p->module)
		return true;
	for (i = 0; i < w->nr_fragments; i++)
		if (w->fragment[i].pc == pc)
			return w->fragment[i].returns;
	if (i == MAX_FRAGMENTS) {
		w->failed = true;
		return true;
	}
	w->fragment[i].pc = pc;
	w->fragment[i].returns = returns_by_code(w, pc);
	w->nr_fragments++;
	return w->fragment[i].returns;
}

static const struct way *find(const struct walk *w, u64 pc)
{
	u32 i = (u32)(pc * 0x9e3779b97f4a7c15ull >> 32) & (MAX_STATES - 1);

	while (w->seen[i].pc && w->seen[i].pc != pc)
		i = (i + 1) & (MAX_STATES - 1);
	return w->seen[i].pc ? &w->seen[i] : NULL;
}

/* Follows the code that is entered from nowhere: what no way has led to, piece by piece. */
static void follow_rest(struct walk *w, u64 from, u64 end)
{
	struct way at = { .off = w->entered_off };
	struct x86_insn insn;
	const u8 *code;
	u64 pc;

	for (pc = from; pc < end && w->entered && !w->failed; pc += insn.len) {
		u32 len = code_at(w, pc, &code);

		if (!len || !x86_insn_read(code, len, pc, &insn)) {
			w->failed = true;
			return;
		}
		if (find(w, pc))
			continue;
		at.pc = pc;
		follow(w, at);
		follow_all(w);
		/* it may have been read into the piece of other code */
		len = code_at(w, pc, &code);
		if (!len || !x86_insn_read(code, len, pc, &insn))
			w->failed = true;
	}
}

/* The same as beam_size(), by the ways from the function's beginning. */
static u32 size_from_start(const struct beam_place *p)
{
	_cleanup_(cleanup_free) struct walk *w = NULL;
	const struct way *at;
	u64 start;

	if (!p->module || p->function == p->module->nr)
		return 0;
	w = walk_new(p);
	if (!w)
		return 0;
	start = p->module->function[p->function] + BEAM_FUNCTION_HEAD;
	w->whole = true;
	follow(w, (struct way){ .pc = start });
	follow_all(w);
	if (!w->failed && !find(w, p->pc))
		follow_rest(w, start + PROLOGUE, p->module->function[p->function + 1]);
	at = find(w, p->pc);
	if (w->failed || !at || at->off > 0 || at->off % 8 || at->away != (p->stack != BEAM_STACK_IN_SP) ||
	    (w->agree && w->size))
		return 0;
	return (u32)-at->off / 8 + 1;
}

u32 beam_size(const struct beam_place *p)
{
	_cleanup_(cleanup_free) struct walk *w = walk_new(p);

	if (!w)
		return 0;
	follow(w, (struct way){ .pc = p->pc, .away = p->stack != BEAM_STACK_IN_SP, .first = true });
	follow_all(w);
	if (w->failed)
		return 0;
	return w->agree ? (u32)w->size / 8 + 1 : size_from_start(p);
}

bool beam_calls_fragment(const struct beam_place *p)
{
	u8 code[5];

	return lang_memory_read(p->m, p->pc - sizeof(code), code, sizeof(code)) && code[0] == 0xe8 &&
	       is_fragment_of(p, p->pc + (u64)(s64)(s32)ustack_le32(code + 1));
}
