/* SPDX-License-Identifier: GPL-2.0-only */
/* Tables of all code that a process has mapped, as `ustack supply` makes them. */
#ifndef USTACK_GOJUDGE_TABLES_H
#define USTACK_GOJUDGE_TABLES_H

#include <sys/types.h>

#include "core.h"
#include "sframe/section.h"
#include "sframe/synth.h"
#include "sframe/synth_go_elf.h"

#define TABLES_MAX 64u

/* One mapped file. */
struct mapped {
	char path[256];
	struct synth synth;
	struct synth_section encoded;
	struct sframe_section section;
	struct go_file go;
	bool is_go;
};

/* One executable mapping. */
struct mapping {
	u64 start;
	u64 end;
	u64 bias;
	struct mapped *file;
};

struct tables {
	pid_t pid;
	struct mapped *files[TABLES_MAX];
	unsigned int nr_files;
	struct mapping maps[TABLES_MAX];
	unsigned int nr_maps;
};

/* Reads /proc/PID/maps again. */
void tables_update(struct tables *t);

/* The mapping of an address, or NULL. */
const struct mapping *tables_find(const struct tables *t, u64 pc);

const struct ustack_rule *tables_rule(const struct mapping *m, u64 pc);

/* Name of the Go function at an address; "" if there is none. */
const char *tables_name(const struct tables *t, u64 pc);

#endif /* USTACK_GOJUDGE_TABLES_H */
