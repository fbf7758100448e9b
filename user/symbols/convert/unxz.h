/* SPDX-License-Identifier: GPL-2.0-only */
/* Unpacks data that xz has packed. */
#ifndef USTACK_USER_CONVERT_UNXZ_H
#define USTACK_USER_CONVERT_UNXZ_H

#include <stddef.h>
#include <stdint.h>

/**
 * unxz() - unpack xz data
 * @packed: one or more xz streams
 * @len: number of bytes of @packed
 * @max: limit for the unpacked bytes
 * @ret: the unpacked bytes; the caller frees them
 * @ret_len: number of bytes of @ret
 *
 * Return: 0; -EBADMSG if the data is damaged; -EFBIG if it unpacks to more than @max
 * bytes or needs more memory than xz -9; -ENOMEM.
 */
int unxz(const uint8_t *packed, size_t len, size_t max, uint8_t **ret, size_t *ret_len);

#endif /* USTACK_USER_CONVERT_UNXZ_H */
