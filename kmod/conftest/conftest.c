// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests for interfaces that some of the supported kernels lack. Distributions
 * backport them, so a version number does not tell. Kbuild compiles this file
 * once for each TRY_NAME that it finds here; if the compiler accepts it,
 * conftest.h defines USTACK_HAVE_NAME. Nothing of it is linked. Only compat.h
 * uses the results.
 *
 * Each test must compile without a warning if the interface exists.
 */
#include <linux/compiler.h>
#include <linux/fs.h>
#include <linux/ftrace.h>
#include <linux/shrinker.h>

#if defined(TRY_FTRACE_REGS_ARGUMENT)
static __maybe_unused unsigned long test(struct ftrace_regs *fregs)
{
	ftrace_regs_set_instruction_pointer(fregs, 0);
	return ftrace_regs_get_argument(fregs, 0);
}

#elif defined(TRY_INODE_GET_CTIME)
static __maybe_unused struct timespec64 test(const struct inode *inode)
{
	return inode_get_ctime(inode);
}

#elif defined(TRY_FILE_USER_PATH)
static __maybe_unused const struct path *test(struct file *file)
{
	return file_user_path(file);
}

#elif defined(TRY_SHRINKER_ALLOC)
static __maybe_unused void test(void)
{
	shrinker_register(shrinker_alloc(0, "test"));
}

#elif defined(TRY_ASSIGN_STR_OF_ONE)
#include <linux/stringify.h>
#include <trace/stages/stage6_event_callback.h>
/* The macro takes one argument or two; the wrong number is an error. */
#ifndef __assign_str
#error "no __assign_str()"
#endif
static __maybe_unused const char test[] = __stringify(__assign_str(dst));
#endif
