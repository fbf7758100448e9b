// SPDX-License-Identifier: GPL-2.0-only
/* A store that a group may read: only its folder and its segments. */
#include "support.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "profile/profile.h"
#include "serve/store/store.h"

#define GROUP 4242u
#define USER 4243u

static void append(struct store *s)
{
	struct profile *p = profile_new();
	struct diag diag = { 0 };

	profile_value_type(p, "samples", "count");
	profile_add(p, profile_stack(p, 0, profile_location(p, 0, 0x10)), 0, &(int64_t){ 1 });
	p->time_ns = 1000000000;
	p->duration_ns = 1;
	if (store_append(s, p, NULL, &diag))
		fail_msg("%s", diag.text);
	profile_free(p);
}

/* Opens a store, appends a window and closes it. */
static void use(const char *dir, bool shared)
{
	const struct store_options o = { .shared = shared, .group = GROUP };
	struct diag diag = { 0 };
	struct store *s;

	if (store_open(dir, &o, &s, &diag))
		fail_msg("%s", diag.text);
	append(s);
	store_close(s);
}

static void check_mode(const char *dir, const char *name, mode_t mode, gid_t group)
{
	char path[256];
	struct stat st;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	assert_int_equal(stat(path, &st), 0);
	if ((st.st_mode & 07777) != mode || st.st_gid != group)
		fail_msg("%s: mode %o, group %u", path, st.st_mode & 07777, st.st_gid);
}

static const char *segment(const char *dir)
{
	static char name[64];
	char command[256];
	FILE *f;

	snprintf(command, sizeof(command), "cd %s && echo *.seg", dir);
	f = popen(command, "r");
	assert_int_equal(fscanf(f, "%63s", name), 1);
	pclose(f);
	return name;
}

static void make_folder(char *dir)
{
	strcpy(dir, "/tmp/test_store_group.XXXXXX");
	assert_non_null(mkdtemp(dir));
	umask(077);
}

static void remove_folder(const char *dir)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -r '%s'", dir);
	assert_int_equal(system(command), 0);
}

static void test_group(void **state)
{
	char dir[64];

	if (geteuid())
		skip();
	make_folder(dir);
	use(dir, false);
	check_mode(dir, ".", 0700, 0);
	check_mode(dir, segment(dir), 0600, 0);
	/* files that existed before can be read, too */
	use(dir, true);
	check_mode(dir, ".", 0750, GROUP);
	check_mode(dir, segment(dir), 0640, GROUP);
	check_mode(dir, "lock", 0600, 0);
	remove_folder(dir);

	make_folder(dir);
	use(dir, true);
	check_mode(dir, segment(dir), 0640, GROUP);
	remove_folder(dir);
}

/* A process that is not a member of the group cannot give files to it. */
static void test_foreign(void **state)
{
	const struct store_options o = { .shared = true, .group = GROUP };
	struct diag diag = { 0 };
	struct store *s;
	char dir[64];
	int status;

	if (geteuid())
		skip();
	make_folder(dir);
	assert_int_equal(chown(dir, USER, USER), 0);
	if (!fork()) {
		if (setresgid(USER, USER, USER) || setresuid(USER, USER, USER))
			_exit(1);
		if (store_open(dir, &o, &s, &diag) != -EPERM)
			_exit(2);
		_exit(strstr(diag.text, "cannot be given to group 4242") ? 0 : 3);
	}
	assert_true(wait(&status) > 0);
	assert_int_equal(status, 0);
	remove_folder(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_group),
		cmocka_unit_test(test_foreign),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
