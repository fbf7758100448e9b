/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Parses what a process publishes about itself as OpenTelemetry's process
 * context: which service it is, and so on.
 * https://github.com/open-telemetry/opentelemetry-specification/blob/main/oteps/profiles/4719-process-ctx.md
 *
 * A mapping with a certain name has a header, which has the address of a
 * protobuf message (process_context.proto). The process writes all of it, so
 * the bytes may be anything.
 */
#ifndef USTACK_USER_RECORD_OTEL_CONTEXT_H
#define USTACK_USER_RECORD_OTEL_CONTEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/lang/text.h"

#define OTEL_HEADER_BYTES 32u
/*
 * Longest message that is read; those of today's SDKs have some hundred bytes.
 * Parts of a message that are repeated are merged, which takes time by the
 * square of this.
 */
#define OTEL_MAX_PAYLOAD 16384u
/* Bytes of a value that are read; longer values are cut. */
#define OTEL_VALUE 200u
/* Number of attributes with labels of their own, and limit for others. */
#define OTEL_KNOWN 5u
#define OTEL_OTHERS 8u
#define OTEL_MAX (OTEL_KNOWN + OTEL_OTHERS)
/*
 * Prefix for the names of other attributes, so that none equals a label from
 * another source.
 */
#define OTEL_PREFIX "otel_"
#define OTEL_NAME 64u

/**
 * struct otel_header - header of a mapping
 * @published: CLOCK_BOOTTIME nanoseconds when it was published; different after
 *	each change
 * @payload: address of the message
 * @size: bytes of the message, at most OTEL_MAX_PAYLOAD
 */
struct otel_header {
	uint64_t published;
	uint64_t payload;
	uint32_t size;
};

/**
 * struct otel_label - an attribute
 * @name: service_name for service.name; with OTEL_PREFIX for attributes without
 *	own labels
 * @value: UTF-8; control characters are escaped as in /proc/PID/maps (\012)
 */
struct otel_label {
	char name[OTEL_NAME];
	char value[LANG_TEXT_ROOM(OTEL_VALUE)];
};

struct otel_labels {
	struct otel_label label[OTEL_MAX];
	size_t nr;
};

/*
 * Return: whether a mapping may be a process context, by its name in
 * /proc/PID/maps.
 */
bool otel_is_mapping(const char *name);

enum otel_state {
	OTEL_NONE,	/* no header, or one of an unknown version */
	OTEL_CHANGING,	/* the process is writing it */
	OTEL_READY,
};

/* @ret: valid with OTEL_READY. */
enum otel_state otel_header(const uint8_t bytes[OTEL_HEADER_BYTES], struct otel_header *ret);

/**
 * otel_labels() - get the labels of a message
 * @payload: the message
 * @len: bytes in @payload, at most OTEL_MAX_PAYLOAD
 * @ret: attributes of the resource, then others; of two with the same name the
 *	first is taken
 *
 * Return: false if it is no such message, or without memory.
 */
bool otel_labels(const uint8_t *payload, size_t len, struct otel_labels *ret);

#endif /* USTACK_USER_RECORD_OTEL_CONTEXT_H */
