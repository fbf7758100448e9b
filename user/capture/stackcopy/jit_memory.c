// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads code that processes made at run time from their memory, and caches the
 * pages until jit_memory_forget(). See jit_memory.h; walk.c reads, stackcopy.c forgets
 * after each drain.
 */
#include "capture/stackcopy/jit_memory.h"

#include <stdlib.h>
#include <string.h>

#include "host/process/peek.h"

/*
 * The smallest page of any kernel: either all of its bytes can be read or none.
 */
#define PAGE_BYTES 4096u
/*
 * Pages and processes in the cache: each has one place and replaces what was
 * there.
 */
#define MAX_PAGES 256u
#define MAX_PROCESSES 64u

/**
 * struct page - a page of a process
 * @pid: the process; 0: there is no page
 * @addr: address of the first byte
 * @is_there: whether its bytes could be read
 * @bytes: contents, if @is_there
 */
struct page {
	u32 pid;
	u64 addr;
	bool is_there;
	u8 bytes[PAGE_BYTES];
};

/**
 * struct jit_memory - see jit_memory.h
 * @peek: reads memory of other processes
 * @used: whether anything is in @page or @memory
 * @memory: open memory of processes; @pid is 0 where a place is free
 * @page: the cached pages
 */
struct jit_memory {
	struct peek peek;
	bool used;
	struct peek_memory memory[MAX_PROCESSES];
	struct page page[MAX_PAGES];
};

struct jit_memory *jit_memory_new(void)
{
	struct jit_memory *m = calloc(1, sizeof(*m));

	if (m && peek_open(&m->peek)) {
		free(m);
		return NULL;
	}
	return m;
}

void jit_memory_free(struct jit_memory *m)
{
	if (!m)
		return;
	jit_memory_forget(m);
	peek_close(&m->peek);
	free(m);
}

void jit_memory_forget(struct jit_memory *m)
{
	size_t i;

	if (!m->used)
		return;
	for (i = 0; i < MAX_PROCESSES; i++)
		if (m->memory[i].pid) {
			peek_memory_close(&m->memory[i]);
			m->memory[i].pid = 0;
		}
	for (i = 0; i < MAX_PAGES; i++)
		m->page[i].pid = 0;
	m->used = false;
}

static struct peek_memory *memory_of(struct jit_memory *m, u32 pid)
{
	struct peek_memory *at = &m->memory[pid % MAX_PROCESSES];

	if (at->pid == pid)
		return at;
	if (at->pid)
		peek_memory_close(at);
	/*
	 * if this fails, reads of the process fail until the place is replaced
	 */
	peek_memory_open(at, pid);
	return at;
}

static const struct page *page_of(struct jit_memory *m, u32 pid, u64 addr)
{
	struct page *at = &m->page[(addr / PAGE_BYTES + pid) % MAX_PAGES];

	if (at->pid == pid && at->addr == addr)
		return at;
	m->used = true;
	at->pid = pid;
	at->addr = addr;
	at->is_there = peek_read(&m->peek, memory_of(m, pid), addr, at->bytes, PAGE_BYTES);
	return at;
}

bool jit_memory_read(struct jit_memory *m, u32 pid, u64 addr, u64 *ret)
{
	const u64 in = addr % PAGE_BYTES;
	const size_t first = PAGE_BYTES - in < sizeof(*ret) ? PAGE_BYTES - in : sizeof(*ret);
	const struct page *page = pid ? page_of(m, pid, addr - in) : NULL;
	u8 bytes[sizeof(*ret)];

	if (!page || !page->is_there)
		return false;
	memcpy(bytes, page->bytes + in, first);
	if (first < sizeof(bytes)) {
		page = page_of(m, pid, addr - in + PAGE_BYTES);
		if (!page->is_there)
			return false;
		memcpy(bytes + first, page->bytes, sizeof(bytes) - first);
	}
	*ret = ustack_le64(bytes);
	return true;
}
