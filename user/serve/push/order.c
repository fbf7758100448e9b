// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sorts the samples of a window by groups, and has the names of the labels that make groups, in
 * ustack and in OpenTelemetry's semantic conventions. Any context: it changes nothing but its
 * results.
 */
#include "serve/push/order.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/poison.h"

const char *const push_place_labels[PUSH_NR_PLACE_LABELS] = {
	[PUSH_CONTAINER] = "container",
	[PUSH_CONTAINER_ID] = "container_id",
	[PUSH_POD] = "pod",
	[PUSH_POD_UID] = "pod_uid",
	[PUSH_NAMESPACE] = "namespace",
	[PUSH_SERVICE_NAMESPACE] = "service_namespace",
	[PUSH_SERVICE_INSTANCE] = "service_instance_id",
	[PUSH_SERVICE_VERSION] = "service_version",
	[PUSH_ENVIRONMENT] = "deployment_environment_name",
};

const char *push_place_attribute(enum push_place_label label, bool has_id)
{
	switch (label) {
	case PUSH_CONTAINER:
		return has_id ? "k8s.container.name" : "container.id";
	case PUSH_CONTAINER_ID:
		return "container.id";
	case PUSH_POD:
		return has_id ? "k8s.pod.name" : "k8s.pod.uid";
	case PUSH_POD_UID:
		return "k8s.pod.uid";
	case PUSH_NAMESPACE:
		return "k8s.namespace.name";
	case PUSH_SERVICE_NAMESPACE:
		return "service.namespace";
	case PUSH_SERVICE_INSTANCE:
		return "service.instance.id";
	case PUSH_SERVICE_VERSION:
		return "service.version";
	case PUSH_ENVIRONMENT:
		return "deployment.environment.name";
	case PUSH_NR_PLACE_LABELS:
		break;
	}
	return "";
}

enum push_place_label push_place_id(enum push_place_label label)
{
	return label == PUSH_CONTAINER ? PUSH_CONTAINER_ID : label == PUSH_POD ? PUSH_POD_UID : label;
}

/* A sample that is being sorted. */
struct item {
	struct push_group group;
	uint32_t sample;
};

static const char *text_of(const struct profile *p, uint32_t labels, const char *key)
{
	const char *text = profile_label_text(p, labels, key);

	return text ? text : "";
}

static struct push_group group_of(const struct profile *p, uint32_t labels,
				  const struct push_grouping *how)
{
	struct push_group g = { .service = "" };
	const char *const *service;
	unsigned int i;

	for (i = 0; i < PUSH_NR_PLACE_LABELS; i++)
		g.place[i] = how->containers && !how->ungrouped ?
			     text_of(p, labels, push_place_labels[i]) : "";

	if (how->ungrouped)
		return g;
	for (service = how->services; *service && !*g.service; service++)
		g.service = text_of(p, labels, *service);
	if (!*g.service)
		g.service = PUSH_NO_SERVICE;
	return g;
}

static int compare_groups(const struct push_group *a, const struct push_group *b)
{
	int c = a->service == b->service ? 0 : strcmp(a->service, b->service);
	unsigned int i;

	for (i = 0; !c && i < PUSH_NR_PLACE_LABELS; i++)
		c = a->place[i] == b->place[i] ? 0 : strcmp(a->place[i], b->place[i]);
	return c;
}

static int compare_items(const void *x, const void *y)
{
	const struct item *a = x, *b = y;
	int c = compare_groups(&a->group, &b->group);

	return c ? c : a->sample < b->sample ? -1 : a->sample > b->sample;
}

static struct item *sorted(const struct profile *p, const struct push_grouping *how)
{
	struct push_group *groups = reallocarray(NULL, p->nr_labels + 1, sizeof(*groups));
	struct item *items = reallocarray(NULL, (size_t)p->nr_samples + 1, sizeof(*items));
	uint32_t i;

	for (i = 0; groups && i < p->nr_labels; i++)
		groups[i] = group_of(p, i, how);
	for (i = 0; groups && items && i < p->nr_samples; i++)
		items[i] = (struct item){ groups[p->samples[i].labels], i };
	if (groups && items) {
		qsort(items, p->nr_samples, sizeof(*items), compare_items);
	} else {
		free(items);
		items = NULL;
	}
	free(groups);
	return items;
}

int push_order_init(const struct profile *p, const struct push_grouping *how,
		    struct push_order *ret)
{
	struct item *items = sorted(p, how);
	struct push_group *g = NULL;
	uint32_t i;

	*ret = (struct push_order){ .nr = p->nr_samples };
	ret->samples = reallocarray(NULL, (size_t)ret->nr + 1, sizeof(*ret->samples));
	ret->groups = reallocarray(NULL, (size_t)ret->nr + 1, sizeof(*ret->groups));
	if (!items || !ret->samples || !ret->groups) {
		free(items);
		push_order_release(ret);
		return -ENOMEM;
	}
	for (i = 0; i < ret->nr; i++) {
		ret->samples[i] = items[i].sample;
		if (!g || compare_groups(g, &items[i].group)) {
			g = &ret->groups[ret->nr_groups++];
			*g = items[i].group;
			g->start = i;
		}
		g->end = i + 1;
	}
	free(items);
	return 0;
}

void push_order_release(struct push_order *o)
{
	free(o->samples);
	free(o->groups);
	*o = (struct push_order){ 0 };
}

const struct push_group *push_order_group(const struct push_order *o, uint32_t at)
{
	uint32_t lo = 0, hi = o->nr_groups - 1, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (o->groups[mid].end <= at)
			lo = mid + 1;
		else
			hi = mid;
	}
	return &o->groups[lo];
}
