// SPDX-License-Identifier: GPL-2.0-only
/*
 * The provider of names from a BSYM file, for images that otherwise have only the
 * functions that they export. Called by providers.c, see provider.h.
 */
#include <string.h>
#include <unistd.h>

#include "symbols/symstore/provider.h"

bool provider_bsym(struct symstore *s, struct symstore_image *i)
{
	struct make_job job = provider_job(s, i);
	char reason[sizeof(i->reason)];
	struct bsym_file file;
	bool begun = false;

	if (i->source >= SYMSTORE_BSYM)
		return false;
	if (!bsym_dir_find(&s->bsym_dir, i->build_id, i->build_id_len, &file, reason)) {
		if (!reason[0])
			return false;
		memcpy(i->reason, reason, sizeof(reason));
		i->said = false;
		provider_say_reason(s, i);
		return false;
	}
	/* the text is no longer needed; a missing file is no news to the user */
	if (i->found || i->file.fd >= 0 || i->fetched >= 0)
		provider_say_reason(s, i);
	gsym_cache_name(&(struct gsym_cache_key){ .build_id = i->build_id,
			.len = i->build_id_len, .own = &i->file.st, .bsym = &file.st }, i->cached);
	job.fd = i->found ? i->file.fd : -1;
	job.size = (uint64_t)file.st.st_size + (i->found ? (uint64_t)i->file.st.st_size : 0);
	job.bsym = file.fd;
	job.bsym_path = file.path;
	if (provider_take_cached(s, i))
		i->reason[0] = '\0';
	else
		begun = provider_make(s, i, &job);
	close(file.fd);
	return begun;
}
