/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads what perf record wrote, one record at a time.
 *
 *	file_stream(path, &stream, &diag);
 *	perfdata_open(&stream, &d, &diag);
 *	while ((n = perfdata_next(d, &record, &diag)) > 0)
 *		switch (record.kind) ...
 *	perfdata_close(d);
 *	file_stream_release(&stream);
 *
 * Records come in ascending order of time, as far as the file lets it be known: those without
 * a time come when they are met. Packed records are unpacked. Events, build ids and the rest of
 * the head are all known when the file is opened; in pipe mode they grow while records are read.
 *
 * What is in a file may be anything: each length is compared with what is there, and a file that
 * contradicts itself gives -EBADMSG with the offset of the record and the reason.
 *
 * Context: one thread at a time for each.
 */
#ifndef USTACK_USER_PERFDATA_H
#define USTACK_USER_PERFDATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/diag.h"
#include "util/file.h"

/* Bytes of records that wait for their turn, where a file does not say when it is. */
#define PERFDATA_MAX_WAITING (256u << 20)
/* Events of a file (attributes), and their ids: one for each CPU or thread. */
#define PERFDATA_MAX_EVENTS 4096u
#define PERFDATA_MAX_IDS (1u << 22)
/* Bytes of a feature of the head. */
#define PERFDATA_MAX_FEATURE (64u << 20)

#define PERFDATA_NO_EVENT UINT32_MAX
#define PERFDATA_BUILD_ID 20u

struct perfdata;

/**
 * struct perfdata_event - what was sampled, and what its samples hold
 * @name: as perf names it; "" if the file does not say it
 * @type: PERF_TYPE_*
 * @config: of the type
 * @period: events between two samples; 0 if @frequency is kept
 * @frequency: samples a second; 0 if @period is kept
 * @sample_type: PERF_SAMPLE_*
 * @read_format: PERF_FORMAT_*
 * @branch_type: PERF_SAMPLE_BRANCH_*
 * @regs_user: mask of the registers of a sample, by perf's numbers
 * @regs_intr: the same of PERF_SAMPLE_REGS_INTR
 * @stack_user: bytes of the stack that a sample was to have
 * @build_id: mappings are told with build ids
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
 * @path: as the process saw it, or "[kernel.kallsyms]"
 * @build_id: first @len bytes
 * @len: of @build_id
 * @kernel: the kernel or one of its modules
 */
struct perfdata_build_id {
	const char *path;
	uint8_t build_id[PERFDATA_BUILD_ID];
	uint8_t len;
	bool kernel;
};

/**
 * struct perfdata_head - what the file says of itself; strings are "" if it does not say
 * @hostname: of the machine
 * @os_release: uname -r
 * @version: of perf
 * @arch: uname -m
 * @command: perf's command line, words separated by blanks
 * @wall_ns: CLOCK_REALTIME when the clock of records said @clock_ns; both 0 if not known
 * @build_ids: @nr_build_ids of them
 * @truncated: perf did not end the file: it has no features, and the last record may be cut
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
	PERFDATA_OTHER,		/* of no interest, or of a kind that is not known */
};

/**
 * struct perfdata_sample - PERF_RECORD_SAMPLE; what its event does not record is 0 or NULL
 * @ip: where the processor was
 * @period: weight; the event's own period if samples do not say it
 * @addr: that the sample is about
 * @cgroup: id: the inode of its folder
 * @cookie: of a user chain that comes later, 0 if none does
 * @ips: call chain, with PERF_CONTEXT_* marks, innermost first; a mark of a chain that comes
 *	later and its cookie are not part of it
 * @nr_ips: of @ips
 * @branches: @nr_branches of struct perf_branch_entry (from, to, flags), latest first
 * @nr_branches: of @branches
 * @abi: PERF_SAMPLE_REGS_ABI_* of @regs
 * @regs: a word for each bit of the event's @regs_user, ascending; NULL if there are none
 * @stack: @stack_len bytes from the stack pointer on
 * @stack_len: of @stack: what was there
 * @stack_asked: bytes that were to be copied, 0 if the process had no stack to copy
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
 * struct perfdata_map - something is mapped
 * @start: address
 * @len: bytes
 * @offset: in the file
 * @dev: as makedev(3) has it, 0 if it is not known
 * @ino: inode, 0 if it is not known
 * @build_id: first @build_id_len bytes
 * @build_id_len: 0 if the record does not say it
 * @executable: code may be there
 * @path: ends with NUL
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
 * struct perfdata_record - one of them
 * @kind: which member of the union there is
 * @event: index; PERFDATA_NO_EVENT of what is no sample, and may be of none
 * @offset: in the file; of a packed record that of what it was packed in
 * @time: of the file's clock, in nanoseconds; 0 if it is not known
 * @pid: process; of PERFDATA_COMM, MAP, FORK and EXIT the one that it is about
 * @tid: thread, likewise
 * @cpu: UINT32_MAX if it is not known
 * @mode: PERF_RECORD_MISC_KERNEL, USER, ...
 * @comm: PERFDATA_COMM: a thread takes a name; @exec: by running a program
 * @task: PERFDATA_FORK, EXIT: who started it; @found: perf found it running, and what it has
 *	mapped is told by records of its own
 * @lost: PERFDATA_LOST: samples that there was no room for
 * @deferred: PERFDATA_DEFERRED: user chain of the samples of @tid with this cookie
 * @symbol: PERFDATA_KSYMBOL: a function of the kernel comes, or goes: of BPF, or a trampoline
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
 * struct perfdata_counts - what was met so far
 * @records: all of them
 * @unknown: samples of an event that the file does not have
 * @late: records that came after later ones had been handed out
 * @waiting: the most bytes that waited for their turn
 */
struct perfdata_counts {
	uint64_t records;
	uint64_t unknown;
	uint64_t late;
	uint64_t waiting;
};

/* Whether a file's first bytes say that it is one of perf's. */
bool perfdata_is(const void *bytes, size_t len);

/**
 * perfdata_open() - begin
 * @stream: open, from its start on; borrowed until perfdata_close()
 * @ret: ended by perfdata_close()
 * @diag: may be NULL; what it names is the stream's
 *
 * A file in file mode that comes through a pipe is copied first (FILE_MAX_PIPE).
 *
 * Return: 0; -EBADMSG: it is damaged; -ENOTSUP: it is of the other byte order, of a perf before
 * 3.x, a directory of perf record --threads, or has layouts of samples that nothing tells apart;
 * another negative errno.
 */
int perfdata_open(struct file_stream *stream, struct perfdata **ret, struct diag *diag);
/* NULL is fine. */
void perfdata_close(struct perfdata *d);

/* What the file says of itself, borrowed; its strings until the next record. */
const struct perfdata_head *perfdata_head(const struct perfdata *d);

/* Return: number of events. */
uint32_t perfdata_nr_events(const struct perfdata *d);
/* @event: below perfdata_nr_events(). Borrowed until the next record. */
const struct perfdata_event *perfdata_event(const struct perfdata *d, uint32_t event);

/**
 * perfdata_next() - the next record
 * @d: the file
 * @ret: on 1; pointers are valid until the next call
 * @diag: may be NULL
 *
 * Return: 1; 0 at the end; -EBADMSG, -ENOTSUP as perfdata_open(); another negative errno.
 */
int perfdata_next(struct perfdata *d, struct perfdata_record *ret, struct diag *diag);

void perfdata_counts(const struct perfdata *d, struct perfdata_counts *ret);

#endif /* USTACK_USER_PERFDATA_H */
