// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes the text that AutoFDO's create_llvm_prof --profiler=text reads: three
 * parts, each a number of lines and the lines, with offsets in the file in hex:
 *
 *	FIRST-LAST:COUNT	ranges; LAST is the address of the last instruction
 *	ADDRESS:COUNT		samples
 *	FROM->TO:COUNT		branches
 */
#include "capture/branches/private.h"

/* Return: number of branches with both ends in the program. */
static uint64_t inner_branches(const struct branches *b)
{
	const struct branches_count *c, *end;
	uint64_t nr = 0;

	for (c = branches_counts_first(&b->branches, &end); c < end; c++)
		nr += c->from != BRANCHES_OUTSIDE && c->to != BRANCHES_OUTSIDE;
	return nr;
}

static unsigned long long offset(const struct branches *b, uint64_t address)
{
	return branches_program_offset(&b->program, address);
}

static void put_pairs(const struct branches *b, const struct branches_counts *counts,
		      const char *between, FILE *out)
{
	const struct branches_count *c, *end;

	for (c = branches_counts_first(counts, &end); c < end; c++)
		if (c->from != BRANCHES_OUTSIDE && c->to != BRANCHES_OUTSIDE)
			fprintf(out, "%llx%s%llx:%llu\n", offset(b, c->from), between,
				offset(b, c->to), (unsigned long long)c->count);
}

int branches_autofdo(const struct branches *b, FILE *out, struct diag *diag)
{
	const struct branches_count *c, *end;

	(void)diag;
	c = branches_counts_first(&b->ranges, &end);
	fprintf(out, "%zu\n", (size_t)(end - c));
	put_pairs(b, &b->ranges, "-", out);
	c = branches_counts_first(&b->samples, &end);
	fprintf(out, "%zu\n", (size_t)(end - c));
	for (; c < end; c++)
		fprintf(out, "%llx:%llu\n", offset(b, c->from), (unsigned long long)c->count);
	fprintf(out, "%llu\n", (unsigned long long)inner_branches(b));
	put_pairs(b, &b->branches, "->", out);
	return 0;
}
