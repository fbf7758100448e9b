// SPDX-License-Identifier: GPL-2.0-only
/* Names out of a debug file that a debuginfod server has. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "symbols/symstore/provider.h"

static void say_failure(struct symstore *s, struct symstore_image *i, int err)
{
	const char *why = strerror(err);

	/* there is none: that is no failure */
	if (err == ENOENT)
		return;
	if (err == ENOPKG)
		why = "libdebuginfod.so.1 is not installed (apt-get install libdebuginfod1)";
	if (err == EPROTO)
		why = "a server failed, or what it sent ended too early";
	if (err == EFBIG)
		why = "its debug file is too large";
	if (err == ETIME || err == ETIMEDOUT)
		why = "it took too long";
	snprintf(i->reason, sizeof(i->reason), "no debug file from the servers: %s", why);
	i->said = false;
	/* what is of the file only does not keep others from being asked for */
	if (err != EFBIG && !s->no_servers) {
		s->no_servers = true;
		store_note(s, "debug files: the servers are not asked any more");
	}
}

/* The cache's note that the servers have none. */
static void miss_name(const struct symstore *s, const struct symstore_image *i,
		      char ret[NAME_MAX])
{
	const struct stat none = { 0 };

	gsym_cache_name(&(struct gsym_cache_key){ .build_id = i->build_id,
			.len = i->build_id_len, .own = &none, .servers = s->options.servers }, ret);
}

static bool may_be_asked(const struct symstore *s, const struct symstore_image *i)
{
	const char *urls = s->options.servers;

	return urls && urls[0] && i->build_id_len >= 2 && i->source != SYMSTORE_DWARF &&
	       strcmp(i->path, "[vdso]");
}

bool provider_servers(struct symstore *s, struct symstore_image *i)
{
	const struct symstore_options *o = &s->options;
	const struct fetch_order order = {
		.urls = o->servers,
		.seconds = o->fetch_seconds ? o->fetch_seconds : SYMSTORE_FETCH_SECONDS,
		.bytes = o->fetch_bytes ? o->fetch_bytes : SYMSTORE_FETCH_BYTES,
		.build_id = i->build_id, .build_id_len = i->build_id_len,
	};
	char miss[NAME_MAX];

	if (!may_be_asked(s, i))
		return false;
	gsym_cache_name(&(struct gsym_cache_key){ .build_id = i->build_id,
			.len = i->build_id_len, .own = &i->file.st, .fetched = true }, i->cached);
	if (provider_take_cached(s, i)) {
		i->reason[0] = '\0';
		return false;
	}
	miss_name(s, i, miss);
	if (s->no_servers || gsym_cache_missed(&s->cache, miss) ||
	    fetch_start(&i->fetch, &order))
		return false;
	i->state = STATE_FETCHED;
	s->running++;
	return true;
}

/* What was fetched is read as any debug file, where it can do no harm. */
static bool make_of_fetched(struct symstore *s, struct symstore_image *i)
{
	struct make_job job = provider_job(s, i);
	char path[32];
	struct stat st;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", i->fetched);
	if (fstat(i->fetched, &st))
		return false;
	job.debug = path;
	job.only_debug = true;
	job.fd = i->fetched;
	job.size = (uint64_t)st.st_size;
	return provider_make(s, i, &job);
}

bool provider_servers_ended(struct symstore *s, struct symstore_image *i, int err)
{
	char miss[NAME_MAX];

	if (!err)
		return make_of_fetched(s, i);
	if (err == ENOENT) {
		miss_name(s, i, miss);
		gsym_cache_miss(&s->cache, miss);
	}
	say_failure(s, i, err);
	/* that a file is not there is known to who asks; what servers do is not */
	if (i->found || err != ENOENT)
		provider_say_reason(s, i);
	return false;
}
