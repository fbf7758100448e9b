/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Learn: the half that keeps spaces true and gets tables built. Its entries are
 * called from the hooks, in the task whose mappings change, with mmap_lock held
 * for writing, so they must not sleep; what must (reading files) is done when
 * the task returns to user mode, before it can run what it has just mapped.
 */
#ifndef USTACK_LEARN_H
#define USTACK_LEARN_H

#include <linux/mm_types.h>
#include <linux/sched.h>

/* Module parameter. 0: a file is not read when it is mapped, but when a sample or
 * USTACK_IOC_PREPARE meets a process that has it mapped.
 */
extern bool ustack_eager;

int ustack_learn_init(void);

/* Waits for all sleeping work. No hook and no sample may run any more. */
void ustack_learn_exit(void);

/* perf_event_mmap(): @vma was mapped, or its protection changed. */
void ustack_learn_mmap(struct vm_area_struct *vma);

/* unlink_anon_vmas(): @vma is unmapped, or a neighbour takes over what it maps, or it
 * stays and has no anonymous pages any more.
 */
void ustack_learn_unlink(struct vm_area_struct *vma);

/* uprobe_mmap(): @vma of a file was mapped, or has other bounds now. */
void ustack_learn_resize(struct vm_area_struct *vma);

/* copy_vma(): mremap() copies what @vma maps from page @pgoff on to @addr. */
void ustack_learn_move(struct vm_area_struct *vma, u64 addr, u64 len, u64 pgoff);

/* uprobe_dup_mmap(): fork copies @parent to @child, both locked. */
void ustack_learn_fork(struct mm_struct *parent, struct mm_struct *child);

/* exit_mmap(): nobody uses @mm any more. */
void ustack_learn_exit_mmap(struct mm_struct *mm);

/* perf_event_exec(): current has its new, empty mm. */
void ustack_learn_exec(void);

/**
 * ustack_learn_sight() - a sample met a process that is not fully known
 *
 * For current. Work is arranged, once for as long as it is waiting.
 *
 * Context: NMI-safe.
 */
void ustack_learn_sight(void);

/**
 * ustack_learn_try() - learn a process, if nobody is changing it
 * @mm: its mm, with a user
 * @pid: its process id
 *
 * Does not wait for the process. Files are left to workers, or to the process itself.
 *
 * Context: process, may sleep for memory.
 * Return: false if its mmap_lock is taken; no memory is as good as success.
 */
bool ustack_learn_try(struct mm_struct *mm, pid_t pid);

/* Current reads what workers may not read of its files. Context: process, may sleep. */
void ustack_learn_unread(void);

/**
 * ustack_learn_task() - learn a process now
 * @task: one of its threads; borrowed
 * @mappings: out: mappings known afterwards
 * @tables: out: of these, with a table
 *
 * Context: process, may sleep.
 * Return: 0; -ESRCH for a task without user memory, -EINTR for a signal that kills
 * while the task's mmap_lock is taken, -ENOMEM.
 */
int ustack_learn_task(struct task_struct *task, u32 *mappings, u32 *tables);

#endif /* USTACK_LEARN_H */
