/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The record file, which gt-record writes in a guest and gt-compare reads on any host.
 *
 * A file header is followed by chunks, each a multiple of 8 bytes, little-endian. A chunk
 * belongs to a stream; chunks of one stream are in time order, and streams are merged by time.
 * GT_END is the last chunk: a file without it is truncated.
 */
#ifndef GT_FORMAT_H
#define GT_FORMAT_H

#include <stdint.h>

#define GT_MAGIC "ustackGT"
#define GT_VERSION 1

enum gt_type {
	GT_INFO = 1,
	GT_IMAGE,
	GT_MAP,
	GT_FORK,
	GT_EXIT,
	GT_COMM,
	GT_SAMPLE,
	GT_REASON,
	GT_LOST,
	GT_THROTTLE,
	GT_STAT,
	GT_END,
};

/* Streams: one for the mappings found at the start, then two for each CPU */
#define GT_STREAM_START 0
#define GT_STREAM_SIDE(cpu) (1 + 2 * (cpu))	/* mappings and tasks */
#define GT_STREAM_SAMPLE(cpu) (2 + 2 * (cpu))	/* samples and reasons */
#define GT_MAX_STREAMS 2050

#define GT_MAX_STACK 65536
#define GT_MAX_REGS 64

struct gt_file {
	char magic[8];
	uint32_t version;
	uint32_t machine;	/* EM_X86_64, EM_AARCH64 */
};

struct gt_chunk {
	uint32_t size;		/* includes this header and the padding */
	uint16_t type;
	uint16_t stream;
};

#define GT_EVENT_CPU_CLOCK 0
#define GT_EVENT_CYCLES 1

struct gt_info {
	struct gt_chunk h;
	uint64_t reg_mask;	/* perf's numbers of the registers in a sample */
	uint32_t freq;
	uint32_t max_stack;
	uint32_t event;
	uint32_t with_kernel;
	uint32_t tracepoint;	/* the file contains reasons */
	uint32_t cpus;
	char release[64];
};

#define GT_IMAGE_FILE 0
#define GT_IMAGE_VDSO 1

/* the identity of a file as perf reports it */
struct gt_identity {
	uint32_t maj;
	uint32_t min;
	uint64_t ino;
	uint64_t gen;
};

struct gt_image {
	struct gt_chunk h;
	struct gt_identity id;
	uint32_t kind;
	uint32_t path_len;	/* bytes of the path, padded to 8 */
	uint64_t len;		/* bytes of the file, which follow the path */
	char path[];
};

/* every chunk type below has the time at the same offset */
struct gt_map {
	struct gt_chunk h;
	uint64_t time;
	uint32_t pid;
	uint32_t tid;
	uint64_t start;
	uint64_t len;
	uint64_t pgoff;
	struct gt_identity id;
	uint32_t prot;
	uint32_t flags;
	char path[];		/* NUL-terminated */
};

struct gt_task {
	struct gt_chunk h;
	uint64_t time;
	uint32_t pid;
	uint32_t ppid;
	uint32_t tid;
	uint32_t ptid;
};

struct gt_comm {
	struct gt_chunk h;
	uint64_t time;
	uint32_t pid;
	uint32_t tid;
	uint32_t exec;
	uint32_t pad;
	char comm[16];
};

/*
 * It is followed by the registers in ascending order of reg_mask, the callchain as the kernel
 * gave it (including context markers), and the packed stack (pack.h).
 */
struct gt_sample {
	struct gt_chunk h;
	uint64_t time;
	uint32_t pid;
	uint32_t tid;
	uint64_t ip;
	uint32_t abi;		/* PERF_SAMPLE_REGS_ABI_* */
	uint32_t regs;		/* number of registers, 0 without a user part */
	uint32_t chain;		/* number of callchain entries */
	uint32_t stack;		/* bytes of stack, from the stack pointer up */
	uint32_t packed;	/* bytes of the packed stack in this chunk */
	uint32_t unjudged;	/* 1: only its stack is used, to unpack the next one */
	uint64_t words[];
};

struct gt_reason {
	struct gt_chunk h;
	uint64_t time;
	uint32_t pid;
	uint32_t tid;
	uint32_t reason;
	uint32_t frames;
	uint64_t pc;
	uint64_t sp;
};

struct gt_count {		/* GT_LOST, GT_THROTTLE */
	struct gt_chunk h;
	uint64_t time;
	uint64_t count;
};

struct gt_stat {		/* the module's statistics as text */
	struct gt_chunk h;
	uint32_t after;
	uint32_t len;
	char text[];
};

struct gt_end {
	struct gt_chunk h;
	uint64_t samples;
	uint64_t own;		/* samples of the recorder itself, which are left out */
	uint64_t no_image;	/* files that could not be copied */
	int32_t status;		/* status of the command, as wait(2) returns it */
	uint32_t pad;
};

#endif /* GT_FORMAT_H */
