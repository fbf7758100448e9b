/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to user/capture/record: kernel functions that come and go, which are
 * BPF programs and trampolines. When a recording is read, other functions may
 * be at their addresses.
 */
#ifndef USTACK_USER_RECORD_SYMBOLS_H
#define USTACK_USER_RECORD_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

/**
 * struct record_symbol - a function
 * @start: address of the first byte
 * @end: address after the last byte
 * @name: name, owned
 */
struct record_symbol {
	uint64_t start;
	uint64_t end;
	char *name;
};

/**
 * struct record_symbols - the functions that exist now; all zero is empty
 * @symbol: in ascending order of address; they do not overlap
 * @nr: number of entries in @symbol
 * @room: entries that @symbol has memory for
 */
struct record_symbols {
	struct record_symbol *symbol;
	size_t nr;
	size_t room;
};

/* Adds a function and removes those that it overlaps. Return: 0 or -ENOMEM. */
int record_symbols_add(struct record_symbols *s, uint64_t start, uint64_t len, const char *name);
/* Removes the functions that overlap a range. */
void record_symbols_remove(struct record_symbols *s, uint64_t start, uint64_t len);
/*
 * Return: the function at an address, valid until the next change; NULL if
 * there is none.
 */
const struct record_symbol *record_symbols_find(const struct record_symbols *s, uint64_t addr);
void record_symbols_release(struct record_symbols *s);

#endif /* USTACK_USER_RECORD_SYMBOLS_H */
