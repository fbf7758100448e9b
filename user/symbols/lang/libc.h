/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where threads of a C library keep what pthread_setspecific() was given. glibc describes it
 * itself, for debuggers, in variables called _thread_db_...: nptl_db/structs.def of its source.
 */
#ifndef USTACK_USER_LANG_LIBC_H
#define USTACK_USER_LANG_LIBC_H

#include "lang.h"
#include "symbols/lang/elf.h"

/**
 * struct lang_libc - what a library says
 * @specific: from the thread pointer to the pointers to blocks of keys
 * @self: from the thread pointer to what pthread_self() returns
 * @per_block: keys of a block
 * @key_size: bytes of each
 * @data: of these, where the value is
 * @has_dtv: it says where threads have what modules keep for each of them, too
 * @dtv: from the thread pointer to the pointer to the vector of modules
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

/* Return: whether the file is such a library. */
bool lang_libc_read(const struct lang_elf *e, struct lang_libc *ret);

/* Where the value of @key is. Return: false if there cannot be such a key. */
bool lang_libc_key(const struct lang_libc *l, u32 key, struct lang_tsd *ret);

#endif /* USTACK_USER_LANG_LIBC_H */
