// SPDX-License-Identifier: GPL-2.0-only
/*
 * Symbol tables: of two small libraries and a relocatable file, and of these with every byte
 * changed; and .gnu_debugdata, compressed with xz and damaged.
 */
#include "support.h"

#include <elf.h>
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "symbols/convert/symbol_ends.h"
#include "symbols/convert/unxz.h"
#include "formats/gsym/part.h"

#define GOLDEN "tests/golden/gsym/"

static const struct gsym_added *find(const struct gsym_part *part, const char *name)
{
	size_t i;

	for (i = 0; i < part->nr_funcs; i++)
		if (!strcmp(gsym_part_text(part, part->funcs[i].name), name))
			return &part->funcs[i];
	return NULL;
}

static void assert_function(const struct gsym_part *part, const struct gsym_symtab *s,
			    const char *name, uint64_t size)
{
	const struct gsym_added *f = find(part, name);

	assert_non_null(f);
	assert_int_equal(f->end - f->start, size);
	assert_true(f->start >= s->text[0].start && f->end <= s->text[0].end);
}

static void symtab(void **state)
{
	struct gsym_part *part = gsym_part_new();
	struct diag diag = { 0 };
	struct gsym_symtab s;

	assert_int_equal(gsym_from_symtab(GOLDEN "symtab.so", part, &s, &diag), 0);
	assert_int_equal(s.symbols, 3);
	assert_int_equal(s.dynamic + s.packed, 0);
	assert_int_equal(s.base, 0);
	assert_int_equal(s.uuid_len, 20);
	assert_int_equal(s.nr_text, 1);
	assert_false(s.big_endian);
	assert_function(part, &s, "hidden", 10);
	assert_function(part, &s, "exported", 9);
	assert_function(part, &s, "alias", 9);
	assert_true(find(part, "hidden")->order < find(part, "exported")->order);
	gsym_symtab_release(&s);
	gsym_part_free(part);
}

static void packed(void **state)
{
	struct gsym_part *part = gsym_part_new();
	struct diag diag = { 0 };
	struct gsym_symtab s;

	assert_int_equal(gsym_from_symtab(GOLDEN "packed.so", part, &s, &diag), 0);
	assert_int_equal(s.symbols, 0);
	assert_int_equal(s.dynamic, 2);
	assert_int_equal(s.packed, 1);
	assert_function(part, &s, "hidden", 10);
	assert_function(part, &s, "exported", 9);
	gsym_symtab_release(&s);
	gsym_part_free(part);
}

/* Sections that all begin at 0: .text, and three after it */
static void relocatable(void **state)
{
	static const struct {
		const char *name;
		uint64_t start, size;
	} want[] = {
		{ "plain", 0, 11 }, { "bare", 16, 2 }, { "after", 18, 1 },
		{ "hot", 19, 11 }, { "start", 30, 26 },
	};
	struct gsym_part *part = gsym_part_new();
	const struct gsym_added *f;
	struct diag diag = { 0 };
	struct gsym_symtab s;
	size_t i;

	assert_int_equal(gsym_from_symtab(GOLDEN "sections.o", part, &s, &diag), 0);
	assert_int_equal(s.symbols, ARRAY_SIZE(want));
	assert_int_equal(s.base, 0);
	assert_int_equal(s.text[0].start, 0);
	for (i = 0; i < ARRAY_SIZE(want); i++) {
		f = find(part, want[i].name);
		assert_non_null(f);
		assert_int_equal(f->start, want[i].start);
		assert_int_equal(f->end, want[i].start + want[i].size);
	}
	gsym_symtab_release(&s);
	gsym_part_free(part);
}

/* Return: as gsym_from_symtab() */
static int read_bytes(const void *bytes, size_t len, struct diag *diag)
{
	int fd = memfd_create("elf", 0), err;
	struct gsym_part *part = gsym_part_new();
	struct gsym_symtab s;
	char path[32];

	assert_int_equal(write(fd, bytes, len), len);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	err = gsym_from_symtab(path, part, &s, diag);
	assert_true(!err || diag->text[0]);
	if (!err) {
		assert_int_equal(gsym_symtab_ends(path, part, &s, diag), 0);
		gsym_symtab_release(&s);
	}
	gsym_part_free(part);
	close(fd);
	return err;
}

/* Changes every byte of the headers and tables, one after the other */
static void damaged(void **state)
{
	static const char *const paths[] = {
		GOLDEN "symtab.so", GOLDEN "packed.so", GOLDEN "sections.o", GOLDEN "ends.so",
	};
	struct diag diag = { 0 };
	struct bytes b;
	size_t i;
	u32 at;
	u8 old;

	for (i = 0; i < ARRAY_SIZE(paths); i++) {
		bytes_read_file(paths[i], &b);
		for (at = 0; at < b.len; at++) {
			old = b.p[at];
			b.p[at] ^= 0xff;
			(void)read_bytes(b.p, b.len, &diag);
			b.p[at] = old;
			if (at % 16 == 0)
				(void)read_bytes(b.p, at, &diag);
		}
		free(b.p);
	}
	assert_int_equal(read_bytes("", 0, &diag), -EBADMSG);
	assert_int_equal(read_bytes("text", 4, &diag), -EBADMSG);
	assert_int_equal(read_bytes("!<arch>\n", 8, &diag), -EBADMSG);
}

/* Functions are written, opened again and looked up. */
static struct gsym *write_and_open(struct gsym_part *part, const struct gsym_symtab *s)
{
	const struct gsym_write_options o = {
		.layout = GSYM_LLVM_1, .base = s->base, .text = s->text, .nr_text = s->nr_text,
		.starts = s->starts, .nr_starts = s->nr_starts,
	};
	int fd = memfd_create("gsym", 0);
	struct gsym *g;
	char path[32];

	assert_int_equal(gsym_write(&part, 1, &o, fd, "memfd", NULL, NULL), 0);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	assert_int_equal(gsym_open(path, &g, NULL), 0);
	close(fd);
	return g;
}

/**
 * struct end - a function of ends.s
 * @name: name of the function
 * @bytes: size in bytes, as derived from the code
 * @gap: number of bytes after it that no symbol names
 */
struct end {
	const char *name;
	uint64_t bytes;
	uint64_t gap;
};

static void assert_ends(const char *path, const struct end *want, size_t nr)
{
	struct gsym_part *part = gsym_part_new();
	struct diag diag = { 0 };
	struct gsym_symtab s;
	uint64_t start, off;
	struct gsym *g;
	const char *name;
	size_t i;

	assert_int_equal(gsym_from_symtab(path, part, &s, &diag), 0);
	assert_int_equal(s.symbols, nr);
	assert_int_equal(gsym_symtab_ends(path, part, &s, &diag), 0);
	g = write_and_open(part, &s);
	for (i = 0; i < nr; i++) {
		start = find(part, want[i].name)->start;
		for (off = 0; off < want[i].bytes + want[i].gap; off++) {
			name = gsym_lookup_name(g, start + off, NULL);
			if (off < want[i].bytes)
				assert_string_equal(name, want[i].name);
			else
				assert_null(name);
		}
	}
	gsym_close(g);
	gsym_symtab_release(&s);
	gsym_part_free(part);
}

/* A symbol without size does not name the code after its function. */
static void no_size(void **state)
{
	static const struct end x86[] = {
		{ "by_fde", 3, 2 }, { "by_code", 7, 2 }, { "by_label", 2, 2 },
		{ "by_next_fde", 2, 1 }, { "by_section", 2, 2 }, { "last", 1, 2 },
	}, aarch64[] = {
		{ "by_fde", 8, 8 }, { "by_code", 12, 8 }, { "by_label", 4, 8 },
		{ "by_next_fde", 4, 4 }, { "by_section", 4, 8 }, { "last", 4, 8 },
	};

	assert_ends(GOLDEN "ends.so", x86, ARRAY_SIZE(x86));
	assert_ends(GOLDEN "ends-aarch64.so", aarch64, ARRAY_SIZE(aarch64));
}

static bool at_0x1010(uint64_t addr, void *arg)
{
	return addr == 0x1010;
}

/* A function at 0x1000. Return: its size in bytes, 0 if it is not known. */
static uint64_t code_end(unsigned int machine, const void *code, size_t len)
{
	uint64_t end = symbol_end_by_code(machine, code, len, 0x1000, at_0x1010, NULL);

	return end ? end - 0x1000 : 0;
}

#define X86_END(code) code_end(EM_X86_64, code, sizeof(code) - 1)
#define ARM_END(...) \
	code_end(EM_AARCH64, (const uint32_t[]){ __VA_ARGS__ }, sizeof((const uint32_t[]){ __VA_ARGS__ }))

static void code_x86(void **state)
{
	/* ret; jmp to the start; ud2; hlt */
	assert_int_equal(X86_END("\xc3\x90"), 1);
	assert_int_equal(X86_END("\x90\xeb\xfd\x90"), 3);
	assert_int_equal(X86_END("\x0f\x0b\x90"), 2);
	assert_int_equal(X86_END("\xf4\x90"), 1);
	/* je +1 over a ret; jmp +1 over one; je to directly after the ret */
	assert_int_equal(X86_END("\x74\x01\xc3\x90\xc3\x90"), 5);
	assert_int_equal(X86_END("\xeb\x01\xc3\x90\xc3\x90"), 5);
	assert_int_equal(X86_END("\x74\x01\xc3\xc3\x90"), 4);
	/* a jump to another function leaves, as does one to before the start */
	assert_int_equal(X86_END("\x90\xe9\x0a\0\0\0\x90"), 6);
	assert_int_equal(X86_END("\xe9\xf0\xff\xff\xff\x90"), 5);
	/* jmp *%rax; no instruction; je and jmp to after the bytes; no end */
	assert_int_equal(X86_END("\xff\xe0\xc3"), 0);
	assert_int_equal(X86_END("\x06\xc3"), 0);
	assert_int_equal(X86_END("\x74\x01\xc3"), 0);
	assert_int_equal(X86_END("\xeb\x70\xc3"), 0);
	assert_int_equal(X86_END("\x90\x90"), 0);
	assert_int_equal(X86_END(""), 0);
}

static void code_aarch64(void **state)
{
	const uint32_t nop = 0xd503201f, ret = 0xd65f03c0;

	assert_int_equal(ARM_END(nop, ret, nop), 8);
	/* retaa; brk; b to the start; b to another function */
	assert_int_equal(ARM_END(0xd65f0bff, nop), 4);
	assert_int_equal(ARM_END(0xd4207d00, nop), 4);
	assert_int_equal(ARM_END(nop, 0x17ffffff, nop), 8);
	assert_int_equal(ARM_END(0x14000004, nop), 4);
	/* over a ret: b.eq, cbz, tbnz, b */
	assert_int_equal(ARM_END(0x54000040, ret, ret, nop), 12);
	assert_int_equal(ARM_END(0xb4000040, ret, ret, nop), 12);
	assert_int_equal(ARM_END(0x37000040, ret, ret, nop), 12);
	assert_int_equal(ARM_END(0x14000002, ret, ret, nop), 12);
	/* bl and blr return */
	assert_int_equal(ARM_END(0x94000010, 0xd63f0000, ret, nop), 12);
	/* br x0; braa; udf; too few bytes */
	assert_int_equal(ARM_END(0xd61f0000, ret), 0);
	assert_int_equal(ARM_END(0xd71f0801, ret), 0);
	assert_int_equal(ARM_END(0, ret), 0);
	assert_int_equal(code_end(EM_AARCH64, &ret, 3), 0);
}

/* 100,000 bytes 'a', followed by a stream with "b" */
static void xz(void **state)
{
	static const char file[] = GOLDEN "packed.xz";
	struct bytes b;
	uint8_t *out;
	size_t len;

	bytes_read_file(file, &b);
	assert_int_equal(unxz(b.p, b.len, 1 << 20, &out, &len), 0);
	assert_int_equal(len, 100001);
	assert_int_equal(out[99999], 'a');
	assert_int_equal(out[100000], 'b');
	free(out);
	assert_int_equal(unxz(b.p, b.len, 100001, &out, &len), 0);
	free(out);
	assert_int_equal(unxz(b.p, b.len, 100000, &out, &len), -EFBIG);
	assert_int_equal(unxz(b.p, b.len - 1, 1 << 20, &out, &len), -EBADMSG);
	assert_int_equal(unxz(b.p, 0, 1 << 20, &out, &len), -EBADMSG);
	b.p[b.len / 2] ^= 1;
	assert_int_equal(unxz(b.p, b.len, 1 << 20, &out, &len), -EBADMSG);
	free(b.p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(symtab),
		cmocka_unit_test(packed),
		cmocka_unit_test(relocatable),
		cmocka_unit_test(damaged),
		cmocka_unit_test(no_size),
		cmocka_unit_test(code_x86),
		cmocka_unit_test(code_aarch64),
		cmocka_unit_test(xz),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
