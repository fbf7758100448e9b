/* SPDX-License-Identifier: GPL-2.0-only */
/* The daemon's own metrics, for /metrics. */
#ifndef USTACK_USER_DAEMON_SERVING_METRICS_H
#define USTACK_USER_DAEMON_SERVING_METRICS_H

#include "serve/daemon/config.h"
#include "serve/daemon/metrics.h"
#include "serve/daemon/shared.h"
#include "serve/push/push.h"

/**
 * struct serving_numbers - where the metrics come from
 * @shared: shared numbers of the sampling process
 * @cfg: the configuration, for names of upload targets
 * @push: the uploads, for serving_metrics_push()
 */
struct serving_numbers {
	const struct shared *shared;
	const struct daemon_config *cfg;
	struct push *push;
};

/*
 * Writes the metrics of the sampling process. For metrics_register(); @arg: struct serving_numbers.
 */
void serving_metrics(struct metrics_out *out, void *arg);
/* Writes the metrics of upload targets. For metrics_register(); @arg: struct serving_numbers. */
void serving_metrics_push(struct metrics_out *out, void *arg);

#endif /* USTACK_USER_DAEMON_SERVING_METRICS_H */
