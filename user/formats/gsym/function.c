// SPDX-License-Identifier: MIT
/*
 * From an address to its function, and to the entries of the function.
 */
#include "formats/gsym/read.h"

/*
 * Counts how many of the @n offsets at @p are at most @off. Each step compares
 * three of them at once, which costs no more than waiting for one, and
 * continues by arithmetic without a branch: its direction cannot be predicted,
 * and a misprediction costs as much as several steps.
 */
#define COUNT_UP_TO(name, type)							\
static inline type name##_at(const uint8_t *p, uint32_t i)			\
{										\
	type v;									\
										\
	memcpy(&v, p + (size_t)i * sizeof(type), sizeof(v));			\
	return v;								\
}										\
										\
static uint32_t name(const uint8_t *p, uint32_t n, uint64_t off)		\
{										\
	const type key = off < (type)-1 ? (type)off : (type)-1;			\
	uint32_t at = 0, part;							\
										\
	while (n >= 4) {							\
		part = n / 4;							\
		at += part * ((uint32_t)(name##_at(p, at + part - 1) <= key) +	\
			      (name##_at(p, at + 2 * part - 1) <= key) +	\
			      (name##_at(p, at + 3 * part - 1) <= key));	\
		n -= 3 * part;							\
	}									\
	for (part = 0; n; n--)							\
		part += name##_at(p, at + n - 1) <= key;			\
	return at + part;							\
}

COUNT_UP_TO(count_8, uint8_t)
COUNT_UP_TO(count_16, uint16_t)
COUNT_UP_TO(count_32, uint32_t)
COUNT_UP_TO(count_64, uint64_t)

/* Counts in tables that have the other byte order. */
static uint32_t count_swapped(const struct gsym *g, uint64_t off)
{
	uint32_t low = 0, high = g->nr_functions, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (gsym_addr_offset(g, middle) <= off)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static uint32_t count_up_to(const struct gsym *g, uint64_t off)
{
	if (unlikely(g->swap))
		return count_swapped(g, off);
	switch (g->addr_size) {
	case 1:
		return count_8(g->addrs, g->nr_functions, off);
	case 2:
		return count_16(g->addrs, g->nr_functions, off);
	case 4:
		return count_32(g->addrs, g->nr_functions, off);
	default:
		return count_64(g->addrs, g->nr_functions, off);
	}
}

int gsym_function_decode(const struct gsym *g, const uint8_t *p, const uint8_t *end,
			 uint64_t start, struct gsym_function *ret)
{
	unsigned int head = 4 + gsym_word_size(g);
	uint64_t name;

	if (end - p < head)
		return -EBADMSG;
	name = gsym_get_word(g, p + 4);
	*ret = (struct gsym_function){
		.start = start,
		.size = gsym_get32(g->swap, p),
		.name = gsym_string(g, name),
		.at = (uint64_t)(p - g->bytes),
		.info = p + head,
		.end = end,
	};
	/* string 0 is the empty string, and no function has an empty name */
	return ret->name && name ? 0 : -EBADMSG;
}

int gsym_function(const struct gsym *g, uint32_t index, struct gsym_function *ret)
{
	uint64_t off;

	if (index >= g->nr_functions)
		return -EBADMSG;
	off = gsym_get_word(g, g->infos + (size_t)index * gsym_word_size(g));
	if (off > (uint64_t)(g->functions_end - g->functions))
		return -EBADMSG;
	return gsym_function_decode(g, g->functions + off, g->functions_end,
				    g->base + gsym_addr_offset(g, index), ret);
}

/* Return: 1 if function @i contains @addr; 0; -EBADMSG, also if the table is not in order. */
static int try(const struct gsym *g, uint32_t i, uint64_t addr, struct gsym_function *ret)
{
	int err = gsym_function(g, i, ret);

	if (err || unlikely(ret->start > addr))
		return -EBADMSG;
	return !ret->size || addr - ret->start < ret->size;
}

/*
 * Finds the first of several functions with the same start that reaches @addr.
 * @last: the last of them.
 */
static int find_among(const struct gsym *g, uint32_t last, uint64_t addr,
		      struct gsym_function *ret)
{
	uint64_t off = gsym_addr_offset(g, last);
	uint32_t i;
	int found = 0;

	for (i = off ? count_up_to(g, off - 1) : 0; i <= last && !found; i++)
		found = try(g, i, addr, ret);
	return found;
}

const uint8_t *gsym_info_before(const struct gsym *g, uint64_t addr)
{
	uint32_t n = addr < g->base ? 0 : count_up_to(g, addr - g->base);
	uint64_t off;

	if (!n)
		return NULL;
	off = gsym_get_word(g, g->infos + (size_t)(n - 1) * gsym_word_size(g));
	return off > (uint64_t)(g->functions_end - g->functions) ? NULL : g->functions + off;
}

int gsym_find(const struct gsym *g, uint64_t addr, struct gsym_function *ret)
{
	uint32_t n;

	if (addr < g->base)
		return 0;
	n = count_up_to(g, addr - g->base);
	if (!n)
		return 0;
	n--;
	if (unlikely(n && gsym_addr_offset(g, n) == gsym_addr_offset(g, n - 1)))
		return find_among(g, n, addr, ret);
	return try(g, n, addr, ret);
}

int64_t gsym_entry_next(const struct gsym *g, const uint8_t **p, const uint8_t *end,
			struct gsym_entry *ret)
{
	uint32_t type, len;

	if (end - *p < 4)
		return -EBADMSG;
	type = gsym_get32(g->swap, *p);
	/* some writers of the prototype's layout leave out the length of this entry */
	if (type == GSYM_INFO_END)
		return type;
	if (end - *p < 8)
		return -EBADMSG;
	len = gsym_get32(g->swap, *p + 4);
	*p += 8;
	if (type == GSYM_INFO_INLINES && g->length_is_wrong) {
		*ret = (struct gsym_entry){ *p, gsym_inlined_end(g, *p, end) };
		if (!ret->end)
			return -EBADMSG;
		*p = ret->end;
		return type;
	}
	if (len > end - *p)
		return -EBADMSG;
	*ret = (struct gsym_entry){ *p, *p + len };
	*p += len;
	return type;
}

int gsym_entry_find(const struct gsym *g, const struct gsym_function *f, uint32_t type,
		    struct gsym_entry *ret)
{
	const uint8_t *p = f->info;
	int64_t found;

	while ((found = gsym_entry_next(g, &p, f->end, ret)) > 0)
		if (found == type)
			return 0;
	*ret = (struct gsym_entry){ p, p };
	return (int)found;
}

const char *gsym_lookup_name(const struct gsym *g, uint64_t addr, uint64_t *offset)
{
	struct gsym_function f;

	if (gsym_find(g, addr, &f) <= 0)
		return NULL;
	if (offset)
		*offset = addr - f.start;
	return f.name;
}

int gsym_file(const struct gsym *g, uint32_t index, const char **dir, const char **base)
{
	unsigned int word = gsym_word_size(g);
	const uint8_t *p;

	*dir = *base = "";
	/* LLVM's layouts have an empty entry for it, the prototype's layout has none */
	if (!index)
		return 0;
	/* gsym.py numbers the files of calls only after it has written the table */
	if (index - g->first_file >= g->nr_files)
		return g->info.layout == GSYM_PROTOTYPE ? 0 : -EBADMSG;
	p = g->files + (size_t)(index - g->first_file) * 2 * word;
	*dir = gsym_string(g, gsym_get_word(g, p));
	*base = gsym_string(g, gsym_get_word(g, p + word));
	if (*dir && *base)
		return 0;
	*dir = *base = "";
	return -EBADMSG;
}
