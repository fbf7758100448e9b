/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Interning: a hash table (open addressing) that finds the number of a thing,
 * so that each thing is stored once. The table holds only hashes and numbers;
 * the things are the caller's, in an array or wherever it likes:
 *
 *	hash = intern_words(&t, key, 2);
 *	for (p = intern_probe(&t, hash); (n = intern_next(&t, &p));)
 *		if (things[n].a == a && things[n].b == b)
 *			return n;
 *	if (!intern_room(&t))
 *		return 0;
 *	things[nr] = ...;
 *	intern_put(&t, hash, nr++);
 *
 * Number 0 cannot be put. Hashes are keyed with random bytes that the kernel
 * gives to every process, so that the author of an input cannot choose what
 * collides.
 */
#ifndef USTACK_USER_INTERN_H
#define USTACK_USER_INTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct intern_slot {
	uint32_t hash;
	uint32_t number;	/* 0: free */
};

/**
 * struct intern - a table
 * @slots: NULL until something is put
 * @mask: number of slots minus 1; the number is a power of two
 * @nr: number of slots in use
 * @key: random key of the hashes
 */
struct intern {
	struct intern_slot *slots;
	size_t mask;
	size_t nr;
	uint64_t key[2];
};

/* Makes an empty table. No memory is allocated. */
void intern_init(struct intern *t);
void intern_release(struct intern *t);
/* Empties the table; the memory is kept. */
void intern_clear(struct intern *t);

/*
 * Makes room for one more number. Return: false if there is no memory; nothing
 * has changed then.
 */
bool intern_grow(struct intern *t);
static inline bool intern_room(struct intern *t)
{
	/* at most 3 of 4 slots are used: a search ends at a free slot */
	return (t->slots && t->nr < t->mask - t->mask / 4) || intern_grow(t);
}

/* Puts a number that is not in the table. intern_room() must have returned true. */
void intern_put(struct intern *t, uint64_t hash, uint32_t number);

/* The position of a search. */
struct intern_probe {
	size_t at;
	uint32_t hash;
};

static inline struct intern_probe intern_probe(const struct intern *t, uint64_t hash)
{
	return (struct intern_probe){ .at = (uint32_t)hash & t->mask, .hash = (uint32_t)hash };
}

/* Return: the next number with the same hash, 0 at the end. */
static inline uint32_t intern_next(const struct intern *t, struct intern_probe *p)
{
	const struct intern_slot *s;

	if (!t->slots)
		return 0;
	for (;;) {
		s = &t->slots[p->at];
		if (!s->number)
			return 0;
		p->at = (p->at + 1) & t->mask;
		if (s->hash == p->hash)
			return s->number;
	}
}

static inline uint64_t intern_mix(uint64_t a, uint64_t b)
{
	unsigned __int128 product = (unsigned __int128)a * b;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* Return: the hash of @nr words. */
static inline uint64_t intern_words(const struct intern *t, const uint64_t *word, size_t nr)
{
	uint64_t h = t->key[0] ^ nr;
	size_t i;

	for (i = 0; i + 1 < nr; i += 2)
		h = intern_mix(word[i] ^ h, word[i + 1] ^ t->key[1]);
	return intern_mix((i < nr ? word[i] : 0) ^ h, t->key[1]);
}

/* Return: the hash of @len bytes. */
uint64_t intern_bytes(const struct intern *t, const void *bytes, size_t len);

#endif /* USTACK_USER_INTERN_H */
