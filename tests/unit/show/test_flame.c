// SPDX-License-Identifier: GPL-2.0-only
/*
 * The data in the page of a flame graph: numbers packed at every length, the tree read back
 * from the JSON, and allocations that fail one by one.
 */
#include "support.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "alloc_fail.h"
#include "show/flame/data.h"
#include "show/flame/pack.h"

static unsigned int digit(char c)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const char *at = strchr(digits, c);

	assert_non_null(at);
	assert_int_not_equal(c, 0);
	return (unsigned int)(at - digits);
}

/* Decodes all numbers of a base64 text. */
static size_t unpack(const char *text, size_t len, uint64_t *ret, size_t room)
{
	unsigned int bits = 0, nr_bits = 0, shift = 0;
	size_t nr = 0, i;
	uint64_t n = 0;

	assert_int_equal(len % 4, 0);
	for (i = 0; i < len && text[i] != '='; i++) {
		bits = bits << 6 | digit(text[i]);
		nr_bits += 6;
		if (nr_bits < 8)
			continue;
		nr_bits -= 8;
		n |= (uint64_t)(bits >> nr_bits & 127) << shift;
		shift += 7;
		if (bits >> nr_bits & 128)
			continue;
		assert_true(nr < room);
		ret[nr++] = n;
		n = 0;
		shift = 0;
	}
	assert_int_equal(shift, 0);
	return nr;
}

static void numbers_of_every_length(void **state)
{
	uint64_t want[66], got[66];
	size_t nr, i;

	for (nr = 0; nr < 66; nr++) {
		struct pack p = { 0 };

		for (i = 0; i < nr; i++) {
			want[i] = i == 65 ? UINT64_MAX : i ? UINT64_C(1) << (i - 1) : 0;
			assert_true(pack_number(&p, want[i]));
		}
		assert_true(pack_end(&p));
		assert_int_equal(strlen(p.text) + 1, p.len);
		assert_int_equal(unpack(p.text, p.len - 1, got, 66), nr);
		assert_memory_equal(got, want, nr * sizeof(*got));
		free(p.text);
	}
}

static void a_known_text(void **state)
{
	struct pack p = { 0 };

	assert_true(pack_number(&p, 0));
	assert_true(pack_number(&p, 300));
	assert_true(pack_number(&p, 127));
	assert_true(pack_end(&p));
	/* 00 ac 02 7f */
	assert_string_equal(p.text, "AKwCfw==");
	free(p.text);
}

static uint32_t function(struct profile *p, const char *name)
{
	struct profile_function f = { .name = profile_string(p, name) };
	struct profile_line line = { profile_function(p, &f), 0 };

	return profile_location_named(p, 0, 0, &line, 1);
}

/* all -> main -> (work, wait -> work), with two samples each, and a sample without a stack */
static struct profile *make(void)
{
	struct profile *p = profile_new();
	int64_t value[PROFILE_MAX_VALUES] = { 6 };
	uint32_t main, work, wait;

	profile_value_type(p, "cpu", "nanoseconds");
	main = profile_stack(p, 0, function(p, "main"));
	work = profile_stack(p, main, function(p, "wo<rk"));
	wait = profile_stack(p, main, function(p, "wait"));
	profile_add(p, work, 0, value);
	value[0] = 2;
	profile_add(p, profile_stack(p, wait, function(p, "wo<rk")), 0, value);
	profile_add(p, 0, 0, value);
	profile_comment(p, "by hand");
	p->time_ns = UINT64_C(1700000000000000001);
	assert_int_equal(profile_error(p), 0);
	return p;
}

static int data_of(const struct profile *p, const struct profile *before, char **ret)
{
	const struct flame_options o = { .title = "t\"" };
	const struct calltree_options options = { .ends = true };
	struct calltree *t;
	size_t len = 0;
	FILE *out;
	int err = calltree_new(p, before, &options, &t);

	if (err)
		return err;
	out = open_memstream(ret, &len);
	assert_non_null(out);
	err = flame_data(p, before, &o, t, out);
	assert_int_equal(fclose(out), 0);
	calltree_free(t);
	return err;
}

/* The text of a field that contains a string. */
static const char *field(const char *json, const char *name, size_t *len)
{
	char key[64];
	const char *at;

	snprintf(key, sizeof(key), "\"%s\":\"", name);
	at = strstr(json, key);
	assert_non_null(at);
	at += strlen(key);
	*len = (size_t)(strchr(at, '"') - at);
	return at;
}

static void the_tree(void **state)
{
	struct profile *p = make();
	uint64_t got[64];
	const char *text;
	char *json = NULL;
	size_t len;

	assert_int_equal(data_of(p, NULL, &json), 0);
	text = field(json, "nodes", &len);
	/*
	 * wo<rk has two nodes and number 0; main, work, wait, work: levels up, symbol, own
	 * value
	 */
	assert_int_equal(unpack(text, len, got, 64), 12);
	assert_int_equal(got[0], 0);
	assert_int_equal(got[2], 0);
	assert_int_equal(got[3], 0);
	assert_int_equal(got[4], 0);
	assert_int_equal(got[5], 3);
	assert_int_equal(got[6], 1);
	assert_int_equal(got[8], 0);
	assert_int_equal(got[9], 0);
	assert_int_equal(got[10], 0);
	assert_int_equal(got[11], 1);
	assert_non_null(strstr(json, "\"scale\":[2],"));
	assert_non_null(strstr(json, "\"root_self\":[1],\"nr_nodes\":4,"));
	assert_non_null(strstr(json, "\"strings\":[\"\",\"wo<rk\","));
	assert_non_null(strstr(json, "\"title\":\"t\\\"\",\"callers\":false,"));
	assert_non_null(strstr(json, "\"comments\":[\"by hand\"],\"seconds\":1700000000,"));
	assert_non_null(strstr(json, "\"stacks\":3,\"all\":0,\"reasons\":[]},\"before\":null,"));
	free(json);
	profile_free(p);
}

static void two_profiles(void **state)
{
	struct profile *p = make(), *before = profile_new();
	int64_t value[PROFILE_MAX_VALUES] = { INT64_MAX };
	uint64_t got[64];
	const char *text;
	char *json = NULL;
	size_t len;

	profile_value_type(before, "cpu", "nanoseconds");
	profile_add(before, profile_stack(before, 0, function(before, "gone")), 0, value);
	assert_int_equal(data_of(p, before, &json), 0);
	text = field(json, "nodes", &len);
	assert_int_equal(unpack(text, len, got, 64), 20);
	/* the larger sum first, with its whole value as the scale */
	assert_int_equal(got[2], 0);
	assert_int_equal(got[3], 1);
	assert_int_equal(got[4], 1);
	assert_non_null(strstr(json, "\"scale\":[2,9223372036854775807],"));
	free(json);
	profile_free(before);
	profile_free(p);
}

static void nothing(void **state)
{
	struct profile *p = profile_new();
	char *json = NULL;

	profile_value_type(p, "cpu", "nanoseconds");
	assert_int_equal(data_of(p, NULL, &json), 0);
	assert_non_null(strstr(json, "\"scale\":[1],"));
	assert_non_null(strstr(json, "\"nr_nodes\":0,\"nodes\":\"\"}"));
	free(json);
	profile_free(p);
}

static void no_memory(void **state)
{
	struct profile *p = make();
	unsigned int refused = 0;
	char *json;
	int err;
	long n;

	for (n = 0;; n++) {
		json = NULL;
		alloc_left = n;
		err = data_of(p, NULL, &json);
		alloc_left = -1;
		free(json);
		if (!err)
			break;
		assert_int_equal(err, -ENOMEM);
		refused++;
	}
	/* strings, symbols and nodes of the tree; symbols, nodes and strings of the page */
	assert_true(refused >= 6);
	profile_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_of_every_length),
		cmocka_unit_test(a_known_text),
		cmocka_unit_test(the_tree),
		cmocka_unit_test(two_profiles),
		cmocka_unit_test(nothing),
		cmocka_unit_test(no_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
