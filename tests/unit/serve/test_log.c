// SPDX-License-Identifier: GPL-2.0-only
/* The daemon's log messages, as they appear on standard error. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "serve/daemon/log.h"

static FILE *file;
static int before;

static void begin(void)
{
	fflush(stderr);
	before = dup(STDERR_FILENO);
	file = tmpfile();
	assert_non_null(file);
	assert_true(before >= 0 && dup2(fileno(file), STDERR_FILENO) >= 0);
}

/* Return: all messages since begin(). */
static const char *end(void)
{
	static char text[4096];
	size_t len;

	fflush(stderr);
	assert_true(dup2(before, STDERR_FILENO) >= 0);
	close(before);
	rewind(file);
	len = fread(text, 1, sizeof(text) - 1, file);
	text[len] = '\0';
	fclose(file);
	return text;
}

/* A name cannot start a second line, set a level of the journal, or control a terminal. */
static void test_names(void **state)
{
	const char *said;

	setenv("JOURNAL_STREAM", "1:2", 1);
	begin();
	daemon_log(LOG_IS_ERROR, "%s: is damaged", "/tmp/a\n<0>ustackd: all is lost\x1b[2J\r\x7f\xc2\x9b");
	said = end();
	assert_string_equal(said, "<3>ustackd: /tmp/a\\012<0>ustackd: all is lost\\033[2J\\015"
			    "\\177\\302\\233: is damaged\n");
}

/* A text that is too long for a line is cut; it stays one line. */
static void test_long(void **state)
{
	char name[5000];
	const char *said;

	memset(name, '\n', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	begin();
	daemon_note(name, NULL);
	said = end();
	assert_true(strlen(said) < 600);
	assert_ptr_equal(strchr(said, '\n'), said + strlen(said) - 1);
}

/* Verbose messages are printed only on request, and each time. */
static void test_verbose(void **state)
{
	const char *said;

	begin();
	daemon_log(LOG_IS_DEBUG, "nobody asked");
	daemon_detail("nobody asked", NULL);
	daemon_log_verbose(true);
	daemon_log(LOG_IS_DEBUG, "window %d", 1);
	daemon_detail("window 1", NULL);
	daemon_log_verbose(false);
	daemon_detail("nobody asked", NULL);
	said = end();
	assert_string_equal(said, "<7>ustackd: window 1\n<7>ustackd: window 1\n");
}

/* A repeated message is printed once, with or without other messages in between. */
static void test_again(void **state)
{
	const char *said;
	int i;

	begin();
	for (i = 0; i < 5; i++) {
		daemon_log(LOG_IS_NOTE, "again");
		daemon_log(LOG_IS_NOTE, "number %d", i);
	}
	said = end();
	assert_string_equal(said, "<5>ustackd: again\n<5>ustackd: number 0\n<5>ustackd: number 1\n"
			    "<5>ustackd: number 2\n<5>ustackd: number 3\n<5>ustackd: number 4\n");
}

/* Without the journal each line has its time. */
static void test_time(void **state)
{
	const char *said;

	unsetenv("JOURNAL_STREAM");
	begin();
	daemon_log(LOG_IS_INFO, "begins");
	said = end();
	assert_int_equal(strspn(said, "0123456789-: "), 20);
	assert_string_equal(said + 20, "ustackd: begins\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_long),
		cmocka_unit_test(test_verbose),
		cmocka_unit_test(test_again),
		cmocka_unit_test(test_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
