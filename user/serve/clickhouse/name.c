// SPDX-License-Identifier: GPL-2.0-only
/*
 * The check of names of databases and clusters. It is not in schema.c because push checks names,
 * too, and creates no tables.
 */
#include "serve/clickhouse/schema.h"

#include <string.h>

#include "util/poison.h"

bool clickhouse_is_name(const char *name)
{
	size_t len = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");

	return len && len <= CLICKHOUSE_MAX_NAME && !name[len] && !(*name >= '0' && *name <= '9');
}
