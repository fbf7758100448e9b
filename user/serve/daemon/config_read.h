/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to user/serve/daemon/config*.c: from parts of a document to fields of a structure, by a
 * table of keys.
 *
 * To add a key:
 *   1. config.h: its field; config.c: its default (defaults()), and its release (config_free());
 *   2. its CONFIG_KEY() in the table of its section (config.c, config_lists.c, config_push.c);
 *   3. config_changes.c: the comparison of its part, or SIGHUP does not notice that it has changed;
 *   4. configuration.md, ustackd.yaml(5), dist/ustackd.yaml and CHANGELOG.md;
 *   5. tests/unit/test_config.c: its value, one that is refused, and that a change is noticed.
 */
#ifndef USTACK_USER_DAEMON_CONFIG_READ_H
#define USTACK_USER_DAEMON_CONFIG_READ_H

#include "serve/daemon/config.h"
#include "serve/daemon/yaml.h"

/* What is being read. */
struct config_reader {
	struct diag *diag;
};

struct config_key;

/* Return: 0, -EINVAL or -ENOMEM; @field is released in either case by config_free(). */
typedef int config_take(struct config_reader *r, const struct yaml_node *value,
			void *field, const struct config_key *key);

/**
 * struct config_key - a key that a mapping may have
 * @name: it
 * @take: reads its value, which is not null
 * @offset: of its field in the structure
 * @min: of numbers
 * @max: of numbers; 0 is no limit
 * @zero: a number may be 0 whatever @min is
 * @range: both in words, of those who have one
 * @words: of enumerations: names by value, ends with NULL
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

/* The structure that a field is of: for values that fill more than their field. */
#define config_struct(field, type, member)					\
	((type *)(void *)((char *)(field) - offsetof(type, member)))

/* An element of a table: what follows is .min and so on. */
#define CONFIG_KEY(n, t, type, field, ...)					\
	{ .name = (n), .take = (t), .offset = offsetof(type, field), __VA_ARGS__ }
#define CONFIG_END { .name = NULL }

/* Reads a mapping; a table ends with a key without a name. */
int config_take_keys(struct config_reader *r, const struct yaml_node *mapping,
		     const struct config_key *keys, void *base);

/* Fields: bool, uint64_t, uint32_t, uint64_t (ns), uint64_t (bytes), uint32_t
 * (CONFIG_WHOLE), an enumeration, char *.
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
/* struct config_words, a list of URLs */
config_take config_take_urls;

/* The text of a scalar; else NULL, and it was refused. */
const char *config_scalar(struct config_reader *r, const struct yaml_node *value,
			  const struct config_key *key);
/* Whether it is of a kind; else it was refused. */
bool config_is(struct config_reader *r, const struct yaml_node *value,
	       const struct config_key *key, enum yaml_kind kind);

/* Puts a copy of a text in the place of the one that is there. */
int config_text(char **field, const char *text);

/* Elements. */
size_t config_count(const struct yaml_node *list);

/* Says that a value is not what the key wants, and what that is. Return: -EINVAL. */
int config_wants(struct config_reader *r, const struct yaml_node *value,
		 const struct config_key *key, const char *what);

/* Sections with a source of their own. */
config_take config_take_thinning;
config_take config_take_labels;
config_take config_take_relabel;
config_take config_take_listen;
config_take config_take_push;
/* struct config_words, a list of names of labels */
config_take config_take_label_names;

int config_check_thinning(struct config_reader *r, const struct yaml_node *value,
			  const struct config_thinning *t);
void config_free_push(struct config_push *p);
void config_free_pairs(struct config_pairs *p);
/* Takes a list whose elements @take takes. Released by config_free_words(), also on failure. */
int config_take_words(struct config_reader *r, const struct yaml_node *value,
		      struct config_words *ret, const struct config_key *key, config_take *take);

void config_free_words(struct config_words *w);
/* A map of words; checked by who asks. */
int config_take_pairs(struct config_reader *r, const struct yaml_node *value,
		      struct config_pairs *ret, const struct config_key *key);

#endif /* USTACK_USER_DAEMON_CONFIG_READ_H */
