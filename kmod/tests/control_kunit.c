// SPDX-License-Identifier: GPL-2.0-only
/* Tests of the ioctls of /dev/ustack, with user memory of the test's own mm. */
#include "support.h"

#include <linux/capability.h>
#include <linux/fdtable.h>
#include <linux/file.h>
#include <linux/mman.h>
#include <linux/uaccess.h>

#include "../learn.h"
#include "golden.h"
#include "ustack.h"

static bool privileged = true;
static bool administrator = true;

static bool fake_capable(int cap)
{
	return privileged && (administrator || cap != CAP_SYS_ADMIN);
}

/* A kernel thread has no memory to learn: only its space is made. */
static int fake_learn_task(struct task_struct *task, u32 *mappings, u32 *tables)
{
	*mappings = 3;
	*tables = 2;
	if (ustack_space_find(current->mm))
		return 0;
	return ustack_space_create(current->mm, NULL, false, GFP_KERNEL);
}

#ifndef TASK_SIZE_MAX
#define TASK_SIZE_MAX TASK_SIZE
#endif
#define capable fake_capable
#define ustack_learn_task fake_learn_task
#include "../control.c"
#undef capable
#undef ustack_learn_task

/* The argument is at the start of a page, a section at this offset in it. */
#define SECTION 2048

static void __user *user(unsigned long at)
{
	return (void __user *)at;
}

static unsigned long user_page(struct kunit *test)
{
	unsigned long at;

	at = kunit_vm_mmap(test, NULL, 0, PAGE_SIZE, PROT_READ | PROT_WRITE,
			   MAP_ANONYMOUS | MAP_PRIVATE, 0);
	KUNIT_ASSERT_FALSE(test, IS_ERR_VALUE(at));
	KUNIT_ASSERT_EQ(test, 0,
			copy_to_user(user(at + SECTION), golden_v2,
				     sizeof(golden_v2)));
	return at;
}

/*
 * Calls ioctl(@cmd) with the @size bytes of @arg copied to @at; afterwards @arg
 * is what the module left there.
 */
static long call(struct kunit *test, unsigned int cmd, unsigned long at,
		 void *arg, size_t size)
{
	long ret;

	KUNIT_ASSERT_EQ(test, 0, copy_to_user(user(at), arg, size));
	ret = control_ioctl(NULL, cmd, at);
	KUNIT_ASSERT_EQ(test, 0, copy_from_user(arg, user(at), size));
	return ret;
}

static void commands(struct kunit *test)
{
	struct ustack_info info = { .size = sizeof(info) };
	unsigned long at = user_page(test);

	KUNIT_EXPECT_EQ(test, -ENOTTY, call(test, _IOWR('x', 0, u64), at, &info,
					    sizeof(info)));
	KUNIT_EXPECT_EQ(test, -ENOTTY,
			call(test, _IOWR(USTACK_IOC_TYPE, 77, u64), at, &info,
			     sizeof(info)));
	/* the size within the command number may be that of another version */
	KUNIT_EXPECT_EQ(test, 0,
			call(test, _IOWR(USTACK_IOC_TYPE, 0, u64), at, &info,
			     sizeof(info)));
	KUNIT_EXPECT_EQ(test, info.abi, USTACK_ABI_VERSION);
}

/* Callers that are older and newer than the module. */
static void sizes(struct kunit *test)
{
	struct {
		struct ustack_info info;
		u64 newer[2];
	} arg;
	unsigned long at = user_page(test);

	memset(&arg, 0, sizeof(arg));
	arg.info.size = 16;
	arg.info.enabled = 0xdead;
	KUNIT_EXPECT_EQ(test, 0, call(test, USTACK_IOC_INFO, at, &arg,
				      sizeof(arg)));
	KUNIT_EXPECT_EQ(test, arg.info.abi, USTACK_ABI_VERSION);
	KUNIT_EXPECT_EQ_MSG(test, arg.info.enabled, 0xdead,
			    "written behind the caller's structure");
	arg.info.size = sizeof(arg);
	KUNIT_EXPECT_EQ(test, 0, call(test, USTACK_IOC_INFO, at, &arg,
				      sizeof(arg)));
	KUNIT_EXPECT_EQ(test, arg.info.size, sizeof(arg));
	arg.newer[1] = 1;
	KUNIT_EXPECT_EQ(test, -E2BIG, call(test, USTACK_IOC_INFO, at, &arg,
					   sizeof(arg)));
	arg.info.size = 4;
	KUNIT_EXPECT_EQ(test, -EINVAL, call(test, USTACK_IOC_INFO, at, &arg,
					    sizeof(arg)));
	KUNIT_EXPECT_EQ(test, -EFAULT,
			control_ioctl(NULL, USTACK_IOC_INFO, 8));
	/* the structure reaches into memory that is absent */
	arg.info.size = sizeof(arg.info);
	KUNIT_ASSERT_EQ(test, 0, copy_to_user(user(at + PAGE_SIZE - 16), &arg,
					      16));
	KUNIT_EXPECT_EQ(test, -EFAULT,
			control_ioctl(NULL, USTACK_IOC_INFO,
				      at + PAGE_SIZE - 16));
}

static void info_adds_up(struct kunit *test)
{
	struct ustack_info info = { .size = sizeof(info) };
	struct ustack_image *image = test_image(test, 1);
	unsigned long at = user_page(test);

	ustack_image_load(image, test_code(test, 10, 8), false);
	KUNIT_ASSERT_EQ(test, 0, ustack_space_create(current->mm, NULL, false,
						     GFP_KERNEL));
	KUNIT_EXPECT_EQ(test, 0, call(test, USTACK_IOC_INFO, at, &info,
				      sizeof(info)));
	KUNIT_EXPECT_EQ(test, info.images, 1);
	KUNIT_EXPECT_EQ(test, info.tables, 1);
	KUNIT_EXPECT_EQ(test, info.spaces, 1);
	KUNIT_EXPECT_GT(test, info.table_bytes, 0);
	KUNIT_EXPECT_EQ(test, info.image_bytes, sizeof(*image));
	KUNIT_EXPECT_EQ(test, info.space_bytes, sizeof(struct ustack_space));
	KUNIT_EXPECT_EQ(test, info.budget_bytes, (u64)ustack_budget_mb << 20);
	KUNIT_EXPECT_EQ(test, info.max_frames, ustack_max_frames);
	KUNIT_EXPECT_EQ(test, info.enabled, 1);
	KUNIT_EXPECT_EQ(test, info.hooks, 0);
	ustack_image_put(image);
}

static int give_fd(struct kunit *test, struct file *file)
{
	int fd = get_unused_fd_flags(0);

	KUNIT_ASSERT_GE(test, fd, 0);
	fd_install(fd, get_file(file));
	return fd;
}

static void load_golden(struct kunit *test)
{
	struct ustack_load load = {
		.size = sizeof(load),
		.flags = USTACK_LOAD_VDSO,
		.len = sizeof(golden_v2),
		.vaddr = GOLDEN_VADDR,
	};
	struct ustack_identity id = { .kind = USTACK_IMAGE_VDSO };
	struct ustack_image *image;
	unsigned long at = user_page(test);

	load.section = at + SECTION;
	KUNIT_EXPECT_EQ(test, 0, call(test, USTACK_IOC_LOAD, at, &load,
				      sizeof(load)));
	KUNIT_EXPECT_EQ(test, load.reason, USTACK_OK);
	KUNIT_EXPECT_GT(test, load.rows, 10);
	KUNIT_EXPECT_EQ(test, load.functions, 7);
	image = ustack_image_get(&id, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, image);
	KUNIT_EXPECT_EQ(test, load.table_bytes,
			rcu_dereference_protected(image->code, true)->bytes);
	ustack_image_put(image);

	/* not without the privilege */
	privileged = false;
	KUNIT_EXPECT_EQ(test, -EPERM, call(test, USTACK_IOC_LOAD, at, &load,
					   sizeof(load)));
	privileged = true;
	load.flags = 0x80;
	KUNIT_EXPECT_EQ(test, -EINVAL, call(test, USTACK_IOC_LOAD, at, &load,
					    sizeof(load)));
	load.flags = USTACK_LOAD_VDSO;
	load.len = 20;
	KUNIT_EXPECT_EQ(test, -EINVAL, call(test, USTACK_IOC_LOAD, at, &load,
					    sizeof(load)));
	KUNIT_EXPECT_EQ(test, load.reason, USTACK_TRUNCATED);
	load.len = 0;
	KUNIT_EXPECT_EQ(test, -EMSGSIZE, call(test, USTACK_IOC_LOAD, at, &load,
					      sizeof(load)));
	load.len = USTACK_MAX_SECTION + 1;
	KUNIT_EXPECT_EQ(test, -EMSGSIZE, call(test, USTACK_IOC_LOAD, at, &load,
					      sizeof(load)));
	load.len = 2 * PAGE_SIZE;
	KUNIT_EXPECT_EQ(test, -EFAULT, call(test, USTACK_IOC_LOAD, at, &load,
					    sizeof(load)));
}

static void load_for_file(struct kunit *test)
{
	struct ustack_load load = {
		.size = sizeof(load),
		.fd = -1,
		.len = sizeof(golden_v2),
		.vaddr = GOLDEN_VADDR,
	};
	struct file *file = test_file(test, 100);
	struct ustack_image *image;
	unsigned long at = user_page(test);

	load.section = at + SECTION;
	KUNIT_EXPECT_EQ(test, -EBADF, call(test, USTACK_IOC_LOAD, at, &load,
					   sizeof(load)));
	load.fd = give_fd(test, test_file_of(test, "#!/bin/sh\n", 10));
	KUNIT_EXPECT_EQ(test, -EINVAL, call(test, USTACK_IOC_LOAD, at, &load,
					    sizeof(load)));
	KUNIT_EXPECT_EQ(test, load.reason, USTACK_NOT_ELF);
	close_fd(load.fd);
	load.fd = give_fd(test, file);
	KUNIT_EXPECT_EQ(test, 0, call(test, USTACK_IOC_LOAD, at, &load,
				      sizeof(load)));
	ustack_budget_mb = 0;
	KUNIT_EXPECT_EQ(test, -ENOSPC, call(test, USTACK_IOC_LOAD, at, &load,
					    sizeof(load)));
	KUNIT_EXPECT_EQ(test, load.reason, USTACK_BUDGET);
	ustack_budget_mb = USTACK_BUDGET_MB_DEFAULT;
	close_fd(load.fd);
	/* the image that will be found when the file is mapped */
	image = test_image_of(test, file);
	KUNIT_EXPECT_TRUE(test, rcu_access_pointer(image->code));
	KUNIT_EXPECT_TRUE(test, image->loaded);
	ustack_image_put(image);
}

/* A table in place of a file's own section, by a task that is no administrator. */
static void load_over_section(struct kunit *test)
{
	struct file *file = test_file(test, 100);
	struct ustack_load load = {
		.size = sizeof(load),
		.fd = give_fd(test, file),
		.len = sizeof(golden_v2),
		.vaddr = GOLDEN_VADDR,
	};
	struct ustack_image *image;
	unsigned long at = user_page(test);

	load.section = at + SECTION;
	administrator = false;
	/* the file's own section was not looked at yet */
	KUNIT_EXPECT_EQ(test, -EEXIST, call(test, USTACK_IOC_LOAD, at, &load,
					    sizeof(load)));
	image = test_image_of(test, file);
	ustack_image_build(image, file, &(struct ustack_image_place){ 0 });
	KUNIT_EXPECT_EQ(test, -EEXIST, call(test, USTACK_IOC_LOAD, at, &load,
					    sizeof(load)));
	KUNIT_EXPECT_EQ(test, test_cfa_off(image), 8);
	KUNIT_EXPECT_FALSE(test, image->loaded);
	ustack_image_put(image);
	close_fd(load.fd);

	file = test_file_with_room(test, 4, 100);
	load.fd = give_fd(test, file);
	image = test_image_of(test, file);
	ustack_image_build(image, file, &(struct ustack_image_place){ 0 });
	KUNIT_EXPECT_EQ(test, 0, call(test, USTACK_IOC_LOAD, at, &load,
				      sizeof(load)));
	KUNIT_EXPECT_TRUE(test, image->loaded);
	ustack_image_put(image);
	close_fd(load.fd);
	administrator = true;
}

static const struct ustack_mapping *at_address(u64 addr)
{
	const struct ustack_space *space = ustack_space_find(current->mm);

	return space ? ustack_maps_find(rcu_dereference_protected(space->maps,
								  true),
					addr, NULL) :
		       NULL;
}

/* The golden section's code, as if it had been written at BASE. */
#define BASE 0x40000000ull

static struct ustack_region golden_region(unsigned long at)
{
	return (struct ustack_region){
		.size = sizeof(struct ustack_region),
		.start = BASE + 0x1000,
		.len = 0x1000,
		.section = at + SECTION,
		.section_len = sizeof(golden_v2),
		.vaddr = BASE + GOLDEN_VADDR,
	};
}

static void region_add(struct kunit *test)
{
	const struct ustack_mapping *m;
	const struct ustack_rule *rule;
	struct ustack_region region;
	unsigned long at = user_page(test);

	region = golden_region(at);
	KUNIT_EXPECT_EQ(test, 0, call(test, USTACK_IOC_REGION_ADD, at, &region,
				      sizeof(region)));
	m = at_address(BASE + 0x1061);
	KUNIT_ASSERT_NOT_NULL(test, m);
	KUNIT_EXPECT_EQ(test, test_users(m->image), 1);
	rcu_read_lock();
	rule = ustack_code_lookup(rcu_dereference(m->image->code),
				  BASE + 0x1061 - m->start + m->off);
	KUNIT_EXPECT_EQ(test, rule ? rule->cfa_off : 0, 16);
	rcu_read_unlock();
	/* add it again over itself, then remove a part */
	KUNIT_EXPECT_EQ(test, 0, call(test, USTACK_IOC_REGION_ADD, at, &region,
				      sizeof(region)));
	region.len = 0x800;
	KUNIT_EXPECT_EQ(test, 0, call(test, USTACK_IOC_REGION_DEL, at, &region,
				      sizeof(region)));
	KUNIT_EXPECT_NULL(test, at_address(BASE + 0x1061));
	KUNIT_EXPECT_NOT_NULL(test, at_address(BASE + 0x1800));
	region.len = 0x1000;
	KUNIT_EXPECT_EQ(test, 0, call(test, USTACK_IOC_REGION_DEL, at, &region,
				      sizeof(region)));
	KUNIT_EXPECT_NULL(test, at_address(BASE + 0x1800));
}

static void region_refused(struct kunit *test)
{
	struct ustack_region region;
	unsigned long at = user_page(test);

#define REFUSED(err, change)                                              \
	do {                                                              \
		region = golden_region(at);                               \
		change;                                                   \
		KUNIT_EXPECT_EQ(test, err,                                \
				call(test, USTACK_IOC_REGION_ADD, at,     \
				     &region, sizeof(region)));           \
	} while (0)

	REFUSED(-EINVAL, region.flags = 1);
	REFUSED(-EINVAL, region.len = 0);
	REFUSED(-EINVAL, region.len = -region.start);
	REFUSED(-EINVAL, region.start = ~0ull - 0x1000);
	REFUSED(-EINVAL, region.start = TASK_SIZE_MAX - 0xfff);
	REFUSED(-EFAULT, region.section = 8);
	REFUSED(-EMSGSIZE, region.section_len = 0);
	REFUSED(-EINVAL, region.section_len = 30);
	KUNIT_EXPECT_NE(test, region.reason, USTACK_OK);
	/* the section's functions are not in the region */
	REFUSED(-EINVAL, region.vaddr = 0x2148);
	KUNIT_EXPECT_NE(test, region.reason, USTACK_OK);
	REFUSED(-ENOSPC, ustack_budget_mb = 0);
	KUNIT_EXPECT_EQ(test, region.reason, USTACK_BUDGET);
	KUNIT_EXPECT_NULL(test, at_address(BASE + 0x1061));
}

/* A caller cannot take away the mapping of a file. */
static void region_del_spares_files(struct kunit *test)
{
	struct ustack_mapping m = { .start = BASE + 0x1000,
				    .end = BASE + 0x3000 };
	struct ustack_region region;
	unsigned long at = user_page(test);

	KUNIT_ASSERT_EQ(test, 0, ustack_space_create(current->mm, NULL, false,
						     GFP_KERNEL));
	m.image = test_image(test, 1);
	ustack_space_replace(current->mm, m.start, m.end, &m, USTACK_KEEP_NONE);
	region = golden_region(at);
	KUNIT_EXPECT_EQ(test, 0, call(test, USTACK_IOC_REGION_DEL, at, &region,
				      sizeof(region)));
	KUNIT_EXPECT_NOT_NULL(test, at_address(BASE + 0x1061));
	ustack_image_put(m.image);
}

static void prepare(struct kunit *test)
{
	struct ustack_prepare arg = {
		.size = sizeof(arg),
		.pid = PID_MAX_LIMIT + 1,
	};
	unsigned long at = user_page(test);

	KUNIT_EXPECT_EQ(test, -ESRCH, call(test, USTACK_IOC_PREPARE, at, &arg,
					   sizeof(arg)));
	arg.pid = current->pid;
	KUNIT_EXPECT_EQ(test, 0, call(test, USTACK_IOC_PREPARE, at, &arg,
				      sizeof(arg)));
	KUNIT_EXPECT_EQ(test, arg.mappings, 3);
	KUNIT_EXPECT_EQ(test, arg.tables, 2);
	privileged = false;
	KUNIT_EXPECT_EQ(test, -EPERM, call(test, USTACK_IOC_PREPARE, at, &arg,
					   sizeof(arg)));
	privileged = true;
}

/*
 * The untabled images' paths may be other people's: reading them needs a
 * privilege, opening the device does not.
 */
static void reading_needs_a_right(struct kunit *test)
{
	struct inode *inode = kunit_kzalloc(test, sizeof(*inode), GFP_KERNEL);
	struct file *file = kunit_kzalloc(test, sizeof(*file), GFP_KERNEL);
	unsigned long at = user_page(test);

	KUNIT_ASSERT_NOT_NULL(test, inode);
	KUNIT_ASSERT_NOT_NULL(test, file);
	file->f_flags = O_NONBLOCK;
	KUNIT_ASSERT_EQ(test, 0, control_open(inode, file));
	privileged = false;
	KUNIT_EXPECT_EQ(test, -EPERM,
			control_read(file, user(at), PAGE_SIZE, &file->f_pos));
	privileged = true;
	KUNIT_EXPECT_EQ(test, -EAGAIN,
			control_read(file, user(at), PAGE_SIZE, &file->f_pos));
	control_release(inode, file);
}

/* Only root may open the device, until an administrator changes that. */
static void device_is_private(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, control_device.mode, 0600);
	KUNIT_EXPECT_STREQ(test, control_device.name, "ustack");
	KUNIT_EXPECT_PTR_EQ(test, control_device.fops, &control_fops);
}

static void stats(struct kunit *test)
{
	struct ustack_stats *arg;
	unsigned long at = user_page(test);

	arg = kunit_kzalloc(test, sizeof(*arg), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, arg);
	arg->size = sizeof(*arg);
	arg->samples = ~0ull;
	KUNIT_EXPECT_EQ(test, 0, call(test, USTACK_IOC_STATS, at, arg,
				      sizeof(*arg)));
	KUNIT_EXPECT_EQ(test, arg->size, sizeof(*arg));
	KUNIT_EXPECT_NE(test, arg->samples, ~0ull);
}

static int case_init(struct kunit *test)
{
	privileged = true;
	return test_mm_init(test);
}

static void case_exit(struct kunit *test)
{
	ustack_budget_mb = USTACK_BUDGET_MB_DEFAULT;
	test_mm_exit(test);
}

static void again(struct kunit *test)
{
	struct file *file = test_file_of(test, "#!/bin/sh\n", 10);
	struct ustack_again arg = { .size = sizeof(arg) };
	unsigned long at = user_page(test);
	struct ustack_image *image;
	struct ustack_identity id;

	ustack_identity_of(file_inode(file), &id);
	image = ustack_image_get(&id, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, image);
	arg.dev = id.dev;
	arg.ino = id.ino;
	arg.file_size = id.size;
	KUNIT_EXPECT_EQ(test, 0, call(test, USTACK_IOC_AGAIN, at, &arg, sizeof(arg)));
	KUNIT_EXPECT_TRUE(test, image->again);
	arg.ino++;
	KUNIT_EXPECT_EQ(test, -ENOENT, call(test, USTACK_IOC_AGAIN, at, &arg,
					    sizeof(arg)));
	arg.ino--;
	arg.reserved = 1;
	KUNIT_EXPECT_EQ(test, -EINVAL, call(test, USTACK_IOC_AGAIN, at, &arg,
					    sizeof(arg)));
	privileged = false;
	KUNIT_EXPECT_EQ(test, -EPERM, call(test, USTACK_IOC_AGAIN, at, &arg,
					   sizeof(arg)));
	privileged = true;
	ustack_image_put(image);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(commands),
	KUNIT_CASE(sizes),
	KUNIT_CASE(info_adds_up),
	KUNIT_CASE(load_golden),
	KUNIT_CASE(load_for_file),
	KUNIT_CASE(load_over_section),
	KUNIT_CASE(region_add),
	KUNIT_CASE(region_refused),
	KUNIT_CASE(region_del_spares_files),
	KUNIT_CASE(prepare),
	KUNIT_CASE(again),
	KUNIT_CASE(reading_needs_a_right),
	KUNIT_CASE(device_is_private),
	KUNIT_CASE(stats),
	{}
};

static struct kunit_suite suite = {
	.name = "ustack_control",
	.init = case_init,
	.exit = case_exit,
	.test_cases = cases,
};

kunit_test_suite(suite);
