// SPDX-License-Identifier: GPL-2.0-only
/* Reads the executable mappings of a process and makes their tables (space.h). */
#include "space.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* As `ustack supply` does it, and the module after it. */
static bool make_table(struct space_map *m, const char *path, u64 offset)
{
	const struct ustack_segment *s;
	struct diag diag;
	unsigned int i;
	int fd, err;

	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	err = synth_read(&m->synth, fd, path, &diag);
	if (!err)
		err = synth_encode(&m->synth, SYNTH_MODULE, &m->encoded, &diag);
	close(fd);
	if (err || !m->encoded.bytes)
		return false;
	sframe_section_borrow(&m->section, path, &m->synth.elf, m->encoded.bytes,
			      m->encoded.len, m->encoded.vaddr);
	if (sframe_section_prove(&m->section, &diag))
		return false;
	for (i = 0; i < m->synth.elf.nr_segments; i++) {
		s = &m->synth.elf.segments[i];
		if (s->exec && offset >= (s->off & ~0xfffull) &&
		    offset < s->off + s->filesz)
			m->bias = m->start - offset + s->off - s->vaddr;
	}
	return true;
}

bool space_read(struct space *s, pid_t pid)
{
	char name[32], line[512], path[256], x;
	struct space_map *m;
	u64 start, end, offset;
	bool good = true;
	FILE *maps;

	snprintf(name, sizeof(name), "/proc/%d/maps", pid);
	maps = fopen(name, "re");
	while (maps && good && fgets(line, sizeof(line), maps)) {
		*path = 0;
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*c%*c%c%*c %" SCNx64 " %*s %*s %255s",
			   &start, &end, &x, &offset, path) < 4 || x != 'x')
			continue;
		good = s->nr < SPACE_MAPS;
		m = good ? &s->maps[s->nr++] : NULL;
		if (m)
			*m = (struct space_map){
				.start = start, .end = end, .synth = SYNTH_INIT,
				.encoded = SYNTH_SECTION_INIT,
				.section = SFRAME_SECTION_INIT,
			};
		if (m && *path == '/' && !make_table(m, path, offset)) {
			fprintf(stderr, "no table for %s\n", path);
			good = false;
		}
	}
	if (maps)
		fclose(maps);
	return maps && good;
}

void space_release(struct space *s)
{
	for (; s->nr; s->nr--) {
		sframe_section_release(&s->maps[s->nr - 1].section);
		synth_section_release(&s->maps[s->nr - 1].encoded);
		synth_release(&s->maps[s->nr - 1].synth);
	}
}

const struct space_map *space_find(const struct space *s, u64 pc)
{
	unsigned int i;

	for (i = 0; i < s->nr; i++)
		if (pc - s->maps[i].start < s->maps[i].end - s->maps[i].start)
			return &s->maps[i];
	return NULL;
}

const struct ustack_rule *space_rule(const struct space *s, u64 key)
{
	const struct space_map *m = space_find(s, key);
	const struct ustack_table *t = m ? m->section.table : NULL;

	return t ? ustack_lookup(t, key - m->bias - t->base) : NULL;
}

enum synth_cause space_cause(const struct space *s, u64 key)
{
	const struct space_map *m = space_find(s, key);
	size_t i;

	for (i = 0; m && i < m->synth.nr_gaps; i++)
		if (key - m->bias - m->synth.gaps[i].start < m->synth.gaps[i].size)
			return m->synth.gaps[i].cause;
	return SYNTH_NONE;
}
