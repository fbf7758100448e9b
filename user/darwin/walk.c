// SPDX-License-Identifier: GPL-2.0-only
/*
 * Walks a captured stack frame by frame and chooses the best way for each frame: compact
 * unwinding, __eh_frame, code, stubs, or the frame pointer. `ustack macho unwind` calls it.
 */
#include "darwin/walk.h"

#include <endian.h>
#include <errno.h>
#include <string.h>

#include "sframe/cfi.h"

static const char *const how_names[MACHO_NR_HOWS] = {
	[MACHO_BY_REGISTERS] = "registers",
	[MACHO_BY_COMPACT] = "compact",
	[MACHO_BY_DWARF] = "dwarf",
	[MACHO_BY_CODE] = "code",
	[MACHO_BY_STUB] = "stub",
	[MACHO_BY_LEAF] = "leaf",
	[MACHO_BY_FRAME_POINTER] = "frame-pointer",
	[MACHO_BY_RULE] = "rule",
};

static const char *const ends[MACHO_NR_ENDS][2] = {
	[MACHO_END_COMPLETE] = { "complete", "it is the outermost frame" },
	[MACHO_END_NO_IMAGE] = { "no-image", "no image has its address" },
	[MACHO_END_NO_FILE] = { "no-file", "the file of its image was not found" },
	[MACHO_END_NO_INFO] = { "no-info", "its image has no unwind information for its address" },
	[MACHO_END_NO_STACK] = { "no-stack", "memory that it needs was not captured" },
	[MACHO_END_NO_REGISTER] = { "no-register", "a register that it needs is not known" },
	[MACHO_END_DAMAGED] = { "damaged", "its unwind information is damaged" },
	[MACHO_END_DEPTH] = { "depth", "there are more frames than were asked for" },
	[MACHO_END_NO_MEMORY] = { "no-memory", "no memory" },
};

const char *macho_how_name(enum macho_how how)
{
	return how_names[how];
}

const char *macho_end_name(enum macho_end end)
{
	return ends[end][0];
}

const char *macho_end_text(enum macho_end end)
{
	return ends[end][1];
}

/**
 * struct walk - state of a walk
 * @w: the process
 * @place: image of the present frame
 * @has_place: there is an image
 * @image: the same image in the form that steps need
 * @how: way in which the last step was made
 * @encoding: see struct macho_frame
 * @diag: receives errors
 */
struct walk {
	const struct macho_walk *w;
	struct macho_place place;
	bool has_place;
	struct unwind_image image;
	enum macho_how how;
	uint32_t encoding;
	struct diag *diag;
};

static bool read_code(void *arg, uint32_t off, uint32_t *ret)
{
	const struct walk *k = arg;
	const uint8_t *bytes;

	if (macho_image_bytes(k->place.image, off, &bytes) < sizeof(*ret))
		return false;
	memcpy(ret, bytes, sizeof(*ret));
	*ret = le32toh(*ret);
	return true;
}

static bool read_word(void *arg, uint64_t addr, uint64_t *ret)
{
	const struct walk *k = arg;

	return k->w->word(k->w->arg, addr, ret);
}

static void enter(struct walk *k, const struct unwind_regs *regs)
{
	const struct macho_image *image;

	k->encoding = 0;
	k->has_place = k->w->find(k->w->arg, regs->pc - !regs->inner, &k->place);
	image = k->has_place ? k->place.image : NULL;
	k->image = (struct unwind_image){
		.arch = k->w->arch,
		.path = image ? image->m.path : NULL,
		.u = image && image->has_unwind ? &image->u : NULL,
		.base = k->place.base,
		.code = image ? read_code : NULL,
		.word = read_word,
		.arg = k,
		.strip = k->w->strip,
	};
}

static bool is_code(const struct walk *k, uint64_t addr)
{
	struct macho_place place;

	return k->w->find(k->w->arg, addr, &place);
}

/*
 * Steps by the frame pointer, if there is no other information: the record that it points to
 * must be above the stack pointer, and its return address in an image.
 *
 * Return: as a step; -ENOENT if it is no record.
 */
static int by_frame_pointer(struct walk *k, struct unwind_regs *regs)
{
	unsigned int fp = unwind_frame_reg(k->w->arch), i;
	uint64_t word = unwind_word(k->w->arch), at = regs->reg[fp], next, ra;

	if (!regs->known[fp])
		return -ENOENT;
	/* the first function of a thread has cleared the frame pointer */
	if (!at && !regs->inner)
		return 0;
	if (at < regs->sp || at % word || !read_word(k, at, &next) ||
	    !read_word(k, at + word, &ra))
		return -ENOENT;
	if (k->w->arch == UNWIND_ARM64 && k->w->strip)
		ra &= k->w->strip;
	if (!ra)
		return 0;
	if (!is_code(k, ra - 1))
		return -ENOENT;
	for (i = 0; i < UNWIND_NR_REGS; i++)
		regs->known[i] = i == fp;
	regs->reg[fp] = next;
	regs->sp = at + 2 * word;
	regs->pc = ra;
	regs->has_lr = false;
	regs->inner = false;
	k->how = MACHO_BY_FRAME_POINTER;
	return 1;
}

/* Steps from an innermost function without unwind information, which may have no frame. */
static int by_leaf(struct walk *k, const struct unwind_code *code, struct unwind_regs *regs)
{
	struct unwind_rule r = { .kind = UNWIND_IMMEDIATE };
	struct unwind_regs next = *regs;
	int more;

	if (!regs->inner || unwind_edge_has_frame(k->w->arch, code))
		return -ENOENT;
	r.size = (uint32_t)unwind_word(k->w->arch);
	if (k->w->arch == UNWIND_ARM64)
		r = (struct unwind_rule){ .kind = UNWIND_FRAMELESS };
	more = unwind_apply(&k->image, NULL, &r, &next, NULL);
	if (more != 1 || !is_code(k, next.pc - 1))
		return -ENOENT;
	*regs = next;
	k->how = MACHO_BY_LEAF;
	return 1;
}

/*
 * Some real files have invalid encodings: that of __rust_probestack() is one. If the function
 * makes a frame, as that one does, the frame pointer points to it.
 */
static int by_own_frame(struct walk *k, const struct unwind_code *code, struct unwind_regs *regs)
{
	if (code->len && unwind_edge_has_frame(k->w->arch, code) &&
	    by_frame_pointer(k, regs) == 1)
		return 1;
	return -EBADMSG;
}

static int by_dwarf(struct walk *k, uint32_t hint, struct unwind_regs *regs)
{
	k->how = MACHO_BY_DWARF;
	if (!k->place.eh)
		return -ENOENT;
	return eh_frame_step(k->place.eh, &k->image, hint, regs, k->diag);
}

/*
 * Looks up an innermost function's FDE: it gives the function's start, if nothing else does,
 * and tells signal trampolines, which nobody calls and which have no prologue.
 *
 * Return: whether it is not a signal trampoline.
 */
static bool look_at_fde(struct walk *k, uint32_t off, uint32_t hint, struct unwind_code *code)
{
	const struct macho_image *image = k->place.image;
	struct unwind_entry e;
	struct cfi_fde fde;

	if (!k->place.eh ||
	    eh_frame_find(k->place.eh, image->m.base + off, hint, &fde, NULL))
		return true;
	e = (struct unwind_entry){ .start = (uint32_t)(fde.start - image->m.base),
				   .end = (uint32_t)(fde.end - image->m.base) };
	if (!code->len && e.start <= off && !macho_image_code(image, off, &e, code))
		code->len = 0;
	return !fde.signal;
}

/* Rules for innermost frames only: in a stub, a prologue or an epilogue. */
static bool find_edge(struct walk *k, uint32_t off, const struct unwind_code *code,
		      struct unwind_rule *ret)
{
	k->how = MACHO_BY_STUB;
	if (macho_image_stub(k->place.image, off, ret))
		return true;
	k->how = MACHO_BY_CODE;
	return code->len && unwind_edge(k->w->arch, code, ret);
}

/* i386 code learns its own address by a call of the next instruction, which pops it. Before the
 * pop, the stack has one word more than any information but DWARF says.
 */
static bool has_own_address(const struct walk *k, const struct unwind_code *c)
{
	static const uint8_t call[] = { 0xe8, 0, 0, 0, 0 };

	return k->w->arch == UNWIND_X86 && c->len && c->at >= sizeof(call) &&
	       !memcmp(c->bytes + c->at - sizeof(call), call, sizeof(call)) &&
	       (c->bytes[c->at] & 0xf8) == 0x58;
}

static int by_image(struct walk *k, struct unwind_regs *regs)
{
	uint64_t off = regs->pc - k->place.base - !regs->inner;
	struct unwind_code code = { .len = 0 };
	struct unwind_entry e = { .start = 0 };
	struct unwind_rule r = { .kind = UNWIND_NONE }, edge;
	int err = -ENOENT;

	if (off > UINT32_MAX)
		return -ENOENT;
	if (k->image.u)
		err = unwind_find(&k->image, regs, &e, &r, k->diag);
	if (!macho_image_code(k->place.image, (uint32_t)off, e.end ? &e : NULL, &code))
		code.len = 0;
	if (regs->inner && (!err || look_at_fde(k, (uint32_t)off, r.fde, &code)) &&
	    find_edge(k, (uint32_t)off, &code, &edge))
		return unwind_apply(&k->image, &e, &edge, regs, k->diag);
	if (!err) {
		if (regs->inner && has_own_address(k, &code))
			regs->sp += unwind_word(k->w->arch);
		k->how = MACHO_BY_COMPACT;
		k->encoding = e.encoding;
		return unwind_apply(&k->image, &e, &r, regs, k->diag);
	}
	if (err == -EBADMSG)
		return by_own_frame(k, &code, regs);
	err = by_dwarf(k, r.fde, regs);
	return err == -ENOENT && code.len ? by_leaf(k, &code, regs) : err;
}

static int step(struct walk *k, struct unwind_regs *regs, enum macho_end *end)
{
	int err = -ENOENT;

	enter(k, regs);
	*end = MACHO_END_NO_IMAGE;
	if (k->has_place)
		*end = k->place.image ? MACHO_END_NO_INFO : MACHO_END_NO_FILE;
	if (k->has_place && k->place.image)
		err = by_image(k, regs);
	return err == -ENOENT ? by_frame_pointer(k, regs) : err;
}

static enum macho_end end_of(int err, enum macho_end no_info)
{
	switch (err) {
	case 0:
		return MACHO_END_COMPLETE;
	case -ENOENT:
		return no_info;
	case -EFAULT:
		return MACHO_END_NO_STACK;
	case -ENODATA:
		return MACHO_END_NO_REGISTER;
	case -ENOMEM:
		return MACHO_END_NO_MEMORY;
	}
	return MACHO_END_DAMAGED;
}

size_t macho_walk(const struct macho_walk *w, const struct unwind_regs *regs,
		  struct macho_frame *ret, size_t room, enum macho_end *end, struct diag *diag)
{
	struct diag own;
	struct walk k = { .w = w, .diag = diag ? diag : &own };
	struct unwind_regs r = *regs;
	enum macho_end no_info;
	size_t nr = 0;
	int err;

	k.how = MACHO_BY_REGISTERS;
	for (;;) {
		ret[nr++] = (struct macho_frame){
			.pc = r.pc, .sp = r.sp, .inner = r.inner,
			.how = (uint8_t)k.how, .encoding = k.encoding,
		};
		*k.diag = (struct diag){ .offset = DIAG_NO_OFFSET };
		err = step(&k, &r, &no_info);
		if (err != 1)
			break;
		if (nr == room) {
			*end = MACHO_END_DEPTH;
			return nr;
		}
	}
	*end = end_of(err, no_info);
	if (*end != MACHO_END_NO_STACK && *end != MACHO_END_NO_REGISTER &&
	    *end != MACHO_END_DAMAGED)
		k.diag->text[0] = '\0';
	return nr;
}
