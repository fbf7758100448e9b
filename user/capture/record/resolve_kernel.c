// SPDX-License-Identifier: GPL-2.0-only
/*
 * From a kernel address to a location of the profile: in the kernel, in a
 * module, or in a function that came and went during the recording. See
 * names_private.h.
 */
#include "capture/record/names_private.h"

#include <string.h>

#include "symbols/symstore/lines.h"

int record_kernel_symbol(struct record_names *n, uint64_t start, uint64_t len, const char *name)
{
	if (name)
		return record_symbols_add(&n->symbols, start, len, name);
	record_symbols_remove(&n->symbols, start, len);
	return 0;
}

/*
 * The function is named at once, because another one may get its address later.
 */
static uint32_t told_location(struct record_names *n, const struct record_symbol *s, uint64_t addr)
{
	struct profile_mapping m = { .start = s->start, .limit = s->end };
	struct profile_line line = symstore_line(n->p, n->names, s->name, 0, 0);
	uint32_t mapping;

	m.file = profile_string(n->p, BPF_IMAGE);
	mapping = profile_mapping(n->p, &m);
	record_set_origin(n, mapping, (struct origin){ .source = SOURCE_NONE });
	return profile_location_named(n->p, mapping, addr, &line, 1);
}

uint32_t record_kernel_location(struct record_names *n, uint64_t addr)
{
	const struct kallsyms_image *i = n->kallsyms ? kallsyms_image(n->kallsyms, addr) : NULL;
	const struct record_symbol *told = record_symbols_find(&n->symbols, addr);
	struct profile_mapping m = { .start = 1ull << 63, .limit = UINT64_MAX };
	uint32_t mapping;

	if (told)
		return told_location(n, told, addr);
	/* the BPF programs that run now are not those of the recording */
	if (i && n->options.past && !strcmp(i->name, BPF_IMAGE))
		i = NULL;
	if (i) {
		m.start = i->start;
		m.limit = i->limit;
		m.build_id = record_hex_string(n->p, i->build_id, i->build_id_len);
	}
	m.file = profile_string(n->p, i ? i->name : "[kernel]");
	mapping = profile_mapping(n->p, &m);
	record_set_origin(n, mapping,
		   (struct origin){ .source = i || !n->options.past ? SOURCE_KERNEL : SOURCE_NONE });
	return profile_location(n->p, mapping, addr);
}
