// SPDX-License-Identifier: GPL-2.0-only
/*
 * Opens the parts of a Mach-O file that unwinding needs, and finds functions, bytes and stubs
 * by image offset.
 */
#include "darwin/image.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "darwin/unwind_step.h"
#include "util/array.h"

#include "util/poison.h"

#define S_SYMBOL_STUBS 8u

static void add_stubs(struct macho_image *image, const struct macho_section *s)
{
	uint64_t start = s->addr - image->m.base, end = start + s->size;
	enum macho_stub kind = MACHO_STUB_JUMP;

	if (!strcmp(s->name, "__stub_helper"))
		kind = MACHO_STUB_HELPER;
	else if ((s->flags & 0xff) != S_SYMBOL_STUBS && strcmp(s->name, "__objc_stubs") != 0)
		return;
	if (image->nr_stubs < MACHO_IMAGE_STUBS && start < end && end <= UINT32_MAX)
		image->stubs[image->nr_stubs++] = (struct macho_stubs){
			(uint32_t)start, (uint32_t)end, kind
		};
}

static int add_eh(struct macho_image *image, const struct macho_section *s, struct diag *diag)
{
	if (image->eh || strcmp(s->name, "__eh_frame") != 0)
		return 0;
	image->eh_len = s->size;
	image->eh_addr = s->addr;
	return macho_section_bytes(&image->m, s, &image->eh, diag);
}

static int add_sections(struct macho_image *image, struct diag *diag)
{
	struct macho_section s = { 0 };
	int err = 0;

	while (!err && macho_next_section(&image->m, &s)) {
		add_stubs(image, &s);
		err = add_eh(image, &s, diag);
	}
	return err;
}

static int add_starts(struct macho_image *image, struct diag *diag)
{
	struct macho_starts it;
	uint64_t addr;
	size_t room = 0;
	int err = macho_starts_open(&image->m, &it, diag);

	while (!err && macho_starts_next(&it, &addr)) {
		addr -= image->m.base;
		if (addr > UINT32_MAX)
			break;
		if (!array_has_room(image->starts, image->nr_starts, room))
			return diag_errno(diag, ENOMEM, image->m.path);
		image->starts[image->nr_starts++] = (uint32_t)addr;
	}
	return err;
}

int macho_image_init(struct macho_image *image, const struct macho *m, struct diag *diag)
{
	int err;

	*image = (struct macho_image){ .m = *m };
	if (!unwind_arch_of(m->cputype, &image->arch) || m->swap)
		return diag_set(diag, EINVAL, m->path, "no unwinding for its processor");
	err = unwind_info_of(m, &image->u, diag);
	image->has_unwind = !err;
	if (err == -ENOENT)
		err = 0;
	if (!err)
		err = add_sections(image, diag);
	if (!err)
		err = add_starts(image, diag);
	if (err)
		macho_image_release(image);
	return err;
}

void macho_image_release(struct macho_image *image)
{
	free(image->starts);
	*image = (struct macho_image){ .nr_starts = 0 };
}

size_t macho_image_bytes(const struct macho_image *image, uint64_t off, const uint8_t **ret)
{
	const struct macho *m = &image->m;
	struct macho_segment s = { 0 };
	uint64_t in;

	while (macho_next_segment(m, &s)) {
		in = m->base + off - s.addr;
		if (in >= s.size || in >= s.file_size || !macho_has(m, s.off, s.file_size))
			continue;
		*ret = m->bytes + s.off + in;
		return (size_t)((s.size < s.file_size ? s.size : s.file_size) - in);
	}
	return 0;
}

size_t macho_image_starts_up_to(const struct macho_image *image, uint32_t off)
{
	size_t lo = 0, hi = image->nr_starts, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (image->starts[mid] <= off)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

bool macho_image_code(const struct macho_image *image, uint32_t off,
		      const struct unwind_entry *e, struct unwind_code *ret)
{
	size_t nr = macho_image_starts_up_to(image, off), len;
	uint32_t start = 0, end = UINT32_MAX;

	if (!nr && !e)
		return false;
	if (e)
		end = e->end;
	start = nr ? image->starts[nr - 1] : e->start;
	if (nr < image->nr_starts && image->starts[nr] < end)
		end = image->starts[nr];
	if (end <= off)
		return false;
	len = macho_image_bytes(image, start, &ret->bytes);
	ret->len = len < end - start ? len : end - start;
	ret->at = off - start;
	return ret->at < ret->len;
}

/* Bytes that were pushed since the call, at offset @in of __stub_helper. The section begins
 * with a part that all share; then comes for each import code that pushes its number and
 * jumps to that part.
 */
static uint32_t helper_size(enum unwind_arch arch, uint32_t in)
{
	switch (arch) {
	case UNWIND_X86_64:
		/* lea, push, jmp, nop; then push $n, jmp: 5 bytes each */
		if (in < 16)
			return in < 7 + 2 ? 16 : 24;
		return (in - 16) % 10 < 5 ? 8 : 16;
	case UNWIND_X86:
		/* push $cache, jmp *binder, nop */
		if (in < 12)
			return in < 5 ? 8 : 12;
		return (in - 12) % 10 < 5 ? 4 : 8;
	case UNWIND_ARM64:
		/* adrp, add, stp; adrp, ldr, br */
		return in >= 12 && in < 24 ? 16 : 0;
	}
	return 0;
}

bool macho_image_stub(const struct macho_image *image, uint32_t off, struct unwind_rule *ret)
{
	const struct macho_stubs *s = image->stubs;

	for (; s < image->stubs + image->nr_stubs; s++) {
		if (off < s->start || off >= s->end)
			continue;
		*ret = (struct unwind_rule){
			.kind = image->arch == UNWIND_ARM64 ? UNWIND_FRAMELESS : UNWIND_IMMEDIATE,
		};
		ret->size = s->kind == MACHO_STUB_HELPER ?
				    helper_size(image->arch, off - s->start) :
			    image->arch == UNWIND_ARM64 ? 0 :
			    (uint32_t)unwind_word(image->arch);
		return true;
	}
	return false;
}
