/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tells systemd the state of the service, with sd_notify(3)'s protocol: one datagram, which is
 * documented to stay as it is. It is implemented here, because a library for it would be linked
 * into every program.
 */
#ifndef USTACK_USER_DAEMON_NOTIFY_H
#define USTACK_USER_DAEMON_NOTIFY_H

#include <stdint.h>

#include "util/diag.h"

/**
 * notify_send() - send a message to systemd
 * @diag: may be NULL
 * @text: format of the message: lines such as "READY=1\nSTATUS=..."
 *
 * Return: 0, also if NOTIFY_SOCKET is not set; a negative errno.
 */
__attribute__((__format__(__printf__, 2, 3)))
int notify_send(struct diag *diag, const char *text, ...);

/* Return: the time in which systemd expects "WATCHDOG=1" again, in ns; 0 if it expects none. */
uint64_t notify_watchdog_ns(void);

#endif /* USTACK_USER_DAEMON_NOTIFY_H */
