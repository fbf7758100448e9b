// SPDX-License-Identifier: GPL-2.0-only
/*
 * Files of perf record with any bytes: they are refused with a reason, or
 * everything that a record points to can be read.
 */
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"

#include "formats/perfdata/perfdata.h"

/* Reads all bytes, so that sanitizers check them. */
static u64 sum_of(const void *at, size_t len)
{
	const u8 *p = at;
	u64 sum = 0;

	while (len--)
		sum += *p++;
	return sum;
}

static u64 look_at_sample(const struct perfdata *d, const struct perfdata_record *r)
{
	const struct perfdata_sample *s = &r->sample;
	const struct perfdata_event *e;

	must(r->event < perfdata_nr_events(d));
	e = perfdata_event(d, r->event);
	must(s->stack_len <= s->stack_asked);
	return sum_of(s->ips, 8 * s->nr_ips) + sum_of(s->branches, 24 * s->nr_branches) +
	       sum_of(s->stack, s->stack_asked) +
	       (s->regs ? sum_of(s->regs, 8 * (size_t)__builtin_popcountll(e->regs_user)) : 0);
}

static u64 look_at(const struct perfdata *d, const struct perfdata_record *r)
{
	switch (r->kind) {
	case PERFDATA_SAMPLE:
		return look_at_sample(d, r);
	case PERFDATA_MAP:
		must(r->map.build_id_len <= PERFDATA_BUILD_ID);
		must(r->map.start + r->map.len >= r->map.start);
		return strlen(r->map.path);
	case PERFDATA_COMM:
		return strlen(r->comm.name);
	case PERFDATA_DEFERRED:
		return sum_of(r->deferred.ips, 8 * r->deferred.nr_ips);
	case PERFDATA_KSYMBOL:
		return strlen(r->symbol.name);
	case PERFDATA_CGROUP:
		return strlen(r->cgroup.path);
	default:
		return 0;
	}
}

static void check_head(const struct perfdata *d)
{
	const struct perfdata_head *h = perfdata_head(d);
	size_t i;

	must(strlen(h->hostname) + strlen(h->os_release) + strlen(h->version) + strlen(h->arch) +
	     strlen(h->command) < 1u << 30);
	for (i = 0; i < h->nr_build_ids; i++)
		must(h->build_ids[i].path && h->build_ids[i].len <= PERFDATA_BUILD_ID);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct diag diag = { .offset = DIAG_NO_OFFSET };
	struct perfdata_record r;
	struct file_stream s;
	struct perfdata *d;
	u64 sum = 0;
	char path[32];
	int fd = memfd_create("fuzz", 0), n;

	must(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	must(!file_stream(path, &s, NULL));
	n = perfdata_open(&s, &d, &diag);
	if (!n) {
		while ((n = perfdata_next(d, &r, &diag)) > 0)
			sum += look_at(d, &r);
		check_head(d);
		perfdata_close(d);
	}
	__asm__ volatile("" : : "r"(sum));
	must(!n || ((n == -EBADMSG || n == -ENOTSUP) && diag.text[0]));
	file_stream_release(&s);
	close(fd);
	return 0;
}
