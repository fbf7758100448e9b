/* SPDX-License-Identifier: GPL-2.0-only */
/* What follows from an answer, and when to try again. */
#ifndef USTACK_USER_PUSH_VERDICT_H
#define USTACK_USER_PUSH_VERDICT_H

#include <stdint.h>

#include "serve/push/push.h"

#define PUSH_BACKOFF_MS 1000u
#define PUSH_BACKOFF_MAX_MS 60000u
/* What a person has to mend: the wrong token, the wrong URL. */
#define PUSH_BACKOFF_SLOW_MS 300000u
#define PUSH_RETRY_AFTER_MAX_MS 3600000u
/* As many answers 500 to the same request, one behind the other, are a refusal. */
#define PUSH_MAX_500 12u

enum push_verdict {
	PUSH_ACKNOWLEDGED,
	PUSH_RETRY,
	PUSH_RETRY_SLOWLY,
	PUSH_SPLIT,		/* in smaller pieces; refused if it is one sample */
	PUSH_GIVE_UP,		/* refused for good */
	PUSH_REMAKE,		/* it is to end at @until of the position */
};

/* Return: kind of failure that a status other than 2xx is. */
enum push_failure push_status_failure(long status);

enum push_verdict push_verdict(enum push_failure failure);

/**
 * push_delay_ms() - how long to wait
 * @verdict: %PUSH_RETRY or %PUSH_RETRY_SLOWLY
 * @tries: that have failed, at least 1
 * @retry_after_ms: what the server said, 0 if nothing
 * @random: any number
 *
 * Full jitter: anything from 0 to twice as much with each try, up to a limit; so machines
 * that lost the same server do not come back at once. If the server said how long, that and
 * up to a quarter more.
 */
uint64_t push_delay_ms(enum push_verdict verdict, uint32_t tries, uint64_t retry_after_ms,
		       uint64_t random);

#endif /* USTACK_USER_PUSH_VERDICT_H */
