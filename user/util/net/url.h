/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * URLs of servers: joining them, escaping parts, and comparing their servers.
 */
#ifndef USTACK_USER_NET_URL_H
#define USTACK_USER_NET_URL_H

#include <stdbool.h>
#include <stddef.h>

#include "util/net/curl.h"

/*
 * Appends @path to @url, unless @url ends with it already. Return: a string
 * that the caller frees; NULL if there is no memory.
 */
char *net_url_join(const char *url, const char *path);

/* Return: whether scheme, host and port of both are the same. */
bool net_url_same_origin(const struct net_curl *c, const char *a, const char *b);

/*
 * Writes @text to @buf; all characters except letters, digits and "-._~" are
 * escaped. Return: number of bytes written.
 */
size_t net_url_escape(const char *text, char *buf, size_t room);

#endif /* USTACK_USER_NET_URL_H */
