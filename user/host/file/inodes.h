/* SPDX-License-Identifier: GPL-2.0-only */
/* A set of files, by device and inode. A file takes 16 bytes, and twice that during growth. */
#ifndef USTACK_USER_SUPPLY_INODES_H
#define USTACK_USER_SUPPLY_INODES_H

#include <stddef.h>
#include <sys/types.h>

struct inode_id {
	dev_t dev;
	ino_t ino;	/* 0: the place is free, as no file has this number */
};

/**
 * struct inodes - a set of files; empty if zeroed
 * @places: the hash table, with open addressing
 * @room: number of @places, a power of two or 0
 * @nr: number of files in the set
 */
struct inodes {
	struct inode_id *places;
	size_t room;
	size_t nr;
};

/* Adds a file. Return: 1 if it was not in the set, 0 if it was, -ENOMEM. */
int inodes_add(struct inodes *set, dev_t dev, ino_t ino);
void inodes_release(struct inodes *set);

#endif /* USTACK_USER_SUPPLY_INODES_H */
