/* SPDX-License-Identifier: GPL-2.0-only */
/* Results of workers for one file, and sums of them. */
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
	/* only from a worker for small files: the worker for large files must do it */
	SUPPLY_LATER = SUPPLY_NR_OUTCOMES,
};

/* The name of an outcome, such as "GONE". */
const char *supply_outcome_name(enum supply_outcome outcome);
/* The sentence of an outcome, such as "it can no longer be found". */
const char *supply_outcome_text(enum supply_outcome outcome);

static inline bool supply_outcome_skipped(enum supply_outcome outcome)
{
	return outcome >= SUPPLY_NO_FUNCTIONS;
}

/*
 * The mapping was gone before the file was opened; the next process that maps the file
 * may live longer.
 */
static inline bool supply_was_late(enum supply_outcome outcome)
{
	return outcome == SUPPLY_GONE || outcome == SUPPLY_REPLACED;
}

/**
 * struct supply_result - the result for one file
 * @outcome: what became of the file
 * @fatal: the device failed, not the file: the next file would fail, too
 * @elf: a section can be made for the file
 * @given: the module took its table
 * @functions: number of functions in the section
 * @section_bytes: bytes of the section
 * @cfi_bytes: bytes of CFI that were translated
 * @stored_bytes: bytes written to the cache
 * @store_errno: the reason why the cache could not be written, a positive errno; else 0
 * @ns: time that it took, in nanoseconds
 * @text: details beyond the outcome's sentence, may be empty
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
 * struct supply_tally - sums for many files
 * @count: number of files for each outcome
 * @elf: number of files for which a section can be made
 * @given: number of tables that the module took
 * @section_bytes: bytes of all sections
 * @cfi_bytes: bytes of CFI that were translated
 * @stored_bytes: bytes written to the cache
 * @ns: time of all workers, in nanoseconds
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
 * supply_tally_causes() - write the causes of skipped files: "GONE 3, NOT_OURS 1"
 * @t: the sums
 * @buf: the text, empty if no file was skipped
 * @len: bytes of @buf; a longer text is cut
 *
 * Return: @buf.
 */
const char *supply_tally_causes(const struct supply_tally *t, char *buf,
				size_t len);

#endif /* USTACK_USER_SUPPLY_OUTCOME_H */
