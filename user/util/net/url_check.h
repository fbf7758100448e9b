/* SPDX-License-Identifier: GPL-2.0-only */
/* Which URLs of servers are taken. */
#ifndef USTACK_USER_NET_URL_CHECK_H
#define USTACK_USER_NET_URL_CHECK_H

#include <stdbool.h>

#include "util/diag.h"

#define NET_URL_BYTES 2048u

/**
 * net_url_check() - is it one of a server?
 * @url: any text
 * @secret: something secret would be sent there
 * @diag: what is wrong with it
 *
 * Return: 0; -EINVAL for anything but http and https with a host, for user, query and
 * fragment, for @secret over http to anything but the loopback.
 */
int net_url_check(const char *url, bool secret, struct diag *diag);

#endif /* USTACK_USER_NET_URL_CHECK_H */
