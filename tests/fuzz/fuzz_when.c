// SPDX-License-Identifier: GPL-2.0-only
/*
 * Times of any text: each is refused, or within range.
 */
#include "fuzz.h"

#include "util/when.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	const u64 now = 1795341600ull * 1000000000;
	char *text = malloc(size + 1), buf[WHEN_TEXT];
	u64 ns = 0;

	memcpy(text, data, size);
	text[size] = '\0';
	if (when_parse(text, now, &ns)) {
		must(ns < 16725225600ull * 1000000000);
		must(when_text(ns, buf)[0]);
	}
	if (when_parse_length(text, &ns))
		must(ns > 0);
	free(text);
	return 0;
}
