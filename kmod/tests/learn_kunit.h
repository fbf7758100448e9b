/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by the suites of mappings, and of jobs, first samples and lists. */
#ifndef USTACK_TESTS_LEARN_KUNIT_H
#define USTACK_TESTS_LEARN_KUNIT_H

#include "support.h"

#include <linux/sched.h>

#include "../learn.h"

/*
 * The flag by which the module recognizes kernel threads: 0, because the tests'
 * own thread plays a user's, or the real one.
 */
static const unsigned int real_kthread_mark = PF_KTHREAD;
extern unsigned int test_kthread_mark;
#undef PF_KTHREAD
#define PF_KTHREAD test_kthread_mark

/* Return value of task_work_add(): 0, or the error for an exiting task. */
extern int test_task_work_error;

/*
 * The work queued on the test's task. The tests run it themselves, since a
 * kernel thread never returns to user mode. Both functions return how many
 * there were.
 */
int test_nr_works(void);
int test_run_works(void);

/* The number of jobs on tasks that unloading would wait for. */
int test_nr_task_jobs(void);

/* If true, workers may not read any file. */
extern bool test_far;

/* Waits until the workqueue is empty. */
void test_flush_jobs(void);

/* A vma of the test's own mm: executable pages of @file, which may be NULL. */
struct vm_area_struct *test_vma(struct kunit *test, struct file *file, u64 start,
				u64 end);

/* Makes an empty space for the test's mm. */
void test_know(struct kunit *test);

/* The space of the test's mm; the test is its only writer. */
struct ustack_space *test_space(void);

/* The mapping at @addr in that space. */
const struct ustack_mapping *test_mapping_at(u64 addr);

/*
 * Called before and after every case, also after a failed assertion, when work
 * may be left.
 */
int test_learn_init(struct kunit *test);
void test_learn_exit(struct kunit *test);

#endif /* USTACK_TESTS_LEARN_KUNIT_H */
