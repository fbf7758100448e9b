/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds where a C library keeps the values of pthread_setspecific() for each thread.
 * glibc describes this for debuggers in variables named _thread_db_..., see
 * nptl_db/structs.def in its source.
 */
#ifndef USTACK_USER_LANG_LIBC_H
#define USTACK_USER_LANG_LIBC_H

#include "lang.h"
#include "symbols/lang/elf.h"

/**
 * struct lang_libc - thread data of a C library; offsets are in bytes from the thread
 * pointer
 * @specific: offset of the pointers to blocks of keys
 * @self: offset of what pthread_self() returns
 * @per_block: number of keys in a block
 * @key_size: bytes of a key's data
 * @data: offset of the value in a key's data
 * @has_dtv: @dtv is known
 * @dtv: offset of the pointer to the vector with the TLS block of each module
 */
struct lang_libc {
	s64 specific;
	s64 self;
	u32 per_block;
	u32 key_size;
	u32 data;
	bool has_dtv;
	s64 dtv;
};

/* Return: whether the file is a glibc with these descriptions. */
bool lang_libc_read(const struct lang_elf *e, struct lang_libc *ret);

/* Finds the value of @key in a thread. Return: false if there cannot be such a key. */
bool lang_libc_key(const struct lang_libc *l, u32 key, struct lang_tsd *ret);

#endif /* USTACK_USER_LANG_LIBC_H */
