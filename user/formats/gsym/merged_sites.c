// SPDX-License-Identifier: MIT
/*
 * Reads entries that few functions have: functions merged into another one, and
 * call sites.
 */
#include "formats/gsym/read.h"

/*
 * Opens an entry that begins with a number of elements; @nr is 0 if there is no
 * such entry.
 */
static int find_list(const struct gsym *g, const struct gsym_function *f, uint32_t type,
		     struct gsym_entry *ret, uint32_t *nr)
{
	int err = gsym_entry_find(g, f, type, ret);

	*nr = 0;
	if (err || ret->data == ret->end)
		return err;
	if (ret->end - ret->data < 4)
		return -EBADMSG;
	*nr = gsym_get32(g->swap, ret->data);
	ret->data += 4;
	return 0;
}

int gsym_merged_init(struct gsym_merged *it, const struct gsym *g,
		     const struct gsym_function *f)
{
	struct gsym_entry e = { NULL, NULL };
	uint32_t nr;
	int err = find_list(g, f, GSYM_INFO_MERGED, &e, &nr);

	*it = (struct gsym_merged){ .g = g, .f = f, .p = e.data, .end = e.end, .left = nr };
	return err;
}

int gsym_merged_next(struct gsym_merged *it, struct gsym_function *ret)
{
	uint32_t len;

	if (!it->left)
		return 0;
	if (it->end - it->p < 4)
		return -EBADMSG;
	len = gsym_get32(it->g->swap, it->p);
	if (len > it->end - it->p - 4)
		return -EBADMSG;
	if (gsym_function_decode(it->g, it->p + 4, it->p + 4 + len, it->f->start, ret))
		return -EBADMSG;
	it->p += 4 + (size_t)len;
	it->left--;
	return 1;
}

int gsym_sites_init(struct gsym_sites *it, const struct gsym *g,
		    const struct gsym_function *f)
{
	struct gsym_entry e = { NULL, NULL };
	uint32_t nr;
	int err = find_list(g, f, GSYM_INFO_SITES, &e, &nr);

	*it = (struct gsym_sites){ .g = g, .p = e.data, .end = e.end, .left = nr };
	return err;
}

int gsym_sites_next(struct gsym_sites *it, struct gsym_site *ret)
{
	const unsigned int head = 8 + 1 + 4;
	bool swap = it->g->swap;
	size_t left;

	if (!it->left)
		return 0;
	left = (size_t)(it->end - it->p);
	if (left < head)
		return -EBADMSG;
	*ret = (struct gsym_site){
		.offset = gsym_get64(swap, it->p),
		.flags = it->p[8],
		.nr_match = gsym_get32(swap, it->p + 9),
		.match = it->p + head,
	};
	if (ret->nr_match > (left - head) / gsym_word_size(it->g))
		return -EBADMSG;
	it->p += head + (size_t)ret->nr_match * gsym_word_size(it->g);
	it->left--;
	return 1;
}

const char *gsym_site_match(const struct gsym *g, const struct gsym_site *s, uint32_t i)
{
	return gsym_string(g, gsym_get_word(g, s->match + (size_t)i * gsym_word_size(g)));
}
