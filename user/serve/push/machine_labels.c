// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads the labels of the machine from a window's comment, and adds the host's name if it has none.
 * Any context.
 */
#include "serve/push/machine_labels.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "util/poison.h"

bool push_is_machine_labels(const struct profile *p, uint32_t i)
{
	return !strncmp(profile_text(p, p->comments[i]), PUSH_MACHINE_COMMENT,
			strlen(PUSH_MACHINE_COMMENT));
}

static void add(struct push_machine_labels *m, const char *name, const char *value)
{
	uint32_t i;

	if (m->nr == PUSH_MAX_MACHINE_LABELS || !*name || strlen(name) >= PUSH_LABEL_BYTES)
		return;
	for (i = m->nr; i && strcmp(m->name[i - 1], name) > 0; i--) {
		memcpy(m->name[i], m->name[i - 1], PUSH_LABEL_BYTES);
		memcpy(m->value[i], m->value[i - 1], PUSH_LABEL_BYTES);
	}
	snprintf(m->name[i], PUSH_LABEL_BYTES, "%s", name);
	snprintf(m->value[i], PUSH_LABEL_BYTES, "%s", value);
	m->nr++;
}

static void add_all(struct push_machine_labels *m, const char *text)
{
	json_t *all = json_loads(text, JSON_REJECT_DUPLICATES, NULL), *value;
	const char *name;

	json_object_foreach(all, name, value)
		if (json_is_string(value))
			add(m, name, json_string_value(value));
	json_decref(all);
}

void push_machine_labels_of(const struct profile *p, const char *host,
			    struct push_machine_labels *ret)
{
	uint32_t i;

	ret->nr = 0;
	for (i = 0; i < p->nr_comments; i++) {
		if (push_is_machine_labels(p, i)) {
			add_all(ret, profile_text(p, p->comments[i]) +
				     strlen(PUSH_MACHINE_COMMENT));
			break;
		}
	}
	if (*push_machine_label(ret, PUSH_HOST))
		return;
	/* an empty host counts as missing; if the list is full, the host replaces the last label */
	for (i = 0; i < ret->nr && strcmp(ret->name[i], PUSH_HOST); i++)
		;
	if (i < ret->nr) {
		snprintf(ret->value[i], PUSH_LABEL_BYTES, "%s", host);
		return;
	}
	ret->nr -= ret->nr == PUSH_MAX_MACHINE_LABELS;
	add(ret, PUSH_HOST, host);
}

const char *push_machine_label(const struct push_machine_labels *m, const char *name)
{
	uint32_t i;

	for (i = 0; i < m->nr; i++)
		if (!strcmp(m->name[i], name))
			return m->value[i];
	return "";
}
