/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A set of labels: names and values, few enough that looking through them is the fastest.
 *
 * Names are those of Prometheus: letters, digits and "_" of ASCII, no digit first. Values
 * are UTF-8 of at most LABELS_MAX_VALUE bytes without control characters: what is none of
 * it becomes U+FFFD, and what is longer is cut behind a character. A label whose value is ""
 * is a label that is not there.
 */
#ifndef USTACK_USER_DAEMON_LABELS_H
#define USTACK_USER_DAEMON_LABELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LABELS_MAX_NAME 256u
#define LABELS_MAX_VALUE 1024u
/* Labels of one set. What is too much is left out. */
#define LABELS_MAX 64u

/**
 * struct label - one of them
 * @name: in struct labels' memory
 * @value: likewise
 */
struct label {
	const char *name;
	const char *value;
};

struct labels_chunk;

/**
 * struct labels - a set
 * @label: in ascending order of their names
 * @nr: of them
 * @left_out: labels that had no room, or no memory; since labels_init()
 */
struct labels {
	struct label label[LABELS_MAX];
	size_t nr;
	uint64_t left_out;

	/* private: where the texts are */
	struct labels_chunk *chunks;
};

void labels_init(struct labels *set);
void labels_release(struct labels *set);
/* No labels; keeps memory for the next ones, and @left_out. Texts are no longer valid. */
void labels_clear(struct labels *set);

/* Whether it is one. */
bool labels_is_name(const char *name);

/* Return: valid until labels_clear(); "" if it is not there. */
const char *labels_get(const struct labels *set, const char *name);

/**
 * labels_set() - set a label, or remove it
 * @set: the set
 * @name: labels_is_name()
 * @value: any bytes; "" removes it
 *
 * Both are copied, and may be of the set itself.
 */
void labels_set(struct labels *set, const char *name, const char *value);

/* Removes @label[at]: those behind it move up. */
void labels_remove(struct labels *set, size_t at);

/**
 * labels_clean() - a value as it has to be
 * @value: any bytes
 * @len: of them; up to a NUL if there is one
 * @ret: LABELS_MAX_VALUE + 1 bytes
 *
 * Return: length of @ret.
 */
size_t labels_clean(const char *value, size_t len, char *ret);

#endif /* USTACK_USER_DAEMON_LABELS_H */
