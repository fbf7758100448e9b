// SPDX-License-Identifier: MIT
/*
 * The functions of libgsym; gsym.h documents them. Each one calls the reader
 * that the program uses, too, and copies the reason of a failure into the
 * caller's struct gsym_error.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "formats/gsym/gsym.h"
#include "formats/gsym/read.h"

#define NO_DIAG ((struct diag){ .offset = DIAG_NO_OFFSET })

/**
 * struct gsym_reader - an open file, for callers of the library
 * @g: the file
 * @name: name for errors
 */
struct gsym_reader {
	struct gsym *g;
	char name[];
};

/* Copies at most @room bytes, including the NUL. */
static void copy_text(char *to, size_t room, const char *from)
{
	size_t len = strnlen(from, room - 1);

	memcpy(to, from, len);
	to[len] = 0;
}

/* Fills @error. Return: @err. */
static int fail(struct gsym_error *error, int err, const char *name, const struct diag *diag)
{
	char *p;

	if (!error)
		return err;
	error->code = -err;
	error->offset = diag->offset;
	copy_text(error->file, sizeof(error->file), name);
	copy_text(error->reason, sizeof(error->reason), diag->text);
	/* the text may contain a name from the file, which could control a terminal */
	for (p = error->reason; *p; p++)
		if ((unsigned char)*p < ' ' || *p == 0x7f)
			*p = '?';
	return err;
}

static struct gsym_reader *reader_new(const char *name)
{
	size_t size = strlen(name) + 1;
	struct gsym_reader *r = calloc(1, sizeof(*r) + size);

	if (r)
		memcpy(r->name, name, size);
	return r;
}

/* The common end of both functions that open a file. Return: @err. */
static int opened(struct gsym_reader *r, int err, const char *name, const struct diag *diag,
		  struct gsym_reader **ret, struct gsym_error *error)
{
	if (err) {
		free(r);
		return fail(error, err, name, diag);
	}
	*ret = r;
	return 0;
}

static int open_file(const char *path, struct gsym **ret, struct diag *diag)
{
	/*
	 * without O_NONBLOCK, open() of a FIFO would wait for its other end;
	 * the FIFO is refused later
	 */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY), err;

	if (fd < 0)
		return diag_errno(diag, errno, path);
	err = gsym_open_descriptor(fd, path, ret, diag);
	close(fd);
	return err;
}

int gsym_reader_open(const char *path, struct gsym_reader **ret, struct gsym_error *error)
{
	struct gsym_reader *r = reader_new(path);
	struct diag diag = NO_DIAG;
	int err;

	err = r ? open_file(path, &r->g, &diag) : diag_errno(&diag, ENOMEM, path);
	return opened(r, err, path, &diag, ret, error);
}

int gsym_reader_open_memory(const void *bytes, size_t size, const char *name,
			    struct gsym_reader **ret, struct gsym_error *error)
{
	struct gsym_reader *r = reader_new(name);
	struct diag diag = NO_DIAG;
	int err;

	/* @bytes may be NULL if @size is 0 */
	err = r ? gsym_open_bytes(size ? bytes : "", size, r->name, &r->g, &diag) :
		  diag_errno(&diag, ENOMEM, name);
	return opened(r, err, name, &diag, ret, error);
}

void gsym_reader_close(struct gsym_reader *r)
{
	if (!r)
		return;
	gsym_close(r->g);
	free(r);
}

const uint8_t *gsym_reader_uuid(const struct gsym_reader *r, size_t *size)
{
	*size = r->g->info.uuid_len;
	return r->g->info.uuid;
}

/*
 * Return: offset in the file of function @i; of its entry in the table if that
 * points elsewhere.
 */
static uint64_t place_of(const struct gsym *g, uint32_t i)
{
	const uint8_t *word = g->infos + (size_t)i * gsym_word_size(g), *at = word;
	uint64_t off = gsym_get_word(g, word);

	if (off < (uint64_t)(g->functions_end - g->functions))
		at = g->functions + off;
	return g->info.section + (uint64_t)(at - g->bytes);
}

/* Return: index of the first of the functions that gsym_find() examines for @address. */
static uint32_t first_looked_at(const struct gsym *g, uint64_t address)
{
	uint32_t low = 0, high = g->nr_functions, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (gsym_addr_offset(g, middle) <= address - g->base)
			low = middle + 1;
		else
			high = middle;
	}
	low -= low > 0;
	while (low && gsym_addr_offset(g, low) == gsym_addr_offset(g, low - 1))
		low--;
	return low;
}

/* Reports that function @i is damaged, and its offset. Return: -EBADMSG. */
static int bad_entry(const struct gsym_reader *r, uint32_t i, struct gsym_error *error)
{
	struct diag diag = NO_DIAG;

	diag_set(&diag, EBADMSG, NULL, "the entry of function %u is damaged", i);
	diag.offset = place_of(r->g, i);
	return fail(error, -EBADMSG, r->name, &diag);
}

/*
 * Reports which function gsym_find() could not read, or that the table is not
 * in order. Return: -EBADMSG.
 */
static int not_found(const struct gsym_reader *r, uint64_t address, struct gsym_error *error)
{
	uint32_t i = first_looked_at(r->g, address);
	struct gsym_function f;

	/*
	 * if several functions start at one address, the search ended at the
	 * first damaged one
	 */
	while (!gsym_function(r->g, i, &f) && i + 1 < r->g->nr_functions &&
	       gsym_addr_offset(r->g, i + 1) == gsym_addr_offset(r->g, i))
		i++;
	return bad_entry(r, i, error);
}

/* Reports what is damaged in the function at an address. Return: -EBADMSG. */
static int bad_function(const struct gsym_reader *r, uint64_t address, struct gsym_error *error)
{
	struct diag diag = NO_DIAG;
	struct gsym_function f;

	if (!error)
		return -EBADMSG;
	if (gsym_find(r->g, address, &f) < 0)
		return not_found(r, address, error);
	if (!gsym_function_check(r->g, &f, r->name, &diag)) {
		diag_set(&diag, EBADMSG, NULL, "the function is damaged");
		diag.offset = r->g->info.section + f.at;
	}
	return fail(error, -EBADMSG, r->name, &diag);
}

int gsym_reader_lookup(const struct gsym_reader *r, uint64_t address, struct gsym_frame *frames,
		       size_t room, struct gsym_error *error)
{
	int nr = gsym_lookup(r->g, address, frames,
			     room < GSYM_MAX_FRAMES ? (unsigned int)room : GSYM_MAX_FRAMES);

	return nr < 0 ? bad_function(r, address, error) : nr;
}

static void set_symbol(struct gsym_symbol *ret, const struct gsym_function *f)
{
	*ret = (struct gsym_symbol){ .start = f->start, .size = f->size, .name = f->name };
}

int gsym_reader_symbol_at(const struct gsym_reader *r, uint64_t address, struct gsym_symbol *ret,
			  struct gsym_error *error)
{
	struct gsym_function f;
	int found = gsym_find(r->g, address, &f);

	if (found < 0)
		return bad_function(r, address, error);
	if (found)
		set_symbol(ret, &f);
	return found;
}

uint32_t gsym_reader_nr_symbols(const struct gsym_reader *r)
{
	return r->g->nr_functions;
}

static int bad_index(const struct gsym_reader *r, uint32_t index, struct gsym_error *error)
{
	struct diag diag = NO_DIAG;

	if (!error)
		return -EINVAL;
	diag_set(&diag, EINVAL, NULL, "there is no function %u: the file has %u", index,
		 r->g->nr_functions);
	return fail(error, -EINVAL, r->name, &diag);
}

int gsym_reader_symbol(const struct gsym_reader *r, uint32_t index, struct gsym_symbol *ret,
		       struct gsym_error *error)
{
	struct gsym_function f;

	if (index >= r->g->nr_functions)
		return bad_index(r, index, error);
	if (gsym_function(r->g, index, &f))
		return bad_entry(r, index, error);
	set_symbol(ret, &f);
	return 0;
}
