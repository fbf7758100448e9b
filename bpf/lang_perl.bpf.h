/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads the chain of frames of Perl's interpreter, for the thread that runs this.
 *
 *	thread pointer -> pthread key -> interpreter -> stack of contexts -> context -> outer ...
 *	                                                      |
 *	                                                      v
 *	                                                previous stack -> ...
 *
 * Safety and bounds are as in lang_cpython.bpf.h: each turn of bpf_loop() stores one frame or
 * goes to another stack, and the indexes of contexts decrease.
 *
 * A frame consists of the function of its context, and the statement that the next inner
 * context has saved; for the innermost frame it is the running statement. Perl calls a sub
 * before the sub's first statement runs, and removes the context before it restores the
 * caller's statement. In between, the innermost function and the statement do not belong
 * together; user space sees that by the trees that they are in.
 *
 * Entries: C code that calls a sub (call_sv) gives it no operation to return to. For sort, code
 * in regular expressions and List::Util, perl makes a separate stack and calls the interpreter
 * once for each comparison or element. The frame LANG_PERL_CALL stands for such a call. It
 * follows the frames of that stack, which may have none.
 */
#ifndef USTACK_BPF_LANG_PERL_BPF_H
#define USTACK_BPF_LANG_PERL_BPF_H

#include "lang_walk.bpf.h"
#include "lang_wishes.bpf.h"

static __always_inline long lang_perl_stop(struct lang_walk *l, enum lang_fate fate)
{
	l->fate = fate;
	return 1;
}

static __always_inline bool lang_perl_u64(__u64 *ret, __u64 at)
{
	return !bpf_probe_read_user(ret, sizeof(*ret), (void *)at);
}

/* Reads the length, the first and the last bytes of the name at @at into @t, which is all zeros. */
static __always_inline bool lang_perl_name(struct lang_ends *t, __u64 at)
{
	__u64 word;

	if (!lang_perl_u64(&word, at))
		return false;
	t->len = word >> 32;
	return lang_ends_read(t, at + PERL_NAME_BYTES);
}

/*
 * Reads the head of the value at @at, and @bytes bytes of its body, from offset @from, into
 * @ret.
 */
static __always_inline bool lang_perl_body(struct lang_perl_print *p, __u64 at, __u64 from, void *ret,
					   __u32 bytes)
{
	return !bpf_probe_read_user(p->head, sizeof(p->head), (void *)at) &&
	       !bpf_probe_read_user(ret, bytes, (void *)(p->head[PERL_HEAD_BODY] + from));
}

/*
 * Reads the name of the package at @at. A package without a name counts as none. Code that a
 * stopped thread runs is not freed, so the package of the previous code need not be read again.
 */
static __always_inline bool lang_perl_package(struct lang_perl_print *p, __u64 at)
{
	__u64 name;

	if (at == p->package_at)
		return true;
	p->package_at = 0;
	__builtin_memset(&p->package_name, 0, sizeof(p->package_name));
	if (!at)
		return true;
	if (!lang_perl_body(p, at, PERL_PACKAGE_AT, p->package, sizeof(p->package)))
		return false;
	name = p->package[PERL_PACKAGE_NAME];
	if (lang_perl_type(p->head) != PERL_TYPE_HASH ||
	    !(lang_perl_flags(p->head) & PERL_HASH_EXTRA) || !name)
		return true;
	if (p->package[PERL_PACKAGE_NAMES] >> 32 && !lang_perl_u64(&name, name))
		return false;
	if (name && !lang_perl_name(&p->package_name, name))
		return false;
	p->package_at = at;
	return true;
}

/* Reads the names of the code in @p->code. */
static __always_inline bool lang_perl_names(struct lang_perl_print *p)
{
	__u32 flags = lang_perl_code_flags(p);
	__u64 at = p->code[PERL_CODE_NAME], package = p->code[PERL_CODE_PACKAGE], itself = 0;

	if (!at)
		return lang_perl_package(p, 0);
	if (!(flags & PERL_CODE_NAMED)) {
		if (!lang_perl_body(p, at, PERL_CODE_AT, p->glob, sizeof(p->glob)))
			return false;
		if ((lang_perl_flags(p->head) & PERL_GLOB_HAS) &&
		    !lang_perl_u64(&itself, p->head[PERL_HEAD_VALUE] + PERL_GLOB_ITSELF))
			return false;
		if (itself && itself != at &&
		    !lang_perl_body(p, itself, PERL_CODE_AT, p->glob, sizeof(p->glob)))
			return false;
		if (lang_perl_type(p->head) != PERL_TYPE_GLOB)
			return false;
		at = p->glob[PERL_GLOB_NAME];
		package = p->glob[PERL_GLOB_PACKAGE];
	}
	return lang_perl_name(&p->name, at) &&
	       lang_perl_package(p, flags & PERL_CODE_LEXICAL ? 0 : package);
}

/*
 * Fills @seen with the cookie and the flags of the code in @p->code. A separate function, which
 * the verifier checks once.
 */
__attribute__((__noinline__)) int lang_perl_code(struct lang_perl_print *p,
						 struct lang_perl_seen *seen)
{
	if (!p || !seen)
		return 0;
	__builtin_memset(&p->name, 0, sizeof(p->name));
	seen->flags = lang_perl_code_flags(p) & PERL_CODE_IN_C ? LANG_IN_C : 0;
	if (!lang_perl_names(p)) {
		seen->flags |= LANG_FAULTED_OBJECT;
		seen->cookie = 0;
		return 0;
	}
	seen->cookie = lang_perl_code_cookie(p);
	return 0;
}

/* Copies the length, the first and the last bytes of the file's name, which is in @p->path. */
static __always_inline void lang_perl_file(struct lang_perl_print *p, __u64 len)
{
	__u64 at = len - LANG_ENDS_BYTES;

	p->file.len = len;
	__builtin_memcpy(p->file.head, p->path, LANG_ENDS_BYTES);
	__builtin_memset(p->file.tail, 0, LANG_ENDS_BYTES);
	if (len <= LANG_ENDS_BYTES)
		return;
	asm volatile("%0 &= %1" : "+r"(at) : "i"(LANG_PERL_FILE - 1));
	if (at <= LANG_PERL_FILE - LANG_ENDS_BYTES)
		__builtin_memcpy(p->file.tail, p->path + at, LANG_ENDS_BYTES);
}

/*
 * Fills @seen with the line, the cookie and the flags of the statement at @at. A separate
 * function, which the verifier checks once.
 */
__attribute__((__noinline__)) int lang_perl_statement(struct lang_walk *l, const struct lang_perl *d,
						      struct lang_perl_seen *seen, __u64 at)
{
	struct lang_perl_print *p;
	long n;

	if (!l || !d || !seen)
		return 0;
	p = &l->perl;
	seen->flags = at == l->perl_compiling ? LANG_PERL_COMPILING : 0;
	seen->line = seen->cookie = 0;
	if (at & ~LANG_POINTER ||
	    bpf_probe_read_user(p->statement, 8 * PERL_STATEMENT_WORDS, (void *)at))
		goto faulted;
	seen->line = lang_perl_line(p);
	__builtin_memset(p->path, 0, LANG_ENDS_BYTES);
	n = bpf_probe_read_user_str(p->path, sizeof(p->path),
				    (void *)lang_perl_word(p, d->statement_file));
	if (n < 0)
		goto faulted;
	lang_perl_file(p, n ? n - 1 : 0);
	seen->cookie = lang_perl_place_cookie(p, d, seen->flags);
	return 0;
faulted:
	seen->flags |= LANG_FAULTED_OBJECT;
	return 0;
}

/*
 * Return: the entry of @all for an address. If this sample has filled it, its @at is that
 * address; else @at is 0, and the caller fills it.
 */
static __always_inline struct lang_perl_seen *lang_perl_seen(struct lang_perl_seen *all, __u64 at)
{
	__u64 i = at / 8 * 0x9e3779b97f4a7c15ull >> 60;
	struct lang_perl_seen *seen;

	asm volatile("%0 &= %1" : "+r"(i) : "i"(LANG_PERL_SEEN - 1));
	seen = &all[i];
	if (seen->at != at)
		seen->at = 0;
	return seen;
}

/* Stores the frame of a function: its pair, and the pair of the current place. */
static __always_inline void lang_perl_put(struct lang_walk *l, const struct lang_perl *d, __u32 flags,
					  __u64 pointer, __u32 cookie)
{
	struct lang_perl_seen *place = lang_perl_seen(l->perl_places, l->perl_statement);
	__u64 statement = l->perl_statement & LANG_POINTER;
	__u32 distance = lang_perl_distance(statement, l->perl_op);

	if (!place->at) {
		lang_perl_statement(l, d, place, l->perl_statement);
		place->at = l->perl_statement;
	}
	l->perl_last = l->nr;
	lang_put(l,
		 (__u64)LANG_PERL << LANG_KIND_SHIFT | (__u64)flags << LANG_FLAGS_SHIFT |
			 (pointer & LANG_POINTER),
		 (__u64)cookie << 32 | place->line);
	if (place->flags & LANG_PERL_COMPILING)
		distance = 0;
	flags = place->flags | (l->perl_innermost ? LANG_PERL_INNERMOST : 0);
	lang_put(l,
		 (__u64)LANG_PERL_PLACE << LANG_KIND_SHIFT | (__u64)flags << LANG_FLAGS_SHIFT | statement,
		 (__u64)place->cookie << 32 | distance);
}

/* Stores a call of the interpreter, for the frame stored last, or for no frame. */
static __always_inline void lang_perl_put_call(struct lang_walk *l)
{
	lang_put(l,
		 (__u64)LANG_PERL << LANG_KIND_SHIFT |
			 (__u64)(LANG_ENTRY | LANG_PERL_NO_SUB) << LANG_FLAGS_SHIFT,
		 (__u64)LANG_PERL_CALL << 32);
}

/* Return: whether C code has called the sub or eval of the context @l->frame. */
static __always_inline bool lang_perl_is_entry(struct lang_walk *l)
{
	__u32 type = l->perl_type;
	__u64 first;

	if (l->frame[PERL_CONTEXT_RETURN])
		return false;
	if (type != PERL_STACK_SORT && type != PERL_STACK_MULTICALL)
		return true;
	/* it is run by the call that the stack was made for */
	if (!l->perl_index)
		return false;
	/* the last call in that code has no operation to return to either */
	return (__s32)l->frame[PERL_CONTEXT_OUTER] > 0 ||
	       !lang_perl_u64(&first, l->perl_contexts + 8 * PERL_CONTEXT_SCOPE) ||
	       (__u32)first != (__u32)l->frame[PERL_CONTEXT_SCOPE];
}

static __always_inline void lang_perl_tell(struct lang_walk *l, __u64 at, __u32 cookie)
{
	const struct lang_perl_print *p = &l->perl;

	l->wish.word[2 + PERL_TOLD_PACKAGE] = p->code[PERL_CODE_PACKAGE];
	l->wish.word[2 + PERL_TOLD_ROOT] = p->code[PERL_CODE_ROOT];
	l->wish.word[2 + PERL_TOLD_NAME] = p->code[PERL_CODE_NAME];
	l->wish.word[2 + PERL_TOLD_FLAGS] = p->code[PERL_CODE_FLAGS];
	lang_function_tell(l, at, cookie);
}

/* Stores the frame of a sub or a format. Return: 1 to stop. */
static __always_inline long lang_perl_sub(struct lang_walk *l, const struct lang_perl *d)
{
	struct lang_perl_print *p = &l->perl;
	__u64 at = l->frame[PERL_CONTEXT_CODE];
	bool entry = lang_perl_is_entry(l);
	struct lang_perl_seen *seen = lang_perl_seen(l->perl_codes, at);

	/* the sub is being called, or returns; perl does not show it either */
	if (!at) {
		if (entry)
			lang_perl_put_call(l);
		return 0;
	}
	if (!seen->at) {
		if (at & ~LANG_POINTER ||
		    bpf_probe_read_user(p->head, sizeof(p->head), (void *)at))
			return lang_perl_stop(l, LANG_FAULTED);
		if (!lang_perl_is_code(p->head))
			return l->nr ? lang_perl_stop(l, LANG_TORN) : 0;
		if (bpf_probe_read_user(p->code, sizeof(p->code),
					(void *)(p->head[PERL_HEAD_BODY] + PERL_CODE_AT)))
			return lang_perl_stop(l, LANG_FAULTED);
		lang_perl_code(p, seen);
		seen->at = at;
		if (!(seen->flags & LANG_FAULTED_OBJECT) &&
		    lang_perl_code_flags(p) & (PERL_CODE_NAMELESS | PERL_CODE_CLOSURE))
			lang_perl_tell(l, at, seen->cookie);
	}
	lang_perl_put(l, d, seen->flags | (entry ? LANG_ENTRY : 0), at, seen->cookie);
	return 0;
}

/*
 * Stores the frame of an eval. If it is the eval of a block, and has no operation to return to,
 * the C code that called the next inner sub also called the eval: so the entry moves from that
 * sub to this frame.
 */
static __always_inline void lang_perl_eval(struct lang_walk *l, const struct lang_perl *d)
{
	bool block = l->frame[PERL_CONTEXT_TYPE] & PERL_CONTEXT_EVAL_BLOCK;
	bool entry = !block && lang_perl_is_entry(l);
	__u64 last = l->perl_last;

	if (block && !l->frame[PERL_CONTEXT_RETURN] && l->perl_called == l->perl_index + 1) {
		asm volatile("%0 &= %1" : "+r"(last) : "i"(LANG_SLOTS - 1));
		l->to.pc[last] &= ~((__u64)LANG_ENTRY << LANG_FLAGS_SHIFT);
		entry = true;
	}
	lang_perl_put(l, d, LANG_PERL_NO_SUB | (entry ? LANG_ENTRY : 0),
		      block ? 0 : l->perl_eval_root, block ? LANG_PERL_EVAL_BLOCK : LANG_PERL_EVAL);
	l->perl_eval_root = l->frame[PERL_CONTEXT_CODE];
}

/* Reads the stack of contexts at @at. */
static __always_inline bool lang_perl_stack(struct lang_walk *l, __u64 at)
{
	__u64 *stack = l->frame;

	if (bpf_probe_read_user(stack, 8 * PERL_STACK_WORDS, (void *)at))
		return false;
	l->perl_contexts = stack[PERL_STACK_CONTEXTS];
	l->perl_previous = stack[PERL_STACK_PREVIOUS];
	l->perl_type = stack[PERL_STACK_SUB] >> 32;
	l->perl_index = (__s32)stack[PERL_STACK_SUB];
	l->perl_has = (__s32)stack[PERL_STACK_TOP] >= 0;
	l->perl_called = -1;
	return true;
}

/*
 * There are no more frames on this stack: the previous stack follows, or the main program.
 *
 * Return: 1 to stop.
 */
static __always_inline long lang_perl_previous(struct lang_walk *l, const struct lang_perl *d)
{
	__u64 root = 0;

	if (l->perl_type == PERL_STACK_MAIN || !l->perl_previous) {
		lang_perl_u64(&root, l->perl_interp + d->interp_main_root);
		lang_perl_put(l, d, LANG_PERL_NO_SUB, root, LANG_PERL_MAIN);
		return lang_perl_stop(l, LANG_WHOLE);
	}
	if ((l->perl_type == PERL_STACK_SORT || l->perl_type == PERL_STACK_MULTICALL) && l->perl_has)
		lang_perl_put_call(l);
	if (!lang_perl_stack(l, l->perl_previous))
		return lang_perl_stop(l, LANG_FAULTED);
	return 0;
}

/* Reads one frame, or goes to the next stack. Return: 1 to stop. */
static long lang_perl_turn(__u32 i, struct lang_loop *loop)
{
	const struct lang_perl *d = &loop->p->found.perl;
	struct lang_walk *l = loop->l;
	__u32 kind, type;
	__s32 outer;

	if (l->nr + 4 > l->max)
		return lang_perl_stop(l, LANG_CUT);
	if (l->perl_index < 0)
		return lang_perl_previous(l, d);
	if (bpf_probe_read_user(l->frame, 8 * PERL_CONTEXT_WORDS,
				(void *)(l->perl_contexts +
					 (__u64)l->perl_index * PERL_CONTEXT_BYTES)))
		return lang_perl_stop(l, LANG_FAULTED);
	type = l->frame[PERL_CONTEXT_TYPE] & 0xff;
	kind = type & PERL_CONTEXT_KIND;
	outer = (__s32)l->frame[PERL_CONTEXT_OUTER];
	if (kind == PERL_CONTEXT_IS_EVAL)
		lang_perl_eval(l, d);
	else if (kind != PERL_CONTEXT_IS_SUB && kind != PERL_CONTEXT_IS_FORMAT)
		return lang_perl_stop(l, LANG_TORN);
	else if (!(type & PERL_CONTEXT_HIDDEN) && lang_perl_sub(l, d))
		return 1;
	if (outer >= l->perl_index)
		return lang_perl_stop(l, LANG_TORN);
	l->perl_called = kind != PERL_CONTEXT_IS_EVAL && !l->frame[PERL_CONTEXT_RETURN] ?
				 l->perl_index : -1;
	l->perl_statement = l->frame[PERL_CONTEXT_STATEMENT];
	l->perl_op = l->frame[PERL_CONTEXT_RETURN];
	l->perl_innermost = false;
	l->perl_index = outer;
	return 0;
}

/* Return: address of the thread's interpreter, or 0. */
static __always_inline __u64 lang_perl_state(const struct lang_perl *d, __u64 thread)
{
	__u64 block = 0, interp = 0;

	if (!thread || !lang_perl_u64(&block, thread + d->key.block) || !block ||
	    !lang_perl_u64(&interp, block + d->key.value))
		return 0;
	return interp;
}

/* Return: whether the thread has an interpreter; @l gets its frames. */
static __always_inline bool lang_perl_read(struct lang_walk *l, const struct lang_proc *p)
{
	struct lang_loop loop = { .l = l, .p = p };
	const struct lang_perl *d = &p->found.perl;
	__u64 interp = lang_perl_state(d, l->thread), stack = 0;

	if (!interp)
		return false;
	l->fate = LANG_FAULTED;
	if (!lang_perl_u64(&l->perl_op, interp + d->interp_op) ||
	    !lang_perl_u64(&l->perl_statement, interp + d->interp_statement) ||
	    !lang_perl_u64(&l->perl_eval_root, interp + d->interp_eval_root) ||
	    !lang_perl_u64(&stack, interp + d->interp_stack))
		return true;
	/* the interpreter is just being made */
	if (!stack || !l->perl_statement)
		return false;
	if (!lang_perl_stack(l, stack))
		return true;
	l->perl_interp = interp;
	l->perl_compiling = interp + d->interp_compiling;
	l->perl_innermost = true;
	l->perl_last = 0;
	l->perl.package_at = 0;
	__builtin_memset(&l->perl.package_name, 0, sizeof(l->perl.package_name));
	__builtin_memset(l->perl_codes, 0, sizeof(l->perl_codes));
	__builtin_memset(l->perl_places, 0, sizeof(l->perl_places));
	l->fate = LANG_CUT;
	bpf_loop(LANG_SLOTS, lang_perl_turn, &loop, 0);
	return true;
}

#endif /* USTACK_BPF_LANG_PERL_BPF_H */
