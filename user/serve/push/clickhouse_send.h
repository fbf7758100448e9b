/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sends a batch to ClickHouse: several HTTP requests, one after the other. Private to
 * user/serve/push.
 */
#ifndef USTACK_USER_PUSH_CLICKHOUSE_SEND_H
#define USTACK_USER_PUSH_CLICKHOUSE_SEND_H

#include "serve/clickhouse/number_set.h"
#include "serve/push/target.h"

/**
 * struct clickhouse_session - what is known about the server
 * @sent: numbers of things that it has been sent
 * @week: week for which @sent holds
 * @settings: parameters for the URL of inserts, "" until the server was asked
 * @timeouts: number of inserts of samples that timed out since one was acknowledged or made smaller
 * @remakes: number of times that a request was built again since one was acknowledged
 * @other: the server may be another one now, or its tables were created again
 */
struct clickhouse_session {
	struct clickhouse_number_set sent;
	uint32_t week;
	char settings[256];
	uint32_t timeouts;
	uint32_t remakes;
	bool other;
};

/* @send of push_clickhouse, see struct push_peer. */
enum push_verdict clickhouse_send(struct push_target *t);

#endif /* USTACK_USER_PUSH_CLICKHOUSE_SEND_H */
