/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What systemd wants to know of a service: sd_notify(3)'s protocol, which is one datagram
 * and is documented to stay so. A library for it would be in every program.
 */
#ifndef USTACK_USER_DAEMON_NOTIFY_H
#define USTACK_USER_DAEMON_NOTIFY_H

#include <stdint.h>

#include "util/diag.h"

/**
 * notify_send() - tell it
 * @text: lines such as "READY=1\nSTATUS=..."
 * @diag: may be NULL
 *
 * Return: 0, also if nobody wants to know (no NOTIFY_SOCKET); a negative errno.
 */
__attribute__((__format__(__printf__, 2, 3)))
int notify_send(struct diag *diag, const char *text, ...);

/* How often "WATCHDOG=1" is expected of this process, in ns; 0 if it is not. */
uint64_t notify_watchdog_ns(void);

#endif /* USTACK_USER_DAEMON_NOTIFY_H */
