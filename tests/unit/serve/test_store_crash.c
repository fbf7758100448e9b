// SPDX-License-Identifier: GPL-2.0-only
/*
 * The store when things go wrong: killed writers, full disks and short writes, files that are
 * cut or changed at every byte; and readers beside a writer.
 */
#include "store_random.h"
#include "rounds.h"

#include <glob.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

/* Number of bytes that the disk accepts before it is full; negative: any number. */
static long disk_left = -1;
static bool no_truncate;

ssize_t pwrite(int fd, const void *bytes, size_t len, off_t at)
{
	if (!disk_left) {
		errno = ENOSPC;
		return -1;
	}
	if (disk_left > 0 && len > (size_t)disk_left)
		len = (size_t)disk_left;
	if (disk_left > 0)
		disk_left -= (long)len;
	return syscall(SYS_pwrite64, fd, bytes, len, at);
}

int ftruncate(int fd, off_t len)
{
	if (no_truncate) {
		errno = EIO;
		return -1;
	}
	return (int)syscall(SYS_ftruncate, fd, len);
}

/* Equal windows for equal numbers. */
static struct profile *window_of(uint32_t n)
{
	random_state = (n + 1) * 0x9e3779b97f4a7c15ull;
	return random_window(n);
}

static int try_append(struct store *s, uint32_t n)
{
	struct profile *p = window_of(n);
	int err = store_append(s, p, NULL, NULL);

	profile_free(p);
	return err;
}

static void check_window(const struct profile *got)
{
	struct profile *p = window_of(window_number(got));

	assert_same_profile(got, p);
	profile_free(p);
}

/* The windows of a store from a position on: ascending numbers. Return: how many there are. */
static uint32_t count_windows(const char *dir, struct store_position *from, uint32_t first)
{
	struct store_reader *r = must_read(dir, *from);
	struct store_window w;
	struct diag diag = { .text = "" };
	uint32_t nr = 0;
	int n;

	while ((n = store_reader_next(r, &w, &diag)) > 0) {
		assert_int_equal(window_number(w.profile), first + nr);
		check_window(w.profile);
		*from = w.next;
		nr++;
	}
	if (n)
		print_error("%s\n", diag.text);
	assert_int_equal(n, 0);
	store_reader_free(r);
	return nr;
}

static void read_beside(const char *dir, uint32_t nr)
{
	struct store_reader *r = must_read(dir, (struct store_position){ 0, 0 });
	struct store_window w;
	uint32_t seen = 0;
	int n;

	while (seen < nr) {
		n = store_reader_next(r, &w, NULL);
		if (n < 0 || (n && window_number(w.profile) != seen))
			_exit(1);
		if (n) {
			check_window(w.profile);
			seen++;
		} else {
			usleep(100);
		}
	}
	_exit(store_reader_next(r, &w, NULL) ? 2 : 0);
}

static void test_readers_beside(void **state)
{
	enum { READERS = 3 };
	const uint32_t nr = rounds(200, 60);
	char *dir = make_dir();
	struct store *s = must_open(dir, (struct store_options){ .segment_bytes = 60000 });
	pid_t pid[READERS];
	int status, i;
	uint32_t n;

	for (i = 0; i < READERS; i++) {
		pid[i] = fork();
		if (!pid[i]) {
			alarm(60);
			read_beside(dir, nr);
		}
	}
	for (n = 0; n < nr; n++)
		assert_int_equal(try_append(s, n), 0);
	for (i = 0; i < READERS; i++) {
		assert_int_equal(waitpid(pid[i], &status, 0), pid[i]);
		assert_int_equal(status, 0);
	}
	store_close(s);
	remove_dir(dir);
}

/* Appends for ever and reports each window that it has appended. */
static void write_until_killed(const char *dir, uint32_t n, int fd)
{
	struct store *s = must_open(dir, (struct store_options){ .segment_bytes = 100000 });

	for (;; n++) {
		if (try_append(s, n))
			_exit(1);
		n++;
		if (write(fd, &n, sizeof(n)) != sizeof(n))
			_exit(2);
		n--;
	}
}

/*
 * Kills the writer some time after its start, or after its first window.
 * Return: number of windows that it reported.
 */
static uint32_t kill_writer(const char *dir, uint32_t from, uint32_t usec, bool wait)
{
	uint32_t said = from, n;
	int fds[2], status;
	pid_t pid;

	assert_int_equal(pipe(fds), 0);
	pid = fork();
	if (!pid) {
		close(fds[0]);
		write_until_killed(dir, from, fds[1]);
	}
	close(fds[1]);
	if (wait)
		assert_int_equal(read(fds[0], &said, sizeof(said)), sizeof(said));
	usleep(usec);
	kill(pid, SIGKILL);
	while (read(fds[0], &n, sizeof(n)) == sizeof(n))
		said = n;
	close(fds[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	return said;
}

static void test_kill(void **state)
{
	char *dir = make_dir();
	struct store_position at = { 0, 0 };
	uint32_t nr = 0, said, round;
	const uint32_t least = rounds(200, 50);
	uint64_t delays = 99, keep;

	/*
	 * if a window takes long, few are written before the kill: then there are more rounds
	 */
	for (round = 0; round < least || nr <= least; round++) {
		keep = random_state;
		random_state = delays;
		said = random_below(8000);
		delays = random_state;
		random_state = keep;
		said = kill_writer(dir, nr, said, round % 3);
		/*
		 * the files that it leaves can be read at once, and after the next writer has
		 * opened them
		 */
		if (round % 2)
			store_close(must_open(dir, (struct store_options){ 0 }));
		nr += count_windows(dir, &at, nr);
		assert_in_range(nr, said, said + 1);
	}
	at = (struct store_position){ 0, 0 };
	assert_int_equal(count_windows(dir, &at, 0), nr);
	remove_dir(dir);
}

/* One segment as bytes, and its windows as texts. */
struct subject {
	char *dir;
	char path[300];
	uint8_t *bytes;
	size_t len;
	char *text[8];
	uint32_t nr;
};

static struct profile *small_window(uint32_t n)
{
	struct profile *p, *small = profile_new();
	int64_t value[PROFILE_MAX_VALUES] = { n };

	p = window_of(n);
	small->time_ns = p->time_ns;
	small->duration_ns = p->duration_ns;
	profile_value_type(small, "samples", "count");
	profile_comment(small, "a comment");
	profile_add(small, profile_stack(small, random_stack(small), random_location(small)),
		    random_labels(small), value);
	profile_free(p);
	return small;
}

static void make_subject(struct subject *u, uint32_t nr)
{
	struct store_position at;
	struct profile *p;
	struct store *s;
	struct stat st;
	FILE *in;

	*u = (struct subject){ .dir = make_dir(), .nr = nr };
	s = must_open(u->dir, (struct store_options){ 0 });
	for (nr = 0; nr < u->nr; nr++) {
		p = small_window(nr);
		u->text[nr] = say_profile(p);
		assert_int_equal(store_append(s, p, &at, NULL), 0);
		profile_free(p);
	}
	store_close(s);
	snprintf(u->path, sizeof(u->path), "%s/%016" PRIx64 ".seg", u->dir, at.segment);
	assert_int_equal(stat(u->path, &st), 0);
	u->len = (size_t)st.st_size;
	u->bytes = malloc(u->len);
	in = fopen(u->path, "r");
	assert_int_equal(fread(u->bytes, 1, u->len, in), u->len);
	fclose(in);
}

static void free_subject(struct subject *u)
{
	uint32_t i;

	for (i = 0; i < u->nr; i++)
		free(u->text[i]);
	free(u->bytes);
	remove_dir(u->dir);
}

/* Nothing but the tested file, which put_subject() writes. */
static void clean_subject(const struct subject *u)
{
	char pattern[300];
	glob_t g;
	size_t i;

	snprintf(pattern, sizeof(pattern), "%s/*.seg*", u->dir);
	assert_int_equal(glob(pattern, GLOB_NOCHECK, NULL, &g), 0);
	for (i = 0; i < g.gl_pathc; i++)
		unlink(g.gl_pathv[i]);
	globfree(&g);
}

static void put_subject(const struct subject *u, size_t len)
{
	FILE *out = fopen(u->path, "w");

	assert_int_equal(fwrite(u->bytes, 1, len, out), len);
	assert_int_equal(fclose(out), 0);
}

/*
 * Every window that is read is unchanged. Return: number of windows; @errors counts the others.
 */
static uint32_t read_subject(const struct subject *u, uint32_t *errors)
{
	struct store_reader *r = must_read(u->dir, (struct store_position){ 0, 0 });
	struct diag diag = { .text = "" };
	struct store_window w;
	uint32_t nr = 0;
	char *text;
	int n;

	*errors = 0;
	while ((n = store_reader_next(r, &w, &diag))) {
		if (n < 0) {
			assert_true(diag.text[0] && diag.file);
			assert_in_range(++*errors, 1, 8);
			continue;
		}
		assert_in_range(w.at.record, 0, u->nr - 1);
		text = say_profile(w.profile);
		assert_string_equal(text, u->text[w.at.record]);
		free(text);
		nr++;
	}
	store_reader_free(r);
	return nr;
}

static void test_every_byte(void **state)
{
	static const uint8_t damage[] = { 0x01, 0x80, 0xff };
	const uint32_t damages = rounds(ARRAY_SIZE(damage), 1);
	struct subject u;
	uint32_t errors, k;
	size_t i;

	make_subject(&u, 4);
	for (i = 0; i < u.len; i++) {
		for (k = 0; k < damages; k++) {
			u.bytes[i] ^= damage[k];
			put_subject(&u, u.len);
			assert_in_range(read_subject(&u, &errors), 0, u.nr - 1);
			assert_in_range(errors, 1, 2);
			store_close(must_open(u.dir, (struct store_options){ 0 }));
			read_subject(&u, &errors);
			clean_subject(&u);
			u.bytes[i] ^= damage[k];
		}
	}
	free_subject(&u);
}

static void test_every_length(void **state)
{
	struct subject u;
	uint32_t errors, nr, last = 0;
	struct store *s;
	size_t i;

	make_subject(&u, 4);
	for (i = 0; i <= u.len; i++) {
		put_subject(&u, i);
		nr = read_subject(&u, &errors);
		assert_in_range(nr, last, last + 1);
		/* less than a record does not exist yet */
		assert_int_equal(errors, 0);
		last = nr;
		s = must_open(u.dir, (struct store_options){ 0 });
		store_close(s);
		assert_int_equal(read_subject(&u, &errors), nr);
		assert_int_equal(errors, 0);
		clean_subject(&u);
	}
	assert_int_equal(last, u.nr);
	free_subject(&u);
}

/* Bytes left by a crash are cut off, and later windows are there. */
static void test_torn(void **state)
{
	struct notes notes = { .nr = 0 };
	struct store_options o = { .note = take_note, .arg = &notes };
	struct subject u;
	struct store *s;
	uint32_t errors;
	struct profile *p;

	make_subject(&u, 4);
	put_subject(&u, u.len - 5);
	s = must_open(u.dir, o);
	assert_int_equal(notes.nr, 1);
	assert_non_null(strstr(notes.text, "the last record is not whole: "));
	p = small_window(3);
	assert_int_equal(store_append(s, p, NULL, NULL), 0);
	profile_free(p);
	assert_int_equal(read_subject(&u, &errors), 4);
	assert_int_equal(errors, 0);
	store_close(s);
	/* a last record of zeros, as after a power cut */
	memset(u.bytes + u.len - 50, 0, 50);
	put_subject(&u, u.len);
	store_close(must_open(u.dir, o));
	assert_int_equal(notes.nr, 2);
	assert_int_equal(read_subject(&u, &errors), 3);
	assert_int_equal(errors, 0);
	free_subject(&u);
}

/* Offset of the second record. */
static size_t second_record(const struct subject *u)
{
	return 128 + 64 + (u->bytes[168] | u->bytes[169] << 8) + (u->bytes[176] | u->bytes[177] << 8);
}

/* A bad block in the middle hides no later record: nothing is cut off, and it is reported. */
static void test_bad_block(void **state)
{
	struct notes notes = { .nr = 0 };
	struct store_options o = { .note = take_note, .arg = &notes };
	struct store_info info;
	struct subject u;
	struct store *s;
	uint32_t errors;
	struct stat st;

	make_subject(&u, 4);
	/* in the second record's samples: only that window is lost */
	memset(u.bytes + second_record(&u) - 3, 0x55, 3);
	put_subject(&u, u.len);
	assert_int_equal(read_subject(&u, &errors), 3);
	assert_int_equal(errors, 1);
	/* the head of the second record */
	memset(u.bytes + second_record(&u), 0, 64);
	put_subject(&u, u.len);
	s = must_open(u.dir, o);
	assert_int_equal(notes.nr, 1);
	assert_non_null(strstr(notes.text, "the segment stays as it is"));
	assert_int_equal(try_append(s, 9), 0);
	store_info(s, &info);
	assert_int_equal(info.segments, 2);
	store_close(s);
	assert_int_equal(stat(u.path, &st), 0);
	assert_int_equal(st.st_size, u.len);
	free_subject(&u);
}

static void test_bad_header(void **state)
{
	struct notes notes = { .nr = 0 };
	struct store_options o = { .note = take_note, .arg = &notes };
	struct subject u;
	struct store *s;

	make_subject(&u, 2);
	u.bytes[3] ^= 1;
	put_subject(&u, u.len);
	s = must_open(u.dir, o);
	assert_int_equal(notes.nr, 1);
	assert_non_null(strstr(notes.text, "; it was renamed to "));
	assert_int_equal(try_append(s, 0), 0);
	store_close(s);
	assert_int_not_equal(access(u.path, F_OK), 0);
	free_subject(&u);
}

/*
 * The disk is full at every byte of a record: the store is unchanged, and continues when there
 * is room.
 */
static void test_full(void **state)
{
	enum { LARGE = 12 };
	char *dir = make_dir();
	struct store *s = must_open(dir, (struct store_options){ 0 });
	struct store_position from = { 0, 0 };
	struct store_info before, after;
	long room;

	disk_left = 100;
	assert_int_equal(try_append(s, 0), -ENOSPC);
	disk_left = -1;
	assert_int_equal(count_windows(dir, &from, 0), 0);
	assert_int_equal(try_append(s, 0), 0);
	for (room = 0;; room += 7) {
		store_info(s, &before);
		disk_left = room;
		if (!try_append(s, LARGE))
			break;
		disk_left = -1;
		store_info(s, &after);
		assert_memory_equal(&before, &after, sizeof(after));
		if (room % 210 == 0)
			assert_int_equal(count_windows(dir, &from, from.record ? 1 : 0),
					 room ? 0 : 1);
	}
	assert_true(room > 1000);
	disk_left = -1;
	assert_int_equal(try_append(s, LARGE + 1), 0);
	store_close(s);
	assert_int_equal(count_windows(dir, &from, LARGE), 2);
	remove_dir(dir);
}

/* If the bytes cannot be cut off, the segment is closed and a new one begins. */
static void test_full_and_broken(void **state)
{
	char *dir = make_dir();
	struct notes notes = { .nr = 0 };
	struct store *s = must_open(dir, (struct store_options){ .note = take_note, .arg = &notes });
	struct store_reader *r;
	struct store_window w;
	struct store_info info;
	struct diag diag;

	assert_int_equal(try_append(s, 0), 0);
	disk_left = 100;
	no_truncate = true;
	assert_int_equal(try_append(s, 1), -ENOSPC);
	disk_left = -1;
	assert_int_equal(notes.nr, 1);
	assert_int_equal(try_append(s, 1), 0);
	no_truncate = false;
	store_info(s, &info);
	assert_int_equal(info.segments, 2);
	r = must_read(dir, (struct store_position){ 0, 0 });
	assert_int_equal(store_reader_next(r, &w, &diag), 1);
	assert_int_equal(store_reader_next(r, &w, &diag), -EBADMSG);
	assert_non_null(strstr(diag.text, "the last record is not whole"));
	assert_int_equal(store_reader_next(r, &w, &diag), 1);
	assert_int_equal(window_number(w.profile), 1);
	assert_int_equal(store_reader_next(r, &w, &diag), 0);
	store_reader_free(r);
	store_close(s);
	remove_dir(dir);
}

/* The system's own limit of file size replaces a full disk. */
static void test_file_limit(void **state)
{
	char *dir = make_dir();
	struct store *s = must_open(dir, (struct store_options){ 0 });
	struct store_position from = { 0, 0 };
	struct rlimit was, less;
	uint32_t n = 0;

	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &was);
	less = was;
	less.rlim_cur = 20000;
	setrlimit(RLIMIT_FSIZE, &less);
	while (!try_append(s, n))
		n++;
	assert_int_equal(try_append(s, n), -EFBIG);
	assert_true(n > 1);
	assert_int_equal(count_windows(dir, &from, 0), n);
	setrlimit(RLIMIT_FSIZE, &was);
	assert_int_equal(try_append(s, n), 0);
	assert_int_equal(count_windows(dir, &from, n), 1);
	store_close(s);
	remove_dir(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_readers_beside),
		cmocka_unit_test(test_kill),
		cmocka_unit_test(test_every_byte),
		cmocka_unit_test(test_every_length),
		cmocka_unit_test(test_torn),
		cmocka_unit_test(test_bad_block),
		cmocka_unit_test(test_bad_header),
		cmocka_unit_test(test_full),
		cmocka_unit_test(test_full_and_broken),
		cmocka_unit_test(test_file_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
