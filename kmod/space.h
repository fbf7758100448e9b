/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A space is what is known of one mm: its executable mappings, sorted by
 * address. Samples read it under RCU. Its mappings are changed only with the
 * mm's mmap_lock held, so that they are never older than the mm itself.
 *
 * A space lives from execve, fork or the first sample of a running task until
 * exit_mmap(). The mm pointer is a key and is never followed.
 */
#ifndef USTACK_SPACE_H
#define USTACK_SPACE_H

#include <linux/mm_types.h>
#include <linux/rcupdate.h>

#include "maps.h"

/**
 * struct ustack_space - the executable mappings of one mm
 * @node: the space in the hash; protected by the bucket's lock
 * @mm: the key
 * @maps: the mappings; written under the bucket's lock and mmap_lock, read
 *        under RCU; NULL until something is mapped
 * @starting: set when execve makes the new mm, cleared at the first return to
 *            user mode: until then the task's registers belong to the old
 *            program
 * @unread: some of its files may not be read by a worker: the process reads
 *          them when it next maps something; written under mmap_lock, only a
 *          hint
 * @rcu: for kfree_rcu()
 */
struct ustack_space {
	struct hlist_node node;
	struct mm_struct *mm;
	struct ustack_maps __rcu *maps;
	bool starting;
	bool unread;
	struct rcu_head rcu;
};

/* Whether any space was ever @unread. It is a hint too: it saves a search. */
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
 * ustack_space_create() - make the space of an mm
 * @mm: the key
 * @maps: mappings of @mm; may be NULL; the space takes over the reference
 * @starting: see struct ustack_space
 * @gfp: how to allocate memory
 *
 * Replaces the space which @mm had before.
 *
 * Context: any but NMI and hard interrupt; nobody may change the mm's mappings
 * meanwhile.
 * Return: 0 or -ENOMEM; after -ENOMEM the mm has no space.
 */
int ustack_space_create(struct mm_struct *mm, struct ustack_maps *maps,
			bool starting, gfp_t gfp);

/**
 * ustack_space_add() - make the space of an mm, unless it has one
 * @mm: the key
 * @maps: mappings of @mm; the caller's reference is taken over
 *
 * A space that was made meanwhile stays: the one that execve made for a new mm
 * is better than a list which was read before it.
 *
 * Context: process, may sleep; under mmap_lock.
 * Return: 0, whether or not the mm had a space; or -ENOMEM.
 */
int ustack_space_add(struct mm_struct *mm, struct ustack_maps *maps);

/* The task has entered its new program. Context: process. */
void ustack_space_started(const struct mm_struct *mm);

/* Removes an mm's space, if it has one. Context: as for create. */
void ustack_space_forget(const struct mm_struct *mm);

/**
 * ustack_space_overlap() - whether a range overlaps a known mapping
 * @mm: the key; without a space the result is false
 * @start: start of the range
 * @end: end of the range
 * @keep: mappings that do not count
 *
 * Takes no lock: it is called for every change of mappings, and most of them
 * are not of code.
 *
 * Context: any but NMI and hard interrupt; nobody may change the mm's mappings
 * meanwhile.
 */
bool ustack_space_overlap(const struct mm_struct *mm, u64 start, u64 end,
			  enum ustack_keep keep);

/**
 * ustack_space_replace() - record that a range was mapped or unmapped
 * @mm: the key; nothing happens if it has no space
 * @start: start of the range
 * @end: end of the range
 * @mapping: what is mapped there now; the caller keeps its reference. NULL:
 *           nothing that could have a table
 * @keep: mappings that stay if @mapping is NULL
 *
 * If there is no memory for the change, the space is removed, and the mm is
 * learned again at its next sample: no list at all is better than an outdated
 * one.
 *
 * Context: as for ustack_space_create(); allocates without sleeping.
 */
void ustack_space_replace(const struct mm_struct *mm, u64 start, u64 end,
			  const struct ustack_mapping *mapping,
			  enum ustack_keep keep);

/**
 * ustack_space_next_region() - find the next JIT region of an mm
 * @mm: the key
 * @from: where to begin
 * @start: set to the start of the first region that ends above @from
 * @end: set to the end of that region
 *
 * Context: any but NMI; under mmap_lock. Without regions nothing is searched.
 * Return: whether there is such a region.
 */
bool ustack_space_next_region(const struct mm_struct *mm, u64 from, u64 *start,
			      u64 *end);

/* A child gets its parent's mappings. Context: as for ustack_space_create(). */
void ustack_space_fork(const struct mm_struct *parent, struct mm_struct *child);

struct ustack_space_totals {
	u32 spaces;
	u64 bytes;
};

void ustack_space_get_totals(struct ustack_space_totals *ret);

#endif /* USTACK_SPACE_H */
