/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SipHash-2-4 with 64 bits (Aumasson and Bernstein, 2012) and a key of zeros: the same as
 * ClickHouse's sipHash64(). All hosts compute the same numbers with it. It does not prevent
 * anybody from making two things with the same number on purpose.
 */
#ifndef USTACK_USER_CLICKHOUSE_SIPHASH_H
#define USTACK_USER_CLICKHOUSE_SIPHASH_H

#include <stddef.h>
#include <stdint.h>

uint64_t siphash(const void *bytes, size_t len);
/* Return: the hash of two numbers of 8 bytes each, little endian. */
uint64_t siphash_two(uint64_t a, uint64_t b);

#endif /* USTACK_USER_CLICKHOUSE_SIPHASH_H */
