// SPDX-License-Identifier: GPL-2.0-only
/*
 * Learns processes that existed before they were first met: reads their
 * mappings under mmap_lock. Process context.
 */
#include "learn.h"

#include <linux/memcontrol.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>

#include "jobs.h"
#include "limits.h"
#include "mappings.h"
#include "sights.h"

/*
 * Called under mmap_lock. Counts executable vmas first, so that one list is
 * large enough.
 */
static struct ustack_maps *read_vmas(struct mm_struct *mm)
{
	struct ustack_image_place place;
	struct vm_area_struct *vma;
	struct ustack_mapping m;
	struct ustack_maps *maps;
	u32 nr = 0;

	{
		VMA_ITERATOR(vmi, mm, 0);
		for_each_vma(vmi, vma)
			nr += !!(vma->vm_flags & VM_EXEC);
	}
	nr = min(nr, USTACK_MAX_MAPPINGS);
	maps = ustack_maps_alloc(nr, USTACK_GFP_PROCESS);
	if (!maps)
		return NULL;
	{
		VMA_ITERATOR(vmi, mm, 0);
		for_each_vma(vmi, vma) {
			if (maps->nr == nr)
				break;
			if (!ustack_mapping_of(vma, USTACK_GFP_PROCESS, &m))
				continue;
			place = ustack_place_of(vma, current->tgid);
			if (!vma->vm_file)
				ustack_image_meet_vdso(m.image, &place);
			if (!ustack_maps_append(maps, &m,
						USTACK_GFP_PROCESS)) {
				ustack_maps_put(maps);
				return NULL;
			}
		}
	}
	return maps;
}

/*
 * Called under mmap_lock. Makes jobs for files that have not been read. Return:
 * whether files are left that a worker would have to read and must not.
 */
static bool collect_jobs(struct mm_struct *mm, pid_t pid, bool worker,
			 struct list_head *jobs)
{
	struct ustack_image_place place;
	struct vm_area_struct *vma;
	struct ustack_mapping m;
	struct ustack_job *job;
	bool left = false;
	VMA_ITERATOR(vmi, mm, 0);

	for_each_vma(vmi, vma) {
		if (!vma->vm_file || !ustack_mapping_of(vma, GFP_KERNEL, &m))
			continue;
		place = ustack_place_of(vma, pid);
		job = NULL;
		if (worker && !ustack_job_worker_may(vma->vm_file))
			left |= ustack_image_is_new(m.image);
		else if (ustack_image_wants_build(m.image))
			job = ustack_job_new(vma->vm_file, m.image, &place,
					     GFP_KERNEL);
		if (job)
			list_add(&job->list, jobs);
		ustack_image_put(m.image);
	}
	return left;
}

/*
 * Called under mmap_lock, so that nothing is mapped between reading and adding.
 * The memory is charged to the process's control group, whoever calls.
 */
static int know(struct mm_struct *mm)
{
	struct mem_cgroup *group, *old;
	struct ustack_maps *maps;
	int err;

	if (ustack_mm_known(mm))
		return 0;
	group = get_mem_cgroup_from_mm(mm);
	old = set_active_memcg(group);
	maps = read_vmas(mm);
	err = maps ? ustack_space_add(mm, maps) : -ENOMEM;
	set_active_memcg(old);
	mem_cgroup_put(group);
	return err;
}

static void mark_unread(const struct mm_struct *mm)
{
	struct ustack_space *space;

	rcu_read_lock();
	space = ustack_space_find(mm);
	if (space) {
		WRITE_ONCE(space->unread, true);
		WRITE_ONCE(ustack_space_any_unread, true);
	}
	rcu_read_unlock();
}

static void run_jobs(struct list_head *jobs)
{
	struct ustack_job *job, *next;

	list_for_each_entry_safe(job, next, jobs, list)
		ustack_job_run(job);
}

bool ustack_learn_try(struct mm_struct *mm, pid_t pid)
{
	struct ustack_job *job, *next;
	LIST_HEAD(jobs);

	if (!mmap_read_trylock(mm))
		return false;
	know(mm);
	if (collect_jobs(mm, pid, true, &jobs))
		mark_unread(mm);
	mmap_read_unlock(mm);
	list_for_each_entry_safe(job, next, &jobs, list)
		ustack_job_queue(job);
	return true;
}

/*
 * Does not wait for another thread of the process, as unloading waits for this
 * one.
 */
void ustack_learn_unread(void)
{
	struct mm_struct *mm = current->mm;
	LIST_HEAD(jobs);

	/* the task is exiting */
	if (!mm)
		return;
	if (!mmap_read_trylock(mm)) {
		mark_unread(mm);
		return;
	}
	collect_jobs(mm, current->tgid, false, &jobs);
	mmap_read_unlock(mm);
	run_jobs(&jobs);
}

static int learn_mm(struct mm_struct *mm, pid_t pid)
{
	LIST_HEAD(jobs);
	int err;

	if (mmap_read_lock_killable(mm))
		return -EINTR;
	err = know(mm);
	collect_jobs(mm, pid, false, &jobs);
	mmap_read_unlock(mm);
	run_jobs(&jobs);
	return err;
}

static void count_maps(const struct mm_struct *mm, u32 *mappings, u32 *tables)
{
	const struct ustack_mapping *m;
	struct ustack_space *space;
	struct ustack_maps *maps;

	*mappings = 0;
	*tables = 0;
	rcu_read_lock();
	space = ustack_space_find(mm);
	maps = space ? rcu_dereference(space->maps) : NULL;
	for (m = ustack_maps_next(maps, 0); m;
	     m = ustack_maps_next(maps, m->end)) {
		++*mappings;
		*tables += !!rcu_access_pointer(m->image->code);
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
	err = learn_mm(mm, task->tgid);
	count_maps(mm, mappings, tables);
	mmput(mm);
	return err;
}

int ustack_learn_init(void)
{
	int err = ustack_jobs_init();

	if (!err)
		ustack_sights_init();
	return err;
}

void ustack_learn_exit(void)
{
	ustack_sights_exit();
	ustack_jobs_exit();
}
