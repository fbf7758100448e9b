// SPDX-License-Identifier: GPL-2.0-only
/*
 * The identity of a part of a window: a name that is the same each time the part is sent, so that
 * servers and proxies can recognize it. Documentation/push.md describes where it is sent.
 */
#include <inttypes.h>
#include <stdio.h>

#include "serve/push/peer.h"

#include "util/poison.h"

void push_identity(const char *host, const struct store_position *at, uint64_t time_ns,
		   uint64_t first, uint64_t end, char ret[PUSH_IDENTITY_BYTES])
{
	snprintf(ret, PUSH_IDENTITY_BYTES, "%s/%" PRIu64 ".%" PRIu64 "/%" PRIu64 "/%" PRIu64
		 "-%" PRIu64, host, at->segment, at->record, time_ns, first, end);
}
