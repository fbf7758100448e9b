/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads nodes of a YAML document into fields of a structure, by a table of keys. Private to
 * user/serve/daemon/config*.c.
 *
 * To add a key:
 *   1. config.h: its field; config.c: its default (defaults()), and its release (config_free());
 *   2. its CONFIG_KEY() in the table of its section (config.c, config_lists.c, config_push.c);
 *   3. config_changes.c: the comparison of its part, or SIGHUP does not notice that it has changed;
 *   4. configuration.md, ustackd.yaml(5), dist/ustackd.yaml and CHANGELOG.md;
 *   5. tests/unit/serve/test_config.c: its value, one that is refused, and that a change is noticed.
 */
#ifndef USTACK_USER_DAEMON_CONFIG_READ_H
#define USTACK_USER_DAEMON_CONFIG_READ_H

#include "serve/daemon/config.h"
#include "serve/daemon/yaml.h"

/* State of reading; @diag gets errors and may be NULL. */
struct config_reader {
	struct diag *diag;
};

struct config_key;

/* Reads a value into a field. Return: 0, -EINVAL or -ENOMEM; config_free() releases the field in
 * either case.
 */
typedef int config_take(struct config_reader *r, const struct yaml_node *value,
			void *field, const struct config_key *key);

/**
 * struct config_key - a key that a mapping may have
 * @name: name of the key
 * @take: reads its value, which is not null
 * @offset: offset of its field in the structure
 * @min: smallest number
 * @max: largest number; 0 means no limit
 * @zero: a number may be 0 whatever @min is
 * @range: @min and @max in words for messages; NULL if there is no range
 * @words: for an enumeration: the names by their values, ended by NULL
 */
struct config_key {
	const char *name;
	config_take *take;
	size_t offset;
	uint64_t min;
	uint64_t max;
	bool zero;
	const char *range;
	const char *const *words;
};

/**
 * config_expand() - replace references to the environment in the values of a tree
 * @root: a mapping; the values of "relabel" stay as they are
 * @diag: names the value's place on failure; may be NULL
 *
 * Return: 0; -EINVAL; -ENOMEM.
 */
int config_expand(struct yaml_node *root, struct diag *diag);

/* Keeps the bytes of files for config_load_packed(). Return: 0 or -ENOMEM. */
int config_pack(const struct config_file *files, size_t nr, struct daemon_config *to);

/* The structure that has a field: for values that set more than their own field. */
#define config_struct(field, type, member)					\
	((type *)(void *)((char *)(field) - offsetof(type, member)))

/* An element of a table of keys; further arguments are .min and so on. */
#define CONFIG_KEY(n, t, type, field, ...)					\
	{ .name = (n), .take = (t), .offset = offsetof(type, field), __VA_ARGS__ }
#define CONFIG_END { .name = NULL }

/* Reads a mapping into the structure @base; the table @keys ends with CONFIG_END. */
int config_take_keys(struct config_reader *r, const struct yaml_node *mapping,
		     const struct config_key *keys, void *base);

/* Types of their fields: bool, uint64_t, uint32_t, uint64_t in nanoseconds, uint64_t in bytes,
 * uint32_t in parts of CONFIG_WHOLE, an enumeration; char * for the others.
 */
config_take config_take_bool;
config_take config_take_u64;
config_take config_take_u32;
config_take config_take_duration;
config_take config_take_size;
config_take config_take_share;
config_take config_take_enum;
config_take config_take_text;
config_take config_take_path;
config_take config_take_url;
config_take config_take_name;
/* Takes a list of URLs; the field is a struct config_words. */
config_take config_take_urls;

/* Return: the text of a scalar; NULL for another value, and the error is reported. */
const char *config_scalar(struct config_reader *r, const struct yaml_node *value,
			  const struct config_key *key);
/* Return: whether a value is of a kind; if it is not, the error is reported. */
bool config_is(struct config_reader *r, const struct yaml_node *value,
	       const struct config_key *key, enum yaml_kind kind);

/* Replaces the text in a field by a copy of @text. Return: 0 or -ENOMEM. */
int config_text(char **field, const char *text);

/* Return: number of elements of a list or mapping. */
size_t config_count(const struct yaml_node *list);

/* Reports that a value is wrong; @what says what the key needs. Return: -EINVAL. */
int config_wants(struct config_reader *r, const struct yaml_node *value,
		 const struct config_key *key, const char *what);

/* Sections that have a source file of their own. */
config_take config_take_thinning;
config_take config_take_labels;
config_take config_take_relabel;
config_take config_take_listen;
config_take config_take_push;
/* Takes a list of label keys; the field is a struct config_words. */
config_take config_take_label_names;

void config_free_push(struct config_push *p);
void config_free_pairs(struct config_pairs *p);
/* Takes a list whose elements @take takes. Released by config_free_words(), also on failure. */
int config_take_words(struct config_reader *r, const struct yaml_node *value,
		      struct config_words *ret, const struct config_key *key, config_take *take);

void config_free_words(struct config_words *w);
/* Takes a map of words; the caller checks them. */
int config_take_pairs(struct config_reader *r, const struct yaml_node *value,
		      struct config_pairs *ret, const struct config_key *key);

#endif /* USTACK_USER_DAEMON_CONFIG_READ_H */
