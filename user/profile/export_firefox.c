// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes the Firefox Profiler's processed profile, version 60: tables of
 * functions, frames and stacks, in columns, which all threads share; and for
 * each thread its samples. Later versions of the program upgrade the file when
 * they read it. See export.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "profile/export_frames.h"
#include "profile/export_text.h"
#include "profile/export_times.h"
#include "util/array.h"
#include "util/json.h"
#include "util/strings.h"
#include "util/text.h"

#include "util/poison.h"

#define VERSION 60
/*
 * Version of Gecko's own format. Readers want it, but nothing here is in that
 * format.
 */
#define GECKO_VERSION 27
#define NS_PER_MS 1e6
#define RESOURCE_LIBRARY 1

enum category { CATEGORY_USER, CATEGORY_KERNEL, CATEGORY_OTHER };

/**
 * struct function - the function of a frame
 * @name: number of a string
 * @mapping: number of the profile's mapping
 * @file: number of a string, the path of the source; 0 is none
 * @line: line where it begins, 0 if not known
 */
struct function {
	uint32_t name;
	uint32_t mapping;
	uint32_t file;
	uint32_t line;
};

/**
 * struct firefox - the state of the writer
 * @p: the profile
 * @o: options
 * @rows: frames of its stacks
 * @all: samples of the profile, by thread and time
 * @strings: all texts of the file
 * @functions: all different functions
 * @index: index in @functions, plus 1
 * @of_row: index of the function of each row
 * @start: time of the first sample, or of the profile's begin, in nanoseconds
 * @j: the output
 */
struct firefox {
	const struct profile *p;
	const struct export_options *o;
	struct export_rows rows;
	struct export_timeline all;
	struct strings strings;
	struct function *functions;
	size_t nr_functions;
	size_t functions_room;
	struct intern index;
	uint32_t *of_row;
	uint64_t start;
	struct json j;
};

static int text(struct firefox *f, const char *s, uint32_t *ret)
{
	return strings_add(&f->strings, s, strlen(s), ret);
}

static int find_function(struct firefox *f, const struct function *want, uint32_t *ret)
{
	const uint64_t key[3] = { want->name, (uint64_t)want->mapping << 32 | want->file, want->line };
	uint64_t hash = intern_words(&f->index, key, 3);
	struct intern_probe at;
	uint32_t n;

	for (at = intern_probe(&f->index, hash); (n = intern_next(&f->index, &at));) {
		*ret = n - 1;
		if (!memcmp(&f->functions[*ret], want, sizeof(*want)))
			return 0;
	}
	if (!array_has_room(f->functions, f->nr_functions, f->functions_room) || !intern_room(&f->index))
		return -ENOMEM;
	*ret = (uint32_t)f->nr_functions;
	f->functions[f->nr_functions++] = *want;
	intern_put(&f->index, hash, (uint32_t)f->nr_functions);
	return 0;
}

static int name_row(struct firefox *f, uint32_t row)
{
	const struct profile *p = f->p;
	const struct export_row *r = &f->rows.at[row];
	const struct profile_location *l = &p->locations[r->location];
	const struct profile_function *function = NULL;
	struct function want = { .mapping = l->mapping };
	char name[EXPORT_NAME];
	int err = text(f, export_row_name(p, r, name), &want.name);

	if (l->nr_lines)
		function = &p->functions[p->lines[l->first_line + r->line].function];
	if (!err && function)
		err = text(f, profile_text(p, function->file), &want.file);
	want.line = function ? function->start_line : 0;
	return err ? err : find_function(f, &want, &f->of_row[row]);
}

/* Finds all texts, which get their numbers before anything is written. */
static int prepare(struct firefox *f)
{
	uint32_t i, n;
	int err = 0;

	f->of_row = malloc(((size_t)f->rows.nr + 1) * sizeof(*f->of_row));
	if (!f->of_row)
		return -ENOMEM;
	for (i = 0; i < f->rows.nr && !err; i++)
		err = name_row(f, i);
	for (i = 0; i < f->p->nr_mappings && !err; i++)
		err = text(f, profile_text(f->p, f->p->mappings[i].file), &n);
	f->start = UINT64_MAX;
	for (i = 0; i < f->all.nr; i++)
		if (f->all.at[i].ns < f->start)
			f->start = f->all.at[i].ns;
	/* if samples and the profile's begin are times of the same clock */
	if (f->p->time_ns && f->start >= f->p->time_ns)
		f->start = f->p->time_ns;
	return err;
}

/* Writes a column of @nr rows; @put writes each row. */
static void column(struct firefox *f, const char *name, uint32_t nr,
		   void (*put)(struct firefox *f, uint32_t row))
{
	uint32_t i;

	json_array(&f->j, name);
	for (i = 0; i < nr && !ferror(f->j.out); i++)
		put(f, i);
	json_array_end(&f->j);
}

static void put_null(struct firefox *f, uint32_t row)
{
	json_null(&f->j, NULL);
}

static void put_zero(struct firefox *f, uint32_t row)
{
	json_u64(&f->j, NULL, 0);
}

static void put_false(struct firefox *f, uint32_t row)
{
	json_bool(&f->j, NULL, false);
}

static void put_self(struct firefox *f, uint32_t row)
{
	json_u64(&f->j, NULL, row);
}

static void put_or_null(struct firefox *f, bool is, uint64_t value)
{
	if (is)
		json_u64(&f->j, NULL, value);
	else
		json_null(&f->j, NULL);
}

static void put_prefix(struct firefox *f, uint32_t row)
{
	put_or_null(f, f->rows.at[row].parent != EXPORT_NO_ROW, f->rows.at[row].parent);
}

static void put_stacks(struct firefox *f)
{
	json_object(&f->j, "stackTable");
	column(f, "frame", f->rows.nr, put_self);
	column(f, "prefix", f->rows.nr, put_prefix);
	json_u64(&f->j, "length", f->rows.nr);
	json_object_end(&f->j);
}

static const struct profile_location *location_of(const struct firefox *f, uint32_t row)
{
	return &f->p->locations[f->rows.at[row].location];
}

static void put_address(struct firefox *f, uint32_t row)
{
	const struct profile_location *l = location_of(f, row);

	/* kernel addresses do not fit into the numbers of JavaScript */
	if (l->address && l->address < 1ull << 53)
		json_u64(&f->j, NULL, l->address);
	else
		json_i64(&f->j, NULL, -1);
}

static void put_depth(struct firefox *f, uint32_t row)
{
	const struct profile_location *l = location_of(f, row);

	json_u64(&f->j, NULL, l->nr_lines ? l->nr_lines - 1 - f->rows.at[row].line : 0);
}

static void put_category(struct firefox *f, uint32_t row)
{
	json_u64(&f->j, NULL,
		 export_row_is_kernel(f->p, &f->rows.at[row]) ? CATEGORY_KERNEL : CATEGORY_USER);
}

static void put_row_function(struct firefox *f, uint32_t row)
{
	json_u64(&f->j, NULL, f->of_row[row]);
}

static void put_line(struct firefox *f, uint32_t row)
{
	const struct profile_location *l = location_of(f, row);
	uint32_t line = l->nr_lines ? f->p->lines[l->first_line + f->rows.at[row].line].line : 0;

	put_or_null(f, line, line);
}

static void put_frames(struct firefox *f)
{
	json_object(&f->j, "frameTable");
	column(f, "address", f->rows.nr, put_address);
	column(f, "inlineDepth", f->rows.nr, put_depth);
	column(f, "category", f->rows.nr, put_category);
	column(f, "subcategory", f->rows.nr, put_zero);
	column(f, "func", f->rows.nr, put_row_function);
	column(f, "nativeSymbol", f->rows.nr, put_null);
	column(f, "innerWindowID", f->rows.nr, put_null);
	column(f, "line", f->rows.nr, put_line);
	column(f, "column", f->rows.nr, put_null);
	json_u64(&f->j, "length", f->rows.nr);
	json_object_end(&f->j);
}

static void put_function_name(struct firefox *f, uint32_t i)
{
	json_u64(&f->j, NULL, f->functions[i].name);
}

/* Mappings are the resources, except mapping 0, which means none. */
static void put_resource(struct firefox *f, uint32_t i)
{
	json_i64(&f->j, NULL, (int64_t)f->functions[i].mapping - 1);
}

/* Each text may be the path of a source. String 0 is "". */
static void put_source(struct firefox *f, uint32_t i)
{
	put_or_null(f, f->functions[i].file, f->functions[i].file);
}

static void put_start_line(struct firefox *f, uint32_t i)
{
	put_or_null(f, f->functions[i].line, f->functions[i].line);
}

static void put_functions(struct firefox *f)
{
	uint32_t nr = (uint32_t)f->nr_functions;

	json_object(&f->j, "funcTable");
	column(f, "name", nr, put_function_name);
	column(f, "isJS", nr, put_false);
	column(f, "relevantForJS", nr, put_false);
	column(f, "resource", nr, put_resource);
	column(f, "source", nr, put_source);
	column(f, "lineNumber", nr, put_start_line);
	column(f, "columnNumber", nr, put_null);
	json_u64(&f->j, "length", nr);
	json_object_end(&f->j);
}

static const char *mapping_file(const struct firefox *f, uint32_t mapping)
{
	return profile_text(f->p, f->p->mappings[mapping].file);
}

static void put_mapping_name(struct firefox *f, uint32_t i)
{
	const char *file = mapping_file(f, i + 1);

	json_u64(&f->j, NULL, strings_find(&f->strings, file, strlen(file)));
}

static void put_library_type(struct firefox *f, uint32_t i)
{
	json_u64(&f->j, NULL, RESOURCE_LIBRARY);
}

static void put_resources(struct firefox *f)
{
	uint32_t nr = f->p->nr_mappings - 1;

	json_object(&f->j, "resourceTable");
	column(f, "lib", nr, put_self);
	column(f, "name", nr, put_mapping_name);
	column(f, "host", nr, put_null);
	column(f, "type", nr, put_library_type);
	json_u64(&f->j, "length", nr);
	json_object_end(&f->j);
}

static void put_no_symbols(struct firefox *f)
{
	static const char *const columns[] = { "libIndex", "address", "name", "functionSize" };
	size_t i;

	json_object(&f->j, "nativeSymbols");
	for (i = 0; i < sizeof(columns) / sizeof(columns[0]); i++)
		column(f, columns[i], 0, put_null);
	json_u64(&f->j, "length", 0);
	json_object_end(&f->j);
}

static void put_string(struct firefox *f, uint32_t i)
{
	json_string(&f->j, NULL, f->strings.entries[i].s);
}

/* Writes a source for each text, so that both have the same number. */
static void put_sources(struct firefox *f)
{
	json_object(&f->j, "sources");
	column(f, "uuid", f->strings.nr, put_null);
	column(f, "filename", f->strings.nr, put_self);
	json_u64(&f->j, "length", f->strings.nr);
	json_object_end(&f->j);
}

static void put_shared(struct firefox *f)
{
	json_object(&f->j, "shared");
	put_stacks(f);
	put_frames(f);
	put_functions(f);
	put_resources(f);
	put_no_symbols(f);
	put_sources(f);
	column(f, "stringArray", f->strings.nr, put_string);
	json_object_end(&f->j);
}

static void put_libraries(struct firefox *f)
{
	uint32_t i;

	json_array(&f->j, "libs");
	for (i = 1; i < f->p->nr_mappings; i++) {
		const char *path = mapping_file(f, i);
		const char *id = profile_text(f->p, f->p->mappings[i].build_id);

		json_object(&f->j, NULL);
		json_string(&f->j, "arch", "");
		json_string(&f->j, "name", text_base_name(path));
		json_string(&f->j, "path", path);
		json_string(&f->j, "debugName", text_base_name(path));
		json_string(&f->j, "debugPath", path);
		json_string(&f->j, "breakpadId", "");
		if (*id)
			json_string(&f->j, "codeId", id);
		else
			json_null(&f->j, "codeId");
		json_object_end(&f->j);
	}
	json_array_end(&f->j);
}

static void put_one_category(struct firefox *f, const char *name, const char *colour)
{
	json_object(&f->j, NULL);
	json_string(&f->j, "name", name);
	json_string(&f->j, "color", colour);
	json_array(&f->j, "subcategories");
	json_string(&f->j, NULL, "Other");
	json_array_end(&f->j);
	json_object_end(&f->j);
}

static void put_meta(struct firefox *f)
{
	const struct profile *p = f->p;
	double interval = p->period > 0 && !strcmp(profile_text(p, p->period_type.unit), "nanoseconds") ?
			  (double)p->period / NS_PER_MS : 1;

	json_object(&f->j, "meta");
	json_double(&f->j, "interval", interval);
	json_millionths(&f->j, "startTime", (int64_t)p->time_ns);
	json_u64(&f->j, "processType", 0);
	json_string(&f->j, "product", "ustack");
	json_string(&f->j, "importedFrom", "ustack");
	json_u64(&f->j, "stackwalk", 1);
	json_u64(&f->j, "version", GECKO_VERSION);
	json_u64(&f->j, "preprocessedProfileVersion", VERSION);
	json_bool(&f->j, "symbolicated", true);
	json_bool(&f->j, "sourceCodeIsNotOnSearchfox", true);
	json_array(&f->j, "categories");
	put_one_category(f, "User", "yellow");
	put_one_category(f, "Kernel", "orange");
	put_one_category(f, "Other", "grey");
	json_array_end(&f->j);
	json_array(&f->j, "markerSchema");
	json_array_end(&f->j);
	json_object_end(&f->j);
}

static bool is_time(const struct firefox *f)
{
	return !strcmp(profile_text(f->p, f->p->value_types[f->o->value].unit), "nanoseconds");
}

static void put_samples(struct firefox *f, const struct export_time *from, const struct export_time *to)
{
	const struct export_time *t;
	uint32_t row;

	json_object(&f->j, "samples");
	json_array(&f->j, "stack");
	for (t = from; t < to; t++) {
		row = f->rows.of_stack[f->p->samples[t->sample].stack];
		put_or_null(f, row != EXPORT_NO_ROW, row);
	}
	json_array_end(&f->j);
	json_array(&f->j, "time");
	for (t = from; t < to; t++)
		json_millionths(&f->j, NULL, (int64_t)(t->ns - f->start));
	json_array_end(&f->j);
	json_array(&f->j, "weight");
	for (t = from; t < to; t++) {
		if (is_time(f))
			json_millionths(&f->j, NULL, t->value);
		else
			json_i64(&f->j, NULL, t->value);
	}
	json_array_end(&f->j);
	json_string(&f->j, "weightType", is_time(f) ? "tracing-ms" : "samples");
	json_u64(&f->j, "length", (uint64_t)(to - from));
	json_object_end(&f->j);
}

static void put_no_markers(struct firefox *f)
{
	static const char *const columns[] = { "data", "name", "startTime", "endTime", "phase", "category" };
	size_t i;

	json_object(&f->j, "markers");
	for (i = 0; i < sizeof(columns) / sizeof(columns[0]); i++)
		column(f, columns[i], 0, put_null);
	json_u64(&f->j, "length", 0);
	json_object_end(&f->j);
}

static void put_thread(struct firefox *f, const struct export_time *from, const struct export_time *to)
{
	const struct export_thread *t = &f->all.threads.at[from->thread];
	char pid[24];

	snprintf(pid, sizeof(pid), "%lld", (long long)t->pid);
	json_object(&f->j, NULL);
	json_string(&f->j, "processType", "default");
	json_u64(&f->j, "processStartupTime", 0);
	json_null(&f->j, "processShutdownTime");
	json_u64(&f->j, "registerTime", 0);
	json_null(&f->j, "unregisterTime");
	json_array(&f->j, "pausedRanges");
	json_array_end(&f->j);
	json_string(&f->j, "name", export_thread_name(f->p, t));
	json_string(&f->j, "processName", export_process_name(f->p, t));
	json_bool(&f->j, "isMainThread", t->pid == t->tid);
	json_bool(&f->j, "showMarkersInTimeline", false);
	json_string(&f->j, "pid", pid);
	json_i64(&f->j, "tid", t->tid);
	put_samples(f, from, to);
	put_no_markers(f);
	json_object_end(&f->j);
}

static void put_threads(struct firefox *f)
{
	const struct export_time *at = f->all.at, *end = at + f->all.nr, *to;

	json_array(&f->j, "threads");
	for (; at < end && !ferror(f->j.out); at = to) {
		for (to = at; to < end && to->thread == at->thread; to++)
			;
		put_thread(f, at, to);
	}
	json_array_end(&f->j);
}

static void put_all(struct firefox *f, FILE *out)
{
	json_init(&f->j, out);
	json_object(&f->j, NULL);
	put_meta(f);
	put_libraries(f);
	json_array(&f->j, "pages");
	json_array_end(&f->j);
	put_shared(f);
	put_threads(f);
	json_object_end(&f->j);
	json_end(&f->j);
}

int export_firefox(const struct profile *p, const struct calltree *tree,
		   const struct export_options *o, FILE *out)
{
	struct firefox f = { .p = p, .o = o };
	int err = strings_init(&f.strings);

	intern_init(&f.index);
	if (!err)
		err = export_rows(p, &f.rows);
	if (!err)
		err = export_timeline(p, o, &f.all);
	if (!err)
		err = prepare(&f);
	if (!err)
		put_all(&f, out);
	free(f.of_row);
	free(f.functions);
	intern_release(&f.index);
	strings_release(&f.strings);
	export_timeline_release(&f.all);
	export_rows_release(&f.rows);
	return err;
}
