// SPDX-License-Identifier: GPL-2.0-only
/* options.h: the valid options of a push target, and that a copy has all of them. */
#include "support.h"

#include <errno.h>

#include "serve/push/options.h"

static const struct push_options good = { .name = "a", .url = "https://b" };

static bool is_taken(const struct push_options *o)
{
	struct diag diag = { 0 };
	int err = push_check(o, &diag);

	assert_true(!err || (err == -EINVAL && *diag.text));
	return !err;
}

static void names(void **state)
{
	char name[PUSH_NAME_BYTES + 2] = { 0 };
	struct push_options o = good;
	int c;

	o.name = name;
	for (c = 1; c < 256; c++) {
		name[0] = (char)c;
		assert_int_equal(is_taken(&o), (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
				 (c >= '0' && c <= '9') || c == '-' || c == '_');
	}
	memset(name, 'x', PUSH_NAME_BYTES);
	assert_true(is_taken(&o));
	name[PUSH_NAME_BYTES] = 'x';
	assert_false(is_taken(&o));
	o.name = NULL;
	assert_false(is_taken(&o));
}

static bool header_is_taken(const char *header)
{
	const char *const headers[] = { header, NULL };
	struct push_options o = good;

	o.headers = headers;
	return is_taken(&o);
}

/* A header is one line with a name and a value, and not one that this program sets itself. */
static void headers(void **state)
{
	static const char *const taken[] = {
		"A: b", "A:b", "A:   b", "x-!#$%&'*+-.^_`|~0: ~", "A: b: c", "A: \xc3\xa4",
		"Hosts: a", "X-Host: a",
	};
	static const char *const refused[] = {
		"", "A", "A:", "A: ", "A:    ", ": b", "A : b", "A b: c", "A\t: b", "(A): b",
		"A: b\r\nB: c", "A: b\n", "A: b\r", "A: \x1f", "A: b\tc", "A: b\x7f", "\xc3\xa4: b",
	};
	static const char *const own[] = {
		"Content-Length: 1", "content-type: a", "CONTENT-ENCODING: a",
		"Transfer-Encoding: a", "Host: a", "host:a", "Authorization: a",
		"Idempotency-Key: a", "Expect: a", "Connection: a",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(taken); i++)
		if (!header_is_taken(taken[i]))
			fail_msg("'%s' is refused", taken[i]);
	for (i = 0; i < ARRAY_SIZE(refused); i++)
		if (header_is_taken(refused[i]))
			fail_msg("'%s' is taken", refused[i]);
	for (i = 0; i < ARRAY_SIZE(own); i++)
		if (header_is_taken(own[i]))
			fail_msg("'%s' is taken", own[i]);
}

static void numbers_of_headers(void **state)
{
	const char *list[66] = { NULL };
	struct push_options o = good;
	struct diag diag = { 0 };
	unsigned int i;

	o.headers = list;
	for (i = 0; i < 64; i++)
		list[i] = "A: b";
	assert_true(is_taken(&o));
	/* the index of the wrong one */
	list[63] = "A";
	assert_int_equal(push_check(&o, &diag), -EINVAL);
	assert_string_equal(diag.text, "header 64 is no \"Name: value\"");
	list[63] = "Host: a";
	assert_int_equal(push_check(&o, &diag), -EINVAL);
	assert_string_equal(diag.text, "header 64 is not to be set here");
	list[63] = list[64] = "A: b";
	assert_int_equal(push_check(&o, &diag), -EINVAL);
	assert_string_equal(diag.text, "more than 64 headers");
}

/* Options about the identity of the sender. The file is never opened here. */
static void secrets(void **state)
{
	static const struct {
		struct push_options o;
		bool taken;
	} list[] = {
		{ { .token = "t" }, true },
		{ { .token_file = "/t" }, true },
		{ { .user = "u" }, true },
		{ { .user = "u", .password = "p" }, true },
		{ { .user = "u", .password_file = "/p" }, true },
		{ { .user = "u", .password = "p:q" }, true },
		{ { .token = "t", .token_file = "/t" }, false },
		{ { .token = "t", .user = "u" }, false },
		{ { .token_file = "/t", .user = "u" }, false },
		{ { .user = "u", .password = "p", .password_file = "/p" }, false },
		{ { .password = "p" }, false },
		{ { .password_file = "/p" }, false },
		{ { .user = "u:v" }, false },
		{ { .token = "t\r\nA: b" }, false },
		{ { .token = "t\x7f" }, false },
		{ { .user = "u\n" }, false },
		{ { .user = "u", .password = "p\x1f" }, false },
		{ { .cert_file = "/c", .key_file = "/k" }, true },
		{ { .cert_file = "/c" }, false },
		{ { .key_file = "/k" }, false },
		{ { .ca_file = "/c" }, true },
	};
	struct push_options o;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(list); i++) {
		o = list[i].o;
		o.name = "a";
		o.url = "https://b";
		if (is_taken(&o) != list[i].taken)
			fail_msg("secrets %zu", i);
	}
	/* not in clear text over a network */
	o = (struct push_options){ .name = "a", .url = "http://b", .token = "t" };
	assert_false(is_taken(&o));
	o.token = NULL;
	assert_true(is_taken(&o));
	o.token_file = "/t";
	assert_false(is_taken(&o));
	o.token_file = NULL;
	o.user = "u";
	assert_false(is_taken(&o));
	o.user = NULL;
	o.cert_file = "/c";
	o.key_file = "/k";
	assert_false(is_taken(&o));
	o.url = "HTTPS://b";
	assert_true(is_taken(&o));
}

/* The error, and the target that has it; an invalid name is not repeated. */
static void errors_name_the_target(void **state)
{
	struct push_options o = good;
	struct diag diag = { 0 };

	assert_int_equal(push_check(&o, &diag), 0);
	assert_null(diag.file);
	o.timeout_ms = PUSH_MAX_TIMEOUT_MS + 1;
	assert_int_equal(push_check(&o, &diag), -EINVAL);
	assert_string_equal(diag.file, "a");
	assert_string_equal(diag.text, "a timeout of more than 600 s");
	o.name = "a\nb";
	diag = (struct diag){ 0 };
	assert_int_equal(push_check(&o, &diag), -EINVAL);
	assert_null(diag.file);
	assert_int_equal(push_check(&o, NULL), -EINVAL);
}

static void numbers_and_places(void **state)
{
	struct push_options o = good;

	o.timeout_ms = PUSH_MAX_TIMEOUT_MS;
	o.batch = PUSH_MAX_BATCH;
	assert_true(is_taken(&o));
	o.timeout_ms++;
	assert_false(is_taken(&o));
	o.timeout_ms = 0;
	o.batch++;
	assert_false(is_taken(&o));
	o.batch = 0;
	assert_true(is_taken(&o));
	o.type = PUSH_NR_TYPES;
	assert_false(is_taken(&o));
	o.type = PUSH_NR_TYPES - 1;
	assert_true(is_taken(&o));
	o.proxy = "http://proxy:3128";
	assert_true(is_taken(&o));
	o.proxy = "proxy";
	assert_false(is_taken(&o));
	o.proxy = NULL;
	o.database = "a_1";
	assert_true(is_taken(&o));
	o.database = "a`b";
	assert_false(is_taken(&o));
}

static void assert_copied(const char *copy, const char *text)
{
	assert_non_null(copy);
	assert_ptr_not_equal(copy, text);
	assert_string_equal(copy, text);
}

static void a_copy_has_everything(void **state)
{
	static const char *const headers[] = { "A: b", "C: d", NULL }, *const keep[] = { "k", NULL };
	static const char *const services[] = { "s", "t", "u", NULL };
	const struct push_options from = {
		.name = "name", .type = PUSH_OTLP, .url = "url", .token = "token",
		.token_file = "token_file", .user = "user", .password = "password",
		.password_file = "password_file", .headers = headers, .ca_file = "ca",
		.cert_file = "cert", .key_file = "key", .proxy = "proxy", .timeout_ms = 7,
		.batch = 9, .database = "database", .services = services, .keep = keep,
	};
	struct push_options o;

	assert_int_equal(push_options_copy(&o, &from), 0);
	assert_copied(o.name, "name");
	assert_copied(o.url, "url");
	assert_copied(o.token, "token");
	assert_copied(o.token_file, "token_file");
	assert_copied(o.user, "user");
	assert_copied(o.password, "password");
	assert_copied(o.password_file, "password_file");
	assert_copied(o.ca_file, "ca");
	assert_copied(o.cert_file, "cert");
	assert_copied(o.key_file, "key");
	assert_copied(o.proxy, "proxy");
	assert_copied(o.database, "database");
	assert_copied(o.headers[0], "A: b");
	assert_copied(o.headers[1], "C: d");
	assert_copied(o.services[2], "u");
	assert_copied(o.keep[0], "k");
	assert_true(!o.headers[2] && !o.services[3] && !o.keep[1]);
	assert_true(o.type == PUSH_OTLP && o.timeout_ms == 7 && o.batch == 9);
	push_options_release(&o);
	assert_true(!o.name && !o.headers && !o.timeout_ms);
	push_options_release(&o);
}

static void a_copy_has_the_defaults(void **state)
{
	static const char *const services[] = { "service_name", "unit", "container", "command" };
	struct push_options o;
	size_t i;

	assert_int_equal(push_options_copy(&o, &good), 0);
	assert_int_equal(o.timeout_ms, PUSH_DEFAULT_TIMEOUT_MS);
	assert_int_equal(o.batch, PUSH_DEFAULT_BATCH);
	for (i = 0; i < ARRAY_SIZE(services); i++)
		assert_string_equal(o.services[i], services[i]);
	assert_null(o.services[i]);
	assert_true(!o.headers && !o.keep && !o.token && !o.proxy && !o.database);
	push_options_release(&o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names),
		cmocka_unit_test(headers),
		cmocka_unit_test(numbers_of_headers),
		cmocka_unit_test(secrets),
		cmocka_unit_test(errors_name_the_target),
		cmocka_unit_test(numbers_and_places),
		cmocka_unit_test(a_copy_has_everything),
		cmocka_unit_test(a_copy_has_the_defaults),
	};

	return cmocka_run_group_tests_name("push_options", tests, NULL, NULL);
}
