// SPDX-License-Identifier: GPL-2.0-only
/*
 * The store and the positions of push targets across a loss of power and a change of version:
 * the order in which they reach the disk, with each of these calls failing; and headers of
 * another version, another segment or another host.
 */
#include "store_random.h"

#include <dirent.h>
#include <stdarg.h>
#include <sys/syscall.h>

#include "serve/push/position.h"
#include "serve/store/segment.h"

/* ---- system calls, recorded and then made ----------------------------------------- */

static char calls[4096];
static unsigned int nr_calls;
static const char *failing;	/* this call fails */
static unsigned int failing_nr;	/* the number of the call that fails; 0: none */
static unsigned int interrupts;	/* number of writes that are interrupted before they begin */
static const char *host = "here";

__attribute__((__format__(__printf__, 2, 3)))
static bool note_call(const char *name, const char *fmt, ...)
{
	size_t len = strlen(calls);
	va_list ap;

	len += (size_t)snprintf(calls + len, sizeof(calls) - len, "%s ", name);
	va_start(ap, fmt);
	vsnprintf(calls + len, sizeof(calls) - len, fmt, ap);
	va_end(ap);
	strcat(calls, "\n");
	if (++nr_calls != failing_nr && (!failing || strcmp(failing, name)))
		return true;
	errno = EIO;
	return false;
}

/* The name of an open file; "." for a folder. */
static const char *name_of(int fd)
{
	static char path[300];
	char link[40];
	struct stat st;
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, path, sizeof(path) - 1);
	if (n < 0 || fstat(fd, &st))
		return "?";
	path[n] = '\0';
	return S_ISDIR(st.st_mode) ? "." : strrchr(path, '/') + 1;
}

static const char *base_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

ssize_t pwrite(int fd, const void *bytes, size_t len, off_t at)
{
	if (!note_call("pwrite", "%s", name_of(fd)))
		return -1;
	if (interrupts) {
		interrupts--;
		errno = EINTR;
		return -1;
	}
	return syscall(SYS_pwrite64, fd, bytes, len, at);
}

ssize_t write(int fd, const void *bytes, size_t len)
{
	if (fd > 2 && !note_call("write", "%s", name_of(fd)))
		return -1;
	return syscall(SYS_write, fd, bytes, len);
}

int fsync(int fd)
{
	return note_call("fsync", "%s", name_of(fd)) ? (int)syscall(SYS_fsync, fd) : -1;
}

int fdatasync(int fd)
{
	return note_call("fdatasync", "%s", name_of(fd)) ? (int)syscall(SYS_fdatasync, fd) : -1;
}

int rename(const char *from, const char *to)
{
	char text[200];

	snprintf(text, sizeof(text), "%s %s", base_of(from), base_of(to));
	if (!note_call("rename", "%s", text))
		return -1;
	return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int renameat(int from_dir, const char *from, int to_dir, const char *to)
{
	char text[200];

	snprintf(text, sizeof(text), "%s %s", from, to);
	if (!note_call("renameat", "%s", text))
		return -1;
	return (int)syscall(SYS_renameat2, from_dir, from, to_dir, to, 0);
}

/* Recorded if it creates a file. */
int openat(int dir, const char *name, int flags, ...)
{
	unsigned int mode = 0;
	va_list ap;

	if (flags & O_CREAT) {
		va_start(ap, flags);
		mode = va_arg(ap, unsigned int);
		va_end(ap);
		if (!note_call("create", "%s", name))
			return -1;
	}
	return (int)syscall(SYS_openat, dir, name, flags, mode);
}

int gethostname(char *to, size_t len)
{
	snprintf(to, len, "%s", host);
	return 0;
}

static int begin_case(void **state)
{
	calls[0] = '\0';
	nr_calls = 0;
	failing = NULL;
	failing_nr = 0;
	host = "here";
	return 0;
}

/* ---- order --------------------------------------------------------------------- */

static void position_is_synced_before_it_is_renamed(void **state)
{
	struct push_position p = { .next = { { 1, 2 }, 3 }, .until = { { 1, 2 }, 3 } }, got;
	char *dir = make_dir(), path[300];

	snprintf(path, sizeof(path), "%s/a.position", dir);
	assert_int_equal(push_position_save(path, &p, NULL), 0);
	assert_string_equal(calls, "write a.position.new\nfdatasync a.position.new\n"
				   "rename a.position.new a.position\n");
	/* data that did not reach the disk does not replace data that did */
	failing = "fdatasync";
	calls[0] = '\0';
	p.next.sample = p.until.sample = 4;
	assert_int_equal(push_position_save(path, &p, NULL), -EIO);
	assert_null(strstr(calls, "rename"));
	assert_int_equal(push_position_load(path, &got, NULL), 0);
	assert_int_equal(got.next.sample, 3);
	remove_dir(dir);
}

/* The name of the segment whose end is @at. */
static const char *segment_of(const struct store_position *at)
{
	static char name[2][32];
	static unsigned int n;

	n = !n;
	snprintf(name[n], sizeof(name[n]), "%016" PRIx64 ".seg", at->segment);
	return name[n];
}

/* The last calls. */
__attribute__((__format__(__printf__, 1, 2)))
static void assert_calls_end(const char *fmt, ...)
{
	char want[1000];
	size_t len;
	va_list ap;

	va_start(ap, fmt);
	len = (size_t)vsnprintf(want, sizeof(want), fmt, ap);
	va_end(ap);
	assert_true(len <= strlen(calls));
	assert_string_equal(calls + strlen(calls) - len, want);
}

/*
 * The name of a new segment is on disk before a window is in it, and a full segment is
 * completely on disk before the next one begins.
 */
static void segments_are_synced(void **state)
{
	struct store_position one, two;
	char *dir = make_dir();
	struct store *s = must_open(dir, (struct store_options){ .segment_bytes = 1 });
	struct diag diag;

	calls[0] = '\0';
	append_window(s, 1, &one);
	/* the header, the folder, the window */
	assert_calls_end("pwrite %s\nfsync .\npwrite %s\n", segment_of(&one), segment_of(&one));
	calls[0] = '\0';
	assert_int_equal(store_sync(s, &diag), 0);
	assert_calls_end("fdatasync %s\n", segment_of(&one));
	calls[0] = '\0';
	append_window(s, 2, &two);
	assert_int_not_equal(one.segment, two.segment);
	calls[strcspn(calls, "\n") + 1] = '\0';
	assert_calls_end("fdatasync %s\n", segment_of(&one));
	store_close(s);
	remove_dir(dir);
}

/*
 * The calls that begin a segment: its number is used up, on the disk, before a file of that
 * name exists.
 */
enum { BEGIN_CALLS = 8, NAMED_CALLS = 4 };

static void number_is_synced_before_its_segment(void **state)
{
	struct store_position at;
	char *dir = make_dir(), want[400];
	struct store *s = must_open(dir, (struct store_options){ 0 });

	begin_case(NULL);
	append_window(s, 1, &at);
	snprintf(want, sizeof(want), "create last.new\nwrite last.new\nfsync last.new\n"
		 "renameat last.new last\nfsync .\ncreate %s\npwrite %s\nfsync .\npwrite %s\n",
		 segment_of(&at), segment_of(&at), segment_of(&at));
	assert_string_equal(calls, want);
	store_close(s);
	remove_dir(dir);
}

static uint32_t nr_windows(const char *dir)
{
	struct store_reader *r = must_read(dir, (struct store_position){ 0 });
	struct store_window w;
	uint32_t nr = 0;
	int n;

	while ((n = store_reader_next(r, &w, NULL)))
		nr += n > 0;
	store_reader_free(r);
	return nr;
}

/* Number of files in a folder whose names contain @part. */
static unsigned int count_files(const char *dir, const char *part)
{
	DIR *d = opendir(dir);
	const struct dirent *e;
	unsigned int nr = 0;

	while ((e = readdir(d)))
		nr += !!strstr(e->d_name, part);
	closedir(d);
	return nr;
}

/* The number in the file "last"; 0 if there is no such file. */
static uint64_t last_number(const char *dir)
{
	uint64_t n = 0;
	char path[300];
	FILE *in;

	snprintf(path, sizeof(path), "%s/last", dir);
	in = fopen(path, "r");
	if (!in)
		return 0;
	assert_int_equal(fscanf(in, "%" SCNu64, &n), 1);
	fclose(in);
	return n;
}

/*
 * The window is refused and nothing is left of it. The next window is in a segment of a new
 * number, and is all that there is.
 */
static void append_without(unsigned int call)
{
	bool begun = call > BEGIN_CALLS;
	char *dir = make_dir();
	struct store *s = must_open(dir, (struct store_options){ 0 });
	struct profile *p = random_window(1);
	struct store_position at;
	uint64_t last;

	begin_case(NULL);
	failing_nr = call;
	assert_int_equal(store_append(s, p, NULL, NULL), -EIO);
	failing_nr = 0;
	assert_int_equal(count_files(dir, "last.new"), 0);
	assert_int_equal(count_files(dir, ".seg"), begun);
	last = last_number(dir);
	assert_int_equal(!!last, call > NAMED_CALLS);
	assert_int_equal(store_append(s, p, &at, NULL), 0);
	assert_int_equal(at.record, 1);
	assert_true(begun ? at.segment == last : at.segment > last);
	assert_int_equal(last_number(dir), at.segment);
	assert_int_equal(count_files(dir, ".seg"), 1);
	profile_free(p);
	store_close(s);
	remove_dir(dir);
}

static void each_call_of_an_append_fails(void **state)
{
	unsigned int call;

	for (call = 1; call <= BEGIN_CALLS + 1; call++)
		append_without(call);
}

/* A signal does not lose a window. */
static void interrupted_writes_go_on(void **state)
{
	char *dir = make_dir();
	struct store *s = must_open(dir, (struct store_options){ 0 });
	struct store_position at;

	append_window(s, 1, &at);
	interrupts = 3;
	append_window(s, 2, &at);
	assert_int_equal(interrupts, 0);
	assert_int_equal(at.record, 2);
	store_close(s);
	assert_int_equal(nr_windows(dir), 2);
	remove_dir(dir);
}

/* A refused writer and a writer that stops leave no segment without a window. */
static void empty_segments_are_removed(void **state)
{
	char *dir = make_dir();
	struct store *s = must_open(dir, (struct store_options){ .max_bytes = 200 });
	struct profile *p = random_window(1);

	assert_int_equal(store_append(s, p, NULL, NULL), -EFBIG);
	assert_non_null(strstr(calls, ".seg"));
	assert_int_equal(count_files(dir, ".seg"), 0);
	store_close(s);
	s = must_open(dir, (struct store_options){ 0 });
	begin_case(NULL);
	failing_nr = BEGIN_CALLS + 1;
	assert_int_equal(store_append(s, p, NULL, NULL), -EIO);
	failing_nr = 0;
	assert_int_equal(count_files(dir, ".seg"), 1);
	store_close(s);
	assert_int_equal(count_files(dir, ".seg"), 0);
	profile_free(p);
	remove_dir(dir);
}

/* An append reports that the disk refused the data. */
static void failed_syncs_are_told(void **state)
{
	struct notes notes = { .nr = 0 };
	struct store_options o = { .segment_bytes = 1, .note = take_note, .arg = &notes };
	char *dir = make_dir();
	struct store *s = must_open(dir, o);
	struct profile *p = random_window(1);
	struct store_position at;
	struct diag diag;

	failing = "fsync";
	assert_int_equal(store_append(s, p, &at, &diag), -EIO);
	assert_string_equal(diag.file, dir);
	/* the number of a segment that may already exist */
	failing = "renameat";
	assert_int_equal(store_append(s, p, &at, &diag), -EIO);
	assert_string_equal(diag.file, dir);
	failing = NULL;
	assert_int_equal(store_append(s, p, &at, &diag), 0);
	failing = "fdatasync";
	assert_int_equal(store_sync(s, &diag), -EIO);
	assert_string_equal(diag.file, dir);
	notes.nr = 0;
	assert_int_equal(store_append(s, p, NULL, &diag), 0);
	assert_int_equal(notes.nr, 1);
	assert_non_null(strstr(notes.text, segment_of(&at)));
	profile_free(p);
	store_close(s);
	remove_dir(dir);
}

/* ---- headers ------------------------------------------------------------------- */

/* A store with one window. */
static void make_one(char **dir, struct store_position *at)
{
	struct store *s;

	*dir = make_dir();
	s = must_open(*dir, (struct store_options){ 0 });
	append_window(s, 1, at);
	store_close(s);
}

/* Writes @value into the header of a segment, and the matching checksum. */
static void patch(const char *dir, const char *name, unsigned int offset, uint8_t value)
{
	uint8_t h[STORE_HEADER_BYTES];
	char path[300];
	uint32_t crc;
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, "r+");
	assert_non_null(f);
	assert_int_equal(fread(h, 1, sizeof(h), f), sizeof(h));
	h[offset] = value;
	crc = store_crc(h, STORE_HEADER_BYTES - 4);
	memcpy(h + STORE_HEADER_BYTES - 4, &crc, 4);
	rewind(f);
	assert_int_equal(fwrite(h, 1, sizeof(h), f), sizeof(h));
	assert_int_equal(fclose(f), 0);
}

/* The first message of a reader about a segment that it refuses. */
static void assert_refused(const char *dir, const char *name, int err, uint64_t offset,
			   const char *why)
{
	struct store_reader *r = must_read(dir, (struct store_position){ 0 });
	struct diag diag = { .text = "" };
	struct store_window w;

	assert_int_equal(store_reader_next(r, &w, &diag), err);
	assert_string_equal(diag.file, dir);
	assert_int_equal(diag.offset, offset);
	assert_non_null(strstr(diag.text, name));
	assert_non_null(strstr(diag.text, why));
	store_reader_free(r);
}

/*
 * A store that a newer version has written to, then this version, and then the newer one again.
 */
static void versions_come_and_go(void **state)
{
	struct notes notes = { .nr = 0 };
	struct store_options o = { .note = take_note, .arg = &notes };
	struct store_position old, new;
	struct store *s;
	char *dir;

	make_one(&dir, &old);
	patch(dir, segment_of(&old), 8, 2);
	assert_refused(dir, segment_of(&old), -ENOTSUP, 8, "version 2");
	/* nothing is written to it, and it does no harm */
	s = must_open(dir, o);
	assert_int_equal(notes.nr, 1);
	assert_non_null(strstr(notes.text, segment_of(&old)));
	assert_non_null(strstr(notes.text, "version 2, which this program does not know"));
	assert_non_null(strstr(notes.text, "it stays as it is"));
	append_window(s, 2, &new);
	store_close(s);
	assert_true(new.segment > old.segment);
	assert_int_equal(nr_windows(dir), 1);
	/* a reader that knows both versions gets everything */
	patch(dir, segment_of(&old), 8, 1);
	assert_int_equal(nr_windows(dir), 2);
	/* version 0, and a version whose lowest byte is a known one */
	patch(dir, segment_of(&old), 8, 0);
	assert_refused(dir, segment_of(&old), -ENOTSUP, 8, "version 0");
	patch(dir, segment_of(&old), 8, 1);
	patch(dir, segment_of(&old), 11, 1);
	assert_refused(dir, segment_of(&old), -ENOTSUP, 8, "version 16777217");
	remove_dir(dir);
}

/* A segment under the name of another one: positions in it would be wrong. */
static void number_of_another(void **state)
{
	struct store_position at;
	char *dir;

	make_one(&dir, &at);
	patch(dir, segment_of(&at), 16, (uint8_t)(at.segment + 1));
	assert_refused(dir, segment_of(&at), -EBADMSG, 16, "number");
	remove_dir(dir);
}

/* A store that was moved: another host does not continue what one host has begun. */
static void host_of_another(void **state)
{
	struct store_position at, next;
	struct store *s;
	char *dir;

	make_one(&dir, &at);
	s = must_open(dir, (struct store_options){ 0 });
	append_window(s, 2, &next);
	store_close(s);
	assert_int_equal(next.segment, at.segment);
	host = "there";
	s = must_open(dir, (struct store_options){ 0 });
	append_window(s, 3, &next);
	store_close(s);
	assert_int_not_equal(next.segment, at.segment);
	at = next;
	s = must_open(dir, (struct store_options){ 0 });
	append_window(s, 4, &next);
	store_close(s);
	assert_int_equal(next.segment, at.segment);
	assert_int_equal(nr_windows(dir), 4);
	remove_dir(dir);
}

/* A position written by another version is not used. */
static void position_of_another_version(void **state)
{
	const struct push_position p = { .next = { { 1, 2 }, 3 }, .until = { { 1, 2 }, 3 } };
	struct push_position got = { .order = 5 };
	char text[PUSH_POSITION_BYTES], *version;
	struct diag diag = { .text = "" };
	size_t len = push_position_format(&p, text);

	version = strchr(text, ' ') + 1;
	assert_int_equal(*version, '1');
	*version = '2';
	/* with the checksum of its present contents */
	snprintf(text + len - 9, 10, "%08x\n", store_crc(text, len - 9));
	assert_int_equal(push_position_parse(text, len, "a.position", &got, &diag), -EBADMSG);
	assert_string_equal(diag.file, "a.position");
	assert_true(*diag.text);
	assert_int_equal(got.order, 5);
	*version = '1';
	snprintf(text + len - 9, 10, "%08x\n", store_crc(text, len - 9));
	assert_int_equal(push_position_parse(text, len, "a.position", &got, &diag), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(position_is_synced_before_it_is_renamed, begin_case),
		cmocka_unit_test_setup(segments_are_synced, begin_case),
		cmocka_unit_test_setup(number_is_synced_before_its_segment, begin_case),
		cmocka_unit_test_setup(each_call_of_an_append_fails, begin_case),
		cmocka_unit_test_setup(interrupted_writes_go_on, begin_case),
		cmocka_unit_test_setup(empty_segments_are_removed, begin_case),
		cmocka_unit_test_setup(failed_syncs_are_told, begin_case),
		cmocka_unit_test_setup(versions_come_and_go, begin_case),
		cmocka_unit_test_setup(number_of_another, begin_case),
		cmocka_unit_test_setup(host_of_another, begin_case),
		cmocka_unit_test_setup(position_of_another_version, begin_case),
	};

	return cmocka_run_group_tests_name("disk", tests, NULL, NULL);
}
