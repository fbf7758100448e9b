// SPDX-License-Identifier: GPL-2.0-only
/*
 * The image cache: finds images by identity, counts their users, and frees
 * images without users.
 */
#include "image.h"

#include <linux/magic.h>
#include <linux/mm.h>
#include <linux/random.h>
#include <linux/rculist.h>
#include <linux/sched.h>
#include <linux/siphash.h>
#include <linux/slab.h>

#include "compat.h"
#include "untabled.h"

/* Nests inside a space's bucket lock; the budget's lock nests inside this one. */
DEFINE_SPINLOCK(ustack_images_lock);
static struct hlist_head images[USTACK_IMAGE_BUCKETS];
/*
 * Users choose much of an identity: without the key they could choose the
 * bucket.
 */
static siphash_key_t hash_key __read_mostly;

/*
 * Images without users, oldest first: those with a table, by payer, and those
 * without, which remember a failure.
 */
static LIST_HEAD(idle_users);
static LIST_HEAD(idle_machine);
static LIST_HEAD(idle_bare);
static u32 nr_idle_bare;

static struct ustack_image_totals totals;
static struct ustack_shrinker shrinker;

/*
 * Number of images of devices with each hash: most file systems that are shut
 * down never had one.
 */
static u32 on_device[1 << USTACK_DEVICE_HASH_BITS];

/* ---- identity --------------------------------------------------------------- */

/*
 * Local file systems are those on a block device, and those known to be in
 * memory or on several devices. All others count as remote, including those
 * whose data a daemon supplies.
 */
static enum ustack_trust trust_of(const struct super_block *sb)
{
	/* virtiofs speaks FUSE to the hypervisor */
	if (sb->s_magic == FUSE_SUPER_MAGIC)
		return strcmp(sb->s_type->name, "virtiofs") ?
			       USTACK_TRUST_USER : USTACK_TRUST_REMOTE;
	if (sb->s_bdev || sb->s_magic == TMPFS_MAGIC ||
	    sb->s_magic == RAMFS_MAGIC || sb->s_magic == BTRFS_SUPER_MAGIC ||
	    sb->s_flags & SB_KERNMOUNT)
		return USTACK_TRUST_LOCAL;
	return USTACK_TRUST_REMOTE;
}

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
		.trust = trust_of(inode->i_sb),
	};
}

enum ustack_trust ustack_file_trust(const struct file *file)
{
	return trust_of(file_inode(file)->i_sb);
}

static struct hlist_head *bucket_of(const struct ustack_identity *id)
{
	BUILD_BUG_ON(sizeof(*id) % sizeof(u64));
	return &images[siphash(id, sizeof(*id), &hash_key) &
		       (USTACK_IMAGE_BUCKETS - 1)];
}

static u32 *on_device_of(u64 dev)
{
	return &on_device[hash_64(dev, USTACK_DEVICE_HASH_BITS)];
}

/* Called under RCU or images_lock. */
static struct ustack_image *find(struct hlist_head *head,
				 const struct ustack_identity *id)
{
	struct ustack_image *image;

	hlist_for_each_entry_rcu(image, head, node,
				 lockdep_is_held(&ustack_images_lock))
		if (!memcmp(&image->id, id, sizeof(*id)))
			return image;
	return NULL;
}

/* ---- tables ------------------------------------------------------------------- */

static struct ustack_code *code_of(const struct ustack_image *image)
{
	return rcu_dereference_protected(image->code,
					 lockdep_is_held(&ustack_images_lock));
}

void ustack_image_set_code(struct ustack_image *image, struct ustack_code *code)
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

/* ---- idle images ---------------------------------------------------------------- */

static void enter_idle(struct ustack_image *image)
{
	struct ustack_code *code = code_of(image);

	lockdep_assert_held(&ustack_images_lock);
	totals.idle++;
	if (!code) {
		nr_idle_bare++;
		list_add_tail(&image->idle, &idle_bare);
		return;
	}
	list_add_tail(&image->idle, code->payer == &ustack_machine ?
					    &idle_machine : &idle_users);
	list_add_tail(&image->payer_idle, &code->payer->idle_tables);
	ustack_budget_idle(code->payer, code->bytes);
}

static void leave_idle(struct ustack_image *image)
{
	struct ustack_code *code = code_of(image);

	lockdep_assert_held(&ustack_images_lock);
	totals.idle--;
	list_del_init(&image->idle);
	if (!code) {
		nr_idle_bare--;
		return;
	}
	list_del_init(&image->payer_idle);
	ustack_budget_idle(code->payer, -(s64)code->bytes);
}

/* After this no identity finds the image. */
static void unhash(struct ustack_image *image)
{
	lockdep_assert_held(&ustack_images_lock);
	if (hlist_unhashed(&image->node))
		return;
	hlist_del_init_rcu(&image->node);
	if (image->id.kind == USTACK_IMAGE_FILE)
		--*on_device_of(image->id.dev);
}

static void free_image_rcu(struct rcu_head *rcu)
{
	struct ustack_image *image = container_of(rcu, struct ustack_image, rcu);

	kfree(image->path);
	kfree(image);
}

/*
 * Frees an image that has no users and is in no idle list. A lookup under RCU
 * may still see it, and finds that it has no users.
 */
static void drop(struct ustack_image *image)
{
	lockdep_assert_held(&ustack_images_lock);
	unhash(image);
	ustack_untabled_del(image);
	ustack_image_set_code(image, NULL);
	ustack_payer_put(image->payer);
	totals.images--;
	call_rcu(&image->rcu, free_image_rcu);
}

static bool drop_first(struct list_head *list)
{
	struct ustack_image *image;

	image = list_first_entry_or_null(list, struct ustack_image, idle);
	if (!image)
		return false;
	leave_idle(image);
	drop(image);
	return true;
}

/* Frees an idle image: the table that was idle longest, else a record. */
static bool drop_any(void)
{
	return drop_first(&idle_users) || drop_first(&idle_machine) ||
	       drop_first(&idle_bare);
}

/* The budget calls this: see ustack_budget_init(). */
static bool evict_table(struct ustack_payer *payer, bool users_only)
{
	struct ustack_image *image;
	bool done = true;

	spin_lock_bh(&ustack_images_lock);
	if (payer) {
		image = list_first_entry_or_null(&payer->idle_tables,
						 struct ustack_image, payer_idle);
		if (image) {
			leave_idle(image);
			drop(image);
		}
		done = image;
	} else if (!drop_first(&idle_users)) {
		done = !users_only && drop_first(&idle_machine);
	}
	spin_unlock_bh(&ustack_images_lock);
	return done;
}

/* ---- users ------------------------------------------------------------------------ */

static struct ustack_image *new_image(const struct ustack_identity *id,
				      gfp_t gfp)
{
	struct ustack_image *image;

	image = kzalloc(sizeof(*image), gfp | __GFP_ACCOUNT | __GFP_NOWARN);
	if (!image)
		return NULL;
	INIT_HLIST_NODE(&image->node);
	INIT_LIST_HEAD(&image->idle);
	INIT_LIST_HEAD(&image->payer_idle);
	image->id = *id;
	atomic_long_set(&image->users, 1);
	return image;
}

static void hold_locked(struct ustack_image *image)
{
	lockdep_assert_held(&ustack_images_lock);
	if (atomic_long_inc_return(&image->users) == 1)
		leave_idle(image);
}

struct ustack_image *ustack_image_get(const struct ustack_identity *id,
				      gfp_t gfp)
{
	struct hlist_head *head = bucket_of(id);
	struct ustack_image *image, *fresh;

	rcu_read_lock();
	image = find(head, id);
	if (image && !atomic_long_inc_not_zero(&image->users))
		image = NULL;
	rcu_read_unlock();
	if (image)
		return image;

	fresh = new_image(id, gfp);
	spin_lock_bh(&ustack_images_lock);
	image = find(head, id);
	if (image) {
		hold_locked(image);
	} else if (fresh) {
		image = fresh;
		fresh = NULL;
		hlist_add_head_rcu(&image->node, head);
		totals.images++;
		if (id->kind == USTACK_IMAGE_FILE)
			++*on_device_of(id->dev);
	}
	spin_unlock_bh(&ustack_images_lock);
	kfree(fresh);
	return image;
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
	spin_lock_bh(&ustack_images_lock);
	totals.images++;
	ustack_image_set_code(image, code);
	spin_unlock_bh(&ustack_images_lock);
	return image;
}

/* Return: whether an image without users is kept for the next process. */
static bool is_kept(const struct ustack_image *image)
{
	return image->id.kind != USTACK_IMAGE_REGION && !image->forgotten &&
	       image->id.trust != USTACK_TRUST_USER;
}

void ustack_image_put(struct ustack_image *image)
{
	/* if there are other users, no lock is needed */
	if (atomic_long_add_unless(&image->users, -1, 1))
		return;
	spin_lock_bh(&ustack_images_lock);
	if (atomic_long_dec_and_test(&image->users)) {
		if (!is_kept(image)) {
			drop(image);
		} else {
			enter_idle(image);
			if (nr_idle_bare > USTACK_MAX_IDLE_IMAGES)
				drop_first(&idle_bare);
		}
	}
	spin_unlock_bh(&ustack_images_lock);
}

void ustack_image_forget_device(u64 dev)
{
	struct ustack_image *image;
	struct hlist_node *next;
	unsigned int i;

	if (!READ_ONCE(*on_device_of(dev)))
		return;
	for (i = 0; i < USTACK_IMAGE_BUCKETS; i++) {
		if (hlist_empty(&images[i]))
			continue;
		spin_lock_bh(&ustack_images_lock);
		hlist_for_each_entry_safe(image, next, &images[i], node) {
			if (image->id.kind != USTACK_IMAGE_FILE ||
			    image->id.dev != dev)
				continue;
			unhash(image);
			image->forgotten = true;
			/*
			 * A mapping list that RCU has not freed yet may still
			 * use it.
			 */
			if (atomic_long_read(&image->users))
				continue;
			leave_idle(image);
			drop(image);
		}
		spin_unlock_bh(&ustack_images_lock);
	}
}

/* ---- queries about one image ------------------------------------------------------ */

bool ustack_image_may_pass(const struct ustack_image *image)
{
	switch (READ_ONCE(image->reason)) {
	case USTACK_BUDGET:
		return ustack_budget_has_room(NULL, READ_ONCE(image->need));
	case USTACK_NO_MEMORY:
	case USTACK_READ_ERROR:
	case USTACK_CHANGED:
	case USTACK_INTERRUPTED:
		return true;
	default:
		return false;
	}
}

bool ustack_image_wants_build(const struct ustack_image *image)
{
	int state = READ_ONCE(image->state);

	if (state != USTACK_IMAGE_DONE)
		return state == USTACK_IMAGE_NEW;
	return READ_ONCE(image->racy) || READ_ONCE(image->again) ||
	       image->id.trust == USTACK_TRUST_REMOTE ||
	       ustack_image_may_pass(image);
}

/* Return: whether a table that covers more of the text could be loaded. */
static bool lacks_rows(const struct ustack_image *image)
{
	const struct ustack_code *code = code_of(image);

	return !code || (code->partial && !image->loaded);
}

/* Return: whether the file's own table stays, though @code was loaded for it. */
static bool keeps_own(const struct ustack_image *image,
		      const struct ustack_code *code)
{
	const struct ustack_code *own = code_of(image);

	return own && !image->loaded &&
	       (!own->partial || code->covered <= own->covered);
}

bool ustack_image_load(struct ustack_image *image, struct ustack_code *code,
		       bool over_own)
{
	bool taken;

	spin_lock_bh(&ustack_images_lock);
	taken = over_own || !keeps_own(image, code);
	if (taken) {
		ustack_image_set_code(image, code);
		image->loaded = true;
		WRITE_ONCE(image->again, false);
		WRITE_ONCE(image->reason, USTACK_OK);
		ustack_untabled_del(image);
		if (image->state == USTACK_IMAGE_NEW)
			WRITE_ONCE(image->state, USTACK_IMAGE_DONE);
	}
	spin_unlock_bh(&ustack_images_lock);
	if (!taken)
		ustack_code_free(code);
	return taken;
}

void ustack_image_no_room(struct ustack_image *image, u64 bytes)
{
	spin_lock_bh(&ustack_images_lock);
	if (image->state == USTACK_IMAGE_DONE && !code_of(image)) {
		WRITE_ONCE(image->need, bytes);
		WRITE_ONCE(image->reason, USTACK_BUDGET);
	}
	spin_unlock_bh(&ustack_images_lock);
}

struct ustack_payer *ustack_image_payer(struct ustack_image *image)
{
	struct ustack_payer *payer;

	spin_lock_bh(&ustack_images_lock);
	payer = ustack_payer_hold(image->payer ?: &ustack_machine);
	spin_unlock_bh(&ustack_images_lock);
	return payer;
}

bool ustack_image_wants_table(struct ustack_image *image)
{
	bool wants;

	spin_lock_bh(&ustack_images_lock);
	wants = image->state == USTACK_IMAGE_DONE &&
		(image->loaded || lacks_rows(image));
	spin_unlock_bh(&ustack_images_lock);
	return wants;
}

bool ustack_image_ask_again(u64 dev, u64 ino, u64 size)
{
	struct ustack_image *image;
	bool found = false;
	unsigned int i;

	for (i = 0; i < USTACK_IMAGE_BUCKETS; i++) {
		if (hlist_empty(&images[i]))
			continue;
		spin_lock_bh(&ustack_images_lock);
		hlist_for_each_entry(image, &images[i], node) {
			if (image->id.kind != USTACK_IMAGE_FILE ||
			    image->id.dev != dev || image->id.ino != ino ||
			    image->id.size != size || !lacks_rows(image))
				continue;
			WRITE_ONCE(image->again, true);
			found = true;
		}
		spin_unlock_bh(&ustack_images_lock);
	}
	return found;
}

/* ---- all images ------------------------------------------------------------------------ */

void ustack_image_get_totals(struct ustack_image_totals *ret)
{
	spin_lock_bh(&ustack_images_lock);
	*ret = totals;
	spin_unlock_bh(&ustack_images_lock);
}

void ustack_image_visit(unsigned int bucket, ustack_image_fn fn, void *arg)
{
	struct ustack_image *image;

	spin_lock_bh(&ustack_images_lock);
	hlist_for_each_entry(image, &images[bucket], node)
		fn(image, arg);
	spin_unlock_bh(&ustack_images_lock);
}

static unsigned long shrink_count(struct shrinker *s, struct shrink_control *sc)
{
	return READ_ONCE(totals.idle) ?: SHRINK_EMPTY;
}

static unsigned long shrink_scan(struct shrinker *s, struct shrink_control *sc)
{
	unsigned long n = 0;

	spin_lock_bh(&ustack_images_lock);
	while (n < sc->nr_to_scan && drop_any())
		n++;
	spin_unlock_bh(&ustack_images_lock);
	return n ?: SHRINK_STOP;
}

int ustack_image_init(void)
{
	get_random_bytes(&hash_key, sizeof(hash_key));
	ustack_budget_init(evict_table);
	return ustack_shrinker_register(&shrinker, shrink_count, shrink_scan);
}

/* Called when no mapping is left. */
void ustack_image_exit(void)
{
	ustack_shrinker_unregister(&shrinker);
	spin_lock_bh(&ustack_images_lock);
	while (drop_any())
		;
	spin_unlock_bh(&ustack_images_lock);
	WARN_ON_ONCE(totals.images || totals.table_bytes || ustack_budget_bytes());
}
