/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a process says of itself by OpenTelemetry's process context: which service it is, and so on.
 * https://github.com/open-telemetry/opentelemetry-specification/blob/main/oteps/profiles/4719-process-ctx.md
 *
 * A mapping of a certain name has a header, and that the address of a message of protobuf
 * (process_context.proto). All of it is the process's word, so that bytes may be anything.
 */
#ifndef USTACK_USER_RECORD_OTEL_CONTEXT_H
#define USTACK_USER_RECORD_OTEL_CONTEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/lang/text.h"

#define OTEL_HEADER_BYTES 32u
/* A longer message is not read: those of today's SDKs have some hundred bytes. Parts of a message that
 * come again and again are merged, which takes time by the square of this.
 */
#define OTEL_MAX_PAYLOAD 16384u
/* Bytes of a value that are read; what is longer is cut. */
#define OTEL_VALUE 200u
/* Attributes that have labels of their own, and others that are taken. */
#define OTEL_KNOWN 5u
#define OTEL_OTHERS 8u
#define OTEL_MAX (OTEL_KNOWN + OTEL_OTHERS)
/* In front of the names of others, so that none is a label that is known by other ways. */
#define OTEL_PREFIX "otel_"
#define OTEL_NAME 64u

/**
 * struct otel_header - of a mapping
 * @published: when, ns of CLOCK_BOOTTIME; another one after each change
 * @payload: address of the message
 * @size: of the message, OTEL_MAX_PAYLOAD at most
 */
struct otel_header {
	uint64_t published;
	uint64_t payload;
	uint32_t size;
};

/**
 * struct otel_label - an attribute
 * @name: service_name for service.name; with OTEL_PREFIX if it is none of those that are known
 * @value: UTF-8 without control characters, which are written as in /proc/PID/maps (\012)
 */
struct otel_label {
	char name[OTEL_NAME];
	char value[LANG_TEXT_ROOM(OTEL_VALUE)];
};

struct otel_labels {
	struct otel_label label[OTEL_MAX];
	size_t nr;
};

/* Whether a mapping may be one, by its name in /proc/PID/maps. */
bool otel_is_mapping(const char *name);

enum otel_state {
	OTEL_NONE,	/* it is no header, or of a version that is not known */
	OTEL_CHANGING,	/* the process is writing it */
	OTEL_READY,
};

/* @ret: with OTEL_READY. */
enum otel_state otel_header(const uint8_t bytes[OTEL_HEADER_BYTES], struct otel_header *ret);

/**
 * otel_labels() - labels of a message
 * @payload: @len bytes
 * @len: OTEL_MAX_PAYLOAD at most
 * @ret: texts of the resource, and then others; of two with one name the first counts
 *
 * Return: false if it is no such message, or without memory.
 */
bool otel_labels(const uint8_t *payload, size_t len, struct otel_labels *ret);

#endif /* USTACK_USER_RECORD_OTEL_CONTEXT_H */
