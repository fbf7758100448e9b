/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to user/capture/record: functions of the kernel that come and go: programs of BPF, trampolines.
 * When a recording is read, what is at their addresses may be others.
 */
#ifndef USTACK_USER_RECORD_SYMBOLS_H
#define USTACK_USER_RECORD_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

/**
 * struct record_symbol - a function
 * @start: address
 * @end: address behind it
 * @name: its own
 */
struct record_symbol {
	uint64_t start;
	uint64_t end;
	char *name;
};

/**
 * struct record_symbols - those that are there now; all zero is empty
 * @symbol: ascending, none over another
 */
struct record_symbols {
	struct record_symbol *symbol;
	size_t nr;
	size_t room;
};

/* A function comes, in place of what was there. Return: 0 or -ENOMEM. */
int record_symbols_add(struct record_symbols *s, uint64_t start, uint64_t len, const char *name);
/* What was there goes. */
void record_symbols_remove(struct record_symbols *s, uint64_t start, uint64_t len);
/* Return: the function that has an address, until the next change; NULL. */
const struct record_symbol *record_symbols_find(const struct record_symbols *s, uint64_t addr);
void record_symbols_release(struct record_symbols *s);

#endif /* USTACK_USER_RECORD_SYMBOLS_H */
