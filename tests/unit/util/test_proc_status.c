// SPDX-License-Identifier: GPL-2.0-only
/* Fields of /proc/PID/status, and the number of a process in its own namespace. */
#include "support.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/proc_status.h"

static char path[] = "/tmp/proc_status.XXXXXX";

static void write_status(const char *before, unsigned int groups, const char *after)
{
	FILE *f = fopen(path, "w");
	unsigned int i;

	assert_non_null(f);
	fprintf(f, "Name:\tNSpid:\n%s", before);
	fprintf(f, "Groups:\t");
	for (i = 0; i < groups; i++)
		fprintf(f, "%u ", 1000000 + i);
	fprintf(f, "\n%s", after);
	assert_int_equal(fclose(f), 0);
}

static void expect(const char *name, const char *value)
{
	char *got = proc_status_field(path, name);

	if (value)
		assert_string_equal(got, value);
	else
		assert_null(got);
	free(got);
}

static void values_are_whole(void **state)
{
	write_status("Uid:\t7\t8\t9\t10\n", 65536, "CapEff:\t00000000000000ff\nSeccomp:\t2\nLast: x");
	expect("Uid", "7\t8\t9\t10");
	expect("Name", "NSpid:");
	/* fields after a list of the maximum number of groups */
	expect("CapEff", "00000000000000ff");
	expect("Seccomp", "2");
	expect("Last", "x");
	expect("Sec", NULL);
	expect("eccomp", NULL);
	expect("", NULL);
}

static void the_inner_number_is_the_last(void **state)
{
	write_status("", 65536, "NSpid:\t4711\t12\t1\n");
	assert_int_equal(proc_status_inner_pid(path, 4711), 1);
	write_status("", 0, "NSpid:\t4711\n");
	assert_int_equal(proc_status_inner_pid(path, 4711), 4711);
	write_status("", 0, "NSpid:\n");
	assert_int_equal(proc_status_inner_pid(path, 4711), 4711);
	write_status("", 0, "");
	assert_int_equal(proc_status_inner_pid(path, 4711), 4711);
}

static void no_file_and_no_writer(void **state)
{
	unlink(path);
	expect("Uid", NULL);
	assert_int_equal(proc_status_inner_pid(path, 5), 5);
	/* nobody writes to it: the reader does not wait for it */
	assert_int_equal(mkfifo(path, 0600), 0);
	expect("Uid", NULL);
}

static void this_process(void **state)
{
	char own[PROC_STATUS_PATH], *uid;

	proc_status_path((uint32_t)getpid(), own);
	uid = proc_status_field(own, "Uid");
	assert_non_null(uid);
	assert_int_equal(strtoul(uid, NULL, 10), getuid());
	free(uid);
}

static int remove_file(void **state)
{
	return unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_are_whole),
		cmocka_unit_test(the_inner_number_is_the_last),
		cmocka_unit_test(no_file_and_no_writer),
		cmocka_unit_test(this_process),
	};
	int fd = mkstemp(path);

	if (fd < 0)
		return 1;
	close(fd);
	return cmocka_run_group_tests_name("proc_status", tests, NULL, remove_file);
}
