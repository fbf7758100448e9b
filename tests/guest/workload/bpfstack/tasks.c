// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records mappings and tasks (tasks.h), by a software event that never fires but has side
 * records.
 */
#include <dirent.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "log.h"
#include "tasks.h"

#define PAGES 256	/* a power of two; for each CPU */

struct buffer {
	struct perf_event_mmap_page *page;
	unsigned char *data;
	size_t size;
};

/* fields at the end of every record, in the order of sample_type */
struct trailer {
	unsigned int pid, tid;
	unsigned long long time;
};

struct mmap2 {
	struct perf_event_header header;
	unsigned int pid, tid;
	unsigned long long addr, len, pgoff;
	unsigned int maj, min;
	unsigned long long ino, ino_generation;
	unsigned int prot, flags;
	char filename[];
};

struct comm {
	struct perf_event_header header;
	unsigned int pid, tid;
	char comm[];
};

struct fork {
	struct perf_event_header header;
	unsigned int pid, ppid, tid, ptid;
};

static struct buffer *buffers;
static int nr_buffers;
static unsigned long lost;

static void buffer_open(struct buffer *buffer, int cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE, .size = sizeof(attr),
		.config = PERF_COUNT_SW_DUMMY,
		.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME,
		.mmap = 1, .mmap2 = 1, .comm = 1, .comm_exec = 1, .task = 1,
		.sample_id_all = 1, .use_clockid = 1, .clockid = CLOCK_MONOTONIC,
	};
	size_t page = sysconf(_SC_PAGESIZE);
	int fd = syscall(SYS_perf_event_open, &attr, -1, cpu, -1, 0);
	void *at;

	if (fd < 0)
		die("perf_event_open (dummy, CPU %d): %s", cpu, strerror(errno));
	at = mmap(NULL, (PAGES + 1) * page, PROT_READ | PROT_WRITE, MAP_SHARED,
		  fd, 0);
	if (at == MAP_FAILED)
		die("mmap of perf buffer: %s", strerror(errno));
	buffer->page = at;
	buffer->data = (unsigned char *)at + page;
	buffer->size = PAGES * page;
}

static void log_mmap(const struct mmap2 *r, const struct trailer *at)
{
	FILE *f = log_open(at->time);

	fprintf(f, "task %u/%u %llu: PERF_RECORD_MMAP2 %u/%u: ", at->pid, at->tid,
		at->time, r->pid, r->tid);
	fprintf(f, "[%#llx(%#llx) @ %#llx %02x:%02x %llu %llu]: %c%c%c%c %s\n",
		r->addr, r->len, r->pgoff, r->maj, r->min, r->ino,
		r->ino_generation, r->prot & PROT_READ ? 'r' : '-',
		r->prot & PROT_WRITE ? 'w' : '-',
		r->prot & PROT_EXEC ? 'x' : '-',
		r->flags & MAP_SHARED ? 's' : 'p', r->filename);
	log_close();
}

static void log_exec(const struct comm *r, const struct trailer *at)
{
	FILE *f = log_open(at->time);

	fprintf(f, "task %u/%u %llu: PERF_RECORD_COMM exec: %s:%u/%u\n", at->pid,
		at->tid, at->time, r->comm, r->pid, r->tid);
	log_close();
}

static void log_fork(const struct fork *r, const struct trailer *at)
{
	FILE *f = log_open(at->time);

	fprintf(f, "task %u/%u %llu: PERF_RECORD_FORK(%u:%u):(%u:%u)\n", at->pid,
		at->tid, at->time, r->pid, r->tid, r->ppid, r->ptid);
	log_close();
}

static void record(const struct perf_event_header *header)
{
	const char *end = (const char *)header + header->size;
	const struct trailer *at = (const struct trailer *)end - 1;

	switch (header->type) {
	case PERF_RECORD_MMAP2:
		log_mmap((const struct mmap2 *)header, at);
		break;
	case PERF_RECORD_COMM:
		if (header->misc & PERF_RECORD_MISC_COMM_EXEC)
			log_exec((const struct comm *)header, at);
		break;
	case PERF_RECORD_FORK:
		log_fork((const struct fork *)header, at);
		break;
	case PERF_RECORD_LOST:
		lost++;
		break;
	}
}

static void buffer_read(struct buffer *buffer)
{
	unsigned long long head = __atomic_load_n(&buffer->page->data_head,
						  __ATOMIC_ACQUIRE);
	unsigned long long tail = buffer->page->data_tail;
	static unsigned char copy[1 << 16];

	while (tail != head) {
		struct perf_event_header header;
		size_t i;

		/* a record may wrap around, but not its 8-byte units */
		memcpy(&header, buffer->data + tail % buffer->size,
		       sizeof(header));
		for (i = 0; i < header.size; i += 8)
			memcpy(copy + i,
			       buffer->data + (tail + i) % buffer->size, 8);
		record((const struct perf_event_header *)copy);
		tail += header.size;
	}
	__atomic_store_n(&buffer->page->data_tail, tail, __ATOMIC_RELEASE);
}

static void log_proc_maps(unsigned int pid)
{
	char path[64], line[4200], protection[8], name[4096];
	unsigned long long start, end, offset;
	FILE *maps, *f;

	snprintf(path, sizeof(path), "/proc/%u/maps", pid);
	maps = fopen(path, "r");
	while (maps && fgets(line, sizeof(line), maps)) {
		if (sscanf(line, "%llx-%llx %7s %llx %*s %*s %4095[^\n]", &start,
			   &end, protection, &offset, name) != 5 ||
		    protection[2] != 'x')
			continue;
		f = log_open(0);
		fprintf(f, "task %u/%u 0: PERF_RECORD_MMAP2 %u/%u: ", pid, pid,
			pid, pid);
		fprintf(f, "[%#llx(%#llx) @ %#llx 00:00 0 0]: %s %s\n", start,
			end - start, offset, protection, name);
		log_close();
	}
	if (maps)
		fclose(maps);
}

void tasks_open(int cpus)
{
	DIR *proc = opendir("/proc");
	struct dirent *entry;
	int i;

	nr_buffers = cpus;
	buffers = calloc(cpus, sizeof(*buffers));
	if (!buffers || !proc)
		die("cannot read /proc");
	for (i = 0; i < cpus; i++)
		buffer_open(&buffers[i], i);
	while ((entry = readdir(proc)))
		if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9')
			log_proc_maps(atoi(entry->d_name));
	closedir(proc);
}

void tasks_read(void)
{
	int i;

	for (i = 0; i < nr_buffers; i++)
		buffer_read(&buffers[i]);
}

unsigned long tasks_lost(void)
{
	return lost;
}
