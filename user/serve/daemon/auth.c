// SPDX-License-Identifier: GPL-2.0-only
/*
 * Checks who may use the server: addresses, the Host field, tokens and session cookies. http.c and
 * http_serve.c call it.
 */
#include "serve/daemon/auth.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "util/text.h"

#include "util/poison.h"

#define MAX_HOST 64

/* Splits "HOST:PORT" or "[HOST]:PORT". Return: whether the text has this form. */
static bool split(const char *text, char host[MAX_HOST], const char **port)
{
	const char *start = *text == '[' ? text + 1 : text;
	const char *end = *text == '[' ? strchr(start, ']') : strrchr(start, ':');
	size_t len;

	if (!end)
		return false;
	len = (size_t)(end - start);
	if (*end == ']')
		end++;
	if (!len || len >= MAX_HOST || *end != ':')
		return false;
	memcpy(host, start, len);
	host[len] = 0;
	*port = end + 1;
	/* without brackets a second colon would be ambiguous */
	return *text == '[' || !strchr(host, ':');
}

static bool is_port(const char *s)
{
	unsigned int n = 0, digits = 0;

	for (; *s >= '0' && *s <= '9' && digits < 6; s++, digits++)
		n = n * 10 + (unsigned int)(*s - '0');
	return digits && !*s && n < 65536;
}

int auth_address(const char *text, struct sockaddr_storage *ret, socklen_t *len,
		 struct diag *diag)
{
	const struct addrinfo hints = {
		.ai_flags = AI_NUMERICHOST,	/* is_port() has proven the port */
		.ai_socktype = SOCK_STREAM,
	};
	char host[MAX_HOST];
	struct addrinfo *info;
	const char *port;

	if (!split(text, host, &port) || !is_port(port) ||
	    getaddrinfo(host, port, &hints, &info))
		return diag_set(diag, EINVAL, text,
				"is not an address and port, such as 127.0.0.1:7071 or [::1]:7071");
	memset(ret, 0, sizeof(*ret));
	memcpy(ret, info->ai_addr, info->ai_addrlen);
	*len = info->ai_addrlen;
	freeaddrinfo(info);
	return 0;
}

bool auth_is_loopback(const struct sockaddr_storage *address)
{
	const struct sockaddr_in *v4 = (const void *)address;
	const struct sockaddr_in6 *v6 = (const void *)address;

	if (address->ss_family == AF_INET)
		return ntohl(v4->sin_addr.s_addr) >> 24 == 127;
	if (address->ss_family != AF_INET6)
		return false;
	return IN6_IS_ADDR_LOOPBACK(&v6->sin6_addr) ||
	       (IN6_IS_ADDR_V4MAPPED(&v6->sin6_addr) && v6->sin6_addr.s6_addr[12] == 127);
}

bool auth_host_is_local(const char *host)
{
	char name[MAX_HOST];
	struct in_addr v4;
	size_t len;

	if (!host)
		return false;
	if (*host == '[') {
		len = strcspn(host, "]");
		return len == 4 && !strncmp(host, "[::1]", 5) &&
		       (!host[5] || (host[5] == ':' && is_port(host + 6)));
	}
	len = strcspn(host, ":");
	if (!len || len >= sizeof(name) || (host[len] && !is_port(host + len + 1)))
		return false;
	memcpy(name, host, len);
	name[len] = 0;
	if (!strcasecmp(name, "localhost"))
		return true;
	return inet_pton(AF_INET, name, &v4) == 1 && ntohl(v4.s_addr) >> 24 == 127;
}

bool auth_equal(const char *a, const char *b)
{
	size_t la = strlen(a), lb = strlen(b), i;
	volatile unsigned char differs = la != lb;

	/* the time depends on the length of the client's text alone, which the client knows */
	for (i = 0; i < la; i++)
		differs |= (unsigned char)(a[i] ^ b[lb ? i % lb : 0]);
	return !differs;
}

bool auth_bearer(const char *authorization, const char *token)
{
	if (!authorization || strncasecmp(authorization, "Bearer ", 7))
		return false;
	authorization += 7;
	authorization += strspn(authorization, " ");
	return auth_equal(authorization, token);
}

bool auth_cookie(const char *cookies, const char *session)
{
	const size_t name = strlen(AUTH_COOKIE "=");
	char value[AUTH_SESSION_LEN + 1];

	for (; cookies && *cookies; cookies = strchr(cookies, ';')) {
		cookies += strspn(cookies, "; \t");
		if (strncmp(cookies, AUTH_COOKIE "=", name))
			continue;
		cookies += name;
		if (strcspn(cookies, "; \t") != AUTH_SESSION_LEN)
			continue;
		memcpy(value, cookies, AUTH_SESSION_LEN);
		value[AUTH_SESSION_LEN] = 0;
		if (auth_equal(value, session))
			return true;
	}
	return false;
}

int auth_session_new(char ret[AUTH_SESSION_LEN + 1])
{
	uint8_t bytes[AUTH_SESSION_LEN / 2];

	if (getrandom(bytes, sizeof(bytes), 0) != sizeof(bytes))
		return -EIO;
	text_hex(bytes, sizeof(bytes), ret, AUTH_SESSION_LEN + 1);
	return 0;
}

int auth_token_check(const char *token, struct diag *diag)
{
	size_t len = strlen(token), i;

	if (len < AUTH_MIN_TOKEN || len > AUTH_MAX_TOKEN)
		return diag_set(diag, EINVAL, NULL, "the token has %zu characters, not %u to %u",
				len, AUTH_MIN_TOKEN, AUTH_MAX_TOKEN);
	for (i = 0; i < len; i++)
		if (token[i] <= ' ' || token[i] > '~')
			return diag_set(diag, EINVAL, NULL,
					"character %zu of the token is not printable ASCII", i);
	return 0;
}
