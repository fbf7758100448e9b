// SPDX-License-Identifier: GPL-2.0-only
/* Writes CIEs and FDEs byte by byte, and prints what the reader makes of them. */
#include "maker.h"

#include <inttypes.h>

static const u8 x86_program[] = { 0x0c, 7, 8, 0x90, 1 };
static const u8 a64_program[] = { 0x0c, 31, 0 };
static const u8 pcrel_sdata4[] = { 0x1b };

struct cie maker_default(const struct ustack_arch *arch)
{
	bool x86 = arch == X86;

	return (struct cie){
		.version = 1,
		.augmentation = "zR",
		.data = pcrel_sdata4,
		.data_len = 1,
		.code_align = x86 ? 1 : 4,
		.data_align = -8,
		.ra = x86 ? 16 : 30,
		.program = x86 ? x86_program : a64_program,
		.program_len = x86 ? sizeof(x86_program) : sizeof(a64_program),
	};
}

/* Writes length and id or CIE pointer; returns the offset of the length. */
static u32 begin(struct maker *m, u64 id)
{
	u32 at = m->b.len;

	if (m->wide)
		bytes_le(&m->b, ~0ull, 4);
	bytes_le(&m->b, 0, m->wide ? 8 : 4);
	bytes_le(&m->b, id, m->wide ? 8 : 4);
	return at;
}

static void end(struct maker *m, u32 at)
{
	u32 field = m->wide ? at + 4 : at, size = m->wide ? 8 : 4;
	u64 len;

	while (m->b.len % 8)
		bytes_le(&m->b, 0, 1);
	len = m->b.len - field - size;
	memcpy(m->b.p + field, &len, size);
}

void maker_cie(struct maker *m, const struct cie *cie)
{
	u32 at = begin(m, m->debug ? ~0ull : 0);

	m->cie = at;
	bytes_le(&m->b, cie->version, 1);
	bytes_put(&m->b, cie->augmentation, (u32)strlen(cie->augmentation) + 1);
	if (cie->version >= 4)
		bytes_le(&m->b, 8, 2);	/* address size, no segments */
	if (!strncmp(cie->augmentation, "eh", 2))
		bytes_le(&m->b, 0, 8);
	bytes_le(&m->b, cie->code_align, 1);
	bytes_le(&m->b, (u64)cie->data_align & 0x7f, 1);
	bytes_le(&m->b, cie->ra, 1);
	if (cie->augmentation[0] == 'z')
		bytes_le(&m->b, cie->data_len, 1);
	bytes_put(&m->b, cie->data, cie->data_len);
	bytes_put(&m->b, cie->program, cie->program_len);
	end(m, at);
}

void maker_init(struct maker *m, const struct ustack_arch *arch)
{
	struct cie cie = maker_default(arch);

	*m = (struct maker){ .arch = arch, .encoding = 0x1b };
	maker_cie(m, &cie);
}

void maker_init_debug(struct maker *m, const struct ustack_arch *arch)
{
	struct cie cie = maker_default(arch);

	*m = (struct maker){ .arch = arch, .debug = true, .aug = -1 };
	cie.augmentation = "";
	cie.data_len = 0;
	maker_cie(m, &cie);
}

static u32 width(u8 encoding)
{
	switch (encoding & 7) {
	case 2:
		return 2;
	case 3:
		return 4;
	}
	return 8;
}

static void address(struct maker *m, u8 encoding, u64 v)
{
	if ((encoding & 0x70) == 0x10 && v)
		v -= VADDR + m->b.len;
	if ((encoding & 7) != 1) {
		bytes_le(&m->b, v, width(encoding));
		return;
	}
	for (; v > 0x3f; v >>= 7)
		bytes_le(&m->b, 0x80 | (v & 0x7f), 1);
	bytes_le(&m->b, v, 1);
}

u32 maker_fde(struct maker *m, u64 start, u64 len, const u8 *program, u32 n)
{
	u32 field = m->b.len + (m->wide ? 12 : 4);
	u32 at = begin(m, m->debug ? m->cie : field - m->cie);
	int i;

	address(m, m->encoding, start);
	address(m, m->encoding & 0x0f, len);
	if (m->aug >= 0)
		bytes_le(&m->b, (u64)m->aug, 1);
	/* bytes that would be an unknown instruction if they were read as one */
	for (i = 0; i < m->aug; i++)
		bytes_le(&m->b, 0x3f, 1);
	bytes_put(&m->b, program, n);
	end(m, at);
	return at;
}

void reader_init(struct reader *r, struct maker *m)
{
	struct cfi_raw raw = { .len = m->b.len, .debug = m->debug };

	r->bytes = malloc(m->b.len + !m->b.len);
	memcpy(r->bytes, m->b.p, m->b.len);
	free(m->b.p);
	m->b = (struct bytes){ .p = NULL };
	raw.bytes = r->bytes;
	raw.vaddr = m->debug ? 0 : VADDR;
	assert_int_equal(cfi_new_raw(m->arch, &raw, 1, &r->cfi), 0);
}

void reader_release(struct reader *r)
{
	cfi_free(r->cfi);
	free(r->bytes);
}

bool reader_next(struct reader *r)
{
	int more = cfi_next(r->cfi, &r->fde);

	assert_in_range(more, 0, 1);
	return more;
}

struct text {
	char s[8192];
	size_t len;
};

__attribute__((__format__(__printf__, 2, 3)))
static void add(struct text *t, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	t->len += (size_t)vsnprintf(t->s + t->len, sizeof(t->s) - t->len, fmt, ap);
	va_end(ap);
	assert_true(t->len < sizeof(t->s));
}

static void add_expr(struct text *t, const struct cfi_rule *r)
{
	u32 i;

	add(t, "%s[", r->how == CFI_EXPR ? "*" : "");
	for (i = 0; i < r->expr_len; i++)
		add(t, "%02x", r->expr[i]);
	add(t, "]");
}

static void add_rule(struct text *t, const struct cfi_rule *r)
{
	add(t, " ");
	switch (r->how) {
	case CFI_UNDEFINED:
		add(t, "u");
		break;
	case CFI_SAME:
		add(t, "s");
		break;
	case CFI_OFFSET:
		add(t, "*(c%+" PRId64 ")", r->off);
		break;
	case CFI_VAL_OFFSET:
		add(t, "c%+" PRId64, r->off);
		break;
	case CFI_REGISTER:
		add(t, r->off ? "r%u%+" PRId64 : "r%u", r->reg, r->off);
		break;
	default:
		add_expr(t, r);
	}
}

const char *fde_text(const struct cfi_fde *fde)
{
	static struct text t;
	u32 i;

	t.len = 0;
	if (fde->status == CFI_LOST)
		add(&t, "lost: %s", fde->why);
	else if (fde->status != CFI_GOOD)
		add(&t, fde->status == CFI_EMPTY ? "empty" : "discarded");
	for (i = 0; i < fde->nr_rows; i++) {
		const struct cfi_row *row = &fde->rows[i];

		add(&t, "%s%" PRIu64, i ? "\n" : "", row->pc - fde->start);
		add_rule(&t, &row->cfa);
		add_rule(&t, &row->ra);
		add_rule(&t, &row->fp);
		if (row->sp.how != CFI_VAL_OFFSET || row->sp.off)
			add_rule(&t, &row->sp);
	}
	return t.s;
}

static void check(struct maker *m, const char *want)
{
	struct reader r;

	reader_init(&r, m);
	assert_true(reader_next(&r));
	assert_string_equal(fde_text(&r.fde), want);
	if (r.fde.status == CFI_GOOD) {
		assert_int_equal(r.fde.start, TEXT);
		assert_int_equal(r.fde.end, TEXT + 100);
	}
	assert_false(reader_next(&r));
	reader_release(&r);
}

void check_program(const struct ustack_arch *arch, const u8 *program, u32 n,
		   const char *want)
{
	struct maker m;

	maker_init(&m, arch);
	maker_fde(&m, TEXT, 100, program, n);
	check(&m, want);
}

void check_cie(const struct ustack_arch *arch, const struct cie *cie,
	       u8 encoding, int aug, const char *want)
{
	struct maker m = { .arch = arch, .encoding = encoding, .aug = aug };

	maker_cie(&m, cie);
	maker_fde(&m, TEXT, 100, P(0x41, 0x0e, 16));
	check(&m, want);
}
