/* SPDX-License-Identifier: GPL-2.0-only */
/* Jobs: one file to look at, where it may sleep. */
#ifndef USTACK_JOBS_H
#define USTACK_JOBS_H

#include <linux/fs.h>
#include <linux/list.h>
#include <linux/task_work.h>
#include <linux/workqueue.h>

#include "build.h"

/**
 * struct ustack_job - one file to look at
 * @work: while it is queued on a task
 * @item: while it is queued on the workqueue
 * @list: for the caller, as long as it is not queued
 * @call: what to call instead of looking at a file
 * @file: the file, with a reference
 * @image: its image, with a user
 * @place: where it was mapped
 */
struct ustack_job {
	struct callback_head work;
	struct work_struct item;
	struct list_head list;
	void (*call)(void);
	struct file *file;
	struct ustack_image *image;
	struct ustack_image_place place;
};

int ustack_jobs_init(void);

/* Waits for all jobs and all work. Nobody may add any more. Context: process. */
void ustack_jobs_exit(void);

/* Queues other work of the module in place of when it was queued for. Context: any but
 * NMI.
 */
void ustack_jobs_delay(struct delayed_work *work, unsigned long delay);

/**
 * ustack_job_worker_may() - whether a worker may look at a file
 * @file: the file
 *
 * Not if its server may stop answering: unloading waits for the worker, and a worker
 * cannot be killed. Of a file on FUSE nothing is read.
 *
 * Context: any.
 */
bool ustack_job_worker_may(const struct file *file);

/**
 * ustack_job_new() - a job for a file
 * @file: the file
 * @image: its image
 * @place: where it is mapped; copied
 * @gfp: how memory may be had
 *
 * Context: any but NMI and hard interrupt.
 * Return: the job, to be run, queued or added; NULL without memory.
 */
struct ustack_job *ustack_job_new(struct file *file, struct ustack_image *image,
				  const struct ustack_image_place *place,
				  gfp_t gfp);

/* Does the job now, and frees it. Context: process, may sleep. */
void ustack_job_run(struct ustack_job *job);

/* Leaves the job to a worker, who must be allowed to. Context: any but NMI. */
void ustack_job_queue(struct ustack_job *job);

/**
 * ustack_job_add() - current does the job on its way back to user mode
 * @job: consumed; may be NULL
 *
 * Context: any but NMI.
 * Return: whether the job will run.
 */
bool ustack_job_add(struct ustack_job *job);

/* The same for a function instead of a job. */
bool ustack_job_call(void (*call)(void), gfp_t gfp);

#endif /* USTACK_JOBS_H */
