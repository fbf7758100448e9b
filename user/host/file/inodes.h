/* SPDX-License-Identifier: GPL-2.0-only */
/* A set of files, by device and inode: 16 bytes each, twice that while it grows. */
#ifndef USTACK_USER_SUPPLY_INODES_H
#define USTACK_USER_SUPPLY_INODES_H

#include <stddef.h>
#include <sys/types.h>

struct inode_id {
	dev_t dev;
	ino_t ino;	/* 0: the place is free. No file has that number */
};

/**
 * struct inodes - the set; all zero is an empty one
 * @places: open addressing
 * @room: number of @places, a power of two or 0
 * @nr: in the set
 */
struct inodes {
	struct inode_id *places;
	size_t room;
	size_t nr;
};

/* Return: 1 if it is new, 0 if it was there, -ENOMEM. */
int inodes_add(struct inodes *set, dev_t dev, ino_t ino);
void inodes_release(struct inodes *set);

#endif /* USTACK_USER_SUPPLY_INODES_H */
