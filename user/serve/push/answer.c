// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads answers of servers. They are not trusted: a 2xx answer is an acknowledgement only if its
 * body is one that the protocol has. Bodies are JSON, protocol buffers, or pages for people.
 */
#include "serve/push/answer.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "util/cursor.h"
#include "util/screen.h"

#include "util/poison.h"

#define MAX_EXPLANATION 160
/* Field numbers of ExportProfilesServiceResponse and ExportProfilesPartialSuccess. */
#define FIELD_PARTIAL 1
#define FIELD_REJECTED 1
#define FIELD_MESSAGE 2
/* Field number of google.rpc.Status. */
#define FIELD_STATUS_MESSAGE 2

static void lied(struct push_answer *a, const char *how)
{
	a->failure = PUSH_LIED;
	snprintf(a->error, sizeof(a->error), "the server answers %ld, but %s", a->status, how);
}

static bool is_type(const struct push_answer *a, const char *type)
{
	size_t len = strlen(type);

	return !strncasecmp(a->type, type, len) &&
	       (!a->type[len] || a->type[len] == ';' || a->type[len] == ' ');
}

static bool is_page(const struct push_answer *a)
{
	return is_type(a, "text/html") || a->body[strspn(a->body, " \t\r\n")] == '<';
}

static json_t *parse(const struct push_answer *a)
{
	return json_loadb(a->body, a->len, JSON_ALLOW_NUL, NULL);
}

/* Return: the text of a JSON object that explains an error; NULL if it has none. */
static const char *explanation(const json_t *j)
{
	static const char *const names[] = { "message", "error", "msg", "detail" };
	const char *text = NULL;
	size_t i;

	for (i = 0; !text && i < sizeof(names) / sizeof(*names); i++)
		text = json_string_value(json_object_get(j, names[i]));
	return text;
}

static bool is_error(const json_t *j)
{
	return explanation(j) || json_object_get(j, "code");
}

void push_judge_pyroscope(struct push_answer *a)
{
	json_t *j;

	if (is_page(a)) {
		lied(a, "with a web page");
		return;
	}
	j = parse(a);
	if (is_error(j))
		lied(a, "with an error");
	json_decref(j);
}

void push_judge_parca(struct push_answer *a)
{
	json_t *j = parse(a);

	if (!json_is_object(j))
		lied(a, is_page(a) ? "with a web page" : "not with a JSON object");
	else if (is_error(j))
		lied(a, "with an error");
	json_decref(j);
}

/**
 * get_field() - read the next field of a protocol buffers message
 * @c: the rest of the message
 * @field: gets the field's number; 0 for a number of fixed length
 * @value: gets the field's number value, or the length of @bytes
 * @bytes: gets the field's bytes; NULL if the field is a varint
 *
 * Return: 1; 0 at the end; -1 if this is no message.
 */
static int get_field(struct cursor *c, uint64_t *field, uint64_t *value, const uint8_t **bytes)
{
	uint64_t tag;

	if (!c->bad && !cursor_left(c))
		return 0;
	*bytes = NULL;
	tag = cursor_varint(c);
	if (!(tag >> 3) || tag >> 32)
		return -1;
	*field = tag >> 3;
	switch (tag & 7) {
	case 0:
		*value = cursor_varint(c);
		return c->bad ? -1 : 1;
	case 1:
		*value = 8;
		break;
	case 2:
		*value = cursor_varint(c);
		break;
	case 5:
		*value = 4;
		break;
	default:
		return -1;
	}
	*bytes = cursor_take(c, *value);
	/* a number of fixed length is no text, and no caller asks for one */
	*field = (tag & 7) == 2 ? *field : 0;
	return c->bad ? -1 : 1;
}

/**
 * struct partial - the part of a request that an OTLP server does not accept
 * @rejected: number of profiles
 * @message: the server's reason, not terminated; NULL if it gives none
 * @len: number of bytes of @message
 */
struct partial {
	uint64_t rejected;
	const char *message;
	size_t len;
};

static bool parse_partial(struct cursor c, struct partial *p)
{
	const uint8_t *bytes;
	uint64_t field, value;
	int r;

	while ((r = get_field(&c, &field, &value, &bytes)) > 0) {
		if (field == FIELD_REJECTED && !bytes) {
			p->rejected = value;
		} else if (field == FIELD_MESSAGE && bytes) {
			p->message = (const char *)bytes;
			p->len = value;
		}
	}
	return !r;
}

static bool parse_response(struct cursor c, struct partial *p)
{
	const uint8_t *bytes;
	uint64_t field, value;
	int r;

	while ((r = get_field(&c, &field, &value, &bytes)) > 0)
		if (field == FIELD_PARTIAL && bytes &&
		    !parse_partial(cursor_over(bytes, value), p))
			return false;
	return !r;
}

/* The JSON of protocol buffers has 64-bit numbers as texts; numbers are accepted, too. */
static bool parse_response_json(const json_t *j, struct partial *p)
{
	const json_t *partial = json_object_get(j, "partialSuccess");
	const json_t *rejected = json_object_get(partial, "rejectedProfiles");

	if (!json_is_object(j) || json_object_get(j, "code"))
		return false;
	p->message = json_string_value(json_object_get(partial, "errorMessage"));
	p->len = p->message ? strlen(p->message) : 0;
	if (json_is_integer(rejected))
		p->rejected = (uint64_t)json_integer_value(rejected);
	else if (json_is_string(rejected))
		p->rejected = strtoull(json_string_value(rejected), NULL, 10);
	return true;
}

/* Append a server's text to @error, made safe for a terminal. */
static void append(struct push_answer *a, const char *text, size_t len)
{
	char words[MAX_EXPLANATION + 1], plain[4 * MAX_EXPLANATION + 1];
	size_t at = strlen(a->error);

	if (len > MAX_EXPLANATION)
		len = MAX_EXPLANATION;
	memcpy(words, text, len);
	words[len] = '\0';
	while (len && strchr(" \r\n\t", words[len - 1]))
		words[--len] = '\0';
	if (len)
		snprintf(a->error + at, sizeof(a->error) - at, ": %s",
			 screen_text(words, plain, sizeof(plain)));
}

uint64_t push_judge_otlp(struct push_answer *a)
{
	struct partial p = { 0 };
	json_t *j = NULL;
	bool good;

	if (is_type(a, "application/json")) {
		j = parse(a);
		good = parse_response_json(j, &p);
	} else if (!a->len || is_type(a, "application/x-protobuf") ||
		   is_type(a, "application/protobuf") || is_type(a, "application/octet-stream")) {
		good = parse_response(cursor_over(a->body, a->len), &p);
	} else {
		good = false;
	}
	/* the field is an int64, and a negative number makes no sense */
	if (!good || p.rejected > INT64_MAX) {
		lied(a, is_page(a) ? "with a web page" : "not as an OTLP server does");
		p.rejected = 0;
	} else if (p.rejected) {
		snprintf(a->error, sizeof(a->error), "%" PRIu64 " profiles are refused", p.rejected);
		append(a, p.message ? p.message : "", p.len);
	}
	json_decref(j);
	return p.rejected;
}

static bool explain_status(struct push_answer *a)
{
	struct cursor c = cursor_over(a->body, a->len);
	const uint8_t *bytes;
	uint64_t field, value;

	if (!is_type(a, "application/x-protobuf") && !is_type(a, "application/protobuf"))
		return false;
	while (get_field(&c, &field, &value, &bytes) > 0)
		if (field == FIELD_STATUS_MESSAGE && bytes)
			append(a, (const char *)bytes, value);
	return true;
}

void push_answer_explain(struct push_answer *a)
{
	const char *text;
	json_t *j;

	if (!a->failure || !a->len || explain_status(a) || is_page(a))
		return;
	j = parse(a);
	text = explanation(j);
	if (text)
		append(a, text, strlen(text));
	else
		append(a, a->body, strlen(a->body));
	json_decref(j);
}
