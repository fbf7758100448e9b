/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Moments and lengths of time as people write and read them.
 */
#ifndef USTACK_USER_WHEN_H
#define USTACK_USER_WHEN_H

#include <stdbool.h>
#include <stdint.h>

/**
 * when_parse() - parse a moment
 * @text: one of these: "now"; "today" and "yesterday", at midnight; a length of
 *        time with a minus before it, such as "-1h30m", counted back from now;
 *        ISO 8601, such as "2026-11-22T10:00:00.5+01:00", with a T or a blank,
 *        in which seconds, time and zone may be missing; "10:00", today; "@"
 *        and seconds since 1970. Without a zone it is local time (TZ)
 * @now_ns: the present, in nanoseconds since 1970
 * @ret: the moment, in nanoseconds since 1970; written on success
 *
 * Return: false if it is not a moment between 1970 and 2500.
 */
bool when_parse(const char *text, uint64_t now_ns, uint64_t *ret);

/*
 * Parses a length of time: numbers, each followed by one of the units w, d, h,
 * m, s, ms. Return: false if it is not a length of time, or is 0.
 */
bool when_parse_length(const char *text, uint64_t *ret);

#define WHEN_TEXT 40
/* Prints local time, such as "2026-11-22 10:00:00". Return: @buf. */
const char *when_text(uint64_t ns, char buf[WHEN_TEXT]);

#endif /* USTACK_USER_WHEN_H */
