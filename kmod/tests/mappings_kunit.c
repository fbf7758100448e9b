// SPDX-License-Identifier: GPL-2.0-only
/* Tests of the hooks' reports: which mappings have images, or lose them. */
#include "learn_kunit.h"

#include <linux/kthread.h>
#include <linux/mman.h>

#include "../compat.h"

/* The answer of vmas that are still in the tree. */
static bool detached;
#define ustack_vma_detached(vma) (detached)
#include "../mappings.c"

static void mmap_file(struct kunit *test)
{
	struct file *file = test_file(test, 4);
	struct vm_area_struct *vma = test_vma(test, file, 0x10000, 0x12000);
	const struct ustack_mapping *m;

	/* nobody has sampled this mm: nothing is recorded about it */
	ustack_learn_mmap(vma);
	KUNIT_EXPECT_FALSE(test, ustack_mm_known(current->mm));
	KUNIT_EXPECT_EQ(test, test_nr_works(), 0);

	test_know(test);
	ustack_learn_mmap(vma);
	m = test_mapping_at(0x10000);
	KUNIT_ASSERT_NOT_NULL(test, m);
	KUNIT_EXPECT_EQ(test, m->end, 0x12000);
	KUNIT_EXPECT_EQ(test, m->off, PAGE_SIZE);
	KUNIT_EXPECT_EQ(test, test_users(m->image), 2);
	KUNIT_EXPECT_EQ(test, test_nr_works(), 1);
	KUNIT_EXPECT_EQ(test, test_nr_task_jobs(), 1);
	KUNIT_EXPECT_TRUE(test, ustack_image_is_new(m->image));
	KUNIT_EXPECT_EQ(test, 1, test_run_works());
	KUNIT_EXPECT_EQ(test, test_nr_task_jobs(), 0);
	KUNIT_EXPECT_EQ(test, test_cfa_off(m->image), 8);
	KUNIT_EXPECT_EQ(test, test_users(m->image), 1);
	KUNIT_EXPECT_EQ(test, m->image->pid, current->tgid);
	KUNIT_EXPECT_EQ(test, m->image->start, 0x10000);
	/* the same file again: nothing is left to be done */
	ustack_learn_mmap(test_vma(test, file, 0x20000, 0x22000));
	KUNIT_EXPECT_EQ(test, test_nr_works(), 0);
	KUNIT_EXPECT_PTR_EQ(test, test_mapping_at(0x20000)->image, test_mapping_at(0x10000)->image);
}

static void mmap_of_another(struct kunit *test)
{
	struct vm_area_struct *vma;
	const struct ustack_space *space;
	struct mm_struct *other = (void *)&vma;
	const struct ustack_maps *maps;

	vma = test_vma(test, test_file(test, 4), 0x10000, 0x12000);
	vma->vm_mm = other;
	KUNIT_ASSERT_EQ(test, 0,
			ustack_space_create(other, NULL, false, GFP_KERNEL));
	ustack_learn_mmap(vma);
	space = ustack_space_find(other);
	maps = rcu_dereference_protected(space->maps, true);
	KUNIT_EXPECT_NOT_NULL(test, ustack_maps_find(maps, 0x10000, NULL));
	/* it is not this task that will run code there */
	KUNIT_EXPECT_EQ(test, test_nr_works(), 0);
	ustack_space_forget(other);
}

/* A kernel thread that uses another's mm never returns to user mode. */
static void mmap_by_kthread(struct kunit *test)
{
	test_know(test);
	test_kthread_mark = real_kthread_mark;
	ustack_learn_mmap(test_vma(test, test_file(test, 4), 0x10000, 0x12000));
	test_kthread_mark = 0;
	KUNIT_EXPECT_EQ(test, test_nr_works(), 0);
	test_flush_jobs();
	KUNIT_EXPECT_EQ(test, test_cfa_off(test_mapping_at(0x10000)->image), 8);
	KUNIT_EXPECT_EQ(test, test_users(test_mapping_at(0x10000)->image), 1);
}

static void mmap_without_image(struct kunit *test)
{
	struct file *file = test_file(test, 4), *writer;
	struct vm_area_struct *vma = test_vma(test, file, 0x10000, 0x12000);

	test_know(test);
	ustack_learn_mmap(vma);
	KUNIT_EXPECT_NOT_NULL(test, test_mapping_at(0x11000));
	/* its protection changes: it is no longer code */
	vm_flags_init(vma, VM_READ);
	ustack_learn_mmap(vma);
	KUNIT_EXPECT_NULL(test, test_mapping_at(0x11000));
	vm_flags_init(vma, VM_READ | VM_EXEC);
	ustack_learn_mmap(vma);
	KUNIT_EXPECT_NOT_NULL(test, test_mapping_at(0x11000));
	/* anonymous memory over the second half */
	ustack_learn_mmap(test_vma(test, NULL, 0x11000, 0x13000));
	KUNIT_EXPECT_NOT_NULL(test, test_mapping_at(0x10000));
	KUNIT_EXPECT_NULL(test, test_mapping_at(0x11000));
	/* a file that may not be read */
	writer = test_file(test, 4);
	writer->f_mode &= ~FMODE_READ;
	ustack_learn_mmap(test_vma(test, writer, 0x10000, 0x11000));
	KUNIT_EXPECT_NULL(test, test_mapping_at(0x10000));
	test_run_works();
}

static const char *vdso_name(struct vm_area_struct *vma)
{
	return "[vdso]";
}

static const char *vvar_name(struct vm_area_struct *vma)
{
	return "[vvar]";
}

static void mmap_vdso(struct kunit *test)
{
	static const struct vm_operations_struct vdso_ops = { .name = vdso_name };
	static const struct vm_operations_struct vvar_ops = { .name = vvar_name };
	struct vm_area_struct *vma = test_vma(test, NULL, 0x10000, 0x12000);

	test_know(test);
	vma->vm_ops = &vdso_ops;
	ustack_learn_mmap(vma);
	KUNIT_ASSERT_NOT_NULL(test, test_mapping_at(0x10000));
	KUNIT_EXPECT_EQ(test, test_mapping_at(0x10000)->image->id.kind, USTACK_IMAGE_VDSO);
	KUNIT_EXPECT_EQ(test, test_mapping_at(0x10000)->off, 0);
	KUNIT_EXPECT_NE(test, test_mapping_at(0x10000)->image->serial, 0);
	KUNIT_EXPECT_EQ(test, test_nr_works(), 0);
	vma = test_vma(test, NULL, 0x20000, 0x22000);
	vma->vm_ops = &vvar_ops;
	ustack_learn_mmap(vma);
	KUNIT_EXPECT_NULL(test, test_mapping_at(0x20000));
}

static void unlink_locked(struct vm_area_struct *vma)
{
	mmap_read_lock(vma->vm_mm);
	ustack_learn_unlink(vma);
	mmap_read_unlock(vma->vm_mm);
}

/*
 * A real vma of the test's mm at 0x40000, which can be found in its tree; @file
 * may be NULL.
 */
static struct vm_area_struct *real_vma(struct kunit *test, struct file *file)
{
	struct vm_area_struct *vma;

	KUNIT_ASSERT_EQ(test, 0x40000,
			kunit_vm_mmap(test, file, 0x40000, 0x4000,
				      PROT_READ | PROT_EXEC,
				      MAP_PRIVATE | MAP_FIXED |
					      (file ? 0 : MAP_ANONYMOUS), 0));
	mmap_read_lock(current->mm);
	vma = find_vma(current->mm, 0x40000);
	mmap_read_unlock(current->mm);
	KUNIT_ASSERT_NOT_NULL(test, vma);
	return vma;
}

static void unmapped(struct kunit *test)
{
	struct file *file = test_file(test, 4);
	struct vm_area_struct *real = real_vma(test, file), *vma;

	test_know(test);
	/* no longer in the tree, and nothing took its place */
	vma = test_vma(test, file, 0x10000, 0x14000);
	ustack_learn_mmap(vma);
	KUNIT_EXPECT_NOT_NULL(test, test_mapping_at(0x13fff));
	unlink_locked(vma);
	KUNIT_EXPECT_NULL(test, test_mapping_at(0x10000));
	KUNIT_EXPECT_NULL(test, test_mapping_at(0x13fff));
	/* part of it is split off and removed: the rest keeps its offsets */
	vma = test_vma(test, file, 0x10000, 0x14000);
	ustack_learn_mmap(vma);
	unlink_locked(test_vma(test, file, 0x11000, 0x12000));
	KUNIT_EXPECT_NOT_NULL(test, test_mapping_at(0x10fff));
	KUNIT_EXPECT_NULL(test, test_mapping_at(0x11000));
	KUNIT_EXPECT_EQ(test, test_mapping_at(0x12000)->off, 3 * PAGE_SIZE);
	/* still in the tree, but MAP_FIXED is about to replace it */
	ustack_learn_mmap(real);
	KUNIT_EXPECT_NOT_NULL(test, test_mapping_at(0x40000));
	detached = true;
	unlink_locked(real);
	detached = false;
	KUNIT_EXPECT_NULL(test, test_mapping_at(0x40000));
	/* in the tree to stay: MREMAP_DONTUNMAP, or a merge without memory */
	ustack_learn_mmap(real);
	unlink_locked(real);
	KUNIT_EXPECT_NOT_NULL(test, test_mapping_at(0x40000));
	KUNIT_EXPECT_NOT_NULL(test, test_mapping_at(0x43fff));
	/* a neighbouring vma has taken over what it mapped */
	ustack_learn_mmap(real);
	unlink_locked(test_vma(test, file, 0x41000, 0x43000));
	KUNIT_EXPECT_NOT_NULL(test, test_mapping_at(0x41000));
	test_run_works();
}

/* mremap() of all and of parts: the page offset is an argument. */
static void moved(struct kunit *test)
{
	struct file *file = test_file(test, 4);
	struct vm_area_struct *vma = test_vma(test, file, 0x12000, 0x14000);

	test_know(test);
	vma->vm_pgoff = 3;
	ustack_learn_mmap(vma);
	test_run_works();
	ustack_learn_move(vma, 0x50000, 0x2000, 3);
	KUNIT_ASSERT_NOT_NULL(test, test_mapping_at(0x51fff));
	KUNIT_EXPECT_EQ(test, test_mapping_at(0x51fff)->off, 3 * PAGE_SIZE);
	KUNIT_EXPECT_EQ(test, test_mapping_at(0x51fff)->end, 0x52000);
	KUNIT_EXPECT_EQ(test, test_nr_works(), 0);
	/* its second page, and it grows */
	ustack_learn_move(vma, 0x60000, 0x2000, 4);
	KUNIT_ASSERT_NOT_NULL(test, test_mapping_at(0x61fff));
	KUNIT_EXPECT_EQ(test, test_mapping_at(0x60000)->off, 4 * PAGE_SIZE);
	/* data is moved to its place */
	vma->vm_file = NULL;
	ustack_learn_move(vma, 0x50000, 0x1000, 3);
	KUNIT_EXPECT_NULL(test, test_mapping_at(0x50000));
	KUNIT_EXPECT_NOT_NULL(test, test_mapping_at(0x51000));
}

/* mremap() in place, and other changes of bounds. */
static void resized(struct kunit *test)
{
	struct file *file = test_file(test, 4);
	struct vm_area_struct *vma = test_vma(test, file, 0x12000, 0x14000);
	const struct ustack_mapping *before;

	/* nobody has sampled this mm */
	ustack_learn_resize(vma);
	KUNIT_EXPECT_FALSE(test, ustack_mm_known(current->mm));
	test_know(test);
	ustack_learn_mmap(vma);
	test_run_works();
	/* the same bounds, then those of two merged vmas: nothing changes */
	ustack_learn_mmap(test_vma(test, file, 0x12000, 0x13000));
	before = test_mapping_at(0x12000);
	ustack_learn_resize(vma);
	KUNIT_EXPECT_PTR_EQ(test, test_mapping_at(0x12000), before);
	/* it has grown */
	vma->vm_end = 0x16000;
	ustack_learn_resize(vma);
	KUNIT_ASSERT_NOT_NULL(test, test_mapping_at(0x15fff));
	KUNIT_EXPECT_EQ(test, test_mapping_at(0x15fff)->start, 0x12000);
	KUNIT_EXPECT_EQ(test, test_mapping_at(0x15fff)->off, PAGE_SIZE);
	KUNIT_EXPECT_EQ(test, test_nr_works(), 0);
	/* another file was known there, with offsets that would match */
	vma = test_vma(test, test_file(test, 4), 0x16000, 0x17000);
	vma->vm_pgoff = 5;
	ustack_learn_mmap(vma);
	test_run_works();
	vma = test_vma(test, file, 0x12000, 0x17000);
	ustack_learn_resize(vma);
	KUNIT_EXPECT_PTR_EQ(test, test_mapping_at(0x16000),
			    test_mapping_at(0x12000));
	/* data grows */
	vm_flags_init(vma, VM_READ);
	vma->vm_end = 0x20000;
	ustack_learn_resize(vma);
	KUNIT_EXPECT_NULL(test, test_mapping_at(0x17000));
}

static void regions_go(struct kunit *test)
{
	struct ustack_image *region;
	struct ustack_mapping m = { .start = 0x10000, .end = 0x12000 };
	struct vm_area_struct *vma = test_vma(test, NULL, 0x10000, 0x12000);

	test_know(test);
	region = ustack_image_get_region(test_code(test, 1, 8));
	KUNIT_ASSERT_NOT_NULL(test, region);
	m.image = region;
	ustack_space_replace(current->mm, m.start, m.end, &m, USTACK_KEEP_NONE);
	ustack_image_put(region);
	/* mprotect() of JIT memory */
	ustack_learn_mmap(vma);
	KUNIT_EXPECT_NOT_NULL(test, test_mapping_at(0x10000));
	/* a file is mapped over part of it */
	ustack_learn_mmap(test_vma(test, test_file(test, 0), 0x11000, 0x12000));
	test_run_works();
	KUNIT_EXPECT_PTR_NE(test, test_mapping_at(0x11000)->image, region);
	KUNIT_EXPECT_PTR_EQ(test, test_mapping_at(0x10000)->image, region);
	/* it is unmapped */
	unlink_locked(vma);
	KUNIT_EXPECT_NULL(test, test_mapping_at(0x10000));
}

/* MREMAP_DONTUNMAP of JIT memory: the code has moved, but the memory stays. */
static void region_moved_away(struct kunit *test)
{
	struct ustack_mapping m = { .start = 0x40000, .end = 0x42000 };
	struct vm_area_struct *vma = real_vma(test, NULL);

	test_know(test);
	m.image = ustack_image_get_region(test_code(test, 1, 8));
	KUNIT_ASSERT_NOT_NULL(test, m.image);
	ustack_space_replace(current->mm, m.start, m.end, &m, USTACK_KEEP_NONE);
	ustack_image_put(m.image);
	unlink_locked(vma);
	KUNIT_EXPECT_NULL(test, test_mapping_at(0x40000));
}

/* W^X: when the memory is unmapped it is writable and not executable. */
static void region_unmapped_while_writable(struct kunit *test)
{
	struct ustack_mapping m = { .start = 0x10000, .end = 0x12000 };
	struct vm_area_struct *vma = test_vma(test, NULL, 0x10000, 0x12000);

	test_know(test);
	m.image = ustack_image_get_region(test_code(test, 1, 8));
	KUNIT_ASSERT_NOT_NULL(test, m.image);
	ustack_space_replace(current->mm, m.start, m.end, &m, USTACK_KEEP_NONE);
	ustack_image_put(m.image);
	vm_flags_init(vma, VM_READ | VM_WRITE);
	ustack_learn_mmap(vma);
	KUNIT_EXPECT_NOT_NULL(test, test_mapping_at(0x10000));
	unlink_locked(vma);
	/* other code, at the same address */
	vm_flags_init(vma, VM_READ | VM_EXEC);
	ustack_learn_mmap(vma);
	KUNIT_EXPECT_NULL_MSG(test, test_mapping_at(0x10000), "a table that is not this code's");
}

static void job_refused(struct kunit *test)
{
	struct file *file = test_file(test, 4);
	struct ustack_image *image;

	test_know(test);
	test_task_work_error = -ESRCH;
	ustack_learn_mmap(test_vma(test, file, 0x10000, 0x12000));
	test_task_work_error = 0;
	image = test_mapping_at(0x10000)->image;
	KUNIT_EXPECT_EQ(test, test_users(image), 1);
	KUNIT_EXPECT_EQ(test, test_nr_task_jobs(), 0);
	KUNIT_EXPECT_TRUE(test, ustack_image_is_new(image));
	/* the next process that maps it does the work */
	ustack_learn_mmap(test_vma(test, file, 0x20000, 0x22000));
	KUNIT_EXPECT_EQ(test, 1, test_run_works());
	KUNIT_EXPECT_EQ(test, test_cfa_off(image), 8);
}

static void exec_starts(struct kunit *test)
{
	const struct ustack_space *space;

	ustack_learn_exec();
	space = ustack_space_find(current->mm);
	KUNIT_ASSERT_NOT_NULL(test, space);
	KUNIT_EXPECT_TRUE(test, space->starting);
	/* the program's file is mapped before it starts */
	ustack_learn_mmap(test_vma(test, test_file(test, 4), 0x10000, 0x12000));
	KUNIT_EXPECT_TRUE(test, space->starting);
	KUNIT_EXPECT_EQ(test, test_nr_works(), 2);
	test_run_works();
	KUNIT_EXPECT_FALSE(test, space->starting);
	KUNIT_EXPECT_EQ(test, test_cfa_off(test_mapping_at(0x10000)->image), 8);
	/* nobody would clear "starting": it is better to have no space */
	test_task_work_error = -ESRCH;
	ustack_learn_exec();
	test_task_work_error = 0;
	KUNIT_EXPECT_FALSE(test, ustack_mm_known(current->mm));
	KUNIT_EXPECT_EQ(test, test_nr_task_jobs(), 0);
}

static void fork_and_exit(struct kunit *test)
{
	struct mm_struct *child = (void *)&test;

	test_know(test);
	ustack_learn_mmap(test_vma(test, test_file(test, 4), 0x10000, 0x12000));
	test_run_works();
	ustack_learn_fork(current->mm, child);
	KUNIT_EXPECT_TRUE(test, ustack_mm_known(child));
	ustack_learn_exit_mmap(current->mm);
	KUNIT_EXPECT_FALSE(test, ustack_mm_known(current->mm));
	KUNIT_EXPECT_TRUE(test, ustack_mm_known(child));
	ustack_learn_exit_mmap(child);
	KUNIT_EXPECT_FALSE(test, ustack_mm_known(child));
}

/*
 * A region in memory that fork copies, one in memory that it leaves out, and
 * one in memory that it wipes.
 */
static void fork_without_regions(struct kunit *test)
{
	static const struct {
		u64 start, end;
		vm_flags_t flags;
	} parts[] = {
		{ 0x40000, 0x42000, 0 },
		{ 0x50000, 0x52000, VM_DONTCOPY },
		{ 0x60000, 0x62000, VM_WIPEONFORK },
	};
	struct mm_struct *mm = current->mm, *child = (void *)&test;
	const struct ustack_maps *maps;
	unsigned int i;

	test_know(test);
	ustack_learn_mmap(test_vma(test, test_file(test, 4), 0x10000, 0x12000));
	test_run_works();
	for (i = 0; i < ARRAY_SIZE(parts); i++) {
		struct ustack_mapping m = {
			.start = parts[i].start,
			/* the last page does not belong to the region */
			.end = parts[i].end - PAGE_SIZE,
			.image = ustack_image_get_region(test_code(test, 1, 8)),
		};

		KUNIT_ASSERT_NOT_NULL(test, m.image);
		KUNIT_ASSERT_EQ(test, parts[i].start,
				kunit_vm_mmap(test, NULL, parts[i].start, 0x2000,
					      PROT_READ | PROT_WRITE,
					      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
					      0));
		mmap_write_lock(mm);
		vm_flags_set(find_vma(mm, parts[i].start), parts[i].flags);
		ustack_space_replace(mm, m.start, m.end, &m, USTACK_KEEP_NONE);
		mmap_write_unlock(mm);
		ustack_image_put(m.image);
	}
	mmap_write_lock(mm);
	ustack_learn_fork(mm, child);
	mmap_write_unlock(mm);
	maps = rcu_dereference_protected(ustack_space_find(child)->maps, true);
	KUNIT_EXPECT_NOT_NULL(test, ustack_maps_find(maps, 0x10000, NULL));
	KUNIT_EXPECT_NOT_NULL(test, ustack_maps_find(maps, 0x40000, NULL));
	KUNIT_EXPECT_NULL(test, ustack_maps_find(maps, 0x50000, NULL));
	KUNIT_EXPECT_NULL(test, ustack_maps_find(maps, 0x60000, NULL));
	/* the parent still has all of them */
	KUNIT_EXPECT_NOT_NULL(test, test_mapping_at(0x50000));
	KUNIT_EXPECT_NOT_NULL(test, test_mapping_at(0x60000));
	ustack_space_forget(child);
}

/* With eager=0 files are mapped but not read. */
static void not_eager(struct kunit *test)
{
	struct vm_area_struct *vma =
		test_vma(test, test_file(test, 4), 0x10000, 0x12000);
	struct ustack_image *image;

	test_know(test);
	ustack_eager = false;
	ustack_learn_mmap(vma);
	KUNIT_EXPECT_EQ(test, test_nr_works(), 0);
	KUNIT_ASSERT_NOT_NULL(test, test_mapping_at(0x10000));
	image = test_mapping_at(0x10000)->image;
	KUNIT_EXPECT_TRUE(test, ustack_image_is_new(image));
	/* execve() is still noticed */
	ustack_learn_exec();
	KUNIT_EXPECT_EQ(test, 1, test_run_works());
	ustack_learn_mmap(vma);
	KUNIT_EXPECT_EQ(test, test_nr_works(), 0);
	image = test_mapping_at(0x10000)->image;
	/* it was read too soon after a change: it is read again */
	WRITE_ONCE(image->state, USTACK_IMAGE_DONE);
	WRITE_ONCE(image->racy, true);
	ustack_learn_mmap(vma);
	KUNIT_EXPECT_EQ(test, 1, test_run_works());
	KUNIT_EXPECT_EQ(test, test_cfa_off(image), 8);
}

/* Files that no worker may read are read by the process itself, later. */
static void reads_what_is_left(struct kunit *test)
{
	struct file *file = test_file(test, 400);
	unsigned long start;

	start = kunit_vm_mmap(test, file, 0, PAGE_SIZE, PROT_READ | PROT_EXEC,
			      MAP_PRIVATE, 0);
	KUNIT_ASSERT_FALSE(test, IS_ERR_VALUE(start));
	test_far = true;
	KUNIT_EXPECT_TRUE(test, ustack_learn_try(current->mm, 77));
	test_flush_jobs();
	KUNIT_ASSERT_NOT_NULL(test, test_mapping_at(start));
	KUNIT_EXPECT_TRUE(test, ustack_image_is_new(test_mapping_at(start)->image));
	KUNIT_EXPECT_TRUE(test, test_space()->unread);
	/* not by a thread acting for it, which never returns to user mode */
	test_kthread_mark = real_kthread_mark;
	ustack_learn_mmap(test_vma(test, NULL, 0x10000, 0x12000));
	test_kthread_mark = 0;
	KUNIT_EXPECT_EQ(test, test_nr_works(), 0);
	ustack_learn_mmap(test_vma(test, NULL, 0x10000, 0x12000));
	KUNIT_EXPECT_EQ(test, 1, test_run_works());
	KUNIT_EXPECT_EQ(test, test_cfa_off(test_mapping_at(start)->image), 8);
	/* only once */
	ustack_learn_mmap(test_vma(test, NULL, 0x10000, 0x12000));
	KUNIT_EXPECT_EQ(test, test_nr_works(), 0);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(mmap_file),
	KUNIT_CASE(mmap_of_another),
	KUNIT_CASE(mmap_by_kthread),
	KUNIT_CASE(mmap_without_image),
	KUNIT_CASE(mmap_vdso),
	KUNIT_CASE(unmapped),
	KUNIT_CASE(moved),
	KUNIT_CASE(resized),
	KUNIT_CASE(regions_go),
	KUNIT_CASE(region_moved_away),
	KUNIT_CASE(region_unmapped_while_writable),
	KUNIT_CASE(job_refused),
	KUNIT_CASE(exec_starts),
	KUNIT_CASE(fork_and_exit),
	KUNIT_CASE(fork_without_regions),
	KUNIT_CASE(not_eager),
	KUNIT_CASE(reads_what_is_left),
	{}
};

static struct kunit_suite suite = {
	.name = "ustack_mappings",
	.init = test_learn_init,
	.exit = test_learn_exit,
	.test_cases = cases,
};

kunit_test_suite(suite);
