// SPDX-License-Identifier: GPL-2.0
/*
 * The half that keeps spaces true: which mappings have an image, jobs and their
 * accounts, first sights.
 */
#include "support.h"

#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/irq_work.h>
#include <linux/kthread.h>
#include <linux/mman.h>
#include <linux/rcupdate.h>
#include <linux/task_work.h>
#include <linux/workqueue.h>

/* Work queued on the test's task, newest first: a kernel thread never returns to
 * user mode, so the tests run it.
 */
static struct callback_head *task_works;
static int task_work_error;

static int keep_task_work(struct task_struct *task, struct callback_head *work,
			  enum task_work_notify_mode notify)
{
	if (task_work_error)
		return task_work_error;
	work->next = task_works;
	task_works = work;
	return 0;
}

static int run_task_works(void)
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

/* What jobs.c takes for the mark of kernel threads: none, as the tests' thread
 * stands for a user's, or the real one.
 */
static unsigned int kthread_mark;
static const unsigned int real_kthread_mark = PF_KTHREAD;

/* The waits of unloading in their order, a letter each: irq work, queue, its end, RCU tasks. */
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

static void note_rcu_tasks(void)
{
	note_wait('t');
	synchronize_rcu_tasks();
}

#define task_work_add keep_task_work
#undef PF_KTHREAD
#define PF_KTHREAD kthread_mark
#undef synchronize_rcu_tasks
#define irq_work_sync note_irq_work_sync
#define drain_workqueue note_drain
#define destroy_workqueue note_destroy
#define synchronize_rcu_tasks note_rcu_tasks
#include "../mappings.c"
#include "../jobs.c"
#include "../sights.c"
#include "../learn.c"
#undef task_work_add

static int nr_works(void)
{
	struct callback_head *work;
	int n = 0;

	for (work = task_works; work; work = work->next)
		n++;
	return n;
}

/* A vma of the test's own mm; executable pages of @file, which may be NULL. */
static struct vm_area_struct *vma_of(struct kunit *test, struct file *file,
				     u64 start, u64 end)
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

static void know(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, 0, ustack_space_create(current->mm, NULL, false,
						     GFP_KERNEL));
}

/* The mapping at @addr; the test is the only writer. */
static const struct ustack_mapping *at(u64 addr)
{
	const struct ustack_space *space = ustack_space_find(current->mm);

	return space ? ustack_maps_find(rcu_dereference_protected(space->maps,
								  true),
					addr, NULL) :
		       NULL;
}

static void mmap_file(struct kunit *test)
{
	struct file *file = test_file(test, 4);
	struct vm_area_struct *vma = vma_of(test, file, 0x10000, 0x12000);
	const struct ustack_mapping *m;

	/* nobody has sampled this mm: nothing is kept about it */
	ustack_learn_mmap(vma);
	KUNIT_EXPECT_FALSE(test, ustack_mm_known(current->mm));
	KUNIT_EXPECT_EQ(test, nr_works(), 0);

	know(test);
	ustack_learn_mmap(vma);
	m = at(0x10000);
	KUNIT_ASSERT_NOT_NULL(test, m);
	KUNIT_EXPECT_EQ(test, m->end, 0x12000);
	KUNIT_EXPECT_EQ(test, m->off, PAGE_SIZE);
	KUNIT_EXPECT_EQ(test, m->image->users, 2);
	KUNIT_EXPECT_EQ(test, nr_works(), 1);
	KUNIT_EXPECT_EQ(test, atomic_read(&nr_task_jobs), 1);
	KUNIT_EXPECT_TRUE(test, ustack_image_is_new(m->image));
	KUNIT_EXPECT_EQ(test, 1, run_task_works());
	KUNIT_EXPECT_EQ(test, atomic_read(&nr_task_jobs), 0);
	KUNIT_EXPECT_EQ(test, test_cfa_off(m->image), 8);
	KUNIT_EXPECT_EQ(test, m->image->users, 1);
	KUNIT_EXPECT_EQ(test, m->image->pid, current->tgid);
	KUNIT_EXPECT_EQ(test, m->image->start, 0x10000);
	/* mapped again: there is nothing to be done */
	ustack_learn_mmap(vma_of(test, file, 0x20000, 0x22000));
	KUNIT_EXPECT_EQ(test, nr_works(), 0);
	KUNIT_EXPECT_PTR_EQ(test, at(0x20000)->image, at(0x10000)->image);
}

static void mmap_of_another(struct kunit *test)
{
	struct vm_area_struct *vma;
	const struct ustack_space *space;
	struct mm_struct *other = (void *)&vma;
	const struct ustack_maps *maps;

	vma = vma_of(test, test_file(test, 4), 0x10000, 0x12000);
	vma->vm_mm = other;
	KUNIT_ASSERT_EQ(test, 0,
			ustack_space_create(other, NULL, false, GFP_KERNEL));
	ustack_learn_mmap(vma);
	space = ustack_space_find(other);
	maps = rcu_dereference_protected(space->maps, true);
	KUNIT_EXPECT_NOT_NULL(test, ustack_maps_find(maps, 0x10000, NULL));
	/* it is not this task that will run there */
	KUNIT_EXPECT_EQ(test, nr_works(), 0);
	ustack_space_forget(other);
}

/* A kernel thread that borrows an mm never returns to user mode. */
static void mmap_by_kthread(struct kunit *test)
{
	know(test);
	kthread_mark = real_kthread_mark;
	ustack_learn_mmap(vma_of(test, test_file(test, 4), 0x10000, 0x12000));
	kthread_mark = 0;
	KUNIT_EXPECT_EQ(test, nr_works(), 0);
	flush_workqueue(wq);
	KUNIT_EXPECT_EQ(test, test_cfa_off(at(0x10000)->image), 8);
	KUNIT_EXPECT_EQ(test, at(0x10000)->image->users, 1);
}

static void mmap_without_image(struct kunit *test)
{
	struct file *file = test_file(test, 4), *writer;
	struct vm_area_struct *vma = vma_of(test, file, 0x10000, 0x12000);

	know(test);
	ustack_learn_mmap(vma);
	KUNIT_EXPECT_NOT_NULL(test, at(0x11000));
	/* its protection changes: no code any more */
	vm_flags_init(vma, VM_READ);
	ustack_learn_mmap(vma);
	KUNIT_EXPECT_NULL(test, at(0x11000));
	vm_flags_init(vma, VM_READ | VM_EXEC);
	ustack_learn_mmap(vma);
	KUNIT_EXPECT_NOT_NULL(test, at(0x11000));
	/* anonymous memory over its second half */
	ustack_learn_mmap(vma_of(test, NULL, 0x11000, 0x13000));
	KUNIT_EXPECT_NOT_NULL(test, at(0x10000));
	KUNIT_EXPECT_NULL(test, at(0x11000));
	/* a file that cannot be read */
	writer = test_file(test, 4);
	writer->f_mode &= ~FMODE_READ;
	ustack_learn_mmap(vma_of(test, writer, 0x10000, 0x11000));
	KUNIT_EXPECT_NULL(test, at(0x10000));
	run_task_works();
}

static const char *vdso_name(struct vm_area_struct *vma)
{
	return "[vdso]";
}

static const char *vvar_name(struct vm_area_struct *vma)
{
	return "[vvar]";
}

static void mmap_vdso(struct kunit *test)
{
	static const struct vm_operations_struct vdso_ops = { .name = vdso_name };
	static const struct vm_operations_struct vvar_ops = { .name = vvar_name };
	struct vm_area_struct *vma = vma_of(test, NULL, 0x10000, 0x12000);

	know(test);
	vma->vm_ops = &vdso_ops;
	ustack_learn_mmap(vma);
	KUNIT_ASSERT_NOT_NULL(test, at(0x10000));
	KUNIT_EXPECT_EQ(test, at(0x10000)->image->id.kind, USTACK_IMAGE_VDSO);
	KUNIT_EXPECT_EQ(test, at(0x10000)->off, 0);
	KUNIT_EXPECT_NE(test, at(0x10000)->image->serial, 0);
	KUNIT_EXPECT_EQ(test, nr_works(), 0);
	vma = vma_of(test, NULL, 0x20000, 0x22000);
	vma->vm_ops = &vvar_ops;
	ustack_learn_mmap(vma);
	KUNIT_EXPECT_NULL(test, at(0x20000));
}

static void unlink_locked(struct vm_area_struct *vma)
{
	mmap_read_lock(vma->vm_mm);
	ustack_learn_unlink(vma);
	mmap_read_unlock(vma->vm_mm);
}

/* A real vma of the test's mm at 0x40000, to be found in its tree. */
static struct vm_area_struct *real_vma(struct kunit *test, struct file *file)
{
	struct vm_area_struct *vma;

	KUNIT_ASSERT_EQ(test, 0x40000,
			kunit_vm_mmap(test, file, 0x40000, 0x4000,
				      PROT_READ | PROT_EXEC,
				      MAP_PRIVATE | MAP_FIXED, 0));
	mmap_read_lock(current->mm);
	vma = find_vma(current->mm, 0x40000);
	mmap_read_unlock(current->mm);
	KUNIT_ASSERT_NOT_NULL(test, vma);
	return vma;
}

static void unmapped(struct kunit *test)
{
	struct file *file = test_file(test, 4);
	struct vm_area_struct *real = real_vma(test, file), *vma;

	know(test);
	/* gone from the tree, nothing in its place */
	vma = vma_of(test, file, 0x10000, 0x14000);
	ustack_learn_mmap(vma);
	KUNIT_EXPECT_NOT_NULL(test, at(0x13fff));
	unlink_locked(vma);
	KUNIT_EXPECT_NULL(test, at(0x10000));
	KUNIT_EXPECT_NULL(test, at(0x13fff));
	/* a part that was split off goes: the rest stays, with its offsets */
	vma = vma_of(test, file, 0x10000, 0x14000);
	ustack_learn_mmap(vma);
	unlink_locked(vma_of(test, file, 0x11000, 0x12000));
	KUNIT_EXPECT_NOT_NULL(test, at(0x10fff));
	KUNIT_EXPECT_NULL(test, at(0x11000));
	KUNIT_EXPECT_EQ(test, at(0x12000)->off, 3 * PAGE_SIZE);
	/* still in the tree: MAP_FIXED is about to take its place */
	ustack_learn_mmap(real);
	KUNIT_EXPECT_NOT_NULL(test, at(0x40000));
	unlink_locked(real);
	KUNIT_EXPECT_NULL(test, at(0x40000));
	/* its neighbour has taken over what it mapped */
	ustack_learn_mmap(real);
	unlink_locked(vma_of(test, file, 0x41000, 0x43000));
	KUNIT_EXPECT_NOT_NULL(test, at(0x41000));
	run_task_works();
}

static void moved(struct kunit *test)
{
	struct file *file = test_file(test, 4);
	struct vm_area_struct *vma = vma_of(test, file, 0x12000, 0x14000);

	know(test);
	ustack_learn_mmap(vma);
	run_task_works();
	vma->vm_pgoff = 3;
	ustack_learn_move(vma, 0x50000, 0x2000);
	KUNIT_ASSERT_NOT_NULL(test, at(0x51fff));
	KUNIT_EXPECT_EQ(test, at(0x51fff)->off, 3 * PAGE_SIZE);
	KUNIT_EXPECT_EQ(test, at(0x51fff)->end, 0x52000);
	KUNIT_EXPECT_EQ(test, nr_works(), 0);
	/* data is moved over it */
	vma->vm_file = NULL;
	ustack_learn_move(vma, 0x50000, 0x1000);
	KUNIT_EXPECT_NULL(test, at(0x50000));
	KUNIT_EXPECT_NOT_NULL(test, at(0x51000));
}

static void regions_go(struct kunit *test)
{
	struct ustack_image *region;
	struct ustack_mapping m = { .start = 0x10000, .end = 0x12000 };
	struct vm_area_struct *vma = vma_of(test, NULL, 0x10000, 0x12000);

	know(test);
	region = ustack_image_get_region(test_code(test, 1, 8));
	KUNIT_ASSERT_NOT_NULL(test, region);
	m.image = region;
	ustack_space_replace(current->mm, m.start, m.end, &m, USTACK_KEEP_NONE);
	ustack_image_put(region);
	/* mprotect() of JIT memory */
	ustack_learn_mmap(vma);
	KUNIT_EXPECT_NOT_NULL(test, at(0x10000));
	/* a file is mapped over a part of it */
	ustack_learn_mmap(vma_of(test, test_file(test, 0), 0x11000, 0x12000));
	run_task_works();
	KUNIT_EXPECT_PTR_NE(test, at(0x11000)->image, region);
	KUNIT_EXPECT_PTR_EQ(test, at(0x10000)->image, region);
	/* unmapped */
	unlink_locked(vma);
	KUNIT_EXPECT_NULL(test, at(0x10000));
}

/* W^X: the memory may be written, not executed, when it goes. */
static void region_unmapped_while_writable(struct kunit *test)
{
	struct ustack_mapping m = { .start = 0x10000, .end = 0x12000 };
	struct vm_area_struct *vma = vma_of(test, NULL, 0x10000, 0x12000);

	know(test);
	m.image = ustack_image_get_region(test_code(test, 1, 8));
	KUNIT_ASSERT_NOT_NULL(test, m.image);
	ustack_space_replace(current->mm, m.start, m.end, &m, USTACK_KEEP_NONE);
	ustack_image_put(m.image);
	vm_flags_init(vma, VM_READ | VM_WRITE);
	ustack_learn_mmap(vma);
	KUNIT_EXPECT_NOT_NULL(test, at(0x10000));
	unlink_locked(vma);
	/* other code, at the same place */
	vm_flags_init(vma, VM_READ | VM_EXEC);
	ustack_learn_mmap(vma);
	KUNIT_EXPECT_NULL_MSG(test, at(0x10000), "a table that is not this code's");
}

static void job_refused(struct kunit *test)
{
	struct file *file = test_file(test, 4);
	struct ustack_image *image;

	know(test);
	task_work_error = -ESRCH;
	ustack_learn_mmap(vma_of(test, file, 0x10000, 0x12000));
	task_work_error = 0;
	image = at(0x10000)->image;
	KUNIT_EXPECT_EQ(test, image->users, 1);
	KUNIT_EXPECT_EQ(test, atomic_read(&nr_task_jobs), 0);
	KUNIT_EXPECT_TRUE(test, ustack_image_is_new(image));
	/* the next one to map it does it */
	ustack_learn_mmap(vma_of(test, file, 0x20000, 0x22000));
	KUNIT_EXPECT_EQ(test, 1, run_task_works());
	KUNIT_EXPECT_EQ(test, test_cfa_off(image), 8);
}

static void exec_starts(struct kunit *test)
{
	const struct ustack_space *space;

	ustack_learn_exec();
	space = ustack_space_find(current->mm);
	KUNIT_ASSERT_NOT_NULL(test, space);
	KUNIT_EXPECT_TRUE(test, space->starting);
	/* the program's file is mapped before it starts */
	ustack_learn_mmap(vma_of(test, test_file(test, 4), 0x10000, 0x12000));
	KUNIT_EXPECT_TRUE(test, space->starting);
	KUNIT_EXPECT_EQ(test, nr_works(), 2);
	run_task_works();
	KUNIT_EXPECT_FALSE(test, space->starting);
	KUNIT_EXPECT_EQ(test, test_cfa_off(at(0x10000)->image), 8);
	/* nobody would clear "starting": better unknown */
	task_work_error = -ESRCH;
	ustack_learn_exec();
	task_work_error = 0;
	KUNIT_EXPECT_FALSE(test, ustack_mm_known(current->mm));
	KUNIT_EXPECT_EQ(test, atomic_read(&nr_task_jobs), 0);
}

static void fork_and_exit(struct kunit *test)
{
	struct mm_struct *child = (void *)&test;

	know(test);
	ustack_learn_mmap(vma_of(test, test_file(test, 4), 0x10000, 0x12000));
	run_task_works();
	ustack_learn_fork(current->mm, child);
	KUNIT_EXPECT_TRUE(test, ustack_mm_known(child));
	ustack_learn_exit_mmap(current->mm);
	KUNIT_EXPECT_FALSE(test, ustack_mm_known(current->mm));
	KUNIT_EXPECT_TRUE(test, ustack_mm_known(child));
	ustack_learn_exit_mmap(child);
	KUNIT_EXPECT_FALSE(test, ustack_mm_known(child));
}

/* A process that was there before: real mappings. */
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
	KUNIT_EXPECT_EQ(test, 0, ustack_learn_mm(current->mm, 77, true));
	count_maps(current->mm, &mappings, &tables);
	KUNIT_EXPECT_EQ(test, mappings, 2);
	KUNIT_EXPECT_EQ(test, tables, 1);
	KUNIT_ASSERT_NOT_NULL(test, at(at_a));
	KUNIT_EXPECT_EQ(test, test_cfa_off(at(at_a)->image), 8);
	KUNIT_EXPECT_EQ(test, at(at_a)->image->pid, 77);
	KUNIT_EXPECT_EQ(test, at(at_b)->image->reason, USTACK_NO_SECTION);
	KUNIT_EXPECT_NULL(test, at(data));
	/* once more: what is known stays */
	KUNIT_EXPECT_EQ(test, 0, ustack_learn_mm(current->mm, 77, true));
	KUNIT_EXPECT_EQ(test, at(at_a)->image->users, 1);
}

static void learn_later(struct kunit *test)
{
	struct file *file = test_file(test, 400);
	unsigned long start;

	start = kunit_vm_mmap(test, file, 0, PAGE_SIZE, PROT_READ | PROT_EXEC,
			      MAP_PRIVATE, 0);
	KUNIT_ASSERT_FALSE(test, IS_ERR_VALUE(start));
	KUNIT_EXPECT_EQ(test, 0, ustack_learn_mm(current->mm, 77, false));
	KUNIT_ASSERT_NOT_NULL(test, at(start));
	flush_workqueue(wq);
	KUNIT_EXPECT_EQ(test, test_cfa_off(at(start)->image), 8);
	KUNIT_EXPECT_EQ(test, at(start)->image->users, 1);
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

	/* no worker looks meanwhile: neither soft interrupts nor a schedule */
	preempt_disable();
	for (i = 0; i < 100; i++)
		ustack_learn_sight();
	i = sights_of(current->tgid);
	preempt_enable();
	/* the interrupt may have been taken, and then it may be there twice */
	KUNIT_EXPECT_LE(test, i, 1);
	for (i = 0; i < 500 && sights_of(current->tgid); i++)
		msleep(20);
	KUNIT_EXPECT_EQ(test, sights_of(current->tgid), 0);
	/* a kernel thread has no memory of its own to be learned */
	flush_workqueue(wq);
	KUNIT_EXPECT_FALSE(test, ustack_mm_known(current->mm));
}

static void sights_full(struct kunit *test)
{
	/* process ids that nobody has */
	fill_sights(PID_MAX_LIMIT + 1);
	ustack_learn_sight();
	KUNIT_EXPECT_EQ(test, sights_of(current->tgid), 0);
	queue_work(wq, &sight_work);
	flush_work(&sight_work);
	KUNIT_EXPECT_EQ(test, sights_of(0),
			USTACK_SIGHTS * num_possible_cpus());
	ustack_learn_sight();
	flush_workqueue(wq);
}

struct leaver {
	struct completion done;
};

static int leave(void *arg)
{
	struct leaver *l = arg;

	ustack_learn_exit();
	complete(&l->done);
	return 0;
}

static void exit_waits_for_jobs(struct kunit *test)
{
	struct task_struct *task;
	struct leaver *l;

	l = kunit_kzalloc(test, sizeof(*l), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, l);
	init_completion(&l->done);
	know(test);
	ustack_learn_mmap(vma_of(test, test_file(test, 4), 0x10000, 0x12000));
	KUNIT_EXPECT_EQ(test, nr_works(), 1);
	task = kthread_run(leave, l, "ustack-leave");
	KUNIT_ASSERT_FALSE(test, IS_ERR(task));
	KUNIT_EXPECT_EQ(test, 0, wait_for_completion_timeout(&l->done, HZ / 4));
	run_task_works();
	KUNIT_EXPECT_NE(test, 0, wait_for_completion_timeout(&l->done, 20 * HZ));
	/* for the case's exit */
	KUNIT_ASSERT_EQ(test, 0, ustack_learn_init());
}

/* An interrupt queues work, work queues jobs, a job's last instructions are in the module:
 * its text goes after all of them. A sight just before has asked for the interrupt.
 */
static void exit_waits_in_order(struct kunit *test)
{
	char want[sizeof(waits)] = "";
	int cpu;

	for_each_possible_cpu(cpu)
		if (strlen(want) < sizeof(want) - 4)
			want[strlen(want)] = 'i';
	strcat(want, "qet");
	ustack_learn_sight();
	memset(waits, 0, sizeof(waits));
	ustack_learn_exit();
	KUNIT_EXPECT_STREQ(test, waits, want);
	for_each_possible_cpu(cpu)
		KUNIT_EXPECT_FALSE(test,
				   irq_work_is_busy(&per_cpu(sights, cpu).irq_work));
	/* for the case's exit */
	KUNIT_ASSERT_EQ(test, 0, ustack_learn_init());
}

static int case_init(struct kunit *test)
{
	task_work_error = 0;
	kthread_mark = 0;
	ustack_space_init();
	/* a kernel thread's mm of its own, as long as the thread lives */
	return kunit_attach_mm() ?: ustack_learn_init();
}

/* Also after a failed assertion; then work of the case may be left. */
static void case_exit(struct kunit *test)
{
	run_task_works();
	fill_sights(0);
	ustack_learn_exit();
	ustack_space_exit();
	test_expect_clean(test);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(mmap_file),
	KUNIT_CASE(mmap_of_another),
	KUNIT_CASE(mmap_by_kthread),
	KUNIT_CASE(mmap_without_image),
	KUNIT_CASE(mmap_vdso),
	KUNIT_CASE(unmapped),
	KUNIT_CASE(moved),
	KUNIT_CASE(regions_go),
	KUNIT_CASE(region_unmapped_while_writable),
	KUNIT_CASE(job_refused),
	KUNIT_CASE(exec_starts),
	KUNIT_CASE(fork_and_exit),
	KUNIT_CASE(learn_running),
	KUNIT_CASE(learn_later),
	KUNIT_CASE(sights_once),
	KUNIT_CASE(sights_full),
	KUNIT_CASE(exit_waits_for_jobs),
	KUNIT_CASE(exit_waits_in_order),
	{}
};

static struct kunit_suite suite = {
	.name = "ustack_learn",
	.init = case_init,
	.exit = case_exit,
	.test_cases = cases,
};

kunit_test_suite(suite);
