// SPDX-License-Identifier: GPL-2.0
/*
 * Sights: a sample meets a process that is not fully known. Its id travels from
 * the NMI to the workqueue, which learns it.
 */
#include "sights.h"

#include <linux/irq_work.h>
#include <linux/percpu.h>
#include <linux/pid.h>
#include <linux/sched/mm.h>
#include <linux/workqueue.h>

#include "jobs.h"
#include "learn.h"
#include "limits.h"

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
		ustack_learn_mm(mm, tgid, false);
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
	ustack_jobs_queue_work(&sight_work);
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

void ustack_sights_init(void)
{
	int cpu;

	INIT_WORK(&sight_work, run_sights);
	for_each_possible_cpu(cpu)
		init_irq_work(&per_cpu(sights, cpu).irq_work, sight_irq);
}

void ustack_sights_exit(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		irq_work_sync(&per_cpu(sights, cpu).irq_work);
}
