// SPDX-License-Identifier: GPL-2.0
/*
 * The image cache. One lock for hash, idle list, untabled list and accounts:
 * it is taken when mappings come and go, never by a sample.
 */
#include "image.h"

#include <linux/hashtable.h>
#include <linux/mm.h>
#include <linux/rbtree.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>
#include <linux/xxhash.h>

#include "compat.h"
#include "file_read.h"
#include "limits.h"
#include "regs.h"
#include "trace.h"
#include "untabled.h"

/* Taken in task context and, with the last user of a mapping list, from an RCU
 * callback: bottom halves are off while it is held. Nests inside nothing but a
 * space's bucket lock.
 */
static DEFINE_SPINLOCK(images_lock);
static DEFINE_HASHTABLE(images, USTACK_IMAGE_HASH_BITS);
static LIST_HEAD(idle_images);
static struct rb_root untabled_images = RB_ROOT;
static u64 last_serial;
static struct ustack_image_totals totals;
static struct ustack_shrinker shrinker;

void ustack_identity_of(const struct inode *inode, struct ustack_identity *ret)
{
	struct timespec64 ctime = ustack_inode_ctime(inode);

	*ret = (struct ustack_identity){
		.dev = new_encode_dev(inode->i_sb->s_dev),
		.ino = inode->i_ino,
		.size = i_size_read(inode),
		.ctime_sec = ctime.tv_sec,
		.ctime_nsec = ctime.tv_nsec,
		.generation = inode->i_generation,
		.kind = USTACK_IMAGE_FILE,
	};
}

static u32 id_hash(const struct ustack_identity *id)
{
	return xxh32(id, sizeof(*id), 0);
}

static struct ustack_image *find(const struct ustack_identity *id, u32 hash)
{
	struct ustack_image *image;

	lockdep_assert_held(&images_lock);
	hash_for_each_possible(images, image, node, hash)
		if (!memcmp(&image->id, id, sizeof(*id)))
			return image;
	return NULL;
}

static struct ustack_code *code_of(const struct ustack_image *image)
{
	return rcu_dereference_protected(image->code,
					 lockdep_is_held(&images_lock));
}

static u64 code_bytes(const struct ustack_image *image)
{
	const struct ustack_code *code = code_of(image);

	return code ? code->bytes : 0;
}

static void set_code(struct ustack_image *image, struct ustack_code *code)
{
	struct ustack_code *old = code_of(image);

	if (old) {
		WRITE_ONCE(totals.table_bytes, totals.table_bytes - old->bytes);
		totals.tables--;
	}
	if (code) {
		WRITE_ONCE(totals.table_bytes, totals.table_bytes + code->bytes);
		totals.tables++;
	}
	rcu_assign_pointer(image->code, code);
	ustack_code_free(old);
}

static bool serial_less(struct rb_node *a, const struct rb_node *b)
{
	return rb_entry(a, struct ustack_image, untabled)->serial <
	       rb_entry(b, struct ustack_image, untabled)->serial;
}

static void unlist_untabled(struct ustack_image *image)
{
	lockdep_assert_held(&images_lock);
	if (image->serial)
		rb_erase(&image->untabled, &untabled_images);
	image->serial = 0;
}

/* Behind all others, with a new serial, so that every reader sees it again. */
static void list_untabled(struct ustack_image *image)
{
	unlist_untabled(image);
	image->serial = ++last_serial;
	rb_add(&image->untabled, &untabled_images, serial_less);
}

/* Unlinks an image that nobody uses. The caller frees it. */
static void unlink_idle(struct ustack_image *image)
{
	lockdep_assert_held(&images_lock);
	list_del_init(&image->idle);
	totals.idle--;
	unlist_untabled(image);
	hash_del(&image->node);
	set_code(image, NULL);
	totals.images--;
}

static void free_image(struct ustack_image *image)
{
	kfree(image->path);
	kfree(image);
}

/* Frees the longest idle image. Return: false if none is idle. */
static bool evict_one(void)
{
	struct ustack_image *image;

	lockdep_assert_held(&images_lock);
	image = list_first_entry_or_null(&idle_images, struct ustack_image, idle);
	if (!image)
		return false;
	unlink_idle(image);
	free_image(image);
	return true;
}

static struct ustack_image *new_image(const struct ustack_identity *id,
				      gfp_t gfp)
{
	struct ustack_image *image;

	image = kzalloc(sizeof(*image), gfp | __GFP_NOWARN);
	if (!image)
		return NULL;
	INIT_HLIST_NODE(&image->node);
	INIT_LIST_HEAD(&image->idle);
	image->id = *id;
	image->users = 1;
	return image;
}

static void hold_locked(struct ustack_image *image)
{
	lockdep_assert_held(&images_lock);
	if (!image->users++ && !list_empty(&image->idle)) {
		list_del_init(&image->idle);
		totals.idle--;
	}
}

struct ustack_image *ustack_image_get(const struct ustack_identity *id,
				      gfp_t gfp)
{
	struct ustack_image *image, *fresh;
	u32 hash = id_hash(id);

	spin_lock_bh(&images_lock);
	image = find(id, hash);
	if (image)
		hold_locked(image);
	spin_unlock_bh(&images_lock);
	if (image)
		return image;

	fresh = new_image(id, gfp);
	if (!fresh)
		return NULL;
	spin_lock_bh(&images_lock);
	image = find(id, hash);
	if (image) {
		hold_locked(image);
	} else {
		image = fresh;
		fresh = NULL;
		hash_add(images, &image->node, hash);
		totals.images++;
	}
	spin_unlock_bh(&images_lock);
	kfree(fresh);
	return image;
}

/* Makes room for @bytes of table where @old bytes go, by giving up tables that
 * nobody uses, oldest first. Images without a table are cheap and remember a
 * failure: they stay.
 */
static bool make_room(u64 bytes, u64 old)
{
	u64 budget = (u64)READ_ONCE(ustack_budget_mb) << 20;
	struct ustack_image *image, *next;

	lockdep_assert_held(&images_lock);
	list_for_each_entry_safe(image, next, &idle_images, idle) {
		if (totals.table_bytes + bytes <= budget + old)
			break;
		if (code_of(image)) {
			unlink_idle(image);
			free_image(image);
		}
	}
	return totals.table_bytes + bytes <= budget + old;
}

struct ustack_image *ustack_image_get_region(struct ustack_code *code)
{
	static const struct ustack_identity id = { .kind = USTACK_IMAGE_REGION };
	struct ustack_image *image;

	image = new_image(&id, GFP_KERNEL);
	if (!image)
		return NULL;
	image->state = USTACK_IMAGE_DONE;
	image->loaded = true;
	spin_lock_bh(&images_lock);
	if (make_room(code->bytes, 0)) {
		totals.images++;
		set_code(image, code);
	} else {
		kfree(image);
		image = NULL;
	}
	spin_unlock_bh(&images_lock);
	return image;
}

void ustack_image_hold(struct ustack_image *image)
{
	spin_lock_bh(&images_lock);
	hold_locked(image);
	spin_unlock_bh(&images_lock);
}

void ustack_image_put(struct ustack_image *image)
{
	bool region = image->id.kind == USTACK_IMAGE_REGION;
	bool gone = false;

	spin_lock_bh(&images_lock);
	if (!--image->users) {
		list_add_tail(&image->idle, &idle_images);
		totals.idle++;
		if (region) {
			unlink_idle(image);
			gone = true;
		} else if (totals.idle > USTACK_MAX_IDLE_IMAGES) {
			evict_one();
		}
	}
	spin_unlock_bh(&images_lock);
	if (gone)
		free_image(image);
}

/* A failure that says nothing about the file. */
static bool may_pass(enum ustack_reason reason)
{
	return reason == USTACK_BUDGET || reason == USTACK_NO_MEMORY ||
	       reason == USTACK_READ_ERROR || reason == USTACK_CHANGED;
}

bool ustack_image_wants_build(const struct ustack_image *image)
{
	int state = READ_ONCE(image->state);

	if (state != USTACK_IMAGE_DONE)
		return state == USTACK_IMAGE_NEW;
	return READ_ONCE(image->racy) || READ_ONCE(image->again) ||
	       may_pass(READ_ONCE(image->reason));
}

/*
 * File systems take change times from a clock that ticks every 1 to 10 ms. Two
 * ticks later, a further change cannot have the same time; until then the next
 * mapping of the file builds again.
 */
#define RACY_NS (20 * (s64)NSEC_PER_MSEC)

static bool is_racy(const struct ustack_identity *id)
{
	struct timespec64 now, changed = {
		.tv_sec = id->ctime_sec,
		.tv_nsec = id->ctime_nsec,
	};

	s64 age;

	ktime_get_coarse_real_ts64(&now);
	age = timespec64_to_ns(&now) - timespec64_to_ns(&changed);
	/* a time in the future is another clock's: no reason to read for ever */
	return age > -RACY_NS && age < RACY_NS;
}

/* One builder at a time; whoever comes meanwhile leaves it to him. */
static bool claim(struct ustack_image *image)
{
	bool mine;

	spin_lock_bh(&images_lock);
	mine = ustack_image_wants_build(image);
	if (mine) {
		WRITE_ONCE(image->state, USTACK_IMAGE_BUILDING);
		WRITE_ONCE(image->again, false);
	}
	spin_unlock_bh(&images_lock);
	return mine;
}

static void finish(struct ustack_image *image, struct ustack_code *code,
		   const struct ustack_elf *elf, char *path,
		   const struct ustack_image_place *place,
		   const struct ustack_build *build, bool racy)
{
	enum ustack_reason reason = build->reason;

	spin_lock_bh(&images_lock);
	if (code && !make_room(code->bytes, code_bytes(image))) {
		reason = USTACK_BUDGET;
		ustack_code_free(code);
		code = NULL;
	}
	if (elf) {
		image->build_id_len = elf->build_id_len;
		memcpy(image->build_id, elf->build_id, elf->build_id_len);
	}
	WRITE_ONCE(image->racy, racy);
	swap(image->path, path);
	image->pid = place->pid;
	image->start = place->start;
	image->end = place->end;
	/* A table that was loaded meanwhile stays. */
	if (!image->loaded) {
		image->reason = reason;
		image->bad_off = build->bad_off;
		set_code(image, code);
		code = NULL;
		if (reason)
			list_untabled(image);
		else
			unlist_untabled(image);
	}
	WRITE_ONCE(image->state, USTACK_IMAGE_DONE);
	spin_unlock_bh(&images_lock);
	ustack_code_free(code);
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
		path = kstrdup(p, GFP_KERNEL);
	kfree(buf);
	return path;
}

static bool still_the_same(const struct ustack_image *image, struct file *file)
{
	struct ustack_identity now;

	ustack_identity_of(file_inode(file), &now);
	return !memcmp(&now, &image->id, sizeof(now));
}

static struct ustack_code *read_and_build(struct ustack_image *image,
					  struct file *file,
					  struct ustack_elf *elf,
					  struct ustack_build *build)
{
	struct ustack_code *code;
	u8 *bytes;

	build->reason = ustack_file_elf(file, elf);
	if (build->reason)
		return NULL;
	if (elf->arch != ustack_arch_native)
		build->reason = USTACK_ELF_MACHINE;
	else if (!elf->sframe_off)
		build->reason = USTACK_NO_SECTION;
	if (build->reason)
		return NULL;
	build->reason = ustack_file_snapshot(file, elf->sframe_off,
					     elf->sframe_len, &bytes);
	if (build->reason)
		return NULL;
	code = ustack_code_build(bytes, elf->sframe_len, elf->sframe_vaddr, elf,
				 build);
	kvfree(bytes);
	/* Headers and section were read at different moments. */
	if (code && !still_the_same(image, file)) {
		ustack_code_free(code);
		code = NULL;
		build->reason = USTACK_CHANGED;
	}
	return code;
}

void ustack_image_build(struct ustack_image *image, struct file *file,
			const struct ustack_image_place *place)
{
	struct ustack_build build = { .reason = USTACK_NO_MEMORY };
	struct ustack_code *code = NULL;
	struct ustack_elf *elf;
	char *path;
	bool racy;

	might_sleep();
	if (!claim(image))
		return;
	/* Before the first byte is read. */
	racy = is_racy(&image->id);
	path = path_of(file);
	elf = kzalloc(sizeof(*elf), GFP_KERNEL);
	if (elf)
		code = read_and_build(image, file, elf, &build);
	trace_ustack_image(path ?: "", image->id.dev, image->id.ino,
			   build.reason, build.bad_off, build.rows,
			   code ? code->bytes : 0);
	/* Not having one is normal; having a wrong one is worth a line. */
	if (build.reason && build.reason != USTACK_NO_SECTION &&
	    build.reason < USTACK_NOT_ELF)
		pr_notice_ratelimited("%s (dev %#llx, inode %llu): .sframe refused at offset %#x: %s\n",
				      path ?: "?", image->id.dev, image->id.ino,
				      build.bad_off,
				      ustack_reason_text(build.reason));
	finish(image, code, elf, path, place, &build, racy);
	kfree(elf);
}

void ustack_image_meet_vdso(struct ustack_image *image,
			    const struct ustack_image_place *place)
{
	static const struct ustack_build build = { .reason = USTACK_NO_SECTION };

	if (claim(image))
		finish(image, NULL, NULL, NULL, place, &build, false);
}

enum ustack_reason ustack_image_load(struct ustack_image *image,
				     struct ustack_code *code)
{
	enum ustack_reason reason = USTACK_OK;

	spin_lock_bh(&images_lock);
	if (make_room(code->bytes, code_bytes(image))) {
		set_code(image, code);
		image->loaded = true;
		WRITE_ONCE(image->again, false);
		image->reason = USTACK_OK;
		unlist_untabled(image);
		if (image->state == USTACK_IMAGE_NEW)
			WRITE_ONCE(image->state, USTACK_IMAGE_DONE);
	} else {
		reason = USTACK_BUDGET;
	}
	spin_unlock_bh(&images_lock);
	if (reason)
		ustack_code_free(code);
	return reason;
}

bool ustack_image_ask_again(u64 dev, u64 ino, u64 size)
{
	struct ustack_image *image;
	bool found = false;
	int bucket;

	spin_lock_bh(&images_lock);
	hash_for_each(images, bucket, image, node) {
		if (image->id.kind != USTACK_IMAGE_FILE || image->id.dev != dev ||
		    image->id.ino != ino || image->id.size != size ||
		    code_of(image))
			continue;
		WRITE_ONCE(image->again, true);
		found = true;
	}
	spin_unlock_bh(&images_lock);
	return found;
}

void ustack_image_get_totals(struct ustack_image_totals *ret)
{
	spin_lock_bh(&images_lock);
	*ret = totals;
	spin_unlock_bh(&images_lock);
}

void ustack_image_for_each(bool (*fn)(const struct ustack_image *image,
				      void *arg), void *arg)
{
	struct ustack_image *image;
	int bucket;

	spin_lock_bh(&images_lock);
	hash_for_each(images, bucket, image, node)
		if (!fn(image, arg))
			break;
	spin_unlock_bh(&images_lock);
}

u64 ustack_image_next_untabled(u64 after,
			       void (*fn)(const struct ustack_image *image,
					  void *arg), void *arg)
{
	struct ustack_image *image, *found = NULL;
	struct rb_node *node;
	u64 serial = 0;

	spin_lock_bh(&images_lock);
	for (node = untabled_images.rb_node; node;) {
		image = rb_entry(node, struct ustack_image, untabled);
		if (image->serial > after) {
			found = image;
			node = node->rb_left;
		} else {
			node = node->rb_right;
		}
	}
	if (found) {
		serial = found->serial;
		fn(found, arg);
	}
	spin_unlock_bh(&images_lock);
	return serial;
}

static unsigned long shrink_count(struct shrinker *s, struct shrink_control *sc)
{
	return READ_ONCE(totals.idle) ?: SHRINK_EMPTY;
}

static unsigned long shrink_scan(struct shrinker *s, struct shrink_control *sc)
{
	unsigned long n = 0;

	spin_lock_bh(&images_lock);
	while (n < sc->nr_to_scan && evict_one())
		n++;
	spin_unlock_bh(&images_lock);
	return n ?: SHRINK_STOP;
}

int ustack_image_init(void)
{
	return ustack_shrinker_register(&shrinker, shrink_count, shrink_scan);
}

/* Called when no mapping is left. */
void ustack_image_exit(void)
{
	ustack_shrinker_unregister(&shrinker);
	spin_lock_bh(&images_lock);
	while (evict_one())
		;
	spin_unlock_bh(&images_lock);
	WARN_ON_ONCE(totals.images || totals.table_bytes);
}
