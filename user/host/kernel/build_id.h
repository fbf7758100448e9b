/* SPDX-License-Identifier: GPL-2.0-only */
/* Build ids of the running kernel and its modules, from the ELF notes in /sys. */
#ifndef USTACK_USER_KERNEL_BUILD_ID_H
#define USTACK_USER_KERNEL_BUILD_ID_H

#include <stddef.h>
#include <stdint.h>

#define NOTES_MAX_BUILD_ID 20u

/*
 * Reads the build id of an image: "[kernel.kallsyms]" or "[module]". Return: number of
 * bytes in @ret, 0 if there is none.
 */
uint8_t kernel_build_id(const char *image, uint8_t ret[NOTES_MAX_BUILD_ID]);

/*
 * Finds the build id in ELF notes with this machine's byte order (gabi, "Note Section").
 * Return: number of bytes in @ret, 0 if there is none.
 */
uint8_t notes_build_id(const uint8_t *notes, size_t len, uint8_t ret[NOTES_MAX_BUILD_ID]);

#endif /* USTACK_USER_KERNEL_BUILD_ID_H */
