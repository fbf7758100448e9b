// SPDX-License-Identifier: GPL-2.0-only
/* Reading the daemon's configuration file and its files of secrets. */
#include "support.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "serve/daemon/config.h"

static void write_file(const char *path, const char *bytes, size_t len, mode_t mode)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, len), len);
	assert_int_equal(fchmod(fd, mode), 0);
	close(fd);
}

static void test_files(void **state)
{
	char path[] = "/tmp/test_config_file.XXXXXX";
	struct daemon_config c;
	struct diag diag = { 0 };
	int fd = mkstemp(path);

	close(fd);
	write_file(path, B("user: root\n"), 0600);
	assert_int_equal(config_load(path, &c, &diag), 0);
	assert_string_equal(c.user, "root");
	config_free(&c);
	write_file(path, B("user: [\n"), 0600);
	assert_int_equal(config_load(path, &c, &diag), -EINVAL);
	assert_string_equal(diag.file, path);
	assert_int_equal(truncate(path, CONFIG_MAX_BYTES + 1), 0);
	assert_int_equal(config_load(path, &c, &diag), -EFBIG);
	unlink(path);
	assert_int_equal(config_load(path, &c, &diag), -ENOENT);
	assert_int_equal(config_load("/", &c, &diag), -EISDIR);
}

static void test_secret(void **state)
{
	static const struct {
		const char *bytes;
		size_t len;
		const char *want;
	} cases[] = {
		{ B("abc"), "abc" },
		{ B("abc\n"), "abc" },
		{ B("abc\r\n"), "abc" },
		{ B(" a b \xc3\xa4\n"), " a b \xc3\xa4" },
		{ B("abc\n\n"), NULL },
		{ B("a\nb"), NULL },
		{ B("a\0b"), NULL },
		{ B("\n"), NULL },
		{ B(""), NULL },
	};
	char path[] = "/tmp/test_config_file.XXXXXX", *big = calloc(1, CONFIG_MAX_SECRET + 1);
	struct diag diag = { 0 };
	bool others;
	char *secret;
	size_t i;

	close(mkstemp(path));
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		write_file(path, cases[i].bytes, cases[i].len, 0640);
		if (!cases[i].want) {
			assert_int_equal(config_secret_read(path, &secret, NULL, &diag), -EINVAL);
			continue;
		}
		assert_int_equal(config_secret_read(path, &secret, &others, &diag), 0);
		assert_string_equal(secret, cases[i].want);
		assert_false(others);
		config_secret_free(secret);
	}
	write_file(path, B("abc"), 0644);
	assert_int_equal(config_secret_read(path, &secret, &others, &diag), 0);
	assert_true(others);
	config_secret_free(secret);
	config_secret_free(NULL);
	memset(big, 'x', CONFIG_MAX_SECRET + 1);
	write_file(path, big, CONFIG_MAX_SECRET, 0600);
	assert_int_equal(config_secret_read(path, &secret, &others, &diag), 0);
	assert_int_equal(strlen(secret), CONFIG_MAX_SECRET);
	config_secret_free(secret);
	write_file(path, big, CONFIG_MAX_SECRET + 1, 0600);
	assert_int_equal(config_secret_read(path, &secret, &others, &diag), -EFBIG);
	unlink(path);
	assert_int_equal(mkfifo(path, 0600), 0);
	/* and does not wait for a writer */
	assert_int_equal(config_secret_read(path, &secret, &others, &diag), -EINVAL);
	unlink(path);
	assert_int_equal(config_secret_read(path, &secret, &others, &diag), -ENOENT);
	free(big);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_files),
		cmocka_unit_test(test_secret),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
