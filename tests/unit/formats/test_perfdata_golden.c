// SPDX-License-Identifier: GPL-2.0-only
/*
 * Recordings of three versions of perf, which are kept in the tree: every record
 * is read as the perf that recorded it shows it.
 */
#include <dirent.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "formats/perfdata/perfdata.h"
#include "util/buffer.h"

#define GOLDEN "tests/golden/perfdata/"
#define LINES_MOST 4096u

static void put_sample(FILE *out, const struct perfdata_record *r)
{
	size_t i;

	fprintf(out, "sample %llu %u %u %llx %llu ", (unsigned long long)r->time, r->pid, r->tid,
		(unsigned long long)r->sample.ip, (unsigned long long)r->sample.period);
	for (i = 0; i < r->sample.nr_ips; i++)
		fprintf(out, "%s%llx", i ? "," : "", (unsigned long long)r->sample.ips[i]);
	fputs(i ? "\n" : "-\n", out);
}

static void put_map(FILE *out, const struct perfdata_record *r)
{
	size_t i;

	fprintf(out, "map %llu %u %llx %llx %llx ", (unsigned long long)r->time, r->pid,
		(unsigned long long)r->map.start, (unsigned long long)r->map.len,
		(unsigned long long)r->map.offset);
	for (i = 0; i < r->map.build_id_len; i++)
		fprintf(out, "%02x", r->map.build_id[i]);
	fprintf(out, "%s %s\n", i ? "" : "-", r->map.path);
}

/* Writes a record as tests/golden/perfdata/shown.py does. */
static void put(FILE *out, const struct perfdata_record *r)
{
	unsigned long long time = r->time;

	switch (r->kind) {
	case PERFDATA_SAMPLE:
		put_sample(out, r);
		break;
	case PERFDATA_MAP:
		put_map(out, r);
		break;
	case PERFDATA_COMM:
		fprintf(out, "comm %llu %u %u %d %s\n", time, r->pid, r->tid, r->comm.exec, r->comm.name);
		break;
	case PERFDATA_FORK:
		fprintf(out, "fork %llu %u %u %u\n", time, r->pid, r->tid, r->task.parent_pid);
		break;
	case PERFDATA_EXIT:
		fprintf(out, "exit %llu %u %u\n", time, r->pid, r->tid);
		break;
	default:
		break;
	}
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Sorts the lines of a text. Return: their number. */
static size_t sort_lines(char *text, char *line[LINES_MOST])
{
	size_t nr = 0;
	char *p;

	for (p = strtok(text, "\n"); p; p = strtok(NULL, "\n")) {
		assert_true(nr < LINES_MOST);
		line[nr++] = p;
	}
	qsort(line, nr, sizeof(*line), by_text);
	return nr;
}

static char *read_file(const char *path)
{
	struct file f = FILE_INIT;
	char *text;

	assert_int_equal(file_open(&f, path, NULL), 0);
	text = calloc(1, f.size + 1);
	assert_non_null(text);
	assert_int_equal(file_read(&f, 0, text, f.size, NULL), 0);
	file_release(&f);
	return text;
}

static char *read_records(const char *path)
{
	const struct perfdata_head *head;
	struct perfdata_record r;
	struct file_stream s;
	struct perfdata *d;
	size_t len;
	char *text;
	FILE *out = open_memstream(&text, &len);
	int n;

	assert_int_equal(file_stream(path, &s, NULL), 0);
	assert_int_equal(perfdata_open(&s, &d, NULL), 0);
	while ((n = perfdata_next(d, &r, NULL)) > 0)
		put(out, &r);
	assert_int_equal(n, 0);
	head = perfdata_head(d);
	assert_string_equal(head->hostname, "golden");
	assert_string_equal(head->arch, "x86_64");
	assert_false(head->truncated);
	/* later versions put build ids into the records of mappings */
	assert_true(head->nr_build_ids > 0 || !strstr(path, "/6.1-") || strstr(path, "pipe"));
	assert_true(perfdata_nr_events(d) == (strstr(path, "events") ? 2 : 1));
	assert_string_equal(perfdata_event(d, 0)->name, "cpu-clock");
	perfdata_close(d);
	file_stream_release(&s);
	fclose(out);
	return text;
}

static void compare(const char *path)
{
	static char *ours[LINES_MOST], *theirs[LINES_MOST];
	char shown[512];
	char *read = read_records(path), *text;
	size_t nr, i;

	snprintf(shown, sizeof(shown), "%s.txt", path);
	text = read_file(shown);
	nr = sort_lines(text, theirs);
	assert_int_equal(sort_lines(read, ours), nr);
	assert_true(nr >= 30);
	for (i = 0; i < nr; i++)
		assert_string_equal(ours[i], theirs[i]);
	free(text);
	free(read);
}

static void test_records(void **state)
{
	DIR *dir = opendir(GOLDEN);
	struct dirent *e;
	char path[300];
	unsigned int nr = 0;

	assert_non_null(dir);
	while ((e = readdir(dir)))
		if (e->d_name[0] >= '0' && e->d_name[0] <= '9' && !strstr(e->d_name, ".txt")) {
			snprintf(path, sizeof(path), GOLDEN "%s", e->d_name);
			compare(path);
			nr++;
		}
	closedir(dir);
	assert_int_equal(nr, 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_records),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
