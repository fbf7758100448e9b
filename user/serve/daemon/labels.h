/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A set of labels: names and values. It is so small that a linear search is fastest.
 *
 * Names are those of Prometheus: ASCII letters, digits and "_", not beginning with a digit. Values
 * are UTF-8 of at most LABELS_MAX_VALUE bytes without control characters. Invalid bytes and
 * control characters become U+FFFD, and a longer value is cut after a whole character. A label
 * whose value is "" counts as absent.
 */
#ifndef USTACK_USER_DAEMON_LABELS_H
#define USTACK_USER_DAEMON_LABELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LABELS_MAX_NAME 256u
#define LABELS_MAX_VALUE 1024u
/* Labels of one set. More are left out. */
#define LABELS_MAX 64u

/**
 * struct label - a label
 * @name: name of the label, in memory of the set
 * @value: value of the label, in memory of the set
 */
struct label {
	const char *name;
	const char *value;
};

struct labels_chunk;

/**
 * struct labels - a set
 * @label: the labels in ascending order of their names
 * @nr: number of labels
 * @left_out: number of labels since labels_init() that found no room or no memory
 */
struct labels {
	struct label label[LABELS_MAX];
	size_t nr;
	uint64_t left_out;

	/* private: memory of the texts */
	struct labels_chunk *chunks;
};

void labels_init(struct labels *set);
void labels_release(struct labels *set);
/* Removes all labels, and makes their texts invalid. It keeps some memory, and @left_out. */
void labels_clear(struct labels *set);

/* Whether a text is a valid name of a label. */
bool labels_is_name(const char *name);

/* Return: the value of a label, valid until labels_clear(); "" if there is none. */
const char *labels_get(const struct labels *set, const char *name);

/**
 * labels_set() - set a label, or remove it
 * @set: the set
 * @name: name of the label, valid by labels_is_name()
 * @value: any bytes; "" removes the label
 *
 * Both texts are copied; they may be texts of the set itself.
 */
void labels_set(struct labels *set, const char *name, const char *value);

/* Removes @label[at]; later labels move up. */
void labels_remove(struct labels *set, size_t at);

/**
 * labels_clean() - make a valid value from any bytes
 * @value: any bytes
 * @len: length of @value; bytes from a NUL on are ignored
 * @ret: gets the value; has room for LABELS_MAX_VALUE + 1 bytes
 *
 * Return: length of @ret.
 */
size_t labels_clean(const char *value, size_t len, char *ret);

#endif /* USTACK_USER_DAEMON_LABELS_H */
