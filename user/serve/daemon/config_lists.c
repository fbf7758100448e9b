// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads the parts of the configuration that are lists or maps: samples_per_hour, the machine's
 * labels, relabelling rules, and addresses to listen on. config.c calls it by its tables of keys.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "serve/daemon/config_read.h"
#include "serve/daemon/config_value.h"
#include "serve/daemon/labels.h"
#include "serve/daemon/relabel.h"
#include "util/cleanup.h"
#include "util/text.h"

#include "util/poison.h"

#define SAID 64
/* Samples in an hour: more than anybody needs, and exact as a double. */
#define MAX_SAMPLES 1000000000000ull

static int take_targets(struct config_reader *r, const struct yaml_node *value, void *field,
			const struct config_key *key)
{
	struct config_thinning *t = config_struct(field, struct config_thinning, target);
	const struct yaml_node *n;
	int err;

	if (!config_is(r, value, key, YAML_MAPPING))
		return -EINVAL;
	t->target = calloc(config_count(value) + 1, sizeof(*t->target));
	if (!t->target)
		return -ENOMEM;
	for (n = value->first; n; n = n->next) {
		struct config_target *to = &t->target[t->nr];

		if (yaml_tree_is_null(n))
			continue;
		err = config_take_u64(r, n, &to->samples, key) ?:
		      config_text(&to->name, n->key->text);
		if (err)
			return err;
		t->nr++;
	}
	return 0;
}

/* Why a text cannot be the key of a label after relabelling; NULL if it can. */
static const char *bad_label(const char *name)
{
	if (!labels_is_name(name))
		return "is not a valid label name: use letters, digits and '_', no digit first";
	return strncmp(name, "__", 2) ? NULL : "begins with '__': it would be dropped";
}

static int take_label(struct config_reader *r, const struct yaml_node *value, void *field,
		      const struct config_key *key)
{
	const char *text = config_scalar(r, value, key), *why;
	char said[SAID];

	if (!text)
		return -EINVAL;
	why = bad_label(text);
	if (why)
		return yaml_tree_refuse(value, r->diag, "'%s' %s",
				   text_escape(text, said, sizeof(said)), why);
	return config_text(field, text);
}

int config_take_thinning(struct config_reader *r, const struct yaml_node *value, void *field,
			 const struct config_key *key)
{
	static const struct config_key keys[] = {
		CONFIG_KEY("label", take_label, struct config_thinning, label),
		CONFIG_KEY("default", config_take_u64, struct config_thinning, by_default,
			   .min = 0, .max = MAX_SAMPLES, .range = "at most a million million"),
		CONFIG_KEY("targets", take_targets, struct config_thinning, target,
			   .min = 0, .max = MAX_SAMPLES, .range = "at most a million million"),
		CONFIG_END,
	};

	if (!config_is(r, value, key, YAML_MAPPING))
		return -EINVAL;
	return config_take_keys(r, value, keys, field);
}

static const char *bad_value(const char *text)
{
	char clean[LABELS_MAX_VALUE + 1];

	if (!*text)
		return "has no value: leave the label out instead";
	labels_clean(text, strlen(text), clean);
	return strcmp(text, clean) ? "has a value with control characters, or of more than 1 KiB" :
				     NULL;
}

int config_take_labels(struct config_reader *r, const struct yaml_node *value, void *field,
		       const struct config_key *key)
{
	const struct yaml_node *n;
	const char *why;
	char said[SAID];

	if (!config_is(r, value, key, YAML_MAPPING))
		return -EINVAL;
	if (config_count(value) > LABELS_MAX)
		return yaml_tree_refuse(value, r->diag, "more than %u labels", LABELS_MAX);
	for (n = value->first; n; n = n->next) {
		why = bad_label(n->key->text);
		if (!why && n->kind == YAML_SCALAR)
			why = bad_value(n->text);
		if (why)
			return yaml_tree_refuse(n->key, r->diag, "'%s' %s",
					   text_escape(n->key->text, said, sizeof(said)), why);
	}
	return config_take_pairs(r, value, field, key);
}

int config_take_label_names(struct config_reader *r, const struct yaml_node *value, void *field,
			    const struct config_key *key)
{
	struct config_words *w = field;
	const struct yaml_node *n;
	char *name;
	int err;

	if (!config_is(r, value, key, YAML_SEQUENCE))
		return -EINVAL;
	if (config_count(value) > LABELS_MAX)
		return yaml_tree_refuse(value, r->diag, "more than %u labels", LABELS_MAX);
	w->word = calloc(config_count(value) + 1, sizeof(*w->word));
	if (!w->word)
		return -ENOMEM;
	for (n = value->first; n; n = n->next) {
		name = NULL;
		err = take_label(r, n, &name, key);
		if (err)
			return err;
		w->word[w->nr++] = name;
	}
	return 0;
}

/* The members of struct relabel_rule with memory of their own. */
struct rule {
	struct config_words sources;
	char *separator;
	char *regex;
	uint64_t modulus;
	char *target_label;
	char *replacement;
	char *action;
};

/* Takes any text, which may be empty. */
static int take_any(struct config_reader *r, const struct yaml_node *value, void *field,
		    const struct config_key *key)
{
	const char *text = config_scalar(r, value, key);

	return text ? config_text(field, text) : -EINVAL;
}

static int take_sources(struct config_reader *r, const struct yaml_node *value, void *field,
			const struct config_key *key)
{
	return config_take_words(r, value, field, key, take_any);
}

static const struct config_key rule_keys[] = {
	CONFIG_KEY("source_labels", take_sources, struct rule, sources),
	CONFIG_KEY("separator", take_any, struct rule, separator),
	CONFIG_KEY("regex", take_any, struct rule, regex),
	CONFIG_KEY("modulus", config_take_u64, struct rule, modulus),
	CONFIG_KEY("target_label", take_any, struct rule, target_label),
	CONFIG_KEY("replacement", take_any, struct rule, replacement),
	CONFIG_KEY("action", take_any, struct rule, action),
	CONFIG_END,
};

static void free_rule(struct rule *rule)
{
	config_free_words(&rule->sources);
	free(rule->separator);
	free(rule->regex);
	free(rule->target_label);
	free(rule->replacement);
	free(rule->action);
}

/* Adds a rule. An error names the line and column of the wrong word. */
static int add_rule(struct config_reader *r, const struct yaml_node *value,
		    const struct rule *rule, struct relabel *to)
{
	struct relabel_rule add = {
		.source_labels = (const char *const *)rule->sources.word,
		.nr_source_labels = rule->sources.nr, .separator = rule->separator,
		.regex = rule->regex, .modulus = rule->modulus,
		.target_label = rule->target_label, .replacement = rule->replacement,
		.action = rule->action,
	};
	const struct yaml_node *at = NULL;
	const char *field = NULL;
	struct diag why = { 0 };
	int err;

	err = relabel_add(to, &add, &field, &why);
	if (err != -EINVAL)
		return err;
	if (field)
		at = yaml_tree_get(value, field);
	return yaml_tree_refuse(at ?: value, r->diag, "%s", why.text);
}

static int take_rule(struct config_reader *r, const struct yaml_node *value,
		     const struct config_key *key, struct relabel *to)
{
	_cleanup_(free_rule) struct rule rule = { 0 };

	if (!config_is(r, value, key, YAML_MAPPING))
		return -EINVAL;
	return config_take_keys(r, value, rule_keys, &rule) ?: add_rule(r, value, &rule, to);
}

int config_take_relabel(struct config_reader *r, const struct yaml_node *value, void *field,
			const struct config_key *key)
{
	struct relabel **to = field;
	const struct yaml_node *n;
	int err;

	if (!config_is(r, value, key, YAML_SEQUENCE))
		return -EINVAL;
	relabel_free(*to);
	*to = NULL;
	err = relabel_new(to);
	for (n = value->first; n && !err; n = n->next)
		err = take_rule(r, n, key, *to);
	return err;
}

static int take_address(struct config_reader *r, const struct yaml_node *value,
			struct config_http *h, const struct config_key *key)
{
	struct config_address *to = &h->listen[h->nr_listen];
	const char *text = config_scalar(r, value, key);
	size_t i;

	if (!text)
		return -EINVAL;
	if (h->nr_listen == CONFIG_MAX_LISTEN)
		return yaml_tree_refuse(value, r->diag, "more than %u addresses",
				   CONFIG_MAX_LISTEN);
	if (!config_value_address(text, to))
		return config_wants(r, value, key,
				    "an IP address and a port such as 127.0.0.1:7071 or "
				    "[::1]:7071");
	for (i = 0; i < h->nr_listen; i++)
		if (h->listen[i].len == to->len && !memcmp(&h->listen[i].addr, &to->addr, to->len))
			return yaml_tree_refuse(value, r->diag, "%s is listed twice",
					   text);
	h->nr_listen++;
	return config_text(&to->text, text);
}

int config_take_listen(struct config_reader *r, const struct yaml_node *value, void *field,
		       const struct config_key *key)
{
	const struct yaml_node *n = value->kind == YAML_SEQUENCE ? value->first : value;
	struct config_http *h = config_struct(field, struct config_http, listen);
	int err = 0;

	while (h->nr_listen)
		free(h->listen[--h->nr_listen].text);
	free(h->listen);
	h->listen = calloc(config_count(value) + 1, sizeof(*h->listen));
	if (!h->listen)
		return -ENOMEM;
	for (; n && !err; n = value->kind == YAML_SEQUENCE ? n->next : NULL)
		err = take_address(r, n, h, key);
	return err;
}
