// SPDX-License-Identifier: GPL-2.0-only
/* Requests of clients of the daemon's server: targets, forms, hosts, tokens, cookies. */
#include "support.h"

#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

#include "serve/daemon/auth.h"
#include "serve/daemon/request.h"

#define NS 1000000000ull

static void targets(void **state)
{
	struct request r;

	assert_int_equal(request_parse("/api/v1/series?from=1&select=a%3D%22b+c%22&&x&y=", &r, NULL), 0);
	assert_string_equal(r.path, "/api/v1/series");
	assert_int_equal(r.nr_params, 4);
	assert_string_equal(request_get(&r, "from"), "1");
	assert_string_equal(request_get(&r, "select"), "a=\"b c\"");
	assert_string_equal(request_get(&r, "x"), "");
	assert_string_equal(request_get(&r, "y"), "");
	assert_null(request_get(&r, "z"));
	request_release(&r);
	assert_int_equal(request_parse("/", &r, NULL), 0);
	assert_int_equal(r.nr_params, 0);
	request_release(&r);
	/* a path is never decoded: no served path has an escape */
	assert_int_equal(request_parse("/%2e%2e/?a=1", &r, NULL), 0);
	assert_string_equal(r.path, "/%2e%2e/");
	request_release(&r);
	assert_int_equal(request_parse_form("token=a%2Bb&x=1", &r, NULL), 0);
	assert_string_equal(request_get(&r, "token"), "a+b");
	request_release(&r);
}

static void bad_targets(void **state)
{
	static const char *const bad[] = { "/?a=%", "/?a=%4", "/?a=%zz", "/?a=%4g", "/?%00=1",
					   "/?a=b%00c", "/?a=1&a=2", "/?a&a", "/?a=1&%61=2" };
	char many[REQUEST_MAX_TARGET + 2] = "/?";
	struct request r;
	struct diag diag;
	size_t i, len;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(request_parse(bad[i], &r, &diag), -EINVAL);
		assert_true(*diag.text);
	}
	for (i = 0, len = 2; i < REQUEST_MAX_PARAMS; i++)
		len += (size_t)sprintf(many + len, "k%zu=&", i);
	assert_int_equal(request_parse(many, &r, NULL), 0);
	assert_int_equal(r.nr_params, REQUEST_MAX_PARAMS);
	request_release(&r);
	strcpy(many + len, "more");
	assert_int_equal(request_parse(many, &r, NULL), -E2BIG);
	memset(many, '/', REQUEST_MAX_TARGET + 1);
	many[REQUEST_MAX_TARGET + 1] = 0;
	assert_int_equal(request_parse(many, &r, NULL), -E2BIG);
	many[REQUEST_MAX_TARGET] = 0;
	assert_int_equal(request_parse(many, &r, NULL), 0);
	request_release(&r);
}

static void times(void **state)
{
	static const struct {
		const char *text;
		int err;
		uint64_t want;
	} all[] = {
		{ "0", 0, 0 }, { "1.5", 0, 1500000000 }, { "1.0000000019", 0, 1000000001 },
		{ "1700000000", 0, 1700000000 * NS }, { "now", 0, 1000000 * NS },
		{ "now-15m", 0, (1000000 - 900) * NS }, { "now-1h30m", 0, (1000000 - 5400) * NS },
		{ "now-2", 0, 999998 * NS }, { "now-200ms", 0, 1000000 * NS - 200000000 },
		{ "-15m", 0, (1000000 - 900) * NS }, { "@7", 0, 7 * NS },
		{ "1970-01-02T00:00:01Z", 0, 86401 * NS }, { "16725225599", 0, 16725225599 * NS },
		{ "16725225600", -EINVAL, 0 }, { "99999999999999999999", -EINVAL, 0 },
		{ "now-3000000", -EINVAL, 0 }, { "now-99999999999999w", -EINVAL, 0 },
		{ "1.000000000000000000000000000000000000000000000000001", -EINVAL, 0 },
		{ "", -EINVAL, 0 }, { "-1", -EINVAL, 0 }, { "1s", -EINVAL, 0 }, { "now+1", -EINVAL, 0 },
		{ "now-", -EINVAL, 0 }, { "now-1y", -EINVAL, 0 }, { " 1", -EINVAL, 0 },
		{ "now-1.5", -EINVAL, 0 }, { "0x10", -EINVAL, 0 }, { ".5", -EINVAL, 0 },
		{ "nowhere", -EINVAL, 0 }, { "1.5.5", -EINVAL, 0 }, { "1.", -EINVAL, 0 },
		{ "9", 0, 9 * NS }, { "now-1000000", 0, 0 }, { "now-1000001", -EINVAL, 0 },
		/* the longest number, and a longer one */
		{ "now-000000002", 0, 999998 * NS }, { "now-0000000002", -EINVAL, 0 },
		{ "now-000000002000", -EINVAL, 0 }, { "now-0000000020000", -EINVAL, 0 },
		{ "7.00000000000000000000000000000000000000000000", 0, 7 * NS },
		{ "7.000000000000000000000000000000000000000000000", -EINVAL, 0 },
	};
	uint64_t got;
	size_t i;

	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		int err = request_time(all[i].text, 1000000 * NS, &got);

		if (err != all[i].err || (!err && got != all[i].want))
			fail_msg("'%s' is %llu", all[i].text, (unsigned long long)got);
	}
}

static void numbers(void **state)
{
	struct request r;
	uint64_t n = 7;

	assert_int_equal(request_parse("/?a=12&b=-1&c=1x&d=&e=101", &r, NULL), 0);
	assert_int_equal(request_u64(&r, "none", 100, &n, NULL), 0);
	assert_int_equal(n, 7);
	assert_int_equal(request_u64(&r, "a", 100, &n, NULL), 0);
	assert_int_equal(n, 12);
	assert_int_equal(request_u64(&r, "a", 12, &n, NULL), 0);
	assert_int_equal(request_u64(&r, "a", 11, &n, NULL), -ERANGE);
	assert_int_equal(request_u64(&r, "b", 100, &n, NULL), -EINVAL);
	assert_int_equal(request_u64(&r, "c", 100, &n, NULL), -EINVAL);
	assert_int_equal(request_u64(&r, "d", 100, &n, NULL), -EINVAL);
	assert_int_equal(request_u64(&r, "e", 100, &n, NULL), -ERANGE);
	assert_int_equal(n, 12);
	request_release(&r);
}

static void addresses(void **state)
{
	static const struct {
		const char *text;
		int loopback;	/* -1: refused */
	} all[] = {
		{ "127.0.0.1:7071", 1 }, { "127.8.9.1:0", 1 }, { "[::1]:7071", 1 },
		{ "0.0.0.0:7071", 0 }, { "[::]:80", 0 }, { "10.0.0.1:80", 0 },
		{ "[::ffff:127.0.0.1]:80", 1 }, { "[::ffff:128.0.0.1]:80", 0 }, { "[2001:db8::1]:80", 0 },
		{ "localhost:80", -1 }, { "::1:80", -1 }, { ":80", -1 }, { "127.0.0.1", -1 },
		{ "127.0.0.1:", -1 }, { "127.0.0.1:65536", -1 }, { "127.0.0.1:http", -1 },
		{ "[::1]", -1 }, { "[::1]80", -1 }, { "[]:80", -1 }, { "", -1 }, { "[::1", -1 },
		{ "127.0.0.1:-1", -1 }, { "127.0.0.1: 80", -1 }, { "256.0.0.1:80", -1 },
		{ "127.0.0.1:65535", 1 }, { "127.0.0.1:000080", 1 }, { "127.0.0.1:0000080", -1 },
		{ "127.0.0.1:4294967376", -1 },	/* 80 modulo 2^32 */
	};
	struct sockaddr_storage a, none = { 0 };
	socklen_t len;
	size_t i;

	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		int err = auth_address(all[i].text, &a, &len, NULL);

		if (err != (all[i].loopback < 0 ? -EINVAL : 0) ||
		    (!err && auth_is_loopback(&a) != all[i].loopback))
			fail_msg("%s: %d", all[i].text, err);
	}
	memset(&a, 0xff, sizeof(a));
	assert_int_equal(auth_address("127.0.0.1:7071", &a, &len, NULL), 0);
	assert_memory_equal((char *)&a + len, &none, sizeof(a) - len);
	assert_int_equal(ntohs(((struct sockaddr_in *)&a)->sin_port), 7071);
	assert_int_equal(len, sizeof(struct sockaddr_in));
}

static void hosts(void **state)
{
	static const char *const local[] = { "localhost", "LOCALHOST:7071", "127.0.0.1:1", "127.1.2.3",
					     "[::1]", "[::1]:7071" };
	static const char *const foreign[] = { "", "evil.example", "localhost.evil.example",
		"127.0.0.1.evil.example", "127.0.0.1:80:80", "localhost:", "localhost:99999",
		"10.0.0.1", "[::2]:80", "[::1]evil", "[::1", "[::1]:", "0.0.0.0", "localhost@evil",
		"127.1", "0x7f.0.0.1", "2130706433", " localhost", "localhost ", "[fe80::1]",
		"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" };
	size_t i;

	for (i = 0; i < sizeof(local) / sizeof(local[0]); i++)
		if (!auth_host_is_local(local[i]))
			fail_msg("%s is local", local[i]);
	for (i = 0; i < sizeof(foreign) / sizeof(foreign[0]); i++)
		if (auth_host_is_local(foreign[i]))
			fail_msg("%s is foreign", foreign[i]);
	assert_false(auth_host_is_local(NULL));
}

/* A browser sends the cookies of everything that was ever served at this address. */
static void cookies_of_others(void **state)
{
	char session[AUTH_SESSION_LEN + 1], cookies[512];

	assert_int_equal(auth_session_new(session), 0);
	snprintf(cookies, sizeof(cookies), "%s=short; %s=%sa; %s=%s", AUTH_COOKIE, AUTH_COOKIE,
		 session, AUTH_COOKIE, session);
	assert_true(auth_cookie(cookies, session));
	snprintf(cookies, sizeof(cookies), "%s=%s; theme=dark", AUTH_COOKIE, session);
	assert_true(auth_cookie(cookies, session));
}

/* Lengths and characters at both ends of what a token may have. */
static void bounds_of_tokens(void **state)
{
	char token[AUTH_MAX_TOKEN + 2];
	struct diag diag;
	int c;

	memset(token, 'a', sizeof(token));
	token[AUTH_MAX_TOKEN] = 0;
	assert_int_equal(auth_token_check(token, NULL), 0);
	token[AUTH_MAX_TOKEN] = 'a';
	token[AUTH_MAX_TOKEN + 1] = 0;
	assert_int_equal(auth_token_check(token, NULL), -EINVAL);
	token[AUTH_MIN_TOKEN] = 0;
	for (c = 1; c < 256; c++) {
		token[0] = (char)c;
		assert_int_equal(auth_token_check(token, NULL),
				 c >= '!' && c <= '~' ? 0 : -EINVAL);
	}
	assert_int_equal(auth_token_check(token, &diag), -EINVAL);
	assert_non_null(strstr(diag.text, "character 0 "));
}

static void tokens(void **state)
{
	char session[AUTH_SESSION_LEN + 1], other[AUTH_SESSION_LEN + 1], cookies[512];

	assert_true(auth_equal("", ""));
	assert_true(auth_equal("secret", "secret"));
	assert_false(auth_equal("secret", "secreT"));
	assert_false(auth_equal("secret", "secretsecret"));
	assert_false(auth_equal("secretsecret", "secret"));
	assert_false(auth_equal("", "secret"));
	assert_false(auth_equal("secret", ""));
	assert_true(auth_bearer("Bearer 0123456789abcdef", "0123456789abcdef"));
	assert_true(auth_bearer("bearer   0123456789abcdef", "0123456789abcdef"));
	assert_false(auth_bearer("Bearer 0123456789abcdef ", "0123456789abcdef"));
	assert_false(auth_bearer("Bearer", "0123456789abcdef"));
	assert_false(auth_bearer("Basic 0123456789abcdef", "0123456789abcdef"));
	assert_false(auth_bearer(NULL, "0123456789abcdef"));
	assert_int_equal(auth_session_new(session), 0);
	assert_int_equal(auth_session_new(other), 0);
	assert_int_equal(strlen(session), AUTH_SESSION_LEN);
	assert_string_not_equal(session, other);
	snprintf(cookies, sizeof(cookies), "a=b; %s=%s; %s=%s ;c=d", AUTH_COOKIE, other, AUTH_COOKIE,
		 session);
	assert_true(auth_cookie(cookies, session));
	assert_true(auth_cookie(cookies, other));
	snprintf(cookies, sizeof(cookies), "x%s=%s; %s=%.63s; %s=%sa", AUTH_COOKIE, session,
		 AUTH_COOKIE, session, AUTH_COOKIE, session);
	assert_false(auth_cookie(cookies, session));
	assert_false(auth_cookie(NULL, session));
	assert_false(auth_cookie("", session));
	assert_false(auth_cookie(";;; ;", session));
	assert_int_equal(auth_token_check("0123456789abcdef", NULL), 0);
	assert_int_equal(auth_token_check("0123456789abcde", NULL), -EINVAL);
	assert_int_equal(auth_token_check("0123456789abcde\n", NULL), -EINVAL);
	assert_int_equal(auth_token_check("0123456789 abcdef", NULL), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(targets), cmocka_unit_test(bad_targets), cmocka_unit_test(times),
		cmocka_unit_test(numbers), cmocka_unit_test(addresses), cmocka_unit_test(hosts),
		cmocka_unit_test(tokens), cmocka_unit_test(cookies_of_others),
		cmocka_unit_test(bounds_of_tokens),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
