/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A document of YAML 1.1 as a tree, by libyaml, and where each part of it stands.
 *
 * Of YAML it takes what a configuration needs: mappings whose keys are scalars and none
 * twice, sequences, scalars. Anchors, aliases, tags and a second document are refused: no
 * few lines stand for billions. Functions are yaml_tree_*, as libyaml exports a yaml_free() of
 * its own.
 *
 * A scalar is a text here: what it means is up to who knows what he wants. What quotes
 * decide, yaml_tree_is_null() and @plain say.
 */
#ifndef USTACK_USER_DAEMON_YAML_H
#define USTACK_USER_DAEMON_YAML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/diag.h"

/* A mapping in a mapping in a ...; parts of a document. */
#define YAML_MAX_DEPTH 16u
#define YAML_MAX_NODES 32768u

enum yaml_kind {
	YAML_SCALAR,
	YAML_SEQUENCE,
	YAML_MAPPING,
};

/**
 * struct yaml_node - a part
 * @kind: which of the rest counts
 * @file: name of the file, as yaml_tree_parse() got it; borrowed
 * @line: from 1 on
 * @column: from 1 on, in characters
 * @plain: a scalar without quotes, not of a block
 * @text: of a scalar; without a NUL in it
 * @key: scalar, of an element of a mapping; NULL of others
 * @first: element of a sequence or a mapping, in the order of the file; NULL: none
 * @next: element of the same, or NULL
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
 * yaml_tree_parse() - bytes to a tree
 * @bytes: @len of them, UTF-8
 * @len: any
 * @name: of the file, for @diag and each node; has to outlive the tree
 * @ret: released by yaml_tree_free(); NULL for a document that is empty
 * @diag: its text begins "line L, column C: ", or "offset N: " where bytes are no UTF-8; may
 *        be NULL
 *
 * Return: 0; -EINVAL; -ENOMEM.
 */
int yaml_tree_parse(const char *bytes, size_t len, const char *name, struct yaml_node **ret,
	       struct diag *diag);
void yaml_tree_free(struct yaml_node *node);

/**
 * yaml_tree_merge() - let one mapping override another one
 * @base: a mapping; gets what @over has
 * @over: a mapping that is no element of another node; taken
 *
 * Where both have a mapping under a key, these are merged in the same way. Any other value of
 * @over replaces the value of @base, a list as a whole; a null replaces nothing. Recursion ends
 * at YAML_MAX_DEPTH.
 */
void yaml_tree_merge(struct yaml_node *base, struct yaml_node *over);

/* The element of a mapping that has this key, or NULL. */
const struct yaml_node *yaml_tree_get(const struct yaml_node *mapping, const char *key);

/* Nothing stands there, or "~", or "null" without quotes. */
bool yaml_tree_is_null(const struct yaml_node *node);

/* "a mapping", "a list", "a word". */
const char *yaml_tree_kind(const struct yaml_node *node);

/**
 * yaml_tree_refuse() - say that a part does not hold
 * @node: where
 * @diag: may be NULL
 * @fmt: the sentence
 *
 * Return: -EINVAL.
 */
__attribute__((__format__(__printf__, 3, 4)))
int yaml_tree_refuse(const struct yaml_node *node, struct diag *diag, const char *fmt, ...);

#endif /* USTACK_USER_DAEMON_YAML_H */
