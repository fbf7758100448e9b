/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Space: one mm, as far as unwinding is concerned: its executable mappings in
 * order of address. Samples read it under RCU. Its mappings are changed only with
 * the mm's mmap_lock held, so that they are never older than the mm itself.
 *
 * Life: from execve, fork or the first sight of a running task, to exit_mmap().
 * The mm pointer is a key and is never followed.
 */
#ifndef USTACK_SPACE_H
#define USTACK_SPACE_H

#include <linux/mm_types.h>
#include <linux/rcupdate.h>

#include "maps.h"

/**
 * struct ustack_space - one mm
 * @node: in the hash; the bucket's lock
 * @mm: the key
 * @maps: written under the bucket's lock and mmap_lock, read under RCU; NULL
 *        until something is mapped
 * @starting: set from execve's new mm to the first return to user mode: until
 *            then the task's registers belong to the old program
 * @unread: no worker may read some of its files: the process does when it maps
 *          something next; written under mmap_lock, a hint
 * @rcu: for the free
 */
struct ustack_space {
	struct hlist_node node;
	struct mm_struct *mm;
	struct ustack_maps __rcu *maps;
	bool starting;
	bool unread;
	struct rcu_head rcu;
};

/* Whether a space has ever been @unread: a hint, as that is, which saves looking for it. */
extern bool ustack_space_any_unread;

void ustack_space_init(void);

/* Forgets all spaces. No hook may run any more. Context: process. */
void ustack_space_exit(void);

/**
 * ustack_space_find() - the space of an mm
 * @mm: the key; may be NULL
 *
 * Context: NMI-safe, under rcu_read_lock().
 * Return: the space, valid under RCU; NULL if the mm is not known.
 */
struct ustack_space *ustack_space_find(const struct mm_struct *mm);

/**
 * ustack_space_create() - know an mm
 * @mm: the key
 * @maps: its mappings, consumed; may be NULL
 * @starting: see struct ustack_space
 * @gfp: how memory may be had
 *
 * Replaces what was known of @mm.
 *
 * Context: any but NMI and hard interrupt, and nobody changes the mm's mappings
 * meanwhile.
 * Return: 0 or -ENOMEM; then the mm is not known.
 */
int ustack_space_create(struct mm_struct *mm, struct ustack_maps *maps,
			bool starting, gfp_t gfp);

/**
 * ustack_space_add() - know an mm, unless it is known
 * @mm: the key
 * @maps: its mappings, consumed
 *
 * What was made meanwhile stays: execve's space of a new mm says more than a list that
 * was read before it.
 *
 * Context: process, may sleep; under mmap_lock.
 * Return: 0 in both cases; -ENOMEM.
 */
int ustack_space_add(struct mm_struct *mm, struct ustack_maps *maps);

/* The task has entered its new program. Context: process. */
void ustack_space_started(const struct mm_struct *mm);

/* Forgets an mm; nothing happens if it is not known. Context: as create. */
void ustack_space_forget(const struct mm_struct *mm);

/**
 * ustack_space_overlap() - whether something known is mapped in a range
 * @mm: the key; nothing is known of an mm that has no space
 * @start: the range
 * @end: its end
 * @keep: what is not asked for
 *
 * Takes no lock: for the many changes of mappings that are not of code.
 *
 * Context: any but NMI and hard interrupt, and nobody changes the mm's mappings
 * meanwhile.
 */
bool ustack_space_overlap(const struct mm_struct *mm, u64 start, u64 end,
			  enum ustack_keep keep);

/**
 * ustack_space_replace() - something is now mapped at a range, or nothing
 * @mm: the key; nothing happens if it is not known
 * @start: the range
 * @end: its end
 * @mapping: what is there now, the caller keeps its user; NULL: nothing that
 *           could have a table
 * @keep: what stays, if @mapping is NULL
 *
 * Without memory for the change the mm is forgotten, and so learned again
 * when it is sampled next: no list at all is better than a stale one.
 *
 * Context: as ustack_space_create(); memory without sleeping.
 */
void ustack_space_replace(const struct mm_struct *mm, u64 start, u64 end,
			  const struct ustack_mapping *mapping,
			  enum ustack_keep keep);

/**
 * ustack_space_next_region() - go through an mm's JIT regions
 * @mm: the key
 * @from: lowest address
 * @start: out: the first region that ends above @from
 * @end: out: its end
 *
 * Context: any but NMI; under mmap_lock. Without regions nothing is searched.
 * Return: whether there is one.
 */
bool ustack_space_next_region(const struct mm_struct *mm, u64 from, u64 *start,
			      u64 *end);

/* A child gets its parent's mappings. Context: as ustack_space_create(). */
void ustack_space_fork(const struct mm_struct *parent, struct mm_struct *child);

struct ustack_space_totals {
	u32 spaces;
	u64 bytes;
};

void ustack_space_get_totals(struct ustack_space_totals *ret);

#endif /* USTACK_SPACE_H */
