// SPDX-License-Identifier: GPL-2.0-only
/*
 * The header and the message of a process context, both of any bytes: names are
 * valid names of labels, no name occurs twice, and values are UTF-8 without
 * control characters.
 */
#include <ctype.h>
#include <string.h>

#include "must.h"
#include "capture/record/otel_context.h"
#include "util/utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_value(const char *s)
{
	must(*s);
	while (*s) {
		unsigned int n = utf8_len(s);

		must(n && (unsigned char)*s >= 0x20 && *s != 0x7f);
		s += n;
	}
}

static void check(const struct otel_labels *l)
{
	size_t i, k;

	must(l->nr <= OTEL_MAX);
	for (i = 0; i < l->nr; i++) {
		must(strlen(l->label[i].name) < OTEL_NAME);
		for (k = 0; l->label[i].name[k]; k++)
			must(isalnum((unsigned char)l->label[i].name[k]) || l->label[i].name[k] == '_');
		for (k = 0; k < i; k++)
			must(strcmp(l->label[i].name, l->label[k].name));
		check_value(l->label[i].value);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct otel_labels labels;
	struct otel_header h;

	if (size < OTEL_HEADER_BYTES || size > OTEL_HEADER_BYTES + OTEL_MAX_PAYLOAD)
		return 0;
	if (otel_header(data, &h) == OTEL_READY)
		must(h.published && h.size && h.size <= OTEL_MAX_PAYLOAD && h.payload);
	if (otel_labels(data + OTEL_HEADER_BYTES, size - OTEL_HEADER_BYTES, &labels))
		check(&labels);
	return 0;
}
