/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * BTF: the types that the running kernel was compiled with, as it describes
 * them itself. Read for the prototypes of the functions that we hook.
 */
#ifndef USTACK_BTF_H
#define USTACK_BTF_H

#include <linux/types.h>

/**
 * struct ustack_btf - a description of types
 * @data: its bytes, owned by the caller
 * @strings: start of the names in @data
 * @string_bytes: length of them; the last byte is 0
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
 * @btf: is filled in
 * @data: the bytes; they stay until ustack_btf_close()
 * @size: how many
 *
 * Context: process, may sleep.
 * Return: 0, -ENOMEM, or -EINVAL if this is no BTF that we can read.
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
 * Qualifiers and typedefs are left out; integers have the name that C gives to
 * their size. A type that cannot be told is "?".
 *
 * Context: process, may sleep.
 * Return: 0, or -ENOENT if the function is not described.
 */
int ustack_btf_prototype(const struct ustack_btf *btf, const char *name,
			 char *ret, size_t size);

#endif /* USTACK_BTF_H */
