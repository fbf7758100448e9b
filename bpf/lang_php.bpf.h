/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads the chain of frames of PHP's interpreter, in a process that is not built for threads.
 *
 *	executor_globals -> frame -> previous ... -> 0
 *
 * Only the process's first thread is read: the chain belongs to the process, and nothing says
 * which thread runs it. Safety and bounds are as in lang_cpython.bpf.h.
 *
 * Lines: a frame that has called something has saved its place. The innermost frame, if it is
 * in PHP, has not: the place that it saved last may be lines or calls ago. Then the interpreter
 * keeps frame and instruction in two registers. If these are still the registers of the
 * interrupted code, they agree with the chain and with the function's instructions; else the
 * frame has no line. With a JIT: see lang_php_registers().
 *
 * Generators that delegate to each other (yield from): the chain contains only the innermost
 * one, a frame without a function (PHP's execute_fake), and the code that resumed the outermost
 * one. The others are found by their objects. The interpreter runs only the innermost one, so
 * the others are not entries.
 */
#ifndef USTACK_BPF_LANG_PHP_BPF_H
#define USTACK_BPF_LANG_PHP_BPF_H

#include "lang_walk.bpf.h"
#include "lang_wishes.bpf.h"

#if defined(__TARGET_ARCH_x86)
#define LANG_PHP_FRAME(regs) ((regs)->r14)
#define LANG_PHP_OPLINE(regs) ((regs)->r15)
#define LANG_PHP_PC(regs) ((regs)->ip)
#elif defined(__TARGET_ARCH_arm64)
#define LANG_PHP_FRAME(regs) ((regs)->regs[27])
#define LANG_PHP_OPLINE(regs) ((regs)->regs[28])
#define LANG_PHP_PC(regs) ((regs)->pc)
#endif

/* Return: the word at @off of a function; PHP_FUNC_WORDS of it have been read. */
static __always_inline __u64 lang_php_word(const struct lang_php_print *p, __u64 off)
{
	asm volatile("%0 &= 0x78" : "+r"(off));
	return *(const __u64 *)((const char *)p->func + off);
}

static __always_inline bool lang_php_text(struct lang_ends *t, __u64 at)
{
	return !bpf_probe_read_user(&t->len, sizeof(t->len), (void *)(at + PHP_STRING_LEN)) &&
	       lang_ends_read(t, at + PHP_STRING_BYTES);
}

static __always_inline bool lang_php_contents(struct lang_php_print *p)
{
	__u64 scope;

	if (p->func[PHP_FUNC_NAME] && !lang_php_text(&p->name, p->func[PHP_FUNC_NAME]))
		return false;
	if (p->func[PHP_FUNC_SCOPE] &&
	    (bpf_probe_read_user(&scope, sizeof(scope),
				 (void *)(p->func[PHP_FUNC_SCOPE] + PHP_CLASS_NAME)) ||
	     !lang_php_text(&p->scope, scope)))
		return false;
	return lang_php_type(p) == PHP_INTERNAL || lang_php_text(&p->file, p->where[0]);
}

/*
 * Return: the cookie of the function in @p->func and @p->where; 0, with @p->faulted set, if it
 * cannot be computed. A separate function, which the verifier checks once.
 */
__attribute__((__noinline__)) int lang_php_print(struct lang_php_print *p)
{
	if (!p)
		return 0;
	__builtin_memset(&p->name, 0, sizeof(p->name));
	__builtin_memset(&p->scope, 0, sizeof(p->scope));
	__builtin_memset(&p->file, 0, sizeof(p->file));
	p->faulted = !lang_php_contents(p);
	return p->faulted ? 0 : lang_php_cookie(p);
}

/* Return: the line of the frame of a function in PHP, or 0. */
static __always_inline __u32 lang_php_at(const struct lang_walk *l, const struct lang_php *d)
{
	__u64 opline = l->frame[PHP_FRAME_OPLINE], off;
	__u32 line = 0;

	if (!l->nr)
		opline = l->php_frame == l->at ? l->php_opline : 0;
	off = opline - lang_php_word(&l->php, d->func_opcodes);
	if (off % PHP_OP_BYTES ||
	    off / PHP_OP_BYTES >= (__u32)(lang_php_word(&l->php, d->func_last)) ||
	    bpf_probe_read_user(&line, sizeof(line), (void *)(opline + PHP_OP_LINE)))
		return 0;
	return line;
}

/*
 * The frame without a function at @l->at stands for generators that delegate: the one that it
 * names, which was resumed, and others, up to the one that delegates to the innermost
 * generator.
 *
 * Return: 1 to stop.
 */
static __always_inline long lang_php_delegates(struct lang_walk *l)
{
	__u64 generator = l->frame[PHP_FRAME_THIS], parent, i;

	l->php_previous = l->frame[PHP_FRAME_PREVIOUS];
	for (i = 0; i < LANG_PHP_DELEGATES; i++) {
		if (bpf_probe_read_user(&parent, sizeof(parent),
					(void *)(generator + PHP_GENERATOR_PARENT)))
			goto torn;
		if (!parent)
			break;
		l->php_delegate[i] = generator;
		generator = parent;
	}
	if (!i || i == LANG_PHP_DELEGATES)
		goto torn;
	l->php_delegates = i;
	return 0;
torn:
	l->fate = LANG_TORN;
	return 1;
}

/* Goes on to the next frame of the chain. Return: 1 to stop. */
static __always_inline long lang_php_next(struct lang_walk *l, __u64 previous)
{
	__u64 i = l->php_delegates;

	l->at = previous;
	if (!i)
		return !previous;
	if (i == LANG_PHP_DELEGATES_DONE) {
		l->php_delegates = 0;
		l->at = l->php_previous;
		return !l->at;
	}
	i--;
	asm volatile("%0 &= %1" : "+r"(i) : "i"(LANG_PHP_DELEGATES - 1));
	l->php_delegates = i ? i : LANG_PHP_DELEGATES_DONE;
	if (bpf_probe_read_user(&l->at, sizeof(l->at),
				(void *)(l->php_delegate[i] + PHP_GENERATOR_FRAME))) {
		l->fate = LANG_FAULTED;
		return 1;
	}
	return 0;
}

/*
 * Return: whether C code called the interpreter for the frame that was read, which is one in
 * PHP.
 */
static __always_inline bool lang_php_is_entry(const struct lang_walk *l)
{
	__u32 info = l->frame[PHP_FRAME_INFO];
	__u64 parent = 0;

	if (!(info & PHP_CALL_TOP))
		return false;
	if (!(info & PHP_CALL_GENERATOR))
		return true;
	/* the frame of a generator that delegates does not run */
	return bpf_probe_read_user(&parent, sizeof(parent),
				   (void *)(l->frame[PHP_FRAME_RESULT] + PHP_GENERATOR_PARENT)) ||
	       !parent;
}

/* Sends the function in @l->php to user space: its names live longer than the function. */
static __always_inline void lang_php_tell(struct lang_walk *l, __u64 func, __u64 cookie)
{
	l->wish.word[2] = l->php.func[PHP_FUNC_NAME];
	l->wish.word[3] = l->php.func[PHP_FUNC_SCOPE];
	l->wish.word[4] = l->php.where[0];
	l->wish.word[5] = l->php.where[1];
	l->wish.word[6] = lang_php_type(&l->php);
	lang_function_tell(l, func, cookie);
}

static __always_inline long lang_php_stop(struct lang_walk *l, enum lang_fate fate)
{
	l->fate = fate;
	return 1;
}

/* Reads one frame. Return: 1 to stop. */
static long lang_php_turn(__u32 i, struct lang_loop *loop)
{
	const struct lang_php *d = &loop->p->found.php;
	struct lang_walk *l = loop->l;
	__u32 flags = 0, line = 0, type, cookie;
	__u64 func;

	if (l->nr >= l->max)
		return lang_php_stop(l, LANG_CUT);
	if (bpf_probe_read_user(l->frame, 8 * PHP_FRAME_WORDS, (void *)l->at))
		return lang_php_stop(l, LANG_FAULTED);
	func = l->frame[PHP_FRAME_FUNC];
	if (!func)
		return l->php_delegates || lang_php_delegates(l) ?
			       lang_php_stop(l, LANG_TORN) :
			       lang_php_next(l, 0);
	if (bpf_probe_read_user(l->php.func, sizeof(l->php.func), (void *)func))
		return lang_php_stop(l, LANG_FAULTED);
	type = lang_php_type(&l->php);
	if (func & ~LANG_POINTER ||
	    (type != PHP_INTERNAL && type != PHP_USER && type != PHP_EVAL))
		return lang_php_stop(l, LANG_TORN);
	/* a fiber begins here; PHP's own traces leave it out, too */
	if (type == PHP_INTERNAL && !l->php.func[PHP_FUNC_NAME])
		return lang_php_next(l, l->frame[PHP_FRAME_PREVIOUS]);
	l->php.where[0] = l->php.where[1] = 0;
	if (type != PHP_INTERNAL) {
		if (bpf_probe_read_user(l->php.where, sizeof(l->php.where),
					(void *)(func + d->func_filename)))
			return lang_php_stop(l, LANG_FAULTED);
		line = lang_php_at(l, d);
		if (lang_php_is_entry(l))
			flags |= LANG_ENTRY;
	}
	cookie = lang_php_print(&l->php);
	if (l->php.faulted)
		flags |= LANG_FAULTED_OBJECT;
	else if (!l->php.func[PHP_FUNC_NAME] ||
		 l->php.func[PHP_FUNC_TYPE] >> 32 & PHP_ACC_CLOSURE)
		lang_php_tell(l, func, cookie);
	lang_put(l, (__u64)LANG_PHP << LANG_KIND_SHIFT | (__u64)flags << LANG_FLAGS_SHIFT | func,
		 (__u64)cookie << 32 | line);
	return lang_php_next(l, l->frame[PHP_FRAME_PREVIOUS]);
}

/*
 * Reads frame and instruction from the registers of the interrupted code. Code of the JIT has the
 * frame in its register, too, but other values in the other one: an instruction that ran before,
 * or the frame of the next call. C code that it calls keeps these. So with a JIT the registers
 * count only in the interpreter's own code.
 */
static __always_inline void lang_php_registers(struct lang_walk *l, const struct lang_php *d,
					       const struct user_regs *regs)
{
	__u64 pc = 0;

	bpf_probe_read_kernel(&pc, sizeof(pc), &LANG_PHP_PC(regs));
	bpf_probe_read_kernel(&l->php_frame, sizeof(l->php_frame), &LANG_PHP_FRAME(regs));
	bpf_probe_read_kernel(&l->php_opline, sizeof(l->php_opline), &LANG_PHP_OPLINE(regs));
	if (pc - d->interpreter >= d->interpreter_len)
		l->php_opline = 0;
}

/* Return: whether the thread is the one that may run PHP; @l gets its frames. */
static __always_inline bool lang_php_read(struct lang_walk *l, const struct lang_proc *p)
{
	struct task_struct *task = bpf_get_current_task_btf();
	const struct user_regs *regs = (void *)bpf_task_pt_regs(task);
	struct lang_loop loop = { .l = l, .p = p };

	if (task->pid != task->tgid)
		return false;
	l->at = 0;
	l->php_delegates = 0;
	if (bpf_probe_read_user(&l->at, sizeof(l->at), (void *)p->found.php.current)) {
		l->fate = LANG_FAULTED;
		return true;
	}
	lang_php_registers(l, &p->found.php, regs);
	if (l->at)
		bpf_loop(LANG_SLOTS, lang_php_turn, &loop, 0);
	lang_turns_ended(l);
	return true;
}

#endif /* USTACK_BPF_LANG_PHP_BPF_H */
