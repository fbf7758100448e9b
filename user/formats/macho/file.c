// SPDX-License-Identifier: GPL-2.0-only
/*
 * Opens a Mach-O file on disk, thin or fat, and walks over its slices (file.h).
 */
#include "formats/macho/file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "util/poison.h"

int macho_file_open(const char *path, const char *arch, struct macho_file *f,
		    struct diag *diag)
{
	int err;

	*f = (struct macho_file){ .path = path, .arch = arch };
	err = map_open(&f->map, path, diag);
	if (err || macho_identify(f->map.bytes, f->map.len) != MACHO_FAT)
		return err;
	err = macho_fat_open(f->map.bytes, f->map.len, path, &f->fat, diag);
	if (!err && !f->fat.nr)
		err = diag_set(diag, EBADMSG, path, "a fat Mach-O file without slices");
	return err;
}

void macho_file_release(struct macho_file *f)
{
	map_release(&f->map);
}

static bool is_meant(const struct macho_file *f, uint32_t cputype, uint32_t cpusubtype)
{
	return !f->arch || macho_arch_is(f->arch, cputype, cpusubtype);
}

int macho_file_next(struct macho_file *f, struct macho *ret, struct diag *diag)
{
	struct macho_slice *s = &f->slice;
	int err;

	while (f->next < (f->fat.nr ? f->fat.nr : 1)) {
		*s = (struct macho_slice){ .len = f->map.len };
		if (f->fat.nr)
			macho_fat_get(&f->fat, f->next, s);
		f->next++;
		/* a slice for another processor may be damaged or unknown */
		if (f->fat.nr && !is_meant(f, s->cputype, s->cpusubtype))
			continue;
		err = macho_open(f->map.bytes + s->off, s->len, s->off, f->path, ret, diag);
		if (err || is_meant(f, ret->cputype, ret->cpusubtype))
			return err ? err : 1;
	}
	return 0;
}

const char *macho_arch_text(const struct macho *m, char ret[MACHO_ARCH_TEXT])
{
	const char *name = macho_arch_name(m->cputype, m->cpusubtype);

	if (name)
		snprintf(ret, MACHO_ARCH_TEXT, "%s", name);
	else
		snprintf(ret, MACHO_ARCH_TEXT, "0x%" PRIx32, m->cputype);
	return ret;
}
