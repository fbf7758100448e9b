// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes a table from a file: reads, verifies, compiles and publishes it. Called
 * by jobs, in process context; may sleep.
 */
#include "build.h"

#include <linux/mm.h>
#include <linux/pid.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/string_helpers.h>
#include <linux/timekeeping.h>

#include "compat.h"
#include "file_read.h"
#include "regs.h"
#include "trace.h"
#include "untabled.h"

/* One attempt to build a table. */
struct attempt {
	struct ustack_image *image;
	struct file *file;
	struct ustack_payer *payer;
	struct ustack_elf *elf;
	struct ustack_build build;
	bool read;	/* @elf was read from the file */
	bool kept;	/* the image's table is still right */
};

/*
 * File systems take change times from a clock that ticks every 1 to 10 ms, and
 * some keep only whole seconds. After two ticks, a further change cannot have
 * the same time; until then the next mapping of the file builds again.
 */
#define RACY_NS (20 * (s64)NSEC_PER_MSEC)

static bool is_racy(const struct ustack_identity *id, const struct file *file)
{
	s64 racy = max_t(s64, RACY_NS,
			 2 * (s64)file_inode(file)->i_sb->s_time_gran);
	struct timespec64 now, changed = {
		.tv_sec = id->ctime_sec,
		.tv_nsec = id->ctime_nsec,
	};
	s64 age;

	ktime_get_coarse_real_ts64(&now);
	age = timespec64_to_ns(&now) - timespec64_to_ns(&changed);
	/*
	 * a time in the future is another clock's: no reason to read again and
	 * again
	 */
	return age > -racy && age < racy;
}

/*
 * There is one builder at a time; a task that comes meanwhile leaves the work
 * to it.
 */
static bool claim(struct ustack_image *image)
{
	bool mine;

	spin_lock_bh(&ustack_images_lock);
	mine = ustack_image_wants_build(image);
	if (mine) {
		WRITE_ONCE(image->state, USTACK_IMAGE_BUILDING);
		WRITE_ONCE(image->again, false);
	}
	spin_unlock_bh(&ustack_images_lock);
	return mine;
}

/* Ends an attempt that has no result. */
static void give_back(struct ustack_image *image, int state)
{
	spin_lock_bh(&ustack_images_lock);
	WRITE_ONCE(image->state, image->loaded ? USTACK_IMAGE_DONE : state);
	spin_unlock_bh(&ustack_images_lock);
}

static void publish(struct attempt *a, struct ustack_code *code, char *path,
		    const struct ustack_image_place *place, bool racy)
{
	struct ustack_image *image = a->image;
	enum ustack_reason reason = a->build.reason;
	struct ustack_payer *payer = a->payer;

	spin_lock_bh(&ustack_images_lock);
	/*
	 * A remote file with another build id, or with none to compare, may not
	 * be the file for which a table was loaded.
	 */
	if (a->read && image->id.trust == USTACK_TRUST_REMOTE &&
	    (image->build_id_len || !a->elf->build_id_len))
		image->loaded = false;
	if (a->read) {
		image->build_id_len = a->elf->build_id_len;
		memcpy(image->build_id, a->elf->build_id, a->elf->build_id_len);
	}
	WRITE_ONCE(image->racy, racy);
	WRITE_ONCE(image->need, a->build.need);
	swap(image->path, path);
	swap(image->payer, payer);
	image->pid = place->pid;
	image->start = place->start;
	image->end = place->end;
	/* A table that was loaded meanwhile stays. */
	if (!image->loaded) {
		WRITE_ONCE(image->reason, reason);
		image->bad_off = a->build.bad_off;
		ustack_image_set_code(image, code);
		code = NULL;
		if (reason)
			ustack_untabled_add(image);
		else
			ustack_untabled_del(image);
	}
	WRITE_ONCE(image->state, USTACK_IMAGE_DONE);
	spin_unlock_bh(&ustack_images_lock);
	ustack_code_free(code);
	ustack_payer_put(payer);
	kfree(path);
	if (reason)
		ustack_untabled_wake();
}

static char *path_of(struct file *file)
{
	char *buf, *p, *path = NULL;

	buf = kmalloc(USTACK_MAX_PATH, GFP_KERNEL);
	if (!buf)
		return NULL;
	p = ustack_user_path(file, buf, USTACK_MAX_PATH);
	if (!IS_ERR(p))
		path = kstrdup(p, GFP_KERNEL_ACCOUNT);
	kfree(buf);
	return path;
}

/*
 * The user who mapped the file pays, whichever task reads it. If the process
 * has exited, its user is unknown, and the machine pays.
 */
static struct ustack_payer *payer_of(pid_t tgid)
{
	struct ustack_payer *payer;
	struct task_struct *task;

	rcu_read_lock();
	task = pid_task(find_pid_ns(tgid, &init_pid_ns), PIDTYPE_PID);
	if (task)
		get_task_struct(task);
	rcu_read_unlock();
	if (!task)
		return ustack_payer_hold(&ustack_machine);
	payer = ustack_payer_of(task);
	put_task_struct(task);
	return payer;
}

static bool still_the_same(const struct ustack_image *image, struct file *file)
{
	struct ustack_identity now;

	ustack_identity_of(file_inode(file), &now);
	return !memcmp(&now, &image->id, sizeof(now));
}

/*
 * Return: whether the file's build id is the one for which the table was made.
 * A file without a build id cannot be compared.
 */
static bool is_known_build(struct attempt *a)
{
	struct ustack_image *image = a->image;
	bool same;

	if (image->id.trust != USTACK_TRUST_REMOTE)
		return false;
	spin_lock_bh(&ustack_images_lock);
	same = rcu_access_pointer(image->code) && image->build_id_len &&
	       image->build_id_len == a->elf->build_id_len &&
	       !memcmp(image->build_id, a->elf->build_id, image->build_id_len);
	spin_unlock_bh(&ustack_images_lock);
	return same;
}

static enum ustack_reason read_headers(struct attempt *a)
{
	enum ustack_reason reason;

	/* A user's process serves this file system, and may stop answering. */
	if (ustack_file_trust(a->file) == USTACK_TRUST_USER)
		return USTACK_FILE_SYSTEM;
	reason = ustack_file_elf(a->file, a->elf);
	if (reason)
		return reason;
	a->read = true;
	if (a->elf->arch != ustack_arch_native)
		return USTACK_ELF_MACHINE;
	return a->elf->sframe_off ? USTACK_OK : USTACK_NO_SECTION;
}

static struct ustack_code *read_section(struct attempt *a)
{
	struct ustack_elf *elf = a->elf;
	struct ustack_code *code;
	u8 *bytes;

	a->build.reason = ustack_file_snapshot(a->file, elf->sframe_off,
					       elf->sframe_len, &bytes);
	if (a->build.reason)
		return NULL;
	code = ustack_code_build(bytes, elf->sframe_len, elf->sframe_vaddr, elf,
				 a->payer, &a->build);
	kvfree(bytes);
	/* Headers and section were read at different times. */
	if (code && !still_the_same(a->image, a->file)) {
		ustack_code_free(code);
		code = NULL;
		a->build.reason = USTACK_CHANGED;
	}
	/* It is used until a table is loaded that covers more. */
	if (code && code->partial)
		a->build.reason = USTACK_PARTIAL;
	return code;
}

/*
 * Return: the code, with @a->build.reason OK or PARTIAL; NULL with another one,
 * which is INTERRUPTED if this task got no turn.
 */
static struct ustack_code *read_and_build(struct attempt *a)
{
	struct ustack_code *code;
	struct ustack_turn turn;

	a->build.reason = read_headers(a);
	if (a->build.reason)
		return NULL;
	a->kept = is_known_build(a);
	if (a->kept)
		return NULL;
	if (!ustack_turn_take(&turn, a->payer, a->elf->sframe_len,
			      a->image->id.trust == USTACK_TRUST_REMOTE)) {
		a->build.reason = USTACK_INTERRUPTED;
		return NULL;
	}
	code = read_section(a);
	ustack_turn_give(&turn);
	return code;
}

/*
 * Owners choose file names: none may forge a line of the log or a record.
 * Return: the name to show; the caller frees it with kfree().
 */
static char *printable(const char *path)
{
	return path ? kasprintf(GFP_KERNEL, "%*pE", (int)strlen(path), path) :
		      NULL;
}

static void tell(const struct attempt *a, const struct ustack_code *code,
		 const char *path)
{
	const struct ustack_identity *id = &a->image->id;
	const struct ustack_build *b = &a->build;
	char *name = printable(path);

	trace_ustack_image(name ?: "", id->dev, id->ino, b->reason, b->bad_off,
			   b->rows, code ? code->bytes : 0);
	/* A missing section is normal; a wrong one is worth a line. */
	if (b->reason && b->reason != USTACK_NO_SECTION &&
	    b->reason < USTACK_NOT_ELF)
		pr_notice_ratelimited("%s (dev %#llx, inode %llu): .sframe refused at offset %#x: %s\n",
				      name ?: "?", id->dev, id->ino, b->bad_off,
				      ustack_reason_text(b->reason));
	kfree(name);
}

/*
 * Return: whether there is no room for a table whose size is known from an
 * earlier attempt.
 */
static bool does_not_fit(const struct attempt *a)
{
	return READ_ONCE(a->image->reason) == USTACK_BUDGET &&
	       !ustack_budget_has_room(a->payer, READ_ONCE(a->image->need));
}

static void build(struct attempt *a, const struct ustack_image_place *place)
{
	struct ustack_code *code;
	char *path;
	bool racy;

	/* Before the first byte is read. */
	racy = is_racy(&a->image->id, a->file);
	code = read_and_build(a);
	if (a->kept) {
		give_back(a->image, USTACK_IMAGE_DONE);
		return;
	}
	if (a->build.reason == USTACK_INTERRUPTED) {
		give_back(a->image, USTACK_IMAGE_NEW);
		return;
	}
	path = path_of(a->file);
	tell(a, code, path);
	publish(a, code, path, place, racy);
	a->payer = NULL;
}

void ustack_image_build(struct ustack_image *image, struct file *file,
			const struct ustack_image_place *place)
{
	struct attempt a = { .image = image, .file = file };

	might_sleep();
	if (!claim(image))
		return;
	a.payer = payer_of(place->pid);
	a.elf = kzalloc(sizeof(*a.elf), GFP_KERNEL_ACCOUNT);
	if (!a.payer || !a.elf)
		give_back(image, USTACK_IMAGE_NEW);
	else if (does_not_fit(&a))
		give_back(image, USTACK_IMAGE_DONE);
	else
		build(&a, place);
	kfree(a.elf);
	ustack_payer_put(a.payer);
}

void ustack_image_meet_vdso(struct ustack_image *image,
			    const struct ustack_image_place *place)
{
	struct attempt a = {
		.image = image,
		.build = { .reason = USTACK_NO_SECTION },
	};

	if (claim(image))
		publish(&a, NULL, NULL, place, false);
}
