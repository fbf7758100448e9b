/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Image: one ELF file (or the vDSO, or a JIT region), shared by every process
 * that maps it. Keyed by identity; holds no inode, so no unmount is blocked.
 *
 * Life: an image is found or created when a mapping of it appears (any context
 * that may take a spinlock), built once by the first task that may sleep (build.h),
 * and kept after its last mapping is gone until the budget, the idle limit or the
 * shrinker wants its memory, or its file system is shut down.
 */
#ifndef USTACK_IMAGE_H
#define USTACK_IMAGE_H

#include <linux/fs.h>
#include <linux/list.h>
#include <linux/rbtree.h>
#include <linux/rcupdate.h>

#include "budget.h"
#include "code.h"
#include "limits.h"

enum ustack_image_kind {
	USTACK_IMAGE_FILE,
	USTACK_IMAGE_VDSO,	/* one for the kernel */
	USTACK_IMAGE_REGION,	/* never found by identity */
};

/* What a file system's word about its files is worth. */
enum ustack_trust {
	USTACK_TRUST_LOCAL,	/* this kernel keeps inode numbers and times */
	USTACK_TRUST_REMOTE,	/* another machine does, by another clock */
	USTACK_TRUST_USER,	/* a process does: FUSE */
};

/**
 * struct ustack_identity - which file, at which moment of its life
 *
 * On a local file system two files with the same identity have the same bytes, as
 * long as the file system lives: the change time moves with every write, rename and
 * link, and an inode number that is used again comes with another generation or
 * change time. Device numbers are used again: ustack_image_forget_device() ends what
 * was known of one. The clock of change times ticks slowly; see ustack_image.racy
 * for what changes twice within a tick.
 *
 * A remote file's build id is read again at each mapping. A file of FUSE is not read
 * by the kernel, and what was loaded for it goes with its last mapping.
 */
struct ustack_identity {
	u64 dev;
	u64 ino;
	u64 size;
	s64 ctime_sec;
	u32 ctime_nsec;
	u32 generation;
	u32 kind;
	u32 trust;
};

enum ustack_image_state {
	USTACK_IMAGE_NEW,	/* nobody has looked at the file */
	USTACK_IMAGE_BUILDING,	/* somebody is reading it */
	USTACK_IMAGE_DONE,	/* @code, or @reason why there is none */
};

/**
 * struct ustack_image - one image
 * @node: in the hash by identity; written under images_lock, read under RCU
 * @rcu: for the free
 * @idle: in a list of images without users, oldest first; images_lock
 * @payer_idle: the same in the list of the table's payer; images_lock
 * @untabled: in the tree of images without table, by @serial; images_lock
 * @id: constant
 * @code: written under images_lock, read under RCU; NULL while there is no
 *        table
 * @users: mappings and transient references; becomes 0, and more than that again,
 *         under images_lock alone
 * @forgotten: out of the hash, its file system has been shut down; images_lock
 * @payer: who made the last attempt to build; may be NULL; images_lock
 * @need: bytes of the table that did not fit, 0 if unknown
 * @state: enum ustack_image_state; written under images_lock, read anywhere
 * @reason: why @code is NULL once DONE; images_lock
 * @bad_off: offset that @reason is about
 * @racy: the file had changed so shortly before it was read that it may have
 *        changed again without a new change time
 * @loaded: the table came through /dev/ustack
 * @again: to be met anew at its next mapping: see ustack_image_ask_again()
 * @serial: position among the untabled, 0 = not one of them
 * @build_id_len: bytes of @build_id; images_lock
 * @build_id: GNU build id
 * @pid: process that mapped it first
 * @start: where it was mapped there
 * @end: end of that mapping
 * @path: as that process saw it, may be NULL; images_lock
 */
struct ustack_image {
	struct hlist_node node;
	struct rcu_head rcu;
	struct list_head idle;
	struct list_head payer_idle;
	struct rb_node untabled;
	struct ustack_identity id;
	struct ustack_code __rcu *code;
	atomic_long_t users;
	bool forgotten;
	struct ustack_payer *payer;
	u64 need;
	int state;
	enum ustack_reason reason;
	u32 bad_off;
	bool racy;
	bool loaded;
	bool again;
	u64 serial;
	u8 build_id_len;
	u8 build_id[USTACK_MAX_BUILD_ID];
	pid_t pid;
	u64 start;
	u64 end;
	char *path;
};

/* Totals for people; read without lock. */
struct ustack_image_totals {
	u64 table_bytes;
	u32 images;
	u32 tables;
	u32 idle;
};

/* Guards the hash's writers, the idle lists, the untabled and the totals. Taken when
 * mappings come and go, in task context and in RCU callbacks (bottom halves are off
 * while it is held), never by a sample.
 */
extern spinlock_t ustack_images_lock;

int ustack_image_init(void);
void ustack_image_exit(void);

/* The identity of a file's inode now. Context: any but NMI. */
void ustack_identity_of(const struct inode *inode, struct ustack_identity *ret);

/* What the word of the file's file system is worth. Context: any. */
enum ustack_trust ustack_file_trust(const struct file *file);

/**
 * ustack_image_get() - find or create the image of an identity
 * @id: the identity
 * @gfp: how memory may be had for a new one
 *
 * Context: any but NMI and hard interrupt; takes images_lock if nobody uses the image.
 * Return: the image with one more user, or NULL without memory.
 */
struct ustack_image *ustack_image_get(const struct ustack_identity *id,
				      gfp_t gfp);

/* A new image outside the hash, for a JIT region; with one user. @code is consumed
 * on success.
 */
struct ustack_image *ustack_image_get_region(struct ustack_code *code);

/* One more user. Context: any; the caller has one already, or knows who has. */
static inline void ustack_image_hold(struct ustack_image *image)
{
	atomic_long_inc(&image->users);
}

/* One user less. Context: any but NMI and hard interrupt. */
void ustack_image_put(struct ustack_image *image);

/* Whether somebody should call ustack_image_build(). Context: NMI-safe. */
static inline bool ustack_image_is_new(const struct ustack_image *image)
{
	return READ_ONCE(image->state) == USTACK_IMAGE_NEW;
}

/* The same before sleeping work is arranged: also says yes for failures that may
 * have passed, such as a full budget where there is room now, and for remote files,
 * whose build id is read again. Context: any but NMI and hard interrupt.
 */
bool ustack_image_wants_build(const struct ustack_image *image);

/**
 * ustack_image_load() - give an image a table made elsewhere
 * @image: used by the caller
 * @code: from ustack_code_build(); consumed
 *
 * Context: process.
 */
void ustack_image_load(struct ustack_image *image, struct ustack_code *code);

/* A table of @bytes for @image did not fit: the image is met anew, by readers of the
 * untabled too, when it is mapped while there is room. Context: process.
 */
void ustack_image_no_room(struct ustack_image *image, u64 bytes);

/* Who pays for a table of @image: who made the last attempt to build it, else the
 * machine. With a reference. Context: process.
 */
struct ustack_payer *ustack_image_payer(struct ustack_image *image);

/* Whether the file's own section was looked at and gave no table, so that one made
 * elsewhere overrides nothing. Context: process.
 */
bool ustack_image_was_refused(struct ustack_image *image);

/* Gives @image @code (may be NULL) in place of what it has. Context: images_lock. */
void ustack_image_set_code(struct ustack_image *image, struct ustack_code *code);

/* Why @image has no table may have passed: a full budget, too little memory. */
bool ustack_image_may_pass(const struct ustack_image *image);

/**
 * ustack_image_forget_device() - a file system is shut down
 * @dev: its device number, as in identities
 *
 * The number may be another file system's next, and no mapping is left: what is
 * mapped from now on is met anew, whatever identity it claims.
 *
 * Context: any but NMI and hard interrupt.
 */
void ustack_image_forget_device(u64 dev);

/**
 * ustack_image_ask_again() - meet a file anew at its next mapping
 * @dev: device of its identity
 * @ino: inode number
 * @size: bytes
 *
 * For whoever was told of the image and did not find the file any more.
 *
 * Context: process.
 * Return: whether there is such an image without a table.
 */
bool ustack_image_ask_again(u64 dev, u64 ino, u64 size);

void ustack_image_get_totals(struct ustack_image_totals *ret);

typedef void (*ustack_image_fn)(const struct ustack_image *image, void *arg);

#define USTACK_IMAGE_BUCKETS (1u << USTACK_IMAGE_HASH_BITS)

/**
 * ustack_image_visit() - call @fn for every image in one bucket of the hash
 * @bucket: below USTACK_IMAGE_BUCKETS
 * @fn: called under images_lock; must not sleep
 * @arg: for @fn
 *
 * Context: process.
 */
void ustack_image_visit(unsigned int bucket, ustack_image_fn fn, void *arg);

#endif /* USTACK_IMAGE_H */
