// SPDX-License-Identifier: GPL-2.0-only
/* Names and texts of outcomes, and sums of results, see outcome.h and outcome.def. */
#include "host/file/outcome.h"

#include <inttypes.h>
#include <stdio.h>

#include "util/poison.h"

static const struct {
	const char *name;
	const char *text;
} outcomes[] = {
#define SUPPLY_OUTCOME(name, sentence) { #name, sentence },
#include "host/file/outcome.def"
#undef SUPPLY_OUTCOME
};

const char *supply_outcome_name(enum supply_outcome outcome)
{
	return outcome < SUPPLY_NR_OUTCOMES ? outcomes[outcome].name : "?";
}

const char *supply_outcome_text(enum supply_outcome outcome)
{
	return outcome < SUPPLY_NR_OUTCOMES ? outcomes[outcome].text : "?";
}

void supply_tally_add(struct supply_tally *t, const struct supply_result *r)
{
	if (r->outcome >= SUPPLY_NR_OUTCOMES)
		return;
	t->count[r->outcome]++;
	t->elf += r->elf;
	t->given += r->given;
	t->section_bytes += r->section_bytes;
	t->cfi_bytes += r->cfi_bytes;
	t->stored_bytes += r->stored_bytes;
	t->ns += r->ns;
}

uint64_t supply_tally_all(const struct supply_tally *t)
{
	return t->count[SUPPLY_CACHED] + t->count[SUPPLY_MADE] +
	       supply_tally_skipped(t);
}

uint64_t supply_tally_skipped(const struct supply_tally *t)
{
	uint64_t n = 0;
	unsigned int i;

	for (i = SUPPLY_NO_FUNCTIONS; i < SUPPLY_NR_OUTCOMES; i++)
		n += t->count[i];
	return n;
}

const char *supply_tally_causes(const struct supply_tally *t, char *buf,
				size_t len)
{
	size_t n = 0;
	unsigned int i;

	buf[0] = '\0';
	for (i = SUPPLY_NO_FUNCTIONS; i < SUPPLY_NR_OUTCOMES && n < len; i++)
		if (t->count[i])
			n += (size_t)snprintf(buf + n, len - n, "%s%s %" PRIu64,
					      n ? ", " : "", outcomes[i].name,
					      t->count[i]);
	return buf;
}
