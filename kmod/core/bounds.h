/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Bounds of format and table. This file bounds everything that a file can make
 * large, with the arithmetic that chose the number.
 */
#ifndef USTACK_CORE_BOUNDS_H
#define USTACK_CORE_BOUNDS_H

/*
 * A section of 64 MiB describes about 500 MB of text (measured: one row per 50
 * bytes, 6 bytes a row). The largest stock one is libclang-cpp, 7 MB. It also
 * bounds the cost of a hostile file, together with the following bounds: at
 * most 4 million functions are sorted, and at most 33 million rows are read
 * three to five times. All of that is counted in steps.
 */
#define USTACK_MAX_SECTION (64u << 20)

/*
 * Steps of work between two calls of ustack_resched_or_abort(), which lets
 * others run and ends the work of a task that is being killed. A step is a row,
 * a function, a key or a block of USTACK_HOLE_BYTES: some 100 ns, at most
 * USTACK_MAX_PROBES comparisons. Work that is not counted in steps clears
 * memory or fills a part of the table with one value: 20 ms for the largest
 * section.
 */
#define USTACK_MAX_STEPS 4096u

/*
 * A block of this many zero bytes in a section may be a hole in a sparse file,
 * which takes no room on the disk. Function entries, and rows that are counted
 * once for each function that points at them, must fit into the other bytes:
 * then a table has at most 6 bytes for each byte that is in no hole, its
 * palette (24 bytes a rule, 1.6 MB at most) and its index. Tables of real files
 * have less than one. No real section has such a block: entries have a size,
 * rows an info byte.
 */
#define USTACK_HOLE_BYTES 512u

/* Offsets in a table are 32 bits wide and pcs are relative to its base. */
#define USTACK_MAX_TEXT_SPAN 0xffffff00ull

/*
 * A table's index has 4 bytes for each 64 KiB of text, whatever the text
 * contains. Text of 1 GiB (64 KiB of index) is always allowed; each 4 bytes of
 * the section that are in no hole allow 64 KiB more. Otherwise a file of 100
 * bytes could have an index of 256 KB.
 */
#define USTACK_FREE_TEXT_SPAN (1ull << 30)

/* Distinct rules in a table; rule indices are 16 bits, index 0 means "no row".
 * The largest of 2,233 stock files has 883.
 */
#define USTACK_MAX_RULES 65535u

/*
 * Slots of the palette's hash that are searched for one rule. At most half of
 * the slots are in use, so with a key that the file's author does not know each
 * probe fails with a probability below 1/2. The probability that one of 65,535
 * rules needs more probes is below 2^-48; then the section is refused with
 * TOO_MANY_RULES. Even with a known key the work stays below 64 comparisons a
 * row.
 */
#define USTACK_MAX_PROBES 64u

/*
 * Bytes of text for each entry of a table's map: at least 16, as functions are
 * aligned, and a finer map would be larger than the rest of the table.
 */
#define USTACK_MIN_MAP_SHIFT 4u

/*
 * Number of segments of one ELF file that are kept. Real files have one to
 * three executable ones. A file with more than this many program headers (4,096
 * * 56 bytes) is not read.
 */
#define USTACK_MAX_SEGMENTS 16u
#define USTACK_MAX_PHNUM 4096u
/* Extended section numbering starts at 65,279. */
#define USTACK_MAX_SHNUM 65279u
#define USTACK_MAX_BUILD_ID 32u
/* Bytes of one note segment that are searched for the build id. */
#define USTACK_MAX_NOTES 4096u

/*
 * Data words in a frame row: three operands of control and offset, and the word
 * that our extension adds to the CFA.
 */
#define USTACK_MAX_ROW_WORDS 7u

/*
 * A frame-pointer step (no table) may not cross a larger frame than this: it
 * reads every word, 1,024 at most.
 */
#define USTACK_MAX_FP_FRAME (8u << 10)

/*
 * Words that all frame-pointer steps and searches of a walk may read together: 127
 * frames of 256 bytes, or four of the largest. A process that is made to be slow costs
 * 25,000 reads a sample, not 700,000.
 */
#define USTACK_MAX_SCAN 4096u

/* A called function with a frame record is not longer than this. */
#define USTACK_MAX_FP_FUNCTION (128u << 10)

/*
 * Bytes of code from a function's entry to a pc that are searched for the end
 * of that function: 512 reads at most, which count as words of USTACK_MAX_SCAN.
 */
#define USTACK_MAX_FP_PROOF (4u << 10)

/* Functions start at multiples of this, unless they are compiled for size. */
#define USTACK_FUNCTION_ALIGN 16u

/* Bytes between AMD64's push %rbp and mov %rsp,%rbp. */
#define USTACK_MAX_RECORD_BYTES 36u

/*
 * Largest number of instructions in which AArch64 functions make, and remove,
 * their record.
 */
#define USTACK_MAX_RECORD_INSNS 16u
#define USTACK_MAX_EPILOGUE_INSNS 4u

/*
 * Instructions that are read forward from a function's entry, and back from the
 * pc (AArch64, sampled frame without a row): two times 256 reads of code.
 */
#define USTACK_MAX_LEAF_INSNS 256u

#endif /* USTACK_CORE_BOUNDS_H */
