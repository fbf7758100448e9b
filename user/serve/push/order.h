/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Samples of a window in the order in which they are sent: by service (and, where the
 * protocol wants it, the labels of push_place_labels), then as the window has them. It depends on the
 * labels alone, which no later window changes, so a number of samples says where to go on.
 */
#ifndef USTACK_USER_PUSH_ORDER_H
#define USTACK_USER_PUSH_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "profile/profile.h"

#define PUSH_NO_SERVICE "unknown_service"

/* Labels that say where a sample ran, and what its process says of itself. "container" and "pod" are names if there are labels with
 * their ids, too (relabel_default()), else ids.
 */
enum push_place_label {
	PUSH_CONTAINER,
	PUSH_CONTAINER_ID,
	PUSH_POD,
	PUSH_POD_UID,
	PUSH_NAMESPACE,
	PUSH_SERVICE_NAMESPACE,
	PUSH_SERVICE_INSTANCE,
	PUSH_SERVICE_VERSION,
	PUSH_ENVIRONMENT,
	PUSH_NR_PLACE_LABELS,
};

extern const char *const push_place_labels[PUSH_NR_PLACE_LABELS];

/**
 * push_place_attribute() - a label's name by OpenTelemetry's semantic conventions
 * @label: which
 * @has_id: there is PUSH_CONTAINER_ID, for PUSH_CONTAINER; PUSH_POD_UID, for PUSH_POD; any for
 *          others
 */
const char *push_place_attribute(enum push_place_label label, bool has_id);

/* The label that @label needs to be a name; itself if it needs none. */
enum push_place_label push_place_id(enum push_place_label label);

/**
 * struct push_group - samples of one service
 * @service: its name
 * @place: values of push_place_labels; "" for those that it has not, and for all if groups are
 *         of services alone
 * @start: place of its first sample
 * @end: place behind its last
 */
struct push_group {
	const char *service;
	const char *place[PUSH_NR_PLACE_LABELS];
	uint32_t start;
	uint32_t end;
};

/**
 * struct push_order - all zeros is none
 * @samples: numbers of samples
 * @groups: in the order of @samples; texts are the profile's
 * @nr: of @samples
 * @nr_groups: of @groups
 */
struct push_order {
	uint32_t *samples;
	struct push_group *groups;
	uint32_t nr;
	uint32_t nr_groups;
};

/**
 * struct push_grouping - what makes a group
 * @services: labels of which the first that a sample has is its service; ends with NULL
 * @containers: and push_place_labels
 * @none: all samples are one group, without names
 */
struct push_grouping {
	const char *const *services;
	bool containers;
	bool none;
};

/* Return: 0 with @ret to be released, or -ENOMEM. */
int push_order_init(const struct profile *p, const struct push_grouping *how,
		    struct push_order *ret);
void push_order_release(struct push_order *o);

/* Return: the group of the sample at place @at, which is below @nr. */
const struct push_group *push_order_group(const struct push_order *o, uint32_t at);

#endif /* USTACK_USER_PUSH_ORDER_H */
