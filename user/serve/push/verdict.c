// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names of failures and of target types, and the rules that say what follows from a failure: the
 * table in Documentation/push.md, section Failures.
 */
#include "serve/push/verdict.h"

#include <string.h>

#include "util/poison.h"

static const char *const failures[PUSH_NR_FAILURES] = {
	[PUSH_NONE] = "none",
	[PUSH_UNRESOLVED] = "unresolved",
	[PUSH_UNCONNECTED] = "unconnected",
	[PUSH_TLS] = "tls",
	[PUSH_TIMEOUT] = "timeout",
	[PUSH_BROKEN] = "broken",
	[PUSH_LIED] = "lied",
	[PUSH_REDIRECTED] = "redirected",
	[PUSH_UNAUTHORIZED] = "unauthorized",
	[PUSH_TOO_LARGE] = "too-large",
	[PUSH_REFUSED] = "refused",
	[PUSH_NOT_THERE] = "not-there",
	[PUSH_BUSY] = "busy",
	[PUSH_SERVER] = "server",
	[PUSH_LOCAL] = "local",
};

static const char *const types[PUSH_NR_TYPES] = {
	[PUSH_PYROSCOPE] = "pyroscope",
	[PUSH_PARCA] = "parca",
	[PUSH_OTLP] = "otlp",
	[PUSH_CLICKHOUSE] = "clickhouse",
	[PUSH_OTLP_GRPC] = "otlp_grpc",
};

const char *push_failure_name(enum push_failure failure)
{
	return failure < PUSH_NR_FAILURES ? failures[failure] : "unknown";
}

const char *push_type_name(enum push_type type)
{
	return type < PUSH_NR_TYPES ? types[type] : "unknown";
}

bool push_type_find(const char *name, enum push_type *ret)
{
	unsigned int i;

	for (i = 0; i < PUSH_NR_TYPES; i++) {
		if (!strcmp(types[i], name)) {
			*ret = (enum push_type)i;
			return true;
		}
	}
	return false;
}

enum push_failure push_status_failure(long status)
{
	switch (status) {
	case 400:
	case 422:
		return PUSH_REFUSED;
	case 401:
	case 403:
	case 407:
		return PUSH_UNAUTHORIZED;
	case 408:
	case 425:
	case 429:
		return PUSH_BUSY;
	case 413:
		return PUSH_TOO_LARGE;
	}
	if (status >= 300 && status < 500)
		return PUSH_NOT_THERE;
	return status >= 500 && status < 600 ? PUSH_SERVER : PUSH_LIED;
}

enum push_verdict push_verdict(enum push_failure failure)
{
	switch (failure) {
	case PUSH_NONE:
		return PUSH_ACKNOWLEDGED;
	case PUSH_TOO_LARGE:
		return PUSH_SPLIT;
	case PUSH_REFUSED:
		return PUSH_GIVE_UP;
	case PUSH_TLS:
	case PUSH_REDIRECTED:
	case PUSH_UNAUTHORIZED:
	case PUSH_NOT_THERE:
		return PUSH_RETRY_SLOWLY;
	default:
		return PUSH_RETRY;
	}
}

uint64_t push_delay_ms(enum push_verdict verdict, uint32_t tries, uint64_t retry_after_ms,
		       uint64_t random)
{
	uint64_t most = PUSH_BACKOFF_MS;

	if (retry_after_ms) {
		if (retry_after_ms > PUSH_RETRY_AFTER_MAX_MS)
			retry_after_ms = PUSH_RETRY_AFTER_MAX_MS;
		return retry_after_ms + random % (retry_after_ms / 4 + 1);
	}
	while (--tries && most < PUSH_BACKOFF_MAX_MS)
		most *= 2;
	if (most > PUSH_BACKOFF_MAX_MS)
		most = PUSH_BACKOFF_MAX_MS;
	/* the first retry comes soon: the reason may be gone already, as with a new token file */
	if (verdict == PUSH_RETRY_SLOWLY && most > PUSH_BACKOFF_MS)
		return PUSH_BACKOFF_SLOW_MS / 2 + random % (PUSH_BACKOFF_SLOW_MS / 2 + 1);
	return random % (most + 1);
}
