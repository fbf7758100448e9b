/* SPDX-License-Identifier: GPL-2.0-only */
/* What the suites of mappings, and of jobs, sights and first lists share. */
#ifndef USTACK_TESTS_LEARN_KUNIT_H
#define USTACK_TESTS_LEARN_KUNIT_H

#include "support.h"

#include <linux/sched.h>

#include "../learn.h"

/* What the module takes for the mark of kernel threads: none, as the tests' thread
 * stands for a user's, or the real one.
 */
static const unsigned int real_kthread_mark = PF_KTHREAD;
extern unsigned int test_kthread_mark;
#undef PF_KTHREAD
#define PF_KTHREAD test_kthread_mark

/* What task_work_add() returns: 0, or the error of a task that exits. */
extern int test_task_work_error;

/* Work on the test's task: a kernel thread never returns to user mode, so the tests
 * run it. Both return how many.
 */
int test_nr_works(void);
int test_run_works(void);

/* How many jobs on tasks unloading would wait for. */
int test_nr_task_jobs(void);

/* Workers may read no file. */
extern bool test_far;

/* Waits for the workqueue. */
void test_flush_jobs(void);

/* A vma of the test's own mm; executable pages of @file, which may be NULL. */
struct vm_area_struct *test_vma(struct kunit *test, struct file *file, u64 start,
				u64 end);

/* The test's mm has a space, an empty one. */
void test_know(struct kunit *test);

/* Its space; the test is the only writer. */
struct ustack_space *test_space(void);

/* Its mapping at @addr. */
const struct ustack_mapping *test_mapping_at(u64 addr);

/* Before and after every case: also after a failed assertion, when its work may be left. */
int test_learn_init(struct kunit *test);
void test_learn_exit(struct kunit *test);

#endif /* USTACK_TESTS_LEARN_KUNIT_H */
