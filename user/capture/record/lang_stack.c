// SPDX-License-Identifier: GPL-2.0-only
/*
 * Merges the stack of a thread with the frames of the language that its
 * interpreter ran. A "mark" is a frame of the interpreter's function; it runs
 * one "group" of the language's frames, up to the next entry. See lang_stack.h;
 * resolve_stack.c calls it.
 */
#include "capture/record/lang_stack.h"

#include "util/poison.h"

static bool is_in(const struct range *r, size_t nr, uint64_t addr)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (addr >= r[i].start && addr < r[i].end)
			return true;
	return false;
}

static bool is_eval(const struct sampler_count *c, size_t i)
{
	return i < c->nr_user && is_in(c->lang->eval, c->lang->nr_eval, record_call_address(c->user, i));
}

/*
 * Return: whether frame @i is a call of the interpreter's function by a part of
 * the previous one, which goes on with the same frames. The previous one called
 * that part directly, or through one more function.
 */
static bool is_rerun(const struct sampler_count *c, size_t i)
{
	return c->lang->reruns && is_eval(c, i) && i + 1 < c->nr_user &&
	       is_in(c->lang->inner, c->lang->nr_inner, record_call_address(c->user, i + 1)) &&
	       (is_eval(c, i + 2) || is_eval(c, i + 3));
}

/*
 * Return: whether frame @i is that of a part which the interpreter's function calls. Code of
 * PHP's JIT is both: a part of that function, and parts that such code calls.
 */
static bool is_called_part(const struct sampler_count *c, size_t i)
{
	return is_eval(c, i + 1) &&
	       is_in(c->lang->inner, c->lang->nr_inner, record_call_address(c->user, i));
}

static bool is_mark(const struct sampler_count *c, size_t i)
{
	return is_eval(c, i) && !is_rerun(c, i) && !is_called_part(c, i);
}

/* Return: whether frame @i is a part of the mark that called it. */
static bool is_inner(const struct sampler_count *c, size_t i)
{
	if (is_rerun(c, i) || (i && is_rerun(c, i - 1)) ||
	    (i > 1 && is_rerun(c, i - 2) && !is_eval(c, i)))
		return true;
	return is_called_part(c, i);
}

static void put(struct lang_merged *m, bool lang, size_t index)
{
	m->step[m->nr++] = (struct lang_step){ .lang = lang, .index = (uint32_t)index };
}

/*
 * Puts frames of the language from *@at on, up to and including the next entry.
 */
static void put_group(struct lang_merged *m, const struct lang_stack *l, size_t *at)
{
	bool entry = false;

	while (*at < l->nr && !entry) {
		entry = l->frame[*at].entry;
		if (!l->frame[*at].hidden)
			put(m, true, *at);
		(*at)++;
	}
}

static void put_rest(struct lang_merged *m, const struct lang_stack *l, size_t *at)
{
	while (*at < l->nr)
		put_group(m, l, at);
}

/* Return: whether the outermost mark is the one that runs the program. */
static bool runs_base(const struct sampler_count *c)
{
	size_t i = c->nr_user;

	while (i-- > 1)
		if (is_mark(c, i - 1))
			return is_in(c->lang->base, c->lang->nr_base, record_call_address(c->user, i));
	return false;
}

/*
 * Return: whether no mark runs the frames from @at on, because only C code
 * called them.
 */
static bool is_all_in_c(const struct sampler_count *c, size_t at)
{
	const struct lang_stack *l = c->lang;

	while (at < l->nr && (l->frame[at].in_c || (l->frame[at].base && !runs_base(c))))
		at++;
	return at == l->nr;
}

static size_t count_groups(const struct sampler_count *c)
{
	const struct lang_stack *l = c->lang;
	size_t i, at = 0, nr = 0;

	for (i = 0; i < l->nr; i++)
		if (l->frame[i].entry) {
			nr++;
			at = i + 1;
		}
	return nr + !is_all_in_c(c, at);
}

static size_t count_marks(const struct sampler_count *c)
{
	size_t i, nr = 0;

	for (i = 0; i < c->nr_user; i++)
		nr += is_mark(c, i);
	return nr;
}

static const char *chain_word(enum lang_fate fate)
{
	switch (fate) {
	case LANG_WHOLE:
		return NULL;
	case LANG_CUT:
		return "cut";
	case LANG_FAULTED:
		return "faulted";
	case LANG_COMPILED:
		return "compiled";
	case LANG_TORN:
		break;
	}
	return "torn";
}

/**
 * struct pairing - which mark runs which frames
 * @skip: number of innermost marks that run no frames: the interpreter was just
 *	called, or is about to return
 * @drop: number of innermost frames that no mark runs: C code calls them again
 *	and again, and is running itself between two calls
 * @agree: each of the other marks runs one group, as far as both stacks go
 */
struct pairing {
	size_t skip;
	size_t drop;
	bool agree;
};

/*
 * Return: number of frames in the innermost group if C code calls it again and
 * again; else 0.
 */
static size_t repeated(const struct lang_stack *l)
{
	size_t i;

	for (i = 0; i < l->nr; i++)
		if (l->frame[i].entry)
			return l->frame[i].hidden ? i + 1 : 0;
	return 0;
}

static struct pairing pair(const struct sampler_count *c, bool whole)
{
	size_t marks = count_marks(c), groups = count_groups(c);
	struct pairing p = { .agree = true };

	if (marks == groups + 1 && c->lang->fate == LANG_WHOLE &&
	    (is_mark(c, 0) || is_inner(c, 0)))
		p.skip = 1;
	else if (marks > groups)
		p.agree = c->lang->fate != LANG_WHOLE;
	else if (marks + 1 == groups && whole && repeated(c->lang))
		p.drop = repeated(c->lang);
	else if (marks < groups)
		p.agree = !whole;
	return p;
}

static void put_native(struct lang_merged *m, const struct sampler_count *c)
{
	size_t i;

	for (i = 0; i < c->nr_user; i++)
		put(m, false, i);
}

/*
 * The stacks disagree: puts all frames of the language at the innermost mark,
 * and keeps the marks.
 */
static void put_unpaired(struct lang_merged *m, const struct sampler_count *c)
{
	size_t i, at = 0;

	for (i = 0; i < c->nr_user; i++) {
		while (at < c->lang->nr && is_mark(c, i))
			put_group(m, c->lang, &at);
		put(m, false, i);
	}
	put_rest(m, c->lang, &at);
}

static void put_pairs(struct lang_merged *m, const struct sampler_count *c,
		      const struct pairing *p, bool native)
{
	size_t i, at = p->drop, skip = p->skip, marks = 0;
	bool hidden = false;

	for (i = 0; i < c->nr_user; i++) {
		bool runs = is_mark(c, i) && marks++ >= skip && at < c->lang->nr;

		/*
		 * left out together with its mark, the next one outwards, if
		 * that one runs frames
		 */
		if (!native && is_inner(c, i) && marks >= skip && at < c->lang->nr)
			continue;
		if (runs)
			put_group(m, c->lang, &at);
		if (!runs || native) {
			put(m, false, i);
			m->step[m->nr - 1].caller = hidden;
		}
		hidden = runs && !native;
		/* functions in C that a thread or a fiber began with */
		if (runs && is_all_in_c(c, at))
			put_rest(m, c->lang, &at);
	}
	/*
	 * frames of the language further out than the thread's own stack
	 * reaches
	 */
	put_rest(m, c->lang, &at);
}

/*
 * The frames of the language are native ones: they take the place of the frame at which the walk
 * of the thread's own stack has ended. If it has ended elsewhere, all frames stay.
 */
static void put_in_place(struct lang_merged *m, const struct sampler_count *c, bool native)
{
	size_t nr = c->nr_user, at = 0;

	put_native(m, c);
	if (!nr || c->user[nr - 1] != c->lang->native)
		m->said = m->said ? m->said : "unpaired";
	else if (!native && !c->lang->keeps_native)
		m->nr--;
	put_rest(m, c->lang, &at);
}

void record_lang_merge(const struct sampler_count *c, bool whole, bool native,
		       struct lang_merged *ret)
{
	struct pairing p;

	ret->nr = 0;
	ret->said = c->lang ? chain_word(c->lang->fate) : NULL;
	if (!c->lang || !c->lang->nr) {
		put_native(ret, c);
		return;
	}
	if (c->lang->native) {
		put_in_place(ret, c, native);
		return;
	}
	p = pair(c, whole);
	if (p.agree) {
		put_pairs(ret, c, &p, native);
		return;
	}
	if (!ret->said)
		ret->said = "unpaired";
	put_unpaired(ret, c);
}
