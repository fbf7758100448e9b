/* SPDX-License-Identifier: GPL-2.0-only */
/* What a worker reports of one file, and the sum of many. */
#ifndef USTACK_USER_SUPPLY_OUTCOME_H
#define USTACK_USER_SUPPLY_OUTCOME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum supply_outcome {
#define SUPPLY_OUTCOME(name, sentence) SUPPLY_##name,
#include "host/file/outcome.def"
#undef SUPPLY_OUTCOME
	SUPPLY_NR_OUTCOMES,
	/* of a worker for small files: the file is for the other one */
	SUPPLY_LATER = SUPPLY_NR_OUTCOMES,
};

/* "GONE" */
const char *supply_outcome_name(enum supply_outcome outcome);
/* "no way leads to it any more" */
const char *supply_outcome_text(enum supply_outcome outcome);

static inline bool supply_outcome_skipped(enum supply_outcome outcome)
{
	return outcome >= SUPPLY_NO_FUNCTIONS;
}

/* The mapping was gone before it was looked at; whoever maps the file next may live
 * longer.
 */
static inline bool supply_was_late(enum supply_outcome outcome)
{
	return outcome == SUPPLY_GONE || outcome == SUPPLY_REPLACED;
}

/**
 * struct supply_result - one file
 * @outcome: what became of it
 * @fatal: not the file is at fault but the device: no other will do better
 * @elf: it was a file that a section can be made for
 * @given: the module has its table
 * @functions: in the section
 * @section_bytes: of the section
 * @cfi_bytes: bytes of CFI that were translated
 * @stored_bytes: written to the cache
 * @store_errno: positive; why nothing could be written
 * @ns: time it took
 * @text: beyond the outcome's sentence, may be empty
 */
struct supply_result {
	enum supply_outcome outcome;
	bool fatal;
	bool elf;
	bool given;
	uint32_t functions;
	uint64_t section_bytes;
	uint64_t cfi_bytes;
	uint64_t stored_bytes;
	int store_errno;
	uint64_t ns;
	char text[400];
};

/**
 * struct supply_tally - many files
 * @count: of each outcome
 * @elf: files that a section can be made for
 * @given: tables that the module took
 * @section_bytes: of all sections
 * @cfi_bytes: bytes of CFI that were translated
 * @stored_bytes: written to the cache
 * @ns: time of all workers
 */
struct supply_tally {
	uint64_t count[SUPPLY_NR_OUTCOMES];
	uint64_t elf;
	uint64_t given;
	uint64_t section_bytes;
	uint64_t cfi_bytes;
	uint64_t stored_bytes;
	uint64_t ns;
};

void supply_tally_add(struct supply_tally *t, const struct supply_result *r);
uint64_t supply_tally_all(const struct supply_tally *t);
uint64_t supply_tally_skipped(const struct supply_tally *t);

/**
 * supply_tally_causes() - "GONE 3, NOT_OURS 1"
 * @t: the sum
 * @buf: result, empty if nothing was skipped
 * @len: bytes of @buf; a longer result is cut
 *
 * Return: @buf.
 */
const char *supply_tally_causes(const struct supply_tally *t, char *buf,
				size_t len);

#endif /* USTACK_USER_SUPPLY_OUTCOME_H */
