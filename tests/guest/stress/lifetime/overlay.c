// SPDX-License-Identifier: GPL-2.0-only
/* Files of overlayfs, which containers use: the files of the layers below it are mapped. */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lifetime.h"
#include "ustack.h"

#define LOWER DIR "/lower"
#define MERGED DIR "/merged"

static bool mount_overlay(void)
{
	const char *const dirs[] = { "lower", "upper", "work", "merged" };
	char path[64];
	size_t i;

	for (i = 0; i < sizeof(dirs) / sizeof(dirs[0]); i++) {
		snprintf(path, sizeof(path), DIR "/%s", dirs[i]);
		mkdir(path, 0755);
	}
	return !mount("overlay", MERGED, "overlay", 0,
		      "lowerdir=" LOWER ",upperdir=" DIR "/upper,workdir=" DIR
		      "/work");
}

static const Elf64_Shdr *section_of(const struct plug *plug, const char *name)
{
	const Elf64_Ehdr *ehdr = (const void *)plug->bytes;
	const Elf64_Shdr *shdr = (const void *)(plug->bytes + ehdr->e_shoff);
	const char *names =
		(const char *)plug->bytes + shdr[ehdr->e_shstrndx].sh_offset;
	int i;

	for (i = 0; i < ehdr->e_shnum; i++)
		if (!strcmp(names + shdr[i].sh_name, name))
			return &shdr[i];
	die("a plug without %s", name);
}

/* The device number, as /proc/ustack/images writes it. */
static void build_id_of(const struct plug *plug, char ret[41])
{
	const Elf64_Shdr *note = section_of(plug, ".note.gnu.build-id");
	const uint8_t *id = plug->bytes + note->sh_offset + 16;
	size_t i;

	for (i = 0; i < 20 && i < note->sh_size - 16; i++)
		sprintf(ret + 2 * i, "%02x", id[i]);
}

/* The module's line about MERGED/NAME belongs to the plug of this kind. */
static void check_line(const char *name, int kind, const char *want)
{
	char line[256], state[32] = "", id[41] = "";

	/* the whole path, after a space */
	snprintf(line, sizeof(line), " " MERGED "/%s", name);
	if (!check(module_image(line, line, sizeof(line)),
		   "%s has the path that its user sees", name))
		return;
	module_image_state(line, state);
	build_id_of(&plugs[kind], id);
	check(!strcmp(state, want) || (!strcmp(want, "own") && module_state_is_own(state)),
	      "%s: table %s", name, state);
	check(strstr(line, id), "%s: build id %.8s", name, id);
}

/* Maps a plug from the overlay. */
static void *map_merged(const char *name, int kind)
{
	void *at = place();
	char path[64];
	int fd;

	snprintf(path, sizeof(path), MERGED "/%s", name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		die_errno(path);
	plug_map(&plugs[kind], fd, at, MAP_FIXED);
	close(fd);
	return at;
}

static void check_mapped(const char *name, int kind)
{
	void *at = map_merged(name, kind);
	char what[64];

	snprintf(what, sizeof(what), "overlay's %s", name);
	check_whole(at, what);
	munmap(at, plugs[kind].text_len);
	check_line(name, kind, "own");
}

/* A file whose own section is damaged: the loaded table is used. */
static void damage(const char *path, const struct plug *plug)
{
	size_t off = section_of(plug, ".sframe")->sh_offset;
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || pwrite(fd, "", 1, off) != 1)
		die_errno(path);
	close(fd);
}

static bool load_for(const char *path, const struct plug *plug)
{
	const Elf64_Shdr *section = section_of(plug, ".sframe");
	struct ustack_load load = {
		.size = sizeof(load),
		.fd = open(path, O_RDONLY | O_CLOEXEC),
		.section = (uintptr_t)(plug->bytes + section->sh_offset),
		.len = section->sh_size,
		.vaddr = section->sh_addr,
	};
	int fd = open(USTACK_DEVICE, O_RDWR | O_CLOEXEC), err;

	err = ioctl(fd, USTACK_IOC_LOAD, &load);
	close(load.fd);
	close(fd);
	return !err;
}

static void check_loaded(void)
{
	const struct plug *plug = &plugs[4];
	void *at = map_merged("loaded", 4);

	check_line("loaded", 4, "BAD_MAGIC");
	check(load_for(MERGED "/loaded", plug), "a table for it");
	check_whole(at, "overlay's loaded");
	munmap(at, plug->text_len);
	check_line("loaded", 4, "loaded");
}

void test_overlay(void)
{
	int fd;

	mkdir(LOWER, 0755);
	close(plug_file(1, LOWER "/lower"));
	close(plug_file(2, LOWER "/copied"));
	close(plug_file(4, LOWER "/loaded"));
	damage(LOWER "/loaded", &plugs[4]);
	if (!mount_overlay()) {
		skip("overlay: this kernel mounts none: %s", strerror(errno));
		return;
	}
	check_mapped("lower", 1);
	/* from now on it is another file, in the upper layer */
	fd = open(MERGED "/copied", O_WRONLY | O_CLOEXEC);
	if (fd < 0 || pwrite(fd, plugs[3].bytes, plugs[3].len, 0) !=
			      (ssize_t)plugs[3].len)
		die_errno(MERGED "/copied");
	close(fd);
	check_mapped("copied", 3);
	check_loaded();
	check(!umount(MERGED), "unmount of the overlay after that");
}
