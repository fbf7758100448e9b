// SPDX-License-Identifier: GPL-2.0-only
/* A test double for the store: keeps windows in memory and answers queries in the simplest way. */
#include "fake_store.h"

#include <errno.h>
#include <inttypes.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "serve/store/query.h"

#define MAX_WINDOWS 4096
#define MAX_TERMS 16
#define MAX_TEXT 16384

static struct profile *windows[MAX_WINDOWS];
static unsigned int nr_windows;
static int failure;

void fake_store_append(struct profile *window)
{
	if (nr_windows == MAX_WINDOWS)
		abort();
	windows[nr_windows++] = window;
}

void fake_store_clear(void)
{
	while (nr_windows)
		profile_free(windows[--nr_windows]);
	failure = 0;
}

void fake_store_fail(int err)
{
	failure = err;
}

struct term {
	char key[MAX_TEXT];
	char value[MAX_TEXT];
	enum store_match how;
	regex_t regex;
};

struct store_selector {
	struct term terms[MAX_TERMS];
	unsigned int nr;
};

static int bad(const char *text, const char *at, const char *what, struct diag *diag)
{
	diag_set(diag, EINVAL, NULL, "%s", what);
	if (diag)
		diag->offset = (uint64_t)(at - text);
	return -EINVAL;
}

int store_selector_add(struct store_selector *s, const char *key, enum store_match how,
		       const char *value, struct diag *diag)
{
	char whole[MAX_TEXT + 8];
	struct term *t;

	if (s->nr == MAX_TERMS || strlen(key) >= MAX_TEXT || strlen(value) >= MAX_TEXT)
		return bad(key, key, "too much", diag);
	t = &s->terms[s->nr];
	strcpy(t->key, key);
	strcpy(t->value, value);
	t->how = how;
	snprintf(whole, sizeof(whole), "^(%s)$", value);
	if (how >= STORE_MATCH && regcomp(&t->regex, whole, REG_EXTENDED | REG_NOSUB))
		return bad(key, key, "no regular expression", diag);
	s->nr++;
	return 0;
}

/* Parses KEY OP "VALUE". Return: the text after it; NULL after an error, which is in @err. */
static const char *one_term(struct store_selector *s, const char *text, const char *at,
			    int *err, struct diag *diag)
{
	char key[MAX_TEXT] = "", value[MAX_TEXT] = "";
	size_t len = strcspn(at, "=!{}\" ,"), n = 0;
	enum store_match how;

	if (!len || len >= sizeof(key)) {
		*err = bad(text, at, "a label is missing", diag);
		return NULL;
	}
	memcpy(key, at, len);
	at += len;
	how = at[0] == '!' ? at[1] == '~' ? STORE_NOT_MATCH : STORE_NOT_EQUAL :
	      at[0] == '=' && at[1] == '~' ? STORE_MATCH : STORE_EQUAL;
	if (*at != '=' && (*at != '!' || (at[1] != '=' && at[1] != '~'))) {
		*err = bad(text, at, "=, !=, =~ or !~ is missing", diag);
		return NULL;
	}
	at += how == STORE_EQUAL ? 1 : 2;
	if (*at++ != '"') {
		*err = bad(text, at - 1, "a quote is missing", diag);
		return NULL;
	}
	while (*at && *at != '"' && n + 1 < sizeof(value)) {
		at += *at == '\\' && at[1];
		value[n++] = *at++;
	}
	if (*at != '"') {
		*err = bad(text, at, "a quote is missing", diag);
		return NULL;
	}
	*err = store_selector_add(s, key, how, value, diag);
	return at + 1;
}

int store_selector_new(const char *text, struct store_selector **ret, struct diag *diag)
{
	const char *at = text ? text : "";
	int err = 0;

	*ret = calloc(1, sizeof(**ret));
	if (!*ret)
		return -ENOMEM;
	at += strspn(at, " {");
	while (!err && *at && *at != '}') {
		at = one_term(*ret, text, at, &err, diag);
		if (!err)
			at += strspn(at, " ,");
	}
	if (err) {
		store_selector_free(*ret);
		*ret = NULL;
	}
	return err;
}

void store_selector_free(struct store_selector *s)
{
	unsigned int i;

	for (i = 0; s && i < s->nr; i++)
		if (s->terms[i].how >= STORE_MATCH)
			regfree(&s->terms[i].regex);
	free(s);
}

static const char *label_text(const struct profile *p, uint32_t labels, const char *key,
			      char buf[24])
{
	const struct profile_labels *set = &p->labels[labels];
	uint32_t i;

	for (i = set->first; i < set->first + set->nr; i++) {
		if (strcmp(profile_text(p, p->label[i].key), key))
			continue;
		if (p->label[i].str)
			return profile_text(p, p->label[i].str);
		snprintf(buf, 24, "%" PRId64, p->label[i].num);
		return buf;
	}
	return "";
}

int store_selector_error(const struct store_selector *s)
{
	return 0;
}

bool store_selector_matches(struct store_selector *s, const struct profile *p, uint32_t labels)
{
	unsigned int i;
	char buf[24];

	for (i = 0; s && i < s->nr; i++) {
		const struct term *t = &s->terms[i];
		const char *text = label_text(p, labels, t->key, buf);
		bool is = t->how >= STORE_MATCH ? !regexec(&t->regex, text, 0, NULL, 0) :
						  !strcmp(text, t->value);

		if (is != (t->how == STORE_EQUAL || t->how == STORE_MATCH))
			return false;
	}
	return true;
}

static bool in_range(const struct store_query *q, const struct profile *p)
{
	uint64_t middle = p->time_ns + p->duration_ns / 2;

	return middle >= q->from_ns && (!q->to_ns || middle < q->to_ns);
}

/* The next window of a query, or NULL at its end or when it stops. */
static const struct profile *next(const struct store_query *q, unsigned int *i,
				  struct store_coverage *c, int *err)
{
	const struct profile *p;

	*err = failure;
	while (!*err && *i < nr_windows) {
		p = windows[(*i)++];
		if (q->stop && q->stop(q->arg))
			*err = -EINTR;
		if (*err || !in_range(q, p))
			continue;
		if (q->window)
			q->window(p->time_ns + p->duration_ns / 2, p->duration_ns, q->window_arg);
		if (c) {
			c->windows++;
			c->first_ns = c->first_ns && c->first_ns < p->time_ns ? c->first_ns : p->time_ns;
			c->last_ns = p->time_ns + p->duration_ns > c->last_ns ?
				     p->time_ns + p->duration_ns : c->last_ns;
		}
		return p;
	}
	return NULL;
}

static bool is_kept(const char *const *keep, const char *key)
{
	if (!keep)
		return true;
	for (; *keep; keep++)
		if (!strcmp(*keep, key))
			return true;
	return false;
}

/* Copies a label set to another profile, without the labels that are not kept. */
static uint32_t map_labels(const struct profile *from, uint32_t labels, struct profile *to,
			   const char *const *keep)
{
	const struct profile_labels *set = &from->labels[labels];
	struct profile_label label[PROFILE_MAX_LABELS];
	uint32_t i, nr = 0;

	for (i = set->first; i < set->first + set->nr; i++) {
		const struct profile_label *l = &from->label[i];

		if (is_kept(keep, profile_text(from, l->key)))
			label[nr++] = (struct profile_label){
				.key = profile_string(to, profile_text(from, l->key)),
				.str = profile_string(to, profile_text(from, l->str)),
				.unit = profile_string(to, profile_text(from, l->unit)),
				.num = l->num,
			};
	}
	return profile_labels(to, label, nr);
}

int store_sum(const char *dir, const struct store_query *q, struct profile *into,
	      struct store_coverage *ret, struct diag *diag)
{
	const struct profile *p;
	unsigned int i = 0;
	uint32_t k;
	int err;

	while ((p = next(q, &i, ret, &err))) {
		struct profile *some = profile_new();

		/* a copy whose samples have other labels, or 0 values if they are not selected */
		profile_merge(some, p);
		for (k = 0; k < some->nr_samples; k++) {
			bool in = store_selector_matches(q->selector, p, p->samples[k].labels);

			some->samples[k].labels = in ? map_labels(p, p->samples[k].labels, some,
								  q->keep) : 0;
			if (!in)
				memset(some->samples[k].value, 0, sizeof(some->samples[k].value));
		}
		profile_merge(into, some);
		profile_free(some);
	}
	return err;
}

struct cell {
	char *group;
	uint64_t at_ns;
	int64_t value;
	int64_t all;
};

static int by_group(const void *a, const void *b)
{
	const struct cell *x = a, *y = b;
	int names = strcmp(x->group, y->group);

	return x->all != y->all ? (x->all > y->all ? -1 : 1) :
	       names ? names : (x->at_ns > y->at_ns) - (x->at_ns < y->at_ns);
}

static void count(struct cell **cells, size_t *nr, const char *group, uint64_t at, int64_t value)
{
	size_t i;

	for (i = 0; i < *nr; i++)
		if ((*cells)[i].at_ns == at && !strcmp((*cells)[i].group, group))
			break;
	if (i == *nr) {
		*cells = realloc(*cells, ++*nr * sizeof(**cells));
		(*cells)[i] = (struct cell){ .group = strdup(group), .at_ns = at };
	}
	(*cells)[i].value += value;
}

static int32_t value_index(const struct profile *p, const char *name)
{
	uint32_t i;

	for (i = 0; i < p->nr_value_types; i++)
		if (!strcmp(profile_text(p, p->value_types[i].type), name))
			return (int32_t)i;
	return -1;
}

int store_series(const char *dir, const struct store_query *q, const char *label,
		 const char *value_type, uint64_t step_ns,
		 int (*point)(const struct store_point *point, void *arg), void *arg,
		 struct store_coverage *ret, struct diag *diag)
{
	const struct profile *p;
	struct cell *cells = NULL;
	size_t nr = 0, k, m;
	unsigned int i = 0;
	char buf[24];
	int err, end = 0;

	while ((p = next(q, &i, ret, &err))) {
		uint64_t middle = p->time_ns + p->duration_ns / 2;
		int32_t v = value_index(p, value_type);

		for (k = 0; v >= 0 && k < p->nr_samples; k++)
			if (store_selector_matches(q->selector, p, p->samples[k].labels))
				count(&cells, &nr, label ? label_text(p, p->samples[k].labels, label,
								      buf) : "",
				      middle - middle % step_ns, p->samples[k].value[v]);
	}
	for (k = 0; k < nr; k++)
		for (m = 0; m < nr; m++)
			if (!strcmp(cells[k].group, cells[m].group))
				cells[k].all += cells[m].value;
	if (nr)
		qsort(cells, nr, sizeof(*cells), by_group);
	for (k = 0; k < nr; k++) {
		const struct store_point at = { cells[k].group, cells[k].at_ns, cells[k].value };

		if (!err && !end && at.value)
			end = point(&at, arg);
		free(cells[k].group);
	}
	free(cells);
	return err ? err : end;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct cell *)a)->group, ((const struct cell *)b)->group);
}

int store_values(const char *dir, const struct store_query *q, const char *label,
		 int (*take)(const char *text, uint64_t samples, void *arg), void *arg,
		 struct store_coverage *ret, struct diag *diag)
{
	const struct profile *p;
	struct cell *cells = NULL;
	size_t nr = 0, k;
	unsigned int i = 0;
	char buf[24];
	int err, end = 0;
	uint32_t m;

	while ((p = next(q, &i, ret, &err)))
		for (k = 0; k < p->nr_samples; k++) {
			const struct profile_labels *set = &p->labels[p->samples[k].labels];

			if (!store_selector_matches(q->selector, p, p->samples[k].labels))
				continue;
			if (label && *label_text(p, p->samples[k].labels, label, buf))
				count(&cells, &nr, label_text(p, p->samples[k].labels, label, buf), 0, 1);
			for (m = set->first; !label && m < set->first + set->nr; m++)
				count(&cells, &nr, profile_text(p, p->label[m].key), 0, 1);
		}
	if (nr)
		qsort(cells, nr, sizeof(*cells), by_name);
	for (k = 0; k < nr; k++) {
		if (!err && !end)
			end = take(cells[k].group, (uint64_t)cells[k].value, arg);
		free(cells[k].group);
	}
	free(cells);
	return err ? err : end;
}
