// SPDX-License-Identifier: GPL-2.0-only
/*
 * The provider of names from debug files that debuginfod servers have. Called by providers.c,
 * see provider.h.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "symbols/symstore/provider.h"

static void say_failure(struct symstore *s, struct symstore_image *i, int err)
{
	const char *why = strerror(err);

	/* no server has the file: not a failure */
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
	/* a file that is too large does not mean that the servers are bad */
	if (err != EFBIG && !s->no_servers) {
		s->no_servers = true;
		store_note(s, "debug files: the servers are not asked any more");
	}
}

/* The name of the cache's note that the servers do not have the debug file. */
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

/* A fetched file is converted in a jail, like any debug file. */
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
	/* a missing file is no news to the user; a failed server is */
	if (i->found || err != ENOENT)
		provider_say_reason(s, i);
	return false;
}
