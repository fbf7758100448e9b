// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes a window for the store from an interval of the recording: rewrites each set of labels once,
 * thins samples, and keeps the comments that are still needed. daemon_windows.c calls it.
 */
#include "serve/daemon/window.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "serve/daemon/cgroup_labels.h"
#include "serve/daemon/label_cache.h"
#include "serve/daemon/labels.h"
#include "serve/daemon/pod_names.h"
#include "serve/daemon/relabel.h"
#include "profile/imagemaps.h"
#include "util/array.h"
#include "util/buffer.h"
#include "util/cleanup.h"
#include "util/clock.h"
#include "util/json.h"
#include "util/sum.h"

#include "util/poison.h"

/* First byte of a set's value in the cache; the labels follow. */
#define DROPPED 'd'
#define STAYS 's'

/**
 * struct window_rules - rules, and what is remembered from window to window
 * @relabel: relabelling rules; borrowed
 * @thin: state of thinning, or NULL; borrowed
 * @pods: finds names of pods, or NULL; borrowed
 * @comment: comment with the machine's labels
 * @cache: results of rewriting by sets of labels
 * @set: the set that is being rewritten
 * @key: buffer for a key of @cache
 * @value: buffer for a value of @cache
 */
struct window_rules {
	struct relabel *relabel;
	struct thin *thin;
	struct pod_names *pods;
	char *comment;
	struct label_cache *cache;
	struct labels set;
	struct buffer key;
	struct buffer value;
};

enum state {
	SET_UNKNOWN,
	SET_DROPPED,
	SET_STAYS,
};

/**
 * struct set - the result for a set of labels
 * @state: whether samples with this set stay
 * @labels: number of the rewritten set in the window
 * @service: number of the service that it belongs to, for thin.h
 */
struct set {
	enum state state;
	uint32_t labels;
	uint32_t service;
};

/**
 * struct maker - a window that is being made
 * @in: the interval
 * @rules: the rules
 * @out: the window
 * @counts: gets counts
 * @sets: results by the numbers of sets in @in
 * @samples: samples that stay
 * @nr_samples: number of entries in @samples
 * @samples_value: index of the value that is the number of samples; PROFILE_MAX_VALUES: none
 * @no_memory: memory was short: the window fails
 */
struct maker {
	const struct profile *in;
	struct window_rules *rules;
	struct profile *out;
	struct window_counts *counts;
	struct set *sets;
	struct profile_sample *samples;
	uint32_t nr_samples;
	uint32_t samples_value;
	bool no_memory;
};

/* Makes the comment "labels: {...}" with the machine's labels. */
static int make_comment(const struct config_pairs *labels, char **ret)
{
	size_t len, i;
	FILE *f = open_memstream(ret, &len);
	struct json j;

	if (!f)
		return -ENOMEM;
	fputs(WINDOW_LABELS, f);
	json_init(&j, f);
	json_object(&j, NULL);
	for (i = 0; i < labels->nr; i++)
		json_string(&j, labels->pair[i].name, labels->pair[i].value);
	json_object_end(&j);
	return fclose(f) ? -ENOMEM : 0;
}

int window_rules_new(struct relabel *relabel, const struct config_pairs *labels,
		     struct thin *thin, struct pod_names *pods, struct window_rules **ret)
{
	struct window_rules *r = calloc(1, sizeof(*r));

	if (!r)
		return -ENOMEM;
	r->relabel = relabel;
	r->thin = thin;
	r->pods = pods;
	labels_init(&r->set);
	r->cache = label_cache_new(WINDOW_CACHE_BYTES);
	if (!r->cache || make_comment(labels, &r->comment)) {
		window_rules_free(r);
		return -ENOMEM;
	}
	*ret = r;
	return 0;
}

void window_rules_free(struct window_rules *r)
{
	if (!r)
		return;
	labels_release(&r->set);
	label_cache_free(r->cache);
	free(r->comment);
	buffer_release(&r->key);
	buffer_release(&r->value);
	free(r);
}

static void put_text(struct buffer *b, const char *text)
{
	buffer_put(b, text, strlen(text) + 1);
}

/* Makes bytes from a set's labels that are different for each set. */
static bool make_key(struct maker *m, uint32_t set)
{
	const struct profile_labels *l = &m->in->labels[set];
	struct buffer *key = &m->rules->key;
	uint32_t i;

	buffer_clear(key);
	for (i = 0; i < l->nr; i++) {
		const struct profile_label *label = &m->in->label[l->first + i];
		bool text = label->str;

		put_text(key, profile_text(m->in, label->key));
		buffer_put(key, &text, 1);
		if (text)
			put_text(key, profile_text(m->in, label->str));
		else
			buffer_put(key, &label->num, sizeof(label->num));
	}
	return !key->failed;
}

/* Adds a label with "__" in front of its name, unless the set has it already. */
static void add_meta(struct labels *set, const char *name, const char *value)
{
	char meta[LABELS_MAX_NAME + 1];

	if (snprintf(meta, sizeof(meta), "__%s", name) >= (int)sizeof(meta) ||
	    !labels_is_name(meta))
		set->left_out++;
	else if (!*labels_get(set, meta))
		labels_set(set, meta, value);
}

/* Adds names of the pod. Return: whether they will not change later. */
static bool add_pod(struct labels *set, struct pod_names *pods, const struct cgroup_labels *c)
{
	struct pod_name name;

	if (!pods || !*c->pod_uid || !strcmp(c->runtime, "podman"))
		return true;
	pod_names_find(pods, c->pod_uid, c->container_id, clock_ns(CLOCK_MONOTONIC), &name);
	add_meta(set, "pod_name", name.pod);
	add_meta(set, "namespace", name.space);
	add_meta(set, "container_name", name.container);
	return name.sure;
}

static bool add_cgroup(struct labels *set, struct pod_names *pods, const char *path)
{
	struct cgroup_labels c;

	cgroup_labels(path, &c);
	add_meta(set, "unit", c.unit);
	add_meta(set, "slice", c.slice);
	add_meta(set, "container_id", c.container_id);
	add_meta(set, "container_runtime", c.runtime);
	add_meta(set, "pod_uid", c.pod_uid);
	return add_pod(set, pods, &c);
}

/* Fills a set with the labels of a sample. Return: whether the result may be cached. */
static bool fill(struct labels *set, struct pod_names *pods, const struct profile *p,
		 uint32_t number)
{
	const struct profile_labels *l = &p->labels[number];
	const char *cgroup;
	char decimal[24];
	uint32_t i;

	labels_clear(set);
	for (i = 0; i < l->nr; i++) {
		const struct profile_label *label = &p->label[l->first + i];

		snprintf(decimal, sizeof(decimal), "%" PRId64, label->num);
		add_meta(set, profile_text(p, label->key),
			 label->str ? profile_text(p, label->str) : decimal);
	}
	cgroup = profile_label_text(p, number, PROFILE_LABEL_CGROUP);
	return !cgroup || add_cgroup(set, pods, cgroup);
}

/* Rewrites a set, and puts the result into @m->rules->value in the form of the cache. */
static bool make_value(struct maker *m, uint32_t number, bool *sure)
{
	struct labels *set = &m->rules->set;
	struct buffer *value = &m->rules->value;
	uint64_t left_out = set->left_out;
	bool stays;
	size_t i;

	*sure = fill(set, m->rules->pods, m->in, number);
	stays = relabel_apply(m->rules->relabel, set);
	m->counts->labels_left_out += set->left_out - left_out;
	buffer_clear(value);
	buffer_put(value, stays ? &(char){ STAYS } : &(char){ DROPPED }, 1);
	for (i = 0; stays && i < set->nr; i++) {
		if (!strncmp(set->label[i].name, "__", 2))
			continue;
		put_text(value, set->label[i].name);
		put_text(value, set->label[i].value);
	}
	return !value->failed;
}

/* The result for a set, from the cache or newly made. Return: NULL without memory. */
static const char *value_of(struct maker *m, uint32_t set, size_t *len)
{
	struct window_rules *r = m->rules;
	const char *value;
	bool sure;

	if (!make_key(m, set))
		return NULL;
	m->counts->sets++;
	value = label_cache_find(r->cache, r->key.at, r->key.len, len);
	if (value) {
		m->counts->cached++;
		return value;
	}
	if (!make_value(m, set, &sure))
		return NULL;
	/* not cached while the name of a new container may still come */
	if (sure)
		label_cache_put(r->cache, r->key.at, r->key.len, r->value.at, r->value.len);
	*len = r->value.len;
	return (const char *)r->value.at;
}

/* Whether @text is a number of at most 32 bits, written as printf() does. */
static bool is_number(const char *text, int64_t *ret)
{
	size_t digits = strspn(text, "0123456789");

	if (!digits || text[digits] || digits > 10 || (*text == '0' && digits > 1))
		return false;
	*ret = strtoll(text, NULL, 10);
	return *ret <= UINT32_MAX;
}

static struct profile_label label_of(struct profile *p, const char *name, const char *value)
{
	struct profile_label l = { .key = profile_string(p, name) };

	if ((strcmp(name, PROFILE_LABEL_PID) && strcmp(name, PROFILE_LABEL_TID)) ||
	    !is_number(value, &l.num))
		l.str = profile_string(p, value);
	return l;
}

/* Adds the cached labels to the window, and finds the service. */
static void take_set(struct maker *m, struct set *set, const char *value, size_t len)
{
	struct profile_label label[LABELS_MAX];
	const char *end = value + len, *service = "", *name;
	struct thin *thin = m->rules->thin;
	uint32_t nr = 0;

	set->state = *value == STAYS ? SET_STAYS : SET_DROPPED;
	for (value++; value < end && nr < LABELS_MAX; value += strlen(value) + 1) {
		name = value;
		value += strlen(value) + 1;
		label[nr++] = label_of(m->out, name, value);
		if (thin && !strcmp(name, thin_label(thin)))
			service = value;
	}
	set->labels = profile_labels(m->out, label, nr);
	if (thin && set->state == SET_STAYS)
		set->service = thin_service(thin, service);
}

static struct set *set_of(struct maker *m, uint32_t number)
{
	struct set *set = &m->sets[number];
	const char *value;
	size_t len;

	if (set->state != SET_UNKNOWN)
		return set;
	value = value_of(m, number, &len);
	if (value)
		take_set(m, set, value, len);
	else
		m->no_memory = true;
	return set;
}

static void take_sample(struct maker *m, const struct profile_sample *s)
{
	struct profile_sample *to = &m->samples[m->nr_samples];
	struct set *set = set_of(m, s->labels);
	uint32_t i;

	m->counts->samples++;
	if (set->state == SET_DROPPED) {
		m->counts->dropped++;
		for (i = 0; i < m->in->nr_value_types; i++)
			m->counts->dropped_value[i] = sum_i64(m->counts->dropped_value[i],
							      s->value[i]);
		return;
	}
	*to = *s;
	to->labels = set->labels;
	if (m->rules->thin && !thin_values(m->rules->thin, set->service, to->value,
					   m->in->nr_value_types, m->samples_value)) {
		m->counts->thinned++;
		return;
	}
	m->nr_samples++;
}

static uint32_t find_samples_value(const struct profile *p)
{
	uint32_t i;

	for (i = 0; i < p->nr_value_types; i++)
		if (!strcmp(profile_text(p, p->value_types[i].type), "samples") &&
		    !strcmp(profile_text(p, p->value_types[i].unit), "count"))
			return i;
	return PROFILE_MAX_VALUES;
}

static int compare_pids(const void *x, const void *y)
{
	uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;

	return a < b ? -1 : a > b;
}

/* The process id in a set of the window, or 0. */
static uint32_t pid_of(const struct profile *p, uint32_t set)
{
	const struct profile_labels *l = &p->labels[set];
	uint32_t i;

	for (i = 0; i < l->nr; i++) {
		const struct profile_label *label = &p->label[l->first + i];

		if (!label->str && !strcmp(profile_text(p, label->key), PROFILE_LABEL_PID))
			return (uint32_t)label->num;
	}
	return 0;
}

/* Process ids of the samples that are left, ascending. Return: NULL without memory. */
static uint32_t *used_pids(const struct profile *p, uint32_t *nr)
{
	_cleanup_(cleanup_free) uint8_t *used = calloc(p->nr_labels, 1);
	uint32_t *pids = calloc(p->nr_labels, sizeof(*pids)), i;

	if (!used || !pids) {
		free(pids);
		return NULL;
	}
	for (i = 0; i < p->nr_samples; i++)
		used[p->samples[i].labels] = 1;
	*nr = 0;
	for (i = 1; i < p->nr_labels; i++)
		if (used[i])
			pids[(*nr)++] = pid_of(p, i);
	qsort(pids, *nr, sizeof(*pids), compare_pids);
	return pids;
}

/* Adds the comments: image maps of processes that are left, all others, the machine's labels. */
static void add_comments(struct maker *m)
{
	const struct profile *in = m->in;
	_cleanup_(cleanup_free) uint32_t *pids = NULL;
	uint32_t nr, i, pid;

	pids = used_pids(m->out, &nr);
	if (!pids) {
		m->no_memory = true;
		return;
	}
	for (i = 0; i < in->nr_comments; i++) {
		pid = profile_is_imagemap(in, i) ? profile_imagemap_pid(in, i) : 0;
		if (!profile_is_imagemap(in, i) ||
		    (pid && bsearch(&pid, pids, nr, sizeof(pid), compare_pids)))
			profile_comment(m->out, profile_text(in, in->comments[i]));
	}
	profile_comment(m->out, m->rules->comment);
}

static void make(struct maker *m, uint64_t seed)
{
	uint64_t failures = relabel_failures(m->rules->relabel);
	struct thin *thin = m->rules->thin;
	uint32_t i;

	if (thin)
		thin_begin(thin, m->in->duration_ns, seed);
	for (i = 0; i < m->in->nr_samples && !m->no_memory; i++)
		take_sample(m, &m->in->samples[i]);
	if (thin)
		thin_end(thin);
	m->counts->match_failures = relabel_failures(m->rules->relabel) - failures;
	profile_merge_samples(m->out, m->in, m->samples, m->nr_samples);
	add_comments(m);
}

int window_make(const struct profile *in, struct window_rules *rules, uint64_t seed,
		struct profile **ret, struct window_counts *counts)
{
	_cleanup_(cleanup_free) struct set *sets = NULL;
	_cleanup_(cleanup_free) struct profile_sample *samples = NULL;
	struct window_counts unused;
	struct maker m = { .in = in, .rules = rules, .counts = counts ?: &unused };
	int err = profile_error(in);

	if (err)
		return err;
	*m.counts = (struct window_counts){ 0 };
	m.samples_value = find_samples_value(in);
	m.sets = sets = calloc(in->nr_labels, sizeof(*sets));
	m.samples = samples = calloc((size_t)in->nr_samples + 1, sizeof(*samples));
	m.out = profile_new();
	if (!sets || !samples || !m.out) {
		profile_free(m.out);
		return -ENOMEM;
	}
	make(&m, seed);
	err = m.no_memory ? -ENOMEM : profile_error(m.out);
	if (err)
		profile_free(m.out);
	else
		*ret = m.out;
	return err;
}
