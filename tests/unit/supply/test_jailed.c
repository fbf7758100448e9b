// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests the jail that makes sections: makers that answer, fail, crash, wait, use up memory and
 * write too much.
 */
#include "support.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "supply/jailed.h"

static const struct supply_file file = { .fd = -1, .path = "prog" };

static int call(supply_maker make, struct cache_entry *e, struct supply_result *r,
		struct diag *diag)
{
	*e = (struct cache_entry)CACHE_ENTRY_INIT;
	*r = (struct supply_result){ 0 };
	*diag = (struct diag){ 0 };
	return supply_in_jail(make, &file, e, r, diag);
}

static void fails(supply_maker make, int err, const char *text)
{
	struct supply_result r;
	struct cache_entry e;
	struct diag diag;

	assert_int_equal(call(make, &e, &r, &diag), err);
	assert_null(e.bytes);
	assert_non_null(strstr(diag.text, text));
	assert_string_equal(diag.file, "prog");
}

static int answers(const struct supply_file *f, struct cache_entry *e, struct supply_result *r,
		   struct diag *diag)
{
	if (f != &file)
		return -EINVAL;
	*e = (struct cache_entry){
		.bytes = malloc(100000), .len = 100000, .vaddr = 0x1000, .functions = 3,
		.rows = 7,
	};
	memset(e->bytes, 0x5a, e->len);
	r->cfi_bytes = 1234;
	return 0;
}

static void it_answers(void **state)
{
	struct supply_result r;
	struct cache_entry e;
	struct diag diag;

	assert_int_equal(call(answers, &e, &r, &diag), 0);
	assert_int_equal(e.len, 100000);
	assert_int_equal(e.vaddr, 0x1000);
	assert_int_equal(e.functions, 3);
	assert_int_equal(e.rows, 7);
	assert_int_equal(e.bytes[0], 0x5a);
	assert_int_equal(e.bytes[99999], 0x5a);
	assert_int_equal(r.cfi_bytes, 1234);
	free(e.bytes);
}

static int has_nothing(const struct supply_file *f, struct cache_entry *e,
		       struct supply_result *r, struct diag *diag)
{
	return 0;
}

static void it_has_nothing(void **state)
{
	struct supply_result r;
	struct cache_entry e;
	struct diag diag;

	assert_int_equal(call(has_nothing, &e, &r, &diag), 0);
	assert_null(e.bytes);
	assert_int_equal(e.functions, 0);
}

static int refuses(const struct supply_file *f, struct cache_entry *e, struct supply_result *r,
		   struct diag *diag)
{
	return diag_set(diag, EFBIG, f->path, "it has %u of them", 77u);
}

static int crashes(const struct supply_file *f, struct cache_entry *e, struct supply_result *r,
		   struct diag *diag)
{
	signal(SIGSEGV, SIG_DFL);
	raise(SIGSEGV);
	return 0;
}

static int takes_time(const struct supply_file *f, struct cache_entry *e,
		      struct supply_result *r, struct diag *diag)
{
	raise(SIGXCPU);
	return 0;
}

static int leaves(const struct supply_file *f, struct cache_entry *e, struct supply_result *r,
		  struct diag *diag)
{
	_exit(0);
}

static int lies(const struct supply_file *f, struct cache_entry *e, struct supply_result *r,
		struct diag *diag)
{
	e->functions = 1;
	e->len = 1000;
	return 0;	/* an answer without bytes */
}

static int lies_more(const struct supply_file *f, struct cache_entry *e,
		     struct supply_result *r, struct diag *diag)
{
	e->functions = 1;
	e->len = UINT32_MAX;
	return 0;
}

static int writes_much(const struct supply_file *f, struct cache_entry *e,
		       struct supply_result *r, struct diag *diag)
{
	e->functions = 1;
	e->len = JAILED_MAX_BYTES + 1;
	e->bytes = mmap(NULL, e->len, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return e->bytes == MAP_FAILED ? -ENOMEM : 0;
}

static void it_fails(void **state)
{
	fails(refuses, -EFBIG, "it has 77 of them");
	fails(crashes, -EBADMSG, "signal 11");
	fails(takes_time, -EBADMSG, "it took too long");
	fails(leaves, -EBADMSG, "wrote nothing");
	fails(lies, -EBADMSG, "cut short");
	fails(lies_more, -EBADMSG, "a section of");
	fails(writes_much, -EBADMSG, "signal 25");
}

static int memory(const struct supply_file *f, struct cache_entry *e, struct supply_result *r,
		  struct diag *diag)
{
	void *all = mmap(NULL, JAILED_MAX_MEMORY + (1 << 20), PROT_NONE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return all == MAP_FAILED ? -ENOMEM : 0;
}

static int rights(const struct supply_file *f, struct cache_entry *e, struct supply_result *r,
		  struct diag *diag)
{
	if (!geteuid() || !getegid() || !setuid(0))
		return -EPERM;
	return access("/etc/shadow", R_OK) && open("/etc/shadow", O_RDONLY) < 0 ? 0 : -EACCES;
}

/* Reports the descriptors and variables that it has inherited. */
static int is_alone(const struct supply_file *f, struct cache_entry *e, struct supply_result *r,
		    struct diag *diag)
{
	int fd, nr = 0, signal = 0;

	for (fd = 3; fd < 1024; fd++)
		nr += fcntl(fd, F_GETFD) >= 0;
	prctl(PR_GET_PDEATHSIG, &signal);
	return diag_set(diag, EPERM, f->path, "%d descriptors, signal %d, file %d", nr, signal,
			f->fd < 0 || fcntl(f->fd, F_GETFD) >= 0);
}

static void it_is_alone(void **state)
{
	struct supply_file open_file = { .fd = open("/proc/self/exe", O_RDONLY), .path = "prog" };
	struct supply_result r = { 0 };
	struct cache_entry e = CACHE_ENTRY_INIT;
	struct diag diag = { 0 };
	int fds[40], i;

	for (i = 0; i < 40; i++)
		fds[i] = open("/dev/null", O_RDONLY | O_CLOEXEC);
	/* the descriptor for its answer is the second one */
	fails(is_alone, -EPERM, "1 descriptors, signal 9, file 1");
	assert_int_equal(supply_in_jail(is_alone, &open_file, &e, &r, &diag), -EPERM);
	assert_non_null(strstr(diag.text, "2 descriptors, signal 9, file 1"));
	for (i = 0; i < 40; i++)
		close(fds[i]);
	close(open_file.fd);
}

static void it_has_limits(void **state)
{
	struct supply_result r;
	struct cache_entry e;
	struct diag diag;

	assert_int_equal(call(memory, &e, &r, &diag), -ENOMEM);
	if (geteuid())
		skip();
	assert_int_equal(call(rights, &e, &r, &diag), 0);
	assert_int_equal(geteuid(), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_answers), cmocka_unit_test(it_has_nothing),
		cmocka_unit_test(it_fails), cmocka_unit_test(it_is_alone),
		cmocka_unit_test(it_has_limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
