// SPDX-License-Identifier: GPL-2.0-only
/*
 * Gives the locations of a profile their functions, files and lines, from the images of a
 * symbol store. Called by all commands that name profiles.
 */
#include "symbols/symstore/lines.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/convert/from_cfi.h"
#include "util/cleanup.h"
#include "util/poison.h"

const char *symstore_frame_path(const struct gsym_frame *f, char path[SYMSTORE_PATH])
{
	if (!f->dir[0])
		return f->file;
	snprintf(path, SYMSTORE_PATH, "%s/%s", f->dir, f->file);
	return path;
}

const char *symstore_frame_name(const struct symstore_image *image, const char *name,
				char *text, size_t room)
{
	const char *path = symstore_path(image), *slash = strrchr(path, '/');

	if (name[0] != GSYM_UNNAMED)
		return name;
	snprintf(text, room, "%s%s", slash ? slash + 1 : path, name);
	return text;
}

struct names *symstore_names(void)
{
	return names_new(&(struct names_style){ .demangle = true, .shorten_stl = true });
}

struct profile_line symstore_line(struct profile *p, struct names *names, const char *name,
				  uint32_t file, uint32_t line)
{
	struct profile_function f = {
		.name = profile_string(p, names_text_from(names, name, profile_text(p, file))),
		.system_name = profile_string(p, name), .file = file,
	};

	return (struct profile_line){ profile_function(p, &f), line };
}

bool symstore_lines(struct profile *p, struct names *names, uint32_t location,
		    struct symstore_image *image, uint64_t vaddr)
{
	struct gsym_frame frames[GSYM_MAX_FRAMES];
	struct profile_line lines[GSYM_MAX_FRAMES];
	char text[4096], path[SYMSTORE_PATH];
	int nr = symstore_lookup(image, vaddr, frames, GSYM_MAX_FRAMES), i;

	if (nr <= 0)
		return false;
	if (nr > (int)GSYM_MAX_FRAMES)
		nr = GSYM_MAX_FRAMES;
	for (i = 0; i < nr; i++)
		lines[i] = symstore_line(p, names,
					 symstore_frame_name(image, frames[i].function, text,
							     sizeof(text)),
					 profile_string(p, symstore_frame_path(&frames[i], path)),
					 frames[i].line);
	profile_location_lines(p, location, lines, (uint32_t)nr);
	return true;
}

static bool parse_build_id(const char *hex, struct symstore_key *key)
{
	size_t len = strlen(hex), i;
	unsigned int byte;

	if (!len || len % 2 || len / 2 > SYMSTORE_MAX_BUILD_ID)
		return false;
	for (i = 0; i < len / 2; i++) {
		if (!isxdigit((unsigned char)hex[2 * i]) ||
		    sscanf(hex + 2 * i, "%2x", &byte) != 1)
			return false;
		key->build_id[i] = (uint8_t)byte;
	}
	key->build_id_len = (uint8_t)(len / 2);
	return true;
}

bool symstore_profile_key(const struct profile *p, uint32_t mapping, struct symstore_key *ret)
{
	const struct profile_mapping *m = &p->mappings[mapping];

	*ret = (struct symstore_key){ .path = profile_text(p, m->file) };
	return mapping && parse_build_id(profile_text(p, m->build_id), ret);
}

/* Return: the image of a mapping, NULL if the mapping has no build id. */
static struct symstore_image *image_of(struct symstore *store, const struct profile *p,
				       uint32_t mapping)
{
	struct symstore_key key;

	return symstore_profile_key(p, mapping, &key) ? symstore_image(store, &key) : NULL;
}

bool symstore_profile_address(const struct profile_mapping *m, const struct symstore_image *image,
			      uint64_t address, uint64_t *ret)
{
	struct symstore_segment s;
	uint64_t offset = address - m->start + m->offset;

	/* a mapping without a range says nothing about offsets: see profile_location() */
	if (!m->start && !m->limit && !m->offset) {
		*ret = address;
		return symstore_source(image) != SYMSTORE_NOTHING;
	}
	if (!symstore_segment(image, offset, &s)) {
		*ret = address;
		return symstore_source(image) != SYMSTORE_NOTHING;
	}
	*ret = s.vaddr + (offset - s.offset);
	return true;
}

static void name_location(struct profile *p, struct names *names, uint32_t location,
			  struct symstore_image *const *images, struct symstore_named *ret)
{
	const struct profile_location *l = &p->locations[location];
	struct symstore_image *image = images[l->mapping];
	struct gsym_frame frame;
	uint64_t vaddr;

	if (l->nr_lines)
		return;
	ret->locations++;
	if (!image || !symstore_profile_address(&p->mappings[l->mapping], image, l->address, &vaddr) ||
	    !symstore_lines(p, names, location, image, vaddr))
		return;
	if (symstore_lookup(image, vaddr, &frame, 1) > 0 && frame.function[0] == GSYM_UNNAMED)
		ret->unnamed++;
	else
		ret->named++;
}

int symstore_profile(struct symstore *store, struct profile *p,
		     bool (*progress)(unsigned int done, unsigned int all, const char *path,
				      void *arg),
		     void *arg, struct symstore_named *ret)
{
	_cleanup_(cleanup_free) struct symstore_image **images = NULL;
	struct names *names;
	uint32_t i;
	int err;

	*ret = (struct symstore_named){ 0 };
	images = calloc((size_t)p->nr_mappings + 1, sizeof(*images));
	if (!images)
		return -ENOMEM;
	for (i = 1; i < p->nr_locations; i++) {
		uint32_t m = p->locations[i].mapping;

		if (p->locations[i].nr_lines || images[m])
			continue;
		images[m] = image_of(store, p, m);
		if (images[m])
			symstore_want(store, images[m]);
	}
	err = symstore_wait(store, progress, arg);
	names = symstore_names();
	for (i = 0; i < p->nr_mappings; i++) {
		ret->images += !!images[i];
		ret->missing += images[i] && symstore_source(images[i]) == SYMSTORE_NOTHING;
	}
	for (i = 1; i < p->nr_locations; i++)
		name_location(p, names, i, images, ret);
	names_free(names);
	return profile_error(p) ? profile_error(p) : err;
}
