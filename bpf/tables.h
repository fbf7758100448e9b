/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where tables are and how processes are mapped, for the walk in eBPF (unwind.bpf.h). Programs
 * keep spaces (space.bpf.h), user space keeps tables (user/supply/tables/). Both sides are built with
 * this file, so there are no versions of it.
 *
 *   process --space--> windows --image--> place of a table --bin--> the table's bytes
 *
 * Tables are as kmod/core compiles them (core/table.h), put into bins by user space. A program
 * reads a bin by masked offsets only, so a damaged table cannot lead out of its bin. Bytes of a
 * bin are written before the image that names them, and written again when no program can have
 * read them any more (user/supply/tables/collect.c): nothing is replaced under a walk.
 */
#ifndef USTACK_BPF_TABLES_H
#define USTACK_BPF_TABLES_H

#include <linux/types.h>

/* Bins of 16 MiB each, made when they are needed: 1 GiB, 500 times libLLVM's table. */
#define TABLES_BINS 64u
#define TABLES_BIN_BYTES (16u << 20)
/* A load of 8 bytes may begin at the last one. */
#define TABLES_BIN_VALUE (TABLES_BIN_BYTES + 8u)

/* Files that are known, with a table or without. Who is mapped by nobody gives its number back. */
#define TABLES_IMAGES 8192u
/* Executable segments of a file, as many as the core reads; nearly all files have one. */
#define TABLES_SEGMENTS 16u

/*
 * Executable mappings of one process: 256 windows are 8 KiB. Of 60 programs that were looked at
 * the most had LibreOffice, 190. Who has more (runtimes that map each piece of made code by itself)
 * gets wide windows from user space: 4,096, as many as the module keeps, in 128 KiB, and when these
 * are full 16,384, in 512 KiB. There are so many of each: 16 MiB of memory for either class.
 */
#define TABLES_WINDOW_BITS 8
#define TABLES_WINDOWS (1u << TABLES_WINDOW_BITS)
#define TABLES_WIDE_BITS 12
#define TABLES_WIDE_WINDOWS (1u << TABLES_WIDE_BITS)
#define TABLES_WIDES 128u
#define TABLES_HUGE_BITS 14
#define TABLES_HUGE_WINDOWS (1u << TABLES_HUGE_BITS)
#define TABLES_HUGES 32u
/* Spaces that are full, those that are refused among them. */
#define TABLES_FULL_SPACES 1024u

/* Processes that are followed, of 8 KiB each; memory is taken only for those that are there. */
#define TABLES_SPACES 65536u

/* Images that are no file: code that processes make, and the kernel's vDSO. */
#define TABLES_MADE 0u
#define TABLES_VDSO 1u
#define TABLES_FIRST_FILE 2u

/* A file as the kernel knows it, not as stat(2) tells it: overlayfs and btrfs tell others. */
struct tables_file {
	__u64 dev;
	__u64 ino;
	__u64 changed;		/* nanoseconds of its ctime */
};

_Static_assert(sizeof(struct tables_file) == 24, "struct tables_file");

/* Executable bytes [off, end) of a file are at link-time address off + delta. */
struct tables_segment {
	__u64 off;
	__u64 end;
	__u64 delta;
};

/*
 * A file, as far as the walk needs it.
 *
 * @place: of the table: number of the bin times TABLES_BIN_BYTES, and its offset in there, a
 *	multiple of 8; a table may be moved
 * @bytes: the table's; 0: there is none. Written last
 * @why: reason of frames without a row, while @bytes is 0; USTACK_BUILDING: user space has not
 *	answered yet
 * @payer: who is charged for the number and for the table, see struct tables_shares
 * @file: whose number it is, as long as it is one's
 * @segment: the last ones may be empty
 */
struct tables_image {
	__u64 place;
	__u32 bytes;
	__u32 why;
	__u32 payer;
	__u32 pad;
	struct tables_file file;
	struct tables_segment segment[TABLES_SEGMENTS];
};

_Static_assert(sizeof(struct tables_image) == 48 + 24 * TABLES_SEGMENTS, "struct tables_image");

/*
 * An executable mapping: addresses [start, start + len) are bytes of @image from @off on.
 * Windows ascend by address; after the last one @start is ~0.
 */
struct tables_window {
	__u64 start;
	__u64 len;
	__u64 off;
	__u32 image;
	__u32 pad;
};

_Static_assert(sizeof(struct tables_window) == 32, "struct tables_window");

/* struct tables_space.flags */
#define TABLES_STARTING 1u	/* within execve: registers are still the old program's */
#define TABLES_MISSED 2u	/* a change could not be made; user space has been asked to look */
#define TABLES_FULL 4u		/* has had more windows than there is room for in here */
#define TABLES_ASKED 8u		/* user space was asked for more room */
#define TABLES_HUGE 16u		/* has had more than TABLES_WIDE_WINDOWS */
#define TABLES_CUT 32u		/* has had more than TABLES_HUGE_WINDOWS: some are left out */

/*
 * One process's mappings, by tgid.
 *
 * @seq: odd while windows are changed; a walk during which it changed does not count
 * @mm: the kernel's address of the process's memory, to tell that execve has changed it
 * @start: of the process (start_boottime), to tell it from another one of its number
 * @id: no other space has it, also later; of its struct tables_wide
 * @same_as: tgid of a process that it shares memory with, whose windows count; 0 for none
 * @flags: TABLES_...
 * @payer: who is charged for what it takes, see struct tables_shares
 */
struct tables_space {
	__u64 seq;
	__u64 mm;
	__u64 start;
	__u64 id;
	__u32 same_as;
	__u32 flags;
	__u32 payer;
	__u32 pad;
	struct tables_window window[TABLES_WINDOWS];
};

_Static_assert(sizeof(struct tables_space) == 48 + 32 * TABLES_WINDOWS, "struct tables_space");

/* struct tables_wide.state */
enum tables_wide_state {
	TABLES_WIDE_FILLING,	/* user space has mappings put in; nothing is walked meanwhile */
	TABLES_WIDE_READY,
	TABLES_WIDE_REFUSED,	/* there is no more memory for this process: its space has to do */
	TABLES_WIDE_LAST,	/* ready; there is no memory for more windows than these */
};

/*
 * Windows of a space that is TABLES_FULL, by its id: TABLES_WIDE_WINDOWS in one map of maps, or
 * TABLES_HUGE_WINDOWS in another one. From the moment that they are there programs change these
 * windows and no longer fewer ones of the same space; @seq of the space is of these, too. All that
 * are refused share one.
 *
 * @state: enum tables_wide_state
 */
struct tables_wide {
	__u64 state;
	struct tables_window window[];
};

#define TABLES_WIDE_BYTES(windows) (sizeof(struct tables_wide) + (windows) * sizeof(struct tables_window))

_Static_assert(sizeof(struct tables_wide) == 8, "struct tables_wide");

/*
 * How many numbers of images have been given out, and to whom, so that nobody who is not root can
 * keep them all. A payer is a user: 0 is root, who has no limit. For processes in user namespaces
 * it is who made the outermost one, as he may give his processes thousands of user numbers; where
 * that was root, it is the namespace. From TABLES_SCARCE numbers on who has TABLES_SHARE of them gets
 * no more: what they are for has no image. Programs add and user space subtracts, both atomically.
 *
 * @total: of all
 * @seed: of this run, so that nobody can choose whom he shares with
 * @of: by tables_share_of(); payers of one place share it
 */
#define TABLES_SCARCE (TABLES_IMAGES / 4 * 3)
#define TABLES_SHARE (TABLES_IMAGES / 16)
#define TABLES_SHARE_BITS 12

struct tables_shares {
	__u32 total;
	__u32 seed;
	__u32 of[1u << TABLES_SHARE_BITS];
};

static inline __u32 tables_share_of(__u32 payer, __u32 seed)
{
	return ((payer ^ seed) * 2654435761u) >> (32 - TABLES_SHARE_BITS);
}

/*
 * A program asks user space for something.
 *
 * @image: whose table is missing; 0: the process's mappings are to be looked at
 * @tgid: a process that has it mapped
 * @sampled: a stack ended for want of it; else it was only mapped
 * @scarce: nothing of the above: a file was mapped, and there was no number for it
 * @start: address at which it is mapped there
 * @end: after the mapping, as it was then
 */
struct tables_wish {
	__u32 image;
	__u32 tgid;
	__u32 sampled;
	__u32 scarce;
	__u64 start;
	__u64 end;
};

_Static_assert(sizeof(struct tables_wish) == 32, "struct tables_wish");

#endif /* USTACK_BPF_TABLES_H */
