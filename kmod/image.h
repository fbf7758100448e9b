/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Image: one ELF file (or the vDSO, or a JIT region), shared by every process
 * that maps it. Keyed by identity; holds no inode, so no unmount is blocked.
 *
 * Life: an image is found or created when a mapping of it appears (any context
 * that may take a spinlock), and built once by the first task that may sleep
 * (build.h). After its last mapping is gone, it is kept until the budget, the
 * idle limit or the shrinker needs its memory, or its file system is shut down.
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

/* How far a file system's information about its files can be trusted. */
enum ustack_trust {
	USTACK_TRUST_LOCAL,	/* this kernel keeps inode numbers and times */
	USTACK_TRUST_REMOTE,	/* another machine keeps them, with another clock */
	USTACK_TRUST_USER,	/* a process keeps them: FUSE */
};

/**
 * struct ustack_identity - a file at a moment of its life
 *
 * On a local file system two files with the same identity have the same bytes,
 * while the file system is mounted: the change time moves with every write,
 * rename and link, and an inode number that is used again comes with another
 * generation or change time. Device numbers are used again:
 * ustack_image_forget_device() ends everything known of one. The clock of
 * change times ticks slowly; see ustack_image.racy for a file that changes
 * twice within a tick.
 *
 * A remote file's build id is read again at each mapping. The kernel does not
 * read a file of FUSE, and a table that was loaded for it is dropped with its
 * last mapping.
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
	USTACK_IMAGE_NEW,	/* no task has looked at the file */
	USTACK_IMAGE_BUILDING,	/* a task is reading it */
	USTACK_IMAGE_DONE,	/* there is @code, or @reason says why not */
};

/**
 * struct ustack_image - one image
 * @node: entry in the hash by identity; written under images_lock, read under
 *        RCU
 * @rcu: for freeing after a grace period
 * @idle: entry in a list of images without users, oldest first; images_lock
 * @payer_idle: entry in the list of the payer's images without users; images_lock
 * @untabled: entry in the tree of images without table, or with a partial one,
 *            by @serial; images_lock
 * @id: identity of the image; constant
 * @code: table of the image, NULL if there is none; written under images_lock,
 *        read under RCU
 * @users: number of mappings and transient references; becomes 0, and rises
 *         from 0, only under images_lock
 * @forgotten: not in the hash, as its file system has been shut down;
 *             images_lock
 * @payer: payer of the last attempt to build; may be NULL; images_lock
 * @need: bytes of the table that did not fit, 0 if unknown
 * @state: enum ustack_image_state; written under images_lock, read anywhere
 * @reason: why @code is NULL, or PARTIAL, once DONE; images_lock
 * @bad_off: offset in the section to which @reason refers
 * @racy: the file had changed so shortly before it was read that it may have
 *        changed again without a new change time
 * @loaded: the table came through /dev/ustack
 * @again: to be reported again at its next mapping: see
 *         ustack_image_ask_again()
 * @serial: position among the untabled images, 0 if it is not one of them
 * @build_id_len: bytes of @build_id; images_lock
 * @build_id: GNU build id
 * @pid: process that mapped it first
 * @start: start of that first mapping
 * @end: end of that first mapping
 * @path: path of the file as that process saw it, may be NULL; images_lock
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

/* Totals for people; read without a lock. */
struct ustack_image_totals {
	u64 table_bytes;
	u32 images;
	u32 tables;
	u32 idle;
};

/*
 * Protects the hash against other writers, the idle lists, the untabled images
 * and the totals. Taken when mappings come and go, in task context and in RCU
 * callbacks (bottom halves are off while it is held), never by a sample.
 */
extern spinlock_t ustack_images_lock;

int ustack_image_init(void);
void ustack_image_exit(void);

/* Sets @ret to the current identity of a file's inode. Context: any but NMI. */
void ustack_identity_of(const struct inode *inode, struct ustack_identity *ret);

/* Return: how far the file's file system can be trusted. Context: any. */
enum ustack_trust ustack_file_trust(const struct file *file);

/**
 * ustack_image_get() - find or create the image of an identity
 * @id: the identity
 * @gfp: flags for allocating a new one
 *
 * Context: any but NMI and hard interrupt; takes images_lock if the image has
 * no users.
 * Return: the image with one more user, or NULL without memory.
 */
struct ustack_image *ustack_image_get(const struct ustack_identity *id,
				      gfp_t gfp);

/*
 * Makes an image outside the hash, for a JIT region, with one user. @code is
 * consumed on success.
 */
struct ustack_image *ustack_image_get_region(struct ustack_code *code);

/*
 * Adds a user. Context: any; the caller must be a user, or know that there is
 * one.
 */
static inline void ustack_image_hold(struct ustack_image *image)
{
	atomic_long_inc(&image->users);
}

/* Drops a user. Context: any but NMI and hard interrupt. */
void ustack_image_put(struct ustack_image *image);

/* Return: whether ustack_image_build() should be called. Context: NMI-safe. */
static inline bool ustack_image_is_new(const struct ustack_image *image)
{
	return READ_ONCE(image->state) == USTACK_IMAGE_NEW;
}

/*
 * The same, asked before sleeping work is arranged: also true for failures that
 * may have passed, such as a full budget that has room now, and for remote
 * files, whose build id is read again. Context: any but NMI and hard interrupt.
 */
bool ustack_image_wants_build(const struct ustack_image *image);

/**
 * ustack_image_load() - give an image a table made elsewhere
 * @image: the image; the caller is a user of it
 * @code: result of ustack_code_build(); consumed
 * @over_own: replace a table from the file's own section, whatever it covers
 *
 * Without @over_own such a table is replaced only if it is partial and @code
 * covers more.
 *
 * Context: process.
 * Return: whether @code is the image's table now.
 */
bool ustack_image_load(struct ustack_image *image, struct ustack_code *code,
		       bool over_own);

/*
 * Notes that a table of @bytes for @image, which has none, did not fit: the
 * image is reported again, also to readers of the untabled images, when it is
 * mapped while there is room. Context: process.
 */
void ustack_image_no_room(struct ustack_image *image, u64 bytes);

/*
 * Return: the payer of a table of @image, with a reference: the payer of the
 * last attempt to build it, else the machine. Context: process.
 */
struct ustack_payer *ustack_image_payer(struct ustack_image *image);

/*
 * Return: whether the file's own section was looked at, and gave no table or a
 * partial one, so that a table made elsewhere may be better. Context: process.
 */
bool ustack_image_wants_table(struct ustack_image *image);

/*
 * Replaces the code of @image by @code, which may be NULL. Context:
 * images_lock.
 */
void ustack_image_set_code(struct ustack_image *image, struct ustack_code *code);

/*
 * Return: whether the reason why @image has no table may have passed: a full
 * budget, too little memory.
 */
bool ustack_image_may_pass(const struct ustack_image *image);

/**
 * ustack_image_forget_device() - forget the images of a file system that is shut down
 * @dev: device number of the file system, as in identities
 *
 * Another file system may get the number next, and no mapping is left: files
 * that are mapped from now on are met as new ones, whatever identity they
 * claim.
 *
 * Context: any but NMI and hard interrupt.
 */
void ustack_image_forget_device(u64 dev);

/**
 * ustack_image_ask_again() - report a file again at its next mapping
 * @dev: device number in its identity
 * @ino: inode number in its identity
 * @size: size of the file in bytes
 *
 * For a reader of the device that was told of the image and could not find the
 * file any more.
 *
 * Context: process.
 * Return: whether there is such an image without a table, or with a partial one.
 */
bool ustack_image_ask_again(u64 dev, u64 ino, u64 size);

void ustack_image_get_totals(struct ustack_image_totals *ret);

typedef void (*ustack_image_fn)(const struct ustack_image *image, void *arg);

#define USTACK_IMAGE_BUCKETS (1u << USTACK_IMAGE_HASH_BITS)

/**
 * ustack_image_visit() - call @fn for every image in one bucket of the hash
 * @bucket: number of the bucket, below USTACK_IMAGE_BUCKETS
 * @fn: called under images_lock; must not sleep
 * @arg: argument for @fn
 *
 * Context: process.
 */
void ustack_image_visit(unsigned int bucket, ustack_image_fn fn, void *arg);

#endif /* USTACK_IMAGE_H */
