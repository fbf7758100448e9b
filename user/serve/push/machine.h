/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Labels of the machine: a window has them once, as a comment `labels: {"host":"..."}`
 * (Documentation/daemon.md).
 */
#ifndef USTACK_USER_PUSH_MACHINE_H
#define USTACK_USER_PUSH_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/profile.h"

#define PUSH_MACHINE_COMMENT "labels: "
#define PUSH_MAX_MACHINE_LABELS 64u
#define PUSH_LABEL_BYTES 256u
#define PUSH_HOST "host"
/* Of a node of Kubernetes. */
#define PUSH_NODE "node"

/**
 * struct push_machine - labels, the host among them
 * @name: in ascending order, none twice
 * @value: texts
 * @nr: of both
 */
struct push_machine {
	char name[PUSH_MAX_MACHINE_LABELS][PUSH_LABEL_BYTES];
	char value[PUSH_MAX_MACHINE_LABELS][PUSH_LABEL_BYTES];
	uint32_t nr;
};

/* Whether comment @i is them. */
bool push_is_machine(const struct profile *p, uint32_t i);

/* Those of a window; without "host" in them @host is that. What is no label is left out. */
void push_machine_of(const struct profile *p, const char *host, struct push_machine *ret);

/* Return: text of a label, "" without it. */
const char *push_machine_text(const struct push_machine *m, const char *name);

#endif /* USTACK_USER_PUSH_MACHINE_H */
