// SPDX-License-Identifier: GPL-2.0
/*
 * Mappings into spaces, files into jobs.
 *
 * Why no mapping is ever stale: every way in which an address gets a mapping
 * passes perf_event_mmap() or copy_vma() with mmap_lock held, before any thread
 * can run there, and replaces what was known of it. Every way in which an
 * address loses its mapping passes unlink_anon_vmas(), for file mappings too.
 * (uprobe_munmap() would be the obvious choice, but is also called for parts of
 * splits and merges that stay, and without mmap_lock when a file is truncated.)
 * A process's first list is made under mmap_lock. The one change that is made
 * under a downgraded lock, munmap's, only removes, and its vmas have left the
 * tree before the lock was downgraded.
 */
#include "learn.h"

#include <linux/file.h>
#include <linux/irq_work.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/pid.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include <linux/task_work.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "build.h"
#include "compat.h"
#include "limits.h"
#include "space.h"

/* ---- jobs: one file to look at, where it may sleep ----------------------- */

/* Queued either as @work on a task or as @item on the workqueue. */
struct job {
	struct callback_head work;
	struct work_struct item;
	struct file *file;		/* NULL: only the program has started */
	struct ustack_image *image;
	struct ustack_image_place place;
};

static struct workqueue_struct *wq;

/* Jobs on tasks. They cannot be cancelled, but a task cannot delay them either:
 * they run on its way out of the system call, and when it is killed.
 */
static atomic_t nr_task_jobs;
static DECLARE_WAIT_QUEUE_HEAD(task_jobs_done);

static void free_job(struct job *job)
{
	if (job->file) {
		fput(job->file);
		ustack_image_put(job->image);
	}
	kfree(job);
}

static void task_job_done(void)
{
	/* The last act: ustack_learn_exit() then waits for the instructions
	 * behind it with synchronize_rcu_tasks().
	 */
	if (atomic_dec_and_test(&nr_task_jobs))
		wake_up(&task_jobs_done);
}

static void run_job(struct job *job)
{
	ustack_image_build(job->image, job->file, &job->place);
	free_job(job);
}

static void run_task_job(struct callback_head *work)
{
	struct job *job = container_of(work, struct job, work);

	if (job->file) {
		run_job(job);
	} else {
		ustack_space_started(current->mm);
		free_job(job);
	}
	task_job_done();
}

static void run_wq_job(struct work_struct *item)
{
	run_job(container_of(item, struct job, item));
}

static struct job *new_job(struct file *file, struct ustack_image *image,
			   const struct vm_area_struct *vma, gfp_t gfp)
{
	struct job *job = kzalloc(sizeof(*job), gfp | __GFP_NOWARN);

	if (!job || !file)
		return job;
	job->file = get_file(file);
	job->image = image;
	ustack_image_hold(image);
	job->place.pid = current->tgid;
	job->place.start = vma->vm_start;
	job->place.end = vma->vm_end;
	return job;
}

static void queue_on_wq(struct job *job)
{
	INIT_WORK(&job->item, run_wq_job);
	queue_work(wq, &job->item);
}

/* Return: whether the job will run. */
static bool queue_on_current(struct job *job)
{
	if (!job)
		return false;
	/* A kernel thread that borrows an mm does not return to user mode. */
	if (current->flags & PF_KTHREAD && job->file) {
		queue_on_wq(job);
		return true;
	}
	init_task_work(&job->work, run_task_job);
	atomic_inc(&nr_task_jobs);
	if (!task_work_add(current, &job->work, TWA_RESUME))
		return true;
	free_job(job);
	task_job_done();
	return false;
}

/* ---- which vmas have an image -------------------------------------------- */

static bool is_vdso(const struct vm_area_struct *vma)
{
	const char *name = NULL;

	if (!vma->vm_file && vma->vm_ops && vma->vm_ops->name)
		name = vma->vm_ops->name((struct vm_area_struct *)vma);
	return name && !strcmp(name, "[vdso]");
}

/* Files that kernel_read() can read; devices are none. */
static bool is_readable(const struct file *file)
{
	return S_ISREG(file_inode(file)->i_mode) && file->f_op->read_iter &&
	       !file->f_op->read && file->f_mode & FMODE_READ;
}

/* The mapping of an executable vma; its image has a user for the caller. */
static bool mapping_of(struct vm_area_struct *vma, gfp_t gfp,
		       struct ustack_mapping *ret)
{
	struct ustack_identity id = { .kind = USTACK_IMAGE_VDSO };

	if (!(vma->vm_flags & VM_EXEC))
		return false;
	if (vma->vm_file && is_readable(vma->vm_file))
		ustack_identity_of(file_inode(vma->vm_file), &id);
	else if (!is_vdso(vma))
		return false;
	ret->image = ustack_image_get(&id, gfp);
	if (!ret->image)
		return false;
	ret->start = vma->vm_start;
	ret->end = vma->vm_end;
	ret->off = vma->vm_file ? (u64)vma->vm_pgoff << PAGE_SHIFT : 0;
	return true;
}

static void meet_vdso(struct ustack_image *image,
		      const struct vm_area_struct *vma)
{
	struct ustack_image_place place = {
		.pid = current->tgid,
		.start = vma->vm_start,
		.end = vma->vm_end,
	};

	ustack_image_meet_vdso(image, &place);
}

/* ---- entries of the hooks ------------------------------------------------- */

static bool is_known(const struct mm_struct *mm)
{
	bool known;

	rcu_read_lock();
	known = ustack_space_find(mm);
	rcu_read_unlock();
	return known;
}

void ustack_learn_mmap(struct vm_area_struct *vma)
{
	struct mm_struct *mm = vma->vm_mm;
	struct ustack_mapping m;

	if (!is_known(mm))
		return;
	if (!mapping_of(vma, GFP_ATOMIC, &m)) {
		/* Without memory for an image record there is no image here. */
		ustack_space_replace(mm, vma->vm_start, vma->vm_end, NULL,
				     vma->vm_file ? USTACK_KEEP_NONE :
						    USTACK_KEEP_REGIONS);
		return;
	}
	ustack_space_replace(mm, m.start, m.end, &m, USTACK_KEEP_NONE);
	if (!vma->vm_file)
		meet_vdso(m.image, vma);
	else if (ustack_image_wants_build(m.image) && mm == current->mm)
		queue_on_current(new_job(vma->vm_file, m.image, vma,
					 GFP_ATOMIC));
	ustack_image_put(m.image);
}

/*
 * A vma that is merged away has left the tree, and its neighbour is there in its
 * place. One that is unmapped has left it to nobody, or, when MAP_FIXED puts
 * another mapping there, is still in the tree itself.
 */
static bool is_merged(struct vm_area_struct *vma)
{
	struct vm_area_struct *now = find_vma(vma->vm_mm, vma->vm_start);

	return now && now != vma && now->vm_start <= vma->vm_start;
}

/* Not only executable ones: a JIT may have made its region writable again. */
void ustack_learn_unlink(struct vm_area_struct *vma)
{
	if (is_known(vma->vm_mm) && !is_merged(vma))
		ustack_space_replace(vma->vm_mm, vma->vm_start, vma->vm_end,
				     NULL, USTACK_KEEP_NONE);
}

void ustack_learn_move(struct vm_area_struct *vma, u64 addr, u64 len)
{
	struct ustack_mapping m;

	if (!is_known(vma->vm_mm))
		return;
	/* mremap() has shrunk or split what it moves to one vma: @vma. */
	if (!mapping_of(vma, GFP_ATOMIC, &m)) {
		ustack_space_replace(vma->vm_mm, addr, addr + len, NULL,
				     USTACK_KEEP_NONE);
		return;
	}
	m.start = addr;
	m.end = addr + len;
	ustack_space_replace(vma->vm_mm, m.start, m.end, &m, USTACK_KEEP_NONE);
	ustack_image_put(m.image);
}

void ustack_learn_fork(struct mm_struct *parent, struct mm_struct *child)
{
	ustack_space_fork(parent, child);
}

void ustack_learn_exit_mmap(struct mm_struct *mm)
{
	ustack_space_forget(mm);
}

void ustack_learn_exec(void)
{
	struct mm_struct *mm = current->mm;

	if (!mm)
		return;
	/* The job clears "starting"; without it the mm stays unknown, to be
	 * learned when it is sampled.
	 */
	if (!ustack_space_create(mm, NULL, true, GFP_ATOMIC) &&
	    !queue_on_current(new_job(NULL, NULL, NULL, GFP_ATOMIC)))
		ustack_space_forget(mm);
}

/* ---- tasks that were there before ----------------------------------------- */

/* Under mmap_lock. Counts executable vmas first, so that one list fits. */
static struct ustack_maps *read_vmas(struct mm_struct *mm)
{
	struct vm_area_struct *vma;
	struct ustack_maps *maps;
	u32 nr = 0;

	{
		VMA_ITERATOR(vmi, mm, 0);
		for_each_vma(vmi, vma)
			nr += !!(vma->vm_flags & VM_EXEC);
	}
	nr = min(nr, USTACK_MAX_MAPPINGS);
	maps = ustack_maps_alloc(nr, GFP_KERNEL);
	if (!maps)
		return NULL;
	{
		VMA_ITERATOR(vmi, mm, 0);
		for_each_vma(vmi, vma) {
			if (maps->nr == nr)
				break;
			if (!mapping_of(vma, GFP_KERNEL, &maps->m[maps->nr]))
				continue;
			if (!vma->vm_file)
				meet_vdso(maps->m[maps->nr].image, vma);
			maps->nr++;
		}
	}
	return maps;
}

/* Under mmap_lock. Jobs for files that nobody has looked at, as a list. */
static void collect_jobs(struct mm_struct *mm, pid_t pid,
			 struct callback_head **jobs)
{
	struct vm_area_struct *vma;
	struct ustack_mapping m;
	struct job *job;
	VMA_ITERATOR(vmi, mm, 0);

	for_each_vma(vmi, vma) {
		if (!vma->vm_file || !mapping_of(vma, GFP_KERNEL, &m))
			continue;
		job = ustack_image_wants_build(m.image) ?
			      new_job(vma->vm_file, m.image, vma, GFP_KERNEL) :
			      NULL;
		if (job) {
			job->place.pid = pid;
			job->work.next = *jobs;
			*jobs = &job->work;
		}
		ustack_image_put(m.image);
	}
}

static int learn_mm(struct mm_struct *mm, pid_t pid, bool wait)
{
	struct callback_head *jobs = NULL, *next;
	struct ustack_maps *maps;
	struct job *job;
	int err = 0;

	mmap_read_lock(mm);
	if (!is_known(mm)) {
		maps = read_vmas(mm);
		err = maps ? ustack_space_create(mm, maps, false, GFP_KERNEL) :
			     -ENOMEM;
	}
	collect_jobs(mm, pid, &jobs);
	mmap_read_unlock(mm);

	for (; jobs; jobs = next) {
		next = jobs->next;
		job = container_of(jobs, struct job, work);
		if (wait)
			run_job(job);
		else
			queue_on_wq(job);
	}
	return err;
}

static void count_maps(const struct mm_struct *mm, u32 *mappings, u32 *tables)
{
	struct ustack_space *space;
	struct ustack_maps *maps;
	u32 i;

	*mappings = 0;
	*tables = 0;
	rcu_read_lock();
	space = ustack_space_find(mm);
	maps = space ? rcu_dereference(space->maps) : NULL;
	for (i = 0; maps && i < maps->nr; i++) {
		++*mappings;
		*tables += !!rcu_access_pointer(maps->m[i].image->code);
	}
	rcu_read_unlock();
}

int ustack_learn_task(struct task_struct *task, u32 *mappings, u32 *tables)
{
	struct mm_struct *mm;
	int err;

	might_sleep();
	mm = get_task_mm(task);
	if (!mm)
		return -ESRCH;
	err = learn_mm(mm, task->tgid, true);
	count_maps(mm, mappings, tables);
	mmput(mm);
	return err;
}

/* ---- first sight, from NMI to the workqueue --------------------------------- */

/* Process ids that wait, 0 = free slot. Filled on the CPU from any context,
 * emptied by the worker; both sides with one atomic operation.
 */
struct sights {
	int tgid[USTACK_SIGHTS];
	struct irq_work irq_work;
};

static DEFINE_PER_CPU(struct sights, sights);
static struct work_struct sight_work;

static void learn_pid(int tgid)
{
	struct task_struct *task;
	struct mm_struct *mm;
	struct pid *pid;

	/* A kworker is in the initial pid namespace. */
	pid = find_get_pid(tgid);
	if (!pid)
		return;
	task = get_pid_task(pid, PIDTYPE_PID);
	put_pid(pid);
	if (!task)
		return;
	mm = get_task_mm(task);
	if (mm) {
		learn_mm(mm, tgid, false);
		mmput(mm);
	}
	put_task_struct(task);
}

static void run_sights(struct work_struct *work)
{
	int cpu, tgid;
	unsigned int i;

	for_each_possible_cpu(cpu)
		for (i = 0; i < USTACK_SIGHTS; i++) {
			tgid = xchg(&per_cpu(sights, cpu).tgid[i], 0);
			if (tgid)
				learn_pid(tgid);
		}
}

static void sight_irq(struct irq_work *irq_work)
{
	queue_work(wq, &sight_work);
}

/*
 * NMI-safe: a bounded number of atomic operations on this CPU's slots (deferred
 * callchains are taken preemptibly: then they may be another CPU's, which is as
 * good). With all slots taken the process is met again by its next sample.
 */
void ustack_learn_sight(void)
{
	struct sights *s = raw_cpu_ptr(&sights);
	int tgid = current->tgid, old;
	unsigned int i;

	for (i = 0; i < USTACK_SIGHTS; i++) {
		old = cmpxchg(&s->tgid[i], 0, tgid);
		if (old == tgid)
			return;
		if (!old) {
			irq_work_queue(&s->irq_work);
			return;
		}
	}
}

int ustack_learn_init(void)
{
	int cpu;

	wq = alloc_workqueue("ustack", WQ_UNBOUND | WQ_FREEZABLE, 0);
	if (!wq)
		return -ENOMEM;
	INIT_WORK(&sight_work, run_sights);
	for_each_possible_cpu(cpu)
		init_irq_work(&per_cpu(sights, cpu).irq_work, sight_irq);
	return 0;
}

/* A task that a debugger has stopped on its way out of execve() or mmap() keeps
 * its job until it goes on.
 */
static void wait_for_task_jobs(void)
{
	while (!wait_event_idle_timeout(task_jobs_done,
					!atomic_read(&nr_task_jobs), 10 * HZ))
		pr_notice_ratelimited("unloading waits for %d tasks that are stopped in a system call\n",
				      atomic_read(&nr_task_jobs));
}

void ustack_learn_exit(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		irq_work_sync(&per_cpu(sights, cpu).irq_work);
	/* run_sights() queues jobs: both are drained, then the queue goes. */
	drain_workqueue(wq);
	destroy_workqueue(wq);
	wait_for_task_jobs();
	/* A job's last instructions run preemptibly, but do not sleep. */
	synchronize_rcu_tasks();
}
