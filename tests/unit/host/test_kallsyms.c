// SPDX-License-Identifier: GPL-2.0-only
/* host/kernel/kallsyms.h and build_id.h: names by address, chosen as perf chooses them. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "host/kernel/kallsyms.h"
#include "host/kernel/build_id.h"

static char path[] = "/tmp/ustack-kallsyms-XXXXXX";

static void write_list(const char *text)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static struct kallsyms *list(const char *text)
{
	struct kallsyms *k;

	write_list(text);
	assert_int_equal(kallsyms_new(path, &k, NULL), 0);
	return k;
}

static int make_path(void **state)
{
	int fd;

	strcpy(path + strlen(path) - 6, "XXXXXX");
	fd = mkstemp(path);
	close(fd);
	return fd < 0;
}

static int remove_path(void **state)
{
	return unlink(path);
}

static void expect(const struct kallsyms *k, uint64_t addr, const char *name,
		   uint64_t offset, const char *image)
{
	const struct kallsyms_image *i = kallsyms_image(k, addr);
	const char *got;
	uint64_t at;

	got = kallsyms_name(k, addr, &at);
	if (!name) {
		assert_null(got);
		assert_null(i);
		return;
	}
	assert_non_null(got);
	assert_string_equal(got, name);
	assert_int_equal(at, offset);
	assert_string_equal(i->name, image);
	assert_true(addr >= i->start && addr < i->limit);
}

static void test_find(void **state)
{
	struct kallsyms *k = list("ffffffff81000000 T _stext\n"
				  "ffffffff81000100 t f\n"
				  "ffffffff81000080 D data\n"
				  "ffffffff81000200 T g\n"
				  "ffffffff81000280 T _etext\n"
				  "ffffffffc0000000 t m\t[mod]\n"
				  "ffffffffc0000400 t bpf_prog_1\t[bpf]\n"
				  "nonsense\n\nffffffff x\n");

	expect(k, 0xffffffff81000000, "_stext", 0, "[kernel.kallsyms]");
	expect(k, 0xffffffff810000ff, "_stext", 0xff, "[kernel.kallsyms]");
	expect(k, 0xffffffff81000100, "f", 0, "[kernel.kallsyms]");
	expect(k, 0xffffffff8100027f, "g", 0x7f, "[kernel.kallsyms]");
	expect(k, 0xffffffff80ffffff, NULL, 0, NULL);
	expect(k, 0xffffffffc0000010, "m", 0x10, "[mod]");
	expect(k, 0xffffffffc0000401, "bpf_prog_1", 1, "[bpf]");
	expect(k, 0xffffffffc0002000, NULL, 0, NULL);
	expect(k, 0xffffffffa0000000, NULL, 0, NULL);
	expect(k, 0, NULL, 0, NULL);
	kallsyms_free(k);
}

static void test_choice(void **state)
{
	struct kallsyms *k = list("1000 t local\n1000 W weak\n1000 T __global\n1000 T _global\n"
				  "1000 T _globals\n2000 t second\n2000 t first_is_longer\n"
				  "3000 T aa\n3000 T bb\n");

	expect(k, 0x1000, "_globals", 0, "[kernel.kallsyms]");
	expect(k, 0x2000, "first_is_longer", 0, "[kernel.kallsyms]");
	expect(k, 0x3000, "aa", 0, "[kernel.kallsyms]");
	kallsyms_free(k);
}

static void test_refused(void **state)
{
	struct kallsyms *k = NULL;
	struct diag diag;

	write_list("0000000000000000 T _stext\n0000000000000000 t f\n");
	assert_int_equal(kallsyms_new(path, &k, &diag), -EPERM);
	assert_non_null(strstr(diag.text, "sysctl kernel."));
	write_list("");
	assert_int_equal(kallsyms_new(path, &k, &diag), -ENOENT);
	assert_int_equal(kallsyms_new("/nonexistent", &k, &diag), -ENOENT);
	assert_null(k);
}

static void test_refresh(void **state)
{
	struct kallsyms *k = list("1000 T f\n");

	write_list("1000 T g\n5000 t m\t[mod]\n");
	assert_int_equal(kallsyms_refresh(k, KALLSYMS_WAIT), 0);
	expect(k, 0x1000, "g", 0, "[kernel.kallsyms]");
	expect(k, 0x5000, "m", 0, "[mod]");
	write_list("");
	assert_int_equal(kallsyms_refresh(k, KALLSYMS_WAIT), -ENOENT);
	expect(k, 0x1000, "g", 0, "[kernel.kallsyms]");
	kallsyms_free(k);
}

/* The list is a pipe from now on. Return: its writing end, which does not block either. */
static int make_pipe(void)
{
	int fd;

	unlink(path);
	assert_int_equal(mkfifo(path, 0600), 0);
	fd = open(path, O_RDWR | O_CLOEXEC);
	assert_true(fd >= 0);
	return fd;
}

/* A list that has no end until the test ends it. */
static void test_slow_refresh(void **state)
{
	struct kallsyms *k = list("1000 T f\n");
	int fd = make_pipe(), unread = 1;

	assert_int_equal(write(fd, "1000 T g\n", 9), 9);
	assert_int_equal(kallsyms_refresh(k, 0), -EAGAIN);
	assert_int_equal(kallsyms_refresh(k, 20), -EAGAIN);
	expect(k, 0x1000, "f", 0, "[kernel.kallsyms]");
	assert_int_equal(write(fd, "2000 T h\n", 9), 9);
	for (; unread; usleep(1000))
		assert_int_equal(ioctl(fd, FIONREAD, &unread), 0);
	close(fd);
	assert_int_equal(kallsyms_refresh(k, KALLSYMS_WAIT), 0);
	expect(k, 0x1000, "g", 0, "[kernel.kallsyms]");
	expect(k, 0x2000, "h", 0, "[kernel.kallsyms]");
	kallsyms_free(k);
}

static void test_free_while_reading(void **state)
{
	struct kallsyms *k = list("1000 T f\n");
	int fd = make_pipe(), status;
	pid_t writer = fork();

	assert_true(writer >= 0);
	if (!writer) {
		while (write(fd, "1000 T g\n", 9) == 9)
			usleep(1000);
		_exit(1);
	}
	assert_int_equal(kallsyms_refresh(k, 20), -EAGAIN);
	kallsyms_free(k);
	/* it was still reading */
	assert_int_equal(waitpid(writer, &status, WNOHANG), 0);
	kill(writer, SIGKILL);
	waitpid(writer, &status, 0);
	close(fd);
}

/* Notes of one word each: name size, description size, type, ... */
static void test_notes(void **state)
{
	static const uint32_t good[] = {
		4, 4, 1, 0x554e47, 7,				/* GNU ABI tag */
		6, 1, 3, 0x656e694c, 0x78, 0xff,		/* a note of another owner */
		4, 20, 3, 0x554e47, 1, 2, 3, 4, 5,
	};
	uint8_t id[NOTES_MAX_BUILD_ID];
	uint32_t word[5];
	size_t len;

	assert_int_equal(notes_build_id((const uint8_t *)good, sizeof(good), id), 20);
	memcpy(word, id, sizeof(word));
	assert_int_equal(word[0], 1);
	assert_int_equal(word[4], 5);
	for (len = 0; len < sizeof(good); len++)
		assert_int_equal(notes_build_id((const uint8_t *)good, len, id), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_find, make_path, remove_path),
		cmocka_unit_test_setup_teardown(test_choice, make_path, remove_path),
		cmocka_unit_test_setup_teardown(test_refused, make_path, remove_path),
		cmocka_unit_test_setup_teardown(test_refresh, make_path, remove_path),
		cmocka_unit_test_setup_teardown(test_slow_refresh, make_path, remove_path),
		cmocka_unit_test_setup_teardown(test_free_while_reading, make_path, remove_path),
		cmocka_unit_test(test_notes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
