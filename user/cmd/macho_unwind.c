// SPDX-License-Identifier: GPL-2.0-only
/* ustack macho unwind: walks the stacks of captured threads. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "cmd/imagemap_input.h"
#include "cmd/names.h"
#include "darwin/capture.h"
#include "darwin/process.h"
#include "darwin/walk_core.h"
#include "util/cleanup.h"
#include "util/file.h"
#include "util/json.h"
#include "util/text.h"

#include "util/poison.h"

/* The bits of an arm64 user address: the bits above them may hold a signature. */
#define ARM64_STRIP ((1ull << 47) - 1)

struct unwind_opts {
	bool json;
	bool no_names;
	bool core;
	const char *images;
	const char *imagemap;
	struct option_u64 frames;
	struct names_style style;
};

/**
 * struct unwind - state of the command
 * @thread: thread whose stack is walked
 * @frames: frames of @thread, room for @room
 * @functions: functions at one address, filled by look_up()
 */
struct unwind {
	const struct unwind_opts *o;
	struct capture capture;
	struct macho_files files;
	struct macho_process process;
	struct names *names;
	const struct capture_thread *thread;
	size_t room;
	struct macho_frame *frames;
	struct gsym_frame functions[GSYM_MAX_FRAMES];
};

static void release(struct unwind *u)
{
	free(u->frames);
	cmd_names_free(u->names);
	macho_process_release(&u->process);
	macho_find_release(&u->files);
	capture_release(&u->capture);
}

/* Reads a file that a capture names; it is in the capture's folder. */
static int load(void *arg, const char *name, uint8_t **bytes, size_t *len, struct diag *diag)
{
	const char *capture = arg, *slash = strrchr(capture, '/');
	_cleanup_(cleanup_free) char *path = NULL;
	_cleanup_(file_release) struct file file = FILE_INIT;
	struct diag own = { .offset = DIAG_NO_OFFSET };
	int err;

	if (asprintf(&path, "%.*s%s", *name != '/' && slash ? (int)(slash + 1 - capture) : 0,
		     capture, name) < 0)
		return diag_errno(diag, ENOMEM, capture);
	err = file_open(&file, path, &own);
	if (!err && file.size > CAPTURE_MAX_BYTES)
		err = diag_errno(&own, EFBIG, path);
	if (!err)
		err = file_read_new(&file, 0, file.size, bytes, &own);
	*len = file.size;
	/* the diag must not refer to @path, which is freed here */
	return err ? diag_set(diag, -err, capture, "%.100s: %.140s", name, own.text) : 0;
}

static int read_capture(struct unwind *u, const char *path, struct diag *diag)
{
	_cleanup_(cleanup_free) uint8_t *text = NULL;
	_cleanup_(file_release) struct file file = FILE_INIT;
	int err;

	err = file_open(&file, path, diag);
	if (!err && file.size > CAPTURE_MAX_BYTES)
		err = diag_errno(diag, EFBIG, path);
	if (!err)
		err = file_read_new(&file, 0, file.size, &text, diag);
	if (err)
		return err;
	return capture_read((char *)text, file.size, path, load, (void *)path, &u->capture, diag);
}

/* Adds the image FILE@BASE; it need not be in an image map. */
static int add_file(struct unwind *u, const char *word, struct diag *diag)
{
	const char *at = strrchr(word, '@');
	_cleanup_(cleanup_free) char *path = NULL;
	struct imagemap_new image = { .path = word };
	struct macho_segment s = { 0 };
	size_t before = u->files.nr, i;
	struct map map = { .len = 0 };
	struct macho m;
	int err;

	if (!at || !option_parse_u64(at + 1, &image.base))
		return diag_set(diag, EINVAL, NULL, "'%s' is no FILE@ADDRESS", word);
	path = strndup(word, (size_t)(at - word));
	if (!path)
		return diag_errno(diag, ENOMEM, NULL);
	err = macho_find_add(&u->files, path, diag);
	/* the diag must not refer to the path, which is freed here */
	if (err)
		diag->file = word;
	for (i = before; !err && i < u->files.nr; i++)
		if (u->files.p[i].kind == MACHO_FOUND_IMAGE &&
		    u->files.p[i].arch == u->capture.arch)
			break;
	if (!err && i == u->files.nr)
		return diag_set(diag, EINVAL, word, "no Mach-O file of the capture's processor");
	if (!err)
		err = map_open(&map, u->files.p[i].path, diag);
	if (!err)
		err = macho_open(map.bytes + u->files.p[i].off, u->files.p[i].len,
				 u->files.p[i].off, word, &m, diag);
	while (!err && macho_next_segment(&m, &s))
		if (!strcmp(s.name, "__TEXT"))
			image.end = image.base + s.size;
	if (!err) {
		image.path = path;
		image.build_id = u->files.p[i].uuid;
		image.build_id_len = MACHO_UUID;
		err = imagemap_add(&u->capture.map, &image);
		if (err)
			err = diag_set(diag, -err, word, "it cannot be at this address");
	}
	map_release(&map);
	return err;
}

static int add_map(struct unwind *u, const char *word, struct diag *diag)
{
	struct imagemap map = IMAGEMAP_INIT;
	const struct imagemap_image *i;
	int err = cmd_imagemap_read(word, 0, &map, NULL, diag);

	for (i = map.images; !err && i < map.images + map.nr; i++) {
		err = imagemap_add(&u->capture.map, &(struct imagemap_new){
			.base = i->base, .end = i->end, .path = imagemap_path(&map, i),
			.build_id = imagemap_build_id(&map, i), .build_id_len = i->build_id_len,
		});
		if (err)
			err = diag_set(diag, -err, word, "an image has addresses that the capture's processor does not have");
	}
	imagemap_release(&map);
	return err;
}

/* Adds the folders of DIR[:DIR...]. */
static int add_folders(struct unwind *u, const char *list, struct diag *diag)
{
	_cleanup_(cleanup_free) char *copy = strdup(list);
	struct diag own = { .offset = DIAG_NO_OFFSET };
	char *dir, *next;
	int err = copy ? 0 : diag_errno(diag, ENOMEM, NULL);

	for (dir = copy; !err && dir; dir = next) {
		next = strchr(dir, ':');
		if (next)
			*next++ = '\0';
		err = *dir ? macho_find_add(&u->files, dir, &own) : 0;
		/* the diag must not refer to a path in the copy, which is freed here */
		if (err)
			diag_set(diag, -err, NULL, "%.100s: %.140s", dir, own.text);
	}
	return err;
}

static int prepare(struct unwind *u, int argc, char **argv, struct diag *diag)
{
	int i, err;

	u->room = u->o->frames.set ? (size_t)u->o->frames.value : MACHO_MAX_FRAMES;
	u->frames = calloc(u->room, sizeof(*u->frames));
	if (!u->frames)
		return diag_errno(diag, ENOMEM, NULL);
	err = read_capture(u, argv[0], diag);
	if (!err && u->o->imagemap)
		err = add_map(u, u->o->imagemap, diag);
	if (!err && u->o->images)
		err = add_folders(u, u->o->images, diag);
	for (i = 1; !err && i < argc; i++)
		err = add_file(u, argv[i], diag);
	if (err)
		return err;
	if (u->o->core && u->capture.arch == UNWIND_X86)
		return diag_set(diag, EINVAL, argv[0], "the core has nothing of i386");
	imagemap_sort(&u->capture.map);
	return macho_process_init(&u->process, &u->capture.map, u->capture.arch, &u->files) ?
		       diag_errno(diag, ENOMEM, NULL) : 0;
}

static bool find(void *arg, uint64_t addr, struct macho_place *ret)
{
	struct unwind *u = arg;

	return macho_process_find(&u->process, addr, ret);
}

static bool read_word(void *arg, uint64_t addr, uint64_t *ret)
{
	const struct unwind *u = arg;

	return capture_word(&u->capture, u->thread, addr,
			    (unsigned int)unwind_word(u->capture.arch), ret);
}

static const struct ustack_table *table(void *arg, uint64_t addr, uint64_t *bias)
{
	struct unwind *u = arg;

	return macho_process_table(&u->process, addr, bias);
}

/**
 * struct shown - a frame that is printed
 * @key: address by which its names are looked up
 * @image: image that contains @key; NULL if there is none
 * @l: the loaded file of @image
 * @nr: number of functions at @key
 */
struct shown {
	const struct macho_frame *f;
	uint64_t key;
	const struct imagemap_image *image;
	const struct macho_loaded *l;
	unsigned int nr;
};

static void look_up(struct unwind *u, const struct macho_frame *f, struct shown *ret)
{
	*ret = (struct shown){ .f = f, .key = f->pc - !f->inner };
	ret->l = macho_process_image(&u->process, ret->key);
	if (!ret->l)
		return;
	ret->image = &u->capture.map.images[ret->l - u->process.images];
	if (!u->o->no_names)
		ret->nr = macho_process_names(&u->process, ret->key, u->functions,
					      GSYM_MAX_FRAMES);
}

static void print_frame(struct unwind *u, size_t number, const struct shown *s)
{
	const char *name = s->image ? imagemap_name(&u->capture.map, s->image) : NULL;
	const struct gsym_frame *g;
	char escaped[4096];

	printf("%3zu 0x%0*" PRIx64 " ", number, u->capture.arch == UNWIND_X86 ? 8 : 16, s->f->pc);
	if (s->image)
		printf("%s+0x%" PRIx64, name ? text_escape(name, escaped, sizeof(escaped)) : "?",
		       s->f->pc - s->image->base);
	else
		putchar('?');
	printf(" %s", macho_how_name(s->f->how));
	if (s->f->encoding)
		printf(" 0x%08" PRIx32, s->f->encoding);
	putchar('\n');
	for (g = u->functions; g < u->functions + s->nr; g++) {
		printf("        %s + %" PRIu64, cmd_name(u->names, g->function),
		       g->offset + (g == u->functions + s->nr - 1 && !s->f->inner));
		if (*g->file)
			printf(" @ %s%s%s:%" PRIu32, g->dir, *g->dir ? "/" : "", g->file, g->line);
		puts(g->inlined ? " [inlined]" : "");
	}
}

static void json_functions(struct unwind *u, const struct shown *s, struct json *j)
{
	const struct gsym_frame *g;

	json_array(j, "functions");
	for (g = u->functions; g < u->functions + s->nr; g++) {
		json_object(j, NULL);
		json_string(j, "function", cmd_name(u->names, g->function));
		json_u64(j, "offset",
			 g->offset + (g == u->functions + s->nr - 1 && !s->f->inner));
		if (*g->file) {
			json_string(j, "dir", g->dir);
			json_string(j, "file", g->file);
			json_u64(j, "line", g->line);
		}
		json_bool(j, "inlined", g->inlined);
		json_object_end(j);
	}
	json_array_end(j);
}

static void json_hex(struct json *j, const char *name, uint64_t v)
{
	char text[24];

	snprintf(text, sizeof(text), "0x%" PRIx64, v);
	json_string(j, name, text);
}

static void json_frame(struct unwind *u, const struct shown *s, struct json *j)
{
	const char *path = s->image ? imagemap_path(&u->capture.map, s->image) : NULL;
	char id[2 * MACHO_UUID + 1];

	json_object(j, NULL);
	json_hex(j, "pc", s->f->pc);
	json_hex(j, "sp", s->f->sp);
	json_string(j, "how", macho_how_name(s->f->how));
	if (s->f->encoding)
		json_hex(j, "encoding", s->f->encoding);
	if (s->image) {
		json_u64(j, "image_offset", s->f->pc - s->image->base);
		if (s->image->build_id_len == MACHO_UUID)
			json_string(j, "uuid",
				    text_hex(imagemap_build_id(&u->capture.map, s->image),
					     MACHO_UUID, id, sizeof(id)));
	}
	if (path)
		json_string(j, "path", path);
	if (s->l && s->l->why[0])
		json_string(j, "error", s->l->why);
	json_functions(u, s, j);
	json_object_end(j);
}

static void json_stack(struct unwind *u, size_t nr, enum macho_end end, const struct diag *diag)
{
	struct shown s;
	struct json j;
	size_t i;

	json_init(&j, stdout);
	json_object(&j, NULL);
	json_string(&j, "thread", u->thread->name);
	json_array(&j, "frames");
	for (i = 0; i < nr; i++) {
		look_up(u, &u->frames[i], &s);
		json_frame(u, &s, &j);
	}
	json_array_end(&j);
	json_string(&j, "end", macho_end_name(end));
	if (diag->text[0])
		json_string(&j, "why", diag->text);
	json_object_end(&j);
	json_end(&j);
}

static void print_stack(struct unwind *u, size_t nr, enum macho_end end, const struct diag *diag)
{
	struct shown s = { .l = NULL };
	size_t i;

	printf("thread %s\n", u->thread->name);
	for (i = 0; i < nr; i++) {
		look_up(u, &u->frames[i], &s);
		print_frame(u, i, &s);
	}
	printf("    end: %s", macho_end_text(end));
	if (diag->text[0])
		printf(": %s", diag->text);
	else if (end == MACHO_END_NO_FILE && s.l && s.l->why[0])
		printf(": %s", s.l->why);
	putchar('\n');
}

static void unwind_thread(struct unwind *u, const struct capture_thread *t)
{
	const struct macho_walk w = {
		.arch = u->capture.arch,
		.strip = u->capture.arch == UNWIND_ARM64 ? ARM64_STRIP : 0,
		.find = find, .word = read_word, .arg = u,
	};
	struct diag diag = { .offset = DIAG_NO_OFFSET };
	enum macho_end end;
	size_t nr;

	u->thread = t;
	if (u->o->core)
		nr = macho_walk_core(&w, table, &t->regs, u->frames, u->room, &end);
	else
		nr = macho_walk(&w, &t->regs, u->frames, u->room, &end, &diag);
	(u->o->json ? json_stack : print_stack)(u, nr, end, &diag);
}

static int run(const struct unwind_opts *o, int argc, char **argv)
{
	struct unwind *u = calloc(1, sizeof(*u));
	struct diag diag = { .offset = DIAG_NO_OFFSET };
	int status = CMD_OK;
	size_t i;

	if (!u) {
		diag_errno(&diag, ENOMEM, NULL);
		return cmd_diag(&diag);
	}
	*u = (struct unwind){ .o = o, .capture = CAPTURE_INIT };
	if (prepare(u, argc, argv, &diag))
		status = cmd_diag(&diag);
	else if (!cmd_names_new(&o->style, &u->names))
		status = CMD_FAILED;
	for (i = 0; status == CMD_OK && i < u->capture.nr_threads; i++)
		unwind_thread(u, &u->capture.threads[i]);
	release(u);
	free(u);
	return status;
}

int cmd_macho_unwind(int argc, char **argv)
{
	const struct cmd_usage usage = {
		.command = "ustack macho unwind",
		.synopsis = "[OPTION...] CAPTURE [FILE@ADDRESS]...",
		.about = "Walks the stacks of a captured Darwin process with the unwind information of\n"
			 "its images, and names the functions. ustack-macho-unwind(1) says what a CAPTURE\n"
			 "is.",
	};
	struct unwind_opts o = { 0 };
	const struct option_spec specs[] = {
		OPTION_STRING(0, "images", "DIR", &o.images,
			      "directory of Mach-O, dSYM and GSYM files"),
		OPTION_STRING(0, "imagemap", "MAP", &o.imagemap,
			      "a Compact ImageMap with more images"),
		OPTION_U64(0, "frames", "N", &o.frames, "at most N frames of a stack (512)"),
		OPTION_FLAG(0, "core", &o.core,
			    "walk as the module does, with converted images"),
		OPTION_FLAG(0, "no-names", &o.no_names, "do not look for function names"),
		CMD_NAMES_OPTIONS(&o.style)
		OPTION_FLAG(0, "json", &o.json, "print JSON, a line for each thread"),
		OPTION_END,
	};
	int status = cmd_parse(&usage, specs, &argc, &argv);

	if (status != CMD_RUN)
		return status;
	if (!argc)
		return cmd_bad_usage(&usage, "which CAPTURE?");
	if (o.frames.set && (!o.frames.value || o.frames.value > 1u << 20))
		return cmd_bad_usage(&usage, "--frames takes 1 to 1048576");
	if (!cmd_names_check(&usage, &o.style))
		return CMD_USAGE;
	return run(&o, argc, argv);
}
