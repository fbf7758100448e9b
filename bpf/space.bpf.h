/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Keeps for each process a space, which says what is mapped where. Programs change it at fork,
 * execve, mmap, munmap and exit; the walk (unwind.bpf.h) reads it.
 *
 * Writers are tasks, never an interrupt. Two of them may come at the same time, as tracepoints
 * of system calls run without mmap_lock: the second one changes nothing, and asks user space to
 * look at the process. Readers run in any context, and see by @seq that a space was changed.
 */
#ifndef USTACK_BPF_SPACE_H
#define USTACK_BPF_SPACE_H

#include <linux/bpf.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <stdbool.h>

#include "kernel.bpf.h"
#include "spaces.bpf.h"
#include "tables.h"

#include "reason.h"

/* Numbers of images; the key is the file. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, TABLES_IMAGES);
	__type(key, struct tables_file);
	__type(value, __u32);
} files SEC(".maps");

/* Numbers that user space has given back. */
struct {
	__uint(type, BPF_MAP_TYPE_QUEUE);
	__uint(max_entries, TABLES_IMAGES);
	__type(value, __u32);
} free_images SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct tables_shares);
} shares SEC(".maps");

/* Number of image numbers that were given out for the first time; only programs change it. */
__u32 nr_images = TABLES_FIRST_FILE;

/* Time of bpf_ktime_get_ns() when user space was last told that numbers are scarce. */
__u64 scarce_told;

/* Number of space ids that were given out. */
__u64 nr_spaces;

/* The space of a process of which nothing is known yet. */
static const volatile struct tables_space empty_space = {
	.window = { [0 ... TABLES_WINDOWS - 1] = { .start = ~0ull } },
};

/*
 * Asks user space to look at the process's mappings. If the wish had no room, the next miss
 * asks again.
 */
static __always_inline void space_missed(struct tables_space *space, __u32 tgid)
{
	const struct tables_wish wish = { .image = TABLES_MADE, .tgid = tgid };

	if (space && __sync_fetch_and_or(&space->flags, TABLES_MISSED) & TABLES_MISSED)
		return;
	if (!wish_send(&wish) && space)
		__sync_fetch_and_and(&space->flags, ~TABLES_MISSED);
}

/* @flags: TABLES_FULL, perhaps with TABLES_HUGE; user space is asked once for each. */
static __always_inline void space_full(struct tables_space *space, __u32 tgid, __u32 flags)
{
	const struct tables_wish wish = { .image = TABLES_MADE, .tgid = tgid };

	if (flags & ~__sync_fetch_and_or(&space->flags, flags))
		__sync_fetch_and_and(&space->flags, ~TABLES_ASKED);
	space_ask(space, &wish);
}

/* Begins a change of the space. Return: false if another task is changing it now. */
static __always_inline bool space_begin(struct tables_space *space)
{
	__u64 seq = space->seq;

	return !(seq & 1) && __sync_val_compare_and_swap(&space->seq, seq, seq + 1) == seq;
}

static __always_inline void space_end(struct tables_space *space)
{
	__sync_fetch_and_add(&space->seq, 1);
}

/*
 * A change of windows: the windows at [@start, @end) are replaced by another one, or by
 * nothing.
 *
 * @wide: windows that are changed instead of the space's own, or NULL
 * @huge: windows that are changed instead of the space's own and of @wide, or NULL
 * @nr: number of windows in use
 * @first: number of the first window that ends after @start
 * @last: number of the first window that begins at or after @end; the windows from @first to
 *        before @last overlap the range
 * @by: how far the windows from @last on move, as a number of windows
 */
struct space_edit {
	struct tables_space *space;
	struct tables_wide *wide;
	struct tables_wide *huge;
	__u64 start;
	__u64 end;
	__s64 nr;
	__s64 first;
	__s64 last;
	__s64 by;
};

static __always_inline struct tables_window *edit_window(struct space_edit *e, __u64 i)
{
	if (e->huge)
		return huge_window(e->huge, i);
	return e->wide ? wide_window(e->wide, i) : space_window(e->space, i);
}

/* Return: number of windows for which there is room. */
static __always_inline __s64 edit_room(const struct space_edit *e)
{
	if (e->huge)
		return TABLES_HUGE_WINDOWS;
	return e->wide ? TABLES_WIDE_WINDOWS : TABLES_WINDOWS;
}

/*
 * Return: number of windows that begin before @addr; they are the first ones. This function and
 * edit_find() have no branches, as WINDOW_SEARCH() has none: the verifier would follow both
 * sides of each of seven branches, to the end, and look at ten times as many instructions.
 */
static __always_inline __s64 edit_before(struct space_edit *e, __u64 addr)
{
	__u64 at, start;

	if (e->huge)
		at = huge_search(e->huge, addr - 1);
	else
		at = e->wide ? wide_search(e->wide, addr - 1) : space_search(e->space, addr - 1);
	start = edit_window(e, at)->start;
	return at + (((start - addr) & ~start) >> 63);
}

static __always_inline void edit_find(struct space_edit *e)
{
	const struct tables_window *w;

	e->nr = edit_before(e, ~0ull >> 1);
	e->last = edit_before(e, e->end);
	e->first = edit_before(e, e->start + 1);
	/*
	 * if there is no window before, this takes the last window of all, which the mask
	 * removes
	 */
	w = edit_window(e, e->first - 1);
	e->first -= ((e->start - w->start - w->len) & -e->first) >> 63;
}

/*
 * Number of windows that a turn moves: the turn itself takes longer than moving a window. One
 * by one, 16,384 windows would take 0.3 ms.
 */
#define EDIT_BATCH 4
#define EDIT_TURNS (TABLES_HUGE_WINDOWS / EDIT_BATCH)

static long edit_up_turn(__u32 i, struct space_edit *e)
{
	__s64 from = e->nr - 1 - (__s64)i * EDIT_BATCH;
	int k;

#pragma unroll
	for (k = 0; k < EDIT_BATCH; k++, from--) {
		if (from < e->last)
			return 1;
		*edit_window(e, from + e->by) = *edit_window(e, from);
	}
	return 0;
}

static long edit_down_turn(__u32 i, struct space_edit *e)
{
	__s64 from = e->last + (__s64)i * EDIT_BATCH;
	int k;

#pragma unroll
	for (k = 0; k < EDIT_BATCH; k++, from++) {
		if (from >= e->nr)
			return 1;
		*edit_window(e, from + e->by) = *edit_window(e, from);
	}
	return 0;
}

static long edit_clear_turn(__u32 i, struct space_edit *e)
{
	__s64 at = e->nr + e->by + i;

	if (at >= e->nr)
		return 1;
	*edit_window(e, at) = (struct tables_window){ .start = ~0ull };
	return 0;
}

/* Handles that there is no room for another window. */
static __always_inline void edit_full(struct space_edit *e, __u32 tgid)
{
	if (e->huge)
		__sync_fetch_and_or(&e->space->flags, TABLES_CUT);
	else
		space_full(e->space, tgid, e->wide ? TABLES_FULL | TABLES_HUGE : TABLES_FULL);
}

/* Makes room for @mid windows in place of [@first, @last). */
static __always_inline void edit_move(struct space_edit *e, __s64 mid)
{
	e->by = mid - (e->last - e->first);
	if (e->by > 0)
		bpf_loop(EDIT_TURNS, edit_up_turn, e, 0);
	if (e->by < 0) {
		bpf_loop(EDIT_TURNS, edit_down_turn, e, 0);
		bpf_loop(TABLES_HUGE_WINDOWS, edit_clear_turn, e, 0);
	}
}

/*
 * Puts windows in place of those that overlap the range: the remaining part of the first one,
 * @put, and the remaining part of the last one. Windows without room are left out, from the
 * last one on: frames in them are in no image. No window remains for memory that is not mapped
 * any more.
 */
static __always_inline void edit_put(struct space_edit *e, __u32 tgid,
				     const struct tables_window *put)
{
	struct tables_window left = { 0 }, right = { 0 };
	bool has_left = false, has_right = false, has_put = put;
	__s64 room = edit_room(e) - e->nr + (e->last - e->first);

	if (e->first < e->last) {
		left = *edit_window(e, e->first);
		right = *edit_window(e, e->last - 1);
		has_left = left.start < e->start;
		has_right = right.start + right.len > e->end;
		left.len = e->start - left.start;
		right.off += e->end - right.start;
		right.len -= e->end - right.start;
		right.start = e->end;
	}
	if (has_left + has_put + has_right > room) {
		edit_full(e, tgid);
		has_right = false;
		has_put = has_put && has_left + 1 <= room;
	}
	edit_move(e, has_left + has_put + has_right);
	if (has_left)
		*edit_window(e, e->first++) = left;
	if (has_put && put)
		*edit_window(e, e->first++) = *put;
	if (has_right)
		*edit_window(e, e->first) = right;
}

/*
 * Replaces the windows at [@start, @end). A separate function, which the verifier checks once:
 * programs call it from several places.
 *
 * @put: the new window; NULL if the range is empty now
 *
 * Return: whether the range had a window before, or has one now.
 */
__attribute__((__noinline__)) int space_replace(struct tables_space *space, __u32 tgid, __u64 start,
						__u64 end, const struct tables_window *put)
{
	struct space_edit e = { .space = space, .start = start, .end = end };
	__u64 id;

	if (!space)
		return false;
	id = space->id;
	e.huge = huge_of(space, &id);
	if (!e.huge)
		e.wide = wide_of(space, &id);
	edit_find(&e);
	if (!put && e.first >= e.last)
		return false;
	if (!space_begin(space)) {
		space_missed(space, tgid);
		return true;
	}
	/* the windows may have changed before this task owned the space */
	edit_find(&e);
	edit_put(&e, tgid, put);
	space_end(space);
	return true;
}

/* Removes the windows of a range that a process has unmapped. Return: whether there was any. */
static __always_inline bool space_unmap(__u32 tgid, __u64 start, __u64 len)
{
	struct tables_space *space = space_of(tgid);

	return space && len && space_replace(space, tgid, start, start + len, NULL);
}

/* The change time of an inode: in kernels before 6.6, before 6.11, and since then. */
struct inode___6_6 {
	struct timespec64 __i_ctime;
} __attribute__((preserve_access_index));

struct inode___6_11 {
	__s64 i_ctime_sec;
	__u32 i_ctime_nsec;
} __attribute__((preserve_access_index));

/*
 * From 6.13 on the nanoseconds share their field with a flag, which says that the time was
 * queried (I_CTIME_QUERIED, bit 31): it changes when user space looks at the file.
 */
#define CTIME_NSEC ((1u << 30) - 1)

/* A flag of inodes that belong to no file; the kernel has it for shared memory without a name. */
#define S_PRIVATE (1u << 9)

/*
 * Return: the ctime in nanoseconds; 0 for shared memory without a name, where it would change
 * whenever a page is first written, as by a JIT that goes on compiling.
 */
static __always_inline __u64 inode_changed(const struct inode *inode)
{
	const struct inode___6_11 *newest = (void *)inode;
	const struct inode___6_6 *newer = (void *)inode;

	if (BPF_CORE_READ(inode, i_flags) & S_PRIVATE)
		return 0;
	if (bpf_core_field_exists(newest->i_ctime_sec))
		return BPF_CORE_READ(newest, i_ctime_sec) * 1000000000ull +
		       (BPF_CORE_READ(newest, i_ctime_nsec) & CTIME_NSEC);
	if (bpf_core_field_exists(newer->__i_ctime))
		return BPF_CORE_READ(newer, __i_ctime.tv_sec) * 1000000000ull +
		       BPF_CORE_READ(newer, __i_ctime.tv_nsec);
	return BPF_CORE_READ(inode, i_ctime.tv_sec) * 1000000000ull +
	       BPF_CORE_READ(inode, i_ctime.tv_nsec);
}

/*
 * Return: the payer of @task, see struct tables_shares. The kernel nests namespaces at most 32
 * deep.
 */
static __always_inline __u32 payer_of(const struct task_struct *task)
{
	const struct user_namespace *ns = BPF_CORE_READ(task, real_cred, user_ns);
	__u32 owner;
	int i;

	if (!BPF_CORE_READ(ns, level))
		return BPF_CORE_READ(task, real_cred, uid.val);
	for (i = 0; i < 32 && BPF_CORE_READ(ns, level) > 1; i++)
		ns = BPF_CORE_READ(ns, parent);
	owner = BPF_CORE_READ(ns, owner.val);
	return owner ? owner : BPF_CORE_READ(ns, ns.inum) | 1u << 31;
}

static __always_inline void share_add(struct tables_shares *s, __u32 payer, __u32 n)
{
	__sync_fetch_and_add(&s->total, n);
	if (payer)
		__sync_fetch_and_add(&s->of[tables_share_of(payer, s->seed)], n);
}

/*
 * Return: the shares, after the payer's share was increased; NULL if the payer has enough. Two
 * tasks that ask at once may both get the last number: a share is a limit against hoarding, not
 * an exact one.
 */
static __always_inline struct tables_shares *share_take(__u32 payer)
{
	__u32 zero = 0;
	struct tables_shares *s = bpf_map_lookup_elem(&shares, &zero);

	if (!s || (payer && s->total >= TABLES_SCARCE &&
		   s->of[tables_share_of(payer, s->seed)] >= TABLES_SHARE))
		return NULL;
	share_add(s, payer, 1);
	return s;
}

/*
 * Asks user space to look for free numbers. It is told at most once a second, whatever is
 * mapped.
 */
static __always_inline __u32 image_refused(void)
{
	const struct tables_wish wish = { .scarce = 1 };
	__u64 now = bpf_ktime_get_ns();

	if (now - scarce_told > 1000000000ull) {
		scarce_told = now;
		wish_send(&wish);
	}
	return TABLES_MADE;
}

static __always_inline bool image_number(__u32 *ret)
{
	if (!bpf_map_pop_elem(&free_images, ret))
		return true;
	/* the counter must not wrap */
	if (nr_images >= TABLES_IMAGES)
		return false;
	*ret = __sync_fetch_and_add(&nr_images, 1);
	return *ret < TABLES_IMAGES;
}

/*
 * Return: the image's number; TABLES_MADE if there are too many. A separate function, as Linux
 * 6.1 allows 512 bytes of stack from execve to the moving of windows.
 */
static __attribute__((__noinline__)) __u32 image_of(const struct inode *inode, __u32 payer)
{
	struct tables_file file = {
		.dev = BPF_CORE_READ(inode, i_sb, s_dev),
		.ino = BPF_CORE_READ(inode, i_ino),
		.changed = inode_changed(inode),
	};
	const __u32 *known = bpf_map_lookup_elem(&files, &file);
	struct tables_shares *s;
	struct tables_image *image;
	__u32 number;

	if (known)
		return *known;
	s = share_take(payer);
	if (!s)
		return image_refused();
	if (!image_number(&number)) {
		share_add(s, payer, -1);
		return image_refused();
	}
	image = bpf_map_lookup_elem(&ustack_images, &number);
	if (image) {
		image->payer = payer;
		image->file = file;
	}
	if (!bpf_map_update_elem(&files, &file, &number, BPF_NOEXIST))
		return number;
	/* another CPU has added the file meanwhile */
	share_add(s, payer, -1);
	bpf_map_push_elem(&free_images, &number, 0);
	known = bpf_map_lookup_elem(&files, &file);
	return known ? *known : TABLES_MADE;
}

static __always_inline __u32 image_of_vma(const struct vm_area_struct *vma, __u64 start, __u32 payer)
{
	const struct inode *inode = BPF_CORE_READ(vma, vm_file, f_inode);
	__u64 vdso;

	if (inode)
		return image_of(inode, payer);
	vdso = (__u64)BPF_CORE_READ(vma, vm_mm, context.vdso);
	return vdso == start ? TABLES_VDSO : TABLES_MADE;
}

static __always_inline __u64 space_id(void)
{
	return __sync_fetch_and_add(&nr_spaces, 1) + 1;
}

/* Return: an empty space for the process, or NULL. */
static __always_inline struct tables_space *space_new(const struct task_struct *task, __u64 mm)
{
	const struct task_struct *leader = BPF_CORE_READ(task, group_leader);
	__u32 tgid = BPF_CORE_READ(task, tgid);
	struct tables_space *space;

	if (bpf_map_update_elem(&ustack_spaces, &tgid, (void *)&empty_space, BPF_ANY))
		return NULL;
	space = bpf_map_lookup_elem(&ustack_spaces, &tgid);
	if (space) {
		space->mm = mm;
		space->start = BPF_CORE_READ(leader, start_boottime);
		space->id = space_id();
	}
	return space;
}

/*
 * Return: the space of the memory that @task has changed. If that is not the space's memory,
 * the task is within execve, and everything that was known is void.
 */
static __always_inline struct tables_space *space_for(const struct task_struct *task, __u64 mm)
{
	struct tables_space *space = space_of(BPF_CORE_READ(task, tgid));

	if (space && space->mm == mm)
		return space;
	space = space_new(task, mm);
	if (space)
		space->flags = TABLES_STARTING;
	return space;
}

/* Puts a mapping into the space as it is now; the caller holds mmap_lock. */
static __always_inline void space_map(const struct task_struct *task, struct tables_space *space,
				      const struct vm_area_struct *vma)
{
	__u32 tgid = BPF_CORE_READ(task, tgid);
	__u64 start = BPF_CORE_READ(vma, vm_start), end = BPF_CORE_READ(vma, vm_end);
	const struct tables_image *image;
	struct tables_window w = {
		.start = start, .len = end - start,
		.off = (__u64)BPF_CORE_READ(vma, vm_pgoff) << 12,
	};
	struct tables_wish wish = { .tgid = tgid, .start = start, .end = end };
	__u32 number;

	if (!(BPF_CORE_READ(vma, vm_flags) & VM_EXEC)) {
		space_replace(space, tgid, start, end, NULL);
		return;
	}
	space->payer = payer_of(task);
	w.image = wish.image = number = image_of_vma(vma, start, space->payer);
	if (number < TABLES_FIRST_FILE)
		w.off = 0;
	space_replace(space, tgid, start, end, &w);
	image = bpf_map_lookup_elem(&ustack_images, &number);
	if (image && image->why == USTACK_BUILDING)
		wish_send(&wish);
}

struct space_look {
	const struct task_struct *task;
	struct tables_space *space;
};

static long space_look_vma(struct task_struct *task, struct vm_area_struct *vma,
			   struct space_look *look)
{
	if (look->space)
		space_map(look->task, look->space, vma);
	return 0;
}

/* Puts the mapping that the current process has at @addr into its space. */
static __always_inline void space_look_at(struct tables_space *space, __u64 addr)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct space_look look = { .task = task, .space = space };

	if (bpf_find_vma(task, addr, space_look_vma, &look, 0))
		space_missed(space, task->tgid);
}

/* Called at sched_process_fork: copies or shares the parent's space. */
static __always_inline void space_fork(const struct task_struct *parent,
				       const struct task_struct *child)
{
	__u32 from = parent->tgid, tgid = child->tgid;
	struct tables_space *space, *old = space_of(from);
	__u64 seq;

	if (!child->mm)
		return;
	if (!old || old->mm != (__u64)parent->mm) {
		space_missed(NULL, tgid);
		return;
	}
	if (child->mm == parent->mm) {
		space = bpf_map_lookup_elem(&ustack_spaces, &from);
		if (space && space->same_as)
			from = space->same_as;
		space = space_new(child, (__u64)child->mm);
		if (space)
			space->same_as = from;
		return;
	}
	/* its windows may be in a map of wide windows, which cannot be copied here */
	if (old->flags & TABLES_FULL) {
		space = space_new(child, (__u64)child->mm);
		if (space)
			space_full(space, tgid, old->flags & (TABLES_FULL | TABLES_HUGE));
		return;
	}
	seq = old->seq;
	if (bpf_map_update_elem(&ustack_spaces, &tgid, old, BPF_ANY))
		return;
	space = bpf_map_lookup_elem(&ustack_spaces, &tgid);
	if (!space)
		return;
	space->mm = (__u64)child->mm;
	space->start = child->start_boottime;
	space->id = space_id();
	space->same_as = 0;
	space->seq = 0;
	if (seq & 1 || seq != *(volatile __u64 *)&old->seq)
		space_missed(space, tgid);
}

/* Largest number of windows that are looked up at the end of execve. */
#define EXEC_WINDOWS 3

/*
 * Return: whether the process has more executable pages than its windows cover: a program may
 * have several executable segments, and only one is looked up. The kernel's count leaves out
 * writable ones. A separate function, as Linux 6.1 allows 512 bytes of stack from execve to the
 * moving of windows.
 */
static __attribute__((__noinline__)) bool space_lacks(const struct tables_space *space,
						      const struct mm_struct *mm)
{
	__u64 bytes = (__u64)BPF_CORE_READ(mm, exec_vm) << 12, sum = 0;
	int i;

#pragma unroll
	for (i = 0; i < EXEC_WINDOWS; i++)
		if (space->window[i].start != ~0ull)
			sum += space->window[i].len;
	return bytes > sum;
}

/*
 * Called at sched_process_exec: the registers are the new program's. If mappings are seen when
 * they are made, the space is complete; else the program, its interpreter and the vDSO are
 * looked up, and user space must look if there is more.
 */
static __always_inline void space_exec(struct task_struct *task)
{
	const struct user_regs *regs = (void *)bpf_task_pt_regs(task);
	__u64 mm = (__u64)task->mm, pc = 0;
	struct tables_space *space = space_of(task->tgid);

	if (space && space->mm == mm && space->flags & TABLES_STARTING) {
		__sync_fetch_and_and(&space->flags, ~TABLES_STARTING);
		return;
	}
	space = space_new(task, mm);
	if (!space)
		return;
	bpf_probe_read_kernel(&pc, sizeof(pc), &regs_pc(regs));
	space_look_at(space, BPF_CORE_READ(task, mm, start_code));
	space_look_at(space, pc);
	space_look_at(space, (__u64)BPF_CORE_READ(task, mm, context.vdso));
	if (space_lacks(space, task->mm))
		space_missed(space, task->tgid);
}

/* Called at sched_process_free for the leader of a process. */
static __always_inline void space_free(const struct task_struct *task)
{
	__u32 tgid = task->tgid;
	const struct tables_space *space = bpf_map_lookup_elem(&ustack_spaces, &tgid);

	if (space && space->start == task->start_boottime)
		bpf_map_delete_elem(&ustack_spaces, &tgid);
}

#endif /* USTACK_BPF_SPACE_H */
