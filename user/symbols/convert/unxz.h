/* SPDX-License-Identifier: GPL-2.0-only */
/* What xz packed. */
#ifndef USTACK_USER_CONVERT_UNXZ_H
#define USTACK_USER_CONVERT_UNXZ_H

#include <stddef.h>
#include <stdint.h>

/**
 * unxz() - unpack
 * @packed: @len bytes, one or more streams
 * @len: of @packed
 * @max: bytes that come out at most
 * @ret: freed by the caller
 * @ret_len: bytes of @ret
 *
 * Return: 0; -EBADMSG if it is damaged; -EFBIG if more than @max would come out, or it
 * wants more memory than xz -9 does; -ENOMEM.
 */
int unxz(const uint8_t *packed, size_t len, size_t max, uint8_t **ret, size_t *ret_len);

#endif /* USTACK_USER_CONVERT_UNXZ_H */
