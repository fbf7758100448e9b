// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads where glibc keeps thread-specific data and TLS blocks, from the variables that it
 * has for debuggers, see libc.h. Called once for each file that may be a C library.
 */
#include "symbols/lang/libc.h"

/* Limits: PTHREAD_KEYS_MAX, and an offset far larger than any struct of glibc. */
#define MAX_KEYS 1024u
#define MAX_BYTES 65536u

/* A field's description in glibc: bits of an element, number of elements, offset in bytes. */
struct field {
	u32 bits;
	u32 count;
	u32 offset;
};

enum {
	SPECIFIC,
	LEVEL2,
	DATA,
	PTHREAD,
	NR,
};

enum {
	DTV_POINTER,
	DTV_ENTRIES,
	DTV_BLOCK,
	DTV_NR,
};

static void read_dtv(const struct lang_elf *e, struct lang_libc *ret)
{
	struct lang_symbol symbol[DTV_NR] = {
		[DTV_POINTER] = { .name = "_thread_db_pthread_dtvp" },
		[DTV_ENTRIES] = { .name = "_thread_db_dtv_dtv" },
		[DTV_BLOCK] = { .name = "_thread_db_dtv_t_pointer_val" },
	};
	struct field pointer, entries, block;

	if (!lang_elf_symbols(e, symbol, DTV_NR) ||
	    !lang_elf_bytes(e, symbol[DTV_POINTER].value, &pointer, sizeof(pointer)) ||
	    !lang_elf_bytes(e, symbol[DTV_ENTRIES].value, &entries, sizeof(entries)) ||
	    !lang_elf_bytes(e, symbol[DTV_BLOCK].value, &block, sizeof(block)))
		return;
	ret->has_dtv = pointer.offset <= MAX_BYTES && entries.bits == 8 * LANG_DTV_ENTRY &&
		       !entries.offset && block.bits == 64 && !block.offset;
	ret->dtv = ret->self + pointer.offset;
}

bool lang_libc_read(const struct lang_elf *e, struct lang_libc *ret)
{
	struct lang_symbol symbol[NR] = {
		[SPECIFIC] = { .name = "_thread_db_pthread_specific" },
		[LEVEL2] = { .name = "_thread_db_pthread_key_data_level2_data" },
		[DATA] = { .name = "_thread_db_pthread_key_data_data" },
		[PTHREAD] = { .name = "_thread_db_sizeof_pthread" },
	};
	struct field specific, level2, data;
	u32 pthread;

	if (!lang_elf_symbols(e, symbol, NR) ||
	    !lang_elf_bytes(e, symbol[SPECIFIC].value, &specific, sizeof(specific)) ||
	    !lang_elf_bytes(e, symbol[LEVEL2].value, &level2, sizeof(level2)) ||
	    !lang_elf_bytes(e, symbol[DATA].value, &data, sizeof(data)) ||
	    !lang_elf_bytes(e, symbol[PTHREAD].value, &pthread, sizeof(pthread)))
		return false;
	if (specific.offset > MAX_BYTES || pthread > MAX_BYTES || !level2.count ||
	    level2.count > MAX_KEYS || level2.bits % 64 || !level2.bits ||
	    level2.bits / 8 > MAX_BYTES || data.bits != 64 || data.offset > MAX_BYTES ||
	    level2.offset > MAX_BYTES)
		return false;
	/* on AArch64 the thread pointer points after struct pthread, on x86 to its start */
	ret->self = e->head.arch == &ustack_arch_aarch64 ? -(s64)pthread : 0;
	ret->specific = ret->self + specific.offset;
	ret->per_block = level2.count;
	ret->key_size = level2.bits / 8;
	ret->data = level2.offset + data.offset;
	ret->has_dtv = false;
	read_dtv(e, ret);
	return true;
}

bool lang_libc_key(const struct lang_libc *l, u32 key, struct lang_tsd *ret)
{
	if (key >= MAX_KEYS)
		return false;
	ret->block = l->specific + 8 * (s64)(key / l->per_block);
	ret->self = l->self;
	ret->value = (u64)(key % l->per_block) * l->key_size + l->data;
	return true;
}
