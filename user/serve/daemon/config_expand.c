// SPDX-License-Identifier: GPL-2.0-only
/*
 * Replaces references to environment variables in the values of a configuration: ${NAME} and
 * ${NAME:-default}. config.c calls it once for each file, after parsing YAML and before reading
 * keys. So a variable's text is never parsed as YAML and cannot add a key.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "serve/daemon/config_read.h"
#include "util/buffer.h"
#include "util/text.h"
#include "util/utf8.h"

#include "util/poison.h"

#define SAID 64
#define NAME_CHARACTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_"

/**
 * struct expander - state of replacing the references of one file
 * @diag: gets errors
 * @left: number of bytes that values with references may still have together
 */
struct expander {
	struct diag *diag;
	size_t left;
};

/**
 * struct reference - a reference in a value
 * @name: name of the variable, ended by a NUL
 * @fallback: the default, not ended by a NUL; NULL if there is none
 * @fallback_len: length of @fallback
 * @end: the first character after the reference
 */
struct reference {
	char name[256];
	const char *fallback;
	size_t fallback_len;
	const char *end;
};

/* Parses a reference; @at points after its "${". Return: 0 or -EINVAL. */
static int parse(const struct expander *e, const struct yaml_node *node, const char *at,
		 struct reference *ret)
{
	size_t len = strspn(at, NAME_CHARACTERS);
	const char *end = at + len;
	char said[SAID];

	if (!len || len >= sizeof(ret->name) || (*at >= '0' && *at <= '9'))
		return yaml_tree_refuse(node, e->diag,
					"'%s': ${ begins the name of an environment variable; "
					"$${ is a literal ${", text_escape(at - 2, said, sizeof(said)));
	ret->fallback = NULL;
	if (!strncmp(end, ":-", 2)) {
		ret->fallback = end + 2;
		ret->fallback_len = strcspn(ret->fallback, "}");
		end = ret->fallback + ret->fallback_len;
	}
	if (*end != '}')
		return yaml_tree_refuse(node, e->diag,
					"'%s': a reference is ${NAME} or ${NAME:-default}",
					text_escape(at - 2, said, sizeof(said)));
	memcpy(ret->name, at, len);
	ret->name[len] = '\0';
	ret->end = end + 1;
	return 0;
}

/* Appends a variable's value. As in a shell, the default replaces an unset or empty variable. */
static int put_value(struct expander *e, const struct yaml_node *node, const struct reference *r,
		     struct buffer *to)
{
	const char *value = getenv(r->name);
	char said[SAID];

	if (r->fallback && (!value || !*value)) {
		buffer_put(to, r->fallback, r->fallback_len);
		return 0;
	}
	text_escape(r->name, said, sizeof(said));
	if (!value)
		return yaml_tree_refuse(node, e->diag,
					"the environment variable '%s' is not set, and there is no "
					"default: ${%s:-default}", said, said);
	if (!utf8_valid(value))
		return yaml_tree_refuse(node, e->diag,
					"the environment variable '%s' is not UTF-8", said);
	buffer_text(to, value);
	return 0;
}

static int expand_text(struct expander *e, const struct yaml_node *node, struct buffer *to)
{
	const char *at = node->text, *next;
	struct reference r;
	int err;

	for (; (next = strstr(at, "${")); at = r.end) {
		bool literal = next > at && next[-1] == '$';

		buffer_put(to, at, (size_t)(next - at) - literal);
		if (literal) {
			buffer_text(to, "${");
			r.end = next + 2;
		} else {
			err = parse(e, node, next + 2, &r) ?: put_value(e, node, &r, to);
			if (err)
				return err;
		}
		if (to->len > e->left)
			return yaml_tree_refuse(node, e->diag,
						"values with references to the environment have more "
						"than %u bytes together", CONFIG_MAX_BYTES);
	}
	buffer_text(to, at);
	buffer_put(to, "", 1);
	return to->failed ? -ENOMEM : 0;
}

static int expand_scalar(struct expander *e, struct yaml_node *node)
{
	struct buffer to = { 0 };
	int err;

	if (!strstr(node->text, "${"))
		return 0;
	err = expand_text(e, node, &to);
	if (err) {
		buffer_release(&to);
		return err;
	}
	e->left -= to.len < e->left ? to.len : e->left;
	free(node->text);
	node->text = (char *)to.at;
	return 0;
}

/* Replaces references in a node and all below it. YAML_MAX_DEPTH bounds the recursion. */
static int expand(struct expander *e, struct yaml_node *node)
{
	struct yaml_node *n;
	int err = 0;

	if (node->kind == YAML_SCALAR)
		return expand_scalar(e, node);
	for (n = node->first; n && !err; n = n->next)
		err = expand(e, n);
	return err;
}

int config_expand(struct yaml_node *root, struct diag *diag)
{
	struct expander e = { diag, CONFIG_MAX_BYTES };
	struct yaml_node *n;
	int err = 0;

	/* in relabelling rules ${1} and ${name} mean groups of the match, not variables */
	for (n = root->first; n && !err; n = n->next)
		if (!n->key || strcmp(n->key->text, "relabel"))
			err = expand(&e, n);
	return err;
}
