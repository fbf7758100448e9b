// SPDX-License-Identifier: GPL-2.0-only
/* Return addresses on the stack that a uretprobe has replaced. */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lifetime.h"
#include "frequent.h"

#define TRACING "/sys/kernel/tracing/"
#define GROUP "ustack_test"

static void probe_return(const char *name, const char *path, uint64_t off)
{
	char text[256];

	snprintf(text, sizeof(text), "r:" GROUP "/%s %s:%#llx", name, path,
		 (unsigned long long)off);
	file_write(TRACING "uprobe_events", text);
}

static void probes_enable(bool on)
{
	file_write(TRACING "events/" GROUP "/enable", on ? "1" : "0");
}

static void probe_remove(const char *name)
{
	char text[64];

	snprintf(text, sizeof(text), "-:" GROUP "/%s", name);
	file_write(TRACING "uprobe_events", text);
}

/* Number of returns of the function through its probe. */
static unsigned long hits_of(const char *name)
{
	char *text = (char *)file_read(TRACING "uprobe_profile", NULL);
	const char *at = strstr(text, name);
	unsigned long hits = at ? strtoul(at + strlen(name), NULL, 10) : 0;

	free(text);
	return hits;
}

/* The offset of a function in its file; ends the program if it is not there. */
static uint64_t function_in(const char *path, const char *name)
{
	const uint8_t *bytes = file_read(path, NULL);
	const Elf64_Ehdr *eh = (const void *)bytes;
	const Elf64_Shdr *sh = (const void *)(bytes + eh->e_shoff), *symtab = sh;
	const Elf64_Phdr *ph = (const void *)(bytes + eh->e_phoff);
	const Elf64_Sym *sym, *end;
	const char *names;

	while (symtab < sh + eh->e_shnum && symtab->sh_type != SHT_SYMTAB)
		symtab++;
	if (symtab == sh + eh->e_shnum)
		die("%s: no symbols", path);
	names = (const char *)bytes + sh[symtab->sh_link].sh_offset;
	sym = (const void *)(bytes + symtab->sh_offset);
	end = (const void *)(bytes + symtab->sh_offset + symtab->sh_size);
	while (sym < end && strcmp(names + sym->st_name, name))
		sym++;
	if (sym == end)
		die("%s: no %s", path, name);
	while (ph->p_type != PT_LOAD || sym->st_value - ph->p_vaddr >= ph->p_filesz)
		ph++;
	return sym->st_value - ph->p_vaddr + ph->p_offset;
}

/* With a table: two frames of a plug return through the probe, one above the other. */
static void probed_plug(void)
{
	const struct plug *p = &plugs[1];
	const struct plug_header *h = (const void *)(p->bytes + p->text_off);
	int fd = plug_file(1, DIR "/lib-probed");
	void *at = place();

	plug_map(p, fd, at, MAP_FIXED);
	close(fd);
	check_whole(at, "before there are uretprobes");
	probe_return("plug_mid", DIR "/lib-probed", p->text_off + h->mid);
	probe_return("plug_leaf", DIR "/lib-probed", p->text_off + h->leaf);
	probes_enable(true);
	check_whole(at, "with uretprobes on two functions");
	probes_enable(false);
	check(hits_of("plug_mid") && hits_of("plug_leaf"),
	      "they returned through the probes %lu and %lu times",
	      hits_of("plug_mid"), hits_of("plug_leaf"));
	check_whole(at, "with the uretprobes off again");
	probe_remove("plug_mid");
	probe_remove("plug_leaf");
	munmap(at, p->text_len);
}

/* Without a table: the walk uses frame pointers. */
static void probed_spin(void)
{
	char without[256] = "", with[256] = "";
	unsigned long n, m;

	n = frequent_callers("/spin64", without, sizeof(without));
	probe_return("spin_inner", "/spin64", function_in("/spin64", "inner"));
	probe_return("spin_middle", "/spin64", function_in("/spin64", "middle"));
	probes_enable(true);
	m = frequent_callers("/spin64", with, sizeof(with));
	probes_enable(false);
	check(hits_of("spin_inner") && hits_of("spin_middle"),
	      "a program's functions returned through probes");
	probe_remove("spin_inner");
	probe_remove("spin_middle");
	check(n && m && !strcmp(without, with),
	      "frame pointers: %lu samples%s without, %lu%s with uretprobes", n,
	      without, m, with);
}

void test_uretprobe(void)
{
	if (access(TRACING "uprobe_events", W_OK)) {
		skip("uretprobe: this kernel has no uprobe_events: %s",
		     strerror(errno));
		return;
	}
	probed_plug();
	probed_spin();
}
