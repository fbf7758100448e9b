/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * The ABI of /dev/ustack, version 1.
 *
 * Every structure starts with its size in bytes as the caller knows it. The
 * module accepts a smaller one (missing fields are zero), and a larger one if
 * the fields unknown to it are zero (otherwise E2BIG), so that either side may
 * be newer. On return, fields marked "out" are written as far as the caller's
 * size reaches.
 *
 * Reason numbers are those of kmod/core/reason.def; they are part of the ABI.
 */
#ifndef _UAPI_USTACK_H
#define _UAPI_USTACK_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define USTACK_DEVICE "/dev/ustack"
#define USTACK_ABI_VERSION 1
#define USTACK_STATS_REASONS 96

/* Hooks that are installed, in ustack_info.hooks */
#define USTACK_HOOK_CALLCHAIN (1u << 0)		/* perf_callchain_user */
#define USTACK_HOOK_MMAP (1u << 1)		/* perf_event_mmap */
#define USTACK_HOOK_MUNMAP (1u << 2)		/* unlink_anon_vmas */
#define USTACK_HOOK_FORK (1u << 3)		/* uprobe_dup_mmap */
#define USTACK_HOOK_EXIT (1u << 4)		/* exit_mmap */
#define USTACK_HOOK_DEFERRED (1u << 5)		/* unwind_user (6.19 and later) */

/**
 * struct ustack_info - USTACK_IOC_INFO; needs CAP_PERFMON or CAP_SYS_ADMIN
 * @size: bytes of this structure, as the caller knows it
 * @abi: out: USTACK_ABI_VERSION of the module
 * @arch: out: enum ustack_arch_id (1 x86-64, 2 AArch64)
 * @hooks: out: USTACK_HOOK_* that are installed
 * @enabled: out: 0 while the module leaves user callchains to the kernel
 *           (parameter enabled)
 * @max_frames: out: most frames in one stack
 * @budget_bytes: out: limit of @table_bytes
 * @table_bytes: out: memory of all tables
 * @image_bytes: out: memory of all image records
 * @space_bytes: out: memory of all process records
 * @images: out: number of image records
 * @tables: out: number of images that have a table
 * @spaces: out: number of known processes
 */
struct ustack_info {
	__u32 size;
	__u32 abi;
	__u32 arch;
	__u32 hooks;
	__u32 enabled;
	__u32 max_frames;
	__u64 budget_bytes;
	__u64 table_bytes;
	__u64 image_bytes;
	__u64 space_bytes;
	__u32 images;
	__u32 tables;
	__u32 spaces;
	__u32 reserved;
};

#define USTACK_LOAD_VDSO 1u	/* for the 64-bit vDSO; @fd is ignored */

/**
 * struct ustack_load - USTACK_IOC_LOAD: give an image a section
 * @size: bytes of this structure, as the caller knows it
 * @flags: USTACK_LOAD_*
 * @fd: the ELF file, open for reading; it identifies the image, and its
 *      executable segments are read
 * @reason: out: why the section was refused (the ioctl fails with EINVAL), or
 *          why the first of the lost functions was lost
 * @section: address of the section's bytes in the caller's memory
 * @len: bytes of @section
 * @vaddr: address of the section at link time, as its contents assume
 * @bad_off: out: offset of the fault in the section
 * @table_bytes: out: memory of the table
 * @functions: out: functions in the section
 * @lost: out: functions that have no rows in the table because their data are
 *        wrong
 * @rows: out: number of rows taken from the section
 *
 * Needs CAP_PERFMON or CAP_SYS_ADMIN. An image that has a table gets the new
 * one instead; samples that are being taken finish with the old one. Without
 * CAP_SYS_ADMIN, fails with EEXIST if the file has a section of its own that
 * was not looked at yet, or that gave a table which is not partial or covers as
 * much text. Fails with ENOSPC (@reason BUDGET) if the user who first mapped
 * the file has no room for the table, and with EINTR when the caller is killed.
 */
struct ustack_load {
	__u32 size;
	__u32 flags;
	__s32 fd;
	__u32 reason;
	__u64 section;
	__u64 len;
	__u64 vaddr;
	__u64 table_bytes;
	__u32 bad_off;
	__u32 functions;
	__u32 lost;
	__u32 rows;
};

/**
 * struct ustack_region - USTACK_IOC_REGION_ADD, USTACK_IOC_REGION_DEL
 * @size: bytes of this structure, as the caller knows it
 * @flags: zero
 * @start: first address of the code in the calling process
 * @len: bytes of code
 * @section: ADD: address of an .sframe section's bytes in the caller's memory
 * @section_len: ADD: bytes of @section
 * @vaddr: ADD: address that the section's contents assume for it, chosen so
 *         that its functions get their run-time addresses
 * @reason: out: why the section was refused
 * @bad_off: out: offset of the fault in the section
 *
 * Only for the calling process; no capability is needed beyond opening the
 * device. The region is removed when the process unmaps it, executes another
 * program or exits; a forked child inherits it. ADD replaces what it overlaps.
 */
struct ustack_region {
	__u32 size;
	__u32 flags;
	__u64 start;
	__u64 len;
	__u64 section;
	__u64 section_len;
	__u64 vaddr;
	__u32 reason;
	__u32 bad_off;
};

/**
 * struct ustack_stats - USTACK_IOC_STATS; needs CAP_PERFMON or CAP_SYS_ADMIN
 * @size: bytes of this structure, as the caller knows it
 * @reserved: zero
 * @samples: out: user stacks that were unwound
 * @frames: out: frames stored
 * @table_steps: out: steps made with a table
 * @blind_steps: out: steps made without a table (frame pointer, signal frame,
 *               PLT)
 * @reasons: out: how walks ended, indexed by reason
 * @guessed_steps: out: those of @blind_steps in code without rows for which
 *                 only the stack is evidence (parameter guess)
 * @guessed_samples: out: those of @samples with a guessed step
 * @guessed_complete: out: those of @reasons[COMPLETE] with a guessed step; the
 *                    others are proven up to their outermost frame
 */
struct ustack_stats {
	__u32 size;
	__u32 reserved;
	__u64 samples;
	__u64 frames;
	__u64 table_steps;
	__u64 blind_steps;
	__u64 reasons[USTACK_STATS_REASONS];
	__u64 guessed_steps;
	__u64 guessed_samples;
	__u64 guessed_complete;
};

/**
 * struct ustack_prepare - USTACK_IOC_PREPARE: learn a process now
 * @size: bytes of this structure, as the caller knows it
 * @pid: the process, in the caller's pid namespace
 * @mappings: out: number of executable mappings now known
 * @tables: out: how many of these have a table
 *
 * Needs CAP_PERFMON or CAP_SYS_ADMIN.
 */
struct ustack_prepare {
	__u32 size;
	__s32 pid;
	__u32 mappings;
	__u32 tables;
};

/**
 * struct ustack_again - USTACK_IOC_AGAIN: report that an event's file was not found
 * @size: bytes of this structure, as the caller knows it
 * @reserved: zero
 * @dev: as in the event
 * @ino: as in the event
 * @file_size: as in the event
 *
 * The process that had mapped it may be gone, and the file's path may not lead
 * to it here (another mount namespace, or a removed name). When the file is
 * next mapped, or a process that maps it is prepared, it is treated as new and
 * causes another event.
 *
 * Needs CAP_PERFMON or CAP_SYS_ADMIN. Fails with ENOENT if there is no image
 * without a table, or with a partial one, for this file.
 */
struct ustack_again {
	__u32 size;
	__u32 reserved;
	__u64 dev;
	__u64 ino;
	__u64 file_size;
};

#define USTACK_IOC_TYPE 0xb7
#define USTACK_IOC_INFO _IOWR(USTACK_IOC_TYPE, 0, struct ustack_info)
#define USTACK_IOC_LOAD _IOWR(USTACK_IOC_TYPE, 1, struct ustack_load)
#define USTACK_IOC_REGION_ADD _IOWR(USTACK_IOC_TYPE, 2, struct ustack_region)
#define USTACK_IOC_REGION_DEL _IOWR(USTACK_IOC_TYPE, 3, struct ustack_region)
#define USTACK_IOC_STATS _IOWR(USTACK_IOC_TYPE, 4, struct ustack_stats)
#define USTACK_IOC_PREPARE _IOWR(USTACK_IOC_TYPE, 5, struct ustack_prepare)
#define USTACK_IOC_AGAIN _IOW(USTACK_IOC_TYPE, 6, struct ustack_again)

/* an image was met that has no table, or one that leaves out much of its text */
#define USTACK_EVENT_NO_TABLE 1

/**
 * struct ustack_event - read(2) returns one or more of these, each complete
 * @size: bytes of this record, including path and padding; a multiple of 8
 * @type: USTACK_EVENT_*
 * @reason: why the image has no table (NO_SECTION, or why its section was
 *          refused), or PARTIAL
 * @pid: the first process that mapped it, in the initial pid namespace
 * @start: address of that mapping; /proc/PID/map_files/START-END opens the file
 *         itself as long as the process lives
 * @end: end of that mapping
 * @dev: device number of the file system, encoded as by new_encode_dev()
 * @ino: inode number
 * @file_size: bytes of the file
 * @build_id_len: bytes of @build_id, 0 if there is none
 * @build_id: GNU build ID
 * @vdso: 1 for the vDSO, which has no file
 * @path: NUL-terminated, as the mapping process saw it; may be empty
 *
 * A new reader first gets the images for which this is already so. Reading
 * and poll(2) need CAP_PERFMON or CAP_SYS_ADMIN; without either, poll(2) returns
 * POLLERR.
 */
struct ustack_event {
	__u32 size;
	__u32 type;
	__u32 reason;
	__u32 pid;
	__u64 start;
	__u64 end;
	__u64 dev;
	__u64 ino;
	__u64 file_size;
	__u8 build_id_len;
	__u8 vdso;
	__u8 reserved[6];
	__u8 build_id[32];
	char path[];
};

#endif /* _UAPI_USTACK_H */
