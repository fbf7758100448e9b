/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Keyed hash of 16 bytes: SipHash-1-3 (Aumasson, Bernstein), which is the
 * kernel's hsiphash() for hash tables on 64-bit machines. Without the key, its
 * values look random: so a file cannot choose what collides.
 */
#ifndef USTACK_CORE_HASH_H
#define USTACK_CORE_HASH_H

#include "core_env.h"

static __always_inline u64 ustack_rol64(u64 v, unsigned int n)
{
	return v << n | v >> (64 - n);
}

static __always_inline void ustack_sip_round(u64 v[4])
{
	v[0] += v[1];
	v[1] = ustack_rol64(v[1], 13) ^ v[0];
	v[0] = ustack_rol64(v[0], 32);
	v[2] += v[3];
	v[3] = ustack_rol64(v[3], 16) ^ v[2];
	v[0] += v[3];
	v[3] = ustack_rol64(v[3], 21) ^ v[0];
	v[2] += v[1];
	v[1] = ustack_rol64(v[1], 17) ^ v[2];
	v[2] = ustack_rol64(v[2], 32);
}

/* The hash of two words under @key. Context: any. */
static __always_inline u64 ustack_siphash(const u64 key[2], u64 a, u64 b)
{
	const u64 len = 16ull << 56;
	u64 v[4] = {
		key[0] ^ 0x736f6d6570736575ull,
		key[1] ^ 0x646f72616e646f6dull,
		key[0] ^ 0x6c7967656e657261ull,
		key[1] ^ 0x7465646279746573ull ^ a,
	};

	ustack_sip_round(v);
	v[0] ^= a;
	v[3] ^= b;
	ustack_sip_round(v);
	v[0] ^= b;
	v[3] ^= len;
	ustack_sip_round(v);
	v[0] ^= len;
	v[2] ^= 0xff;
	ustack_sip_round(v);
	ustack_sip_round(v);
	ustack_sip_round(v);
	return v[0] ^ v[1] ^ v[2] ^ v[3];
}

#endif /* USTACK_CORE_HASH_H */
