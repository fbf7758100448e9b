/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Decides which URLs of servers are accepted.
 */
#ifndef USTACK_USER_NET_URL_CHECK_H
#define USTACK_USER_NET_URL_CHECK_H

#include <stdbool.h>

#include "util/diag.h"

#define NET_URL_BYTES 2048u

/**
 * net_url_check() - check the URL of a server
 * @url: any text
 * @secret: a secret would be sent to this server
 * @diag: filled on failure; may be NULL
 *
 * Only http and https with a host are accepted, without user, query or
 * fragment. If @secret is set, http is accepted only for the loopback.
 *
 * Return: 0; -EINVAL if the URL is not accepted.
 */
int net_url_check(const char *url, bool secret, struct diag *diag);

#endif /* USTACK_USER_NET_URL_CHECK_H */
