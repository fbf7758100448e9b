// SPDX-License-Identifier: GPL-2.0-only
/*
 * forge OUTPUT: writes FP offsets, as 32-bit numbers, of rules that a hash with public
 * constants puts into the same 64 of its 131,072 slots. The first version of ustack_compile()
 * had that hash. The program runs at build time and takes a third of a second.
 */
#include <stdint.h>
#include <stdio.h>

#define RULES 60000
#define CFA_OFF 24
#define RA_OFF (-8)
/* CFA from SP, RA and FP from memory, no flags: the last word of struct ustack_rule */
#define OPS 0x00040401ull
#define SLOTS 131072
#define WINDOW 64

static uint32_t slot_of(uint32_t fp_off)
{
	uint64_t h = ((uint64_t)(uint32_t)RA_OFF << 32 | CFA_OFF) * 0x9e3779b97f4a7c15ull;

	h ^= (OPS << 32 | fp_off) * 0xc2b2ae3d27d4eb4full;
	h *= 0xff51afd7ed558ccdull;
	return (uint32_t)(h >> 32) & (SLOTS - 1);
}

int main(int argc, char **argv)
{
	FILE *out = argc == 2 ? fopen(argv[1], "wb") : NULL;
	uint32_t fp_off, found = 0;

	if (!out) {
		fprintf(stderr, "usage: forge OUTPUT\n");
		return 2;
	}
	for (fp_off = 1; found < RULES && fp_off; fp_off++)
		if (slot_of(fp_off) < WINDOW)
			found += fwrite(&fp_off, sizeof(fp_off), 1, out);
	return fclose(out) || found < RULES;
}
