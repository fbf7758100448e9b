// SPDX-License-Identifier: GPL-2.0-only
/* Apart from schema.c, as push checks names too and makes no tables. */
#include "serve/clickhouse/schema.h"

#include <string.h>

#include "util/poison.h"

bool clickhouse_is_name(const char *name)
{
	size_t len = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");

	return len && len <= CLICKHOUSE_MAX_NAME && !name[len] && !(*name >= '0' && *name <= '9');
}
