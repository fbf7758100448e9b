// SPDX-License-Identifier: GPL-2.0-only
/*
 * Builds .sframe sections and fabricated processes for the unit tests of the core (support.h).
 */
#include "support.h"

const char *reason_name(unsigned int reason)
{
	const char *name = ustack_reason_name(reason);

	return name ? name : "(no such reason)";
}

void sf_init(struct sf *s, const struct ustack_arch *arch, u8 version)
{
	*s = (struct sf){
		.arch = arch,
		.version = version,
		.flags = SFRAME_F_FDE_SORTED,
		.abi = arch->sframe_abi,
		.ra_fixed = arch->ra_fixed,
		.anchor = USTACK_ANCHOR_SECTION,
		.vaddr = SECTION_VADDR,
	};
	if (version == 3) {
		s->flags |= SFRAME_F_FDE_FUNC_START_PCREL;
		s->anchor = USTACK_ANCHOR_FIELD;
	}
}

void sf_func(struct sf *s, u64 start, u32 size, u8 info, u8 info2, u8 rep)
{
	static const u8 attr[SFRAME_V3_ATTR_LEN];

	/* doubled whenever it is full */
	if (!(s->nr_funcs & (s->nr_funcs - 1)))
		s->funcs = realloc(s->funcs, (2 * s->nr_funcs + 1) * sizeof(*s->funcs));
	assert_non_null(s->funcs);
	s->funcs[s->nr_funcs++] = (struct sf_func){
		.start = start,
		.size = size,
		.rows = s->rows.len,
		.info = info,
		.info2 = info2,
		.rep = rep,
	};
	if (s->version == 3)
		bytes_put(&s->rows, attr, sizeof(attr));
}

void sf_row(struct sf *s, const void *row, u32 len)
{
	s->funcs[s->nr_funcs - 1].nr_rows++;
	s->nr_rows++;
	bytes_put(&s->rows, row, len);
}

static void put_v3_attr(struct sf *s, const struct sf_func *f)
{
	u8 *attr = s->rows.p + f->rows;

	attr[0] = (u8)f->nr_rows;
	attr[1] = (u8)(f->nr_rows >> 8);
	attr[2] = f->info;
	attr[3] = f->info2;
	attr[4] = f->rep;
}

static void emit_func(struct sf *s, const struct sf_func *f, struct bytes *out)
{
	u64 anchor = s->vaddr;

	if (s->anchor == USTACK_ANCHOR_FIELD)
		anchor += out->len;
	bytes_le(out, f->start - anchor, s->version == 3 ? 8 : 4);
	bytes_le(out, f->size, 4);
	bytes_le(out, f->rows, 4);
	if (s->version == 3) {
		put_v3_attr(s, f);
		return;
	}
	bytes_le(out, f->nr_rows, 4);
	bytes_le(out, f->info, 1);
	if (s->version == 2)
		bytes_le(out, f->rep, 3);
}

void sf_emit(struct sf *s, struct bytes *out)
{
	static const u32 fde_len[] = { 0, 17, 20, 16 };
	/* tests of unknown versions lay entries out as in V2 */
	u32 len = s->version < 4 ? fde_len[s->version] : 20, i;

	bytes_le(out, SFRAME_MAGIC, 2);
	bytes_le(out, s->version, 1);
	bytes_le(out, s->flags, 1);
	bytes_le(out, s->abi, 1);
	bytes_le(out, (u8)s->fp_fixed, 1);
	bytes_le(out, (u8)s->ra_fixed, 1);
	bytes_le(out, s->aux, 1);
	bytes_le(out, s->nr_funcs, 4);
	bytes_le(out, s->nr_rows, 4);
	bytes_le(out, s->rows.len, 4);
	bytes_le(out, 0, 4);
	bytes_le(out, s->nr_funcs * len, 4);
	for (i = 0; i < s->aux; i++)
		bytes_le(out, 0xaa, 1);
	for (i = 0; i < s->nr_funcs; i++)
		emit_func(s, &s->funcs[i], out);
	bytes_put(out, s->rows.p, s->rows.len);
	free(s->rows.p);
	free(s->funcs);
	s->rows = (struct bytes){ 0 };
	s->funcs = NULL;
	s->nr_funcs = s->nr_rows = 0;
}

void sf_many(struct sf *s, u32 n, u32 step)
{
	u32 i;

	for (i = 0; i < n; i++) {
		sf_func(s, TEXT_START + (u64)i * step, 16, FN_ADDR1, 0, 0);
		SF_ROW(s, 0x00, 0x03, 0x08);
	}
}

void image_init(struct image *im, const struct ustack_arch *arch)
{
	*im = (struct image){
		.text = { { TEXT_START, TEXT_END } },
		.sec = { .arch = arch, .vaddr = SECTION_VADDR, .nr_text = 1 },
	};
}

/* Without the address sanitizer a mark after the end shows a write beyond it. */
#ifdef __SANITIZE_ADDRESS__
#define MARK ""
#else
#define MARK "the end"
#endif

static void *exact(u64 size)
{
	u8 *p = malloc(size + sizeof(MARK) - 1);

	assert_non_null(p);
	memcpy(p + size, MARK, sizeof(MARK) - 1);
	return p;
}

static void assert_kept_to(const void *p, u64 size)
{
	assert_memory_equal((const u8 *)p + size, MARK, sizeof(MARK) - 1);
}

enum ustack_reason image_make(struct image *im)
{
	enum ustack_reason reason;
	u8 *bytes = exact(im->bytes.len);

	/* a copy of the exact size */
	memcpy(bytes, im->bytes.p, im->bytes.len);
	free(im->bytes.p);
	im->bytes.p = bytes;
	im->bytes.room = im->bytes.len;
	im->sec.bytes = bytes;
	im->sec.len = im->bytes.len;
	im->sec.text = im->text;
	reason = ustack_section_open(&im->sec, NULL);
	if (reason)
		return reason;
	im->scratch = exact(ustack_section_scratch(&im->sec));
	memset(im->scratch, 0xa5, ustack_section_scratch(&im->sec));
	reason = ustack_verify(&im->sec, im->scratch);
	if (reason)
		return reason;
	reason = ustack_compile_size(&im->sec, &im->size);
	if (reason)
		return reason;
	im->table = exact(im->size);
	memset(im->table, 0xa5, im->size);
	assert_reason(ustack_compile(&im->sec, im->table), USTACK_OK);
	assert_kept_to(im->scratch, ustack_section_scratch(&im->sec));
	assert_kept_to(im->table, im->size);
	assert_int_equal(im->table->size, im->size);
	assert_reason(ustack_table_check(im->table, im->size), USTACK_OK);
	return USTACK_OK;
}

void image_release(struct image *im)
{
	free(im->bytes.p);
	free(im->scratch);
	free(im->table);
	*im = (struct image){ 0 };
}

enum ustack_reason image_of(struct image *im, struct sf *s)
{
	image_init(im, s->arch);
	sf_emit(s, &im->bytes);
	return image_make(im);
}

const struct ustack_rule *image_rule(const struct image *im, u64 pc)
{
	return ustack_lookup(im->table, pc - im->table->base);
}

void assert_cfa(const struct image *im, u64 pc, u8 op, s32 off)
{
	const struct ustack_rule *rule = image_rule(im, pc);

	if (!rule)
		fail_msg("no row at 0x%llx", (unsigned long long)pc);
	if (rule->cfa != op || rule->cfa_off != off)
		fail_msg("at 0x%llx: CFA operand 0x%x%+d, not 0x%x%+d",
			 (unsigned long long)pc, rule->cfa, rule->cfa_off, op,
			 off);
}

void assert_no_row(const struct image *im, u64 pc)
{
	if (image_rule(im, pc))
		fail_msg("a row at 0x%llx", (unsigned long long)pc);
}

void check_many(const struct image *im, u32 n, u32 step)
{
	u32 i;

	for (i = 0; i < n; i++) {
		assert_cfa(im, TEXT_START + (u64)i * step, USTACK_OP_SP, 8);
		if (step > 16)
			assert_no_row(im, TEXT_START + (u64)i * step + 16);
	}
	assert_no_row(im, TEXT_START - 1);
	assert_no_row(im, TEXT_START + (u64)n * step);
}

void bytes_read_file(const char *path, struct bytes *ret)
{
	u8 buf[4096];
	size_t n;
	FILE *f = fopen(path, "rb");

	if (!f)
		fail_msg("cannot open %s (tests run from the top folder)", path);
	*ret = (struct bytes){ 0 };
	while ((n = fread(buf, 1, sizeof(buf), f)) > 0)
		bytes_put(ret, buf, (u32)n);
	fclose(f);
}

/* The value left in *ret if a read fails, because real readers leave 0 or half a word there. */
#define NOT_READ 0xbad0bad0bad0bad0ull

static bool fake_read_u64(struct ustack_mem *mem, u64 addr, u64 *ret)
{
	struct fake *f = (struct fake *)mem;
	unsigned int i;

	f->reads++;
	for (i = 0; i < f->nr_maps; i++) {
		if (addr < f->map[i].start ||
		    addr - f->map[i].start > f->map[i].len - 8)
			continue;
		memcpy(ret, f->map[i].bytes + (addr - f->map[i].start), 8);
		return true;
	}
	*ret = NOT_READ;
	return false;
}

static bool fake_read_reg(struct ustack_mem *mem, unsigned int reg, u64 *ret)
{
	struct fake *f = (struct fake *)mem;

	if (reg >= ARRAY_SIZE(f->regs) || !(f->known >> reg & 1))
		return false;
	*ret = f->regs[reg];
	return true;
}

void fake_init(struct fake *f)
{
	*f = (struct fake){
		.mem = {
			.read_u64 = fake_read_u64,
			.read_reg = fake_read_reg,
			.ra_mask = ~0ull,
			.user_end = 0x7ffffffff000ull,
		},
	};
}

void fake_release(struct fake *f)
{
	while (f->nr_maps)
		free(f->map[--f->nr_maps].bytes);
}

u8 *fake_map(struct fake *f, u64 start, u64 len)
{
	u8 *bytes = calloc(1, len);

	assert_non_null(bytes);
	assert_true(f->nr_maps < ARRAY_SIZE(f->map));
	f->map[f->nr_maps].start = start;
	f->map[f->nr_maps].len = len;
	f->map[f->nr_maps++].bytes = bytes;
	return bytes;
}

void fake_code(struct fake *f, u64 addr, const void *code, u32 len)
{
	unsigned int i;

	for (i = 0; i < f->nr_maps; i++) {
		if (addr < f->map[i].start ||
		    addr + len > f->map[i].start + f->map[i].len)
			continue;
		memcpy(f->map[i].bytes + (addr - f->map[i].start), code, len);
		return;
	}
	fail_msg("0x%llx is not mapped", (unsigned long long)addr);
}

void fake_poke(struct fake *f, u64 addr, u64 v)
{
	fake_code(f, addr, &v, sizeof(v));
}
