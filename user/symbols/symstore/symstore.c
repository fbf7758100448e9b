// SPDX-License-Identifier: GPL-2.0-only
/*
 * The store and its images: finds, counts and frees them, and answers lookups. Making
 * names is in providers.c; see symstore.h.
 */
#include "symbols/symstore/symstore.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "symbols/symstore/debug_file.h"
#include "symbols/symstore/find.h"
#include "symbols/symstore/store.h"
#include "util/array.h"
#include "util/file.h"

void store_note(const struct symstore *s, const char *text)
{
	if (s->options.note)
		s->options.note(text, s->options.arg);
}

int symstore_new(const struct symstore_options *options, struct symstore **ret,
		 struct diag *diag)
{
	struct symstore *s = calloc(1, sizeof(*s));
	uint64_t max = options->cache_bytes ? options->cache_bytes : SYMSTORE_CACHE_BYTES;
	struct diag why = { 0 };
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	int err = 0;

	if (!s)
		return diag_errno(diag, ENOMEM, "symbols");
	s->options = *options;
	if (!s->options.debug_dirs)
		s->options.debug_dirs = debug_default_dirs;
	s->max_running = options->threads ? options->threads : (unsigned int)cpus;
	s->cache = (struct gsym_cache)GSYM_CACHE_INIT;
	s->bsym_dir = (struct bsym_dir)BSYM_DIR_INIT;
	if (options->bsym_dir)
		err = bsym_dir_open(&s->bsym_dir, options->bsym_dir, diag);
	if (err) {
		free(s);
		return err;
	}
	if (gsym_cache_open(&s->cache, options->cache, max, &why))
		store_note(s, why.text);
	/* each file stays open until it has names */
	file_raise_limit();
	*ret = s;
	return 0;
}

static void image_free(struct symstore_image *i)
{
	make_kill(&i->make);
	fetch_kill(&i->fetch);
	if (i->out >= 0)
		close(i->out);
	if (i->fetched >= 0)
		close(i->fetched);
	supply_file_release(&i->file);
	gsym_close(i->gsym);
	free(i->path);
	free(i);
}

void symstore_free(struct symstore *store)
{
	size_t i;

	if (!store)
		return;
	for (i = 0; i < store->nr_images; i++)
		image_free(store->images[i]);
	gsym_cache_release(&store->cache);
	bsym_dir_release(&store->bsym_dir);
	free(store->images);
	free(store);
}

static bool is_same(const struct symstore_image *i, const struct symstore_key *key)
{
	if (key->build_id_len)
		return i->build_id_len == key->build_id_len &&
		       !memcmp(i->build_id, key->build_id, key->build_id_len);
	if (key->ino)
		return i->dev == key->dev && i->ino == key->ino &&
		       i->generation == key->generation;
	return !strcmp(i->path, key->path);
}

/*
 * Finds an image by its key. The build id of a few files is not known from the start;
 * then a file may have two images, which does no harm.
 */
static struct symstore_image *find_image(const struct symstore *s, const struct symstore_key *key)
{
	size_t i;

	for (i = 0; i < s->nr_images; i++)
		if (is_same(s->images[i], key))
			return s->images[i];
	return NULL;
}

static struct symstore_image *image_new(const struct symstore_key *key)
{
	struct symstore_image *i = calloc(1, sizeof(*i));

	if (!i)
		return NULL;
	i->file = (struct supply_file)SUPPLY_FILE_INIT;
	i->out = i->fetched = -1;
	i->dev = key->dev;
	i->ino = key->ino;
	i->generation = key->generation;
	i->build_id_len = key->build_id_len;
	memcpy(i->build_id, key->build_id, key->build_id_len);
	i->path = strdup(key->path);
	if (i->path)
		return i;
	free(i);
	return NULL;
}

static void find_file(struct symstore *s, struct symstore_image *i,
		      const struct symstore_key *key)
{
	const char *why = symstore_find(key, s->options.file_dirs, &i->file);

	if (why) {
		snprintf(i->reason, sizeof(i->reason), "%s", why);
		if (errno == EMFILE && !s->out_of_files) {
			s->out_of_files = true;
			store_note(s, "too many open files: some have no names (ulimit -n)");
		}
		return;
	}
	i->found = true;
	i->file.path = i->path;
	if (!i->build_id_len && i->file.elf.build_id_len <= SYMSTORE_MAX_BUILD_ID) {
		i->build_id_len = i->file.elf.build_id_len;
		memcpy(i->build_id, i->file.elf.build_id, i->build_id_len);
	}
}

struct symstore_image *symstore_image(struct symstore *store, const struct symstore_key *key)
{
	struct symstore_image *i = find_image(store, key);

	/* a file that was not found before may be found now, by another process */
	if (i && !i->found && i->state == STATE_MET)
		find_file(store, i, key);
	if (i) {
		store->nr_idle -= !i->refs++;
		return i;
	}
	if (!array_has_room(store->images, store->nr_images, store->room))
		return NULL;
	i = image_new(key);
	if (!i)
		return NULL;
	store->images[store->nr_images++] = i;
	i->refs = 1;
	find_file(store, i, key);
	return i;
}

void symstore_put(struct symstore *store, struct symstore_image *image)
{
	if (--image->refs)
		return;
	image->idle = ++store->turn;
	store->nr_idle++;
}

static int longest_idle_first(const void *x, const void *y)
{
	const struct symstore_image *a = *(struct symstore_image *const *)x;
	const struct symstore_image *b = *(struct symstore_image *const *)y;

	if (!a->refs != !b->refs)
		return a->refs ? 1 : -1;
	return (a->idle > b->idle) - (a->idle < b->idle);
}

size_t symstore_trim(struct symstore *store, size_t keep,
		     void (*gone)(struct symstore_image *image, void *arg), void *arg)
{
	size_t spare = store->nr_idle > keep ? store->nr_idle - keep : 0, i, nr = 0;

	if (!spare)
		return 0;
	qsort(store->images, store->nr_images, sizeof(struct symstore_image *), longest_idle_first);
	for (i = 0; i < store->nr_images; i++) {
		struct symstore_image *image = store->images[i];

		/* a running job has its place among @running until its end is taken */
		if (i >= spare || image_is_running(image)) {
			store->images[nr++] = image;
			continue;
		}
		gone(image, arg);
		image_free(image);
		store->nr_idle--;
	}
	i = store->nr_images - nr;
	store->nr_images = nr;
	return i;
}

bool symstore_segment(const struct symstore_image *image, uint64_t offset,
		      struct symstore_segment *ret)
{
	const struct ustack_segment *s = image->file.elf.segments;
	unsigned int n = image->found ? image->file.elf.nr_segments : 0;

	for (; n; n--, s++)
		if (s->exec && offset >= s->off && offset - s->off < s->filesz) {
			*ret = (struct symstore_segment){ s->vaddr, s->vaddr + s->memsz,
							  s->off };
			return true;
		}
	return false;
}

bool symstore_base(const struct symstore_image *image, uint64_t *ret)
{
	const struct ustack_segment *s = image->file.elf.segments;

	*ret = image->base;
	if (!image->found)
		return image->has_base;
	*ret = s->vaddr - s->off;
	return image->file.elf.nr_segments;
}

unsigned int symstore_build_id(const struct symstore_image *image,
			       uint8_t ret[SYMSTORE_MAX_BUILD_ID])
{
	memcpy(ret, image->build_id, image->build_id_len);
	return image->build_id_len;
}

const char *symstore_path(const struct symstore_image *image)
{
	return image->path;
}

int symstore_lookup(struct symstore_image *image, uint64_t vaddr, struct gsym_frame *ret,
		    unsigned int room)
{
	int n;

	if (image->state != STATE_DONE)
		return -EAGAIN;
	n = image->gsym ? gsym_lookup(image->gsym, vaddr, ret, room) : 0;
	return n < 0 ? 0 : n;
}

bool symstore_extent(struct symstore_image *image, uint64_t vaddr, uint64_t *start, uint64_t *size)
{
	return image->state == STATE_DONE && image->gsym &&
	       gsym_extent(image->gsym, vaddr, start, size) > 0;
}

enum symstore_source symstore_source(const struct symstore_image *image)
{
	return image->state == STATE_DONE && image->gsym ? image->source : SYMSTORE_NOTHING;
}

const char *symstore_reason(const struct symstore_image *image)
{
	return image->reason;
}
