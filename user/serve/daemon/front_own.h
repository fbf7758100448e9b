/* SPDX-License-Identifier: GPL-2.0-only */
/* The serving process's parts among themselves. */
#ifndef USTACK_USER_DAEMON_FRONT_OWN_H
#define USTACK_USER_DAEMON_FRONT_OWN_H

#include <stdbool.h>
#include <stdint.h>

#include "serve/daemon/config.h"
#include "serve/daemon/front_metrics.h"
#include "serve/daemon/http.h"
#include "serve/daemon/shared.h"
#include "serve/push/push.h"

_Static_assert(CONFIG_MAX_LISTEN <= HTTP_MAX_LISTEN, "addresses that hold can be served");

/**
 * struct serving - the process
 * @cfg: what it is to do
 * @source: what is served
 * @shared: numbers of the sampling process
 * @numbers: as metrics
 * @push: targets; NULL until it could be begun
 * @http: the server; NULL until it could be begun
 * @listens: at which addresses of @cfg
 * @due: when what could not be begun is tried again, CLOCK_MONOTONIC, ns
 * @tries: so far
 * @signals: read like a file
 * @told: targets know where the store ends
 * @end: what they know
 */
struct serving {
	struct daemon_config cfg;
	struct api_source source;
	struct shared *shared;
	struct front_numbers numbers;
	struct push *push;
	struct http *http;
	bool listens[CONFIG_MAX_LISTEN];
	uint64_t due;
	unsigned int tries;
	int signals;
	bool told;
	struct store_position end;
};

/**
 * front_begin() - serve and push what is not served and pushed yet
 * @s: all but what is begun here
 *
 * To be called once a second. What does not go is said, and tried again: an address may be
 * somebody else's for a while, a secret may come later. What goes is not kept waiting.
 */
void front_begin(struct serving *s);

/* Ends what front_begin() has begun. */
void front_end(struct serving *s);

#endif /* USTACK_USER_DAEMON_FRONT_OWN_H */
