// SPDX-License-Identifier: GPL-2.0-only
/* Finds the buffer of PHP's JIT in a process. See php_jit.h. */
#include "symbols/lang/php_jit.h"

#include <fcntl.h>
#include <unistd.h>

#include "host/file/locate.h"
#include "symbols/lang/php.h"
#include "util/cleanup.h"

/* Limit for files of a process that are read to find PHP, which is among the first. */
#define MAX_FILES 256u

/* The last words of the buffer. */
struct tail {
	uint64_t used_end;
	uint64_t startup_end;
};

static bool is_tail(const struct tail *tail, uint64_t start, uint64_t end)
{
	return tail->startup_end > start && tail->used_end >= tail->startup_end &&
	       tail->used_end <= end - sizeof(*tail);
}

static bool ends_with_buffer(const struct range *r, const struct lang_memory *m)
{
	struct tail tail;

	return r->end - r->start >= sizeof(tail) &&
	       lang_memory_read(m, r->end - sizeof(tail), &tail, sizeof(tail)) &&
	       is_tail(&tail, r->start, r->end);
}

bool php_jit_find(const struct range *shared, unsigned int nr, const struct lang_memory *m,
		  struct range *ret)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		if (ends_with_buffer(&shared[i], m)) {
			*ret = shared[i];
			return true;
		}
	return false;
}

/* Reads PHP from the file that is mapped at @l. Return: whether it is one. */
static bool read_php(uint32_t pid, const struct scan_line *l, struct made_code *c,
		     struct php_file *ret)
{
	_cleanup_(supply_file_release) struct supply_file found = SUPPLY_FILE_INIT;
	_cleanup_(lang_elf_release) struct lang_elf e = LANG_ELF_INIT;
	struct file file;

	scan_mapped_path(pid, l->start, l->end, c->path);
	if (supply_file_open(&found, AT_FDCWD, c->path, false) != SUPPLY_CACHED)
		return false;
	file = (struct file){ .path = c->path, .fd = found.fd, .size = (uint64_t)found.st.st_size };
	return lang_elf_open(&e, &file) && php_file_read(&e, ret) &&
	       ustack_elf_bias(&e.head, l->start, l->offset, l->end - l->start, (u64 *)&c->bias);
}

/* Finds PHP among the files that the process has mapped. */
static bool find_php(struct made_code *c, struct php_file *ret)
{
	_cleanup_(scan_maps_close) struct scan_maps maps = SCAN_MAPS_INIT;
	unsigned int nr = 0;
	struct scan_line l;

	if (!scan_maps_open(&maps, c->pid))
		return false;
	while (nr < MAX_FILES && scan_maps_next(&maps, &l)) {
		if (!l.exec || !l.id.ino || l.start == c->start)
			continue;
		nr++;
		if (read_php(c->pid, &l, c, ret))
			return true;
	}
	return false;
}

enum made_code_answer php_jit_code(struct made_code *c)
{
	struct tail tail;
	struct php_file f;

	if (c->end - c->start < sizeof(tail) || !find_php(c, &f) || f.refused || !f.is_x86)
		return MADE_CODE_UNKNOWN;
	if (pread(c->fd, &tail, sizeof(tail),
		  (off_t)(c->offset + (c->end - c->start) - sizeof(tail))) != sizeof(tail) ||
	    !is_tail(&tail, c->start, c->end))
		return MADE_CODE_NOT_YET;
	c->function = f.eval[0];
	c->fixed = tail.startup_end;
	return MADE_CODE_KNOWN;
}
