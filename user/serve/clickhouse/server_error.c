// SPDX-License-Identifier: GPL-2.0-only
/* Reads a ClickHouse server's error message: its number decides the errno, its text is shown. */
#include "serve/clickhouse/server_error.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/screen.h"

#include "util/poison.h"

/* Most bytes of the message that are shown. */
#define SHOWN 200

/* Return: the errno of an error number; ClickHouse's ErrorCodes.cpp never changes a number. */
static int error_of(unsigned long code, long status)
{
	static const struct {
		uint16_t code;
		uint16_t err;
	} known[] = {
		{ 16, ENOENT }, { 36, ENOENT }, { 47, ENOENT }, { 60, ENOENT }, { 81, ENOENT },
		{ 158, E2BIG }, { 307, E2BIG }, { 396, E2BIG }, { 159, ETIME }, { 160, ETIME },
		{ 164, EACCES }, { 192, EACCES }, { 193, EACCES }, { 194, EACCES },
		{ 195, EACCES }, { 291, EACCES }, { 497, EACCES }, { 516, EACCES },
		{ 201, EAGAIN }, { 202, EAGAIN }, { 203, EAGAIN }, { 209, EAGAIN },
		{ 210, EAGAIN }, { 225, EAGAIN }, { 242, EAGAIN }, { 252, EAGAIN },
		{ 279, EAGAIN }, { 425, EAGAIN }, { 999, EAGAIN }, { 241, ENOBUFS },
	};
	size_t i;

	for (i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (known[i].code == code)
			return known[i].err;
	if (!code && (status == 401 || status == 403))
		return EACCES;
	return !code && (status == 429 || status >= 500) ? EAGAIN : EREMOTEIO;
}

/*
 * Find the message for people in @text: what follows "Exception: ", without version and stack
 * trace. Return: its length.
 */
static size_t sentence(const char **text)
{
	static const char *const ends[] = { ", e.what() = ", " (version ", ", Stack trace" };
	static const char name[] = "Exception: ";
	const char *at = strstr(*text, name), *end;
	size_t len, i;

	if (at)
		*text = at + strlen(name);
	len = strlen(*text);
	for (i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		end = strstr(*text, ends[i]);
		if (end && (size_t)(end - *text) < len)
			len = (size_t)(end - *text);
	}
	while (len && strchr(" \t\r\n", (*text)[len - 1]))
		len--;
	return len;
}

int clickhouse_server_error(const char *text, long status, struct diag *diag)
{
	const char *number = strstr(text, "Code: ");
	unsigned long code = number ? strtoul(number + 6, NULL, 10) : 0;
	char kept[SHOWN], shown[SHOWN];
	int err = error_of(code, status);
	size_t len;

	if (code)
		text = number;
	len = sentence(&text);
	snprintf(kept, sizeof(kept), "%.*s", (int)(len < SHOWN ? len : SHOWN), text);
	screen_text(kept, shown, sizeof(shown));
	if (code)
		return diag_set(diag, err, NULL, "the server says (%lu): %s", code, shown);
	return diag_set(diag, err, NULL, "the server answers %ld%s%s", status, *shown ? ": " : "",
			shown);
}
