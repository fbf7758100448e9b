// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decides which URLs of a configuration are accepted (util/net/url_check.h).
 */
#include "util/net/url_check.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "util/poison.h"

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define DIGITS "0123456789"

/*
 * Parses "host", "host:port" or "[v6]:port". Return: bytes of the host; 0 if it
 * is none of them.
 */
static size_t host_len(const char *s, size_t len)
{
	size_t host = *s == '[' ? strspn(s + 1, DIGITS "abcdefABCDEF:.") + 2 :
				  strspn(s, LETTERS DIGITS "-._");
	size_t port = 0;

	if (host > len || (*s == '[' && s[host - 1] != ']'))
		return 0;
	if (host < len) {
		port = strspn(s + host + 1, DIGITS);
		if (s[host] != ':' || !port || port > 5 || host + 1 + port != len ||
		    atoi(s + host + 1) > 65535)
			return 0;
	}
	return host;
}

static bool is_loopback(const char *host, size_t len)
{
	return (len == 9 && !strncasecmp(host, "localhost", len)) ||
	       (len == 5 && !strncmp(host, "[::1]", len)) ||
	       (!strncmp(host, "127.", 4) && strspn(host, DIGITS ".") == len);
}

int net_url_check(const char *url, bool secret, struct diag *diag)
{
	bool tls = url && !strncasecmp(url, "https://", 8);
	const char *host, *c;
	size_t len;

	if (!url || !*url)
		return diag_set(diag, EINVAL, NULL, "has no URL");
	if (strlen(url) >= NET_URL_BYTES)
		return diag_set(diag, EINVAL, NULL, "the URL is too long");
	if (!tls && strncasecmp(url, "http://", 7))
		return diag_set(diag, EINVAL, NULL, "the URL does not begin with http:// or https://");
	for (c = url; *c; c++)
		if (*c <= ' ' || *c > '~' || strchr("\"<>\\^`{|}", *c))
			return diag_set(diag, EINVAL, NULL, "the URL has a character that is not allowed in a URL");
	if (strpbrk(url, "@?#"))
		return diag_set(diag, EINVAL, NULL,
				"the URL has a user, a query or a fragment, which is not allowed here");
	host = url + (tls ? 8 : 7);
	len = host_len(host, strcspn(host, "/"));
	if (!len)
		return diag_set(diag, EINVAL, NULL, "the URL has no host, or a bad port");
	if (secret && !tls && !is_loopback(host, len))
		return diag_set(diag, EINVAL, NULL,
				"a token or password is not sent without TLS, except to the loopback");
	return 0;
}
