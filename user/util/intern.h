/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Numbers of things that are kept once: a hash table of numbers, open addressed. The
 * things are the caller's, in an array or wherever it likes:
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
 * Number 0 cannot be put. Hashes are keyed with bytes that the kernel makes up for every
 * process: who writes an input cannot choose what collides.
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
 * @mask: slots but one
 * @nr: slots in use
 * @key: of hashes
 */
struct intern {
	struct intern_slot *slots;
	size_t mask;
	size_t nr;
	uint64_t key[2];
};

/* No memory is taken. */
void intern_init(struct intern *t);
void intern_release(struct intern *t);
/* Nothing is put any more; the memory is kept. */
void intern_clear(struct intern *t);

/* Room for one more. Return: false if there is no memory, and nothing has changed. */
bool intern_grow(struct intern *t);
static inline bool intern_room(struct intern *t)
{
	/* 3 of 4 slots at most: the fourth ends every search */
	return (t->slots && t->nr < t->mask - t->mask / 4) || intern_grow(t);
}

/* Puts a number that is not there; intern_room() has said yes. */
void intern_put(struct intern *t, uint64_t hash, uint32_t number);

/* Where a search is. */
struct intern_probe {
	size_t at;
	uint32_t hash;
};

static inline struct intern_probe intern_probe(const struct intern *t, uint64_t hash)
{
	return (struct intern_probe){ .at = (uint32_t)hash & t->mask, .hash = (uint32_t)hash };
}

/* Return: the next number whose hash is the same, 0 at the end. */
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

/* The hash of @nr words. */
static inline uint64_t intern_words(const struct intern *t, const uint64_t *word, size_t nr)
{
	uint64_t h = t->key[0] ^ nr;
	size_t i;

	for (i = 0; i + 1 < nr; i += 2)
		h = intern_mix(word[i] ^ h, word[i + 1] ^ t->key[1]);
	return intern_mix((i < nr ? word[i] : 0) ^ h, t->key[1]);
}

/* The hash of @len bytes. */
uint64_t intern_bytes(const struct intern *t, const void *bytes, size_t len);

#endif /* USTACK_USER_INTERN_H */
