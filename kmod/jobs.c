// SPDX-License-Identifier: GPL-2.0-only
/*
 * Jobs: reading one file, in a context that may sleep. A job runs on the task
 * that has mapped the file, when it returns to user mode, or on the module's
 * workqueue.
 */
#include "jobs.h"

#include <linux/atomic.h>
#include <linux/file.h>
#include <linux/jiffies.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/task_work.h>
#include <linux/wait.h>

static struct workqueue_struct *wq;

/*
 * Number of jobs on tasks. They cannot be cancelled, but a task cannot delay
 * them either: they run on its way out of the system call, and when it is
 * killed.
 */
static atomic_t nr_task_jobs;
static DECLARE_WAIT_QUEUE_HEAD(task_jobs_done);

static void free_job(struct ustack_job *job)
{
	if (job->file) {
		fput(job->file);
		ustack_image_put(job->image);
	}
	kfree(job);
}

static void task_job_done(void)
{
	/*
	 * This must be the last action: ustack_jobs_exit() then waits with
	 * synchronize_rcu_tasks() for the instructions after it.
	 */
	if (atomic_dec_and_test(&nr_task_jobs))
		wake_up(&task_jobs_done);
}

void ustack_job_run(struct ustack_job *job)
{
	ustack_image_build(job->image, job->file, &job->place);
	free_job(job);
}

static void run_task_job(struct callback_head *work)
{
	struct ustack_job *job = container_of(work, struct ustack_job, work);

	if (job->call) {
		job->call();
		free_job(job);
	} else {
		ustack_job_run(job);
	}
	task_job_done();
}

static void run_wq_job(struct work_struct *item)
{
	ustack_job_run(container_of(item, struct ustack_job, item));
}

bool ustack_job_worker_may(const struct file *file)
{
	return ustack_file_trust(file) != USTACK_TRUST_REMOTE;
}

struct ustack_job *ustack_job_new(struct file *file, struct ustack_image *image,
				  const struct ustack_image_place *place,
				  gfp_t gfp)
{
	struct ustack_job *job = kzalloc(sizeof(*job), gfp | __GFP_NOWARN);

	if (!job)
		return NULL;
	job->file = get_file(file);
	job->image = image;
	ustack_image_hold(image);
	job->place = *place;
	return job;
}

void ustack_job_queue(struct ustack_job *job)
{
	INIT_WORK(&job->item, run_wq_job);
	queue_work(wq, &job->item);
}

static bool add(struct ustack_job *job)
{
	init_task_work(&job->work, run_task_job);
	atomic_inc(&nr_task_jobs);
	if (!task_work_add(current, &job->work, TWA_RESUME))
		return true;
	free_job(job);
	task_job_done();
	return false;
}

bool ustack_job_add(struct ustack_job *job)
{
	if (!job)
		return false;
	if (!(current->flags & PF_KTHREAD))
		return add(job);
	/* A kernel thread that borrows an mm does not return to user mode. */
	if (!ustack_job_worker_may(job->file)) {
		free_job(job);
		return false;
	}
	ustack_job_queue(job);
	return true;
}

bool ustack_job_call(void (*call)(void), gfp_t gfp)
{
	struct ustack_job *job = kzalloc(sizeof(*job), gfp | __GFP_NOWARN);

	if (!job)
		return false;
	job->call = call;
	return add(job);
}

/*
 * Waits for jobs on tasks: a task that a debugger has stopped on its way out of
 * execve() or mmap() keeps its job until it goes on.
 */
static void wait_for_task_jobs(void)
{
	while (!wait_event_idle_timeout(task_jobs_done,
					!atomic_read(&nr_task_jobs), 10 * HZ))
		pr_notice_ratelimited("unloading waits for %d tasks that are stopped in a system call\n",
				      atomic_read(&nr_task_jobs));
}

/*
 * Freezable: no file is read while its device is suspended. No work on the
 * queue waits for a process or a server, so suspending and unloading do not
 * wait for one either.
 */
int ustack_jobs_init(void)
{
	wq = alloc_workqueue("ustack", WQ_UNBOUND | WQ_FREEZABLE, 0);
	return wq ? 0 : -ENOMEM;
}

void ustack_jobs_delay(struct delayed_work *work, unsigned long delay)
{
	mod_delayed_work(wq, work, delay);
}

void ustack_jobs_exit(void)
{
	drain_workqueue(wq);
	destroy_workqueue(wq);
	wait_for_task_jobs();
	/* A job's last instructions run preemptibly, but do not sleep. */
	synchronize_rcu_tasks();
}
