/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Parses a document of YAML 1.1 with libyaml into a tree whose nodes know their line and column.
 *
 * It accepts the part of YAML that a configuration needs: mappings with scalars as keys, none of
 * them twice, sequences, scalars. Anchors, aliases, tags and a second document are refused, so
 * that a few lines cannot expand to billions of nodes. Functions are named yaml_tree_*, because
 * libyaml exports a yaml_free() of its own.
 *
 * A scalar is a text here; the caller decides what it means. Where quotes matter, @plain and
 * yaml_tree_is_null() tell.
 */
#ifndef USTACK_USER_DAEMON_YAML_H
#define USTACK_USER_DAEMON_YAML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/diag.h"

/* How deep nodes may be nested, and how many nodes a document may have. */
#define YAML_MAX_DEPTH 16u
#define YAML_MAX_NODES 32768u

enum yaml_kind {
	YAML_SCALAR,
	YAML_SEQUENCE,
	YAML_MAPPING,
};

/**
 * struct yaml_node - a node of the tree
 * @kind: kind of node, which decides what other members are used
 * @file: name of the file, as yaml_tree_parse() got it; borrowed
 * @line: line in the file, counted from 1
 * @column: column in the line, counted from 1, in characters
 * @plain: a scalar without quotes, not a block
 * @text: text of a scalar; has no NUL
 * @key: key of an element of a mapping, a scalar; NULL for other nodes
 * @first: first element of a sequence or mapping, in the order of the file; NULL if it is empty
 * @next: next element of the same sequence or mapping, or NULL
 */
struct yaml_node {
	enum yaml_kind kind;
	const char *file;
	uint32_t line;
	uint32_t column;
	bool plain;
	char *text;
	struct yaml_node *key;
	struct yaml_node *first;
	struct yaml_node *next;
};

/**
 * yaml_tree_parse() - parse a document
 * @bytes: the document, UTF-8
 * @len: length of @bytes
 * @name: name of the file, for @diag and each node; must outlive the tree
 * @ret: the tree, released by yaml_tree_free(); NULL for an empty document
 * @diag: gets a text that begins with "line L, column C: ", or with "offset N: " for bytes that are
 *        not UTF-8; may be NULL
 *
 * Return: 0; -EINVAL; -ENOMEM.
 */
int yaml_tree_parse(const char *bytes, size_t len, const char *name, struct yaml_node **ret,
	       struct diag *diag);
void yaml_tree_free(struct yaml_node *node);

/**
 * yaml_tree_merge() - let one mapping override another one
 * @base: a mapping, which gets the elements of @over
 * @over: a mapping that is not an element of another node; it is freed
 *
 * If both have a mapping under the same key, these are merged in the same way. Any other value of
 * @over replaces the value of @base, a list as a whole; a null replaces nothing. YAML_MAX_DEPTH
 * bounds the recursion.
 */
void yaml_tree_merge(struct yaml_node *base, struct yaml_node *over);

/* Return: the element of a mapping that has this key, or NULL. */
const struct yaml_node *yaml_tree_get(const struct yaml_node *mapping, const char *key);

/* Whether a value is empty, "~" or "null", without quotes. */
bool yaml_tree_is_null(const struct yaml_node *node);

/* Return: the kind of a node for messages: "a mapping", "a list" or "a word". */
const char *yaml_tree_kind(const struct yaml_node *node);

/**
 * yaml_tree_refuse() - report that a node is wrong
 * @node: the node, whose line and column are reported
 * @diag: may be NULL
 * @fmt: format of the reason
 *
 * Return: -EINVAL.
 */
__attribute__((__format__(__printf__, 3, 4)))
int yaml_tree_refuse(const struct yaml_node *node, struct diag *diag, const char *fmt, ...);

#endif /* USTACK_USER_DAEMON_YAML_H */
