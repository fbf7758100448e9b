// SPDX-License-Identifier: GPL-2.0-only
/*
 * The protocol OTLP, over HTTP and gRPC: collects the parts of a request and judges the answer.
 * The message is ExportProfilesServiceRequest of opentelemetry-proto, profiles v1development as
 * of 1.10.0. Its dictionary has the same tables as a struct profile, in which element 0 stands
 * for "nothing". So one struct profile is the dictionary of a request.
 */
#include "serve/push/otlp.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "serve/push/answer.h"
#include "serve/push/grpc.h"
#include "util/array.h"

#include "util/poison.h"

#define MAX_SAMPLES 100000u

static struct otlp *otlp_new(void)
{
	struct otlp *o = calloc(1, sizeof(*o));

	if (o)
		o->dict = profile_new();
	if (o && !o->dict) {
		free(o);
		o = NULL;
	}
	return o;
}

static void release(struct push_body *body)
{
	struct otlp *o = body->more;
	size_t i;

	for (i = 0; i < o->nr_parts; i++)
		buffer_release(&o->parts[i].resource);
	push_copy_release(&o->copy);
	profile_free(o->dict);
	free(o->parts);
	free(o->samples);
	free(o);
	body->more = NULL;
}

/* Append a KeyValue with a text, which is field 1 of a Resource; an empty text is skipped. */
static void put_attribute(struct buffer *b, const char *key, const char *value)
{
	size_t pair, any;

	if (!*value)
		return;
	pair = push_message(b, 1);
	push_put_string(b, 1, key);
	any = push_message(b, 2);
	push_put_string(b, 1, value);
	push_message_end(b, any);
	push_message_end(b, pair);
}

/*
 * Return: whether a machine's label @name is not sent under its own name: put_resource() makes an
 * attribute of this name, or one that has the label's value.
 */
static bool is_taken(const char *name)
{
	static const char *const taken[] = {
		PUSH_HOST, PUSH_NODE, "host.name", "service.name", "container.id", "k8s.pod.uid",
		"k8s.pod.name", "k8s.container.name", "k8s.namespace.name", "k8s.node.name",
		"service.namespace", "service.instance.id", "service.version", "deployment.environment.name",
	};
	size_t i;

	for (i = 0; i < sizeof(taken) / sizeof(*taken); i++)
		if (!strcmp(name, taken[i]))
			return true;
	return false;
}

/* Append all attributes of a Resource. */
static void put_resource(struct buffer *b, const struct push_part *part)
{
	const char *const *place = part->group->place;
	const struct push_machine_labels *m = part->machine;
	uint32_t i;

	put_attribute(b, "service.name", part->group->service);
	put_attribute(b, "host.name", push_machine_label(m, PUSH_HOST));
	put_attribute(b, "k8s.node.name", push_machine_label(m, PUSH_NODE));
	for (i = 0; i < PUSH_NR_PLACE_LABELS; i++)
		put_attribute(b, push_place_attribute(i, *place[push_place_id(i)]), place[i]);
	for (i = 0; i < m->nr; i++)
		if (!is_taken(m->name[i]))
			put_attribute(b, m->name[i], m->value[i]);
}

/* FNV-1a of 128 bits. It need not resist attacks: nobody gains anything by two equal ids. */
static void hash_id(const char *identity, uint8_t id[16])
{
	unsigned __int128 prime = (unsigned __int128)1 << 88 | 0x13b;
	unsigned __int128 h = (unsigned __int128)0x6c62272e07bb0142ull << 64 |
			      0x62b821756295c58dull;
	unsigned int i;

	for (; *identity; identity++)
		h = (h ^ (unsigned char)*identity) * prime;
	for (i = 0; i < 16; i++)
		id[i] = (uint8_t)(h >> 8 * (15 - i));
}

static int add_samples(struct otlp *o, const struct push_part *part)
{
	const struct profile *w = part->window;
	uint32_t i;

	for (i = 0; i < part->nr; i++) {
		const struct profile_sample *s = &w->samples[part->samples[i]];

		if (!array_has_room(o->samples, o->nr_samples, o->samples_room))
			return -ENOMEM;
		o->samples[o->nr_samples] = *s;
		o->samples[o->nr_samples].stack = push_copy_stack(&o->copy, s->stack);
		o->samples[o->nr_samples++].labels = push_copy_labels(&o->copy, s->labels);
	}
	return push_copied(&o->copy);
}

static int add_part(struct otlp *o, const struct push_part *part)
{
	const struct profile *w = part->window;
	struct otlp_part *p;
	char id[PUSH_IDENTITY_BYTES + 32];
	uint32_t i;

	if (!array_has_room(o->parts, o->nr_parts, o->parts_room))
		return -ENOMEM;
	p = &o->parts[o->nr_parts++];
	*p = (struct otlp_part){
		.time_ns = w->time_ns,
		.duration_ns = w->duration_ns,
		.period = w->period,
		.period_type = { push_copy_string(&o->copy, w->period_type.type),
				 push_copy_string(&o->copy, w->period_type.unit) },
		.nr_types = w->nr_value_types,
		.identity = profile_string(o->dict, part->identity),
		.first = o->nr_samples,
	};
	for (i = 0; i < p->nr_types; i++) {
		p->types[i].type = push_copy_string(&o->copy, w->value_types[i].type);
		p->types[i].unit = push_copy_string(&o->copy, w->value_types[i].unit);
		snprintf(id, sizeof(id), "%s/%u", part->identity, i);
		hash_id(id, p->id[i]);
	}
	put_resource(&p->resource, part);
	return p->resource.failed ? -ENOMEM : 0;
}

static int add(struct push_body *body, const struct push_part *part, struct diag *diag)
{
	struct otlp *o = body->more ? body->more : otlp_new();
	int err = o ? 0 : -ENOMEM;

	body->more = o;
	/* the parts of one window follow each other; another window has other numbers */
	if (!err && (!body->parts || o->window.segment != part->at.segment ||
		     o->window.record != part->at.record)) {
		push_copy_release(&o->copy);
		err = push_copy_init(&o->copy, o->dict, part->window, part->keep);
		o->window = part->at;
	}
	if (!err)
		err = add_part(o, part);
	if (!err)
		err = add_samples(o, part);
	if (err)
		return diag_errno(diag, -err, NULL);
	o->parts[o->nr_parts - 1].end = o->nr_samples;
	body->parts++;
	return 0;
}

static int finish(struct push_body *body, struct diag *diag)
{
	int err = otlp_encode(body->more, &body->bytes);

	if (err)
		return diag_errno(diag, -err, NULL);
	body->gzip = true;
	snprintf(body->type, sizeof(body->type), "application/x-protobuf");
	return push_gzip(&body->bytes, diag);
}

const struct push_peer push_otlp = {
	.path = "/v1development/profiles",
	.containers = true,
	.samples = MAX_SAMPLES,
	.add = add,
	.finish = finish,
	.release = release,
	.judge = push_judge_otlp,
};

static int finish_grpc(struct push_body *body, struct diag *diag)
{
	int err = finish(body, diag);

	if (err)
		return err;
	snprintf(body->type, sizeof(body->type), "application/grpc+proto");
	err = push_grpc_frame(&body->bytes, true);
	return err ? diag_errno(diag, -err, NULL) : 0;
}

/* The body is the message without its prefix, and its Content-Type was that of gRPC. */
static uint64_t judge_grpc(struct push_answer *a)
{
	snprintf(a->type, sizeof(a->type), "application/x-protobuf");
	return push_judge_otlp(a);
}

const struct push_peer push_otlp_grpc = {
	.path = "/opentelemetry.proto.collector.profiles.v1development.ProfilesService/Export",
	.grpc = true,
	.containers = true,
	.samples = MAX_SAMPLES,
	.add = add,
	.finish = finish_grpc,
	.release = release,
	.judge = judge_grpc,
};
