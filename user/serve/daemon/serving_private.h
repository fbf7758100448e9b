/* SPDX-License-Identifier: GPL-2.0-only */
/* The state of the serving process. Private to serving_run.c and serving_begin.c. */
#ifndef USTACK_USER_DAEMON_SERVING_PRIVATE_H
#define USTACK_USER_DAEMON_SERVING_PRIVATE_H

#include <stdbool.h>
#include <stdint.h>

#include "serve/daemon/config.h"
#include "serve/daemon/serving_metrics.h"
#include "serve/daemon/http.h"
#include "serve/daemon/shared.h"
#include "serve/push/push.h"

_Static_assert(CONFIG_MAX_LISTEN <= HTTP_MAX_LISTEN, "addresses that are valid can be served");

/**
 * struct serving - the serving process from its own view
 * @cfg: the configuration
 * @source: where answers of the API come from
 * @shared: shared numbers of the sampling process
 * @numbers: where metrics come from
 * @push: the uploads; NULL until they have been started
 * @http: the server; NULL until it has been started
 * @listens: for each address of @cfg whether the server listens on it
 * @due: when failed starts are tried again, CLOCK_MONOTONIC, ns
 * @tries: number of tries so far
 * @signals: descriptor that signals are read from
 * @told: @push knows where the store ends
 * @end: the end of the store that @push knows
 */
struct serving {
	struct daemon_config cfg;
	struct api_source source;
	struct shared *shared;
	struct serving_numbers numbers;
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
 * serving_begin() - start the server and the uploads, as far as they do not run yet
 * @s: the process; @push, @http and @listens are set here
 *
 * To be called once a second. A failure is logged and tried again later, because an address may be
 * in use for a while, or the file of a secret may come later. It does not delay what works.
 */
void serving_begin(struct serving *s);

/* Stops the server and the uploads. */
void serving_end(struct serving *s);

#endif /* USTACK_USER_DAEMON_SERVING_PRIVATE_H */
