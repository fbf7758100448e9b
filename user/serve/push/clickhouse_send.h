/* SPDX-License-Identifier: GPL-2.0-only */
/* What is sent to ClickHouse, one request after the other: for user/serve/push alone. */
#ifndef USTACK_USER_PUSH_CLICKHOUSE_SEND_H
#define USTACK_USER_PUSH_CLICKHOUSE_SEND_H

#include "serve/clickhouse/known.h"
#include "serve/push/target.h"

/**
 * struct clickhouse_session - what is known of the server
 * @known: what it has been told
 * @week: of @known
 * @settings: for the URL of inserts, "" as long as nobody has asked
 * @timeouts: of inserts of the same samples
 * @remakes: of inserts, since one was acknowledged
 * @other: the server may be another one now, or its tables were made anew
 */
struct clickhouse_session {
	struct clickhouse_known known;
	uint32_t week;
	char settings[256];
	uint32_t timeouts;
	uint32_t remakes;
	bool other;
};

/* As @send of struct push_peer. */
enum push_verdict clickhouse_send(struct push_target *t);

#endif /* USTACK_USER_PUSH_CLICKHOUSE_SEND_H */
