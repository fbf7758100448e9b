// SPDX-License-Identifier: GPL-2.0-only
/*
 * Frames a gRPC message, reads grpc-status and grpc-message from an answer, and maps statuses of
 * gRPC to those of HTTP. push.md has the table. Called by otlp.c and http.c.
 */
#include "serve/push/grpc.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "serve/push/verdict.h"
#include "util/screen.h"

#include "util/poison.h"

#define STATUS "grpc-status:"
#define MESSAGE "grpc-message:"

int push_grpc_frame(struct buffer *message, bool compressed)
{
	uint8_t *to;

	if (message->len > UINT32_MAX)
		return -EFBIG;
	to = buffer_begin(message, PUSH_GRPC_PREFIX);
	if (!to)
		return -ENOMEM;
	memmove(message->at + PUSH_GRPC_PREFIX, message->at, message->len);
	to = message->at;
	to[0] = compressed;
	to[1] = (uint8_t)(message->len >> 24);
	to[2] = (uint8_t)(message->len >> 16);
	to[3] = (uint8_t)(message->len >> 8);
	to[4] = (uint8_t)message->len;
	message->len += PUSH_GRPC_PREFIX;
	return 0;
}

/* Return: the value of a header line with this name; NULL if the line has another name. */
static const char *value_of(const char *line, const char *name)
{
	size_t len = strlen(name);

	if (strncasecmp(line, name, len))
		return NULL;
	return line + len + strspn(line + len, " \t");
}

void push_grpc_head(struct push_answer *a, const char *line, size_t len)
{
	char text[512], *end;
	const char *value;
	long status;

	if (len >= sizeof(text))
		len = sizeof(text) - 1;
	memcpy(text, line, len);
	text[len] = '\0';
	text[strcspn(text, "\r\n")] = '\0';
	/* a new answer begins, after an answer 1xx or one of a proxy */
	if (!strncmp(text, "HTTP/", 5))
		a->grpc_status = -1;
	value = value_of(text, STATUS);
	if (value) {
		status = strtol(value, &end, 10);
		a->grpc_status = end == value || *end || status < 0 ? PUSH_GRPC_BAD : status;
	}
	value = value_of(text, MESSAGE);
	if (value)
		snprintf(a->grpc_message, sizeof(a->grpc_message), "%s", value);
}

/* Return: the HTTP status that means the same; gRPC's statuscodes.md has the numbers. */
static long http_status(const struct push_answer *a)
{
	static const short status[] = {
		200, 503, 500, 400, 503, 404, 400, 403, 429, 400, 503, 503, 404, 500, 503, 503, 401,
	};

	/* RESOURCE_EXHAUSTED means that the server is busy, or that the message is too large */
	if (a->grpc_status == 8 && strstr(a->grpc_message, "larger than max"))
		return 413;
	if (a->grpc_status >= (long)(sizeof(status) / sizeof(status[0])))
		return 500;
	return status[a->grpc_status];
}

static void lied(struct push_answer *a, const char *why)
{
	a->failure = PUSH_LIED;
	a->len = 0;
	snprintf(a->error, sizeof(a->error), "%s", why);
}

static void fail(struct push_answer *a)
{
	char plain[4 * sizeof(a->grpc_message)];

	a->status = http_status(a);
	a->failure = push_status_failure(a->status);
	a->len = 0;
	snprintf(a->error, sizeof(a->error), "the server answers gRPC status %ld: %.150s",
		 a->grpc_status, screen_text(a->grpc_message, plain, sizeof(plain)));
}

/* Take the prefix off the body. Return: whether the body is exactly one plain message. */
static bool take_message(struct push_answer *a)
{
	const uint8_t *b = (const uint8_t *)a->body;

	if (a->len < PUSH_GRPC_PREFIX || b[0] ||
	    ((size_t)b[1] << 24 | (size_t)b[2] << 16 | (size_t)b[3] << 8 | b[4]) !=
		    a->len - PUSH_GRPC_PREFIX)
		return false;
	a->len -= PUSH_GRPC_PREFIX;
	memmove(a->body, a->body + PUSH_GRPC_PREFIX, a->len);
	a->body[a->len] = '\0';
	return true;
}

void push_grpc_answer(struct push_answer *a)
{
	if (a->grpc_status == -1)
		lied(a, "the answer has no grpc-status: this is not a gRPC server");
	else if (a->grpc_status == PUSH_GRPC_BAD)
		lied(a, "the answer's grpc-status is not a number");
	else if (a->grpc_status)
		fail(a);
	else if (!take_message(a))
		lied(a, "the answer is not one gRPC message");
}
