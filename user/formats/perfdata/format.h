/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to user/formats/perfdata: numbers and layouts of perf.data files that
 * <linux/perf_event.h> of Linux 6.1 does not have
 * (tools/perf/Documentation/perf.data-file-format.txt in the kernel).
 *
 *	file mode	struct format_head, events, their ids; then records; then one
 *			struct format_section for each bit of @features, in ascending order
 *	pipe mode	struct format_pipe_head, then records, some of which contain what
 *			the head contains in file mode
 */
#ifndef USTACK_USER_PERFDATA_FORMAT_H
#define USTACK_USER_PERFDATA_FORMAT_H

#include <linux/perf_event.h>
#include <stdint.h>

#define FORMAT_MAGIC "PERFILE2"
#define FORMAT_MAGIC_SWAPPED "2ELIFREP"
#define FORMAT_MAGIC_OLD "PERFFILE"
#define FORMAT_MAGIC_LEN 8u

struct format_section {
	uint64_t offset;
	uint64_t size;
};

struct format_pipe_head {
	char magic[FORMAT_MAGIC_LEN];
	uint64_t size;
};

#define FORMAT_FEATURE_WORDS 4u

struct format_head {
	char magic[FORMAT_MAGIC_LEN];
	uint64_t size;
	/* bytes of an event, including the section of its ids */
	uint64_t attr_size;
	struct format_section attrs;
	struct format_section data;
	struct format_section event_types;	/* not written since 3.x */
	uint64_t features[FORMAT_FEATURE_WORDS];
};

/* Numbers of features. */
enum {
	FORMAT_BUILD_ID = 2,
	FORMAT_HOSTNAME = 3,
	FORMAT_OSRELEASE = 4,
	FORMAT_VERSION = 5,
	FORMAT_ARCH = 6,
	FORMAT_CMDLINE = 11,
	FORMAT_EVENT_DESC = 12,
	FORMAT_DIR_FORMAT = 24,
	FORMAT_CLOCK_DATA = 29,
};

/* Types of records: those of newer kernels, and those that perf writes itself. */
enum {
	FORMAT_RECORD_KSYMBOL = 17,
	FORMAT_RECORD_CGROUP = 19,
	FORMAT_RECORD_DEFERRED = 22,	/* PERF_RECORD_CALLCHAIN_DEFERRED */
	FORMAT_RECORD_KERNEL_END = 64,	/* types below this are the kernel's */
	FORMAT_RECORD_ATTR = 64,
	FORMAT_RECORD_TRACING_DATA = 66,
	FORMAT_RECORD_BUILD_ID = 67,
	FORMAT_RECORD_ROUND = 68,	/* PERF_RECORD_FINISHED_ROUND */
	FORMAT_RECORD_AUXTRACE = 71,
	FORMAT_RECORD_EVENT_UPDATE = 78,
	FORMAT_RECORD_FEATURE = 80,
	FORMAT_RECORD_COMPRESSED = 81,
	FORMAT_RECORD_COMPRESSED2 = 83,
};

#define FORMAT_EVENT_UPDATE_NAME 2u

/* A bit of @misc in FORMAT_RECORD_BUILD_ID: the record has the length of the build id. */
#define FORMAT_MISC_BUILD_ID_SIZE (1u << 15)
/* A bit of @misc in PERF_RECORD_FORK: perf made the record itself. */
#define FORMAT_MISC_FORK_EXEC (1u << 13)
#define FORMAT_BUILD_ID_BYTES 20u
/* Bytes of a build id with its length and padding. */
#define FORMAT_BUILD_ID_ROOM 24u

/* Bytes of struct perf_event_attr in its first version; later versions are longer. */
#define FORMAT_ATTR_LEAST 64u
/* Offset of the flags in struct perf_event_attr, and some of their bits. */
#define FORMAT_ATTR_FLAGS_AT 40u
#define FORMAT_FLAG_FREQ (1ull << 10)
#define FORMAT_FLAG_SAMPLE_ID_ALL (1ull << 18)
#define FORMAT_FLAG_BUILD_ID (1ull << 34)

/* A mark in a call chain, since 6.19: the user's part comes later; its cookie follows. */
#define FORMAT_CONTEXT_USER_DEFERRED ((uint64_t)-640)
#define FORMAT_CONTEXT_MAX ((uint64_t)-4095)

/*
 * Bits of branch_sample_type: each branch stack begins with a word; each branch
 * has a word of counters.
 */
#define FORMAT_BRANCH_HW_INDEX (1ull << 17)
#define FORMAT_BRANCH_COUNTERS (1ull << 19)

/* The size of a record has 16 bits. */
#define FORMAT_RECORD_MAX 65536u

#endif /* USTACK_USER_PERFDATA_FORMAT_H */
