// SPDX-License-Identifier: GPL-2.0
/* Processes that were there before they were met: read under mmap_lock. */
#include "learn.h"

#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>

#include "jobs.h"
#include "limits.h"
#include "mappings.h"
#include "sights.h"

/* Under mmap_lock. Counts executable vmas first, so that one list fits. */
static struct ustack_maps *read_vmas(struct mm_struct *mm)
{
	struct ustack_image_place place;
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
			if (!ustack_mapping_of(vma, GFP_KERNEL, &maps->m[maps->nr]))
				continue;
			place = ustack_place_of(vma, current->tgid);
			if (!vma->vm_file)
				ustack_image_meet_vdso(maps->m[maps->nr].image,
						       &place);
			maps->nr++;
		}
	}
	return maps;
}

/* Under mmap_lock. Jobs for files that nobody has looked at. */
static void collect_jobs(struct mm_struct *mm, pid_t pid,
			 struct list_head *jobs)
{
	struct ustack_image_place place;
	struct vm_area_struct *vma;
	struct ustack_mapping m;
	struct ustack_job *job;
	VMA_ITERATOR(vmi, mm, 0);

	for_each_vma(vmi, vma) {
		if (!vma->vm_file || !ustack_mapping_of(vma, GFP_KERNEL, &m))
			continue;
		place = ustack_place_of(vma, pid);
		job = ustack_image_wants_build(m.image) ?
			      ustack_job_new(vma->vm_file, m.image, &place,
					     GFP_KERNEL) :
			      NULL;
		if (job)
			list_add(&job->list, jobs);
		ustack_image_put(m.image);
	}
}

int ustack_learn_mm(struct mm_struct *mm, pid_t pid, bool wait)
{
	struct ustack_job *job, *next;
	struct ustack_maps *maps;
	LIST_HEAD(jobs);
	int err = 0;

	mmap_read_lock(mm);
	if (!ustack_mm_known(mm)) {
		maps = read_vmas(mm);
		err = maps ? ustack_space_add(mm, maps) : -ENOMEM;
	}
	collect_jobs(mm, pid, &jobs);
	mmap_read_unlock(mm);

	list_for_each_entry_safe(job, next, &jobs, list) {
		if (wait)
			ustack_job_run(job);
		else
			ustack_job_queue(job);
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
	err = ustack_learn_mm(mm, task->tgid, true);
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
