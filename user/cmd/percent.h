/* SPDX-License-Identifier: GPL-2.0-only */
/* Parses the percentages of command line options. */
#ifndef USTACK_USER_CMD_PERCENT_H
#define USTACK_USER_CMD_PERCENT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/*
 * Parses a percentage with up to two digits after the point, with or without "%". Return: false
 * if @s is none, or not from 0 to 100.
 */
static inline bool cmd_parse_percent(const char *s, uint32_t *hundredths)
{
	char *end;
	double v = strtod(s, &end);

	if (end != s && *end == '%')
		end++;
	if (end == s || *end || !(v >= 0 && v <= 100))
		return false;
	*hundredths = (uint32_t)(v * 100 + 0.5);
	return true;
}

#endif /* USTACK_USER_CMD_PERCENT_H */
