// SPDX-License-Identifier: GPL-2.0-only
/*
 * Selectors of any text: they are refused with a reason, or give an answer for
 * every set of labels, within the limits.
 */
#include <errno.h>

#include "fuzz.h"

#include "serve/store/query.h"

static u32 labels_of(struct profile *p, const char *command, s64 pid)
{
	const struct profile_label set[] = {
		{ .key = profile_string(p, "command"), .str = profile_string(p, command) },
		{ .key = profile_string(p, "pid"), .num = pid },
	};

	return profile_labels(p, set, 2);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct diag diag = { .text = "" };
	struct store_selector *s;
	struct profile *p;
	char *text;
	int err;

	text = malloc(size + 1);
	memcpy(text, data, size);
	text[size] = '\0';
	err = store_selector_new(text, &s, &diag);
	free(text);
	must(!err || (err == -EINVAL && diag.text[0]));
	if (err)
		return 0;
	p = profile_new();
	store_selector_matches(s, p, 0);
	store_selector_matches(s, p, labels_of(p, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!", -1));
	store_selector_matches(s, p, labels_of(p, "\xff\xc3\xa4 ngin\nx", INT64_MAX));
	err = store_selector_error(s);
	must(!err || err == -E2BIG);
	store_selector_free(s);
	profile_free(p);
	return 0;
}
