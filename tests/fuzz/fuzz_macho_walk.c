// SPDX-License-Identifier: GPL-2.0-only
/*
 * Walks by the unwind tables of a Mach-O file. The input is the file, followed
 * by 16 bytes that say where the walk starts and what is on the stack. Whatever
 * the input, walks end and go up; a converted image is a section that the core
 * accepts, and the core walks by it.
 */
#include <stdlib.h>
#include <string.h>

#include "core.h"
#include "darwin/convert.h"
#include "darwin/image.h"
#include "darwin/table.h"
#include "darwin/walk_core.h"
#include "must.h"
#include "sframe/cfi.h"

#define AT 0x700000000ull
#define STACK 0x10000ull
#define STACK_LEN 0x8000ull
#define ROOM 24u

/* The bytes after the file. */
struct start {
	u32 pc;
	u8 sp;
	u8 fp;
	u8 flags;
	u8 pad;
	u64 seed;
};

static struct macho_image image;
static struct eh_frame *eh;
static struct sframe_section *rules;
static struct start s;
static size_t file_len;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool find(void *arg, uint64_t addr, struct macho_place *ret)
{
	*ret = (struct macho_place){ .image = &image, .eh = eh, .base = AT };
	return addr >= AT && addr - AT < 2 * file_len;
}

/* Memory that mostly contains plausible return addresses and frame pointers. */
static bool word(void *arg, uint64_t addr, uint64_t *ret)
{
	u64 v = (addr + s.seed) * 0x9e3779b97f4a7c15ull;

	if (addr < STACK || addr >= STACK + STACK_LEN || addr % unwind_word(image.arch))
		return false;
	v ^= v >> 29;
	if (v & 1)
		*ret = AT + (v >> 8) % (file_len + 1);
	else
		*ret = addr + (v >> 8) % 256 * 8;
	if (!(v & 0xf000))
		*ret = v >> 40;
	return true;
}

static const struct ustack_table *table(void *arg, uint64_t addr, uint64_t *bias)
{
	*bias = AT - image.m.base;
	return rules ? macho_table_get(rules) : NULL;
}

static struct unwind_regs regs(void)
{
	struct unwind_regs r = {
		.pc = AT + s.pc % (file_len + 1), .sp = STACK + 8ull * s.sp,
		.lr = AT + s.seed % (file_len + 1), .has_lr = s.flags & 1, .inner = s.flags & 2,
	};
	unsigned int i;

	for (i = 0; i < UNWIND_NR_REGS; i++) {
		r.reg[i] = STACK + 8ull * ((s.seed >> i % 56) & 0xfff);
		r.known[i] = i % 3 || s.flags & 4;
	}
	r.reg[unwind_frame_reg(image.arch)] = STACK + 8ull * s.fp;
	r.known[unwind_frame_reg(image.arch)] = s.flags & 8;
	return r;
}

static void walk(void)
{
	const struct macho_walk w = { .arch = image.arch, .find = find, .word = word,
				      .strip = image.arch == UNWIND_ARM64 ? (1ull << 47) - 1 : 0 };
	struct unwind_regs r = regs();
	struct macho_frame f[ROOM];
	enum macho_end end;
	struct diag d;
	size_t nr, i;

	nr = macho_walk(&w, &r, f, ROOM, &end, &d);
	must(nr >= 1 && nr <= ROOM && end < MACHO_NR_ENDS);
	must(end != MACHO_END_NO_STACK || d.text[0]);
	for (i = 1; i < nr; i++)
		must(f[i].how < MACHO_NR_HOWS &&
		     (f[i].sp > f[i - 1].sp || f[i - 1].inner || f[i].inner));
	if (image.arch == UNWIND_X86)
		return;
	nr = macho_walk_core(&w, table, &r, f, ROOM, &end);
	must(nr >= 1 && nr <= ROOM && end < MACHO_NR_ENDS);
}

/* Checks that a converted section passes verification, and that nothing is lost in it. */
static void convert(void)
{
	struct diag d = { .text = "" };
	int err = macho_table_new(&image, eh, &rules, &d);

	if (err) {
		must(d.text[0]);
		rules = NULL;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *copy;
	struct diag d;
	struct macho m;

	if (size < sizeof(s))
		return 0;
	size -= sizeof(s);
	memcpy(&s, data + size, sizeof(s));
	copy = malloc(size + !size);
	memcpy(copy, data, size);
	file_len = size;
	rules = NULL;
	eh = NULL;
	if (!macho_open(copy, size, 0, "fuzz", &m, &d) && !macho_image_init(&image, &m, &d)) {
		if (eh_frame_new(&image, &eh, &d))
			eh = NULL;
		convert();
		walk();
		macho_table_free(rules);
		eh_frame_free(eh);
		macho_image_release(&image);
	}
	free(copy);
	return 0;
}
