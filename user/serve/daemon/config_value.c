// SPDX-License-Identifier: GPL-2.0-only
/*
 * Parses single words of the configuration: numbers, durations, sizes, addresses; and checks
 * URLs, paths, headers and names.
 */
#include "serve/daemon/config_value.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>
#include <strings.h>

#include "serve/daemon/auth.h"
#include "util/poison.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define MAX_URL 2048
#define MAX_PATH 4096

struct unit {
	const char *name;
	uint64_t value;
};

/* Reads the digits at *@text, and moves it after them. */
static bool digits(const char **text, uint64_t *ret)
{
	const char *s = *text;
	uint64_t v = 0;

	if (*s < '0' || *s > '9' || (s[0] == '0' && s[1] >= '0' && s[1] <= '9'))
		return false;
	for (; *s >= '0' && *s <= '9'; s++)
		if (__builtin_mul_overflow(v, 10u, &v) ||
		    __builtin_add_overflow(v, (uint64_t)(*s - '0'), &v))
			return false;
	*text = s;
	*ret = v;
	return true;
}

bool config_value_number(const char *text, uint64_t *ret)
{
	uint64_t v;

	if (!digits(&text, &v) || *text)
		return false;
	*ret = v;
	return true;
}

static bool with_unit(const char *text, const struct unit *units, size_t nr, uint64_t *ret)
{
	uint64_t v;
	size_t i;

	if (!digits(&text, &v))
		return false;
	/* 0 needs no unit */
	if (!*text && !v) {
		*ret = 0;
		return true;
	}
	for (i = 0; i < nr; i++)
		if (!strcmp(text, units[i].name))
			return !__builtin_mul_overflow(v, units[i].value, ret);
	return false;
}

bool config_value_duration(const char *text, uint64_t *ret)
{
	static const struct unit units[] = {
		{ "ns", 1 },
		{ "us", 1000 },
		{ "ms", 1000000 },
		{ "s", 1000000000 },
		{ "m", 60000000000 },
		{ "h", 3600000000000 },
		{ "d", 86400000000000 },
		{ "w", 604800000000000 },
	};

	return with_unit(text, units, ARRAY_SIZE(units), ret);
}

bool config_value_size(const char *text, uint64_t *ret)
{
	static const struct unit units[] = {
		{ "", 1 },
		{ "B", 1 },
		{ "KB", 1000 },
		{ "MB", 1000000 },
		{ "GB", 1000000000 },
		{ "TB", 1000000000000 },
		{ "KiB", 1ull << 10 },
		{ "MiB", 1ull << 20 },
		{ "GiB", 1ull << 30 },
		{ "TiB", 1ull << 40 },
	};

	return with_unit(text, units, ARRAY_SIZE(units), ret);
}

bool config_value_share(const char *text, uint64_t *ret)
{
	uint64_t whole, part = 0, one = CONFIG_WHOLE / 100;

	if (!digits(&text, &whole) || whole > 100)
		return false;
	if (!*text && !whole) {
		*ret = 0;
		return true;
	}
	if (*text == '.') {
		if (text[1] < '0' || text[1] > '9')
			return false;
		for (text++; *text >= '0' && *text <= '9'; text++) {
			one /= 10;
			if (!one)
				return false;
			part += (uint64_t)(*text - '0') * one;
		}
	}
	part += whole * (CONFIG_WHOLE / 100);
	if (strcmp(text, "%") || part > CONFIG_WHOLE)
		return false;
	*ret = part;
	return true;
}

bool config_value_bool(const char *text, bool *ret)
{
	bool yes = !strcmp(text, "true");

	if (!yes && strcmp(text, "false"))
		return false;
	*ret = yes;
	return true;
}

static bool address4(const char *ip, uint16_t port, struct config_address *ret)
{
	struct sockaddr_in in = { .sin_family = AF_INET, .sin_port = htons(port) };

	if (inet_pton(AF_INET, ip, &in.sin_addr) != 1)
		return false;
	memcpy(&ret->addr, &in, sizeof(in));
	ret->len = sizeof(in);
	return true;
}

static bool address6(const char *ip, uint16_t port, struct config_address *ret)
{
	struct sockaddr_in6 in = { .sin6_family = AF_INET6, .sin6_port = htons(port) };

	if (inet_pton(AF_INET6, ip, &in.sin6_addr) != 1)
		return false;
	memcpy(&ret->addr, &in, sizeof(in));
	ret->len = sizeof(in);
	return true;
}

bool config_value_address(const char *text, struct config_address *ret)
{
	const char *colon = strrchr(text, ':');
	bool six = text[0] == '[';
	char ip[INET6_ADDRSTRLEN];
	uint64_t port;
	size_t len;

	if (!colon || !config_value_number(colon + 1, &port) || port > UINT16_MAX)
		return false;
	len = (size_t)(colon - text) - 2 * six;
	if (colon < text + 2 * six || len >= sizeof(ip) || (six && colon[-1] != ']'))
		return false;
	memcpy(ip, text + six, len);
	ip[len] = '\0';
	memset(&ret->addr, 0, sizeof(ret->addr));
	if (!(six ? address6(ip, (uint16_t)port, ret) : address4(ip, (uint16_t)port, ret)))
		return false;
	ret->loopback = auth_is_loopback(&ret->addr);
	return true;
}

static bool has_only(const char *text, char low)
{
	for (; *text; text++)
		if (*text < low || *text > '~')
			return false;
	return true;
}

const char *config_value_bad_url(const char *text)
{
	const char *host = !strncmp(text, "http://", 7) ? text + 7 :
			   !strncmp(text, "https://", 8) ? text + 8 : NULL;
	size_t len;

	if (!host)
		return "has to begin with http:// or https://";
	if (strlen(text) > MAX_URL)
		return "is too long";
	if (!has_only(text, '!'))
		return "has characters that a URL cannot have";
	len = strcspn(host, "/?#");
	if (memchr(host, '@', len))
		return "must not have a user or a password: they have keys of their own";
	if (!len || *host == ':')
		return "names no host";
	return strchr(host, '#') ? "must not have a fragment" : NULL;
}

const char *config_value_bad_path(const char *text)
{
	const char *s;

	if (text[0] != '/')
		return "has to be an absolute path";
	for (s = text; *s; s++)
		if ((unsigned char)*s < ' ' || *s == 0x7f)
			return "has control characters";
	return s - text >= MAX_PATH ? "is too long" : NULL;
}

static bool is_word(const char *text, const char *others)
{
	for (; *text; text++)
		if (!((*text >= 'a' && *text <= 'z') || (*text >= 'A' && *text <= 'Z') ||
		      (*text >= '0' && *text <= '9') || strchr(others, *text)))
			return false;
	return true;
}

const char *config_value_bad_header(const char *name, const char *value)
{
	static const char *const secret[] = {
		"Authorization", "Proxy-Authorization", "Cookie",
	};
	static const char *const own[] = {
		"Connection", "Content-Encoding", "Content-Length", "Content-Type", "Expect",
		"Host", "TE", "Trailer", "Transfer-Encoding", "Upgrade", "User-Agent",
	};
	size_t i;

	/* RFC 9110, sections 5.1, 5.5 and 5.6.2 */
	if (!*name || !is_word(name, "!#$%&'*+-.^_`|~"))
		return "is not a valid header name";
	if (!has_only(value, ' '))
		return "has a value that is not printable ASCII";
	if (strlen(name) + strlen(value) > MAX_URL)
		return "is too long";
	for (i = 0; i < ARRAY_SIZE(secret); i++)
		if (!strcasecmp(name, secret[i]))
			return "would be a secret in the configuration: use token_file, or user "
			       "and password_file";
	for (i = 0; i < ARRAY_SIZE(own); i++)
		if (!strcasecmp(name, own[i]))
			return "is set by the protocol";
	return NULL;
}

const char *config_value_bad_name(const char *text)
{
	if (!*text || strlen(text) > CONFIG_MAX_NAME)
		return "has to have 1 to 64 characters";
	if (!is_word(text, "-_.") || strchr("-_.", text[0]))
		return "has to be of letters, digits, '-', '_' and '.', a letter or digit first";
	return NULL;
}
