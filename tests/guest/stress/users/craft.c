// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes ELF files with an .sframe section of chosen rows (craft.h), for the tests in which a
 * hostile user maps such files.
 */
#include "craft.h"

#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "verdict.h"

#define PAGE 4096ul
#define TEXT_OFF PAGE
#define PT_GNU_SFRAME_ 0x6474e554

/* header of SFrame version 2 ("The SFrame format") */
struct header {
	uint16_t magic;
	uint8_t version, flags, abi;
	int8_t fp_fixed, ra_fixed;
	uint8_t auxhdr_len;
	uint32_t num_fdes, num_fres, fre_len, fdeoff, freoff;
	/* the only function */
	int32_t start;
	uint32_t size, fre_off, fdes_fres;
	uint8_t info, rep_size;
	uint16_t padding;
} __attribute__((packed));

struct row {
	uint32_t start;
	uint8_t info;
	int32_t word[3];
} __attribute__((packed));

#ifdef __x86_64__
#define ABI 3
#define RA_FIXED -8
#define WORDS 2		/* CFA, FP */
#define MACHINE EM_X86_64
#else
#define ABI 2
#define RA_FIXED 0
#define WORDS 3		/* CFA, RA, FP */
#define MACHINE EM_AARCH64
#endif
#define ROW_BYTES (offsetof(struct row, word) + WORDS * sizeof(int32_t))
/* base SP, WORDS words of four bytes */
#define ROW_INFO (1 | WORDS << 1 | 2 << 5)

static void write_at(int fd, const void *bytes, size_t len, uint64_t off)
{
	if (pwrite(fd, bytes, len, off) != (ssize_t)len)
		die_errno("writing a crafted file");
}

static void write_headers(int fd, uint64_t text_len, uint64_t section,
			  uint64_t section_len)
{
	struct {
		Elf64_Ehdr eh;
		Elf64_Phdr ph[3];
	} elf = {
		.eh = {
			.e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64,
				     ELFDATA2LSB, EV_CURRENT },
			.e_type = ET_DYN,
			.e_machine = MACHINE,
			.e_version = EV_CURRENT,
			.e_phoff = sizeof(Elf64_Ehdr),
			.e_ehsize = sizeof(Elf64_Ehdr),
			.e_phentsize = sizeof(Elf64_Phdr),
			.e_phnum = 3,
			.e_shentsize = sizeof(Elf64_Shdr),
		},
		.ph = {
			{ PT_LOAD, PF_R | PF_X, TEXT_OFF, TEXT_OFF, TEXT_OFF,
			  text_len, text_len, PAGE },
			{ PT_LOAD, PF_R, section, section, section,
			  section_len, section_len, PAGE },
			{ PT_GNU_SFRAME_, PF_R, section, section, section,
			  section_len, section_len, 8 },
		},
	};

	write_at(fd, &elf, sizeof(elf), 0);
}

static void write_rows(int fd, const struct craft_row *rows, uint32_t nr,
		       uint64_t off)
{
	uint8_t *bytes = malloc((size_t)nr * ROW_BYTES + 1);
	uint32_t i;

	for (i = 0; i < nr; i++) {
		struct row row = { .start = rows[i].start, .info = ROW_INFO };

		row.word[0] = rows[i].cfa;
		row.word[1] = -8;
		row.word[WORDS - 1] = rows[i].fp;
		memcpy(bytes + i * ROW_BYTES, &row, ROW_BYTES);
	}
	write_at(fd, bytes, (size_t)nr * ROW_BYTES, off);
	free(bytes);
}

void craft(const char *path, uint64_t text_len, const struct craft_row *rows,
	   uint32_t nr, uint32_t room)
{
	uint64_t section = (TEXT_OFF + text_len + PAGE - 1) & ~(PAGE - 1);
	uint32_t rows_len = nr * ROW_BYTES + room;
	struct header h = {
		.magic = 0xdee2, .version = 2,
		/* the flag for sorted functions; starts are relative to the section */
		.flags = 1,
		.abi = ABI, .ra_fixed = RA_FIXED,
		.num_fdes = 1, .num_fres = nr, .fre_len = rows_len,
		.freoff = sizeof(h) - offsetof(struct header, start),
		.start = (int32_t)(TEXT_OFF - section), .size = text_len,
		.fdes_fres = nr,
		.info = 2,		/* start offsets of rows have four bytes */
	};
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0755);

	if (fd < 0 || fchmod(fd, 0755) ||
	    ftruncate(fd, section + sizeof(h) + rows_len))
		die_errno(path);
	write_headers(fd, text_len, section, sizeof(h) + rows_len);
	write_at(fd, plugs[1].bytes + plugs[1].text_off, plugs[1].text_len, TEXT_OFF);
	write_at(fd, &h, sizeof(h), section);
	write_rows(fd, rows, nr, section + sizeof(h));
	close(fd);
}

void craft_look_at(int fd)
{
	void *at = mmap(NULL, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, TEXT_OFF);

	if (at != MAP_FAILED)
		munmap(at, PAGE);
}
