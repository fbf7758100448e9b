/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Image: one ELF file (or the vDSO, or a JIT region), shared by every process
 * that maps it. Keyed by identity; holds no inode, so no unmount is blocked.
 *
 * Life: an image is found or created when a mapping of it appears (any context
 * that may take a spinlock), built once by whoever gets to sleep first, and
 * kept after its last mapping is gone until the budget, the idle limit or the
 * shrinker wants its memory.
 */
#ifndef USTACK_IMAGE_H
#define USTACK_IMAGE_H

#include <linux/fs.h>
#include <linux/list.h>
#include <linux/rbtree.h>
#include <linux/rcupdate.h>

#include "code.h"

enum ustack_image_kind {
	USTACK_IMAGE_FILE,
	USTACK_IMAGE_VDSO,	/* one for the kernel */
	USTACK_IMAGE_REGION,	/* never found by identity */
};

/**
 * struct ustack_identity - which file, at which moment of its life
 *
 * Two files with the same identity have the same bytes: the change time moves
 * with every write, rename and link, and an inode number that is used again
 * comes with another generation or change time. Its clock ticks slowly; see
 * ustack_image.racy for what changes twice within a tick.
 */
struct ustack_identity {
	u64 dev;
	u64 ino;
	u64 size;
	s64 ctime_sec;
	u32 ctime_nsec;
	u32 generation;
	u32 kind;
	u32 pad;
};

enum ustack_image_state {
	USTACK_IMAGE_NEW,	/* nobody has looked at the file */
	USTACK_IMAGE_BUILDING,	/* somebody is reading it */
	USTACK_IMAGE_DONE,	/* @code, or @reason why there is none */
};

/**
 * struct ustack_image - one image
 * @node: in the hash by identity; images_lock
 * @idle: in the list of images without users, oldest first; images_lock
 * @untabled: in the tree of images without table, by @serial; images_lock
 * @id: constant
 * @code: written under images_lock, read under RCU; NULL while there is no
 *        table
 * @users: mappings and transient references; images_lock
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
	struct list_head idle;
	struct rb_node untabled;
	struct ustack_identity id;
	struct ustack_code __rcu *code;
	unsigned long users;
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

extern unsigned int ustack_budget_mb;	/* module parameter */

int ustack_image_init(void);
void ustack_image_exit(void);

/* The identity of a file's inode now. Context: any but NMI. */
void ustack_identity_of(const struct inode *inode, struct ustack_identity *ret);

/**
 * ustack_image_get() - find or create the image of an identity
 * @id: the identity
 * @gfp: how memory may be had for a new one
 *
 * Context: any but NMI and hard interrupt; takes images_lock.
 * Return: the image with one more user, or NULL without memory.
 */
struct ustack_image *ustack_image_get(const struct ustack_identity *id,
				      gfp_t gfp);

/* A new image outside the hash, for a JIT region; with one user. */
struct ustack_image *ustack_image_get_region(struct ustack_code *code);

/* One more user. Context: any but NMI; the caller has one already. */
void ustack_image_hold(struct ustack_image *image);

/* One user less. Context: any but NMI and hard interrupt. */
void ustack_image_put(struct ustack_image *image);

/* Whether somebody should call ustack_image_build(). Context: NMI-safe. */
static inline bool ustack_image_is_new(const struct ustack_image *image)
{
	return READ_ONCE(image->state) == USTACK_IMAGE_NEW;
}

/* The same before sleeping work is arranged: also says yes for failures that may
 * have passed, such as a full budget. Context: any.
 */
bool ustack_image_wants_build(const struct ustack_image *image);

/* Where an image was first met, for events and people. */
struct ustack_image_place {
	pid_t pid;
	u64 start;
	u64 end;
};

/**
 * ustack_image_build() - read the file and build its table, if nobody has
 * @image: used by the caller
 * @file: the file, open for reading
 * @place: where it is mapped
 *
 * Context: process, may sleep, not under mmap_lock.
 */
void ustack_image_build(struct ustack_image *image, struct file *file,
			const struct ustack_image_place *place);

/* The vDSO brings no table: lists it as an image without one. */
void ustack_image_meet_vdso(struct ustack_image *image,
			    const struct ustack_image_place *place);

/**
 * ustack_image_load() - give an image a table made elsewhere
 * @image: used by the caller
 * @code: from ustack_code_build(); consumed in either case
 *
 * Context: process.
 * Return: USTACK_OK, or BUDGET.
 */
enum ustack_reason ustack_image_load(struct ustack_image *image,
				     struct ustack_code *code);

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

/**
 * ustack_image_for_each() - call @fn for every image in the hash
 * @fn: called under images_lock; must not sleep; stops the walk by false
 * @arg: for @fn
 *
 * Context: process.
 */
void ustack_image_for_each(bool (*fn)(const struct ustack_image *image,
				      void *arg), void *arg);

/* Calls @fn for the first untabled image with a serial above @after.
 * Return: its serial, 0 if there is none. Context: process.
 */
u64 ustack_image_next_untabled(u64 after,
			       void (*fn)(const struct ustack_image *image,
					  void *arg), void *arg);

#endif /* USTACK_IMAGE_H */
