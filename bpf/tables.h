/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where tables are and how processes are mapped, for the walk in eBPF (unwind.bpf.h). Programs
 * keep spaces (space.bpf.h), user space keeps tables (user/supply/tables/). Both sides are
 * built with this file, so it has no version.
 *
 *   process --space--> windows --image--> place of a table --bin--> the table's bytes
 *
 * Tables have the form in which kmod/core compiles them (core/table.h); user space puts them
 * into bins. A program reads a bin only by masked offsets, so a damaged table cannot lead out
 * of its bin. Bytes of a bin are written before the image that names them; they are written
 * again only when no program can have read them any more (user/supply/tables/collect.c):
 * nothing is replaced during a walk.
 */
#ifndef USTACK_BPF_TABLES_H
#define USTACK_BPF_TABLES_H

#include <linux/types.h>

/* Number of bins, each of 16 MiB and made when it is needed: 1 GiB, 300 times libLLVM's table. */
#define TABLES_BINS 64u
#define TABLES_BIN_BYTES (16u << 20)
/* A load of 8 bytes may begin at the last byte. */
#define TABLES_BIN_VALUE (TABLES_BIN_BYTES + 8u)

/*
 * Largest number of known files, with or without a table. A file that no process has mapped
 * gives its number back.
 */
#define TABLES_IMAGES 8192u
/* Executable segments of a file, as many as the core reads; nearly all files have one. */
#define TABLES_SEGMENTS 16u
/*
 * A table that is larger than a bin is made in parts, by addresses. Files with 1 GB of text need four; a
 * Terraform provider has 290 MB and needs two.
 */
#define TABLES_PARTS 4u

/*
 * Executable mappings of one process: 256 windows take 8 KiB. LibreOffice had 190,
 * the most of 60 programs that were examined. A process with more (runtimes that map each piece
 * of generated code by itself) gets wide windows from user space: 4,096, as many as the module
 * keeps, in 128 KiB; when these are full, 16,384 in 512 KiB. The number of each kind is limited
 * so that either kind takes 16 MiB.
 */
#define TABLES_WINDOW_BITS 8
#define TABLES_WINDOWS (1u << TABLES_WINDOW_BITS)
#define TABLES_WIDE_BITS 12
#define TABLES_WIDE_WINDOWS (1u << TABLES_WIDE_BITS)
#define TABLES_WIDES 128u
#define TABLES_HUGE_BITS 14
#define TABLES_HUGE_WINDOWS (1u << TABLES_HUGE_BITS)
#define TABLES_HUGES 32u
/* Largest number of full spaces, including those that were refused more windows. */
#define TABLES_FULL_SPACES 1024u

/*
 * Largest number of processes that are followed, 8 KiB each; memory is taken only for existing
 * ones.
 */
#define TABLES_SPACES 65536u

/* Images that are not files: code that processes generate, and the kernel's vDSO. */
#define TABLES_MADE 0u
#define TABLES_VDSO 1u
#define TABLES_FIRST_FILE 2u

/* A file as the kernel identifies it. stat(2) gives other numbers on overlayfs and btrfs. */
struct tables_file {
	__u64 dev;
	__u64 ino;
	__u64 changed;		/* its ctime, in nanoseconds; 0 for shared memory without a name */
};

_Static_assert(sizeof(struct tables_file) == 24, "struct tables_file");

/* Executable bytes [off, end) of a file are at link-time address off + delta. */
struct tables_segment {
	__u64 off;
	__u64 end;
	__u64 delta;
};

/*
 * One part of a table but the first.
 *
 * @from: first link-time address whose rule is in it; 0 if there is no such part
 * @place: as that of struct tables_image
 * @bytes: size of the part; 0 if there is none. Only user space reads it
 */
struct tables_part {
	__u64 from;
	__u64 place;
	__u32 bytes;
	__u32 pad;
};

_Static_assert(sizeof(struct tables_part) == 24, "struct tables_part");

/*
 * The facts about a file that the walk needs.
 *
 * @place: place of the table, or of its first part: number of the bin times TABLES_BIN_BYTES, plus its
 *         offset in the bin, a multiple of 8; a table may be moved
 * @bytes: size of the table, or of its first part; 0 if there is none. Written last
 * @why: while @bytes is 0: reason of frames without a row; USTACK_BUILDING: user space has not
 *       answered yet
 * @payer: the payer that is charged for the number and for the table, see struct tables_shares
 * @file: the file that has this number, while one has it
 * @segment: executable segments of the file; the last ones may be empty
 * @more: the other parts of the table, ascending by address
 */
struct tables_image {
	__u64 place;
	__u32 bytes;
	__u32 why;
	__u32 payer;
	__u32 pad;
	struct tables_file file;
	struct tables_segment segment[TABLES_SEGMENTS];
	struct tables_part more[TABLES_PARTS - 1];
};

_Static_assert(sizeof(struct tables_image) == 48 + 24 * TABLES_SEGMENTS + 24 * (TABLES_PARTS - 1),
	       "struct tables_image");

/*
 * An executable mapping: addresses [start, start + len) are bytes of @image, from @off on.
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
#define TABLES_FULL 4u		/* has had more windows than struct tables_space can hold */
#define TABLES_ASKED 8u		/* user space was asked for more room */
#define TABLES_HUGE 16u		/* has had more than TABLES_WIDE_WINDOWS */
#define TABLES_CUT 32u		/* has had more than TABLES_HUGE_WINDOWS: some are left out */

/*
 * The mappings of one process; the key is the tgid.
 *
 * @seq: odd while windows are changed; a walk during which it changed does not count
 * @mm: the kernel's address of the process's memory; it changes with execve
 * @start: start time of the process (start_boottime), to tell it from another process with its
 *         number
 * @id: id of the space, never used again; key of its struct tables_wide
 * @same_as: tgid of a process that it shares memory with, whose windows count; 0 for none
 * @flags: TABLES_...
 * @payer: the payer that is charged for its images, see struct tables_shares
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
	TABLES_WIDE_FILLING,	/* user space is adding mappings; nothing is walked meanwhile */
	TABLES_WIDE_READY,
	TABLES_WIDE_REFUSED,	/* no memory for more windows of this process */
	TABLES_WIDE_LAST,	/* ready; there is no memory for more windows than these */
};

/*
 * Windows of a space that is TABLES_FULL; the key is the space's id. TABLES_WIDE_WINDOWS are in
 * one map of maps, TABLES_HUGE_WINDOWS in another one. As soon as they exist, programs change
 * these windows and no longer the smaller set of the same space; @seq of the space covers
 * these, too. All spaces that are refused share one entry.
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
 * How many image numbers have been given out, and to whom, so that no user but root can hoard
 * them all. A payer is a user: 0 is root, who has no limit. For processes in user namespaces it
 * is the user who made the outermost one, as that user may give his processes thousands of user
 * numbers; if root made it, the payer is the namespace. When TABLES_SCARCE numbers are in use,
 * a payer with TABLES_SHARE of them gets no more: then his files have no image. Programs add
 * and user space subtracts, both atomically.
 *
 * @total: numbers of all payers
 * @seed: random number of this run, so that no payer can choose with whom he shares a place
 * @of: numbers by tables_share_of(); payers with the same place share it
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
 * A message in which a program asks user space for something.
 *
 * @image: the image whose table is missing; 0: user space must look at the process's mappings
 * @tgid: a process that has the image mapped
 * @sampled: a stack ended because the table is missing; else the image was only mapped
 * @scarce: none of the above: a file was mapped, and there was no number for it
 * @start: address at which the image is mapped in that process
 * @end: end of that mapping, at that time
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
