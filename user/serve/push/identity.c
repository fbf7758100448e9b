// SPDX-License-Identifier: GPL-2.0-only
/* The name of a part of a window, the same each time that it is sent. */
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
