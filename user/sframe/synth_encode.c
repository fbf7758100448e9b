// SPDX-License-Identifier: GPL-2.0-only
/* Encodes a file's functions as a section; functions that the encoder refuses become gaps. */
#include "sframe/synth.h"

#include <errno.h>
#include <stdlib.h>

#include "sframe/encode.h"
#include "sframe/synth_saved.h"
#include "util/cleanup.h"

static enum synth_cause cause_of(enum sframe_cause cause)
{
	switch (cause) {
	case SFRAME_ENCODED:
		return SYNTH_NONE;
	case SFRAME_OVERLAP:
		return SYNTH_OVERLAP;
	case SFRAME_CFA_ADD:
		return SYNTH_CFA_ADD;
	case SFRAME_MANY_ROWS:
		return SYNTH_ROWS;
	case SFRAME_SIGNAL:
		return SYNTH_SIGNAL;
	case SFRAME_FLEX_CFA:
	case SFRAME_FLEX_RA:
	case SFRAME_FLEX_FP:
	case SFRAME_FP_ALONE:
		return SYNTH_FLEXIBLE;
	default:
		return SYNTH_FORMAT;
	}
}

/* Adds a gap for each of the @refused functions. */
static int add_gaps(struct synth *s, const struct sframe_verdict *verdicts,
		    u32 refused)
{
	struct synth_gap *gaps;
	size_t i;

	if (!refused)
		return 0;
	gaps = reallocarray(s->gaps, s->nr_gaps + refused, sizeof(*gaps));
	if (!gaps)
		return -ENOMEM;
	s->gaps = gaps;
	for (i = 0; i < s->nr_funcs; i++)
		if (verdicts[i].cause)
			gaps[s->nr_gaps++] = (struct synth_gap){
				.start = s->funcs[i].start,
				.size = s->funcs[i].size,
				.cause = cause_of(verdicts[i].cause),
			};
	return 0;
}

/* An address after the file's segments: the section is in none of them, and the distance to
 * the text fits in version 2.
 */
static u64 section_vaddr(const struct ustack_elf *elf)
{
	u64 end = 0, at;
	unsigned int i;

	for (i = 0; i < elf->nr_segments; i++) {
		at = elf->segments[i].vaddr + elf->segments[i].memsz;
		if (at > end)
			end = at;
	}
	return (end + 0xfff) & ~(u64)0xfff;
}

int synth_encode(struct synth *s, unsigned int version,
		 struct synth_section *ret, struct diag *diag)
{
	_cleanup_(cleanup_free) struct sframe_verdict *verdicts = NULL;
	struct sframe_encoded encoded = SFRAME_ENCODED_INIT;
	struct sframe_format fmt = {
		.arch = s->arch,
		.version = version & 0xff,
		.extended = version == SYNTH_MODULE,
	};
	int err;

	if (!s->nr_funcs)
		return 0;
	if (version == SYNTH_MODULE && saved_apply(s, s->saved))
		return diag_errno(diag, ENOMEM, NULL);
	verdicts = calloc(s->nr_funcs, sizeof(*verdicts));
	if (!verdicts || s->nr_funcs > UINT32_MAX)
		return diag_errno(diag, ENOMEM, NULL);
	fmt.vaddr = section_vaddr(&s->elf);
	err = sframe_encode(&fmt, s->funcs, (u32)s->nr_funcs, verdicts, &encoded,
			    diag);
	if (err && err != -ENODATA)
		return err;
	err = add_gaps(s, verdicts, encoded.nr_refused);
	if (err) {
		sframe_encoded_release(&encoded);
		return diag_errno(diag, -err, NULL);
	}
	*ret = (struct synth_section){
		.bytes = encoded.bytes,
		.len = encoded.len,
		.vaddr = fmt.vaddr,
		.functions = encoded.nr_funcs,
		.rows = encoded.nr_rows,
	};
	return 0;
}

void synth_section_release(struct synth_section *sec)
{
	free(sec->bytes);
	*sec = (struct synth_section)SYNTH_SECTION_INIT;
}
