// SPDX-License-Identifier: GPL-2.0-only
/*
 * A line of objdump's output with any bytes: parsed texts lie within it.
 */
#include "fuzz.h"

#include "show/annotate/objdump.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	char *text = malloc(size ? size : 1);
	struct objdump_line line;
	size_t at, end;
	u64 address;

	memcpy(text, data, size);
	if (objdump_line(text, size, &line)) {
		must(line.len && line.text > text && line.text + line.len <= text + size);
		if (objdump_reference(line.text, line.len, &at, &end, &address)) {
			must(at < end && end <= line.len);
			must(end - at >= 3 && line.text[at] == '0' && line.text[at + 1] == 'x');
			must(strtoull(line.text + at + 2, NULL, 16) == address || end == line.len);
		}
	}
	free(text);
	return 0;
}
