/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Learn: keeps spaces up to date and gets tables built. Hooks call these
 * functions in the task whose mappings change, with mmap_lock held for writing,
 * so they must not sleep; work that must sleep (reading files) is done when the
 * task returns to user mode, before it can run the code that it has just
 * mapped.
 */
#ifndef USTACK_LEARN_H
#define USTACK_LEARN_H

#include <linux/mm_types.h>
#include <linux/sched.h>

/*
 * Module parameter. 0: a file is not read when it is mapped, but when a sample
 * or USTACK_IOC_PREPARE meets a process that has it mapped.
 */
extern bool ustack_eager;

int ustack_learn_init(void);

/* Waits for all sleeping work. No hook and no sample may run any more. */
void ustack_learn_exit(void);

/* perf_event_mmap(): @vma was mapped, or its protection changed. */
void ustack_learn_mmap(struct vm_area_struct *vma);

/*
 * unlink_anon_vmas(): @vma is unmapped, or a neighbour takes over its range, or
 * it stays and has no anonymous pages any more.
 */
void ustack_learn_unlink(struct vm_area_struct *vma);

/* uprobe_mmap(): @vma of a file was mapped, or has other bounds now. */
void ustack_learn_resize(struct vm_area_struct *vma);

/* copy_vma(): mremap() copies the part of @vma from page @pgoff on to @addr. */
void ustack_learn_move(struct vm_area_struct *vma, u64 addr, u64 len, u64 pgoff);

/* uprobe_dup_mmap(): fork copies @parent to @child, both locked. */
void ustack_learn_fork(struct mm_struct *parent, struct mm_struct *child);

/* exit_mmap(): @mm has no user any more. */
void ustack_learn_exit_mmap(struct mm_struct *mm);

/* perf_event_exec(): current has its new, empty mm. */
void ustack_learn_exec(void);

/**
 * ustack_learn_sight() - a sample met a process that is not fully known
 *
 * Called for current. Arranges the work once, while it is waiting.
 *
 * Context: NMI-safe.
 */
void ustack_learn_sight(void);

/**
 * ustack_learn_try() - learn a process, unless its mappings are being changed
 * @mm: the process's mm; the caller is a user of it
 * @pid: process id
 *
 * Does not wait for the process. Files are left to workers, or to the process
 * itself.
 *
 * Context: process, may sleep for memory.
 * Return: false if its mmap_lock is taken; a lack of memory counts as success.
 */
bool ustack_learn_try(struct mm_struct *mm, pid_t pid);

/*
 * Lets current read those of its files that workers may not read. Context:
 * process, may sleep.
 */
void ustack_learn_unread(void);

/**
 * ustack_learn_task() - learn a process now
 * @task: one of its threads; borrowed
 * @mappings: set to the number of mappings that are known afterwards
 * @tables: set to the number of these with a table
 *
 * Context: process, may sleep.
 * Return: 0; -ESRCH for a task without user memory, -EINTR for a fatal signal
 * while the task's mmap_lock is taken, -ENOMEM.
 */
int ustack_learn_task(struct task_struct *task, u32 *mappings, u32 *tables);

#endif /* USTACK_LEARN_H */
