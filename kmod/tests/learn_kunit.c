// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of jobs and their accounts, of first samples of a process, and of
 * processes that already ran when the module was loaded.
 */
#include "learn_kunit.h"

#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/irq_work.h>
#include <linux/kthread.h>
#include <linux/magic.h>
#include <linux/mman.h>
#include <linux/rcupdate.h>
#include <linux/sched/mm.h>
#include <linux/task_work.h>
#include <linux/workqueue.h>

/* Work queued on the test's task, newest first. */
static struct callback_head *task_works;
int test_task_work_error;
unsigned int test_kthread_mark;

static int keep_task_work(struct task_struct *task, struct callback_head *work,
			  enum task_work_notify_mode notify)
{
	if (test_task_work_error)
		return test_task_work_error;
	work->next = task_works;
	task_works = work;
	return 0;
}

int test_run_works(void)
{
	struct callback_head *work;
	int n = 0;

	while (task_works) {
		work = task_works;
		task_works = work->next;
		work->func(work);
		n++;
	}
	return n;
}

/*
 * The waits of unloading in their order, one letter each: i for irq work, c for
 * the delayed work that it queues, q and e for the draining and the end of the
 * queue, t for RCU tasks.
 */
static char waits[64];

static void note_wait(char what)
{
	size_t len = strlen(waits);

	if (len < sizeof(waits) - 1)
		waits[len] = what;
}

static void note_irq_work_sync(struct irq_work *work)
{
	note_wait('i');
	irq_work_sync(work);
}

static void note_drain(struct workqueue_struct *queue)
{
	note_wait('q');
	drain_workqueue(queue);
}

static void note_destroy(struct workqueue_struct *queue)
{
	note_wait('e');
	destroy_workqueue(queue);
}

static bool note_cancel(struct delayed_work *work)
{
	note_wait('c');
	return cancel_delayed_work_sync(work);
}

static void note_rcu_tasks(void)
{
	note_wait('t');
	synchronize_rcu_tasks();
}

#define task_work_add keep_task_work
#undef synchronize_rcu_tasks
#define irq_work_sync note_irq_work_sync
#define drain_workqueue note_drain
#define destroy_workqueue note_destroy
#define synchronize_rcu_tasks note_rcu_tasks
#define cancel_delayed_work_sync note_cancel
#include "../jobs.c"

bool test_far;
#define ustack_job_worker_may(file) (!test_far && ustack_job_worker_may(file))

/* The mm of the sampled process, as a kernel thread has none of its own. */
static struct mm_struct *sampled_mm;

static struct mm_struct *get_sampled_mm(struct task_struct *task)
{
	if (sampled_mm)
		mmget(sampled_mm);
	return sampled_mm ?: get_task_mm(task);
}

#define get_task_mm get_sampled_mm
#include "../sights.c"

/* Called while a list is being made. */
static void (*meanwhile)(void);

static struct ustack_maps *alloc_meanwhile(u32 nr, gfp_t gfp)
{
	if (meanwhile)
		meanwhile();
	return ustack_maps_alloc(nr, gfp);
}

#define ustack_maps_alloc alloc_meanwhile
#include "../learn.c"

bool ustack_eager = true;
#undef task_work_add

int test_nr_works(void)
{
	struct callback_head *work;
	int n = 0;

	for (work = task_works; work; work = work->next)
		n++;
	return n;
}

int test_nr_task_jobs(void)
{
	return atomic_read(&nr_task_jobs);
}

void test_flush_jobs(void)
{
	flush_workqueue(wq);
}

struct vm_area_struct *test_vma(struct kunit *test, struct file *file, u64 start,
				u64 end)
{
	struct vm_area_struct *vma;

	vma = kunit_kzalloc(test, sizeof(*vma), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, vma);
	vma->vm_mm = current->mm;
	vma->vm_start = start;
	vma->vm_end = end;
	vma->vm_pgoff = 1;
	vma->vm_file = file;
	vm_flags_init(vma, VM_READ | VM_EXEC);
	return vma;
}

void test_know(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, 0, ustack_space_create(current->mm, NULL, false,
						     GFP_KERNEL));
}

struct ustack_space *test_space(void)
{
	return ustack_space_find(current->mm);
}

const struct ustack_mapping *test_mapping_at(u64 addr)
{
	const struct ustack_space *space = test_space();

	return space ? ustack_maps_find(rcu_dereference_protected(space->maps,
								  true),
					addr, NULL) :
		       NULL;
}

/* A process that ran before the module was loaded, with real mappings. */
static void learn_running(struct kunit *test)
{
	struct file *a = test_file(test, 400), *b = test_file(test, 0);
	unsigned long at_a, at_b, data;
	u32 mappings, tables;

	at_a = kunit_vm_mmap(test, a, 0, 2 * PAGE_SIZE, PROT_READ | PROT_EXEC,
			     MAP_PRIVATE, 0);
	at_b = kunit_vm_mmap(test, b, 0, PAGE_SIZE, PROT_READ | PROT_EXEC,
			     MAP_PRIVATE, 0);
	data = kunit_vm_mmap(test, a, 0, PAGE_SIZE, PROT_READ, MAP_PRIVATE, 0);
	KUNIT_ASSERT_FALSE(test, IS_ERR_VALUE(at_a));
	KUNIT_ASSERT_FALSE(test, IS_ERR_VALUE(at_b));
	KUNIT_ASSERT_FALSE(test, IS_ERR_VALUE(data));
	KUNIT_EXPECT_EQ(test, 0, learn_mm(current->mm, 77));
	count_maps(current->mm, &mappings, &tables);
	KUNIT_EXPECT_EQ(test, mappings, 2);
	KUNIT_EXPECT_EQ(test, tables, 1);
	KUNIT_ASSERT_NOT_NULL(test, test_mapping_at(at_a));
	KUNIT_EXPECT_EQ(test, test_cfa_off(test_mapping_at(at_a)->image), 8);
	KUNIT_EXPECT_EQ(test, test_mapping_at(at_a)->image->pid, 77);
	KUNIT_EXPECT_EQ(test, test_mapping_at(at_b)->image->reason, USTACK_NO_SECTION);
	KUNIT_EXPECT_NULL(test, test_mapping_at(data));
	/* a second time: what is known stays */
	KUNIT_EXPECT_EQ(test, 0, learn_mm(current->mm, 77));
	KUNIT_EXPECT_EQ(test, test_users(test_mapping_at(at_a)->image), 1);
}

static void learn_later(struct kunit *test)
{
	struct file *file = test_file(test, 400);
	unsigned long start;

	start = kunit_vm_mmap(test, file, 0, PAGE_SIZE, PROT_READ | PROT_EXEC,
			      MAP_PRIVATE, 0);
	KUNIT_ASSERT_FALSE(test, IS_ERR_VALUE(start));
	KUNIT_EXPECT_TRUE(test, ustack_learn_try(current->mm, 77));
	KUNIT_ASSERT_NOT_NULL(test, test_mapping_at(start));
	test_flush_jobs();
	KUNIT_EXPECT_EQ(test, test_cfa_off(test_mapping_at(start)->image), 8);
	KUNIT_EXPECT_EQ(test, test_users(test_mapping_at(start)->image), 1);
}

static void exec(void)
{
	ustack_space_create(current->mm, NULL, true, GFP_KERNEL);
}

/* execve() makes its space while a worker reads the mm: that space stays. */
static void learn_while_exec(struct kunit *test)
{
	meanwhile = exec;
	KUNIT_EXPECT_TRUE(test, ustack_learn_try(current->mm, 77));
	KUNIT_ASSERT_NOT_NULL(test, test_space());
	KUNIT_EXPECT_TRUE(test, test_space()->starting);
}

/* The files that a worker may look at. */
static void worker_may(struct kunit *test)
{
	static struct file_system_type fuse = { .name = "fuse" };
	struct super_block *sb = kunit_kzalloc(test, sizeof(*sb), GFP_KERNEL);
	struct inode *inode = kunit_kzalloc(test, sizeof(*inode), GFP_KERNEL);
	struct file *file = kunit_kzalloc(test, sizeof(*file), GFP_KERNEL);
	static const struct {
		unsigned long magic;
		bool bdev, may;
	} want[] = {
		{ EXT4_SUPER_MAGIC, true, true },
		{ TMPFS_MAGIC, false, true },
		{ BTRFS_SUPER_MAGIC, false, true },
		{ NFS_SUPER_MAGIC, false, false },
		/* allowed: nothing is ever read from it */
		{ FUSE_SUPER_MAGIC, false, true },
		/* its data may come from a daemon */
		{ EROFS_SUPER_MAGIC_V1, false, false },
	};
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, sb);
	KUNIT_ASSERT_NOT_NULL(test, inode);
	KUNIT_ASSERT_NOT_NULL(test, file);
	inode->i_sb = sb;
	file->f_inode = inode;
	sb->s_type = &fuse;
	for (i = 0; i < ARRAY_SIZE(want); i++) {
		sb->s_magic = want[i].magic;
		sb->s_bdev = want[i].bdev ? (void *)sb : NULL;
		KUNIT_EXPECT_EQ_MSG(test, ustack_job_worker_may(file), want[i].may,
				    "file system %u", i);
	}
	/* a memfd */
	KUNIT_EXPECT_TRUE(test, ustack_job_worker_may(test_file(test, 0)));
}

static u32 sights_of(int tgid)
{
	u32 i, n = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		for (i = 0; i < USTACK_SIGHTS; i++)
			n += READ_ONCE(per_cpu(sights, cpu).tgid[i]) == tgid;
	return n;
}

static void fill_sights(int with)
{
	u32 i;
	int cpu;

	for_each_possible_cpu(cpu)
		for (i = 0; i < USTACK_SIGHTS; i++)
			per_cpu(sights, cpu).tgid[i] = with ? with + i : 0;
}

static void sights_once(struct kunit *test)
{
	int i;

	/* no worker runs: there are no soft interrupts and no scheduling */
	preempt_disable();
	for (i = 0; i < 100; i++)
		ustack_learn_sight();
	i = sights_of(current->tgid);
	preempt_enable();
	/* if the interrupt came in between, it may be listed twice */
	KUNIT_EXPECT_LE(test, i, 1);
	for (i = 0; i < 500 && sights_of(current->tgid); i++)
		msleep(20);
	KUNIT_EXPECT_EQ(test, sights_of(current->tgid), 0);
	/* a kernel thread has no memory of its own that could be learned */
	test_flush_jobs();
	KUNIT_EXPECT_FALSE(test, ustack_mm_known(current->mm));
}

static void sights_full(struct kunit *test)
{
	/* process ids that no process can have */
	fill_sights(PID_MAX_LIMIT + 1);
	ustack_learn_sight();
	KUNIT_EXPECT_EQ(test, sights_of(current->tgid), 0);
	ustack_jobs_delay(&sight_work, 0);
	flush_delayed_work(&sight_work);
	KUNIT_EXPECT_EQ(test, sights_of(0),
			USTACK_SIGHTS * num_possible_cpus());
	ustack_learn_sight();
	test_flush_jobs();
}

/*
 * A thread that holds the mmap_lock of a process, as happens when an mmap()
 * waits for the server of a file system which does not answer.
 */
struct holder {
	struct mm_struct *mm;
	struct completion locked;
	struct completion release;
	struct completion done;
};

static int hold(void *arg)
{
	struct holder *h = arg;

	mmap_write_lock(h->mm);
	complete(&h->locked);
	wait_for_completion(&h->release);
	mmap_write_unlock(h->mm);
	complete(&h->done);
	return 0;
}

static struct holder *hold_mmap_lock(struct kunit *test)
{
	struct holder *h = kunit_kzalloc(test, sizeof(*h), GFP_KERNEL);
	struct task_struct *task;

	KUNIT_ASSERT_NOT_NULL(test, h);
	h->mm = current->mm;
	init_completion(&h->locked);
	init_completion(&h->release);
	init_completion(&h->done);
	task = kthread_run(hold, h, "ustack-hold");
	KUNIT_ASSERT_FALSE(test, IS_ERR(task));
	wait_for_completion(&h->locked);
	return h;
}

static void release_mmap_lock(struct holder *h)
{
	complete(&h->release);
	wait_for_completion(&h->done);
}

/* Runs the work that a sample queues. Returns whether it ended in time. */
static bool sight_ends(void)
{
	int i;

	ustack_learn_sight();
	for (i = 0; i < 50 && (sights_of(current->tgid) ||
			       work_busy(&sight_work.work) & WORK_BUSY_RUNNING); i++)
		msleep(20);
	return i < 50;
}

/*
 * If the lock of a process is taken, no worker waits for it; the process is
 * learned once the lock is free.
 */
static void sight_of_locked(struct kunit *test)
{
	struct holder *h;
	int i;

	sampled_mm = current->mm;
	h = hold_mmap_lock(test);
	KUNIT_EXPECT_TRUE(test, sight_ends());
	release_mmap_lock(h);
	for (i = 0; i < 100 && !ustack_mm_known(current->mm); i++)
		msleep(20);
	KUNIT_EXPECT_TRUE(test, ustack_mm_known(current->mm));
	/* no further attempt is made */
	test_flush_jobs();
	for (i = 0; i < USTACK_SIGHTS; i++)
		KUNIT_EXPECT_EQ(test, late[i].tgid, 0);
}

/* The process is given up after some time; a later sample tries again. */
static void sight_of_locked_for_long(struct kunit *test)
{
	struct holder *h;
	int i;

	sampled_mm = current->mm;
	h = hold_mmap_lock(test);
	KUNIT_EXPECT_TRUE(test, sight_ends());
	for (i = 0; i < 150 && delayed_work_pending(&sight_work); i++)
		msleep(20);
	KUNIT_EXPECT_FALSE(test, delayed_work_pending(&sight_work));
	release_mmap_lock(h);
	KUNIT_EXPECT_FALSE(test, ustack_mm_known(current->mm));
	KUNIT_EXPECT_TRUE(test, sight_ends());
	KUNIT_EXPECT_TRUE(test, ustack_mm_known(current->mm));
}

/* Samples must not queue work forever for files that no worker may read. */
static void sight_of_unread(struct kunit *test)
{
	test_know(test);
	test_space()->unread = true;
	preempt_disable();
	ustack_learn_sight();
	KUNIT_EXPECT_EQ(test, sights_of(current->tgid), 0);
	preempt_enable();
}

struct leaver {
	struct completion done;
};

static int leave(void *arg)
{
	struct leaver *l = arg;

	ustack_learn_exit();
	complete_all(&l->done);
	return 0;
}

static void exit_waits_for_jobs(struct kunit *test)
{
	struct task_struct *task;
	struct leaver *l;

	l = kunit_kzalloc(test, sizeof(*l), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, l);
	init_completion(&l->done);
	test_know(test);
	ustack_learn_mmap(test_vma(test, test_file(test, 4), 0x10000, 0x12000));
	KUNIT_EXPECT_EQ(test, test_nr_works(), 1);
	task = kthread_run(leave, l, "ustack-leave");
	KUNIT_ASSERT_FALSE(test, IS_ERR(task));
	KUNIT_EXPECT_EQ(test, 0, wait_for_completion_timeout(&l->done, HZ / 4));
	test_run_works();
	KUNIT_EXPECT_NE(test, 0, wait_for_completion_timeout(&l->done, 20 * HZ));
	/* for test_learn_exit(), which ends it again */
	KUNIT_ASSERT_EQ(test, 0, ustack_learn_init());
}

/* Unloading ends even if a process never releases its lock. */
static void exit_while_locked(struct kunit *test)
{
	struct task_struct *task;
	struct holder *h;
	struct leaver *l;

	l = kunit_kzalloc(test, sizeof(*l), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, l);
	init_completion(&l->done);
	sampled_mm = current->mm;
	h = hold_mmap_lock(test);
	sight_ends();
	task = kthread_run(leave, l, "ustack-leave");
	KUNIT_ASSERT_FALSE(test, IS_ERR(task));
	KUNIT_EXPECT_NE(test, 0, wait_for_completion_timeout(&l->done, 5 * HZ));
	release_mmap_lock(h);
	KUNIT_EXPECT_NE(test, 0, wait_for_completion_timeout(&l->done, 20 * HZ));
	/* for test_learn_exit(), which ends it again */
	KUNIT_ASSERT_EQ(test, 0, ustack_learn_init());
}

/*
 * An interrupt queues work, the work queues jobs, and the last instructions of
 * a job are in the module: all of them have to end before its text is freed. A
 * sample just before the exit has asked for the interrupt.
 */
static void exit_waits_in_order(struct kunit *test)
{
	char want[sizeof(waits)] = "";
	int cpu;

	for_each_possible_cpu(cpu)
		if (strlen(want) < sizeof(want) - 5)
			want[strlen(want)] = 'i';
	strcat(want, "cqet");
	ustack_learn_sight();
	memset(waits, 0, sizeof(waits));
	ustack_learn_exit();
	KUNIT_EXPECT_STREQ(test, waits, want);
	for_each_possible_cpu(cpu)
		KUNIT_EXPECT_FALSE(test,
				   irq_work_is_busy(&per_cpu(sights, cpu).irq_work));
	/* for test_learn_exit(), which ends it again */
	KUNIT_ASSERT_EQ(test, 0, ustack_learn_init());
}

int test_learn_init(struct kunit *test)
{
	test_task_work_error = 0;
	test_kthread_mark = 0;
	test_far = false;
	sampled_mm = NULL;
	meanwhile = NULL;
	ustack_eager = true;
	return test_mm_init(test) ?: ustack_learn_init();
}

void test_learn_exit(struct kunit *test)
{
	test_run_works();
	fill_sights(0);
	ustack_learn_exit();
	test_mm_exit(test);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(learn_running),
	KUNIT_CASE(learn_later),
	KUNIT_CASE(learn_while_exec),
	KUNIT_CASE(worker_may),
	KUNIT_CASE(sights_once),
	KUNIT_CASE(sights_full),
	KUNIT_CASE(sight_of_locked),
	KUNIT_CASE(sight_of_locked_for_long),
	KUNIT_CASE(sight_of_unread),
	KUNIT_CASE(exit_while_locked),
	KUNIT_CASE(exit_waits_for_jobs),
	KUNIT_CASE(exit_waits_in_order),
	{}
};

static struct kunit_suite suite = {
	.name = "ustack_learn",
	.init = test_learn_init,
	.exit = test_learn_exit,
	.test_cases = cases,
};

kunit_test_suite(suite);
