/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rules: what a target does after an answer or a failure, and how long it waits before it retries.
 * verdict.c also has the names of failures and of types (push.h).
 */
#ifndef USTACK_USER_PUSH_VERDICT_H
#define USTACK_USER_PUSH_VERDICT_H

#include <stdint.h>

#include "serve/push/push.h"

#define PUSH_BACKOFF_MS 1000u
#define PUSH_BACKOFF_MAX_MS 60000u
/* Longest delay after a failure that a person has to fix, such as a wrong token or URL. */
#define PUSH_BACKOFF_SLOW_MS 300000u
#define PUSH_RETRY_AFTER_MAX_MS 3600000u
/* This many consecutive answers 500 to the same request count as a refusal. */
#define PUSH_MAX_500 12u

enum push_verdict {
	PUSH_ACKNOWLEDGED,
	PUSH_RETRY,
	PUSH_RETRY_SLOWLY,
	PUSH_SPLIT,		/* send fewer samples at once; one sample alone is refused */
	PUSH_GIVE_UP,		/* refused for good: one window at once, then skip it */
	PUSH_REMAKE,		/* build the request again, from the same position */
};

/* Return: the kind of failure of an HTTP status other than 2xx. */
enum push_failure push_status_failure(long status);

/* Return: what to do after a failure, or after PUSH_NONE. */
enum push_verdict push_verdict(enum push_failure failure);

/**
 * push_delay_ms() - how long to wait before the next try
 * @verdict: %PUSH_RETRY or %PUSH_RETRY_SLOWLY
 * @tries: number of tries that have failed, at least 1
 * @retry_after_ms: delay that the server asked for, 0 if none
 * @random: any number
 *
 * The delay is random, from 0 to a bound that doubles with each try up to a limit (full jitter).
 * So machines that lost the same server do not all come back at once. If the server asked for a
 * delay, it is that one and up to a quarter more.
 *
 * Return: the delay in milliseconds.
 */
uint64_t push_delay_ms(enum push_verdict verdict, uint32_t tries, uint64_t retry_after_ms,
		       uint64_t random);

#endif /* USTACK_USER_PUSH_VERDICT_H */
