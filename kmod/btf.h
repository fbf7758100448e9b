/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * BTF: the running kernel's own description of the types it was compiled with.
 * It is read for the prototypes of the functions that the module hooks.
 */
#ifndef USTACK_BTF_H
#define USTACK_BTF_H

#include <linux/types.h>

/**
 * struct ustack_btf - a description of types
 * @data: bytes of the description, owned by the caller
 * @strings: start of the names, within @data
 * @string_bytes: length of the names in bytes; the last byte is 0
 * @at: offset in @data of each type; the first is type 1
 * @nr: number of types
 */
struct ustack_btf {
	const u8 *data;
	const char *strings;
	u32 string_bytes;
	u32 *at;
	u32 nr;
};

/**
 * ustack_btf_open() - index a description of types
 * @btf: filled in by this function
 * @data: the bytes; they must stay until ustack_btf_close()
 * @size: number of bytes in @data
 *
 * Context: process, may sleep.
 * Return: 0, -ENOMEM, or -EINVAL if this is not BTF that we can read.
 */
int ustack_btf_open(struct ustack_btf *btf, const void *data, size_t size);
void ustack_btf_close(struct ustack_btf *btf);

/**
 * ustack_btf_prototype() - write a function's prototype as C
 * @btf: description
 * @name: function
 * @ret: gets "void f(struct s *a, unsigned long b)"
 * @size: bytes of @ret
 *
 * Qualifiers and typedefs are left out; integers have C's name for their size.
 * An unknown type is "?".
 *
 * Context: process, may sleep.
 * Return: 0, or -ENOENT if the function is not described.
 */
int ustack_btf_prototype(const struct ustack_btf *btf, const char *name,
			 char *ret, size_t size);

#endif /* USTACK_BTF_H */
