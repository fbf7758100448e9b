// SPDX-License-Identifier: GPL-2.0-only
/* Names out of a BSYM file, for what has no more than the functions that it exports. */
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
	/* it will be forgotten; that a file is not there is known to who asks */
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
