// SPDX-License-Identifier: GPL-2.0-only
/*
 * Modules of the BEAM in a hostile process: lists without an end, functions in disorder, atoms
 * of 4 GB, code that goes on forever. The input: a byte of flags and one of a place for a
 * frame, two with the distance of its code, then the memory (forged.h): the lists of modules, and
 * what they lead to. Names are UTF-8 without control characters and of bounded length; only
 * the module with the right cookie has names; a frame is of bounded size; and a walk through
 * code ends.
 */
#include "forged.h"

#include "symbols/lang/beam_function.h"
#include "symbols/lang/beam_size.h"

/* The memory begins with three lists, the code index, and the pointer to the atoms. */
#define INDEX (FORGED_BASE + 96)
#define ATOMS (FORGED_BASE + 104)
#define NORMAL_EXIT (FORGED_BASE + 112)

/* Bytes of the memory. */
#define PAGES 0x10000u

/* Steps through code, with a read of some for each new piece, the search, names and lines. */
#define MAX_READS 400000u

static const struct lang_beam layout = {
	.ranges = FORGED_BASE, .index = INDEX, .normal_exit = NORMAL_EXIT,
	.scheduler_process = 168, .process_stop = 0x58, .atoms = ATOMS - 120,
};

/* Reads the input; after its end there are zeros, as code is read in pages. */
static bool read_pages(void *arg, uint64_t addr, void *buf, size_t len)
{
	struct forged *in = arg;
	u64 off = addr - FORGED_BASE;
	size_t has;

	in->reads++;
	if (addr < FORGED_BASE || off > PAGES || len > PAGES - off)
		return false;
	has = off < in->size ? in->size - off : 0;
	if (has > len)
		has = len;
	memset(buf, 0, len);
	if (has)
		memcpy(buf, in->bytes + off, has);
	return true;
}

static void check(struct forged *in, u32 flags, u32 place, u64 pc)
{
	const struct lang_memory m = { .read = read_pages, .arg = in };
	static struct beam_function f;
	struct lang_beam_print print;
	u64 first = (u64)LANG_BEAM << LANG_KIND_SHIFT | (u64)flags << LANG_FLAGS_SHIFT | pc;
	u64 second = place;

	if (!(flags & LANG_BEAM_FRAGMENT)) {
		if (beam_module_find(&m, &layout, pc, &print) != BEAM_FOUND)
			return;
		second |= (u64)lang_beam_cookie(&print) << 32;
		must(beam_function_read(&m, &layout, first, second ^ 1ull << 32, &f) != BEAM_FOUND);
	}
	in->reads = 0;
	if (beam_function_read(&m, &layout, first, second, &f) == BEAM_FOUND) {
		forged_check_text(f.name, sizeof(f.name));
		forged_check_text(f.file, sizeof(f.file));
		must(f.size <= BEAM_SIZE_MOST + 1);
		must(!*f.name || !(flags & LANG_BEAM_FRAGMENT));
		must(!f.line || !(flags & LANG_BEAM_INNERMOST));
	}
	must(in->reads <= MAX_READS);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct forged in = { data + 4, size < 4 ? 0 : size - 4, 0 };

	if (size < 4)
		return 0;
	check(&in, data[0] & (LANG_BEAM_FRAGMENT | LANG_BEAM_INNERMOST), data[1] % 3,
	      FORGED_BASE + ustack_le16(data + 2));
	return 0;
}
