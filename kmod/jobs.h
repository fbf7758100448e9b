/* SPDX-License-Identifier: GPL-2.0-only */
/* Jobs: reading one file, in a context that may sleep. */
#ifndef USTACK_JOBS_H
#define USTACK_JOBS_H

#include <linux/fs.h>
#include <linux/list.h>
#include <linux/task_work.h>
#include <linux/workqueue.h>

#include "build.h"

/**
 * struct ustack_job - one file to read
 * @work: entry while the job is queued on a task
 * @item: entry while the job is queued on the workqueue
 * @list: entry in a list of the caller, while the job is not queued
 * @call: function to call instead of reading a file
 * @file: the file, with a reference
 * @image: image of the file; the job is a user of it
 * @place: where the file was mapped
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

/* Waits for all jobs and all work. No more may be added. Context: process. */
void ustack_jobs_exit(void);

/*
 * Queues other work of the module; replaces an earlier queueing. Context: any
 * but NMI.
 */
void ustack_jobs_delay(struct delayed_work *work, unsigned long delay);

/**
 * ustack_job_worker_may() - whether a worker may read a file
 * @file: the file
 *
 * Not if its server may stop answering: unloading waits for the worker, and a
 * worker cannot be killed. Files on FUSE are not read at all.
 *
 * Context: any.
 */
bool ustack_job_worker_may(const struct file *file);

/**
 * ustack_job_new() - make a job for a file
 * @file: the file
 * @image: image of the file
 * @place: where the file is mapped; copied
 * @gfp: flags for the allocation
 *
 * Context: any but NMI and hard interrupt.
 * Return: the job, which the caller runs, queues or adds; NULL without memory.
 */
struct ustack_job *ustack_job_new(struct file *file, struct ustack_image *image,
				  const struct ustack_image_place *place,
				  gfp_t gfp);

/* Runs the job now, and frees it. Context: process, may sleep. */
void ustack_job_run(struct ustack_job *job);

/*
 * Leaves the job to a worker, which must be allowed to read the file. Context:
 * any but NMI.
 */
void ustack_job_queue(struct ustack_job *job);

/**
 * ustack_job_add() - let current run the job on its way back to user mode
 * @job: consumed; may be NULL
 *
 * Context: any but NMI.
 * Return: whether the job will run.
 */
bool ustack_job_add(struct ustack_job *job);

/* Calls a function in the same way. Context: any but NMI. */
bool ustack_job_call(void (*call)(void), gfp_t gfp);

#endif /* USTACK_JOBS_H */
