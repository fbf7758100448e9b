/* SPDX-License-Identifier: GPL-2.0-only */
/* Lists the threads that processes have now. */
#ifndef USTACK_USER_PROCESS_THREAD_IDS_H
#define USTACK_USER_PROCESS_THREAD_IDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct thread_ids - a list of threads without duplicates
 * @tid: thread numbers, in the order in which they were found
 * @nr: number of @tid
 * @room: allocated entries of @tid
 */
struct thread_ids {
	uint32_t *tid;
	size_t nr;
	size_t room;
};

#define THREAD_IDS_INIT { .tid = NULL }

void thread_ids_release(struct thread_ids *ids);

/* Adds the threads of processes, and single threads. Return: 0 or -ENOMEM. */
int thread_ids_of(const uint32_t *pids, size_t nr_pids, const uint32_t *tids, size_t nr_tids,
		  struct thread_ids *ret);

#endif /* USTACK_USER_PROCESS_THREAD_IDS_H */
