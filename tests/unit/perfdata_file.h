/* SPDX-License-Identifier: GPL-2.0-only */
/* Files of perf record made by hand, for tests of their reader. */
#ifndef USTACK_TEST_PERFDATA_FILE_H
#define USTACK_TEST_PERFDATA_FILE_H

#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "formats/perfdata/format.h"
#include "util/buffer.h"
#include "util/file.h"

#define MADE_TYPE (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD)

static inline void put_u64(struct buffer *b, uint64_t v)
{
	buffer_put(b, &v, sizeof(v));
}

static inline void put_u32(struct buffer *b, uint32_t v)
{
	buffer_put(b, &v, sizeof(v));
}

/* A string with its NUL, padded to a multiple of 8. */
static inline void put_text(struct buffer *b, const char *s)
{
	size_t len = strlen(s) + 1;

	buffer_put(b, s, len);
	for (; len % 8; len++)
		buffer_put(b, "", 1);
}

/* The header of a record; record_end() writes its size. Return: its offset. */
static inline size_t record_begin(struct buffer *b, uint32_t type, uint16_t misc)
{
	struct perf_event_header h = { .type = type, .misc = misc };
	size_t at = b->len;

	buffer_put(b, &h, sizeof(h));
	return at;
}

static inline void record_end(struct buffer *b, size_t at)
{
	uint16_t size = (uint16_t)(b->len - at);

	memcpy(b->at + at + offsetof(struct perf_event_header, size), &size, sizeof(size));
}

/* The fields at the end of a record of an event of MADE_TYPE with sample_id_all. */
static inline void put_id(struct buffer *b, uint32_t pid, uint32_t tid, uint64_t time)
{
	put_u32(b, pid);
	put_u32(b, tid);
	put_u64(b, time);
}

static inline void put_comm(struct buffer *b, uint32_t pid, uint32_t tid, uint64_t time,
			    const char *name, bool exec)
{
	size_t at = record_begin(b, PERF_RECORD_COMM, exec ? PERF_RECORD_MISC_COMM_EXEC : 0);

	put_u32(b, pid);
	put_u32(b, tid);
	put_text(b, name);
	put_id(b, pid, tid, time);
	record_end(b, at);
}

static inline void put_mmap(struct buffer *b, uint32_t pid, uint64_t time, uint64_t start,
			    uint64_t len, uint64_t offset, const char *path)
{
	size_t at = record_begin(b, PERF_RECORD_MMAP, PERF_RECORD_MISC_USER);

	put_u32(b, pid);
	put_u32(b, pid);
	put_u64(b, start);
	put_u64(b, len);
	put_u64(b, offset);
	put_text(b, path);
	put_id(b, pid, pid, time);
	record_end(b, at);
}

static inline void put_fork(struct buffer *b, uint32_t type, uint32_t pid, uint32_t parent,
			    uint32_t tid, uint64_t time)
{
	size_t at = record_begin(b, type, 0);

	put_u32(b, pid);
	put_u32(b, parent);
	put_u32(b, tid);
	put_u32(b, parent);
	put_u64(b, time);
	put_id(b, pid, tid, time);
	record_end(b, at);
}

/* A sample of MADE_TYPE, with a chain of @nr words if that is not 0. */
static inline void put_sample(struct buffer *b, uint16_t mode, uint32_t pid, uint32_t tid,
			      uint64_t time, uint64_t ip, uint64_t period, const uint64_t *ips,
			      uint64_t nr)
{
	size_t at = record_begin(b, PERF_RECORD_SAMPLE, mode);

	put_u64(b, ip);
	put_u32(b, pid);
	put_u32(b, tid);
	put_u64(b, time);
	put_u64(b, period);
	if (nr) {
		put_u64(b, nr);
		buffer_put(b, ips, nr * sizeof(*ips));
	}
	record_end(b, at);
}

static inline struct perf_event_attr made_attr(uint64_t sample_type)
{
	return (struct perf_event_attr){
		.type = PERF_TYPE_SOFTWARE, .size = sizeof(struct perf_event_attr),
		.config = PERF_COUNT_SW_CPU_CLOCK, .sample_period = 1000000,
		.sample_type = sample_type, .sample_id_all = 1,
	};
}

static inline void pipe_begin(struct buffer *b, const struct perf_event_attr *attr, uint64_t id)
{
	struct format_pipe_head h = { .size = sizeof(h) };
	size_t at;

	memcpy(h.magic, FORMAT_MAGIC, sizeof(h.magic));
	buffer_put(b, &h, sizeof(h));
	at = record_begin(b, FORMAT_RECORD_ATTR, 0);
	buffer_put(b, attr, sizeof(*attr));
	put_u64(b, id);
	record_end(b, at);
}

/*
 * Opens bytes as a file; the caller must keep @path, which sprintf() fills, as long as the
 * reader.
 */
static inline int open_bytes(const void *bytes, size_t len, char path[32], struct file_stream *ret)
{
	int fd = memfd_create("perf.data", 0), err;

	if (fd < 0 || write(fd, bytes, len) != (ssize_t)len)
		abort();
	sprintf(path, "/proc/self/fd/%d", fd);
	err = file_stream(path, ret, NULL);
	close(fd);
	return err;
}

#endif /* USTACK_TEST_PERFDATA_FILE_H */
