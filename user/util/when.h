/* SPDX-License-Identifier: GPL-2.0-only */
/* Moments and lengths of time as people say them, and as they read them. */
#ifndef USTACK_USER_WHEN_H
#define USTACK_USER_WHEN_H

#include <stdbool.h>
#include <stdint.h>

/**
 * when_parse() - a moment
 * @text: "now"; "today" and "yesterday", at midnight; a length of time with a minus in front,
 *        such as "-1h30m", before now; ISO 8601, such as "2026-11-22T10:00:00.5+01:00", in
 *        which a blank may be in place of the T, seconds, time and zone may be missing;
 *        "10:00", of today; "@" and seconds since 1970. Without a zone: local time (TZ)
 * @now_ns: since 1970
 * @ret: since 1970, on true
 *
 * Return: whether it is one, between 1970 and 2500.
 */
bool when_parse(const char *text, uint64_t now_ns, uint64_t *ret);

/* A length of time: numbers with units behind, of w, d, h, m, s, ms. Return: whether it is
 * one, and more than 0.
 */
bool when_parse_length(const char *text, uint64_t *ret);

#define WHEN_TEXT 40
/* "2026-11-22 10:00:00", local time. Return: @buf. */
const char *when_text(uint64_t ns, char buf[WHEN_TEXT]);

#endif /* USTACK_USER_WHEN_H */
