// SPDX-License-Identifier: GPL-2.0-only
/*
 * Joins, escapes and compares URLs (util/net/url.h).
 */
#include "util/net/url.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "util/poison.h"

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define DIGITS "0123456789"

char *net_url_join(const char *url, const char *path)
{
	size_t len = strlen(url), tail = strlen(path);
	char *ret;

	while (len && url[len - 1] == '/')
		len--;
	if (len >= tail && !strncmp(url + len - tail, path, tail))
		path = "";
	return asprintf(&ret, "%.*s%s", (int)len, url, path) < 0 ? NULL : ret;
}

static bool same_part(const struct net_curl *c, CURLU *a, CURLU *b, CURLUPart part)
{
	char *x = NULL, *y = NULL;
	bool same;

	c->p_curl_url_get(a, part, &x, CURLU_DEFAULT_PORT);
	c->p_curl_url_get(b, part, &y, CURLU_DEFAULT_PORT);
	same = x && y && !strcasecmp(x, y);
	c->p_curl_free(x);
	c->p_curl_free(y);
	return same;
}

bool net_url_same_origin(const struct net_curl *c, const char *a, const char *b)
{
	CURLU *x = c->p_curl_url(), *y = c->p_curl_url();
	bool same;

	same = x && y && !c->p_curl_url_set(x, CURLUPART_URL, a, 0) &&
	       !c->p_curl_url_set(y, CURLUPART_URL, b, 0) &&
	       same_part(c, x, y, CURLUPART_SCHEME) && same_part(c, x, y, CURLUPART_HOST) &&
	       same_part(c, x, y, CURLUPART_PORT);
	c->p_curl_url_cleanup(x);
	c->p_curl_url_cleanup(y);
	return same;
}

size_t net_url_escape(const char *text, char *buf, size_t room)
{
	size_t n = 0;

	for (; *text && n + 4 <= room; text++) {
		if (strchr(LETTERS DIGITS "-._~", *text))
			buf[n++] = *text;
		else
			n += (size_t)snprintf(buf + n, 4, "%%%02X", (unsigned char)*text);
	}
	buf[n] = '\0';
	return n;
}
