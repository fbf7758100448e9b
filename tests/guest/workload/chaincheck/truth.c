// SPDX-License-Identifier: GPL-2.0-only
/* Reads the truth file (mktruth.py describes its lines) and looks up addresses (truth.h). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "truth.h"

struct load {
	u64 offset, vaddr, size;
};

struct call {
	u64 vaddr;
	const char *target;
};

struct image {
	const char *name;
	struct load loads[4];
	size_t nr_loads;
	struct func *funcs;
	size_t nr_funcs;
	struct call *calls;
	size_t nr_calls;
	bool own, unknown;
};

struct tail {
	const char *from, *to;
};

static const char *arch = "";
static struct image *images;
static size_t nr_images;
static struct tail *tails;
static size_t nr_tails;
static struct { u64 vaddr; const char *name; } fixed[4];
static size_t nr_fixed;

static enum func_class class_of(const char *word)
{
	return !strcmp(word, "own") ? FUNC_OWN :
	       !strcmp(word, "plt") ? FUNC_PLT :
	       !strcmp(word, "sig") ? FUNC_SIG : FUNC_LIB;
}

static void add_image(const char *name)
{
	GROW(images, nr_images);
	images[nr_images++] = (struct image){ .name = intern(name) };
}

static void add_func(struct image *image, u64 vaddr, u64 size,
		     const char *class, const char *name)
{
	GROW(image->funcs, image->nr_funcs);
	image->funcs[image->nr_funcs++] = (struct func){
		vaddr, size, class_of(class), intern(name)
	};
	if (!strcmp(class, "own"))
		image->own = true;
}

static void add_call(struct image *image, u64 vaddr, const char *target)
{
	GROW(image->calls, image->nr_calls);
	image->calls[image->nr_calls++] = (struct call){ vaddr, intern(target) };
}

static void add_tail(const char *from, const char *to)
{
	GROW(tails, nr_tails);
	tails[nr_tails++] = (struct tail){ intern(from), intern(to) };
}

static bool read_line(const char *line)
{
	struct image *image = nr_images ? &images[nr_images - 1] : NULL;
	static char word[8], one[512], two[512];
	u64 a, b, c;

	if (line[0] == '#' || line[0] == '\n')
		return true;
	if (sscanf(line, "arch %511s", one) == 1) {
		arch = intern(one);
	} else if (sscanf(line, "image %511s", one) == 1) {
		add_image(one);
	} else if (sscanf(line, "tail %511s %511s", one, two) == 2) {
		add_tail(one, two);
	} else if (sscanf(line, "fixed %" SCNx64 " %511s", &a, one) == 2 &&
		   nr_fixed < 4) {
		fixed[nr_fixed].vaddr = a;
		fixed[nr_fixed++].name = intern(one);
	} else if (!image) {
		return false;
	} else if (sscanf(line, "func %" SCNx64 " %" SCNx64 " %7s %511s", &a, &b,
			  word, one) == 4) {
		add_func(image, a, b, word, one);
	} else if (sscanf(line, "call %" SCNx64 " %511s", &a, one) == 2) {
		add_call(image, a, one);
	} else if (sscanf(line, "load %" SCNx64 " %" SCNx64 " %" SCNx64, &a, &b,
			  &c) == 3 && image->nr_loads < 4) {
		image->loads[image->nr_loads++] = (struct load){ a, b, c };
	} else {
		return false;
	}
	return true;
}

static int func_order(const void *a, const void *b)
{
	const struct func *f = a, *g = b;

	return (f->vaddr > g->vaddr) - (f->vaddr < g->vaddr);
}

static int call_order(const void *a, const void *b)
{
	const struct call *f = a, *g = b;

	return (f->vaddr > g->vaddr) - (f->vaddr < g->vaddr);
}

void truth_load(const char *path)
{
	FILE *f = fopen(path, "r");
	static char line[2048];
	unsigned long number = 0;
	size_t i;

	if (!f)
		die("cannot open %s", path);
	while (fgets(line, sizeof(line), f)) {
		number++;
		if (!read_line(line))
			die("%s:%lu: not a line of a truth file", path, number);
	}
	fclose(f);
	for (i = 0; i < nr_images; i++) {
		qsort(images[i].funcs, images[i].nr_funcs,
		      sizeof(struct func), func_order);
		qsort(images[i].calls, images[i].nr_calls,
		      sizeof(struct call), call_order);
	}
	if (!nr_images)
		die("%s: holds no image", path);
}

const char *truth_arch(void)
{
	return arch;
}

const struct image *truth_image(const char *name)
{
	size_t i = nr_images;

	while (i--)
		if (!strcmp(images[i].name, name))
			return images[i].unknown ? NULL : &images[i];
	return NULL;
}

void truth_forget(const char *name)
{
	size_t i;

	for (i = 0; i < nr_images; i++)
		if (!strcmp(images[i].name, name))
			images[i].unknown = true;
}

bool image_own(const struct image *image)
{
	return image && image->own;
}

bool truth_own(const char *name)
{
	size_t i, j;

	for (i = 0; i < nr_images; i++)
		for (j = 0; images[i].own && j < images[i].nr_funcs; j++)
			if (images[i].funcs[j].class == FUNC_OWN &&
			    !strcmp(images[i].funcs[j].name, name))
				return true;
	return false;
}

bool image_vaddr(const struct image *image, u64 offset, u64 *ret)
{
	size_t i;

	for (i = 0; i < image->nr_loads; i++) {
		const struct load *load = &image->loads[i];

		/* a segment's page may begin before it */
		if (offset - (load->offset & ~0xfffULL) <
		    load->size + (load->offset & 0xfff)) {
			*ret = offset - load->offset + load->vaddr;
			return true;
		}
	}
	return false;
}

const struct image *truth_fixed(u64 ip, u64 *vaddr)
{
	size_t i;

	for (i = 0; i < nr_fixed; i++) {
		const struct image *image = truth_image(fixed[i].name);
		u64 page;

		if (!image || !image->nr_loads || ip < fixed[i].vaddr)
			continue;
		page = image->loads[0].offset & ~0xfffULL;
		if (image_vaddr(image, ip - fixed[i].vaddr + page, vaddr))
			return image;
	}
	return NULL;
}

const struct func *image_func(const struct image *image, u64 vaddr)
{
	size_t low = 0, high = image->nr_funcs;

	while (low < high) {
		size_t mid = (low + high) / 2;

		if (image->funcs[mid].vaddr <= vaddr)
			low = mid + 1;
		else
			high = mid;
	}
	if (!low || vaddr - image->funcs[low - 1].vaddr >=
		    image->funcs[low - 1].size)
		return NULL;
	return &image->funcs[low - 1];
}

const char *image_call(const struct image *image, u64 vaddr)
{
	struct call key = { .vaddr = vaddr }, *call;

	call = bsearch(&key, image->calls, image->nr_calls, sizeof(key),
		       call_order);
	return call ? call->target : NULL;
}

/* jumps form chains of a few steps; the depth limit ends cycles */
static bool reaches(const char *target, const char *name, int depth)
{
	size_t i;

	if (target == name || !strcmp(target, "*"))
		return true;
	if (!depth)
		return false;
	for (i = 0; i < nr_tails; i++)
		if (tails[i].from == target &&
		    reaches(tails[i].to, name, depth - 1))
			return true;
	return false;
}

bool truth_reaches(const char *target, const char *name)
{
	return reaches(target, name, 6);
}
