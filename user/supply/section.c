// SPDX-License-Identifier: GPL-2.0-only
/*
 * Gets a file's section: from the cache, or by synthesis, in this process or in a jail. The
 * workers of `ustack supply`, prebuild.c and code.c call it.
 */
#include "supply/section.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#include "sframe/synth.h"
#include "supply/jailed.h"
#include "util/cleanup.h"

void supply_outcome_set(struct supply_result *result,
			enum supply_outcome outcome, const char *fmt, ...)
{
	va_list ap;

	result->outcome = outcome;
	va_start(ap, fmt);
	vsnprintf(result->text, sizeof(result->text), fmt, ap);
	va_end(ap);
}

/* A sum that differs between files with the same build id. */
static u64 shape_of(const struct supply_file *f)
{
	u64 words[5] = { (u64)f->st.st_size, f->elf.nr_segments };
	u64 sum = cache_sum(0, words, sizeof(words));
	const struct ustack_segment *s;
	unsigned int i;

	for (i = 0; i < f->elf.nr_segments; i++) {
		s = &f->elf.segments[i];
		words[0] = s->off;
		words[1] = s->vaddr;
		words[2] = s->filesz;
		words[3] = s->memsz;
		words[4] = s->exec;
		sum = cache_sum(sum, words, sizeof(words));
	}
	return sum;
}

static struct cache_key key_of(const struct supply_file *f)
{
	struct cache_key key = {
		.arch = f->elf.arch->id,
		.owner = f->st.st_uid,
		.shape = shape_of(f),
		.build_id_len = f->elf.build_id_len,
	};

	memcpy(key.build_id, f->elf.build_id, f->elf.build_id_len);
	return key;
}

static bool is_large(const struct supply_file *f)
{
	u64 text = 0;
	unsigned int i;

	for (i = 0; i < f->elf.nr_text; i++)
		text += f->elf.text[i].end - f->elf.text[i].start;
	return text > SUPPLY_LARGE_TEXT || f->st.st_size > SUPPLY_LARGE_FILE;
}

static enum supply_outcome outcome_of(int err)
{
	switch (err) {
	case -ENOMEM:
		return SUPPLY_NO_MEMORY;
	case -E2BIG:
	case -EFBIG:
		return SUPPLY_TOO_LARGE;
	case -ENODATA:	/* the file became shorter */
		return SUPPLY_REPLACED;
	default:
		return SUPPLY_BROKEN;
	}
}

static int synthesize(const struct supply_file *f, struct cache_entry *ret,
		      struct supply_result *result, struct diag *diag)
{
	_cleanup_(synth_section_release) struct synth_section sec =
		SYNTH_SECTION_INIT;
	_cleanup_(synth_release) struct synth s = SYNTH_INIT;
	int err;

	err = synth_read(&s, f->fd, f->path, diag);
	result->cfi_bytes = s.section_bytes;
	if (err)
		return err;
	if (s.nr_funcs)
		err = synth_encode(&s, SYNTH_MODULE, &sec, diag);
	if (err || !sec.functions)
		return err;
	*ret = (struct cache_entry){
		.bytes = sec.bytes,
		.len = sec.len,
		.vaddr = sec.vaddr,
		.functions = sec.functions,
		.rows = sec.rows,
	};
	sec.bytes = NULL;
	return 0;
}

static void store(const struct cache *cache, const struct cache_key *key,
		  const struct cache_entry *entry, struct supply_result *result)
{
	int64_t n = cache_put(cache, key, entry);

	if (n < 0)
		result->store_errno = (int)-n;
	else
		result->stored_bytes += (u64)n;
}

static void make(const struct supply_order *order, const struct supply_file *f,
		 const struct cache_key *key, struct cache_entry *ret,
		 struct supply_result *result)
{
	struct diag diag;
	int err;

	if (is_large(f) && !(order->flags & SUPPLY_MAY_BE_LARGE)) {
		result->outcome = SUPPLY_LATER;
		return;
	}
	err = order->flags & SUPPLY_IN_JAIL ? supply_in_jail(synthesize, f, ret, result, &diag) :
					    synthesize(f, ret, result, &diag);
	if (err) {
		supply_outcome_set(result, outcome_of(err), "%s", diag.text);
		return;
	}
	/* a section from one file's headers and another's CFI fits no file, and must not
	 * be cached
	 */
	if (!supply_file_unchanged(f)) {
		supply_outcome_set(result, SUPPLY_REPLACED,
				   "it changed meanwhile");
		return;
	}
	supply_outcome_set(result, SUPPLY_MADE, "%s", "");
	if (order->cache && key->build_id_len >= 2)
		store(order->cache, key, ret, result);
}

void supply_section(const struct supply_order *order, struct supply_file *f,
		    struct cache_entry *ret, struct supply_result *result)
{
	struct cache_key key = key_of(f);

	result->elf = true;
	if (order->cache && !(order->flags & SUPPLY_AFRESH) &&
	    !cache_get(order->cache, &key, ret))
		supply_outcome_set(result, SUPPLY_CACHED, "%s", "");
	else
		make(order, f, &key, ret, result);
	if (result->outcome != SUPPLY_CACHED && result->outcome != SUPPLY_MADE)
		return;
	result->functions = ret->functions;
	result->section_bytes = ret->len;
	if (!ret->functions)
		result->outcome = SUPPLY_NO_FUNCTIONS;
}
