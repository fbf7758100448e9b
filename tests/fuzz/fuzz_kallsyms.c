// SPDX-License-Identifier: GPL-2.0-only
/*
 * A list of the kernel's symbols with any bytes: the function found at an
 * address contains it, and the search by address agrees with the search by
 * name.
 */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "host/kernel/kallsyms.h"
#include "host/kernel/kallsyms_range.h"
#include "must.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_at(const struct kallsyms *k, uint64_t addr)
{
	const struct kallsyms_image *i = kallsyms_image(k, addr);
	uint64_t offset = 0;
	const char *name = kallsyms_name(k, addr, &offset);

	must(!i == !name);
	if (!i)
		return;
	must(*name && i->name[0] == '[' && offset <= addr);
	must(i->start <= addr - offset && addr < i->limit);
	/* the start of the function leads to the same function */
	must(kallsyms_name(k, addr - offset, &offset) == name && !offset);
}

static void check_range(FILE *f, const struct kallsyms *k, const char *name)
{
	uint64_t start, end;
	int err = kallsyms_find(f, name, &start, &end);

	must(!err || err == -ENOENT || err == -EACCES);
	if (err)
		return;
	must(start && start < end);
	if (k) {
		check_at(k, start);
		check_at(k, end - 1);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct kallsyms *k = NULL;
	char path[32], *line = NULL;
	int fd = memfd_create("kallsyms", 0), err;
	size_t room = 0;
	FILE *f;

	must(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	err = kallsyms_new(path, &k, NULL);
	must(err <= 0 && !err == !!k);
	f = fopen(path, "r");
	while (k && getline(&line, &room, f) >= 0) {
		uint64_t at = strtoull(line, NULL, 16);

		check_at(k, at);
		check_at(k, at - 1);
		check_at(k, at + 4096);
	}
	check_range(f, k, "__schedule");
	check_range(f, k, "f");
	free(line);
	fclose(f);
	kallsyms_free(k);
	close(fd);
	return 0;
}
