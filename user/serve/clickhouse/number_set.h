/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A set of 64-bit numbers: the things that a server has been sent, so that they are not sent
 * again. It has a limit.
 */
#ifndef USTACK_USER_CLICKHOUSE_NUMBER_SET_H
#define USTACK_USER_CLICKHOUSE_NUMBER_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Most numbers, in 16 MiB. A set that is full counts every other number as new. */
#define CLICKHOUSE_MAX_NUMBERS (1u << 20)

/**
 * struct clickhouse_number_set - a set of numbers; all zeros is an empty set
 * @at: hash table with open addressing; 0 marks a free slot
 * @room: number of slots of @at, a power of 2
 * @nr: number of numbers in the set
 */
struct clickhouse_number_set {
	uint64_t *at;
	size_t room;
	size_t nr;
};

void clickhouse_number_set_release(struct clickhouse_number_set *k);

/*
 * Add a number. Return: whether it is new. Without memory, or if the set is full, every number
 * that is not in it counts as new.
 */
bool clickhouse_number_set_add(struct clickhouse_number_set *k, uint64_t number);

#endif /* USTACK_USER_CLICKHOUSE_NUMBER_SET_H */
