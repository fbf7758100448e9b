// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds Ruby in a file and in a process. A stripped Ruby has its version in ruby_version;
 * ruby_machine.h finds the rest in its machine code. Nothing describes the structures:
 * offsets are constants, as offsetof() gives them with the headers of the sources of
 * 3.1.2 and 3.3.8 in Debian's configuration, and tests/live/lang checks them with running
 * programs.
 */
#include "symbols/lang/ruby.h"

#include "symbols/lang/ruby_class.h"
#include "symbols/lang/version.h"

/* Limit for modules of a process: each has an entry in each thread's vector. */
#define MAX_MODULES 65536u
/* Limit for the bytes of one module's TLS block. */
#define MAX_TLS ((u64)1 << 24)

/*
 * Symbols that an interpreter has while it starts: Object gets its name among the first 300, and a
 * program without any library has 3000 in the end.
 */
#define FIRST_SYMBOLS 1024u

static const struct {
	u32 minor;
	u32 errinfo;
	struct lang_ruby layout;
} layouts[] = {
	{ 0x0301, 112, { .frame_bytes = 64, .lines = 120, .jit = 280, .old = 1 } },
	{ 0x0303, 120, { .frame_bytes = 56, .lines = 112, .jit = 288 } },
};

static u32 version_of(const struct lang_elf *e, const struct lang_symbol *s)
{
	u8 text[16];
	u64 len = s->size < sizeof(text) ? s->size : sizeof(text);

	return lang_elf_bytes(e, s->value, text, len) ? lang_version_parse(text, text + len) : 0;
}

static const char *find_layout(struct ruby_file *ret, u32 *errinfo)
{
	size_t i;

	if (!ret->version)
		return "its version cannot be read";
	for (i = 0; i < sizeof(layouts) / sizeof(layouts[0]); i++)
		if (layouts[i].minor == ret->version >> 16) {
			ret->layout = layouts[i].layout;
			*errinfo = layouts[i].errinfo;
			return NULL;
		}
	return "frames of this version are not read";
}

static const char *find_places(const struct lang_elf *e, u32 errinfo, struct ruby_file *ret)
{
	const char *why = ruby_machine_read(e, &ret->places);

	if (!why && ret->places.errinfo != errinfo)
		return "its structures differ from those of its version";
	return why;
}

static unsigned int ranges_of(const struct lang_elf *e, struct range of,
			      struct range ret[EVAL_MAX_RANGES])
{
	return of.end ? eval_ranges(e, of.start, of.end - of.start, ret) : 0;
}

bool ruby_file_read(const struct lang_elf *e, struct ruby_file *ret)
{
	struct lang_symbol symbol[] = { { .name = "ruby_version" }, { .name = "rb_errinfo" } };
	struct lang_symbol object = { .name = "rb_cObject" };
	u32 errinfo = 0;

	*ret = (struct ruby_file){ 0 };
	if (!lang_elf_symbols(e, symbol, 2))
		return false;
	ret->version = version_of(e, &symbol[0]);
	ret->refused = find_layout(ret, &errinfo);
	if (!ret->refused)
		ret->refused = find_places(e, errinfo, ret);
	if (ret->refused)
		return true;
	ret->object = lang_elf_symbols(e, &object, 1) ? object.value : 0;
	ret->nr_eval = ranges_of(e, ret->places.vm_exec, ret->eval);
	ret->nr_inner = ranges_of(e, ret->places.vm_exec_core, ret->inner);
	return true;
}

/*
 * Finds out how classes are read. The address of Object may be elsewhere, if a program that embeds
 * Ruby has got the variable (by a COPY relocation).
 */
static void describe_classes(const struct ruby_file *f, u64 bias, const struct lang_memory *m,
			     struct lang_ruby *ret)
{
	u64 object = 0;

	if (f->object && lang_memory_read(m, f->object + bias, &object, sizeof(object)))
		ruby_class_check(m, ret, object);
}

enum lang_ready ruby_describe(const struct ruby_file *f, u64 bias, const struct lang_libc *libc,
			      const struct lang_memory *m, struct lang_ruby *ret)
{
	u64 pair[2];	/* number of the module, offset in its TLS block */
	u32 symbols;

	if (!lang_memory_read(m, f->places.tls + bias, pair, sizeof(pair)))
		return LANG_NEVER;
	if (!pair[0])
		return LANG_NOT_YET;
	if (!lang_memory_read(m, f->places.symbols + bias, &symbols, sizeof(symbols)))
		return LANG_NEVER;
	if (symbols < FIRST_SYMBOLS)
		return LANG_NOT_YET;
	if (pair[0] >= MAX_MODULES || pair[1] >= MAX_TLS)
		return LANG_NEVER;
	*ret = f->layout;
	ret->dtv = libc->dtv;
	ret->module = pair[0] * LANG_DTV_ENTRY;
	ret->ec = pair[1] + f->places.tls_more;
	ret->symbols = f->places.symbols + bias;
	describe_classes(f, bias, m, ret);
	return LANG_READY;
}
