// SPDX-License-Identifier: GPL-2.0-only
/*
 * Captures of stacks with any bytes: they are read, or refused with a sentence.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "darwin/capture.h"
#include "must.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void look_at(const struct capture *c)
{
	const struct capture_thread *t;
	uint32_t i;
	uint64_t v;

	must(c->has_arch && c->nr_threads);
	for (t = c->threads; t < c->threads + c->nr_threads; t++) {
		must(t->name && t->has_pc && t->has_sp);
		capture_word(c, t, t->regs.sp, 8, &v);
		capture_word(c, t, t->regs.pc, 4, &v);
	}
	for (i = 0; i < c->map.nr; i++)
		must(c->map.images[i].end > c->map.images[i].base &&
		     (!i || c->map.images[i].base >= c->map.images[i - 1].base));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct capture c = CAPTURE_INIT;
	char *copy = malloc(size + !size);
	struct diag d = { .text = "" };
	int err;

	memcpy(copy, data, size);
	err = capture_read(copy, size, "fuzz", NULL, NULL, &c, &d);
	if (!err)
		look_at(&c);
	must(!err || ((err == -EBADMSG || err == -E2BIG || err == -ENOMEM) && d.text[0]));
	capture_release(&c);
	free(copy);
	return 0;
}
