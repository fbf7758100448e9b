/* SPDX-License-Identifier: GPL-2.0-only */
/* What a server has been told: numbers of 64 bits, so many at most. */
#ifndef USTACK_USER_CLICKHOUSE_KNOWN_H
#define USTACK_USER_CLICKHOUSE_KNOWN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* 16 MiB at most; then all is told again. */
#define CLICKHOUSE_MAX_KNOWN (1u << 20)

/**
 * struct clickhouse_known - all zeros is nothing
 * @at: a table, open addressed; 0 is free
 * @room: of @at, a power of 2
 * @nr: that are there
 */
struct clickhouse_known {
	uint64_t *at;
	size_t room;
	size_t nr;
};

void clickhouse_known_release(struct clickhouse_known *k);

/* Return: whether @number is new. Without memory, or full, all are. */
bool clickhouse_known_add(struct clickhouse_known *k, uint64_t number);

#endif /* USTACK_USER_CLICKHOUSE_KNOWN_H */
