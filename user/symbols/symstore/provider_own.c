// SPDX-License-Identifier: GPL-2.0-only
/*
 * The provider of names from the file itself and its debug file. Called by providers.c, see
 * provider.h.
 */
#include <fcntl.h>

#include "symbols/symstore/debug_file.h"
#include "symbols/symstore/provider.h"

/* Finds the debug file by build id. The jail follows .gnu_debuglink. */
static const char *debug_of(const struct symstore *s, const struct symstore_image *i,
			    char path[PATH_MAX], struct stat *st)
{
	if (!debug_by_build_id(s->options.debug_dirs, i->build_id, i->build_id_len, path) ||
	    stat(path, st))
		return NULL;
	return path;
}

bool provider_own(struct symstore *s, struct symstore_image *i)
{
	struct make_job job = provider_job(s, i);
	char path[PATH_MAX];
	struct stat st;

	job.debug = debug_of(s, i, path, &st);
	if (!i->found && !job.debug)
		return false;
	if (!i->found) {
		/* the file is of another machine: only the debug file is here */
		i->file.fd = open(job.debug, O_RDONLY | O_CLOEXEC);
		i->file.st = st;
	}
	gsym_cache_name(&(struct gsym_cache_key){ .build_id = i->build_id,
			.len = i->build_id_len, .own = &i->file.st,
			.debug = job.debug ? &st : NULL }, i->cached);
	job.fd = i->file.fd;
	job.size = (uint64_t)(job.debug ? st.st_size : i->file.st.st_size);
	return !provider_take_cached(s, i) && provider_make(s, i, &job);
}
