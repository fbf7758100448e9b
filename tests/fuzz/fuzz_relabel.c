// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rules and labels of any bytes, one on each line:
 *
 *	=ACTION,SOURCE SOURCE,SEPARATOR,REGEX,TARGET,REPLACEMENT,MODULUS	fields end at ^A
 *	NAME=VALUE
 *
 * The result is a set as labels.h defines it, and the same each time.
 */
#include <errno.h>
#include <string.h>

#include "serve/daemon/relabel.h"
#include "must.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void add_rule(struct relabel *r, char *line)
{
	const char *field[7] = { NULL }, *source[RELABEL_MAX_SOURCES + 2], *bad = "";
	struct relabel_rule rule = { 0 };
	struct diag diag = { 0 };
	char *save = NULL, *word;
	size_t i;
	int err;

	for (i = 0; i < 7 && line; i++)
		field[i] = strsep(&line, "\1");
	if (field[1])
		for (word = strtok_r((char *)field[1], " ", &save);
		     word && rule.nr_source_labels < RELABEL_MAX_SOURCES + 2;
		     word = strtok_r(NULL, " ", &save))
			source[rule.nr_source_labels++] = word;
	rule.source_labels = source;
	rule.action = field[0] && *field[0] ? field[0] : NULL;
	rule.separator = field[2];
	rule.regex = field[3];
	rule.target_label = field[4];
	rule.replacement = field[5];
	rule.modulus = field[6] ? strtoull(field[6], NULL, 10) : 0;
	err = relabel_add(r, &rule, &bad, &diag);
	must(!err || (err == -EINVAL && *diag.text));
	must(err || !bad);
}

static void check_set(const struct labels *set)
{
	char clean[LABELS_MAX_VALUE + 1];
	size_t i;

	must(set->nr <= LABELS_MAX);
	for (i = 0; i < set->nr; i++) {
		const struct label *l = &set->label[i];

		must(labels_is_name(l->name) && *l->value);
		must(!i || strcmp(set->label[i - 1].name, l->name) < 0);
		labels_clean(l->value, strlen(l->value), clean);
		must(!strcmp(l->value, clean));
		must(labels_get(set, l->name) == l->value);
	}
}

static void fill(struct labels *set, const struct labels *from)
{
	size_t i;

	for (i = from->nr; i--;)
		labels_set(set, from->label[i].name, from->label[i].value);
	must(set->nr == from->nr);
}

static void check_same(const struct labels *a, const struct labels *b)
{
	size_t i;

	must(a->nr == b->nr);
	for (i = 0; i < a->nr; i++)
		must(!strcmp(a->label[i].name, b->label[i].name) &&
		     !strcmp(a->label[i].value, b->label[i].value));
}

static void run(char *text)
{
	struct labels set, first, second;
	struct relabel *r;
	char *line, *equal;
	bool stays;

	must(!relabel_new(&r));
	labels_init(&set);
	labels_init(&first);
	labels_init(&second);
	while ((line = strsep(&text, "\n"))) {
		equal = strchr(line, '=');
		if (equal == line) {
			add_rule(r, line + 1);
		} else if (equal) {
			*equal = '\0';
			labels_set(&set, line, equal + 1);
		}
	}
	check_set(&set);
	fill(&first, &set);
	fill(&second, &set);
	stays = relabel_apply(r, &first);
	check_set(&first);
	must(relabel_apply(r, &second) == stays);
	check_same(&first, &second);
	must(relabel_equal(r, r));
	labels_release(&set);
	labels_release(&first);
	labels_release(&second);
	relabel_free(r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	memcpy(text, data, size);
	text[size] = '\0';
	run(text);
	free(text);
	return 0;
}
