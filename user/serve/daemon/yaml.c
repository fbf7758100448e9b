// SPDX-License-Identifier: GPL-2.0-only
/* Builds a tree of a YAML document from libyaml's events, and merges trees. config.c calls it. */
#include "serve/daemon/yaml.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <yaml.h>

#include "util/text.h"

#include "util/poison.h"

/* Room for a key that is quoted in a message. */
#define SAID 64

/**
 * struct loader - state of building a tree
 * @parser: libyaml's parser
 * @name: name of the file
 * @diag: gets errors
 * @open: sequences and mappings that have not ended, outermost first
 * @tail: for each of @open the pointer that the next element goes to
 * @key: for each mapping of @open the key whose value has not come yet, or NULL
 * @depth: number of entries in @open
 * @nr: number of nodes
 * @root: the tree
 */
struct loader {
	yaml_parser_t parser;
	const char *name;
	struct diag *diag;
	struct yaml_node *open[YAML_MAX_DEPTH];
	struct yaml_node **tail[YAML_MAX_DEPTH];
	struct yaml_node *key[YAML_MAX_DEPTH];
	unsigned int depth;
	uint32_t nr;
	struct yaml_node *root;
};

__attribute__((__format__(__printf__, 5, 0)))
static int refuse_at(const char *name, struct diag *diag, uint32_t line, uint32_t column,
		     const char *fmt, va_list ap)
{
	char text[256];

	vsnprintf(text, sizeof(text), fmt, ap);
	return diag_set(diag, EINVAL, name, "line %u, column %u: %s", line, column, text);
}

int yaml_tree_refuse(const struct yaml_node *node, struct diag *diag, const char *fmt, ...)
{
	va_list ap;
	int err;

	va_start(ap, fmt);
	err = refuse_at(node->file, diag, node->line, node->column, fmt, ap);
	va_end(ap);
	return err;
}

__attribute__((__format__(__printf__, 3, 4)))
static int refuse_mark(struct loader *l, const yaml_mark_t *at, const char *fmt, ...)
{
	va_list ap;
	int err;

	va_start(ap, fmt);
	err = refuse_at(l->name, l->diag, (uint32_t)at->line + 1, (uint32_t)at->column + 1,
			fmt, ap);
	va_end(ap);
	return err;
}

/* Reports an error of libyaml in its own words. */
static int refuse_parser(struct loader *l)
{
	const yaml_parser_t *p = &l->parser;
	const char *context = p->context ? p->context : "";

	switch (p->error) {
	case YAML_MEMORY_ERROR:
		return -ENOMEM;
	case YAML_READER_ERROR:
		return diag_set(l->diag, EINVAL, l->name, "offset %zu: %s", p->problem_offset,
				p->problem);
	default:
		return refuse_mark(l, &p->problem_mark, "%s%s%s", context, *context ? ": " : "",
				   p->problem ? p->problem : "not YAML");
	}
}

static void free_one(struct yaml_node *node)
{
	if (node)
		free(node->text);
	free(node);
}

/* Frees without recursion: elements are moved into the list that is being freed. */
void yaml_tree_free(struct yaml_node *node)
{
	struct yaml_node *last, *next;

	for (; node; node = next) {
		/* put its elements right after it */
		if (node->first) {
			for (last = node->first; last->next; last = last->next)
				;
			last->next = node->next;
			node->next = node->first;
		}
		next = node->next;
		free_one(node->key);
		free_one(node);
	}
}

static int new_node(struct loader *l, const yaml_event_t *e, enum yaml_kind kind,
		    struct yaml_node **ret)
{
	struct yaml_node *n;

	if (l->nr == YAML_MAX_NODES)
		return refuse_mark(l, &e->start_mark, "more than %u parts", YAML_MAX_NODES);
	n = calloc(1, sizeof(*n));
	if (!n)
		return -ENOMEM;
	n->kind = kind;
	n->file = l->name;
	n->line = (uint32_t)e->start_mark.line + 1;
	n->column = (uint32_t)e->start_mark.column + 1;
	l->nr++;
	*ret = n;
	return 0;
}

/* Refuses a key that the open mapping already has. */
static int twice(struct loader *l, const struct yaml_node *key)
{
	const struct yaml_node *there = yaml_tree_get(l->open[l->depth - 1], key->text);
	char said[SAID];

	if (!there)
		return 0;
	return yaml_tree_refuse(key, l->diag, "'%s' is already in line %u",
			   text_escape(key->text, said, sizeof(said)), there->key->line);
}

/* Adds a node to the open sequence or mapping; a key is kept until its value comes. */
static int attach(struct loader *l, struct yaml_node *n)
{
	unsigned int in = l->depth - 1;
	int err;

	if (!l->depth) {
		l->root = n;
		return 0;
	}
	if (l->open[in]->kind == YAML_MAPPING && !l->key[in]) {
		err = n->kind == YAML_SCALAR ? twice(l, n) :
		      yaml_tree_refuse(n, l->diag, "a key has to be a word");
		if (err)
			yaml_tree_free(n);
		else
			l->key[in] = n;
		return err;
	}
	n->key = l->key[in];
	l->key[in] = NULL;
	*l->tail[in] = n;
	l->tail[in] = &n->next;
	return 0;
}

static int take_scalar(struct loader *l, const yaml_event_t *e)
{
	const char *text = (const char *)e->data.scalar.value;
	struct yaml_node *n;
	int err;

	if (e->data.scalar.anchor || e->data.scalar.tag)
		return refuse_mark(l, &e->start_mark, "anchors and tags are not supported");
	if (strlen(text) != e->data.scalar.length)
		return refuse_mark(l, &e->start_mark, "the character 0 in a text");
	err = new_node(l, e, YAML_SCALAR, &n);
	if (err)
		return err;
	n->plain = e->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
	n->text = strdup(text);
	if (!n->text) {
		free(n);
		return -ENOMEM;
	}
	return attach(l, n);
}

static int take_start(struct loader *l, const yaml_event_t *e, enum yaml_kind kind,
		      bool marked)
{
	struct yaml_node *n;
	int err;

	if (marked)
		return refuse_mark(l, &e->start_mark, "anchors and tags are not supported");
	if (l->depth == YAML_MAX_DEPTH)
		return refuse_mark(l, &e->start_mark, "more than %u levels", YAML_MAX_DEPTH);
	err = new_node(l, e, kind, &n);
	if (!err)
		err = attach(l, n);
	if (err)
		return err;
	l->open[l->depth] = n;
	l->tail[l->depth] = &n->first;
	l->key[l->depth] = NULL;
	l->depth++;
	return 0;
}

static int take(struct loader *l, const yaml_event_t *e)
{
	switch (e->type) {
	case YAML_SCALAR_EVENT:
		return take_scalar(l, e);
	case YAML_SEQUENCE_START_EVENT:
		return take_start(l, e, YAML_SEQUENCE,
				  e->data.sequence_start.anchor || e->data.sequence_start.tag);
	case YAML_MAPPING_START_EVENT:
		return take_start(l, e, YAML_MAPPING,
				  e->data.mapping_start.anchor || e->data.mapping_start.tag);
	case YAML_SEQUENCE_END_EVENT:
	case YAML_MAPPING_END_EVENT:
		l->depth--;
		return 0;
	case YAML_ALIAS_EVENT:
		return refuse_mark(l, &e->start_mark, "aliases are not supported");
	case YAML_DOCUMENT_START_EVENT:
		return l->root ? refuse_mark(l, &e->start_mark, "a second document") : 0;
	default:
		return 0;
	}
}

static int load(struct loader *l)
{
	yaml_event_t e;
	bool end;
	int err;

	do {
		if (!yaml_parser_parse(&l->parser, &e))
			return refuse_parser(l);
		end = e.type == YAML_STREAM_END_EVENT;
		err = take(l, &e);
		yaml_event_delete(&e);
	} while (!err && !end);
	return err;
}

int yaml_tree_parse(const char *bytes, size_t len, const char *name, struct yaml_node **ret,
	       struct diag *diag)
{
	struct loader l = { .name = name, .diag = diag };
	unsigned int i;
	int err;

	if (!yaml_parser_initialize(&l.parser))
		return -ENOMEM;
	yaml_parser_set_encoding(&l.parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&l.parser, (const unsigned char *)bytes, len);
	err = load(&l);
	yaml_parser_delete(&l.parser);
	if (err) {
		/* a key whose value has not come is not in the tree yet */
		for (i = 0; i < l.depth; i++)
			free_one(l.key[i]);
		yaml_tree_free(l.root);
		return err;
	}
	*ret = l.root;
	return 0;
}

/* Replaces *@at by @over, which keeps its own key. */
static void replace(struct yaml_node **at, struct yaml_node *over)
{
	struct yaml_node *old = *at;

	over->next = old->next;
	*at = over;
	old->next = NULL;
	yaml_tree_free(old);
}

void yaml_tree_merge(struct yaml_node *base, struct yaml_node *over)
{
	struct yaml_node *n, *next, **at;

	for (n = over->first; n; n = next) {
		next = n->next;
		n->next = NULL;
		for (at = &base->first; *at && strcmp((*at)->key->text, n->key->text);
		     at = &(*at)->next)
			;
		if (!*at)
			*at = n;
		else if (yaml_tree_is_null(n))
			yaml_tree_free(n);
		else if (n->kind == YAML_MAPPING && (*at)->kind == YAML_MAPPING)
			yaml_tree_merge(*at, n);
		else
			replace(at, n);
	}
	over->first = NULL;
	yaml_tree_free(over);
}

const struct yaml_node *yaml_tree_get(const struct yaml_node *mapping, const char *key)
{
	const struct yaml_node *n;

	for (n = mapping->first; n; n = n->next)
		if (!strcmp(n->key->text, key))
			return n;
	return NULL;
}

bool yaml_tree_is_null(const struct yaml_node *node)
{
	static const char *const words[] = { "", "~", "null", "Null", "NULL" };
	size_t i;

	if (node->kind != YAML_SCALAR || !node->plain)
		return false;
	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcmp(node->text, words[i]))
			return true;
	return false;
}

const char *yaml_tree_kind(const struct yaml_node *node)
{
	switch (node->kind) {
	case YAML_SCALAR:
		return "a word";
	case YAML_SEQUENCE:
		return "a list";
	case YAML_MAPPING:
		break;
	}
	return "a mapping";
}
