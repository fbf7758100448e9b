/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Everything that differs between kernel versions, and nothing else. The oldest
 * supported version is 6.1. For interfaces that distributions may backport,
 * conftest/conftest.c tries them when the module is built.
 */
#ifndef USTACK_COMPAT_H
#define USTACK_COMPAT_H

#include <linux/fs.h>
#include <linux/ftrace.h>
#include <linux/mm_types.h>
#include <linux/shrinker.h>
#include <linux/uaccess.h>
#include <linux/uprobes.h>
#include <linux/version.h>

#include "conftest.h"

/* ---- releases: used only to compare with tested.def --------------------- */

#define USTACK_RELEASE_OF(major, minor) (KERNEL_VERSION(major, minor, 0) >> 8)
#define USTACK_RELEASE (LINUX_VERSION_CODE >> 8)

/* ---- ftrace: filter, arguments and redirection ------------------------ */

/* The functions that @ops hooks. All empty filters are one object. */
#define ustack_ftrace_filter(ops) \
	rcu_access_pointer((ops)->func_hash->filter_hash)

#ifdef USTACK_HAVE_FTRACE_REGS_ARGUMENT
#define USTACK_FTRACE_REGS_FLAG 0
#define ustack_fregs_arg(fregs, n) ftrace_regs_get_argument(fregs, n)
#define ustack_fregs_set_ip(fregs, ip) \
	ftrace_regs_set_instruction_pointer(fregs, ip)
#elif defined(CONFIG_X86_64)
/* 6.1: the arguments are saved even without SAVE_REGS */
#define USTACK_FTRACE_REGS_FLAG 0
static __always_inline unsigned long ustack_fregs_arg(struct ftrace_regs *fregs,
						      unsigned int n)
{
	switch (n) {
	case 0:
		return fregs->regs.di;
	case 1:
		return fregs->regs.si;
	case 2:
		return fregs->regs.dx;
	default:
		return fregs->regs.cx;
	}
}
#define ustack_fregs_set_ip(fregs, ip) \
	ftrace_instruction_pointer_set(fregs, ip)
#elif defined(CONFIG_ARM64)
/* 6.1: no WITH_ARGS yet, full registers on request */
#define USTACK_FTRACE_REGS_FLAG FTRACE_OPS_FL_SAVE_REGS
#define ustack_fregs_arg(fregs, n) (ftrace_get_regs(fregs)->regs[n])
#define ustack_fregs_set_ip(fregs, ip) (ftrace_get_regs(fregs)->pc = (ip))
#else
#error "ustack knows x86-64 and arm64"
#endif

/* ---- vmas ------------------------------------------------------------------ */

/*
 * Return: whether @vma is being unmapped although the tree still contains it:
 * since 6.12 that is so while mmap() with MAP_FIXED makes the vma that takes
 * its place. Without per-vma locks (kernels for one CPU) this cannot be told,
 * so the answer is yes.
 */
static inline bool ustack_vma_detached(const struct vm_area_struct *vma)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 12, 0)
	return false;
#elif !defined(CONFIG_PER_VMA_LOCK)
	return true;
#elif LINUX_VERSION_CODE < KERNEL_VERSION(6, 15, 0)
	return vma->detached;
#else
	return !refcount_read(&vma->vm_refcnt);
#endif
}

/* ---- inode times ------------------------------------------------------- */

static inline struct timespec64 ustack_inode_ctime(const struct inode *inode)
{
#ifdef USTACK_HAVE_INODE_GET_CTIME
	return inode_get_ctime(inode);
#else
	return inode->i_ctime;
#endif
}

/* ---- paths of mapped files ------------------------------------------------ */

/*
 * Return: the path that the user of @file sees. A mapping of a file of
 * overlayfs is a mapping of the file below it; since 6.8 such a file's own path
 * is that in its layer.
 */
static inline char *ustack_user_path(struct file *file, char *buf, int len)
{
#ifdef USTACK_HAVE_FILE_USER_PATH
	return d_path(file_user_path(file), buf, len);
#else
	return file_path(file, buf, len);
#endif
}

/* ---- shrinker ----------------------------------------------------------- */

struct ustack_shrinker {
#ifdef USTACK_HAVE_SHRINKER_ALLOC
	struct shrinker *shrinker;
#else
	struct shrinker shrinker;
#endif
};

typedef unsigned long (*ustack_shrink_fn)(struct shrinker *shrinker,
					  struct shrink_control *sc);

static inline int ustack_shrinker_register(struct ustack_shrinker *s,
					   ustack_shrink_fn count,
					   ustack_shrink_fn scan)
{
#ifdef USTACK_HAVE_SHRINKER_ALLOC
	s->shrinker = shrinker_alloc(0, "ustack");
	if (!s->shrinker)
		return -ENOMEM;
	s->shrinker->count_objects = count;
	s->shrinker->scan_objects = scan;
	shrinker_register(s->shrinker);
	return 0;
#else
	s->shrinker.count_objects = count;
	s->shrinker.scan_objects = scan;
	s->shrinker.seeks = DEFAULT_SEEKS;
	return register_shrinker(&s->shrinker, "ustack");
#endif
}

static inline void ustack_shrinker_unregister(struct ustack_shrinker *s)
{
#ifdef USTACK_HAVE_SHRINKER_ALLOC
	shrinker_free(s->shrinker);
#else
	unregister_shrinker(&s->shrinker);
#endif
}

/* ---- uprobes --------------------------------------------------------------- */

/*
 * Words of struct xol_area after its wait queue; one of them is the page's
 * address. 6.1: slot count, bitmap, special mapping (4), pages (2), address;
 * 6.12: slot count, bitmap, page, address; 7.3: bitmap, page, address. Nothing
 * after these is read.
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 14, 0)
#define USTACK_XOL_AREA_WORDS 4u
#else
#define USTACK_XOL_AREA_WORDS 9u
#endif

/* The trampoline is in the page's first slot. */
#ifdef CONFIG_UPROBES
#define USTACK_TRAMPOLINE_BYTES UPROBE_XOL_SLOT_BYTES
#endif

/* ---- tracepoints: __assign_str() lost its second argument ---------------- */

#ifdef USTACK_HAVE_ASSIGN_STR_OF_ONE
#define ustack_assign_str(dst, src) __assign_str(dst)
#else
#define ustack_assign_str(dst, src) __assign_str(dst, src)
#endif

#endif /* USTACK_COMPAT_H */
