// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads the section "push" of the configuration, checks which keys need or exclude each other, and
 * makes the options of push_start() from a target.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "serve/daemon/config_read.h"
#include "serve/daemon/config_value.h"
#include "util/text.h"

#include "util/poison.h"

#define NSEC_PER_MSEC 1000000ull
#define NSEC_PER_SEC 1000000000ull
#define SAID 64

static int take_headers(struct config_reader *r, const struct yaml_node *value, void *field,
			const struct config_key *key)
{
	const struct yaml_node *n, *other;
	const char *why;
	char said[SAID];

	if (!config_is(r, value, key, YAML_MAPPING))
		return -EINVAL;
	for (n = value->first; n; n = n->next) {
		why = config_value_bad_header(n->key->text,
					      n->kind == YAML_SCALAR ? n->text : "");
		/* names of headers do not depend on case */
		for (other = value->first; other != n && !why; other = other->next)
			if (!strcasecmp(other->key->text, n->key->text))
				why = "is given twice";
		if (why)
			return yaml_tree_refuse(n->key, r->diag, "'%s' %s",
					   text_escape(n->key->text, said, sizeof(said)), why);
	}
	return config_take_pairs(r, value, field, key);
}

static const char *const types[] = {
	[PUSH_PYROSCOPE] = "pyroscope",
	[PUSH_PARCA] = "parca",
	[PUSH_OTLP] = "otlp",
	[PUSH_CLICKHOUSE] = "clickhouse",
	[PUSH_OTLP_GRPC] = "otlp_grpc",
	[PUSH_NR_TYPES] = NULL,
};

static const struct config_key push_keys[] = {
	CONFIG_KEY("name", config_take_name, struct config_push, name),
	CONFIG_KEY("type", config_take_enum, struct config_push, type, .words = types),
	CONFIG_KEY("url", config_take_url, struct config_push, url),
	CONFIG_KEY("token_file", config_take_path, struct config_push, token_file),
	CONFIG_KEY("user", config_take_text, struct config_push, user),
	CONFIG_KEY("password_file", config_take_path, struct config_push, password_file),
	CONFIG_KEY("headers", take_headers, struct config_push, headers),
	CONFIG_KEY("ca_file", config_take_path, struct config_push, ca_file),
	CONFIG_KEY("timeout", config_take_duration, struct config_push, timeout_ns,
		   .min = NSEC_PER_SEC / 10, .max = PUSH_MAX_TIMEOUT_MS * NSEC_PER_MSEC,
		   .range = "100ms to 10m"),
	CONFIG_KEY("batch", config_take_u32, struct config_push, batch,
		   .min = 1, .max = 1000, .range = "1 to 1000"),
	CONFIG_KEY("database", config_take_text, struct config_push, database),
	CONFIG_KEY("proxy", config_take_url, struct config_push, proxy),
	CONFIG_KEY("services", config_take_label_names, struct config_push, services),
	CONFIG_KEY("keep", config_take_label_names, struct config_push, keep),
	CONFIG_END,
};

static bool has(const struct yaml_node *value, const char *key)
{
	const struct yaml_node *n = yaml_tree_get(value, key);

	return n && !yaml_tree_is_null(n);
}

/* Makes an array of "Name: value", ended by NULL; the caller frees it even after an error. */
static int header_lines(const struct config_pairs *pairs, const char ***ret)
{
	const char **lines = calloc(pairs->nr + 1, sizeof(*lines));
	char *line;
	size_t i;

	*ret = lines;
	for (i = 0; lines && i < pairs->nr; i++) {
		if (asprintf(&line, "%s: %s", pairs->pair[i].name, pairs->pair[i].value) < 0)
			return -ENOMEM;
		lines[i] = line;
	}
	return lines ? 0 : -ENOMEM;
}

int config_push_options(const struct config_push *p, struct push_options *ret)
{
	const char **lines;
	int err;

	err = header_lines(&p->headers, &lines);
	*ret = (struct push_options){
		.name = p->name, .type = p->type, .url = p->url, .token_file = p->token_file,
		.user = p->user, .password_file = p->password_file, .ca_file = p->ca_file,
		.timeout_ms = (uint32_t)(p->timeout_ns / NSEC_PER_MSEC), .batch = p->batch,
		.database = p->database, .headers = lines, .proxy = p->proxy,
		.services = (const char *const *)p->services.word,
		.keep = (const char *const *)p->keep.word,
	};
	if (err)
		config_push_release(ret);
	return err;
}

void config_push_release(struct push_options *o)
{
	size_t i;

	for (i = 0; o->headers && o->headers[i]; i++)
		free((void *)o->headers[i]);
	free((void *)o->headers);
	o->headers = NULL;
}

/* Reports now what push_start() would refuse later. */
static int check_options(struct config_reader *r, const struct yaml_node *value,
			 const struct config_push *p)
{
	struct push_options o;
	struct diag diag;
	int err = config_push_options(p, &o);

	if (err)
		return err;
	if (push_check(&o, &diag))
		err = yaml_tree_refuse(value, r->diag, "%s", diag.text);
	config_push_release(&o);
	return err;
}

/* Checks that depend on several keys. */
static int check(struct config_reader *r, const struct yaml_node *value,
		 const struct config_push *p)
{
	static const char *const needed[] = { "name", "type", "url" };
	size_t i;

	for (i = 0; i < sizeof(needed) / sizeof(needed[0]); i++)
		if (!has(value, needed[i]))
			return yaml_tree_refuse(value, r->diag, "a target needs a '%s'",
					   needed[i]);
	if (!p->user != !p->password_file)
		return yaml_tree_refuse(value, r->diag, "'%s' needs a '%s'",
				   p->user ? "user" : "password_file",
				   p->user ? "password_file" : "user");
	if (p->database && p->type != PUSH_CLICKHOUSE)
		return yaml_tree_refuse(yaml_tree_get(value, "database"), r->diag,
				   "'database' is only for 'type: clickhouse'");
	/* RFC 7617, section 2 */
	if (p->user && strchr(p->user, ':'))
		return yaml_tree_refuse(yaml_tree_get(value, "user"), r->diag,
				   "a user's name cannot have a ':'");
	if (p->user && p->token_file)
		return yaml_tree_refuse(yaml_tree_get(value, "token_file"), r->diag,
				   "either 'token_file' or 'user' and 'password_file'");
	return check_options(r, value, p);
}

static int take_one(struct config_reader *r, const struct yaml_node *value,
		    struct daemon_config *cfg, const struct config_key *key)
{
	struct config_push *p = &cfg->push[cfg->nr_push++];
	size_t i;
	int err;

	*p = (struct config_push){ .timeout_ns = 10 * NSEC_PER_SEC, .batch = 10 };
	if (!config_is(r, value, key, YAML_MAPPING))
		return -EINVAL;
	err = config_take_keys(r, value, push_keys, p) ?: check(r, value, p);
	for (i = 0; !err && i < cfg->nr_push - 1; i++)
		if (!strcmp(cfg->push[i].name, p->name))
			return yaml_tree_refuse(yaml_tree_get(value, "name"), r->diag,
					   "another target has the name '%s'", p->name);
	return err;
}

int config_take_push(struct config_reader *r, const struct yaml_node *value, void *field,
		     const struct config_key *key)
{
	struct daemon_config *cfg = config_struct(field, struct daemon_config, push);
	const struct yaml_node *n;
	int err = 0;

	if (!config_is(r, value, key, YAML_SEQUENCE))
		return -EINVAL;
	if (config_count(value) > PUSH_MAX_TARGETS)
		return yaml_tree_refuse(value, r->diag, "more than %u targets",
				   PUSH_MAX_TARGETS);
	cfg->push = calloc(config_count(value) + 1, sizeof(*cfg->push));
	if (!cfg->push)
		return -ENOMEM;
	for (n = value->first; n && !err; n = n->next)
		err = take_one(r, n, cfg, key);
	return err;
}

void config_free_push(struct config_push *p)
{
	free(p->name);
	free(p->url);
	free(p->token_file);
	free(p->user);
	free(p->password_file);
	config_free_pairs(&p->headers);
	free(p->ca_file);
	free(p->database);
	free(p->proxy);
	config_free_words(&p->services);
	config_free_words(&p->keep);
}
