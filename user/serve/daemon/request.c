// SPDX-License-Identifier: GPL-2.0-only
/*
 * Parses targets of requests, forms, and the numbers and times in their parameters. http_serve.c
 * and the api_*.c files call it with bytes of any client.
 */
#include "serve/daemon/request.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/hex.h"
#include "util/options.h"
#include "util/when.h"

#include "util/poison.h"

/* Decodes + and %XX in place; the result is never longer. Return: false for a bad escape. */
static bool decode(char *s)
{
	char *to = s;
	uint8_t byte;

	for (; *s; s++) {
		if (*s == '+') {
			*to++ = ' ';
			continue;
		}
		if (*s != '%') {
			*to++ = *s;
			continue;
		}
		if (!hex_bytes(s + 1, &byte, 1) || !byte)
			return false;
		*to++ = (char)byte;
		s += 2;
	}
	*to = 0;
	return true;
}

static int add_param(struct request *r, char *key, char *value, struct diag *diag)
{
	if (!decode(key) || !decode(value))
		return diag_set(diag, EINVAL, NULL, "an escape is not %%XX, or is %%00");
	if (request_get(r, key))
		return diag_set(diag, EINVAL, NULL, "a parameter is given twice");
	if (r->nr_params == REQUEST_MAX_PARAMS)
		return diag_set(diag, E2BIG, NULL, "more than %u parameters",
				REQUEST_MAX_PARAMS);
	r->params[r->nr_params++] = (struct request_param){ key, value };
	return 0;
}

static int parse_params(struct request *r, char *s, struct diag *diag)
{
	char *end, *value;
	int err = 0;

	for (; !err && s; s = end) {
		end = strchr(s, '&');
		if (end)
			*end++ = 0;
		if (!*s)
			continue;
		value = strchr(s, '=');
		if (value)
			*value++ = 0;
		err = add_param(r, s, value ? value : s + strlen(s), diag);
	}
	return err;
}

static int start(struct request *r, const char *text, struct diag *diag)
{
	*r = (struct request){ .path = "" };
	if (strlen(text) > REQUEST_MAX_TARGET)
		return diag_set(diag, E2BIG, NULL, "longer than %u bytes",
				REQUEST_MAX_TARGET);
	r->text = strdup(text);
	return r->text ? 0 : diag_errno(diag, ENOMEM, NULL);
}

int request_parse(const char *target, struct request *ret, struct diag *diag)
{
	int err = start(ret, target, diag);
	char *query;

	if (err)
		return err;
	query = strchr(ret->text, '?');
	if (query)
		*query++ = 0;
	ret->path = ret->text;
	err = parse_params(ret, query, diag);
	if (err)
		request_release(ret);
	return err;
}

int request_parse_form(const char *body, struct request *ret, struct diag *diag)
{
	int err = start(ret, body, diag);

	if (!err)
		err = parse_params(ret, ret->text, diag);
	if (err)
		request_release(ret);
	return err;
}

void request_release(struct request *r)
{
	free(r->text);
	*r = (struct request){ .path = "" };
}

const char *request_get(const struct request *r, const char *key)
{
	unsigned int i;

	for (i = 0; i < r->nr_params; i++)
		if (!strcmp(r->params[i].key, key))
			return r->params[i].value;
	return NULL;
}

int request_u64(const struct request *r, const char *key, uint64_t most, uint64_t *ret,
		struct diag *diag)
{
	const char *text = request_get(r, key);
	uint64_t value;

	if (!text)
		return 0;
	if (!option_parse_u64(text, &value))
		return diag_set(diag, EINVAL, key, "is not a number");
	if (value > most)
		return diag_set(diag, ERANGE, key, "is more than %llu",
				(unsigned long long)most);
	*ret = value;
	return 0;
}

/* Whether a text is seconds, with or without a fraction, as programs send them. */
static bool is_seconds(const char *s)
{
	return *s >= '0' && *s <= '9' && !s[strspn(s, "0123456789.")];
}

int request_span(const char *text, uint64_t *ret)
{
	char seconds[16];

	if (is_seconds(text)) {
		/* a length has at most nine digits, so a text that is cut here is refused below */
		snprintf(seconds, sizeof(seconds), "%.12ss", text);
		text = seconds;
	}
	return when_parse_length(text, ret) ? 0 : -EINVAL;
}

int request_time(const char *text, uint64_t now_ns, uint64_t *ret)
{
	char seconds[48];
	uint64_t length;

	if (!strncmp(text, "now-", 4)) {
		if (request_span(text + 4, &length) || length > now_ns)
			return -EINVAL;
		*ret = now_ns - length;
		return 0;
	}
	if (is_seconds(text)) {
		snprintf(seconds, sizeof(seconds), "@%.46s", text);
		text = strlen(text) > 46 ? "" : seconds;
	}
	return when_parse(text, now_ns, ret) ? 0 : -EINVAL;
}
