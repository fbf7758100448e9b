/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads the chain of frames of Ruby's interpreter, for the thread that runs this.
 *
 *	thread pointer -> its vector of modules -> libruby's part -> execution context -> frames
 *
 * A fiber has its own execution context, which is the thread's while it runs. Frames stand one
 * after the other up to the end of the context's stack: there is no pointer to follow, and a
 * chain always ends. Safety and bounds are as in lang_cpython.bpf.h.
 *
 * Ruby writes a frame before it moves the pointer to the innermost one, and saves its place at
 * each instruction; so the frames are whole at any instruction of the thread.
 *
 * Code that a JIT has made need not do that. If the code of a frame has been compiled, the
 * whole chain is dropped, and the sample says so.
 */
#ifndef USTACK_BPF_LANG_RUBY_BPF_H
#define USTACK_BPF_LANG_RUBY_BPF_H

#include "lang_walk.bpf.h"

/* Reads length and ends of the string at @at into @t, which is all zeros. */
static __always_inline bool lang_ruby_text(struct lang_ruby_print *p, const struct lang_ruby *d,
					   struct lang_ends *t, __u64 at)
{
	if (bpf_probe_read_user(p->string, sizeof(p->string), (void *)at) ||
	    !lang_ruby_is_string(p->string))
		return false;
	t->len = lang_ruby_length(d, p->string);
	return lang_ends_read(t, lang_ruby_bytes(d, p->string, at));
}

/*
 * Return: address of the string with the file's name, which may be the first of an array; 0 if
 * there is none.
 */
static __always_inline __u64 lang_ruby_path(struct lang_ruby_print *p)
{
	__u64 at = p->body[RUBY_BODY_PATH];

	if (bpf_probe_read_user(p->string, sizeof(p->string), (void *)at))
		return 0;
	if ((p->string[0] & RUBY_TYPE) != RUBY_T_ARRAY)
		return at;
	return p->string[0] & RUBY_ARRAY_WITHIN ? p->string[2] : 0;
}

static __always_inline bool lang_ruby_lines(struct lang_ruby_print *p, const struct lang_ruby *d)
{
	__u64 n = (__u64)lang_ruby_nr_lines(p, d) * RUBY_LINES_ENTRY;

	n = n < RUBY_TABLE_BYTES ? n : RUBY_TABLE_BYTES;
	asm volatile("%0 &= %1" : "+r"(n) : "i"(2 * RUBY_TABLE_BYTES - 1));
	return n <= RUBY_TABLE_BYTES &&
	       !bpf_probe_read_user(p->lines, n,
				    (void *)lang_ruby_word(p, d->lines + 8 * RUBY_LINES_TABLE));
}

/*
 * Return: the cookie of the code with the body @p->body; 0, with @p->faulted set, if it cannot
 * be computed. A separate function, which the verifier checks once.
 */
__attribute__((__noinline__)) int lang_ruby_print(struct lang_ruby_print *p,
						  const struct lang_ruby *d)
{
	if (!p || !d)
		return 0;
	__builtin_memset(p->lines, 0, sizeof(p->lines));
	__builtin_memset(&p->label, 0, sizeof(p->label));
	__builtin_memset(&p->path, 0, sizeof(p->path));
	p->faulted = !lang_ruby_text(p, d, &p->label, p->body[RUBY_BODY_LABEL]) ||
		     !lang_ruby_text(p, d, &p->path, lang_ruby_path(p)) ||
		     !lang_ruby_lines(p, d);
	return p->faulted ? 0 : lang_ruby_cookie(p, d);
}

static __always_inline long lang_ruby_stop(struct lang_walk *l, enum lang_fate fate)
{
	l->fate = fate;
	return 1;
}

/*
 * Reads an internal object of the interpreter at @at. Return: the object, or NULL if it is not
 * of the kind @imemo.
 */
static __always_inline const __u64 *lang_ruby_object(struct lang_walk *l, __u64 at, __u32 imemo)
{
	__u64 *object = l->ruby_object;

	if (bpf_probe_read_user(object, sizeof(l->ruby_object), (void *)at) ||
	    (object[0] & RUBY_IMEMO) != imemo)
		return NULL;
	return object;
}

/* Reads the code whose object is at @at into @seen. Return: 1 to stop. */
static __always_inline long lang_ruby_see(struct lang_walk *l, const struct lang_ruby *d, __u64 at,
					  struct lang_ruby_seen *seen)
{
	const __u64 *object = lang_ruby_object(l, at, RUBY_IMEMO_CODE);

	if (!object)
		return lang_ruby_stop(l, LANG_TORN);
	seen->body = object[RUBY_CODE_BODY];
	if (seen->body & ~LANG_POINTER ||
	    bpf_probe_read_user(l->ruby.body, 8 * RUBY_BODY_WORDS, (void *)seen->body))
		return lang_ruby_stop(l, LANG_FAULTED);
	if (lang_ruby_is_compiled(&l->ruby, d)) {
		l->nr = 0;
		return lang_ruby_stop(l, LANG_COMPILED);
	}
	seen->code = l->ruby.body[RUBY_BODY_CODE];
	seen->size = lang_ruby_size(&l->ruby);
	seen->local = lang_ruby_word(&l->ruby, d->lines + 8 * RUBY_LINES_LOCAL);
	seen->method = seen->owner = 0;
	seen->cookie = lang_ruby_print(&l->ruby, d);
	seen->flags = l->ruby.faulted ? LANG_FAULTED_OBJECT : 0;
	seen->object = at;
	return 0;
}

/*
 * Goes from the environment in @l->ruby_env to the local one, which is then there. Return:
 * whether it was found. A separate function, which the verifier checks once, as are the next ones.
 */
__attribute__((__noinline__)) int lang_ruby_local(struct lang_walk *l)
{
	__u32 i;

	if (!l)
		return 0;
#pragma unroll
	for (i = 0; i < RUBY_ENV_DEPTH; i++) {
		__u64 outer = l->ruby_env[RUBY_ENV_OUTER] & ~3ull;

		if (l->ruby_env[RUBY_ENV_FLAGS] & RUBY_FLAG_LOCAL)
			return 1;
		if (bpf_probe_read_user(l->ruby_env, sizeof(l->ruby_env),
					(void *)(outer - 8 * RUBY_ENV_FLAGS)))
			return 0;
	}
	return 0;
}

/*
 * Reads the method whose object an environment has at @at. An object for variables such as $~ may
 * stand in between. Return: the method, or NULL if there is none.
 */
static __always_inline const __u64 *lang_ruby_method(struct lang_walk *l, __u64 at)
{
	__u64 *object = l->ruby_object, kind;

	if (!at || bpf_probe_read_user(object, sizeof(l->ruby_object), (void *)at))
		return NULL;
	kind = object[0] & RUBY_IMEMO;
	if (kind == RUBY_IMEMO_SVAR)
		return lang_ruby_object(l, object[RUBY_SVAR_METHOD], RUBY_IMEMO_METHOD);
	return kind == RUBY_IMEMO_METHOD ? object : NULL;
}

/*
 * Sets the class that defines the method around the code of @seen, if the method @seen->method is
 * the one that has this code. Others are not its method: what define_method() made of a block,
 * say.
 */
__attribute__((__noinline__)) int lang_ruby_owner(struct lang_walk *l, struct lang_ruby_seen *seen)
{
	const __u64 *method;

	if (!l || !seen)
		return 0;
	seen->owner = 0;
	method = lang_ruby_method(l, seen->method);
	if (!method || bpf_probe_read_user(l->ruby_def, 8 * (RUBY_DEF_FUNCTION + 1),
					   (void *)method[RUBY_METHOD_DEFINITION]))
		return 0;
	if ((l->ruby_def[RUBY_DEF_TYPE] & 15) == RUBY_DEF_IN_RUBY &&
	    l->ruby_def[RUBY_DEF_FUNCTION] == seen->local)
		seen->owner = method[RUBY_METHOD_OWNER];
	return 0;
}

/* Reads the class at @at. Return: whether it is one, or a module. */
static __always_inline bool lang_ruby_class_read(struct lang_walk *l, const struct lang_ruby *d,
						 __u64 at)
{
	long err = d->old ? bpf_probe_read_user(l->ruby_class, 8 * RUBY_CLASS_OLD_WORDS, (void *)at) :
			    bpf_probe_read_user(l->ruby_class, 8 * RUBY_CLASS_WORDS, (void *)at);

	return !err && lang_ruby_is_class(l->ruby_class[RUBY_CLASS_FLAGS]);
}

/*
 * Finds a variable of the class in @l->ruby_class among the first ones: @l->ruby_value is then its
 * value, else 0. Only for 3.1. The last entry counts: when Ruby closes the gaps of removed
 * variables, it copies entries to the front, and a sample may be taken before such a copy is
 * whole.
 */
__attribute__((__noinline__)) int lang_ruby_variable(struct lang_walk *l, __u64 id)
{
	__u64 table = 0, n;
	__u32 i;

	if (!l)
		return 0;
	l->ruby_value = 0;
	if (bpf_probe_read_user(&table, sizeof(table), (void *)(l->ruby_class[RUBY_CLASS_EXTRA] + 8)) ||
	    bpf_probe_read_user(l->ruby_table, sizeof(l->ruby_table), (void *)table))
		return 0;
	n = l->ruby_table[RUBY_TABLE_BOUND];
	n = n < RUBY_ENTRIES ? n : RUBY_ENTRIES;
	/* the verifier must see this; the compiler would leave it out */
	asm volatile("%0 &= %1" : "+r"(n) : "i"(2 * RUBY_ENTRIES - 1));
	__builtin_memset(l->ruby_entry, 0, sizeof(l->ruby_entry));
	if (n > RUBY_ENTRIES || bpf_probe_read_user(l->ruby_entry, 8 * RUBY_ENTRY_WORDS * n,
						    (void *)l->ruby_table[RUBY_TABLE_ENTRIES]))
		return 0;
#pragma unroll
	for (i = 0; i < RUBY_ENTRIES; i++) {
		const __u64 *e = &l->ruby_entry[i * RUBY_ENTRY_WORDS];

		if (e[RUBY_ENTRY_ID] == id && ~e[RUBY_ENTRY_HASH])
			l->ruby_value = e[RUBY_ENTRY_VALUE];
	}
	return 0;
}

/* Return: address of the name of the class in @l->ruby_class; 0 if no constant has given it one. */
static __always_inline __u64 lang_ruby_class_name(struct lang_walk *l, const struct lang_ruby *d)
{
	if (!d->old)
		return l->ruby_class[RUBY_CLASS_BITS] & RUBY_CLASS_NAMED ?
			       l->ruby_class[RUBY_CLASS_NAME] : 0;
	lang_ruby_variable(l, d->name);
	return l->ruby_value;
}

/* Return: address of the object whose singleton class is in @l->ruby_class. */
static __always_inline __u64 lang_ruby_attached(struct lang_walk *l, const struct lang_ruby *d)
{
	if (!d->old)
		return l->ruby_class[RUBY_CLASS_ATTACHED];
	lang_ruby_variable(l, d->attached);
	return l->ruby_value;
}

/*
 * Fills @c with the name of the class at @c->at. A singleton class has the name of its object, if
 * that is a class; others have none that is worth showing.
 */
__attribute__((__noinline__)) int lang_ruby_class(struct lang_walk *l, const struct lang_ruby *d,
						  struct lang_ruby_class *c)
{
	__u64 name, flags = 0;

	if (!l || !d || !c)
		return 0;
	c->first = c->second = 0;
	if (!lang_ruby_class_read(l, d, c->at))
		return 0;
	if (lang_ruby_is_singleton(l->ruby_class[RUBY_CLASS_FLAGS])) {
		flags = LANG_RUBY_OF_CLASS;
		if (!lang_ruby_class_read(l, d, lang_ruby_attached(l, d)))
			return 0;
	}
	name = lang_ruby_class_name(l, d);
	__builtin_memset(&l->ruby_name, 0, sizeof(l->ruby_name));
	if (!name || name & ~LANG_POINTER || !lang_ruby_text(&l->ruby, d, &l->ruby_name, name))
		return 0;
	c->first = (__u64)LANG_RUBY_CLASS << LANG_KIND_SHIFT | flags << LANG_FLAGS_SHIFT | name;
	c->second = (__u64)lang_ruby_class_cookie(&l->ruby_name, flags) << 32;
	return 0;
}

/*
 * Stores the name of the class at @at, if there is one. The class of a method that a stopped
 * thread runs is not freed; so it is read once for each sample.
 */
static __always_inline void lang_ruby_put_class(struct lang_walk *l, const struct lang_ruby *d,
						__u64 at)
{
	__u64 i = at / 8 * 0x9e3779b97f4a7c15ull >> 60;
	struct lang_ruby_class *c;

	if (!at)
		return;
	asm volatile("%0 &= %1" : "+r"(i) : "i"(LANG_RUBY_CLASSES - 1));
	c = &l->ruby_classes[i];
	if (c->at != at) {
		c->at = at;
		lang_ruby_class(l, d, c);
	}
	if (c->first)
		lang_put(l, c->first, c->second);
}

/* Return: address of the class whose method the frame runs; 0 if that is not known. */
static __always_inline __u64 lang_ruby_class_of(struct lang_walk *l, const struct lang_ruby *d,
						struct lang_ruby_seen *seen)
{
	__u64 method;

	if (!d->classes || seen->flags & LANG_FAULTED_OBJECT || !lang_ruby_local(l))
		return 0;
	method = l->ruby_env[RUBY_ENV_METHOD];
	/* the same code may be a method of several classes */
	if (seen->method != method) {
		seen->method = method;
		lang_ruby_owner(l, seen);
	}
	return seen->owner;
}

/*
 * Stores a frame that runs code. Code that a stopped thread runs is not freed; so code that is
 * in several frames (recursion, blocks that call blocks) is read once for each sample.
 *
 * Return: 1 to stop.
 */
static __always_inline long lang_ruby_code(struct lang_walk *l, const struct lang_ruby *d, __u32 flags)
{
	__u64 at = l->frame[RUBY_FRAME_CODE], i = at / 8 * 0x9e3779b97f4a7c15ull >> 60, off;
	struct lang_ruby_seen *seen;

	asm volatile("%0 &= %1" : "+r"(i) : "i"(LANG_RUBY_SEEN - 1));
	seen = &l->ruby_seen[i];
	if (seen->object != at) {
		seen->object = 0;
		if (lang_ruby_see(l, d, at, seen))
			return 1;
	}
	off = l->frame[RUBY_FRAME_PC] - seen->code;
	if (off & 7 || off / 8 > seen->size)
		return lang_ruby_stop(l, LANG_TORN);
	flags |= seen->flags;
	lang_put(l,
		 (__u64)LANG_RUBY << LANG_KIND_SHIFT | (__u64)flags << LANG_FLAGS_SHIFT | seen->body,
		 (__u64)seen->cookie << 32 | (__u32)(off / 8 + 1));
	lang_ruby_put_class(l, d, lang_ruby_class_of(l, d, seen));
	return 0;
}

/* Stores a frame of a function in C. Return: 1 to stop. */
static __always_inline long lang_ruby_in_c(struct lang_walk *l, const struct lang_ruby *d)
{
	const __u64 *method = lang_ruby_method(l, l->ruby_env[RUBY_ENV_METHOD]);
	__u64 *def = l->ruby_def, at;

	if (!method)
		return lang_ruby_stop(l, LANG_TORN);
	at = method[RUBY_METHOD_DEFINITION];
	if (at & ~LANG_POINTER || bpf_probe_read_user(def, sizeof(l->ruby_def), (void *)at))
		return lang_ruby_stop(l, LANG_FAULTED);
	if (!lang_ruby_is_in_c(def))
		return lang_ruby_stop(l, LANG_TORN);
	lang_put(l, (__u64)LANG_RUBY << LANG_KIND_SHIFT | (__u64)LANG_IN_C << LANG_FLAGS_SHIFT | at,
		 (__u64)lang_ruby_cookie_in_c(def) << 32);
	lang_ruby_put_class(l, d, d->classes ? method[RUBY_METHOD_OWNER] : 0);
	return 0;
}

/* Reads one frame. Return: 1 to stop. */
static long lang_ruby_turn(__u32 i, struct lang_loop *loop)
{
	const struct lang_ruby *d = &loop->p->found.ruby;
	__u64 bytes = d->frame_bytes, flags, type;
	struct lang_walk *l = loop->l;
	bool entry;

	if (l->at >= l->ruby_end)
		return lang_ruby_stop(l, LANG_WHOLE);
	/* a frame, and the name of its class */
	if (l->nr + 4 > l->max)
		return lang_ruby_stop(l, LANG_CUT);
	asm volatile("%0 &= 0x7f" : "+r"(bytes));
	if (bpf_probe_read_user(l->frame, bytes, (void *)l->at) ||
	    bpf_probe_read_user(l->ruby_env, sizeof(l->ruby_env),
				(void *)(l->frame[RUBY_FRAME_EP] - 8 * RUBY_ENV_FLAGS)))
		return lang_ruby_stop(l, LANG_FAULTED);
	flags = l->ruby_env[RUBY_ENV_FLAGS];
	/* it must be a number of Ruby, with a type */
	if (!(flags & 1) || flags >> 31 || !(flags >> 16))
		return lang_ruby_stop(l, LANG_TORN);
	l->at += bytes;
	type = flags & RUBY_FRAME_TYPE;
	/* the outermost frame stands for the thread: Ruby does not show it either */
	if (l->at >= l->ruby_end)
		return lang_ruby_stop(l, LANG_WHOLE);
	if (!l->frame[RUBY_FRAME_CODE])
		return type == RUBY_FRAME_IN_C ? lang_ruby_in_c(l, d) : 0;
	if (!l->frame[RUBY_FRAME_PC])
		return 0;
	entry = flags & RUBY_FLAG_FINISH && type != RUBY_FRAME_NOT_RUN;
	return lang_ruby_code(l, d, entry ? LANG_ENTRY : 0);
}

/* Return: address of the thread's execution context, or 0. */
static __always_inline __u64 lang_ruby_state(const struct lang_ruby *d, __u64 thread)
{
	__u64 vector = 0, nr = 0, block = 0, ec = 0;

	if (!thread ||
	    bpf_probe_read_user(&vector, sizeof(vector), (void *)(thread + d->dtv)) || !vector ||
	    bpf_probe_read_user(&nr, sizeof(nr), (void *)(vector - LANG_DTV_ENTRY)) ||
	    nr < d->module / LANG_DTV_ENTRY ||
	    bpf_probe_read_user(&block, sizeof(block), (void *)(vector + d->module)) || !block ||
	    block == LANG_DTV_UNUSED ||
	    bpf_probe_read_user(&ec, sizeof(ec), (void *)(block + d->ec)))
		return 0;
	return ec;
}

/* Forgets what the previous sample has read. */
static __always_inline void lang_ruby_forget(struct lang_walk *l)
{
	__u32 i;

#pragma unroll
	for (i = 0; i < LANG_RUBY_SEEN; i++)
		l->ruby_seen[i].object = 0;
#pragma unroll
	for (i = 0; i < LANG_RUBY_CLASSES; i++)
		l->ruby_classes[i].at = 0;
}

/* Return: whether the thread has a context with a stack; @l gets its frames. */
static __always_inline bool lang_ruby_read(struct lang_walk *l, const struct lang_proc *p)
{
	struct lang_loop loop = { .l = l, .p = p };
	const struct lang_ruby *d = &p->found.ruby;
	__u64 at = lang_ruby_state(d, l->thread), *ec = l->frame, bytes = d->frame_bytes;

	if (!at)
		return false;
	if (bpf_probe_read_user(ec, 8 * RUBY_EC_WORDS, (void *)at)) {
		l->fate = LANG_FAULTED;
		return true;
	}
	/* the context is new, or has ended */
	if (!ec[RUBY_EC_STACK] || !ec[RUBY_EC_FRAME])
		return false;
	l->at = ec[RUBY_EC_FRAME];
	l->ruby_end = ec[RUBY_EC_STACK] + 8 * ec[RUBY_EC_SIZE];
	l->fate = LANG_TORN;
	if (ec[RUBY_EC_SIZE] >> 32 || l->at < ec[RUBY_EC_STACK] || l->at > l->ruby_end || !bytes ||
	    (l->ruby_end - l->at) % bytes)
		return true;
	lang_ruby_forget(l);
	/* the fate if turns end before frames: frames that are not shown take turns, too */
	l->fate = LANG_CUT;
	bpf_loop(LANG_SLOTS, lang_ruby_turn, &loop, 0);
	return true;
}

#endif /* USTACK_BPF_LANG_RUBY_BPF_H */
