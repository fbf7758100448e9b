/* SPDX-License-Identifier: GPL-2.0-only */
/* The daemon's numbers, for /metrics. */
#ifndef USTACK_USER_DAEMON_FRONT_METRICS_H
#define USTACK_USER_DAEMON_FRONT_METRICS_H

#include "serve/daemon/config.h"
#include "serve/daemon/metrics.h"
#include "serve/daemon/shared.h"
#include "serve/push/push.h"

/**
 * struct front_numbers - where they are
 * @shared: the sampling process's
 * @cfg: names of targets
 * @push: targets, for front_metrics_push()
 */
struct front_numbers {
	const struct shared *shared;
	const struct daemon_config *cfg;
	struct push *push;
};

/* For metrics_register(), with a struct front_numbers. */
void front_metrics(struct metrics_out *out, void *arg);
/* The same, of targets. */
void front_metrics_push(struct metrics_out *out, void *arg);

#endif /* USTACK_USER_DAEMON_FRONT_METRICS_H */
