// SPDX-License-Identifier: GPL-2.0-only
/* Implements /dev/ustack: ioctl, read and poll. */
#include "control.h"

#include <linux/capability.h>
#include <linux/dcache.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/pid.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "callchain.h"
#include "code.h"
#include "compat.h"
#include "events.h"
#include "file_read.h"
#include "hook.h"
#include "image.h"
#include "learn.h"
#include "limits.h"
#include "redirect.h"
#include "regs.h"
#include "space.h"
#include "untabled.h"
#include "ustack.h"

/*
 * Upper limit for the end of the vDSO; it has one segment, at address and
 * offset 0.
 */
#define VDSO_MAX SZ_1M

struct reader {
	u64 cursor;	/* serial of the last image without a table that was read */
};

/* Return: whether the caller may know of other users' processes and files. */
bool ustack_may_administer(void)
{
	return capable(CAP_PERFMON) || capable(CAP_SYS_ADMIN);
}

/* Like bpf(2) and clone3(2): the structure begins with its @size. */
static int copy_in(void *to, size_t known, const void __user *from, u32 *size)
{
	if (get_user(*size, (u32 __user *)from))
		return -EFAULT;
	if (*size < 2 * sizeof(u32))
		return -EINVAL;
	if (*size > PAGE_SIZE)
		return -E2BIG;
	return copy_struct_from_user(to, known, from, *size);
}

static int copy_out(void __user *to, const void *from, size_t known, u32 size)
{
	return copy_to_user(to, from, min_t(size_t, known, size)) ? -EFAULT : 0;
}

void ustack_control_info(struct ustack_info *ret)
{
	struct ustack_image_totals images;
	struct ustack_space_totals spaces;

	ustack_image_get_totals(&images);
	ustack_space_get_totals(&spaces);
	*ret = (struct ustack_info){
		.size = ret->size,
		.abi = USTACK_ABI_VERSION,
		.arch = ustack_arch_native->id,
		.hooks = ustack_observe_bits() | ustack_redirect_bits(),
		.enabled = READ_ONCE(ustack_enabled),
		.max_frames = READ_ONCE(ustack_max_frames),
		.budget_bytes = (u64)READ_ONCE(ustack_budget_mb) << 20,
		.table_bytes = images.table_bytes,
		.image_bytes = (u64)images.images * sizeof(struct ustack_image),
		.space_bytes = spaces.bytes,
		.images = images.images,
		.tables = images.tables,
		.spaces = spaces.spaces,
	};
}

static int do_info(void __user *arg)
{
	struct ustack_info info;
	u32 size;
	int err;

	if (!ustack_may_administer())
		return -EPERM;
	err = copy_in(&info, sizeof(info), arg, &size);
	if (err)
		return err;
	ustack_control_info(&info);
	return copy_out(arg, &info, sizeof(info), size);
}

static int do_stats(void __user *arg)
{
	struct ustack_stats *stats;
	u32 size;
	int err;

	if (!ustack_may_administer())
		return -EPERM;
	stats = kzalloc(sizeof(*stats), GFP_KERNEL);
	if (!stats)
		return -ENOMEM;
	err = copy_in(stats, sizeof(*stats), arg, &size);
	if (!err) {
		ustack_events_sum(stats);
		err = copy_out(arg, stats, sizeof(*stats), size);
	}
	kfree(stats);
	return err;
}

static int copy_section(u64 from, u64 len, u8 **ret)
{
	u8 *bytes;

	if (!len || len > USTACK_MAX_SECTION)
		return -EMSGSIZE;
	bytes = kvmalloc(len, USTACK_GFP_LARGE);
	if (!bytes)
		return -ENOMEM;
	if (copy_from_user(bytes, u64_to_user_ptr(from), len)) {
		kvfree(bytes);
		return -EFAULT;
	}
	*ret = bytes;
	return 0;
}

/*
 * Return: error of an ioctl for which ustack_code_build() ended with @reason.
 */
static int build_error(enum ustack_reason reason)
{
	switch (reason) {
	case USTACK_NO_MEMORY:
		return -ENOMEM;
	case USTACK_INTERRUPTED:
		return -EINTR;
	case USTACK_BUDGET:
		return -ENOSPC;
	default:
		return -EINVAL;
	}
}

/* Fills @elf with one segment, for memory without an ELF file. */
static void one_segment(struct ustack_elf *elf, u64 start, u64 len)
{
	elf->arch = ustack_arch_native;
	elf->nr_segments = 1;
	elf->segments[0] = (struct ustack_segment){
		.off = start,
		.vaddr = start,
		.filesz = len,
		.memsz = len,
		.exec = true,
	};
	elf->nr_text = 1;
	elf->text[0].start = start;
	elf->text[0].end = start + len;
}

/* Finds the image that a load is for, and its segments. */
static int load_target(const struct ustack_load *load, struct ustack_elf *elf,
		       struct ustack_identity *id, u32 *reason)
{
	struct file *file;
	int err = 0;

	*reason = USTACK_OK;
	if (load->flags & USTACK_LOAD_VDSO) {
		*id = (struct ustack_identity){ .kind = USTACK_IMAGE_VDSO };
		one_segment(elf, 0, VDSO_MAX);
		return 0;
	}
	file = fget(load->fd);
	if (!file)
		return -EBADF;
	if (!(file->f_mode & FMODE_READ) || !S_ISREG(file_inode(file)->i_mode)) {
		err = -EBADF;
	} else {
		/*
		 * A mapping of an overlay's file is a mapping of the file below
		 * it.
		 */
		ustack_identity_of(d_real_inode(file->f_path.dentry), id);
		*reason = ustack_file_elf(file, elf);
		if (!*reason && elf->arch != ustack_arch_native)
			*reason = USTACK_ELF_MACHINE;
		err = *reason ? -EINVAL : 0;
	}
	fput(file);
	return err;
}

/*
 * Verifies, compiles and publishes the section for @image; @over_own: also in
 * place of a table from the file's own section that covers as much.
 */
static int load_into(struct ustack_image *image, struct ustack_load *load,
		     const struct ustack_elf *elf, bool over_own)
{
	struct ustack_payer *payer;
	struct ustack_build build;
	struct ustack_code *code;
	u8 *bytes;
	int err;

	err = copy_section(load->section, load->len, &bytes);
	if (err)
		return err;
	payer = ustack_image_payer(image);
	code = ustack_code_build(bytes, load->len, load->vaddr, elf, payer,
				 &build);
	ustack_payer_put(payer);
	kvfree(bytes);
	load->reason = build.reason;
	load->bad_off = build.bad_off;
	load->functions = build.functions;
	load->lost = build.lost;
	load->rows = build.rows;
	if (code) {
		load->table_bytes = code->bytes;
		return ustack_image_load(image, code, over_own) ? 0 : -EEXIST;
	}
	if (build.reason == USTACK_BUDGET)
		ustack_image_no_room(image, build.need);
	return build_error(build.reason);
}

static int load_section(struct ustack_load *load, struct ustack_elf *elf)
{
	struct ustack_identity id;
	struct ustack_image *image;
	bool over_own;
	int err;

	err = load_target(load, elf, &id, &load->reason);
	if (err)
		return err;
	image = ustack_image_get(&id, GFP_KERNEL);
	if (!image)
		return -ENOMEM;
	/*
	 * A profiler may give tables to files whose own section gives none, or
	 * one that leaves out much. Only an administrator may override another.
	 */
	over_own = capable(CAP_SYS_ADMIN);
	if (!elf->sframe_off || ustack_image_wants_table(image) || over_own)
		err = load_into(image, load, elf, over_own);
	else
		err = -EEXIST;
	ustack_image_put(image);
	return err;
}

static int do_load(void __user *arg)
{
	struct ustack_load load;
	struct ustack_elf *elf;
	int err, out;
	u32 size;

	if (!ustack_may_administer())
		return -EPERM;
	err = copy_in(&load, sizeof(load), arg, &size);
	if (err)
		return err;
	if (load.flags & ~USTACK_LOAD_VDSO)
		return -EINVAL;
	elf = kzalloc(sizeof(*elf), GFP_KERNEL);
	if (!elf)
		return -ENOMEM;
	err = load_section(&load, elf);
	kfree(elf);
	out = copy_out(arg, &load, sizeof(load), size);
	return err ?: out;
}

/* Places a region's image in current's space; replaces overlapping mappings. */
static int place_region(const struct ustack_region *region,
			struct ustack_image *image)
{
	struct ustack_mapping m = {
		.start = region->start,
		.end = region->start + region->len,
		.off = region->start,
		.image = image,
	};
	struct mm_struct *mm = current->mm;
	u32 mappings, tables;
	int err;

	err = ustack_learn_task(current, &mappings, &tables);
	if (err)
		return err;
	mmap_write_lock(mm);
	ustack_space_replace(mm, m.start, m.end, &m, USTACK_KEEP_NONE);
	mmap_write_unlock(mm);
	return 0;
}

/* Compiles the section of a region; the caller is charged. */
static struct ustack_code *region_code(struct ustack_region *region,
				       const struct ustack_elf *elf, int *err)
{
	struct ustack_payer *payer;
	struct ustack_build build;
	struct ustack_code *code;
	u8 *bytes;

	*err = copy_section(region->section, region->section_len, &bytes);
	if (*err)
		return NULL;
	payer = ustack_payer_of(current);
	if (!payer) {
		kvfree(bytes);
		*err = -ENOMEM;
		return NULL;
	}
	code = ustack_code_build(bytes, region->section_len, region->vaddr, elf,
				 payer, &build);
	ustack_payer_put(payer);
	kvfree(bytes);
	region->reason = build.reason;
	region->bad_off = build.bad_off;
	if (!code)
		*err = build_error(build.reason);
	return code;
}

static int add_region(struct ustack_region *region, struct ustack_elf *elf)
{
	struct ustack_image *image;
	struct ustack_code *code;
	int err;

	one_segment(elf, region->start, region->len);
	code = region_code(region, elf, &err);
	if (!code)
		return err;
	image = ustack_image_get_region(code);
	if (!image) {
		ustack_code_free(code);
		return -ENOMEM;
	}
	err = place_region(region, image);
	ustack_image_put(image);
	return err;
}

static int do_region(void __user *arg, bool add)
{
	struct ustack_region region;
	struct ustack_elf *elf;
	int err, out;
	u32 size;
	u64 end;

	err = copy_in(&region, sizeof(region), arg, &size);
	if (err)
		return err;
	if (region.flags || !region.len ||
	    check_add_overflow(region.start, region.len, &end) ||
	    end > TASK_SIZE_MAX || !current->mm)
		return -EINVAL;
	if (!add) {
		mmap_write_lock(current->mm);
		ustack_space_replace(current->mm, region.start, end, NULL,
				     USTACK_KEEP_FILES);
		mmap_write_unlock(current->mm);
		return 0;
	}
	elf = kzalloc(sizeof(*elf), GFP_KERNEL);
	if (!elf)
		return -ENOMEM;
	err = add_region(&region, elf);
	kfree(elf);
	out = copy_out(arg, &region, sizeof(region), size);
	return err ?: out;
}

static int do_prepare(void __user *arg)
{
	struct ustack_prepare prepare;
	struct task_struct *task;
	struct pid *pid;
	u32 size;
	int err;

	if (!ustack_may_administer())
		return -EPERM;
	err = copy_in(&prepare, sizeof(prepare), arg, &size);
	if (err)
		return err;
	pid = find_get_pid(prepare.pid);
	task = pid ? get_pid_task(pid, PIDTYPE_PID) : NULL;
	put_pid(pid);
	if (!task)
		return -ESRCH;
	err = ustack_learn_task(task, &prepare.mappings, &prepare.tables);
	put_task_struct(task);
	return err ?: copy_out(arg, &prepare, sizeof(prepare), size);
}

static int do_again(void __user *arg)
{
	struct ustack_again again;
	u32 size;
	int err;

	if (!ustack_may_administer())
		return -EPERM;
	err = copy_in(&again, sizeof(again), arg, &size);
	if (err)
		return err;
	if (again.reserved)
		return -EINVAL;
	return ustack_image_ask_again(again.dev, again.ino, again.file_size) ?
		       0 : -ENOENT;
}

/*
 * Dispatches by type and number; the size that the macro put into @cmd may be
 * that of another version.
 */
static long control_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	void __user *p = (void __user *)arg;

	if (_IOC_TYPE(cmd) != USTACK_IOC_TYPE)
		return -ENOTTY;
	switch (_IOC_NR(cmd)) {
	case _IOC_NR(USTACK_IOC_INFO):
		return do_info(p);
	case _IOC_NR(USTACK_IOC_LOAD):
		return do_load(p);
	case _IOC_NR(USTACK_IOC_REGION_ADD):
		return do_region(p, true);
	case _IOC_NR(USTACK_IOC_REGION_DEL):
		return do_region(p, false);
	case _IOC_NR(USTACK_IOC_STATS):
		return do_stats(p);
	case _IOC_NR(USTACK_IOC_PREPARE):
		return do_prepare(p);
	case _IOC_NR(USTACK_IOC_AGAIN):
		return do_again(p);
	default:
		return -ENOTTY;
	}
}

static int control_open(struct inode *inode, struct file *file)
{
	struct reader *reader = kzalloc(sizeof(*reader), GFP_KERNEL);

	if (!reader)
		return -ENOMEM;
	file->private_data = reader;
	return stream_open(inode, file);
}

static int control_release(struct inode *inode, struct file *file)
{
	kfree(file->private_data);
	return 0;
}

static ssize_t control_read(struct file *file, char __user *buf, size_t len,
			    loff_t *pos)
{
	struct reader *reader = file->private_data;

	if (!ustack_may_administer())
		return -EPERM;
	return ustack_untabled_read(file, &reader->cursor, buf, len);
}

static __poll_t control_poll(struct file *file, poll_table *wait)
{
	struct reader *reader = file->private_data;

	if (!ustack_may_administer())
		return EPOLLERR;
	return ustack_untabled_poll(file, &reader->cursor, wait);
}

static const struct file_operations control_fops = {
	.owner = THIS_MODULE,
	.open = control_open,
	.release = control_release,
	.read = control_read,
	.poll = control_poll,
	.unlocked_ioctl = control_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
};

static struct miscdevice control_device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "ustack",
	.fops = &control_fops,
	.mode = 0600,
};

int ustack_control_init(void)
{
	return misc_register(&control_device);
}

void ustack_control_exit(void)
{
	misc_deregister(&control_device);
}
