// SPDX-License-Identifier: GPL-2.0-only
/* A set of files as a hash table with open addressing, see inodes.h. */
#include "host/file/inodes.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

#include "util/poison.h"

static struct inode_id *place(const struct inodes *set, dev_t dev, ino_t ino)
{
	uint64_t hash = ((uint64_t)ino + (uint64_t)dev * 0x9e3779b97f4a7c15) *
			0x9e3779b97f4a7c15;
	size_t i = (size_t)(hash >> 32) & (set->room - 1);

	while (set->places[i].ino &&
	       (set->places[i].ino != ino || set->places[i].dev != dev))
		i = (i + 1) & (set->room - 1);
	return &set->places[i];
}

static int grow(struct inodes *set)
{
	struct inodes next = { .room = set->room ? 2 * set->room : 1024 };
	size_t i;

	next.places = calloc(next.room, sizeof(*next.places));
	if (!next.places)
		return -ENOMEM;
	for (i = 0; i < set->room; i++)
		if (set->places[i].ino)
			*place(&next, set->places[i].dev, set->places[i].ino) =
				set->places[i];
	next.nr = set->nr;
	free(set->places);
	*set = next;
	return 0;
}

int inodes_add(struct inodes *set, dev_t dev, ino_t ino)
{
	struct inode_id *p;

	if (!ino)
		return 1;
	/* at most three quarters full */
	if (4 * (set->nr + 1) > 3 * set->room && grow(set))
		return -ENOMEM;
	p = place(set, dev, ino);
	if (p->ino)
		return 0;
	*p = (struct inode_id){ dev, ino };
	set->nr++;
	return 1;
}

void inodes_release(struct inodes *set)
{
	free(set->places);
	*set = (struct inodes){ 0 };
}
