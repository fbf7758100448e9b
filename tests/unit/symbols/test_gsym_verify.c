// SPDX-License-Identifier: GPL-2.0-only
/*
 * The comparison of GSYM files with DWARF, by files that each have one error about a hand-made
 * program.
 */
#include "dwarf_maker.h"

/* kmod/core has another */
#include "/usr/include/elf.h"
#include <errno.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "symbols/convert/verify.h"
#include "formats/gsym/build.h"

#define TEXT 0x1000u
#define A(attr, form) DW_AT_##attr, DW_FORM_##form

/*
 * f is at [0x1000, 0x1010): line 5, and from 0x1008 on line 6; "in" was inlined into [0x1004,
 * 0x1008) at line 9. g follows, up to 0x1018, and has no inlined calls.
 */
static void put_dwarf(struct maker *m, u64 text)
{
	static const uint16_t unit[] = { A(language, data1), A(comp_dir, string),
					 A(stmt_list, sec_offset), A(low_pc, addr), 0 };
	static const uint16_t function[] = { A(name, string), A(low_pc, addr),
					     A(high_pc, data4), 0 };
	static const uint16_t inlined[] = { A(abstract_origin, ref4), A(low_pc, addr),
					    A(high_pc, data4), A(call_file, data1),
					    A(call_line, data1), 0 };
	static const uint16_t abstract[] = { A(name, string), 0 };
	static const char head[] = "\x02\0\x11\0\0\0\x01\x01\0\x01\x04\0\1\1"
				   "\0" "a.c\0\0\0\0" "\0" "\0\x09\x02";
	static const char rows[] = "\x03\x04\x01\x02\x08\x03\x01\x01\x02\x10\0\1\1";
	struct bytes *b = &m->s[DWARF_ABBREV];
	u32 start, in;

	put_abbrev(b, 1, 0x11, true, unit);
	put_abbrev(b, 2, DW_TAG_subprogram, true, function);
	put_abbrev(b, 3, DW_TAG_inlined_subroutine, false, inlined);
	put_abbrev(b, 4, DW_TAG_subprogram, false, abstract);
	bytes_le(b, 0, 1);
	bytes_le(&m->s[DWARF_LINE], sizeof(head) - 1 + 8 + sizeof(rows) - 1, 4);
	bytes_put(&m->s[DWARF_LINE], head, sizeof(head) - 1);
	bytes_le(&m->s[DWARF_LINE], text, 8);
	bytes_put(&m->s[DWARF_LINE], rows, sizeof(rows) - 1);
	b = &m->s[DWARF_INFO];
	start = put_unit(b, 4, 0);
	bytes_le(b, 1 | 0x1d << 8, 2);
	put_string(b, "/src");
	bytes_le(b, 0, 4);
	bytes_le(b, text, 8);
	in = b->len;
	bytes_le(b, 4, 1);
	put_string(b, "in");
	bytes_le(b, 2, 1);
	put_string(b, "f");
	bytes_le(b, text, 8);
	bytes_le(b, 0x10, 4);
	bytes_le(b, 3, 1);
	bytes_le(b, in, 4);
	bytes_le(b, text + 4, 8);
	bytes_le(b, 4, 4);
	bytes_le(b, 1 | 9 << 8, 2);
	bytes_le(b, 0, 1);
	bytes_le(b, 2, 1);
	put_string(b, "g");
	bytes_le(b, text + 0x10, 8);
	bytes_le(b, 8, 4);
	bytes_le(b, 0, 2);
	end_unit(b, start);
}

struct program {
	char path[32];
	struct bytes file;
};

static void put_section(struct program *p, Elf64_Shdr *h, const char *names,
			const char *name, const struct bytes *b)
{
	h->sh_name = (Elf64_Word)((const char *)memmem(names, 256, name, strlen(name) + 1) -
				  names);
	h->sh_type = SHT_PROGBITS;
	h->sh_addralign = 1;
	h->sh_offset = p->file.len;
	h->sh_size = b->len;
	bytes_put(&p->file, b->p, b->len);
}

static void make_program(struct program *p, u64 text)
{
	static const char names[256] = "\0.text\0.debug_info\0.debug_abbrev\0.debug_line\0.names";
	struct bytes code = { 0 }, strings = { 0 };
	struct maker m = { 0 };
	Elf64_Shdr h[6] = { 0 };
	Elf64_Ehdr e = {
		.e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
		.e_type = ET_EXEC, .e_machine = EM_X86_64, .e_version = EV_CURRENT,
		.e_ehsize = sizeof(e), .e_shentsize = sizeof(*h), .e_shnum = 6, .e_shstrndx = 5,
	};
	int fd;

	*p = (struct program){ .path = "/tmp/verify.XXXXXX" };
	put_dwarf(&m, text);
	bytes_put(&p->file, &e, sizeof(e));
	bytes_put(&code, names, 0x18);
	bytes_put(&strings, names, sizeof(names));
	put_section(p, &h[1], names, ".text", &code);
	h[1].sh_addr = text;
	h[1].sh_flags = SHF_ALLOC | SHF_EXECINSTR;
	put_section(p, &h[2], names, ".debug_info", &m.s[DWARF_INFO]);
	put_section(p, &h[3], names, ".debug_abbrev", &m.s[DWARF_ABBREV]);
	put_section(p, &h[4], names, ".debug_line", &m.s[DWARF_LINE]);
	put_section(p, &h[5], names, ".names", &strings);
	h[5].sh_type = SHT_STRTAB;
	bytes_pad(&p->file, 8);
	e.e_shoff = p->file.len;
	memcpy(p->file.p, &e, sizeof(e));
	bytes_put(&p->file, h, sizeof(h));
	fd = mkstemp(p->path);
	assert_int_equal(write(fd, p->file.p, p->file.len), p->file.len);
	close(fd);
	free(code.p);
	free(strings.p);
	maker_release(&m);
}

static void program_release(struct program *p)
{
	unlink(p->path);
	free(p->file.p);
}

/* The contents of a file about f; @inlined: NULL for none. g is always right. */
struct says {
	uint64_t start;
	uint64_t end;
	const char *name, *dir, *inlined, *call_dir;
	uint32_t line, call_line;
};

static const struct says right = { 0x1000, 0x1010, "f", "/src", "in", "/src", 5, 9 };

static uint32_t string(struct gsym_part *p, const char *s)
{
	uint32_t ret;

	assert_int_equal(gsym_part_string(p, s, strlen(s), &ret), 0);
	return ret;
}

static uint32_t file(struct gsym_part *p, const char *dir)
{
	uint32_t ret;

	assert_int_equal(gsym_part_file(p, string(p, dir), string(p, "a.c"), &ret), 0);
	return ret;
}

static void add(struct gsym_part *p, const struct says *s)
{
	struct range range = { 0x1004, 0x1008 };
	struct gsym_new_line lines[] = { { s->start, file(p, s->dir), s->line },
					 { 0x1008, file(p, "/src"), 6 } };
	struct gsym_new_call call = {
		.ranges = &range, .nr_ranges = 1, .depth = 1,
		.name = s->inlined ? string(p, s->inlined) : 0,
		.call_file = file(p, s->call_dir), .call_line = s->call_line,
	};
	struct gsym_new_line of_g = { 0x1010, file(p, "/src"), 6 };
	struct gsym_new_function f = {
		.range = { s->start, s->end }, .name = string(p, s->name), .lines = lines,
		.nr_lines = 2, .calls = &call, .nr_calls = s->inlined != NULL,
	}, g = {
		.range = { 0x1010, 0x1018 }, .name = string(p, "g"), .lines = &of_g,
		.nr_lines = 1,
	};

	assert_int_equal(gsym_part_add(p, &f), 0);
	assert_int_equal(gsym_part_add(p, &g), 0);
}

static void judge_program(const char *path, const struct says *s,
			  struct gsym_verified *ret)
{
	struct gsym_verify_options o = { 0 };
	struct gsym_write_options w = { .layout = GSYM_LLVM_1 };
	struct gsym_part *part = gsym_part_new();
	struct gsym_write_stats stats;
	struct diag diag = { .text = "" };
	int fd = memfd_create("out", 0);
	struct gsym *g;
	uint8_t *bytes;
	size_t len;

	add(part, s);
	assert_int_equal(gsym_write(&part, 1, &w, fd, "out", &stats, &diag), 0);
	len = (size_t)lseek(fd, 0, SEEK_END);
	bytes = malloc(len);
	assert_int_equal(pread(fd, bytes, len, 0), len);
	close(fd);
	assert_int_equal(gsym_open_bytes(bytes, len, "out", &g, &diag), 0);
	if (gsym_verify(g, path, &o, ret, &diag))
		fail_msg("%s", diag.text);
	gsym_close(g);
	free(bytes);
	gsym_part_free(part);
}

/* @kinds: number of addresses, or functions, that differ, by kind */
static void differs(const struct says *s, const uint64_t kinds[GSYM_VERIFY_KINDS],
		    uint64_t addresses, uint64_t same)
{
	struct gsym_verified r;
	struct program p;
	unsigned int i;

	make_program(&p, TEXT);
	judge_program(p.path, s, &r);
	for (i = 0; i < GSYM_VERIFY_KINDS; i++)
		if (r.differences[i] != kinds[i])
			fail_msg("%s: %lu, not %lu", gsym_verify_kind_name(i),
				 r.differences[i], kinds[i]);
	assert_int_equal(r.functions, 2);
	assert_int_equal(r.addresses, addresses);
	assert_int_equal(r.same, same);
	assert_int_equal(r.damaged, 0);
	program_release(&p);
}

#define KINDS(...) ((const uint64_t[GSYM_VERIFY_KINDS]){ __VA_ARGS__ })

/* These are compared: 0x1000, 1003, 1004, 1007, 1008, 100f, and of g 1010 and 1017. */
static void agrees(void **state)
{
	struct says s = right;

	differs(&right, KINDS(0), 8, 8);
	/* conventions of GSYM files */
	s.name = "n::f";
	differs(&s, KINDS(0), 8, 8);
	s.dir = "/src/";
	differs(&s, KINDS(0), 8, 8);
}

static void disagrees(void **state)
{
	struct says s = right;

	s.name = "of";
	differs(&s, KINDS([GSYM_VERIFY_NAME] = 6), 8, 2);
	s = right;
	s.line = 4;
	differs(&s, KINDS([GSYM_VERIFY_LINE] = 4), 8, 4);
	s = right;
	s.dir = "/other";
	differs(&s, KINDS([GSYM_VERIFY_FILE] = 4), 8, 4);
	s = right;
	s.inlined = "other";
	differs(&s, KINDS([GSYM_VERIFY_CALLS] = 2), 8, 6);
	s.inlined = NULL;
	differs(&s, KINDS([GSYM_VERIFY_CALLS] = 2), 8, 6);
	s = right;
	s.call_line = 10;
	differs(&s, KINDS([GSYM_VERIFY_CALLS] = 2), 8, 6);
	s = right;
	s.call_dir = "/other";
	differs(&s, KINDS([GSYM_VERIFY_CALLS] = 2), 8, 6);
	/* an address with differences of several kinds is one address */
	s.line = 4;
	s.name = "of";
	differs(&s, KINDS([GSYM_VERIFY_NAME] = 6, [GSYM_VERIFY_CALLS] = 2,
			  [GSYM_VERIFY_LINE] = 4), 8, 2);
	/* other code */
	s = right;
	s.end = 0x100f;
	differs(&s, KINDS([GSYM_VERIFY_FUNCTION] = 1), 2, 2);
	s = right;
	s.start = 0xfff;
	differs(&s, KINDS([GSYM_VERIFY_FUNCTION] = 1), 2, 2);
}

/* A program whose code is at other addresses has nothing in common with the file. */
static void moved(void **state)
{
	struct gsym_verified r;
	struct program p;

	make_program(&p, 0x2000);
	judge_program(p.path, &right, &r);
	assert_int_equal(r.differences[GSYM_VERIFY_FUNCTION], 2);
	assert_int_equal(r.addresses, 0);
	program_release(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(agrees),
		cmocka_unit_test(disagrees),
		cmocka_unit_test(moved),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
