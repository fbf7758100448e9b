// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sights: a sample meets a process that is not fully known. The process id
 * travels from the NMI to the workqueue, which learns the process.
 */
#include "sights.h"

#include <linux/irq_work.h>
#include <linux/jiffies.h>
#include <linux/percpu.h>
#include <linux/pid.h>
#include <linux/rcupdate.h>
#include <linux/sched/mm.h>
#include <linux/workqueue.h>

#include "jobs.h"
#include "learn.h"
#include "limits.h"
#include "space.h"

/*
 * Process ids that wait, 0 for a free slot. Filled on the CPU from any context,
 * emptied by the worker; both use one atomic operation.
 */
struct sights {
	int tgid[USTACK_SIGHTS];
	struct irq_work irq_work;
};

static DEFINE_PER_CPU(struct sights, sights);
static struct delayed_work sight_work;

/*
 * Processes whose mmap_lock was taken: process id, 0 for a free slot, and the
 * time when the worker gives up. Used only by the worker.
 */
static struct {
	int tgid;
	unsigned long until;
} late[USTACK_SIGHTS];

/* Return: false if the process must be tried again. */
static bool learn_pid(int tgid)
{
	struct task_struct *task;
	struct mm_struct *mm;
	struct pid *pid;
	bool done = true;

	/* A kworker is in the initial pid namespace. */
	pid = find_get_pid(tgid);
	if (!pid)
		return true;
	task = get_pid_task(pid, PIDTYPE_PID);
	put_pid(pid);
	if (!task)
		return true;
	mm = get_task_mm(task);
	if (mm) {
		done = ustack_learn_try(mm, tgid);
		/* The last user closes files, which may wait: so not here. */
		mmput_async(mm);
	}
	put_task_struct(task);
	return done;
}

/* If all slots are taken, the process is met again by its next sample. */
static void try_later(int tgid)
{
	unsigned int i, slot = USTACK_SIGHTS;

	for (i = 0; i < USTACK_SIGHTS; i++) {
		if (late[i].tgid == tgid)
			return;
		if (!late[i].tgid)
			slot = i;
	}
	if (slot == USTACK_SIGHTS)
		return;
	late[slot].tgid = tgid;
	late[slot].until =
		jiffies + msecs_to_jiffies(USTACK_SIGHT_GIVE_UP_MS);
}

/* Return: whether some processes must be tried again. */
static bool retry_late(void)
{
	bool left = false;
	unsigned int i;

	for (i = 0; i < USTACK_SIGHTS; i++) {
		if (!late[i].tgid)
			continue;
		if (learn_pid(late[i].tgid) ||
		    time_after(jiffies, late[i].until))
			late[i].tgid = 0;
		left |= late[i].tgid;
	}
	return left;
}

static void run_sights(struct work_struct *work)
{
	int cpu, tgid;
	unsigned int i;

	for_each_possible_cpu(cpu)
		for (i = 0; i < USTACK_SIGHTS; i++) {
			tgid = xchg(&per_cpu(sights, cpu).tgid[i], 0);
			if (tgid && !learn_pid(tgid))
				try_later(tgid);
		}
	if (retry_late())
		ustack_jobs_delay(&sight_work,
				  msecs_to_jiffies(USTACK_SIGHT_RETRY_MS));
}

static void sight_irq(struct irq_work *irq_work)
{
	ustack_jobs_delay(&sight_work, 0);
}

/* Return: whether workers have done everything they can for current. */
static bool is_done(void)
{
	const struct ustack_space *space;
	bool done;

	rcu_read_lock();
	space = ustack_space_find(current->mm);
	done = space && READ_ONCE(space->unread);
	rcu_read_unlock();
	return done;
}

/*
 * NMI-safe: a search in one bucket under RCU and a bounded number of atomic
 * operations on this CPU's slots (deferred callchains are taken preemptibly:
 * then they may be another CPU's, which is as good). If all slots are taken,
 * the process is met again by its next sample.
 */
void ustack_learn_sight(void)
{
	struct sights *s = raw_cpu_ptr(&sights);
	int tgid = current->tgid, old;
	unsigned int i;

	if (is_done())
		return;
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

	memset(late, 0, sizeof(late));
	INIT_DELAYED_WORK(&sight_work, run_sights);
	for_each_possible_cpu(cpu)
		init_irq_work(&per_cpu(sights, cpu).irq_work, sight_irq);
}

void ustack_sights_exit(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		irq_work_sync(&per_cpu(sights, cpu).irq_work);
	cancel_delayed_work_sync(&sight_work);
}
