// SPDX-License-Identifier: GPL-2.0-only
/*
 * The ways to a process's file: their order, which of them are available, and the file that
 * each leads to.
 */
#include "support.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/file/process_file.h"

static char dir[] = "/tmp/process_file.XXXXXX";
static char path[64];

/* Records the questions to the judge, which accepts the file with one inode. */
static unsigned int asked[SUPPLY_NR_WAYS];
static enum supply_way last;

static enum supply_outcome judge(struct supply_file *f, enum supply_way way, const void *arg)
{
	const ino_t *ino = arg;

	assert_true(f->fd >= 0 && f->st.st_ino);
	/* in order: a way is not tried again after a later one */
	assert_true(way >= last);
	last = way;
	asked[way]++;
	return f->st.st_ino == *ino ? SUPPLY_CACHED : SUPPLY_REPLACED;
}

static enum supply_outcome find(struct supply_wanted w, ino_t ino, struct supply_file *ret)
{
	memset(asked, 0, sizeof(asked));
	last = SUPPLY_BY_MAPPING;
	w.judge = judge;
	w.arg = &ino;
	return supply_process_file(&w, ret);
}

/* The same without returning the file; the tried ways are in @asked. */
static enum supply_outcome ask(struct supply_wanted w, ino_t ino)
{
	struct supply_file f = SUPPLY_FILE_INIT;
	enum supply_outcome ret = find(w, ino, &f);

	assert_int_equal(f.fd >= 0, ret == SUPPLY_CACHED);
	supply_file_release(&f);
	return ret;
}

static ino_t make(const char *name)
{
	int fd = open(name, O_CREAT | O_TRUNC | O_RDWR, 0600);
	struct stat st;

	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, 4096), 0);
	assert_int_equal(fstat(fd, &st), 0);
	close(fd);
	return st.st_ino;
}

static struct supply_wanted map(const char *name, void **p)
{
	int fd = open(name, O_RDONLY);

	*p = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, 0);
	assert_ptr_not_equal(*p, MAP_FAILED);
	close(fd);
	return (struct supply_wanted){
		.path = name, .pid = (uint32_t)getpid(), .start = (uintptr_t)*p,
		.end = (uintptr_t)*p + 4096,
	};
}

static void each_way_once(void **state)
{
	bool root = !geteuid();
	struct supply_wanted w;
	void *p;

	make(path);
	w = map(path, &p);
	w.no_others = true;
	/* opening a mapping's file needs a right */
	assert_int_equal(ask(w, 0), SUPPLY_REPLACED);
	assert_int_equal(asked[SUPPLY_BY_MAPPING], root);
	assert_int_equal(asked[SUPPLY_BY_ROOT], 1);
	assert_int_equal(asked[SUPPLY_BY_PATH], 1);
	assert_int_equal(asked[SUPPLY_BY_OTHER_ROOT], 0);
	/* without a process only the path is left, and it must be absolute */
	w.pid = 0;
	assert_int_equal(ask(w, 0), SUPPLY_REPLACED);
	assert_int_equal(asked[SUPPLY_BY_ROOT], 0);
	assert_int_equal(asked[SUPPLY_BY_PATH], 1);
	w.path = "file";
	assert_int_equal(ask(w, 0), SUPPLY_GONE);
	munmap(p, 4096);
	unlink(path);
}

static void what_is_mapped_comes_first(void **state)
{
	struct supply_wanted w;
	ino_t old, new;
	void *p;

	if (geteuid())
		skip();
	old = make(path);
	w = map(path, &p);
	unlink(path);
	assert_int_equal(ask(w, old), SUPPLY_CACHED);
	assert_int_equal(asked[SUPPLY_BY_ROOT], 0);
	/* another file is at its path */
	new = make(path);
	assert_int_equal(ask(w, old), SUPPLY_CACHED);
	munmap(p, 4096);
	assert_int_equal(ask(w, new), SUPPLY_CACHED);
	assert_int_equal(asked[SUPPLY_BY_MAPPING], 0);
	unlink(path);
}

/* A process whose root is @dir, until @hold is closed. */
static pid_t start(int hold[2])
{
	int up[2];
	pid_t pid;
	char c;

	assert_int_equal(pipe(hold), 0);
	assert_int_equal(pipe(up), 0);
	pid = fork();
	if (!pid) {
		close(hold[1]);
		if (chroot(dir) || write(up[1], "", 1) != 1)
			_exit(1);
		_exit(read(hold[0], &c, 1) != 0);
	}
	close(hold[0]);
	close(up[1]);
	assert_int_equal(read(up[0], &c, 1), 1);
	close(up[0]);
	return pid;
}

static void end(pid_t pid, int hold[2])
{
	int status;

	close(hold[1]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static void roots_of_processes(void **state)
{
	struct supply_wanted w = { .path = "/file" };
	int one[2], other[2];
	pid_t a, b;
	ino_t ino;

	if (geteuid())
		skip();
	ino = make(path);
	b = start(other);
	/* it has @other too, and ends first */
	a = start(one);
	w.pid = (uint32_t)a;
	assert_int_equal(ask(w, ino), SUPPLY_CACHED);
	assert_int_equal(asked[SUPPLY_BY_ROOT], 1);
	assert_int_equal(asked[SUPPLY_BY_OTHER_ROOT], 0);
	end(a, one);
	w.no_others = true;
	assert_int_equal(ask(w, ino), SUPPLY_GONE);
	w.no_others = false;
	assert_int_equal(ask(w, ino), SUPPLY_CACHED);
	assert_int_equal(asked[SUPPLY_BY_OTHER_ROOT], 1);
	end(b, other);
	assert_int_not_equal(ask(w, ino), SUPPLY_CACHED);
	unlink(path);
}

static int remove_dir(void **state)
{
	return rmdir(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_way_once),
		cmocka_unit_test(what_is_mapped_comes_first),
		cmocka_unit_test(roots_of_processes),
	};

	if (!mkdtemp(dir))
		return 1;
	snprintf(path, sizeof(path), "%s/file", dir);
	return cmocka_run_group_tests_name("process_file", tests, NULL, remove_dir);
}
