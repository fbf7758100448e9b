/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Labels of the machine that recorded a window. The window has them once, as a comment
 * `labels: {"host":"..."}` (Documentation/daemon.md).
 */
#ifndef USTACK_USER_PUSH_MACHINE_LABELS_H
#define USTACK_USER_PUSH_MACHINE_LABELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/profile.h"

#define PUSH_MACHINE_COMMENT "labels: "
#define PUSH_MAX_MACHINE_LABELS 64u
#define PUSH_LABEL_BYTES 256u
#define PUSH_HOST "host"
/* Label with the name of the Kubernetes node. */
#define PUSH_NODE "node"

/**
 * struct push_machine_labels - labels of a machine; PUSH_HOST is always one of them
 * @name: names of the labels, in ascending order, each once
 * @value: value of each label
 * @nr: number of labels
 */
struct push_machine_labels {
	char name[PUSH_MAX_MACHINE_LABELS][PUSH_LABEL_BYTES];
	char value[PUSH_MAX_MACHINE_LABELS][PUSH_LABEL_BYTES];
	uint32_t nr;
};

/* Return: whether comment @i of a window has the labels of the machine. */
bool push_is_machine_labels(const struct profile *p, uint32_t i);

/*
 * Read the labels of a window. If there is no label "host", @host is its value. Anything in the
 * comment that is not a label is skipped.
 */
void push_machine_labels_of(const struct profile *p, const char *host,
			    struct push_machine_labels *ret);

/* Return: value of a label, "" if there is no such label. */
const char *push_machine_label(const struct push_machine_labels *m, const char *name);

#endif /* USTACK_USER_PUSH_MACHINE_LABELS_H */
