// SPDX-License-Identifier: GPL-2.0-only
/*
 * annotate_new() of annotate.h: finds the functions and addresses that samples
 * were taken in, and says why there are none.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "show/annotate/private.h"
#include "profile/calltree.h"
#include "show/report/select.h"
#include "symbols/symstore/lines.h"
#include "util/array.h"
#include "util/cleanup.h"
#include "util/suggest.h"
#include "util/sum.h"
#include "util/text.h"

#include "util/poison.h"

/**
 * struct place - a location with samples
 * @image: file of its mapping, NULL if there is none
 * @mapping: number of its mapping
 * @start: start of its function, if @known; else 0
 * @size: size of its function, if known; else 0
 * @known: @start is known
 * @name: name of the function that is not inlined, as in the profile
 * @address: link-time address
 * @inlined: the function that is asked for was inlined there
 * @why: why it has no code, NULL if no reason is known
 * @sum: samples at the location
 */
struct place {
	struct symstore_image *image;
	uint32_t mapping;
	uint64_t start;
	uint64_t size;
	bool known;
	const char *name;
	uint64_t address;
	bool inlined;
	const char *why;
	struct annotate_sum sum;
};

const char *annotate_text(struct annotate_own *own, const char *text, size_t len)
{
	uint32_t n;

	return strings_add(&own->strings, text, len, &n) ? NULL : own->strings.entries[n].s;
}

const char *annotate_name(struct annotate_own *own, const struct symstore_image *image,
			  const char *name, const char *source)
{
	static _Thread_local char text[4096];

	return names_text_from(own->style, symstore_frame_name(image, name, text, sizeof(text)), source);
}

bool annotate_is_asked(const struct annotate_options *o, const char *name)
{
	size_t len;

	if (!o->function || !strcmp(name, o->function))
		return true;
	len = strlen(o->function);
	return !strncmp(name, o->function, len) && name[len] == '(';
}

static const char *line_name(const struct profile *p, const struct profile_line *line)
{
	const struct profile_function *f = &p->functions[line->function];

	return profile_text(p, f->name ? f->name : f->system_name);
}

static bool line_is_asked(const struct annotate_own *own, const struct profile_line *line)
{
	const struct profile_function *f = &own->p->functions[line->function];

	return annotate_is_asked(own->options, line_name(own->p, line)) ||
	       annotate_is_asked(own->options, profile_text(own->p, f->system_name));
}

static bool image_is_asked(const struct annotate_own *own, uint32_t mapping)
{
	const char *path = profile_text(own->p, own->p->mappings[mapping].file);

	return !own->options->image || report_listed(own->options->image, text_base_name(path)) ||
	       !strcmp(own->options->image, path);
}

/*
 * Return: whether a location is selected. @inlined: only because of a function
 * inlined there.
 */
static bool is_asked(const struct annotate_own *own, const struct profile_location *l,
		     bool *inlined)
{
	const struct profile_line *lines = &own->p->lines[l->first_line];
	uint32_t i;

	*inlined = false;
	if (!own->options->function)
		return true;
	for (i = l->nr_lines; i; i--)
		if (line_is_asked(own, &lines[i - 1])) {
			*inlined = i != l->nr_lines;
			return true;
		}
	return false;
}

/* Return: why there is no code at a location; NULL if no reason is known. */
static const char *why_not(const struct profile *p, const struct profile_location *l)
{
	const struct profile_mapping *m = &p->mappings[l->mapping];
	const char *file = profile_text(p, m->file);

	if (profile_file_is_language(file))
		return "it is a function of an interpreter, which has no instructions of its own";
	if (calltree_kind_of(file, l->address) == CALLTREE_KERNEL)
		return "it belongs to the kernel, whose code is in no file that can be read here";
	if (!strncmp(file, "[jit:", 5))
		return "the process made this code itself: it is in no file";
	if (!l->address)
		return "its samples have no addresses";
	if (!l->mapping || (file[0] != '/' && strcmp(file, "[vdso]")))
		return "nothing says which file it is in";
	if (!m->start && !m->limit && !m->offset && !m->build_id)
		return "its addresses belong to a process, and nothing says where the file was mapped: "
		       "annotate the perf.data that perf script read";
	return NULL;
}

static void sum_samples(struct annotate *a, struct annotate_sum *at_location)
{
	const struct annotate_options *o = a->own->options;
	const struct profile *p = a->own->p;
	struct annotate_sum *sum;
	int64_t value, samples;
	uint32_t i;

	for (i = 0; i < p->nr_samples; i++) {
		const struct profile_sample *s = &p->samples[i];

		value = s->value[o->value];
		samples = o->counts ? s->value[o->count] : 0;
		if ((!value && !samples) || (o->keep && !o->keep(p, s, o->arg)))
			continue;
		sum = &at_location[s->stack ? p->stacks[s->stack].location : 0];
		sum->value = sum_i64(sum->value, value);
		sum->samples = sum_i64(sum->samples, samples);
		a->all.value = sum_i64(a->all.value, value);
		a->all.samples = sum_i64(a->all.samples, samples);
	}
}

/*
 * Searches the files of mappings that have samples and no reason against them,
 * and their names.
 */
static int find_images(struct annotate_own *own, const struct place *places, size_t nr)
{
	struct symstore_key key;
	size_t i;

	own->images = calloc((size_t)own->p->nr_mappings + 1, sizeof(*own->images));
	if (!own->images)
		return -ENOMEM;
	for (i = 0; i < nr; i++) {
		uint32_t m = places[i].mapping;

		if (places[i].why || own->images[m])
			continue;
		symstore_profile_key(own->p, m, &key);
		own->images[m] = symstore_image(own->options->store, &key);
		if (!own->images[m])
			return -ENOMEM;
		symstore_want(own->options->store, own->images[m]);
	}
	return symstore_wait(own->options->store, own->options->progress, own->options->progress_arg);
}

static void find_extent(struct annotate_own *own, struct place *at)
{
	const struct profile_mapping *m = &own->p->mappings[at->mapping];

	at->image = at->why ? NULL : own->images[at->mapping];
	if (!at->image)
		return;
	if (!symstore_profile_address(m, at->image, at->address, &at->address))
		return;
	at->known = symstore_extent(at->image, at->address, &at->start, &at->size);
}

static int collect(struct annotate_own *own, const struct annotate_sum *sums, struct place **ret,
		   size_t *nr)
{
	const struct profile *p = own->p;
	size_t room = 0;
	bool inlined;
	uint32_t i;

	for (i = 1; i < p->nr_locations; i++) {
		const struct profile_location *l = &p->locations[i];

		if ((!sums[i].value && !sums[i].samples) || !image_is_asked(own, l->mapping) ||
		    !is_asked(own, l, &inlined))
			continue;
		if (!array_has_room(*ret, *nr, room))
			return -ENOMEM;
		(*ret)[(*nr)++] = (struct place){
			.mapping = l->mapping, .address = l->address, .inlined = inlined,
			.sum = sums[i], .why = why_not(p, l),
			.name = l->nr_lines ?
				line_name(p, &p->lines[l->first_line + l->nr_lines - 1]) : "",
		};
	}
	return 0;
}

/* Compares by function, then by address. */
static int by_function(const void *x, const void *y)
{
	const struct place *a = x, *b = y;

	if (a->known != b->known)
		return a->known ? -1 : 1;
	if (a->image != b->image)
		return (uintptr_t)a->image < (uintptr_t)b->image ? -1 : 1;
	if (a->known && a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (!a->known && a->mapping != b->mapping)
		return a->mapping < b->mapping ? -1 : 1;
	if (!a->known && strcmp(a->name, b->name))
		return strcmp(a->name, b->name);
	return a->address < b->address ? -1 : a->address > b->address;
}

static bool same_function(const struct place *a, const struct place *b)
{
	if (a->known != b->known || a->image != b->image)
		return false;
	if (a->known)
		return a->start == b->start;
	return a->mapping == b->mapping && !strcmp(a->name, b->name);
}

static struct annotate_function *new_function(struct annotate *a, const struct place *at)
{
	const struct profile *p = a->own->p;
	const struct profile_mapping *m = &p->mappings[at->mapping];
	struct annotate_function *f;

	if (!array_has_room(a->functions, a->nr_functions, a->own->room))
		return NULL;
	f = &a->functions[a->nr_functions++];
	*f = (struct annotate_function){
		.path = profile_text(p, m->file), .build_id = profile_text(p, m->build_id),
		.inlined = true, .start = at->known ? at->start : at->address, .size = at->size,
		.why = at->why, .mapping = at->mapping, .image = at->image,
		.unproven = !*profile_text(p, m->build_id),
	};
	if (!at->why && !at->known)
		f->why = "";
	f->name = at->name;
	return f;
}

static bool add_place(struct annotate_function *f, const struct place *at)
{
	struct annotate_address *last = f->nr_addresses ? &f->addresses[f->nr_addresses - 1] : NULL;

	f->inlined &= at->inlined;
	f->sum.value = sum_i64(f->sum.value, at->sum.value);
	f->sum.samples = sum_i64(f->sum.samples, at->sum.samples);
	if (last && last->address == at->address) {
		last->sum.value = sum_i64(last->sum.value, at->sum.value);
		last->sum.samples = sum_i64(last->sum.samples, at->sum.samples);
		return true;
	}
	if (!array_has_room(f->addresses, f->nr_addresses, f->addresses_room))
		return false;
	f->addresses[f->nr_addresses++] = (struct annotate_address){ at->address, at->sum };
	return true;
}

static int hottest_first(const void *x, const void *y)
{
	const struct annotate_function *a = x, *b = y;

	if (a->sum.value != b->sum.value)
		return a->sum.value > b->sum.value ? -1 : 1;
	if (strcmp(a->name, b->name))
		return strcmp(a->name, b->name);
	return a->start < b->start ? -1 : a->start > b->start;
}

static int group(struct annotate *a, struct place *places, size_t nr)
{
	struct annotate_function *f = NULL;
	size_t i;

	for (i = 0; i < nr; i++)
		find_extent(a->own, &places[i]);
	if (nr)
		qsort(places, nr, sizeof(*places), by_function);
	for (i = 0; i < nr; i++) {
		if (!i || !same_function(&places[i - 1], &places[i]))
			f = new_function(a, &places[i]);
		if (!f || !add_place(f, &places[i]))
			return -ENOMEM;
	}
	if (a->nr_functions)
		qsort(a->functions, a->nr_functions, sizeof(*a->functions), hottest_first);
	return 0;
}

static int find_places(struct annotate *a, struct place **places, size_t *nr)
{
	_cleanup_(cleanup_free) struct annotate_sum *sums = NULL;
	int err;

	sums = calloc(a->own->p->nr_locations + 1, sizeof(*sums));
	if (!sums)
		return -ENOMEM;
	sum_samples(a, sums);
	err = collect(a->own, sums, places, nr);
	return err ? err : find_images(a->own, *places, *nr);
}

static bool has_names(const struct profile *p)
{
	uint32_t i;

	for (i = 1; i < p->nr_locations; i++)
		if (p->locations[i].nr_lines)
			return true;
	return false;
}

/*
 * Reports why no sample matches: the function is unknown, or its callees did
 * the work.
 */
static int say_nothing(const struct annotate_own *own, const char *file, struct diag *diag)
{
	const struct annotate_options *o = own->options;
	const struct profile *p = own->p;
	struct suggestion near;
	uint32_t i, k;

	if (!o->function)
		return diag_set(diag, ENODATA, file, o->image ? "no sample was taken in %s" :
				"there are no samples in it", o->image);
	if (!has_names(p))
		return diag_set(diag, ENODATA, file, "has no names of functions, and %u of its %u files "
				"were not found: --file-dir DIR says where they are", own->named.missing,
				own->named.images);
	suggestion_init(&near, o->function, strlen(o->function));
	for (i = 1; i < p->nr_locations; i++) {
		const struct profile_location *l = &p->locations[i];

		for (k = 0; k < l->nr_lines; k++) {
			suggestion_try(&near, line_name(p, &p->lines[l->first_line + k]));
			if (line_is_asked(own, &p->lines[l->first_line + k]))
				return diag_set(diag, ENODATA, file, "none of the selected samples was taken "
						"in the code of '%s' itself%s%s", o->function,
						o->image ? " in " : "", o->image ? o->image : "");
		}
	}
	return diag_set(diag, ENODATA, file, "there is no function '%s'%s%s%s", o->function,
			near.best ? "; did you mean '" : "", near.best ? near.best : "",
			near.best ? "'?" : "");
}

/*
 * Gives names to a profile that was recorded without. Return: 0 or a negative
 * errno.
 */
static int name_profile(struct annotate_own *own)
{
	if (has_names(own->p))
		return 0;
	return symstore_profile(own->options->store, own->p, own->options->progress,
				own->options->progress_arg, &own->named);
}

static int begin(struct annotate_own *own)
{
	int err = strings_init(&own->strings);

	if (err)
		return err;
	own->style = symstore_names();
	return own->style ? name_profile(own) : -ENOMEM;
}

static int find(struct annotate *a, struct diag *diag)
{
	_cleanup_(cleanup_free) struct place *places = NULL;
	size_t nr = 0;
	int err = find_places(a, &places, &nr);

	if (!err && !nr)
		return say_nothing(a->own, a->own->options->file, diag);
	return err ? err : group(a, places, nr);
}

int annotate_new(struct profile *p, const struct annotate_options *options, struct annotate **ret,
		 struct diag *diag)
{
	struct annotate *a = calloc(1, sizeof(*a));
	int err = -ENOMEM;

	if (diag)
		diag->text[0] = '\0';
	if (a)
		a->own = calloc(1, sizeof(*a->own));
	if (a && a->own) {
		a->own->p = p;
		a->own->options = options;
		err = begin(a->own);
	}
	if (!err)
		err = find(a, diag);
	if (!err) {
		*ret = a;
		return 0;
	}
	annotate_free(a);
	return diag && !diag->text[0] ? diag_errno(diag, -err, options->file) : err;
}

void annotate_free(struct annotate *a)
{
	size_t i;

	if (!a)
		return;
	for (i = 0; i < a->nr_functions; i++) {
		free(a->functions[i].addresses);
		free(a->functions[i].insns);
		free(a->functions[i].frames);
	}
	if (a->own) {
		names_free(a->own->style);
		strings_release(&a->own->strings);
		free(a->own->images);
	}
	free(a->own);
	free(a->functions);
	free(a);
}
