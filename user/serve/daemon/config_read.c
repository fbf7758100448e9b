// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads YAML nodes into fields of structures by a table of keys, with one function for each kind
 * of value. The other config_*.c files call it.
 */
#include "serve/daemon/config_read.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "serve/daemon/config_value.h"
#include "util/text.h"

#include "util/poison.h"

/* Room for a value of the file that is quoted in a message. */
#define SAID 64

int config_wants(struct config_reader *r, const struct yaml_node *value,
		 const struct config_key *key, const char *what)
{
	char said[SAID];

	if (value->kind != YAML_SCALAR)
		return yaml_tree_refuse(value, r->diag, "'%s' has to be %s, not %s", key->name,
				   what, yaml_tree_kind(value));
	return yaml_tree_refuse(value, r->diag, "'%s' has to be %s, not '%s'", key->name,
			   what, text_escape(value->text, said, sizeof(said)));
}

/* Lists the keys that a mapping may have: "a, b, c". */
static void known_keys(const struct config_key *keys, char *buf, size_t len)
{
	size_t n = 0;

	buf[0] = '\0';
	for (; keys->name && n < len; keys++)
		n += (size_t)snprintf(buf + n, len - n, "%s%s", n ? ", " : "", keys->name);
}

static int unknown_key(struct config_reader *r, const struct yaml_node *key,
		       const struct config_key *keys)
{
	char said[SAID], known[160];

	known_keys(keys, known, sizeof(known));
	return yaml_tree_refuse(key, r->diag, "unknown key '%s'; known keys: %s",
			   text_escape(key->text, said, sizeof(said)), known);
}

int config_take_keys(struct config_reader *r, const struct yaml_node *mapping,
		     const struct config_key *keys, void *base)
{
	const struct config_key *k;
	const struct yaml_node *n;
	int err;

	for (n = mapping->first; n; n = n->next) {
		for (k = keys; k->name && strcmp(k->name, n->key->text); k++)
			;
		if (!k->name)
			return unknown_key(r, n->key, keys);
		if (yaml_tree_is_null(n))
			continue;
		err = k->take(r, n, (char *)base + k->offset, k);
		if (err)
			return err;
	}
	return 0;
}

const char *config_scalar(struct config_reader *r, const struct yaml_node *value,
			  const struct config_key *key)
{
	if (value->kind == YAML_SCALAR && !yaml_tree_is_null(value))
		return value->text;
	config_wants(r, value, key, "a word");
	return NULL;
}

bool config_is(struct config_reader *r, const struct yaml_node *value,
	       const struct config_key *key, enum yaml_kind kind)
{
	const struct yaml_node other = { .kind = kind };

	if (value->kind == kind)
		return true;
	config_wants(r, value, key, yaml_tree_kind(&other));
	return false;
}

size_t config_count(const struct yaml_node *list)
{
	const struct yaml_node *n;
	size_t nr = 0;

	for (n = list->first; n; n = n->next)
		nr++;
	return nr;
}

int config_text(char **field, const char *text)
{
	char *copy = strdup(text);

	if (!copy)
		return -ENOMEM;
	free(*field);
	*field = copy;
	return 0;
}

int config_take_bool(struct config_reader *r, const struct yaml_node *value, void *field,
		     const struct config_key *key)
{
	if (value->kind == YAML_SCALAR && value->plain && config_value_bool(value->text, field))
		return 0;
	return config_wants(r, value, key, "true or false");
}

/* Takes a number that @parse understands and that is in the key's range. */
static int take_number(struct config_reader *r, const struct yaml_node *value,
		       const struct config_key *key,
		       bool (*parse)(const char *text, uint64_t *ret), const char *what,
		       uint64_t *ret)
{
	uint64_t v;

	/* a number in quotes is a text */
	if (value->kind != YAML_SCALAR || !value->plain || !parse(value->text, &v))
		return config_wants(r, value, key, what);
	if ((v < key->min && (v || !key->zero)) || (key->max && v > key->max))
		return config_wants(r, value, key, key->range);
	*ret = v;
	return 0;
}

int config_take_u64(struct config_reader *r, const struct yaml_node *value, void *field,
		    const struct config_key *key)
{
	return take_number(r, value, key, config_value_number, "a number", field);
}

int config_take_u32(struct config_reader *r, const struct yaml_node *value, void *field,
		    const struct config_key *key)
{
	uint64_t v;
	int err = take_number(r, value, key, config_value_number, "a number", &v);

	if (!err)
		*(uint32_t *)field = (uint32_t)v;
	return err;
}

int config_take_duration(struct config_reader *r, const struct yaml_node *value, void *field,
			 const struct config_key *key)
{
	return take_number(r, value, key, config_value_duration,
			   "a duration such as 500ms, 10s, 5m, 1h or 14d", field);
}

int config_take_size(struct config_reader *r, const struct yaml_node *value, void *field,
		     const struct config_key *key)
{
	return take_number(r, value, key, config_value_size, "a size such as 500MB or 1GiB",
			   field);
}

int config_take_share(struct config_reader *r, const struct yaml_node *value, void *field,
		      const struct config_key *key)
{
	uint64_t v;
	int err = take_number(r, value, key, config_value_share,
			      "a share such as 1% or 0.5%", &v);

	if (!err)
		*(uint32_t *)field = (uint32_t)v;
	return err;
}

int config_take_enum(struct config_reader *r, const struct yaml_node *value, void *field,
		     const struct config_key *key)
{
	char list[96];
	size_t n = 0;
	int i;

	for (i = 0; value->kind == YAML_SCALAR && key->words[i]; i++)
		if (!strcmp(key->words[i], value->text)) {
			*(int *)field = i;
			return 0;
		}
	for (i = 0; key->words[i]; i++)
		n += (size_t)snprintf(list + n, sizeof(list) - n, "%s%s",
				      !i ? "" : key->words[i + 1] ? ", " : " or ",
				      key->words[i]);
	return config_wants(r, value, key, list);
}

/* Takes a text unless @bad returns a reason to refuse it. */
static int take_checked(struct config_reader *r, const struct yaml_node *value, char **field,
			const struct config_key *key, const char *(*bad)(const char *text))
{
	const char *text = config_scalar(r, value, key), *why;
	char said[SAID];

	if (!text)
		return -EINVAL;
	why = bad(text);
	if (why)
		return yaml_tree_refuse(value, r->diag, "'%s': '%s' %s", key->name,
				   text_escape(text, said, sizeof(said)), why);
	return config_text(field, text);
}

static const char *bad_text(const char *text)
{
	const char *s;

	for (s = text; *s; s++)
		if ((unsigned char)*s < ' ' || *s == 0x7f)
			return "has control characters";
	return s == text ? "is empty" : s - text > 255 ? "is too long" : NULL;
}

int config_take_text(struct config_reader *r, const struct yaml_node *value, void *field,
		     const struct config_key *key)
{
	return take_checked(r, value, field, key, bad_text);
}

int config_take_path(struct config_reader *r, const struct yaml_node *value, void *field,
		     const struct config_key *key)
{
	return take_checked(r, value, field, key, config_value_bad_path);
}

int config_take_url(struct config_reader *r, const struct yaml_node *value, void *field,
		    const struct config_key *key)
{
	return take_checked(r, value, field, key, config_value_bad_url);
}

int config_take_name(struct config_reader *r, const struct yaml_node *value, void *field,
		     const struct config_key *key)
{
	return take_checked(r, value, field, key, config_value_bad_name);
}

int config_take_words(struct config_reader *r, const struct yaml_node *value,
		      struct config_words *ret, const struct config_key *key, config_take *take)
{
	const struct yaml_node *n;
	int err;

	if (!config_is(r, value, key, YAML_SEQUENCE))
		return -EINVAL;
	ret->word = calloc(config_count(value) + 1, sizeof(*ret->word));
	if (!ret->word)
		return -ENOMEM;
	for (n = value->first; n; n = n->next) {
		err = take(r, n, &ret->word[ret->nr], key);
		if (err)
			return err;
		ret->nr++;
	}
	return 0;
}

int config_take_urls(struct config_reader *r, const struct yaml_node *value, void *field,
		     const struct config_key *key)
{
	return config_take_words(r, value, field, key, config_take_url);
}

void config_free_words(struct config_words *w)
{
	size_t i;

	for (i = 0; i < w->nr; i++)
		free(w->word[i]);
	free(w->word);
	*w = (struct config_words){ 0 };
}

int config_take_pairs(struct config_reader *r, const struct yaml_node *value,
		      struct config_pairs *ret, const struct config_key *key)
{
	const struct yaml_node *n;
	struct config_pair *p;
	const char *text;

	if (!config_is(r, value, key, YAML_MAPPING))
		return -EINVAL;
	ret->pair = calloc(config_count(value) + 1, sizeof(*ret->pair));
	if (!ret->pair)
		return -ENOMEM;
	for (n = value->first; n; n = n->next) {
		if (yaml_tree_is_null(n))
			continue;
		text = config_scalar(r, n, key);
		if (!text)
			return -EINVAL;
		p = &ret->pair[ret->nr++];
		if (config_text(&p->name, n->key->text) || config_text(&p->value, text))
			return -ENOMEM;
	}
	return 0;
}

void config_free_pairs(struct config_pairs *p)
{
	size_t i;

	for (i = 0; i < p->nr; i++) {
		free(p->pair[i].name);
		free(p->pair[i].value);
	}
	free(p->pair);
	*p = (struct config_pairs){ 0 };
}
