// SPDX-License-Identifier: GPL-2.0-only
/*
 * The protocol of Pyroscope: a form for POST /ingest, which servers 0.x to 2.x and Alloy accept.
 * A request has one profile of one service, so the server answers each profile separately.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "util/net/url.h"
#include "serve/push/answer.h"
#include "serve/push/peer.h"

#include "util/poison.h"

/* Half of the server's limit of 16000 samples; it also has a limit of 4 MiB unpacked. */
#define MAX_SAMPLES 8000u
#define NAME_BYTES 1200u
#define QUERY_TAIL 160u
/*
 * A service with more samples is sent as several profiles. Their times have to differ: each is
 * this many nanoseconds later for each sample before it.
 */
#define LATER_NS 1000u

static const char *const kept[] = { "container", "pod", "namespace", PROFILE_LABEL_COMMAND,
				    PROFILE_LABEL_EVENT, NULL };

/* Replace control characters and the characters of @which, which the server's parser uses. */
static void replace(char *s, const char *which)
{
	for (; *s; s++)
		if ((unsigned char)*s < ' ' || strchr(which, *s))
			*s = '_';
}

/* Write @service as an application's name: characters that are not allowed become '_'. */
static void put_application(char *buf, size_t room, const char *service)
{
	char *c;

	snprintf(buf, room, "%s", service);
	for (c = buf; *c; c++)
		if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._/", *c))
			*c = '_';
}

static void put_label(struct push_body *body, size_t *at, bool first, const char *name,
		      const char *value)
{
	char text[2 * PUSH_LABEL_BYTES], plain[PUSH_LABEL_BYTES], label[PUSH_LABEL_BYTES];
	size_t len;

	snprintf(plain, sizeof(plain), "%s", value);
	replace(plain, ",{}");
	snprintf(text, sizeof(text), "%s%s=%s", first ? "" : ",",
		 push_label_name(name, label, sizeof(label)), plain);
	len = 3 * strlen(text);
	/* a label that does not fit is skipped */
	if (*plain && *at + len + QUERY_TAIL < sizeof(body->query))
		*at += net_url_escape(text, body->query + *at, sizeof(body->query) - *at);
}

static uint64_t rate_of(const struct profile *p)
{
	const char *unit = profile_text(p, p->period_type.unit);

	if (strcmp(unit, "nanoseconds") || p->period <= 0)
		return 0;
	return (1000000000ull + (uint64_t)p->period / 2) / (uint64_t)p->period;
}

static void put_query(struct push_body *body, const struct push_part *part)
{
	const struct profile *w = part->window;
	char name[NAME_BYTES];
	uint64_t rate = rate_of(w);
	size_t at;
	uint32_t i;

	at = (size_t)snprintf(body->query, sizeof(body->query), "?name=");
	put_application(name, PUSH_LABEL_BYTES, part->group->service);
	at += net_url_escape(name, body->query + at, sizeof(body->query) - at);
	at += net_url_escape("{", body->query + at, sizeof(body->query) - at);
	put_label(body, &at, true, "service_name", part->group->service);
	for (i = 0; i < part->machine->nr; i++)
		if (strcmp(part->machine->name[i], "service_name"))
			put_label(body, &at, false, part->machine->name[i],
				  part->machine->value[i]);
	at += net_url_escape("}", body->query + at, sizeof(body->query) - at);
	at += (size_t)snprintf(body->query + at, sizeof(body->query) - at,
			       "&from=%" PRIu64 "&until=%" PRIu64 "&spyName=ustack",
			       w->time_ns / 1000000000,
			       (w->time_ns + w->duration_ns + 999999999) / 1000000000);
	if (rate)
		snprintf(body->query + at, sizeof(body->query) - at, "&sampleRate=%" PRIu64, rate);
}

/*
 * Return: the form's sample_type_config. Servers 0.x need it to know the types of values; later
 * ones make the name of the series from it.
 */
static const char *types_of(const struct profile *p)
{
	uint32_t i;

	for (i = 0; i < p->nr_value_types; i++)
		if (!strcmp(profile_text(p, p->value_types[i].type), "cpu"))
			return "{\"samples\":{\"units\":\"samples\",\"display-name\":\"cpu\","
			       "\"aggregation\":\"sum\",\"sampled\":true}}";
	return "{\"samples\":{\"units\":\"samples\",\"aggregation\":\"sum\"}}";
}

static void put_file(struct buffer *b, const char *boundary, const char *name,
		     const void *bytes, size_t len)
{
	char head[256];

	snprintf(head, sizeof(head),
		 "--%s\r\nContent-Disposition: form-data; name=\"%s\"; filename=\"%s\"\r\n"
		 "Content-Type: application/octet-stream\r\n\r\n", boundary, name, name);
	buffer_text(b, head);
	buffer_put(b, bytes, len);
	buffer_text(b, "\r\n");
}

/* Find a boundary for the form that does not occur in the file. */
static void find_boundary(const struct buffer *file, char *buf, size_t len)
{
	unsigned int n = 0;

	do
		snprintf(buf, len, "ustack-%08x-form", n++);
	while (memmem(file->at, file->len, buf, strlen(buf)));
}

static int add(struct push_body *body, const struct push_part *part, struct diag *diag)
{
	uint64_t later = (part->first - part->group->start) * LATER_NS;
	const char *types = types_of(part->window);
	struct buffer file = { 0 };
	char boundary[32];
	int err;

	err = push_pprof(part, later, &file, diag);
	if (!err) {
		put_query(body, part);
		find_boundary(&file, boundary, sizeof(boundary));
		put_file(&body->bytes, boundary, "profile", file.at, file.len);
		put_file(&body->bytes, boundary, "sample_type_config", types, strlen(types));
		buffer_text(&body->bytes, "--");
		buffer_text(&body->bytes, boundary);
		buffer_text(&body->bytes, "--\r\n");
		snprintf(body->type, sizeof(body->type), "multipart/form-data; boundary=%s",
			 boundary);
		body->parts++;
	}
	buffer_release(&file);
	return err;
}

static int finish(struct push_body *body, struct diag *diag)
{
	return body->bytes.failed ? diag_errno(diag, ENOMEM, NULL) : 0;
}

static uint64_t judge(struct push_answer *answer)
{
	push_judge_pyroscope(answer);
	return 0;
}

const struct push_peer push_pyroscope = {
	.path = "/ingest",
	.one_part = true,
	.samples = MAX_SAMPLES,
	.keep = kept,
	.add = add,
	.finish = finish,
	.judge = judge,
};
