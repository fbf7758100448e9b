// SPDX-License-Identifier: GPL-2.0
/* The table of spaces: hash of mm pointers, copy-on-write mapping lists. */
#include "space.h"

#include <linux/hash.h>
#include <linux/mm.h>
#include <linux/rculist.h>
#include <linux/slab.h>

#include "limits.h"

/* Locks are per bucket, so that forks on many CPUs do not meet. */
static struct {
	spinlock_t lock;
	struct hlist_head head;
} buckets[1 << USTACK_SPACE_HASH_BITS];

static atomic_t nr_spaces;
static atomic64_t nr_bytes;

#define bucket_of(mm) (&buckets[hash_ptr(mm, USTACK_SPACE_HASH_BITS)])

struct ustack_maps *ustack_maps_alloc(u32 nr, gfp_t gfp)
{
	struct ustack_maps *maps;
	size_t size = struct_size(maps, m, nr);

	/* Lists are short; without sleeping, only kmalloc can be had. */
	if (gfpflags_allow_blocking(gfp))
		maps = kvmalloc(size, gfp);
	else
		maps = kmalloc(size, gfp | __GFP_NOWARN);
	if (!maps)
		return NULL;
	refcount_set(&maps->users, 1);
	maps->nr = 0;
	maps->nr_regions = 0;
	return maps;
}

static u64 maps_bytes(const struct ustack_maps *maps)
{
	return struct_size(maps, m, maps->nr);
}

/* After the grace period: no sample uses the list any more. */
static void free_maps_rcu(struct rcu_head *rcu)
{
	struct ustack_maps *maps = container_of(rcu, struct ustack_maps, rcu);
	u32 i;

	for (i = 0; i < maps->nr; i++)
		ustack_image_put(maps->m[i].image);
	kvfree(maps);
}

void ustack_maps_put(struct ustack_maps *maps)
{
	if (maps && refcount_dec_and_test(&maps->users)) {
		atomic64_sub(maps_bytes(maps), &nr_bytes);
		call_rcu(&maps->rcu, free_maps_rcu);
	}
}

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

static void unlink_space(struct ustack_space *space)
{
	struct ustack_maps *maps = maps_of(space, space->mm);

	hlist_del_rcu(&space->node);
	atomic_dec(&nr_spaces);
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

static void link_space(struct ustack_space *space)
{
	hlist_add_head_rcu(&space->node, &bucket_of(space->mm)->head);
	atomic_inc(&nr_spaces);
}

int ustack_space_create(struct mm_struct *mm, struct ustack_maps *maps,
			bool starting, gfp_t gfp)
{
	struct ustack_space *space, *old;

	if (maps)
		atomic64_add(maps_bytes(maps), &nr_bytes);
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
	struct ustack_space *space;

	might_sleep();
	atomic64_add(maps_bytes(maps), &nr_bytes);
	space = new_space(mm, maps, false, GFP_KERNEL);
	if (!space) {
		ustack_maps_put(maps);
		return -ENOMEM;
	}
	spin_lock_bh(&bucket_of(mm)->lock);
	if (!find_in(&bucket_of(mm)->head, mm)) {
		link_space(space);
		space = NULL;
	}
	spin_unlock_bh(&bucket_of(mm)->lock);
	if (space) {
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

static bool is_region(const struct ustack_mapping *m)
{
	return m->image->id.kind == USTACK_IMAGE_REGION;
}

/* Appends [start, end) of @from, which covers it, with a user of its own. */
static void append_part(struct ustack_maps *to,
			const struct ustack_mapping *from, u64 start, u64 end)
{
	if (start >= end)
		return;
	ustack_image_hold(from->image);
	to->nr_regions += is_region(from);
	to->m[to->nr++] = (struct ustack_mapping){
		.start = start,
		.end = end,
		.off = from->off + (start - from->start),
		.image = from->image,
	};
}

static bool stays(const struct ustack_mapping *m, enum ustack_keep keep)
{
	if (keep == USTACK_KEEP_NONE)
		return false;
	return is_region(m) == (keep == USTACK_KEEP_REGIONS);
}

/* Whether there is anything to take away. */
static bool touches(const struct ustack_maps *maps, u64 start, u64 end,
		    enum ustack_keep keep)
{
	u32 i;

	for (i = 0; maps && i < maps->nr; i++)
		if (maps->m[i].start < end && start < maps->m[i].end &&
		    !stays(&maps->m[i], keep))
			return true;
	return false;
}

/* How many parts of @old stay outside [start, end). */
static u32 parts_left(const struct ustack_maps *old, u64 start, u64 end,
		      enum ustack_keep keep)
{
	u32 i, nr = 0;

	for (i = 0; old && i < old->nr; i++) {
		const struct ustack_mapping *m = &old->m[i];

		if (stays(m, keep) || m->end <= start || m->start >= end)
			nr++;
		else
			nr += (m->start < start) + (m->end > end);
	}
	return nr;
}

/*
 * @old without [start, end), with @mapping there: one list becomes another. At
 * the limit it is what would be new that is left out, @mapping or the second half
 * of one that is split: no mapping there, no table. What the process had before,
 * its program and libraries among it, stays.
 */
static struct ustack_maps *edit(const struct ustack_maps *old, u64 start,
				u64 end, const struct ustack_mapping *mapping,
				enum ustack_keep keep)
{
	u32 i, left = parts_left(old, start, end, keep);
	bool placed = !mapping || left >= USTACK_MAX_MAPPINGS;
	struct ustack_maps *maps;

	maps = ustack_maps_alloc(min(left + !placed, USTACK_MAX_MAPPINGS),
				 GFP_ATOMIC);
	if (!maps)
		return NULL;
	for (i = 0; old && i < old->nr; i++) {
		const struct ustack_mapping *m = &old->m[i];

		if (stays(m, keep)) {
			append_part(maps, m, m->start, m->end);
			continue;
		}
		append_part(maps, m, m->start, min(m->end, start));
		if (!placed && m->end > start) {
			append_part(maps, mapping, start, end);
			placed = true;
		}
		if (left <= USTACK_MAX_MAPPINGS || m->start >= start)
			append_part(maps, m, max(m->start, end), m->end);
	}
	if (!placed)
		append_part(maps, mapping, start, end);
	return maps;
}

void ustack_space_replace(const struct mm_struct *mm, u64 start, u64 end,
			  const struct ustack_mapping *mapping,
			  enum ustack_keep keep)
{
	struct ustack_maps *old, *new;
	struct ustack_space *space;

	spin_lock_bh(&bucket_of(mm)->lock);
	space = find_in(&bucket_of(mm)->head, mm);
	if (!space)
		goto unlock;
	old = maps_of(space, mm);
	if (!mapping && !touches(old, start, end, keep))
		goto unlock;
	new = edit(old, start, end, mapping, keep);
	if (!new) {
		unlink_space(space);
		goto unlock;
	}
	atomic64_add(maps_bytes(new), &nr_bytes);
	rcu_assign_pointer(space->maps, new);
	ustack_maps_put(old);
unlock:
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
		if (maps)
			refcount_inc(&maps->users);
	}
	spin_unlock_bh(&bucket_of(parent)->lock);
	if (!space)
		return;
	/* create() counts the list's bytes, which both spaces share */
	if (maps)
		atomic64_sub(maps_bytes(maps), &nr_bytes);
	ustack_space_create(child, maps, false, GFP_ATOMIC);
}

bool ustack_space_next_region(const struct mm_struct *mm, u64 from, u64 *start,
			      u64 *end)
{
	const struct ustack_space *space;
	const struct ustack_maps *maps;
	bool found = false;
	u32 i;

	rcu_read_lock();
	space = ustack_space_find(mm);
	maps = space ? rcu_dereference(space->maps) : NULL;
	for (i = 0; maps && maps->nr_regions && i < maps->nr; i++) {
		if (!is_region(&maps->m[i]) || maps->m[i].end <= from)
			continue;
		*start = maps->m[i].start;
		*end = maps->m[i].end;
		found = true;
		break;
	}
	rcu_read_unlock();
	return found;
}

void ustack_space_get_totals(struct ustack_space_totals *ret)
{
	ret->spaces = atomic_read(&nr_spaces);
	ret->bytes = atomic64_read(&nr_bytes) +
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
