// SPDX-License-Identifier: GPL-2.0-only
/*
 * Chains are regular expressions over function names, written innermost frame first and
 * compiled in reverse into one automaton for each scenario. A sample is read from its outermost
 * frame, and every state may be the last one, because a sample may be taken before the next
 * call.
 *
 * \tpath  := item+
 * \titem  := atom [ ? | * | + | {n} | {m,n} ]
 * \tatom  := NAME | @libc | @signal | @start | @thread | ( path | path ... )
 *
 * @signal stands between a handler and the code that it interrupts: anywhere in the rest of the
 * same path. @start stands for the frames below main(): none, or the frames of libc down to
 * _start; @thread is the same for threads.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "grammar.h"
#include "truth.h"

#define STATES 1024

const char *const token_libc = "@libc";
const char *const token_signal = "@signal";

struct edge {
	int from, to;
	const char *name;	/* NULL: takes no frame */
};

struct scenario {
	const char *name;
	struct edge *edges;
	size_t nr_edges;
	int nr_states;
};

struct states {
	bool on[STATES];
};

static struct scenario *scenarios;
static size_t nr_scenarios;
static bool libc_is_whole;

static int new_state(struct scenario *s)
{
	if (s->nr_states == STATES)
		die("scenario %s is too large", s->name);
	return s->nr_states++;
}

static void new_edge(struct scenario *s, int from, int to, const char *name)
{
	GROW(s->edges, s->nr_edges);
	s->edges[s->nr_edges++] = (struct edge){ from, to, name };
}

static int compile_alt(struct scenario *s, const char *text, size_t length,
		       int from);

/* up to `most` frames of stock files; all of them if whole */
static int compile_bottom(struct scenario *s, int most, int from)
{
	int end = new_state(s), at = end;

	/* outermost first: reading starts anywhere in a run of `most` frames */
	while (most--) {
		int before = new_state(s);

		new_edge(s, before, at, token_libc);
		if (!libc_is_whole || !most)
			new_edge(s, from, before, NULL);
		at = before;
	}
	if (!libc_is_whole)
		new_edge(s, from, end, NULL);
	return end;
}

static int compile_atom(struct scenario *s, const char *text, size_t length,
			int from)
{
	char name[128];
	int to;

	if (text[0] == '(')
		return compile_alt(s, text + 1, length - 2, from);
	if (length >= sizeof(name))
		die("scenario %s: a name too long", s->name);
	memcpy(name, text, length);
	name[length] = 0;
	if (!strcmp(name, "@start"))
		return compile_bottom(s, 3, from);
	if (!strcmp(name, "@thread"))
		return compile_bottom(s, 2, from);
	to = new_state(s);
	if (!strcmp(name, token_libc))
		new_edge(s, from, to, token_libc);
	else if (!strcmp(name, token_signal))
		new_edge(s, from, to, token_signal);
	else if (name[0] == '@')
		die("scenario %s: no such thing as %s", s->name, name);
	else
		new_edge(s, from, to, intern(name));
	return to;
}

struct item {
	const char *text;
	size_t length;
	int least, most;	/* most < 0: no limit */
};

static const char *read_count(struct item *item, const char *p)
{
	char *end;

	item->least = item->most = 1;
	switch (*p) {
	case '?': item->least = 0; return p + 1;
	case '*': item->least = 0; item->most = -1; return p + 1;
	case '+': item->most = -1; return p + 1;
	case '{': break;
	default: return p;
	}
	item->least = item->most = strtol(p + 1, &end, 10);
	if (*end == ',')
		item->most = strtol(end + 1, &end, 10);
	if (*end != '}')
		die("bad count: %s", p);
	return end + 1;
}

/* one item of a path; NULL at its end */
static const char *read_item(struct item *item, const char *p, const char *end)
{
	int depth = 0;

	while (p < end && isspace((unsigned char)*p))
		p++;
	if (p == end)
		return NULL;
	item->text = p;
	for (; p < end; p++) {
		if (*p == '(')
			depth++;
		else if (*p == ')' && !--depth) {
			p++;
			break;
		} else if (!depth && strchr(" \t?*+{", *p))
			break;
	}
	if (depth)
		die("a parenthesis is open: %.*s", (int)(end - item->text),
		    item->text);
	item->length = p - item->text;
	return read_count(item, p);
}

static int compile_item(struct scenario *s, const struct item *item, int from)
{
	int i, at = from, end, loop;

	for (i = 0; i < item->least; i++)
		at = compile_atom(s, item->text, item->length, at);
	if (item->most < 0) {
		loop = new_state(s);
		new_edge(s, at, loop, NULL);
		end = compile_atom(s, item->text, item->length, loop);
		new_edge(s, end, loop, NULL);
		return loop;
	}
	end = new_state(s);
	for (; i < item->most; i++) {
		new_edge(s, at, end, NULL);
		at = compile_atom(s, item->text, item->length, at);
	}
	new_edge(s, at, end, NULL);
	return end;
}

static void follow_free_edges(const struct scenario *s, struct states *set)
{
	bool more = true;
	size_t i;

	while (more) {
		more = false;
		for (i = 0; i < s->nr_edges; i++) {
			const struct edge *e = &s->edges[i];

			if (!e->name && set->on[e->from] && !set->on[e->to])
				more = set->on[e->to] = true;
		}
	}
}

/*
 * A signal may come at every state of the path so far, once it has a frame: not at states that
 * its start reaches without a frame.
 */
static int compile_signal(struct scenario *s, int start, int first)
{
	struct states none = { 0 };
	int i, now = s->nr_states;

	none.on[start] = true;
	follow_free_edges(s, &none);
	new_state(s);
	for (i = first; i < now; i++)
		if (!none.on[i])
			new_edge(s, i, now, NULL);
	return now;
}

static int compile_path(struct scenario *s, const char *text, size_t length,
			int from)
{
	const char *p = text, *end = text + length;
	int first = s->nr_states, at = from;
	struct item *items = NULL, item;
	size_t count = 0;

	while ((p = read_item(&item, p, end))) {
		GROW(items, count);
		items[count++] = item;
	}
	while (count--) {
		if (!strncmp(items[count].text, token_signal, 7))
			at = compile_signal(s, from, first);
		at = compile_item(s, &items[count], at);
	}
	free(items);
	return at;
}

static int compile_alt(struct scenario *s, const char *text, size_t length,
		       int from)
{
	int depth = 0, to = new_state(s);
	size_t i, begin = 0;

	for (i = 0; i <= length; i++) {
		if (i < length && text[i] == '(')
			depth++;
		if (i < length && text[i] == ')')
			depth--;
		if (i == length || (text[i] == '|' && !depth)) {
			int start = new_state(s);

			new_edge(s, from, start, NULL);
			new_edge(s, compile_path(s, text + begin, i - begin,
						 start), to, NULL);
			begin = i + 1;
		}
	}
	return to;
}

static bool wanted(const char *name, const char *const *only, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (!strcmp(only[i], name))
			return true;
	return !count;
}

void grammar_load(const char *path, const char *const *only, size_t nr_only,
		  bool whole_libc)
{
	struct scenario *s = NULL;
	static char line[1024], name[64];
	FILE *f = fopen(path, "r");

	if (!f)
		die("cannot open %s", path);
	libc_is_whole = whole_libc;
	while (fgets(line, sizeof(line), f)) {
		line[strcspn(line, "#\n")] = 0;
		if (sscanf(line, "scenario %63s", name) == 1) {
			s = NULL;
			if (!wanted(name, only, nr_only))
				continue;
			GROW(scenarios, nr_scenarios);
			s = &scenarios[nr_scenarios++];
			*s = (struct scenario){ .name = intern(name) };
			new_state(s);	/* 0: before the outermost frame */
		} else if (s && line[strspn(line, " \t")]) {
			compile_alt(s, line, strlen(line), 0);
		}
	}
	fclose(f);
	if (!nr_scenarios || nr_scenarios < nr_only)
		die("%s: not every scenario asked for is there", path);
}

const char *grammar_scenario(size_t index)
{
	return index < nr_scenarios ? scenarios[index].name : NULL;
}

static bool step(const struct scenario *s, struct states *set, const char *name)
{
	struct states next = { 0 };
	bool any = false;
	size_t i;

	for (i = 0; i < s->nr_edges; i++) {
		const struct edge *e = &s->edges[i];

		if (e->name == name && set->on[e->from])
			any = next.on[e->to] = true;
	}
	*set = next;
	follow_free_edges(s, set);
	return any;
}

static bool accepts(const struct scenario *s, struct states *set,
		    const char *const *names, size_t count)
{
	size_t i;

	follow_free_edges(s, set);
	for (i = 0; i < count; i++)
		if (!step(s, set, names[i]))
			return false;
	return true;
}

/*
 * On arm64 a step by a frame record does not tell SP, which the row of its caller needs. So a stack that goes on
 * through a stock file without a table may end at the function of ours that called it.
 */
static void cut_callers(const struct scenario *s, struct states *set)
{
	struct states calls = { 0 };
	bool more = true;
	size_t i;

	for (i = 0; i < s->nr_edges; i++)
		if (s->edges[i].name == token_libc)
			calls.on[s->edges[i].from] = true;
	while (more) {
		more = false;
		for (i = 0; i < s->nr_edges; i++) {
			const struct edge *e = &s->edges[i];

			if (!e->name && calls.on[e->to] && !calls.on[e->from])
				more = calls.on[e->from] = true;
		}
	}
	for (i = 0; i < s->nr_edges; i++)
		if (s->edges[i].name && calls.on[s->edges[i].to])
			set->on[s->edges[i].from] = true;
}

/* the states where a stack may begin that has lost its outer end */
static void cut_states(const struct scenario *s, struct states *set,
		       bool anywhere)
{
	size_t i;

	if (!strcmp(truth_arch(), "aarch64"))
		cut_callers(s, set);

	for (i = 0; i < s->nr_edges; i++) {
		const struct edge *e = &s->edges[i];
		bool stock = e->name == token_libc || e->name == token_signal;

		if (stock || anywhere)
			set->on[e->from] = set->on[e->to] = true;
	}
}

enum verdict grammar_match(const char *const *names, size_t count,
			   bool cut_anywhere, const char **scenario)
{
	size_t i;

	for (i = 0; i < nr_scenarios; i++) {
		struct states set = { .on = { [0] = true } };

		*scenario = scenarios[i].name;
		if (accepts(&scenarios[i], &set, names, count))
			return CHAIN_WHOLE;
	}
	for (i = 0; i < nr_scenarios; i++) {
		struct states set = { 0 };

		*scenario = scenarios[i].name;
		if (!libc_is_whole || cut_anywhere)
			cut_states(&scenarios[i], &set, cut_anywhere);
		if (accepts(&scenarios[i], &set, names, count))
			return CHAIN_CUT;
	}
	*scenario = NULL;
	return CHAIN_WRONG;
}
