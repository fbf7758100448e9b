/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The order in which the samples of a window are sent: grouped by service (and, for some
 * protocols, by the labels of push_place_labels), and within a group as the window has them. It
 * depends on the window's labels alone, which never change. So the number of samples that were
 * sent tells where to continue.
 */
#ifndef USTACK_USER_PUSH_ORDER_H
#define USTACK_USER_PUSH_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "profile/profile.h"

#define PUSH_NO_SERVICE "unknown_service"

/*
 * Labels that say where a sample ran, and what its process says about itself. "container" and
 * "pod" are names if the sample also has a label with the id (relabel_default()); otherwise they
 * are ids.
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
 * push_place_attribute() - the name of a label in OpenTelemetry's semantic conventions
 * @label: the label
 * @has_id: the sample also has the label push_place_id(@label)
 *
 * Return: the attribute's name, such as "k8s.pod.name".
 */
const char *push_place_attribute(enum push_place_label label, bool has_id);

/*
 * Return: the label with the id that makes @label a name: PUSH_CONTAINER_ID or PUSH_POD_UID;
 * @label itself if it needs none.
 */
enum push_place_label push_place_id(enum push_place_label label);

/**
 * struct push_group - consecutive samples of one service
 * @service: name of the service, "" if samples are not grouped
 * @place: values of push_place_labels; "" for a label that the samples do not have, and for all
 *         labels if @containers of struct push_grouping is not set
 * @start: place of the group's first sample in the order
 * @end: place after its last sample
 */
struct push_group {
	const char *service;
	const char *place[PUSH_NR_PLACE_LABELS];
	uint32_t start;
	uint32_t end;
};

/**
 * struct push_order - the order of a window's samples; all zeros is an empty one
 * @samples: numbers of the samples in the window, in the order in which they are sent
 * @groups: the groups, in the order of @samples; the profile owns their texts
 * @nr: number of entries in @samples
 * @nr_groups: number of entries in @groups
 */
struct push_order {
	uint32_t *samples;
	struct push_group *groups;
	uint32_t nr;
	uint32_t nr_groups;
};

/**
 * struct push_grouping - how samples are grouped
 * @services: labels that name a sample's service: the first one that the sample has counts;
 *            ends with NULL
 * @containers: samples of a group also have the same push_place_labels
 * @ungrouped: all samples are one group without a name
 */
struct push_grouping {
	const char *const *services;
	bool containers;
	bool ungrouped;
};

/* Sort the samples of @p. Return: 0 with @ret to be released, or -ENOMEM. */
int push_order_init(const struct profile *p, const struct push_grouping *how,
		    struct push_order *ret);
void push_order_release(struct push_order *o);

/* Return: the group of the sample at place @at of the order; @at is below @nr. */
const struct push_group *push_order_group(const struct push_order *o, uint32_t at);

#endif /* USTACK_USER_PUSH_ORDER_H */
