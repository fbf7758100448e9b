/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Numbers as text for a page: LEB128 in base64. A small number, as nearly all
 * of a flame graph are, takes 4/3 bytes.
 */
#ifndef USTACK_USER_FLAME_PACK_H
#define USTACK_USER_FLAME_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct pack - a text that is being written; starts zeroed
 * @text: the text, from malloc(); the owner frees it
 * @len: number of characters in @text
 * @room: size of @text
 * @waiting: bytes that do not make four characters yet
 * @nr_waiting: number of entries in @waiting
 */
struct pack {
	char *text;
	size_t len;
	size_t room;
	uint8_t waiting[3];
	unsigned int nr_waiting;
};

/* Return: false if there is no memory. */
bool pack_number(struct pack *p, uint64_t number);
/* Pads the last characters and ends @text with a NUL. Return: false if there is no memory. */
bool pack_end(struct pack *p);

#endif /* USTACK_USER_FLAME_PACK_H */
