/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * The ABI of /dev/ustack, version 1.
 *
 * Every structure starts with its size in bytes as the caller knows it. The
 * module takes a smaller one (missing fields are zero), and a larger one if
 * what it does not know is zero (else E2BIG), so that either side may be newer.
 * On return, fields marked "out" are written as far as the caller's size goes.
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

/* Hooks that are in place, in ustack_info.hooks */
#define USTACK_HOOK_CALLCHAIN (1u << 0)		/* perf_callchain_user */
#define USTACK_HOOK_MMAP (1u << 1)		/* perf_event_mmap */
#define USTACK_HOOK_MUNMAP (1u << 2)		/* unlink_anon_vmas */
#define USTACK_HOOK_FORK (1u << 3)		/* uprobe_dup_mmap */
#define USTACK_HOOK_EXIT (1u << 4)		/* exit_mmap */
#define USTACK_HOOK_DEFERRED (1u << 5)		/* unwind_user (6.19 and later) */

/**
 * struct ustack_info - USTACK_IOC_INFO; needs CAP_PERFMON or CAP_SYS_ADMIN
 * @size: of this structure
 * @abi: out: USTACK_ABI_VERSION of the module
 * @arch: out: enum ustack_arch_id (1 x86-64, 2 AArch64)
 * @hooks: out: USTACK_HOOK_* in place
 * @enabled: out: 0 while the kill switch is off
 * @max_frames: out: cap of frames in one stack
 * @budget_bytes: out: limit of @table_bytes
 * @table_bytes: out: memory of all tables
 * @image_bytes: out: memory of all image records
 * @space_bytes: out: memory of all process records
 * @images: out: number of image records
 * @tables: out: images that have a table
 * @spaces: out: number of processes known
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
 * struct ustack_load - USTACK_IOC_LOAD: a section for an image
 * @size: of this structure
 * @flags: USTACK_LOAD_*
 * @fd: the ELF file, open for reading; it names the image and its executable
 *      segments
 * @reason: out: why the section was refused (the ioctl fails with EINVAL), or
 *          why the first lost function was lost
 * @section: address of the section's bytes in the caller
 * @len: bytes of @section
 * @vaddr: link-time address that the section's contents assume it to be at
 * @bad_off: out: offset in the section that @reason is about
 * @table_bytes: out: memory of the table
 * @functions: out: functions in the section
 * @lost: out: functions without rows in the table because they are wrong
 * @rows: out: frame rows taken
 *
 * Needs CAP_PERFMON or CAP_SYS_ADMIN; CAP_SYS_ADMIN where the file has a section of its
 * own that was not refused. An image that has a table gets the new one; samples in
 * flight finish with the old one. Fails with ENOSPC (@reason BUDGET) where the user who
 * mapped the file first has no room for it, and with EINTR when the caller is killed.
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
 * @size: of this structure
 * @flags: zero
 * @start: first address of the code in the calling process
 * @len: bytes of code
 * @section: ADD: address of an .sframe section's bytes in the caller
 * @section_len: ADD: bytes of @section
 * @vaddr: ADD: run-time address that the section's contents assume it to be
 *         at, so that function starts come out as run-time addresses
 * @reason: out: why the section was refused
 * @bad_off: out: offset in the section that @reason is about
 *
 * For the calling process only; no capability is needed beyond opening the
 * device. The region goes when the process unmaps it, executes another program
 * or exits; a forked child inherits it. ADD replaces what it overlaps.
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
 * @size: of this structure
 * @reserved: zero
 * @samples: out: user stacks unwound
 * @frames: out: frames stored
 * @table_steps: out: steps made by a table
 * @blind_steps: out: steps made without one (frame pointer, signal frame, PLT)
 * @reasons: out: how walks ended, indexed by reason
 * @guessed_steps: out: of @blind_steps, those in code without rows that nothing but
 *                 the stack speaks for (parameter guess)
 * @guessed_samples: out: of @samples, those with a guessed step
 * @guessed_complete: out: of @reasons[COMPLETE], those with a guessed step: the others
 *                    are proven to their outermost frame
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
 * @size: of this structure
 * @pid: the process, in the caller's pid namespace
 * @mappings: out: executable mappings known
 * @tables: out: of these, mappings that have a table
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
 * struct ustack_again - USTACK_IOC_AGAIN: a file that an event told of was not found
 * @size: of this structure
 * @reserved: zero
 * @dev: as in the event
 * @ino: as in the event
 * @file_size: as in the event
 *
 * The process that had mapped it may be gone, and the file's path lead nowhere from
 * here (another mount namespace, a name that was removed). When the file is mapped
 * next, or a process that maps it is prepared, it is met anew, with another event.
 *
 * Needs CAP_PERFMON or CAP_SYS_ADMIN. Fails with ENOENT if no image without a table
 * is of that file.
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

#define USTACK_EVENT_NO_TABLE 1		/* an image was met that has no table */

/**
 * struct ustack_event - what read(2) returns, one or more, each whole
 * @size: bytes of this record, path and padding included; a multiple of 8
 * @type: USTACK_EVENT_*
 * @reason: why there is no table (NO_SECTION, or why its section was refused)
 * @pid: process that mapped it first, in the initial pid namespace
 * @start: address it was mapped at there; /proc/PID/map_files/START-END opens
 *         the file itself while the process lives
 * @end: end of that mapping
 * @dev: device number of the file system, as new_encode_dev() makes it
 * @ino: inode number
 * @file_size: bytes of the file
 * @build_id_len: bytes of @build_id, 0 if there is none
 * @build_id: GNU build id
 * @vdso: 1 for the vDSO, which has no file
 * @path: NUL-terminated, as the mapping process saw it; may be empty
 *
 * A new reader first gets the images that are already without a table. Reading
 * and poll(2) need CAP_PERFMON or CAP_SYS_ADMIN; without it poll(2) says POLLERR.
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
