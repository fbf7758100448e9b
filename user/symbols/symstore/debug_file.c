// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds separate debug files, and tells whether a debug file belongs to a file. Reads ELF
 * files of users with libelf: the callers of all but debug_by_build_id() are in a jail.
 */
#include "symbols/symstore/debug_file.h"

#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "formats/dwarf/companion.h"
#include "util/text.h"

#include "util/poison.h"

const char *const debug_default_dirs[] = { DWARF_DEBUG_DIR, NULL };

static bool is_file(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode);
}

bool debug_by_build_id(const char *const *dirs, const uint8_t *build_id, unsigned int len,
		       char ret[PATH_MAX])
{
	char first[3], rest[2 * 64 + 1];

	if (len < 2 || len > 64)
		return false;
	text_hex(build_id, 1, first, sizeof(first));
	text_hex(build_id + 1, len - 1, rest, sizeof(rest));
	for (; *dirs; dirs++)
		if (snprintf(ret, PATH_MAX, "%s/.build-id/%s/%s.debug", *dirs, first, rest) <
		    PATH_MAX && is_file(ret))
			return true;
	return false;
}

static Elf *begin(int fd)
{
	elf_version(EV_CURRENT);
	return elf_begin(fd, ELF_C_READ_MMAP, NULL);
}

static bool checksum_is(int fd, uint32_t want)
{
	uint8_t buf[65536];
	uLong sum = crc32(0, NULL, 0);
	off_t at = 0;
	ssize_t n;

	while ((n = pread(fd, buf, sizeof(buf), at)) > 0) {
		sum = crc32(sum, buf, (uInt)n);
		at += n;
	}
	return !n && (uint32_t)sum == want;
}

/*
 * A build id is compared where there is one: it is faster than a checksum of the whole
 * file.
 */
static bool belongs(const char *path, const void *build_id, ssize_t len, uint32_t sum)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	const void *other;
	bool same = false;
	Elf *elf;

	if (fd < 0)
		return false;
	elf = begin(fd);
	if (elf && len > 0)
		same = dwelf_elf_gnu_build_id(elf, &other) == len &&
		       !memcmp(build_id, other, (size_t)len);
	else if (elf)
		same = checksum_is(fd, sum);
	elf_end(elf);
	close(fd);
	return same;
}

bool debug_is_of(const char *path, const uint8_t *build_id, unsigned int len)
{
	return len && belongs(path, build_id, len, 0);
}

/*
 * Place number @i of a debug file: beside the file, in .debug, then below each of @dirs.
 * Return: false if there are no more places. A path that is too long becomes "".
 */
static bool place(unsigned int i, const char *dir, const char *name,
		  const char *const *dirs, char ret[PATH_MAX])
{
	const char *top = i < 2 ? "" : dirs[i - 2];
	int len;

	if (!top)
		return false;
	len = snprintf(ret, PATH_MAX, "%s%s/%s%s", top, dir, i == 1 ? ".debug/" : "", name);
	if (len >= PATH_MAX)
		ret[0] = '\0';
	return true;
}

bool debug_by_link(int fd, const char *path, const char *const *dirs, char ret[PATH_MAX])
{
	const char *end = strrchr(path, '/'), *name;
	const void *build_id = NULL;
	Elf *elf = begin(fd);
	char dir[PATH_MAX];
	bool found = false;
	unsigned int i;
	GElf_Word sum;
	ssize_t len;

	name = elf ? dwelf_elf_gnu_debuglink(elf, &sum) : NULL;
	if (name && end && !strchr(name, '/')) {
		len = dwelf_elf_gnu_build_id(elf, &build_id);
		snprintf(dir, sizeof(dir), "%.*s", (int)(end - path), path);
		for (i = 0; !found && place(i, dir, name, dirs, ret); i++)
			found = is_file(ret) && belongs(ret, build_id, len, sum);
	}
	elf_end(elf);
	return found;
}

bool debug_is_own(int fd)
{
	Elf *elf = begin(fd);
	Elf_Scn *s = NULL;
	size_t names;
	GElf_Shdr sh;
	bool own = false;
	const char *name;

	if (elf && !elf_getshdrstrndx(elf, &names))
		while (!own && (s = elf_nextscn(elf, s))) {
			name = gelf_getshdr(s, &sh) ? elf_strptr(elf, names, sh.sh_name) : NULL;
			own = name && sh.sh_type != SHT_NOBITS &&
			      (!strcmp(name, ".debug_info") || !strcmp(name, ".zdebug_info"));
		}
	elf_end(elf);
	return own;
}

bool debug_start(int fd, uint64_t *ret)
{
	Elf *elf = begin(fd);
	bool found = false;
	size_t nr = 0, i;
	GElf_Phdr ph;

	if (elf && elf_getphdrnum(elf, &nr))
		nr = 0;
	for (i = 0; i < nr && gelf_getphdr(elf, (int)i, &ph); i++) {
		if (ph.p_type != PT_LOAD)
			continue;
		found = ph.p_filesz || !ph.p_memsz;
		*ret = ph.p_vaddr - ph.p_offset;
		break;
	}
	elf_end(elf);
	return found;
}
