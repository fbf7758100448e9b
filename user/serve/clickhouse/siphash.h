/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SipHash-2-4 of 64 bits (Aumasson and Bernstein, 2012) with a key of zeros: ClickHouse's
 * sipHash64(). For numbers that hosts have to agree on; it does not keep anyone from making
 * two things of the same number on purpose.
 */
#ifndef USTACK_USER_CLICKHOUSE_SIPHASH_H
#define USTACK_USER_CLICKHOUSE_SIPHASH_H

#include <stddef.h>
#include <stdint.h>

uint64_t siphash(const void *bytes, size_t len);
/* Of two numbers, 8 bytes each, little endian. */
uint64_t siphash_two(uint64_t a, uint64_t b);

#endif /* USTACK_USER_CLICKHOUSE_SIPHASH_H */
