// SPDX-License-Identifier: GPL-2.0-only
/* Makes the tables of all files that a process has mapped, and finds rules and names in them. */
#include "tables.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* An executable mapping, from a line of /proc/PID/maps. */
struct line {
	u64 start;
	u64 end;
	u64 off;
	char path[256];
};

/* Copies the vDSO into a memfd. */
static int open_vdso(pid_t pid, const struct line *l)
{
	int mem, fd = memfd_create("vdso", MFD_CLOEXEC);
	size_t len = l->end - l->start;
	char name[32], *bytes = malloc(len);

	snprintf(name, sizeof(name), "/proc/%d/mem", pid);
	mem = open(name, O_RDONLY);
	if (mem < 0 || fd < 0 || !bytes ||
	    pread(mem, bytes, len, (off_t)l->start) != (ssize_t)len ||
	    write(fd, bytes, len) != (ssize_t)len)
		abort();
	close(mem);
	free(bytes);
	return fd;
}

static struct mapped *read_file(struct tables *t, const struct line *l)
{
	struct mapped *f = calloc(1, sizeof(*f));
	struct diag diag;
	const char *why;
	char text[512];
	int fd;

	fd = strcmp(l->path, "[vdso]") ? open(l->path, O_RDONLY | O_CLOEXEC) :
					 open_vdso(t->pid, l);
	if (!f || fd < 0 || t->nr_files == TABLES_MAX)
		abort();
	snprintf(f->path, sizeof(f->path), "%s", l->path);
	if (synth_read(&f->synth, fd, f->path, &diag) ||
	    synth_encode(&f->synth, SYNTH_MODULE, &f->encoded, &diag)) {
		diag_format(&diag, text, sizeof(text));
		fprintf(stderr, "%s\n", text);
		exit(1);
	}
	if (f->encoded.functions) {
		sframe_section_borrow(&f->section, f->path, &f->synth.elf,
				      f->encoded.bytes, f->encoded.len,
				      f->encoded.vaddr);
		if (sframe_section_prove(&f->section, &diag)) {
			diag_format(&diag, text, sizeof(text));
			fprintf(stderr, "%s\n", text);
			exit(1);
		}
	}
	f->is_go = go_file_open(&f->go, fd, &f->synth.elf, &why) > 0;
	close(fd);
	return t->files[t->nr_files++] = f;
}

static struct mapped *find_file(struct tables *t, const struct line *l)
{
	unsigned int i;

	for (i = 0; i < t->nr_files; i++)
		if (!strcmp(t->files[i]->path, l->path))
			return t->files[i];
	return read_file(t, l);
}

static void add_line(struct tables *t, const struct line *l)
{
	struct mapping *m = &t->maps[t->nr_maps];

	*m = (struct mapping){ l->start, l->end, 0, find_file(t, l) };
	if (t->nr_maps < TABLES_MAX - 1 &&
	    ustack_elf_bias(&m->file->synth.elf, l->start, l->off,
			    l->end - l->start, &m->bias))
		t->nr_maps++;
}

void tables_update(struct tables *t)
{
	char name[32], perms[8], text[512];
	struct line l;
	FILE *maps;

	snprintf(name, sizeof(name), "/proc/%d/maps", t->pid);
	maps = fopen(name, "re");
	t->nr_maps = 0;
	while (maps && fgets(text, sizeof(text), maps))
		if (sscanf(text, "%" SCNx64 "-%" SCNx64 " %7s %" SCNx64 " %*s %*s %255s",
			   (uint64_t *)&l.start, (uint64_t *)&l.end, perms,
			   (uint64_t *)&l.off, l.path) == 5 &&
		    perms[2] == 'x' && (l.path[0] == '/' || !strcmp(l.path, "[vdso]")))
			add_line(t, &l);
	if (maps)
		fclose(maps);
}

const struct mapping *tables_find(const struct tables *t, u64 pc)
{
	unsigned int i;

	for (i = 0; i < t->nr_maps; i++)
		if (pc >= t->maps[i].start && pc < t->maps[i].end)
			return &t->maps[i];
	return NULL;
}

const struct ustack_rule *tables_rule(const struct mapping *m, u64 pc)
{
	const struct ustack_table *table = m->file->section.table;

	return table ? ustack_lookup(table, pc - m->bias - table->base) : NULL;
}

const char *tables_name(const struct tables *t, u64 pc)
{
	const struct mapping *m = tables_find(t, pc);
	struct gopcln_func f;
	u32 lo = 0, hi, mid;
	u64 at;

	if (!m || !m->file->is_go)
		return "";
	at = pc - m->bias - m->file->go.bias;
	hi = m->file->go.table.nr_funcs;
	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		gopcln_func(&m->file->go.table, mid, &f);
		if (f.start <= at)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (!lo || !gopcln_func(&m->file->go.table, lo - 1, &f) || at >= f.end ||
	    !memchr(f.name, 0, f.name_max))
		return "";
	return (const char *)f.name;
}
