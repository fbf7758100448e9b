// SPDX-License-Identifier: GPL-2.0-only
/*
 * Segments of the store with any bytes. The first byte says how the rest is
 * used: as the two parts of a record, or as a file, with its checksums
 * corrected or unchanged. Parts that can be read can be written, and remain the
 * same; a file gives consistent windows, or an error with a reason, and a
 * writer can open a store that contains it.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "fuzz.h"
#include "profile_check.h"

#include "serve/store/reader.h"
#include "serve/store/record.h"
#include "serve/store/segment.h"
#include "serve/store/store.h"

#define DIR_NAME "/dev/shm/ustack-fuzz-store-%d"
#define SEGMENT "0000000000000001.seg"
#define HEADER 128
#define HEAD 64

static char dir[64];

static void check_samples(const struct profile *p, struct store_samples *s)
{
	struct store_samples again = { 0 };
	struct buffer out = { 0 };
	const char *why;
	u32 i;

	store_put_samples(s, &out);
	must(!out.failed);
	must(!store_take_samples(p, out.at, out.len, &again, &why));
	must(again.nr_samples == s->nr_samples && again.nr_comments == s->nr_comments &&
	     again.nr_value_types == s->nr_value_types && again.period == s->period);
	for (i = 0; i < s->nr_samples; i++)
		must(again.samples[i].stack == s->samples[i].stack &&
		     again.samples[i].labels == s->samples[i].labels &&
		     !memcmp(again.samples[i].value, s->samples[i].value,
			     s->nr_value_types * sizeof(s64)));
	store_samples_release(&again);
	buffer_release(&out);
}

static void check_definitions(const struct profile *p)
{
	const struct store_marks none = { 1, 1, 1, 1, 1, 1 };
	struct profile *again = profile_new();
	struct buffer out = { 0 }, second = { 0 };
	struct store_marks a, b;
	const char *why;

	store_put_definitions(p, &none, NULL, 0, &out);
	must(!out.failed);
	must(!store_take_definitions(again, out.at, out.len, &why));
	a = store_marks(p);
	b = store_marks(again);
	must(!memcmp(&a, &b, sizeof(a)));
	store_put_definitions(again, &none, NULL, 0, &second);
	must(out.len == second.len && (!out.len || !memcmp(out.at, second.at, out.len)));
	profile_free(again);
	buffer_release(&out);
	buffer_release(&second);
}

/* The parts: two bytes of length, definitions, and samples in the rest. */
static void as_parts(struct input *in)
{
	struct profile *p = profile_new();
	struct store_samples s = { 0 };
	size_t len = take(in, 2);
	const char *why = NULL;
	int err;

	if (len > in->left)
		len = in->left;
	err = store_take_definitions(p, in->p, len, &why);
	must(!err || (err == -EBADMSG && why));
	if (!err) {
		check_profile(p);
		check_definitions(p);
		err = store_take_samples(p, in->p + len, in->left - len, &s, &why);
		must(!err || (err == -EBADMSG && why));
		if (!err)
			check_samples(p, &s);
	}
	store_samples_release(&s);
	profile_free(p);
}

static void put_u32(u8 *at, u32 v)
{
	memcpy(at, &v, 4);
}

static u32 get_u32(const u8 *at)
{
	u32 v;

	memcpy(&v, at, 4);
	return v;
}

static u32 crc(const u8 *at, size_t len)
{
	return (u32)crc32(0, at, (uInt)len);
}

/* Corrects the checksums of all records that their lengths lead to. */
static void mend(u8 *at, size_t size)
{
	size_t off = HEADER, defs, samples, left;

	if (size < HEADER)
		return;
	put_u32(at + 124, crc(at, 124));
	while (size - off >= HEAD) {
		left = size - off - HEAD;
		defs = get_u32(at + off + 40);
		samples = get_u32(at + off + 48);
		if (defs > left || samples > left - defs)
			samples = defs = 0;
		put_u32(at + off + 56, crc(at + off + HEAD, defs));
		put_u32(at + off + 60, crc(at + off + HEAD + defs, samples));
		put_u32(at + off + 4, crc(at + off + 8, HEAD - 8));
		off += HEAD + defs + samples;
	}
}

static void make_file(const u8 *data, size_t size)
{
	char path[128];
	FILE *out;

	snprintf(dir, sizeof(dir), DIR_NAME, (int)getpid());
	must(!mkdir(dir, 0700) || errno == EEXIST);
	snprintf(path, sizeof(path), "%s/" SEGMENT, dir);
	out = fopen(path, "w");
	must(out && fwrite(data, 1, size, out) == size && !fclose(out));
}

static u32 read_all(void)
{
	const struct store_position none = { 0, 0 };
	struct diag diag = { .offset = DIAG_NO_OFFSET };
	struct store_reader *r;
	struct store_window w;
	u32 errors = 0, nr = 0;
	int n;

	must(!store_reader_new(dir, &none, &r, &diag));
	while ((n = store_reader_next(r, &w, &diag))) {
		must(n > 0 || (diag.text[0] && errors++ < 100));
		if (n < 0)
			continue;
		check_profile(w.profile);
		nr++;
	}
	store_reader_free(r);
	return nr;
}

static void as_file(struct input *in, bool mended)
{
	const struct store_options o = { 0 };
	u8 *copy = malloc(in->left + 1);
	char path[128];
	struct store *s;

	memcpy(copy, in->p, in->left);
	if (mended)
		mend(copy, in->left);
	make_file(copy, in->left);
	free(copy);
	read_all();
	must(!store_open(dir, &o, &s, NULL));
	store_close(s);
	read_all();
	snprintf(path, sizeof(path), "%s/" SEGMENT, dir);
	unlink(path);
	snprintf(path, sizeof(path), "%s/" SEGMENT ".bad", dir);
	unlink(path);
}

static void clean(void)
{
	char path[128];

	if (!dir[0])
		return;
	snprintf(path, sizeof(path), "%s/lock", dir);
	unlink(path);
	rmdir(dir);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	static bool registered;
	struct input in = { data, size };
	u8 how = (u8)take(&in, 1);

	if (!registered)
		atexit(clean);
	registered = true;
	if (how & 1)
		as_file(&in, !(how & 2));
	else
		as_parts(&in);
	return 0;
}
