// SPDX-License-Identifier: MIT
/*
 * Reads fat Mach-O files (several slices, each for one processor), and knows
 * the names of processors.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "formats/macho/macho.h"

#include "util/poison.h"

#define MAGIC_FAT 0xcafebabeu
#define MAGIC_FAT_64 0xcafebabfu
/* Bytes of struct fat_header, fat_arch and fat_arch_64. */
#define HEADER 8u
#define ARCH_32 20u
#define ARCH_64 32u
/*
 * Java's class files have the same magic number, followed by their version,
 * which is 45 or more.
 */
#define MAX_SLICES 44u

/* The bits of a subtype that are the processor, without its capabilities. */
#define SUBTYPE 0xffffffu

/* Numbers of fat headers are big-endian on every machine. */
static uint32_t be32(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static uint64_t be64(const uint8_t *p)
{
	return (uint64_t)be32(p) << 32 | be32(p + 4);
}

enum macho_kind macho_identify(const void *bytes, size_t len)
{
	const uint8_t *p = bytes;
	uint32_t magic;

	if (len < 8)
		return MACHO_NONE;
	magic = be32(p);
	if (magic == MAGIC_FAT || magic == MAGIC_FAT_64)
		return be32(p + 4) <= MAX_SLICES ? MACHO_FAT : MACHO_NONE;
	switch (magic) {
	case 0xfeedface:
	case 0xfeedfacf:
	case 0xcefaedfe:
	case 0xcffaedfe:
		return MACHO_THIN;
	}
	return MACHO_NONE;
}

void macho_fat_get(const struct macho_fat *fat, uint32_t i, struct macho_slice *ret)
{
	const uint8_t *p = fat->bytes + HEADER + (size_t)i * (fat->wide ? ARCH_64 : ARCH_32);

	ret->cputype = be32(p);
	ret->cpusubtype = be32(p + 4);
	ret->off = fat->wide ? be64(p + 8) : be32(p + 8);
	ret->len = fat->wide ? be64(p + 16) : be32(p + 12);
}

static int bad(const char *path, uint64_t off, struct diag *diag, const char *text)
{
	diag_set(diag, EBADMSG, path, "%s", text);
	if (diag)
		diag->offset = off;
	return -EBADMSG;
}

int macho_fat_open(const void *bytes, size_t len, const char *path, struct macho_fat *ret,
		   struct diag *diag)
{
	struct macho_fat fat = { .bytes = bytes };
	struct macho_slice s;
	size_t each;
	uint32_t i;

	if (macho_identify(bytes, len) != MACHO_FAT)
		return bad(path, 0, diag, "not a fat Mach-O file");
	fat.wide = be32(bytes) == MAGIC_FAT_64;
	fat.nr = be32(fat.bytes + 4);
	each = fat.wide ? ARCH_64 : ARCH_32;
	if (fat.nr * each > len - HEADER)
		return bad(path, 4, diag, "its table of slices is cut off");
	for (i = 0; i < fat.nr; i++) {
		macho_fat_get(&fat, i, &s);
		if (s.off > len || s.len > len - s.off)
			return bad(path, HEADER + i * each, diag,
				   "a slice ends after the end of the file");
	}
	*ret = fat;
	return 0;
}

static const struct {
	uint32_t cputype;
	uint32_t subtype;
	const char *name;
} archs[] = {
	{ MACHO_X86, 3, "i386" },	{ MACHO_X86_64, 3, "x86_64" },
	{ MACHO_X86_64, 8, "x86_64h" }, { MACHO_ARM, 5, "armv4t" },
	{ MACHO_ARM, 6, "armv6" },	{ MACHO_ARM, 7, "armv5e" },
	{ MACHO_ARM, 9, "armv7" },	{ MACHO_ARM, 11, "armv7s" },
	{ MACHO_ARM, 12, "armv7k" },	{ MACHO_ARM, 14, "armv6m" },
	{ MACHO_ARM, 15, "armv7m" },	{ MACHO_ARM, 16, "armv7em" },
	{ MACHO_ARM64, 0, "arm64" },	{ MACHO_ARM64, 1, "arm64v8" },
	{ MACHO_ARM64, 2, "arm64e" },	{ MACHO_ARM64_32, 0, "arm64_32" },
	{ MACHO_ARM64_32, 1, "arm64_32" }, { MACHO_PPC, 0, "ppc" },
	{ MACHO_PPC64, 0, "ppc64" },
};

const char *macho_arch_name(uint32_t cputype, uint32_t cpusubtype)
{
	size_t i;

	for (i = 0; i < sizeof(archs) / sizeof(*archs); i++)
		if (archs[i].cputype == cputype && archs[i].subtype == (cpusubtype & SUBTYPE))
			return archs[i].name;
	return NULL;
}

const char *macho_arch_word(unsigned int i)
{
	return i < sizeof(archs) / sizeof(*archs) ? archs[i].name : NULL;
}

bool macho_arch_is(const char *arch, uint32_t cputype, uint32_t cpusubtype)
{
	const char *name = macho_arch_name(cputype, cpusubtype);
	unsigned long long number;
	char *end;

	if (name && !strcmp(name, arch))
		return true;
	if (*arch < '0' || *arch > '9')
		return false;
	number = strtoull(arch, &end, 0);
	return !*end && number == cputype;
}
