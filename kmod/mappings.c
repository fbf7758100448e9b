// SPDX-License-Identifier: GPL-2.0-only
/*
 * The hooks: they bring changes of mappings into spaces.
 *
 * Why no mapping is ever stale: each way in which an address gets a mapping
 * passes perf_event_mmap(), copy_vma() or, for files that grow in place,
 * uprobe_mmap(), with mmap_lock held, before any thread can run there, and
 * replaces the old mapping. Each way in which an address loses its mapping
 * passes unlink_anon_vmas(), also for file mappings. (uprobe_munmap() would be
 * the obvious choice, but is also called for parts of splits and merges that
 * stay, and without mmap_lock when a file is truncated.) A process's first list
 * is made under mmap_lock. The one change that is made under a downgraded lock,
 * munmap's, only removes, and its vmas have left the tree before the lock was
 * downgraded.
 */
#include "mappings.h"

#include <linux/mm.h>
#include <linux/sched.h>

#include "compat.h"
#include "jobs.h"
#include "learn.h"
#include "limits.h"

/* ---- which vmas have an image -------------------------------------------- */

static bool is_vdso(const struct vm_area_struct *vma)
{
	const char *name = NULL;

	if (!vma->vm_file && vma->vm_ops && vma->vm_ops->name)
		name = vma->vm_ops->name((struct vm_area_struct *)vma);
	return name && !strcmp(name, "[vdso]");
}

/* Return: whether kernel_read() can read the file; it cannot read devices. */
static bool is_readable(const struct file *file)
{
	return S_ISREG(file_inode(file)->i_mode) && file->f_op->read_iter &&
	       !file->f_op->read && file->f_mode & FMODE_READ;
}

bool ustack_mapping_of(struct vm_area_struct *vma, gfp_t gfp,
		       struct ustack_mapping *ret)
{
	struct ustack_identity id = { .kind = USTACK_IMAGE_VDSO };

	if (!(vma->vm_flags & VM_EXEC))
		return false;
	if (vma->vm_file && is_readable(vma->vm_file))
		ustack_identity_of(file_inode(vma->vm_file), &id);
	else if (!is_vdso(vma))
		return false;
	ret->image = ustack_image_get(&id, gfp);
	if (!ret->image)
		return false;
	ret->start = vma->vm_start;
	ret->end = vma->vm_end;
	ret->off = vma->vm_file ? (u64)vma->vm_pgoff << PAGE_SHIFT : 0;
	return true;
}

/* ---- entries of the hooks ------------------------------------------------- */

bool ustack_mm_known(const struct mm_struct *mm)
{
	bool known;

	rcu_read_lock();
	known = ustack_space_find(mm);
	rcu_read_unlock();
	return known;
}

/*
 * Called under mmap_lock for writing. If files are left that no worker may
 * read, current reads them on its way back to user mode. Return: whether @mm
 * has a space.
 */
static bool meet(struct mm_struct *mm)
{
	bool mine = mm == current->mm && !(current->flags & PF_KTHREAD);
	struct ustack_space *space;
	bool known, unread;

	rcu_read_lock();
	space = ustack_space_find(mm);
	known = space;
	unread = known && mine && READ_ONCE(space->unread);
	if (unread)
		WRITE_ONCE(space->unread, false);
	rcu_read_unlock();
	/* Without memory for the job, the next sample asks again. */
	if (unread)
		ustack_job_call(ustack_learn_unread, GFP_ATOMIC);
	return known;
}

/*
 * Return: whether a file that was just mapped must be read now. A file that has
 * been read before must be, as its old data may be wrong now.
 */
static bool is_due(const struct ustack_image *image)
{
	return ustack_image_wants_build(image) &&
	       (READ_ONCE(ustack_eager) || !ustack_image_is_new(image));
}

/*
 * Nearly all mappings are data, and every machine pays for the work done here.
 * An earlier file mapping at that place has passed unlink_anon_vmas(), unless
 * only the protection has changed: then the vma still has the file, or the
 * special mapping's operations.
 */
static void learn_data(const struct vm_area_struct *vma)
{
	if (READ_ONCE(ustack_space_any_unread) && !meet(vma->vm_mm))
		return;
	if (vma->vm_file)
		ustack_space_replace(vma->vm_mm, vma->vm_start, vma->vm_end, NULL,
				     USTACK_KEEP_NONE);
	else if (vma->vm_ops)
		ustack_space_replace(vma->vm_mm, vma->vm_start, vma->vm_end, NULL,
				     USTACK_KEEP_REGIONS);
}

void ustack_learn_mmap(struct vm_area_struct *vma)
{
	struct mm_struct *mm = vma->vm_mm;
	struct ustack_image_place place;
	struct ustack_mapping m;

	if (!(vma->vm_flags & VM_EXEC)) {
		learn_data(vma);
		return;
	}
	if (!meet(mm))
		return;
	if (!ustack_mapping_of(vma, GFP_ATOMIC, &m)) {
		/* Without memory for an image record there is no image here. */
		ustack_space_replace(mm, vma->vm_start, vma->vm_end, NULL,
				     vma->vm_file ? USTACK_KEEP_NONE :
						    USTACK_KEEP_REGIONS);
		return;
	}
	ustack_space_replace(mm, m.start, m.end, &m, USTACK_KEEP_NONE);
	place = ustack_place_of(vma, current->tgid);
	if (!vma->vm_file)
		ustack_image_meet_vdso(m.image, &place);
	else if (mm == current->mm && is_due(m.image))
		ustack_job_add(ustack_job_new(vma->vm_file, m.image, &place,
					      GFP_ATOMIC));
	ustack_image_put(m.image);
}

/*
 * Return: whether the vma's space covers all of it, with one image and its
 * offsets; also true if there is no space.
 */
static bool is_covered(const struct vm_area_struct *vma)
{
	u64 at = vma->vm_start, off = (u64)vma->vm_pgoff << PAGE_SHIFT;
	const struct ustack_mapping *m = NULL;
	const struct ustack_image *image = NULL;
	const struct ustack_space *space;
	const struct ustack_maps *maps;

	rcu_read_lock();
	space = ustack_space_find(vma->vm_mm);
	maps = space ? rcu_dereference(space->maps) : NULL;
	while (space && at < vma->vm_end) {
		m = ustack_maps_find(maps, at, m);
		if (!m || (image && m->image != image) ||
		    m->off + (at - m->start) != off + (at - vma->vm_start))
			break;
		image = m->image;
		at = m->end;
	}
	rcu_read_unlock();
	return !space || at >= vma->vm_end;
}

/*
 * No other hook sees an mremap() that grows a mapping in place. For a vma that
 * was just mapped, or has changed its protection, perf_event_mmap() is called
 * as well, before or after this.
 */
void ustack_learn_resize(struct vm_area_struct *vma)
{
	struct ustack_mapping m;

	if (!(vma->vm_flags & VM_EXEC) || is_covered(vma) ||
	    !ustack_mapping_of(vma, GFP_ATOMIC, &m))
		return;
	ustack_space_replace(vma->vm_mm, m.start, m.end, &m, USTACK_KEEP_NONE);
	ustack_image_put(m.image);
}

/*
 * A vma that is merged away has left the tree, and its neighbour is there in
 * its place. One that is unmapped has left the tree without a successor, or is
 * marked while it waits for the vma that MAP_FIXED puts there. One that is in
 * the tree without the mark stays: all of its anonymous pages were moved away
 * (MREMAP_DONTUNMAP), or it was to take over a neighbour's and there was no
 * memory for that. Then a file's bytes are still there; code that a JIT has
 * written is not.
 *
 * Once there is a JIT region, vmas that are not executable count, too: it may
 * have been made writable again. Other memory that is not executable has
 * nothing in the space.
 */
void ustack_learn_unlink(struct vm_area_struct *vma)
{
	enum ustack_keep keep = USTACK_KEEP_NONE;
	struct vm_area_struct *now;

	/*
	 * The first checks end this for nearly all calls: data is unmapped, or
	 * a whole process, whose space is gone since ustack_learn_exit_mmap().
	 */
	if (!atomic_read(&vma->vm_mm->mm_users))
		return;
	if (!(vma->vm_flags & VM_EXEC) && !READ_ONCE(ustack_maps_any_regions))
		return;
	if (!ustack_space_overlap(vma->vm_mm, vma->vm_start, vma->vm_end,
				  USTACK_KEEP_NONE))
		return;
	now = find_vma(vma->vm_mm, vma->vm_start);
	if (now == vma && !ustack_vma_detached(vma))
		keep = USTACK_KEEP_FILES;
	else if (now && now != vma && now->vm_start <= vma->vm_start)
		return;
	ustack_space_replace(vma->vm_mm, vma->vm_start, vma->vm_end, NULL, keep);
}

void ustack_learn_move(struct vm_area_struct *vma, u64 addr, u64 len, u64 pgoff)
{
	struct ustack_mapping m;

	if (!meet(vma->vm_mm))
		return;
	if (!ustack_mapping_of(vma, GFP_ATOMIC, &m)) {
		ustack_space_replace(vma->vm_mm, addr, addr + len, NULL,
				     USTACK_KEEP_NONE);
		return;
	}
	/* Perhaps only a part of @vma is moved: @pgoff says which. */
	m.start = addr;
	m.end = addr + len;
	m.off += (pgoff - vma->vm_pgoff) << PAGE_SHIFT;
	ustack_space_replace(vma->vm_mm, m.start, m.end, &m, USTACK_KEEP_NONE);
	ustack_image_put(m.image);
}

/*
 * Fork does not copy some memory, or wipes it (MADV_DONTFORK, MADV_WIPEONFORK):
 * the child has no copy of a region there, and may map other code there.
 */
static void drop_uncopied(struct mm_struct *parent, struct mm_struct *child,
			  u64 start, u64 end)
{
	struct vm_area_struct *vma;

	for (vma = find_vma(parent, start); vma && vma->vm_start < end;
	     vma = find_vma(parent, vma->vm_end))
		if (vma->vm_flags & (VM_DONTCOPY | VM_WIPEONFORK))
			ustack_space_replace(child, max_t(u64, start, vma->vm_start),
					     min_t(u64, end, vma->vm_end), NULL,
					     USTACK_KEEP_FILES);
}

void ustack_learn_fork(struct mm_struct *parent, struct mm_struct *child)
{
	u64 start, end;

	ustack_space_fork(parent, child);
	for (end = 0; ustack_space_next_region(parent, end, &start, &end);)
		drop_uncopied(parent, child, start, end);
}

void ustack_learn_exit_mmap(struct mm_struct *mm)
{
	ustack_space_forget(mm);
}

static void started(void)
{
	ustack_space_started(current->mm);
}

void ustack_learn_exec(void)
{
	struct mm_struct *mm = current->mm;

	if (!mm)
		return;
	/*
	 * The job clears "starting". Without it the mm stays unknown, and is
	 * learned when it is sampled.
	 */
	if (!ustack_space_create(mm, NULL, true, USTACK_GFP_PROCESS) &&
	    !ustack_job_call(started, GFP_ATOMIC))
		ustack_space_forget(mm);
}
