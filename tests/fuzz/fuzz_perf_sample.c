// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records of perf's ring with any bytes: they are refused, or the parsed texts
 * and arrays lie in them, and a copy is the same.
 */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "capture/stackcopy/sample.h"

static void check_inside(const struct perf_event_header *h, const void *at, size_t len)
{
	const u8 *p = at, *from = (const u8 *)h;

	must(!len || (p >= from && p + len <= from + h->size));
}

static void check_copy(const struct sample *s)
{
	size_t bytes;
	struct sample *copy = sample_keep(s, &bytes);

	must(copy && bytes >= sizeof(*copy) + s->stack_len);
	must(!s->nr_kernel || !memcmp(copy->kernel, s->kernel, 8ul * s->nr_kernel));
	must(!s->stack_len || !memcmp(copy->stack, s->stack, s->stack_len));
	must(memchr(copy->comm, '\0', sizeof(copy->comm)) != NULL);
	free(copy);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	static const u64 types[] = {
		SAMPLE_TYPE_ALWAYS,
		SAMPLE_TYPE_ALWAYS | PERF_SAMPLE_CALLCHAIN | SAMPLE_TYPE_USER,
		SAMPLE_TYPE_ALWAYS | SAMPLE_TYPE_USER | PERF_SAMPLE_CGROUP,
		SAMPLE_TYPE_ALWAYS | PERF_SAMPLE_CALLCHAIN | SAMPLE_TYPE_USER |
			PERF_SAMPLE_CGROUP,
	};
	struct perf_event_header *h;
	struct sample s;
	size_t len;

	if (size < 2 || size > 60000)
		return 0;
	/* records in the ring are complete, and multiples of 8 bytes long */
	len = (sizeof(*h) + size - 2) & ~7ul;
	h = malloc(len);
	must(h != NULL);
	*h = (struct perf_event_header){ .type = data[0] % 12, .misc = data[1] << 8 & 0xff00,
					 .size = (u16)len };
	memcpy(h + 1, data + 2, len - sizeof(*h));
	if (sample_parse(h, types[data[1] & 3], &s) && s.kind != RECORD_OTHER) {
		check_inside(h, s.kernel, 8ul * s.nr_kernel);
		check_inside(h, s.stack, s.stack_len);
		must(s.stack_len <= s.asked);
		check_copy(&s);
	}
	free(h);
	return 0;
}
