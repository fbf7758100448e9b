/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where tables are and how processes are mapped: user space writes it, the walk in eBPF reads
 * it. Both sides are built with this file, so there are no versions of it.
 *
 *   process --space--> windows --image--> place of a table --bin--> the table's bytes
 *
 * Tables are as kmod/core compiles them (core/table.h), put into bins by user space. A program
 * reads a bin by masked offsets only, so a damaged table cannot lead out of its bin. A table
 * must not be replaced while a walk may read it: nothing here would tell.
 */
#ifndef USTACK_BPF_TABLES_H
#define USTACK_BPF_TABLES_H

#include <linux/types.h>

/* Bins of 16 MiB each, made when they are needed: 1 GiB, 500 times libLLVM's table. */
#define TABLES_BINS 64u
#define TABLES_BIN_BYTES (16u << 20)
/* A load of 8 bytes may begin at the last one. */
#define TABLES_BIN_VALUE (TABLES_BIN_BYTES + 8u)

/* Files that are known, with a table or without. */
#define TABLES_IMAGES 8192u
/* Executable segments whose addresses differ from their offsets by another amount; nearly all
 * files have one.
 */
#define TABLES_SEGMENTS 4u

/* Executable mappings of one process: 64 windows are 2 KiB. */
#define TABLES_WINDOWS 64u

/* Executable bytes [off, end) of a file are at link-time address off + delta. */
struct tables_segment {
	__u64 off;
	__u64 end;
	__u64 delta;
};

/*
 * A file, as far as the walk needs it.
 *
 * @bin: where the table is
 * @bytes: the table's; 0: there is none
 * @why: WIRE_WHY of frames without a row, while @bytes is 0
 * @off: the table's offset in its bin, a multiple of 8
 * @segment: the last ones may be empty
 */
struct tables_image {
	__u32 bin;
	__u32 bytes;
	__u32 why;
	__u32 pad;
	__u64 off;
	struct tables_segment segment[TABLES_SEGMENTS];
};

_Static_assert(sizeof(struct tables_image) == 24 + 24 * TABLES_SEGMENTS, "struct tables_image");

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

/* One process's mappings. */
struct tables_space {
	struct tables_window window[TABLES_WINDOWS];
};

_Static_assert(sizeof(struct tables_space) == 32 * TABLES_WINDOWS, "struct tables_space");

#endif /* USTACK_BPF_TABLES_H */
