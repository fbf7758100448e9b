/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The truth file that mktruth.py writes about the files of samples: functions, return
 * addresses, the functions called there, and jumps from one function to another.
 */
#ifndef CHAINCHECK_TRUTH_H
#define CHAINCHECK_TRUTH_H

#include <stdbool.h>

#include "util.h"

enum func_class { FUNC_OWN, FUNC_PLT, FUNC_SIG, FUNC_LIB };

struct func {
	u64 vaddr, size;
	enum func_class class;
	const char *name;
};

struct image;

/* may be called again: a later file's image replaces an earlier one's */
void truth_load(const char *path);

/* treats an image as unknown */
void truth_forget(const char *name);

/* "x86_64" or "aarch64" */
const char *truth_arch(void);

/* by the last part of a path; NULL for a file that the truth does not contain */
const struct image *truth_image(const char *name);

/* true for an image that contains code of ours */
bool image_own(const struct image *image);

/* is there a function of ours of that name? */
bool truth_own(const char *name);

/* the vaddr of a file offset within an executable segment */
bool image_vaddr(const struct image *image, u64 offset, u64 *ret);

/* an image whose segment may be at a fixed address without any event */
const struct image *truth_fixed(u64 ip, u64 *vaddr);

const struct func *image_func(const struct image *image, u64 vaddr);

/* the function called directly before vaddr: NULL if there is no call, "*" for any */
const char *image_call(const struct image *image, u64 vaddr);

/* does a call of `target` reach `name`, by jumps in tail position? */
bool truth_reaches(const char *target, const char *name);

#endif
