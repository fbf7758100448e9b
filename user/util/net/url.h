/* SPDX-License-Identifier: GPL-2.0-only */
/* URLs of servers: how they are made, and which are of the same server. */
#ifndef USTACK_USER_NET_URL_H
#define USTACK_USER_NET_URL_H

#include <stdbool.h>
#include <stddef.h>

#include "util/net/curl.h"

/* @url and @path behind it, unless it ends with that. Return: freed by the caller; NULL. */
char *net_url_join(const char *url, const char *path);

/* Return: whether scheme, host and port of both are the same. */
bool net_url_same_origin(const struct net_curl *c, const char *a, const char *b);

/* Appends @text, of which only letters, digits and "-._~" stand as they are. Return: bytes. */
size_t net_url_escape(const char *text, char *buf, size_t room);

#endif /* USTACK_USER_NET_URL_H */
