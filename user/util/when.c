// SPDX-License-Identifier: GPL-2.0-only
/*
 * Parses and prints moments and lengths of time (util/when.h).
 */
#include "util/when.h"

#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "util/poison.h"

#define SECOND 1000000000ull
#define LATEST (16725225600ull * SECOND)	/* the year 2500 */

static bool take_number(const char **s, unsigned int digits, uint64_t *ret)
{
	unsigned int n = 0;

	for (*ret = 0; n < digits && isdigit((unsigned char)**s); n++)
		*ret = *ret * 10 + (uint64_t)(*(*s)++ - '0');
	return n > 0;
}

/* Parses ".5" into nanoseconds; no fraction is 0. */
static bool take_fraction(const char **s, uint64_t *ret)
{
	uint64_t unit = SECOND / 10;

	*ret = 0;
	if (**s != '.')
		return true;
	if (!isdigit((unsigned char)*++*s))
		return false;
	for (; isdigit((unsigned char)**s); unit /= 10)
		*ret += (uint64_t)(*(*s)++ - '0') * unit;
	return true;
}

static uint64_t unit_of(const char **s)
{
	static const struct {
		const char *name;
		uint64_t ns;
	} units[] = { { "ms", SECOND / 1000 }, { "s", SECOND }, { "m", 60 * SECOND },
		      { "h", 3600 * SECOND }, { "d", 86400 * SECOND }, { "w", 604800 * SECOND } };
	size_t i;

	for (i = 0; i < sizeof(units) / sizeof(*units); i++) {
		if (strncmp(*s, units[i].name, strlen(units[i].name)))
			continue;
		*s += strlen(units[i].name);
		return units[i].ns;
	}
	return 0;
}

bool when_parse_length(const char *text, uint64_t *ret)
{
	uint64_t n, unit, part;

	*ret = 0;
	do {
		if (!take_number(&text, 9, &n))
			return false;
		unit = unit_of(&text);
		if (!unit || __builtin_mul_overflow(n, unit, &part) ||
		    __builtin_add_overflow(*ret, part, ret))
			return false;
	} while (*text);
	return *ret > 0;
}

static bool take_clock(const char **s, struct tm *tm, uint64_t *fraction)
{
	uint64_t hour, minute, second = 0;

	*fraction = 0;
	if (!take_number(s, 2, &hour) || *(*s)++ != ':' || !take_number(s, 2, &minute))
		return false;
	if (**s == ':') {
		++*s;
		if (!take_number(s, 2, &second) || !take_fraction(s, fraction))
			return false;
	}
	if (hour > 23 || minute > 59 || second > 60)
		return false;
	tm->tm_hour = (int)hour;
	tm->tm_min = (int)minute;
	tm->tm_sec = (int)second;
	return true;
}

static bool take_date(const char **s, struct tm *tm)
{
	static const uint8_t days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	uint64_t year, month, day, last;

	if (!take_number(s, 4, &year) || *(*s)++ != '-' || !take_number(s, 2, &month) ||
	    *(*s)++ != '-' || !take_number(s, 2, &day))
		return false;
	if (year < 1970 || year > 2500 || !month || month > 12)
		return false;
	last = days[month - 1] + (month == 2 && !(year % 4) && (year % 100 || !(year % 400)));
	if (!day || day > last)
		return false;
	tm->tm_year = (int)year - 1900;
	tm->tm_mon = (int)month - 1;
	tm->tm_mday = (int)day;
	return true;
}

/*
 * Parses "Z", "+01:00" or "-0130". @east: seconds east of UTC. Return: false if
 * it is none of them.
 */
static bool take_zone(const char **s, int64_t *east)
{
	int64_t sign = **s == '-' ? -1 : 1;
	uint64_t hours, minutes = 0;

	*east = 0;
	if (**s == 'Z' || **s == 'z') {
		++*s;
		return true;
	}
	if (**s != '+' && **s != '-')
		return false;
	++*s;
	if (!take_number(s, 2, &hours))
		return false;
	*s += **s == ':';
	if (**s && !take_number(s, 2, &minutes))
		return false;
	*east = sign * (int64_t)(hours * 3600 + minutes * 60);
	return hours < 24 && minutes < 60;
}

static bool parse_date(const char *text, uint64_t now_ns, uint64_t *ret)
{
	time_t now = (time_t)(now_ns / SECOND), t;
	uint64_t fraction = 0;
	const char *at = text;
	int64_t east = 0;
	struct tm tm;

	localtime_r(&now, &tm);
	tm.tm_hour = tm.tm_min = tm.tm_sec = 0;
	tm.tm_isdst = -1;
	if (strchr(text, '-') && strspn(text, "0123456789") == 4) {
		if (!take_date(&at, &tm))
			return false;
		if ((*at == 'T' || *at == 't' || *at == ' ') &&
		    (at++, !take_clock(&at, &tm, &fraction)))
			return false;
	} else if (!take_clock(&at, &tm, &fraction)) {
		return false;
	}
	if (*at) {
		if (!take_zone(&at, &east) || *at)
			return false;
		t = timegm(&tm) - (time_t)east;
	} else {
		t = mktime(&tm);
	}
	if (t < 0 || (uint64_t)t >= LATEST / SECOND)
		return false;
	*ret = (uint64_t)t * SECOND + fraction;
	return true;
}

static bool midnight(uint64_t now_ns, int days, uint64_t *ret)
{
	time_t now = (time_t)(now_ns / SECOND), t;
	struct tm tm;

	localtime_r(&now, &tm);
	tm.tm_hour = tm.tm_min = tm.tm_sec = 0;
	tm.tm_mday += days;
	tm.tm_isdst = -1;
	t = mktime(&tm);
	if (t < 0)
		return false;
	*ret = (uint64_t)t * SECOND;
	return true;
}

bool when_parse(const char *text, uint64_t now_ns, uint64_t *ret)
{
	uint64_t length, fraction;

	if (!strcmp(text, "now")) {
		*ret = now_ns;
		return true;
	}
	if (!strcmp(text, "today") || !strcmp(text, "yesterday"))
		return midnight(now_ns, *text == 't' ? 0 : -1, ret);
	if (*text == '-') {
		if (!when_parse_length(text + 1, &length) || length > now_ns)
			return false;
		*ret = now_ns - length;
		return true;
	}
	if (*text != '@')
		return parse_date(text, now_ns, ret);
	text++;
	if (!take_number(&text, 11, ret) || !take_fraction(&text, &fraction) || *text ||
	    *ret >= LATEST / SECOND)
		return false;
	*ret = *ret * SECOND + fraction;
	return true;
}

const char *when_text(uint64_t ns, char buf[WHEN_TEXT])
{
	time_t t = (time_t)(ns / SECOND);
	struct tm tm;

	if (!localtime_r(&t, &tm) || !strftime(buf, WHEN_TEXT, "%Y-%m-%d %H:%M:%S", &tm))
		snprintf(buf, WHEN_TEXT, "@%llu", (unsigned long long)(ns / SECOND));
	return buf;
}
