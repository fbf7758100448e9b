// SPDX-License-Identifier: GPL-2.0-only
/* Tests where sections are found and which files are refused, on this program itself. */
#include "maker.h"

#include <elf.h>
#include <errno.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "sframe/cfi_hdr.h"
#include "util/file.h"

static void read_self(struct bytes *ret)
{
	struct file file = FILE_INIT;

	*ret = (struct bytes){ .p = NULL };
	assert_int_equal(file_open(&file, "/proc/self/exe", NULL), 0);
	ret->len = (u32)file.size;
	assert_int_equal(file_read_new(&file, 0, ret->len, &ret->p, NULL), 0);
	file_release(&file);
}

/* A hash of all rows that a pass over @cfi gives. */
static u64 digest(struct cfi *cfi, const char *section)
{
	struct cfi_fde fde;
	const char *s;
	u64 h = 0;

	while (cfi_next(cfi, &fde) > 0) {
		if (strcmp(fde.section, section))
			continue;
		for (s = fde_text(&fde); *s; s++)
			h = (h ^ (u8)*s) * 0x100000001b3ull;
		h = (h ^ fde.start ^ fde.end << 32) * 0x100000001b3ull;
	}
	return h;
}

static void refused(struct bytes *file, const char *why)
{
	struct diag diag;
	struct cfi *cfi;

	assert_int_equal(cfi_new_memory("name", file->p, file->len, &cfi, &diag),
			 -EBADMSG);
	assert_string_equal(diag.text, why);
	assert_string_equal(diag.file, "name");
}

/* A copy of @file with @n changed bytes. */
static struct bytes changed(const struct bytes *file, size_t off, u64 v, u32 n)
{
	struct bytes copy = { .p = NULL };

	bytes_put(&copy, file->p, file->len);
	memcpy(copy.p + off, &v, n);
	return copy;
}

static void refused_if(const struct bytes *file, size_t off, u64 v, u32 n,
		       const char *why)
{
	struct bytes copy = changed(file, off, v, n);

	refused(&copy, why);
	free(copy.p);
}

static void test_refusals(void **state)
{
	struct bytes self = { .p = NULL }, text = { .p = NULL };

	read_self(&self);
	refused_if(&self, EI_CLASS, ELFCLASS32, 1, "not a 64-bit little-endian ELF file");
	refused_if(&self, EI_DATA, ELFDATA2MSB, 1, "not a 64-bit little-endian ELF file");
	refused_if(&self, offsetof(Elf64_Ehdr, e_type), ET_REL, 2,
		   "neither an executable nor a shared library");
	refused_if(&self, offsetof(Elf64_Ehdr, e_machine), EM_RISCV, 2,
		   "neither for x86-64 nor for AArch64");
	refused_if(&self, 0, 0, 4, "not an ELF file");
	bytes_put(&text, "#!/bin/sh\n", 10);
	refused(&text, "not an ELF file");
	text.len = 0;
	refused(&text, "not an ELF file");
	free(text.p);
	free(self.p);
}

static void test_no_file(void **state)
{
	struct diag diag;
	struct cfi *cfi;

	assert_int_equal(cfi_new("/nonexistent", &cfi, &diag), -ENOENT);
	assert_string_equal(diag.file, "/nonexistent");
	assert_int_equal(cfi_new("/", &cfi, &diag), -EISDIR);
	assert_int_equal(cfi_new("/dev/null", &cfi, NULL), -EBADMSG);
}

static void test_debug_refusals(void **state)
{
	struct cfi_raw raw = { .bytes = "" };
	struct diag diag;
	struct cfi *cfi;

	assert_int_equal(cfi_new_raw(
#ifdef __aarch64__
				 X86,
#else
				 A64,
#endif
				 &raw, 1, &cfi), 0);
	assert_int_equal(cfi_add_debug(cfi, "/proc/self/exe", &diag), -EBADMSG);
	assert_string_equal(diag.text,
			    "the debug file is for another machine than the file");
	assert_int_equal(cfi_add_debug(cfi, "/nonexistent", &diag), -ENOENT);
	cfi_free(cfi);
}

/* The rows are the same from the file, from memory, and without section headers. */
static void test_self(void **state)
{
	struct bytes self = { .p = NULL }, bare;
	struct cfi *cfi;
	u64 want;

	assert_int_equal(cfi_new("/proc/self/exe", &cfi, NULL), 0);
	assert_ptr_equal(cfi_arch(cfi)->name, ustack_arch_by_machine(
#ifdef __aarch64__
			 EM_AARCH64
#else
			 EM_X86_64
#endif
			 )->name);
	want = digest(cfi, ".eh_frame");
	assert_true(cfi_stats(cfi)->good > 20);
	assert_int_equal(cfi_stats(cfi)->lost, 0);
	cfi_rewind(cfi);
	assert_true(digest(cfi, ".eh_frame") == want);
	cfi_free(cfi);
	read_self(&self);
	assert_int_equal(cfi_new_memory("self", self.p, self.len, &cfi, NULL), 0);
	assert_true(digest(cfi, ".eh_frame") == want);
	cfi_free(cfi);
	bare = changed(&self, offsetof(Elf64_Ehdr, e_shoff), 0, 8);
	memset(bare.p + offsetof(Elf64_Ehdr, e_shnum), 0, 4);
	assert_int_equal(cfi_new_memory("bare", bare.p, bare.len, &cfi, NULL), 0);
	assert_true(digest(cfi, ".eh_frame") == want);
	assert_int_equal(cfi_stats(cfi)->overlaps, 0);
	cfi_free(cfi);
	free(bare.p);
	free(self.p);
}

static void test_vdso(void **state)
{
	const Elf64_Ehdr *eh = (const void *)getauxval(AT_SYSINFO_EHDR);
	size_t len;
	struct cfi *cfi;
	u64 want;
	u8 *image;

	if (!eh)
		skip();
	/* the vDSO's section headers are at its end */
	len = eh->e_shoff + (size_t)eh->e_shnum * eh->e_shentsize;
	image = malloc(len);
	memcpy(image, eh, len);
	assert_int_equal(cfi_new_memory("[vdso]", image, len, &cfi, NULL), 0);
	want = digest(cfi, ".eh_frame");
	assert_true(cfi_stats(cfi)->good > 2);
	assert_int_equal(cfi_stats(cfi)->lost, 0);
	cfi_free(cfi);
	memset(image + offsetof(Elf64_Ehdr, e_shoff), 0, 8);
	memset(image + offsetof(Elf64_Ehdr, e_shnum), 0, 4);
	assert_int_equal(cfi_new_memory("[vdso]", image, len, &cfi, NULL), 0);
	assert_true(digest(cfi, ".eh_frame") == want);
	cfi_free(cfi);
	free(image);
}

/* A cut file is read or refused; nothing else happens. */
static void test_cut_files(void **state)
{
	struct bytes self = { .p = NULL };
	struct cfi *cfi;
	u32 i, len, opened = 0;

	read_self(&self);
	for (i = 0; i < 64; i++) {
		len = i < 8 ? i * 40 : (u32)((u64)self.len * i / 64);
		if (cfi_new_memory("cut", self.p, len, &cfi, NULL))
			continue;
		digest(cfi, ".eh_frame");
		cfi_free(cfi);
		opened++;
	}
	print_message("%u of 64 were opened\n", opened);
	free(self.p);
}

static void test_extent(void **state)
{
	struct cfi_hdr hdr = { .eh_frame = VADDR };
	struct maker m;
	u32 last, end;

	maker_init(&m, X86);
	maker_fde(&m, TEXT, 100, P(0));
	end = m.b.len;
	bytes_le(&m.b, 0, 4);
	last = maker_fde(&m, TEXT + 100, 100, P(0));
	/* without a table the first terminator ends it, with a table the last FDE */
	assert_int_equal(cfi_hdr_extent(m.b.p, m.b.len, VADDR, &hdr), end);
	assert_int_equal(cfi_hdr_extent(m.b.p, end, VADDR, &hdr), end);
	hdr.last = VADDR + last;
	end = m.b.len;
	bytes_le(&m.b, 0, 8);
	assert_int_equal(cfi_hdr_extent(m.b.p, m.b.len, VADDR, &hdr), end);
	/* not an address in the section */
	hdr.last = VADDR - 1;
	assert_int_equal(cfi_hdr_extent(m.b.p, 4, VADDR, &hdr), 4);
	free(m.b.p);
}

static void test_header(void **state)
{
	struct cfi_section s = { .vaddr = VADDR, .has_base = true };
	struct cfi_hdr hdr;
	u8 good[] = { 1, 0x1b, 0x03, 0x3b, 0xfc, 0x0f, 0, 0, 2, 0, 0, 0,
		      0, 0, 1, 0, 0x20, 0x10, 0, 0, 0, 0, 2, 0, 0x08, 0x10, 0, 0 };
	u32 len;

	s.bytes = good;
	s.len = sizeof(good);
	assert_null(cfi_hdr_read(&s, &hdr));
	assert_int_equal(hdr.eh_frame, VADDR + 0x1000);
	assert_int_equal(hdr.last, VADDR + 0x1020);
	for (len = 0; len < sizeof(good); len++) {
		s.len = len;
		assert_non_null(cfi_hdr_read(&s, &hdr));
	}
	good[3] = 0xff;
	s.len = 8;
	assert_null(cfi_hdr_read(&s, &hdr));
	assert_int_equal(hdr.last, 0);
	good[0] = 2;
	assert_non_null(cfi_hdr_read(&s, &hdr));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_no_file),
		cmocka_unit_test(test_debug_refusals),
		cmocka_unit_test(test_self),
		cmocka_unit_test(test_vdso),
		cmocka_unit_test(test_cut_files),
		cmocka_unit_test(test_extent),
		cmocka_unit_test(test_header),
	};

	return cmocka_run_group_tests_name("cfi/file", tests, NULL, NULL);
}
