// SPDX-License-Identifier: GPL-2.0-only
/*
 * Matches files of two profiles by their functions, and gives both profiles the
 * same names. See versions.h.
 */
#include "show/report/versions.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/cleanup.h"
#include "util/strings.h"
#include "util/text.h"

#include "util/poison.h"

/*
 * Limit for files that only one of the profiles has; further ones are not
 * looked at.
 */
#define MAX_FILES 256u
/* The kernel cuts a command's name to this length (TASK_COMM_LEN). */
#define COMMAND_LEN 15u

/* A file, and the names of its functions. */
struct image {
	const char *name;
	struct strings functions;
	bool matched;
};

struct images {
	struct image image[MAX_FILES];
	unsigned int nr;
};

struct pair {
	const char *before;
	const char *after;
};

static const char *image_of(const struct profile *p, uint32_t mapping)
{
	return text_base_name(profile_text(p, p->mappings[mapping].file));
}

static bool has_image(const struct profile *p, const char *name)
{
	uint32_t i;

	for (i = 1; i < p->nr_mappings; i++)
		if (!strcmp(image_of(p, i), name))
			return true;
	return false;
}

static void images_free(struct images **all)
{
	struct images *a = *all;
	unsigned int i;

	for (i = 0; a && i < a->nr; i++)
		strings_release(&a->image[i].functions);
	free(a);
}

static struct image *find(struct images *all, const char *name)
{
	unsigned int i;

	for (i = 0; i < all->nr; i++)
		if (!strcmp(all->image[i].name, name))
			return &all->image[i];
	return NULL;
}

/*
 * Lists files of @p that @other lacks, without names in brackets. Return: 0 or
 * -ENOMEM.
 */
static int list_images(const struct profile *p, const struct profile *other, struct images *ret)
{
	const char *name;
	uint32_t i;

	for (i = 1; i < p->nr_mappings && ret->nr < MAX_FILES; i++) {
		name = image_of(p, i);
		if (!*name || *name == '[' || find(ret, name) || has_image(other, name))
			continue;
		ret->image[ret->nr].name = name;
		if (strings_init(&ret->image[ret->nr++].functions))
			return -ENOMEM;
	}
	return 0;
}

/*
 * Return: outermost function of a location: it is the file's own, the others
 * are inlined.
 */
static const char *function_of(const struct profile *p, const struct profile_location *l)
{
	const struct profile_function *f;

	if (!l->nr_lines)
		return "";
	f = &p->functions[p->lines[l->first_line + l->nr_lines - 1].function];
	return profile_text(p, f->name ? f->name : f->system_name);
}

static int add_functions(const struct profile *p, struct images *all)
{
	struct image *image;
	const char *name;
	uint32_t i, n;

	for (i = 1; i < p->nr_locations; i++) {
		name = function_of(p, &p->locations[i]);
		image = *name ? find(all, image_of(p, p->locations[i].mapping)) : NULL;
		if (image && strings_add(&image->functions, name, strlen(name), &n))
			return -ENOMEM;
	}
	return 0;
}

static struct images *images_of(const struct profile *p, const struct profile *other)
{
	struct images *all = calloc(1, sizeof(*all));

	if (all && !list_images(p, other, all) && !add_functions(p, all))
		return all;
	images_free(&all);
	return NULL;
}

/*
 * Return: number of functions that both have; 0 if they are less than half.
 * String 0 is no name.
 */
static uint32_t in_common(const struct image *a, const struct image *b)
{
	const struct strings *few = &a->functions, *many = &b->functions;
	uint32_t nr = 0, i;

	if (few->nr > many->nr) {
		few = &b->functions;
		many = &a->functions;
	}
	for (i = 1; i < few->nr; i++)
		nr += strings_find(many, few->entries[i].s, few->entries[i].len) != 0;
	return 2 * nr >= few->nr - 1 ? nr : 0;
}

/*
 * Finds the pair with the most functions in common. Return: false if no pair
 * has any.
 */
static bool best_pair(struct images *before, struct images *after, struct pair *ret)
{
	struct image *best[2] = { NULL, NULL };
	uint32_t most = 0, nr;
	unsigned int i, k;

	for (i = 0; i < before->nr; i++)
		for (k = 0; k < after->nr; k++) {
			if (before->image[i].matched || after->image[k].matched)
				continue;
			nr = in_common(&before->image[i], &after->image[k]);
			if (nr <= most)
				continue;
			most = nr;
			best[0] = &before->image[i];
			best[1] = &after->image[k];
		}
	if (!most)
		return false;
	best[0]->matched = best[1]->matched = true;
	*ret = (struct pair){ best[0]->name, best[1]->name };
	return true;
}

/*
 * Return: whether a command, as the kernel cuts its name, is a program's file.
 */
static bool is_command_of(const char *command, const char *image)
{
	size_t len = strlen(image);

	len = len < COMMAND_LEN ? len : COMMAND_LEN;
	return strlen(command) == len && !memcmp(command, image, len);
}

static void rename_commands(struct profile *p, const char *from, const char *to)
{
	char name[COMMAND_LEN + 1] = "";
	uint32_t key = profile_string(p, PROFILE_LABEL_COMMAND), str, i;

	strncpy(name, to, COMMAND_LEN);
	str = profile_string(p, name);
	for (i = 0; i < p->nr_label; i++)
		if (p->label[i].key == key && p->label[i].str &&
		    (!from || is_command_of(profile_text(p, p->label[i].str), from)))
			profile_rename_label(p, i, str);
}

static void rename_images(struct profile *p, const char *from, const char *to)
{
	uint32_t file = profile_string(p, to), i;

	for (i = 1; i < p->nr_mappings; i++) {
		const char *name = image_of(p, i);

		if (from ? !strcmp(name, from) : *name && *name != '[')
			profile_rename_mapping(p, i, file);
	}
}

/*
 * Makes a key of the name and the last part of the source's path, which stay if
 * a tree is moved.
 */
static int source_key(const struct profile *p, const struct profile_function *f, char **ret)
{
	const char *name = profile_text(p, f->name ? f->name : f->system_name);

	return asprintf(ret, "%s\n%s", name, text_base_name(profile_text(p, f->file))) < 0 ? -ENOMEM : 0;
}

/*
 * Lists sources by source_key(); the last one wins if a key occurs several
 * times.
 */
static int list_sources(const struct profile *p, struct strings *keys, uint32_t **files)
{
	uint32_t i, n;

	*files = calloc((size_t)p->nr_functions + 1, sizeof(**files));
	if (!*files)
		return -ENOMEM;
	for (i = 1; i < p->nr_functions; i++) {
		_cleanup_(cleanup_free) char *key = NULL;

		if (source_key(p, &p->functions[i], &key) ||
		    strings_add(keys, key, strlen(key), &n))
			return -ENOMEM;
		(*files)[n] = p->functions[i].file;
	}
	return 0;
}

static int rename_sources(struct profile *before, const struct profile *after)
{
	_cleanup_(cleanup_free) uint32_t *files = NULL;
	struct strings keys;
	uint32_t i, n;
	int err = strings_init(&keys);

	if (!err)
		err = list_sources(after, &keys, &files);
	for (i = 1; i < before->nr_functions && !err; i++) {
		_cleanup_(cleanup_free) char *key = NULL;

		err = source_key(before, &before->functions[i], &key);
		n = err ? 0 : strings_find(&keys, key, strlen(key));
		if (n)
			profile_rename_source(before, i,
					      profile_string(before, profile_text(after, files[n])));
	}
	strings_release(&keys);
	return err;
}

static void ignore_names(struct profile *p, unsigned int ignore)
{
	if (ignore & VERSIONS_IGNORE_IMAGE)
		rename_images(p, NULL, "");
	if (ignore & VERSIONS_IGNORE_COMMAND)
		rename_commands(p, NULL, "*");
}

int versions_match(struct profile *before, struct profile *after, unsigned int ignore,
		   void (*note)(const char *before, const char *after, void *arg), void *arg)
{
	_cleanup_(images_free) struct images *a = images_of(before, after);
	_cleanup_(images_free) struct images *b = images_of(after, before);
	bool some = ignore;
	struct pair pair;
	int err = 0;

	if (!a || !b)
		return -ENOMEM;
	while (!(ignore & VERSIONS_IGNORE_IMAGE) && best_pair(a, b, &pair)) {
		some = true;
		if (note)
			note(pair.before, pair.after, arg);
		rename_commands(before, pair.before, pair.after);
		rename_images(before, pair.before, pair.after);
	}
	ignore_names(before, ignore);
	ignore_names(after, ignore);
	if (some)
		err = rename_sources(before, after);
	return err ? err : profile_error(before);
}
