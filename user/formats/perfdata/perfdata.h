/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads files of perf record, one record at a time.
 *
 *	file_stream(path, &stream, &diag);
 *	perfdata_open(&stream, &d, &diag);
 *	while ((n = perfdata_next(d, &record, &diag)) > 0)
 *		switch (record.kind) ...
 *	perfdata_close(d);
 *	file_stream_release(&stream);
 *
 * Records come in ascending order of time, as far as the file allows it;
 * records without a time come when they are read. Packed records are unpacked.
 * In file mode all events, build ids and other facts of the head are known
 * after opening; in pipe mode they become known while records are read.
 *
 * A file may hold anything: each length is compared with what is there, and a
 * file that contradicts itself gives -EBADMSG with the offset of the record and
 * the reason.
 *
 * Context: one thread at a time for each file.
 */
#ifndef USTACK_USER_PERFDATA_H
#define USTACK_USER_PERFDATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/diag.h"
#include "util/file.h"

/* Most bytes of records that wait for their turn, if the file does not say when that is. */
#define PERFDATA_MAX_WAITING (256u << 20)
/*
 * Most events (attributes) of a file, and most ids of events: an event has one
 * id for each CPU or thread.
 */
#define PERFDATA_MAX_EVENTS 4096u
#define PERFDATA_MAX_IDS (1u << 22)
/* Most bytes of a feature. */
#define PERFDATA_MAX_FEATURE (64u << 20)

#define PERFDATA_NO_EVENT UINT32_MAX
#define PERFDATA_BUILD_ID 20u

struct perfdata;

/**
 * struct perfdata_event - an event that was sampled, and what its samples
 * contain
 * @name: perf's name for it; "" if the file does not say it
 * @type: PERF_TYPE_*
 * @config: number of the event within @type
 * @period: events between two samples; 0 if @frequency is used
 * @frequency: samples per second; 0 if @period is used
 * @sample_type: PERF_SAMPLE_*
 * @read_format: PERF_FORMAT_*
 * @branch_type: PERF_SAMPLE_BRANCH_*
 * @regs_user: mask of the registers in a sample, by perf's numbers
 * @regs_intr: the same for PERF_SAMPLE_REGS_INTR
 * @stack_user: bytes of stack that were requested for a sample
 * @build_id: records of mappings have build ids
 * @sample_id_all: records other than samples end with their time, too
 */
struct perfdata_event {
	const char *name;
	uint32_t type;
	uint64_t config;
	uint64_t period;
	uint64_t frequency;
	uint64_t sample_type;
	uint64_t read_format;
	uint64_t branch_type;
	uint64_t regs_user;
	uint64_t regs_intr;
	uint32_t stack_user;
	bool build_id;
	bool sample_id_all;
};

/**
 * struct perfdata_build_id - a file that samples are in
 * @path: path as the process saw it, or "[kernel.kallsyms]"
 * @build_id: build id, in the first @len bytes
 * @len: bytes of the build id
 * @kernel: the kernel or one of its modules
 */
struct perfdata_build_id {
	const char *path;
	uint8_t build_id[PERFDATA_BUILD_ID];
	uint8_t len;
	bool kernel;
};

/**
 * struct perfdata_head - facts about the file; strings are "" if the file does
 * not say them
 * @hostname: name of the machine
 * @os_release: uname -r
 * @version: version of perf
 * @arch: uname -m
 * @command: perf's command line, words separated by blanks
 * @wall_ns: CLOCK_REALTIME at the moment when the clock of records was
 *           @clock_ns, in nanoseconds; both are 0 if not known
 * @clock_ns: see @wall_ns
 * @build_ids: build ids
 * @nr_build_ids: number of @build_ids
 * @truncated: perf did not complete the file: it has no features, and the last
 *             record may be cut
 */
struct perfdata_head {
	const char *hostname;
	const char *os_release;
	const char *version;
	const char *arch;
	const char *command;
	uint64_t wall_ns;
	uint64_t clock_ns;
	const struct perfdata_build_id *build_ids;
	size_t nr_build_ids;
	bool truncated;
};

enum perfdata_kind {
	PERFDATA_SAMPLE,
	PERFDATA_MAP,		/* PERF_RECORD_MMAP, MMAP2 */
	PERFDATA_COMM,
	PERFDATA_FORK,
	PERFDATA_EXIT,
	PERFDATA_LOST,		/* PERF_RECORD_LOST, LOST_SAMPLES */
	PERFDATA_DEFERRED,	/* PERF_RECORD_CALLCHAIN_DEFERRED */
	PERFDATA_KSYMBOL,
	PERFDATA_CGROUP,
	PERFDATA_OTHER,		/* not needed, or of an unknown type */
};

/**
 * struct perfdata_sample - PERF_RECORD_SAMPLE; fields that its event does not
 * record are 0 or NULL
 * @ip: instruction pointer
 * @period: weight; the event's own period if samples do not have one
 * @addr: data address that the sample is about
 * @cgroup: id of the cgroup: the inode of its directory
 * @cookie: cookie of a user chain that comes later, 0 if there is none
 * @ips: call chain with PERF_CONTEXT_* marks, innermost first; without the mark
 *       and the cookie of a chain that comes later
 * @nr_ips: number of @ips
 * @branches: branches as struct perf_branch_entry (from, to, flags), latest
 *            first
 * @nr_branches: number of @branches
 * @abi: PERF_SAMPLE_REGS_ABI_* of @regs
 * @regs: one word for each bit of the event's @regs_user, ascending; NULL if
 *        there are none
 * @stack: copied stack, from the stack pointer on
 * @stack_len: bytes of @stack that are valid
 * @stack_asked: bytes that were to be copied, 0 if the process had no stack to
 *               copy
 */
struct perfdata_sample {
	uint64_t ip;
	uint64_t period;
	uint64_t addr;
	uint64_t cgroup;
	uint64_t cookie;
	const uint64_t *ips;
	size_t nr_ips;
	const uint64_t *branches;
	size_t nr_branches;
	uint64_t abi;
	const uint64_t *regs;
	const uint8_t *stack;
	size_t stack_len;
	size_t stack_asked;
};

/**
 * struct perfdata_map - a mapping was made
 * @start: address
 * @len: bytes
 * @offset: offset in the file
 * @dev: device as makedev(3) encodes it, 0 if it is not known
 * @ino: inode, 0 if it is not known
 * @build_id: build id, in the first @build_id_len bytes
 * @build_id_len: bytes of the build id; 0 if the record has none
 * @executable: there may be code in it
 * @path: path of the file; ends with a NUL
 */
struct perfdata_map {
	uint64_t start;
	uint64_t len;
	uint64_t offset;
	uint64_t dev;
	uint64_t ino;
	uint8_t build_id[PERFDATA_BUILD_ID];
	uint8_t build_id_len;
	bool executable;
	const char *path;
};

/**
 * struct perfdata_record - a record
 * @kind: says which member of the union is valid
 * @event: index of its event; PERFDATA_NO_EVENT if it is no sample and belongs
 *         to no event
 * @offset: offset in the file; for an unpacked record that of the packed one
 * @time: time by the file's clock, in nanoseconds; 0 if it is not known
 * @pid: process; for PERFDATA_COMM, MAP, FORK and EXIT the one that the record
 *       is about
 * @tid: thread; likewise
 * @cpu: number of the CPU; UINT32_MAX if it is not known
 * @mode: PERF_RECORD_MISC_KERNEL, USER, ...
 * @comm: PERFDATA_COMM: a thread gets a name; @exec: because it runs a program
 * @task: PERFDATA_FORK, EXIT: the parent; @found: perf found the process
 *        running when it began, and records of its own say what it has mapped
 * @lost: PERFDATA_LOST: number of samples that were lost
 * @deferred: PERFDATA_DEFERRED: user chain for the samples of @tid with this
 *            cookie
 * @symbol: PERFDATA_KSYMBOL: a function (BPF program or trampoline) was added
 *          to the kernel, or removed
 * @cgroup: PERFDATA_CGROUP: path of a cgroup
 */
struct perfdata_record {
	enum perfdata_kind kind;
	uint32_t event;
	uint64_t offset;
	uint64_t time;
	uint32_t pid;
	uint32_t tid;
	uint32_t cpu;
	uint16_t mode;
	union {
		struct perfdata_sample sample;
		struct perfdata_map map;
		struct {
			const char *name;
			bool exec;
		} comm;
		struct {
			uint32_t parent_pid;
			uint32_t parent_tid;
			bool found;
		} task;
		uint64_t lost;
		struct {
			uint64_t cookie;
			const uint64_t *ips;
			size_t nr_ips;
		} deferred;
		struct {
			uint64_t start;
			uint64_t len;
			const char *name;
			bool gone;
		} symbol;
		struct {
			uint64_t id;
			const char *path;
		} cgroup;
	};
};

/**
 * struct perfdata_counts - counters of a file that is being read
 * @records: number of records
 * @unknown: number of samples of an event that the file does not have
 * @late: number of records that came after later ones had been returned
 * @waiting: the most bytes that waited for their turn
 */
struct perfdata_counts {
	uint64_t records;
	uint64_t unknown;
	uint64_t late;
	uint64_t waiting;
};

/* Return: whether the first bytes of a file are those of a perf.data file. */
bool perfdata_is(const void *bytes, size_t len);

/**
 * perfdata_open() - open a file
 * @stream: open, nothing read yet; borrowed until perfdata_close()
 * @ret: the file; released by perfdata_close()
 * @diag: may be NULL; the name in it belongs to the stream
 *
 * A file in file mode that comes through a pipe is copied first
 * (FILE_MAX_PIPE).
 *
 * Return: 0; -EBADMSG if it is damaged; -ENOTSUP if it has the other byte
 * order, comes from a perf before 3.x, is a directory of perf record --threads,
 * or has events whose samples cannot be told apart; another negative errno.
 */
int perfdata_open(struct file_stream *stream, struct perfdata **ret, struct diag *diag);
/* @d may be NULL. */
void perfdata_close(struct perfdata *d);

/* Return: facts about the file, borrowed; strings are valid until the next record. */
const struct perfdata_head *perfdata_head(const struct perfdata *d);

/* Return: number of events. */
uint32_t perfdata_nr_events(const struct perfdata *d);
/*
 * @event: below perfdata_nr_events(). Return: the event, borrowed until the
 *         next record.
 */
const struct perfdata_event *perfdata_event(const struct perfdata *d, uint32_t event);

/**
 * perfdata_next() - get the next record
 * @d: the file
 * @ret: filled on 1; pointers in it are valid until the next call
 * @diag: may be NULL
 *
 * Return: 1; 0 at the end; -EBADMSG, -ENOTSUP as for perfdata_open(); another
 * negative errno.
 */
int perfdata_next(struct perfdata *d, struct perfdata_record *ret, struct diag *diag);

void perfdata_counts(const struct perfdata *d, struct perfdata_counts *ret);

#endif /* USTACK_USER_PERFDATA_H */
