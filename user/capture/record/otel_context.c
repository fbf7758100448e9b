// SPDX-License-Identifier: GPL-2.0-only
/*
 * Parses OpenTelemetry's process context: the header and the protobuf message
 * that a process publishes in its memory. See otel_context.h; otel_processes.c
 * reads the bytes.
 */
#include "capture/record/otel_context.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "capture/record/process_context.pb-c.h"

#include "util/poison.h"

#define SIGNATURE "OTEL_CTX"
#define VERSION 2u

/* Offsets in the header. */
enum {
	AT_VERSION = 8,
	AT_SIZE = 12,
	AT_PUBLISHED = 16,
	AT_PAYLOAD = 24,
};

bool otel_is_mapping(const char *name)
{
	static const char memfd[] = "/memfd:" SIGNATURE;

	if (!strcmp(name, "[anon:" SIGNATURE "]") || !strcmp(name, "[anon_shmem:" SIGNATURE "]"))
		return true;
	return !strcmp(name, memfd) ||
	       (!strncmp(name, memfd, strlen(memfd)) && !strcmp(name + strlen(memfd), " (deleted)"));
}

enum otel_state otel_header(const uint8_t bytes[OTEL_HEADER_BYTES], struct otel_header *ret)
{
	uint32_t version;

	memcpy(&version, bytes + AT_VERSION, sizeof(version));
	memcpy(&ret->size, bytes + AT_SIZE, sizeof(ret->size));
	memcpy(&ret->published, bytes + AT_PUBLISHED, sizeof(ret->published));
	memcpy(&ret->payload, bytes + AT_PAYLOAD, sizeof(ret->payload));
	if (memcmp(bytes, SIGNATURE, strlen(SIGNATURE)) || version != VERSION)
		return OTEL_NONE;
	if (!ret->published)
		return OTEL_CHANGING;
	return ret->size && ret->size <= OTEL_MAX_PAYLOAD && ret->payload ? OTEL_READY : OTEL_NONE;
}

static const struct known {
	const char *key;
	const char *name;
} known[OTEL_KNOWN] = {
	{ "service.name", "service_name" },
	{ "service.namespace", "service_namespace" },
	{ "service.instance.id", "service_instance_id" },
	{ "service.version", "service_version" },
	{ "deployment.environment.name", "deployment_environment_name" },
};

static bool is_key(const ProtobufCBinaryData *key, const char *text)
{
	return key->len == strlen(text) && !memcmp(key->data, text, key->len);
}

/* @ret: OTEL_NAME bytes. Return: whether the key is one of known[]. */
static bool known_name(const ProtobufCBinaryData *key, char *ret)
{
	size_t i;

	for (i = 0; i < OTEL_KNOWN; i++)
		if (is_key(key, known[i].key)) {
			strcpy(ret, known[i].name);
			return true;
		}
	return false;
}

/*
 * Makes a label's name of ASCII letters, digits and "_". Return: false if it is
 * too long or empty.
 */
static bool other_name(const ProtobufCBinaryData *key, char *ret)
{
	char *to = stpcpy(ret, OTEL_PREFIX);
	size_t i;

	if (!key->len || key->len >= OTEL_NAME - strlen(OTEL_PREFIX))
		return false;
	for (i = 0; i < key->len; i++)
		*to++ = isascii(key->data[i]) && isalnum(key->data[i]) ? (char)key->data[i] : '_';
	*to = '\0';
	return true;
}

static bool has(const struct otel_labels *l, const char *name)
{
	size_t i;

	for (i = 0; i < l->nr; i++)
		if (!strcmp(l->label[i].name, name))
			return true;
	return false;
}

static void put_value(const ProtobufCBinaryData *value, char *to)
{
	size_t n = value->len < OTEL_VALUE ? value->len : OTEL_VALUE;
	char bytes[OTEL_VALUE + 1];

	memcpy(bytes, value->data, n);
	bytes[n] = '\0';
	lang_text_utf8(to, bytes, n, n < value->len);
}

static void take(const ProcessContext__KeyValue *a, struct otel_labels *ret, size_t *others)
{
	struct otel_label *to = &ret->label[ret->nr];

	if (!a->value || !a->value->string_value.len)
		return;
	if (!known_name(&a->key, to->name)) {
		if (*others == OTEL_OTHERS || !other_name(&a->key, to->name) || has(ret, to->name))
			return;
		++*others;
	} else if (has(ret, to->name)) {
		return;
	}
	put_value(&a->value->string_value, to->value);
	ret->nr++;
}

bool otel_labels(const uint8_t *payload, size_t len, struct otel_labels *ret)
{
	ProcessContext__Context *c = process_context__context__unpack(NULL, len, payload);
	size_t others = 0, i;

	ret->nr = 0;
	if (!c)
		return false;
	for (i = 0; c->resource && i < c->resource->n_attributes; i++)
		take(c->resource->attributes[i], ret, &others);
	for (i = 0; i < c->n_attributes; i++)
		take(c->attributes[i], ret, &others);
	process_context__context__free_unpacked(c, NULL);
	return true;
}
