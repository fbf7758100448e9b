// SPDX-License-Identifier: GPL-2.0-only
/*
 * /api/v1/profile, /api/v1/search and /flame: the profile of a time range, in several formats.
 * /api/v1/diff and /flame compare two ranges.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "serve/daemon/api_query.h"
#include "show/flame/flame.h"
#include "profile/export.h"
#include "util/cleanup.h"

#include "util/poison.h"

#define DEFAULT_TOP 100
#define MAX_TOP 100000
#define MAX_KEEP 16
#define MAX_NAMES 512

/* A list of label names from a parameter such as "unit,command". */
struct names {
	char text[MAX_NAMES];
	const char *names[MAX_KEEP + 1];
};

static bool get_names(struct api_call *call, const char *key, struct names *n, struct reply *r)
{
	const char *text = request_get(call->request, key);
	unsigned int nr = 0;
	char *at, *end;

	if (!text)
		return true;
	if (strlen(text) >= sizeof(n->text)) {
		reply_error(r, 400, "too_long", key, "%s is too long", key);
		return false;
	}
	strcpy(n->text, text);
	for (at = n->text; (end = strsep(&at, ","));) {
		if (!*end)
			continue;
		if (nr == MAX_KEEP) {
			reply_error(r, 400, "too_many", key, "%s has more than %u labels", key,
				    MAX_KEEP);
			return false;
		}
		n->names[nr++] = end;
	}
	n->names[nr] = NULL;
	return true;
}

/* The range of the request and, for a comparison, the one before. */
struct sides {
	struct api_query query[2];
	struct profile *profile[2];
	struct store_coverage coverage[2];
	uint32_t value[2];
	unsigned int nr;
};

static void release_sides(struct sides *s)
{
	unsigned int i;

	for (i = 0; i < s->nr; i++) {
		api_query_release(&s->query[i]);
		profile_free(s->profile[i]);
	}
}

static bool read_sides(struct sides *s, struct api_call *call, unsigned int nr,
		       const char *const *keep, struct reply *r)
{
	static const char *const prefixes[] = { "", "before_" };

	/* report bad parameters of both ranges before reading the store */
	for (; s->nr < nr; s->nr++)
		if (!api_query_init(&s->query[s->nr], call, prefixes[s->nr], r))
			return false;
	for (nr = 0; nr < s->nr; nr++) {
		s->profile[nr] = api_sum_value(&s->query[nr], keep, &s->coverage[nr],
					       &s->value[nr], r);
		if (!s->profile[nr])
			return false;
	}
	return true;
}

static const char *const no_labels[] = { NULL };
static const char *const default_labels[] = { PROFILE_LABEL_COMMAND, PROFILE_LABEL_STACK,
					      NULL };

/*
 * Reads which labels become outermost frames. @keep gets these and the label that says why a stack
 * ended, which a flame graph always needs.
 */
static bool get_roots(struct api_call *call, struct names *roots, struct names *keep,
		      struct reply *r)
{
	unsigned int nr = 0;

	roots->names[0] = PROFILE_LABEL_COMMAND;
	roots->names[1] = NULL;
	if (!get_names(call, "roots", roots, r))
		return false;
	for (; roots->names[nr]; nr++)
		keep->names[nr] = roots->names[nr];
	if (nr == MAX_KEEP) {
		reply_error(r, 400, "too_many", "roots", "roots has %u labels", MAX_KEEP);
		return false;
	}
	keep->names[nr] = PROFILE_LABEL_STACK;
	keep->names[nr + 1] = NULL;
	return true;
}

static void put_flame(struct api_call *call, unsigned int nr, bool page, struct reply *r)
{
	_cleanup_(release_sides) struct sides s = { .nr = 0 };
	struct names roots = { .text = "" }, keep = { .text = "" };
	struct diag diag = { .offset = DIAG_NO_OFFSET };
	const char *title = request_get(call->request, "title");
	struct flame_options o = { .title = title ? title : "ustack", .file = { "profile", "before" },
				   .roots = roots.names };
	int err;

	if (!get_roots(call, &roots, &keep, r) || !read_sides(&s, call, nr, keep.names, r))
		return;
	memcpy(o.value, s.value, sizeof(o.value));
	err = (page ? flame_write : flame_write_data)(s.profile[0], s.profile[1], &o, r->fd, &diag);
	if (err)
		api_failed(call, err, &diag, r);
}

static void put_symbol(struct json *j, const struct calltree_symbol *s)
{
	static const char *const kinds[] = {
		[CALLTREE_USER] = "user",	[CALLTREE_KERNEL] = "kernel",
		[CALLTREE_INLINED] = "inlined", [CALLTREE_JIT] = "jit",
		[CALLTREE_UNKNOWN] = "unknown", [CALLTREE_LABEL] = "label",
	};

	json_string(j, "name", s->name);
	json_string(j, "file", s->file);
	json_string(j, "image", s->image);
	json_string(j, "kind", kinds[s->kind]);
}

/*
 * A table of functions: at most @limit of @flat, in its order, that have @match in their name,
 * source or image. @match is NULL for all.
 */
struct functions {
	const struct calltree *tree;
	const struct calltree_flat *flat;
	uint32_t nr;
	const char *match;
	uint64_t limit;
	unsigned int sides;
};

static bool matches(const struct functions *f, const struct calltree_symbol *s)
{
	return !f->match || strcasestr(s->name, f->match) || strcasestr(s->file, f->match) ||
	       strcasestr(s->image, f->match);
}

static void put_function(struct json *j, const struct functions *f, const struct calltree_flat *at)
{
	json_object(j, NULL);
	put_symbol(j, &f->tree->symbols[at->symbol]);
	json_i64(j, "self", at->self[0]);
	json_i64(j, "total", at->total[0]);
	if (f->sides > 1) {
		json_i64(j, "before_self", at->self[1]);
		json_i64(j, "before_total", at->total[1]);
	}
	json_object_end(j);
}

static void put_functions(struct json *j, const struct functions *f)
{
	uint64_t matched = 0;
	uint32_t i;

	json_i64(j, "all", f->tree->nodes[0].total[0]);
	if (f->sides > 1)
		json_i64(j, "before_all", f->tree->nodes[0].total[1]);
	json_array(j, "functions");
	for (i = 0; i < f->nr; i++) {
		if (!matches(f, &f->tree->symbols[f->flat[i].symbol]))
			continue;
		if (matched++ < f->limit)
			put_function(j, f, &f->flat[i]);
	}
	json_array_end(j);
	json_u64(j, "matched", matched);
	json_u64(j, "left_out", matched > f->limit ? matched - f->limit : 0);
}

/* How much a function's share of its range has changed, in either direction. */
static double change(const struct calltree_flat *f, const struct calltree *t)
{
	const struct calltree_node *all = &t->nodes[0];
	double now = all->total[0] ? (double)f->self[0] / (double)all->total[0] : 0;
	double before = all->total[1] ? (double)f->self[1] / (double)all->total[1] : 0;

	return now > before ? now - before : before - now;
}

static int by_change(const void *a, const void *b, void *arg)
{
	const struct calltree_flat *x = a, *y = b;
	double cx = change(x, arg), cy = change(y, arg);

	if (cx > cy || cx < cy)
		return cx > cy ? -1 : 1;
	return (x->symbol > y->symbol) - (x->symbol < y->symbol);
}

static bool get_order(struct api_call *call, const char *otherwise, bool *by_total,
		      struct reply *r)
{
	const char *text = request_get(call->request, "sort");

	if (!text)
		text = otherwise;
	*by_total = !strcmp(text, "total");
	if (*by_total || !strcmp(text, "self"))
		return true;
	reply_error(r, 400, "bad_sort", "sort", "sort is self or total");
	return false;
}

/* Writes a table of functions, for one range or two. */
static void put_table(struct api_call *call, unsigned int nr, const char *match,
		      const char *order, struct reply *r)
{
	_cleanup_(release_sides) struct sides s = { .nr = 0 };
	_cleanup_(calltree_cleanup) struct calltree *t = NULL;
	_cleanup_(cleanup_free) struct calltree_flat *flat = NULL;
	struct functions f = { .match = match, .limit = DEFAULT_TOP, .sides = nr };
	struct json j;
	bool by_total;

	if (!api_u64(call, "limit", MAX_TOP, &f.limit, r) ||
	    !get_order(call, order, &by_total, r) || !read_sides(&s, call, nr, no_labels, r))
		return;
	t = api_tree(call, s.profile[0], s.profile[1], s.value, r);
	if (!t)
		return;
	if (calltree_flat(t, by_total, &flat, &f.nr)) {
		api_failed(call, -ENOMEM, NULL, r);
		return;
	}
	f.tree = t;
	f.flat = flat;
	if (nr > 1)
		qsort_r(flat, f.nr, sizeof(*flat), by_change, t);
	api_json(&j, r, &s.query[0], &s.coverage[0]);
	json_string(&j, "value", s.query[0].value);
	json_string(&j, "unit", profile_text(s.profile[0],
					     s.profile[0]->value_types[s.value[0]].unit));
	put_functions(&j, &f);
	api_json_end(&j);
}

/*
 * Writes a format that other tools read. Without the parameter "labels", pprof gets all labels and
 * other formats get default_labels.
 */
static void put_export(struct api_call *call, enum export_format format, struct reply *r)
{
	struct export_options o = { .format = format };
	_cleanup_(release_sides) struct sides s = { .nr = 0 };
	struct diag diag = { .offset = DIAG_NO_OFFSET };
	struct names keep = { .text = "" };
	bool some = request_get(call->request, "labels");
	int err;

	if (!get_names(call, "labels", &keep, r) ||
	    !read_sides(&s, call, 1,
			some ? keep.names : format == EXPORT_PPROF ? NULL : default_labels, r))
		return;
	o.value = s.value[0];
	err = export_write(s.profile[0], &o, r->fd, &diag);
	if (err) {
		api_failed(call, err, &diag, r);
		return;
	}
	r->type = export_format_is_json(format) ? REPLY_JSON :
		  format == EXPORT_PPROF ? REPLY_BYTES : REPLY_TEXT;
	r->file = export_format_file(format);
}

static const char *get_format(struct api_call *call)
{
	const char *format = request_get(call->request, "format");

	return format ? format : "flame";
}

void api_profile(struct api_call *call, struct reply *r)
{
	const char *format = get_format(call);
	enum export_format other;

	if (!strcmp(format, "flame"))
		put_flame(call, 1, false, r);
	else if (!strcmp(format, "top"))
		put_table(call, 1, NULL, "self", r);
	else if (export_format_find(format, &other))
		put_export(call, other, r);
	else
		reply_error(r, 400, "bad_format", "format",
			    "format is flame, top, pprof, folded, speedscope, perf, firefox or chrome");
}

void api_diff(struct api_call *call, struct reply *r)
{
	const char *format = get_format(call), *match = request_get(call->request, "q");

	if (!request_get(call->request, "before_from") || !request_get(call->request, "before_to"))
		reply_error(r, 400, "missing", "before_from",
			    "before_from and before_to give the range to compare with");
	else if (!strcmp(format, "flame"))
		put_flame(call, 2, false, r);
	else if (!strcmp(format, "top"))
		put_table(call, 2, match && *match ? match : NULL, "self", r);
	else
		reply_error(r, 400, "bad_format", "format", "format is flame or top");
}

void api_search(struct api_call *call, struct reply *r)
{
	const char *match = request_get(call->request, "q");

	if (match && *match)
		put_table(call, 1, match, "total", r);
	else
		reply_error(r, 400, "missing", "q", "q is the text to search for");
}

void api_flame(struct api_call *call, struct reply *r)
{
	r->type = REPLY_HTML;
	r->policy = flame_policy;
	r->framed = true;
	put_flame(call, request_get(call->request, "before_from") ? 2 : 1, true, r);
}
