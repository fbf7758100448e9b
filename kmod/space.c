// SPDX-License-Identifier: GPL-2.0-only
/* The table of spaces: a hash of mm pointers. */
#include "space.h"

#include <linux/hash.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/rculist.h>
#include <linux/slab.h>

#include "limits.h"

/* A lock for each bucket, so that forks on many CPUs seldom wait. */
static struct {
	spinlock_t lock;
	struct hlist_head head;
} buckets[1 << USTACK_SPACE_HASH_BITS];

bool ustack_space_any_unread __read_mostly;

/* For each CPU, for the same reason; only the sum means anything. */
static DEFINE_PER_CPU(u32, nr_spaces);

#define bucket_of(mm) (&buckets[hash_ptr(mm, USTACK_SPACE_HASH_BITS)])

static struct ustack_space *find_in(struct hlist_head *head,
				    const struct mm_struct *mm)
{
	struct ustack_space *space;

	hlist_for_each_entry_rcu(space, head, node, true)
		if (space->mm == mm)
			return space;
	return NULL;
}

struct ustack_space *ustack_space_find(const struct mm_struct *mm)
{
	return find_in(&bucket_of(mm)->head, mm);
}

#define maps_of(space, mm) \
	rcu_dereference_protected((space)->maps, \
				  lockdep_is_held(&bucket_of(mm)->lock))

static void link_space(struct ustack_space *space)
{
	hlist_add_head_rcu(&space->node, &bucket_of(space->mm)->head);
	this_cpu_inc(nr_spaces);
}

static void unlink_space(struct ustack_space *space)
{
	struct ustack_maps *maps = maps_of(space, space->mm);

	hlist_del_rcu(&space->node);
	this_cpu_dec(nr_spaces);
	ustack_maps_put(maps);
	kfree_rcu(space, rcu);
}

static struct ustack_space *new_space(struct mm_struct *mm,
				      struct ustack_maps *maps, bool starting,
				      gfp_t gfp)
{
	struct ustack_space *space;

	space = kmalloc(sizeof(*space), gfp | __GFP_NOWARN);
	if (!space)
		return NULL;
	space->mm = mm;
	space->starting = starting;
	space->unread = false;
	RCU_INIT_POINTER(space->maps, maps);
	return space;
}

int ustack_space_create(struct mm_struct *mm, struct ustack_maps *maps,
			bool starting, gfp_t gfp)
{
	struct ustack_space *space, *old;

	space = new_space(mm, maps, starting, gfp);
	if (!space) {
		ustack_space_forget(mm);
		ustack_maps_put(maps);
		return -ENOMEM;
	}
	spin_lock_bh(&bucket_of(mm)->lock);
	old = find_in(&bucket_of(mm)->head, mm);
	if (old)
		unlink_space(old);
	link_space(space);
	spin_unlock_bh(&bucket_of(mm)->lock);
	return 0;
}

int ustack_space_add(struct mm_struct *mm, struct ustack_maps *maps)
{
	struct ustack_space *space, *old;

	might_sleep();
	space = new_space(mm, maps, false, USTACK_GFP_PROCESS);
	if (!space) {
		ustack_maps_put(maps);
		return -ENOMEM;
	}
	spin_lock_bh(&bucket_of(mm)->lock);
	old = find_in(&bucket_of(mm)->head, mm);
	if (!old)
		link_space(space);
	spin_unlock_bh(&bucket_of(mm)->lock);
	if (old) {
		ustack_maps_put(maps);
		kfree(space);
	}
	return 0;
}

void ustack_space_started(const struct mm_struct *mm)
{
	struct ustack_space *space;

	spin_lock_bh(&bucket_of(mm)->lock);
	space = find_in(&bucket_of(mm)->head, mm);
	if (space)
		WRITE_ONCE(space->starting, false);
	spin_unlock_bh(&bucket_of(mm)->lock);
}

void ustack_space_forget(const struct mm_struct *mm)
{
	struct ustack_space *space;

	spin_lock_bh(&bucket_of(mm)->lock);
	space = find_in(&bucket_of(mm)->head, mm);
	if (space)
		unlink_space(space);
	spin_unlock_bh(&bucket_of(mm)->lock);
}

bool ustack_space_overlap(const struct mm_struct *mm, u64 start, u64 end,
			  enum ustack_keep keep)
{
	struct ustack_space *space;
	bool overlap;

	rcu_read_lock();
	space = ustack_space_find(mm);
	overlap = space && ustack_maps_overlap(rcu_dereference(space->maps),
					       start, end, keep);
	rcu_read_unlock();
	return overlap;
}

void ustack_space_replace(const struct mm_struct *mm, u64 start, u64 end,
			  const struct ustack_mapping *mapping,
			  enum ustack_keep keep)
{
	struct ustack_space *space;

	if (!mapping && !ustack_space_overlap(mm, start, end, keep))
		return;
	spin_lock_bh(&bucket_of(mm)->lock);
	space = find_in(&bucket_of(mm)->head, mm);
	if (space &&
	    !ustack_maps_replace(&space->maps, start, end, mapping, keep))
		unlink_space(space);
	spin_unlock_bh(&bucket_of(mm)->lock);
}

void ustack_space_fork(const struct mm_struct *parent, struct mm_struct *child)
{
	struct ustack_maps *maps = NULL;
	struct ustack_space *space;

	spin_lock_bh(&bucket_of(parent)->lock);
	space = find_in(&bucket_of(parent)->head, parent);
	if (space) {
		maps = maps_of(space, parent);
		ustack_maps_share(maps);
	}
	spin_unlock_bh(&bucket_of(parent)->lock);
	if (space)
		ustack_space_create(child, maps, false, USTACK_GFP_PROCESS);
}

bool ustack_space_next_region(const struct mm_struct *mm, u64 from, u64 *start,
			      u64 *end)
{
	const struct ustack_mapping *m = NULL;
	const struct ustack_space *space;

	rcu_read_lock();
	space = ustack_space_find(mm);
	if (space)
		m = ustack_maps_next_region(rcu_dereference(space->maps), from);
	if (m) {
		*start = m->start;
		*end = m->end;
	}
	rcu_read_unlock();
	return m;
}

void ustack_space_get_totals(struct ustack_space_totals *ret)
{
	int cpu;

	ret->spaces = 0;
	for_each_possible_cpu(cpu)
		ret->spaces += READ_ONCE(per_cpu(nr_spaces, cpu));
	ret->bytes = ustack_maps_total_bytes() +
		     (u64)ret->spaces * sizeof(struct ustack_space);
}

void ustack_space_init(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(buckets); i++)
		spin_lock_init(&buckets[i].lock);
}

void ustack_space_exit(void)
{
	struct ustack_space *space;
	struct hlist_node *next;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(buckets); i++) {
		spin_lock_bh(&buckets[i].lock);
		hlist_for_each_entry_safe(space, next, &buckets[i].head, node)
			unlink_space(space);
		spin_unlock_bh(&buckets[i].lock);
		cond_resched();
	}
}
