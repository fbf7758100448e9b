// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table of functions that were read, with an index by process, address, cookie and
 * place. Called by function_names.c with the reader's lock held.
 */
#include "symbols/lang/functions.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/array.h"
#include "util/poison.h"

/*
 * Limits. Some 20,000 functions of a large service are ever seen; a table has about 100
 * bytes.
 */
#define MAX_FUNCTIONS 262144u
#define MAX_BYTES ((size_t)64 << 20)

int lang_functions_init(struct lang_functions *f)
{
	*f = (struct lang_functions){ .nr = 1 };
	intern_init(&f->index);
	return strings_init(&f->strings);
}

static void forget(struct lang_functions *f)
{
	uint32_t i;

	for (i = 1; i < f->nr; i++)
		free(f->function[i].table);
	f->nr = 1;
	f->bytes = 0;
}

void lang_functions_release(struct lang_functions *f)
{
	forget(f);
	free(f->function);
	intern_release(&f->index);
	strings_release(&f->strings);
}

int lang_functions_clear(struct lang_functions *f)
{
	forget(f);
	intern_clear(&f->index);
	strings_release(&f->strings);
	return strings_init(&f->strings);
}

bool lang_functions_full(const struct lang_functions *f)
{
	return f->nr >= MAX_FUNCTIONS || f->bytes >= MAX_BYTES || f->strings.nr >= MAX_FUNCTIONS;
}

static uint64_t hash_of(const struct lang_functions *f, uint64_t process, uint64_t pointer,
			uint32_t cookie, uint64_t place)
{
	const uint64_t key[] = { process, pointer, cookie, place };

	return intern_words(&f->index, key, 4);
}

uint32_t lang_functions_find(const struct lang_functions *f, uint64_t process, uint64_t pointer,
			     uint32_t cookie, uint64_t place)
{
	uint64_t hash = hash_of(f, process, pointer, cookie, place);
	struct intern_probe at = intern_probe(&f->index, hash);
	uint32_t n;

	while ((n = intern_next(&f->index, &at))) {
		const struct lang_function *x = &f->function[n];

		if (x->process == process && x->pointer == pointer && x->cookie == cookie &&
		    x->place == place)
			return n;
	}
	return 0;
}

uint32_t lang_functions_add(struct lang_functions *f, const struct lang_function *new,
			    const char *name, const char *file)
{
	struct lang_function x = *new;

	if (strings_add(&f->strings, name, strlen(name), &x.name) ||
	    strings_add(&f->strings, file, strlen(file), &x.file) ||
	    !array_has_room(f->function, f->room ? f->nr : 0, f->room) || !intern_room(&f->index)) {
		free(x.table);
		return 0;
	}
	f->function[f->nr] = x;
	f->bytes += x.table_len;
	intern_put(&f->index, hash_of(f, x.process, x.pointer, x.cookie, x.place),
		   f->nr);
	return f->nr++;
}

int lang_functions_rename(struct lang_functions *f, uint32_t n, const char *name, const char *file,
			  uint32_t first_line, uint64_t root)
{
	struct lang_function *x = &f->function[n];
	uint32_t name_at, file_at;

	if (strings_add(&f->strings, name, strlen(name), &name_at) ||
	    strings_add(&f->strings, file, strlen(file), &file_at))
		return -ENOMEM;
	x->name = name_at;
	x->file = file_at;
	x->first_line = first_line;
	x->root = root;
	return 0;
}
