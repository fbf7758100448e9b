// SPDX-License-Identifier: GPL-2.0-only
/* Reads what an ELF file has for unwinding and for names. The reading is done in a jail. */
#include "cmd/doctor/image.h"

#include <fcntl.h>
#include <gelf.h>
#include <linux/limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "host/jail/jail.h"
#include "sframe/section.h"
#include "sframe/synth.h"
#include "symbols/symstore/debug_file.h"
#include "util/cleanup.h"

static void examine_cfi(const struct supply_file *f, const char *path, struct image_facts *ret)
{
	_cleanup_(synth_section_release) struct synth_section sec = SYNTH_SECTION_INIT;
	_cleanup_(synth_release) struct synth s = SYNTH_INIT;
	struct synth_lost lost = { 0 };
	u64 missing = 0;
	unsigned int i;

	if (synth_read(&s, f->fd, path, NULL) || synth_encode(&s, SYNTH_MODULE, &sec, NULL))
		return;
	synth_sum_lost(&s, &lost);
	for (i = 0; i < SYNTH_NR_CAUSES; i++)
		if (synth_cause_is_text(i))
			missing += lost.bytes[i];
	ret->covered = s.cfi_bytes + s.code_bytes;
	ret->covered -= missing < ret->covered ? missing : ret->covered;
	if (ret->covered > ret->text)
		ret->covered = ret->text;
}

static void examine_sframe(const char *own, struct image_facts *ret)
{
	_cleanup_(sframe_section_release) struct sframe_section s = SFRAME_SECTION_INIT;
	struct diag diag = { 0 };
	int err = sframe_section_read(&s, own, NULL, &diag);

	if (!err)
		err = sframe_section_prove(&s, &diag);
	ret->sframe = !err;
	if (err && diag.reason != USTACK_NO_SECTION)
		ret->sframe_reason = diag.reason;
}

/* Return: the best symbol table of the file. */
static enum symstore_source symbols_of(int fd)
{
	enum symstore_source best = SYMSTORE_NOTHING;
	Elf *elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	const char *name;
	Elf_Scn *s = NULL;
	size_t names;
	GElf_Shdr sh;

	if (elf && !elf_getshdrstrndx(elf, &names))
		while ((s = elf_nextscn(elf, s)) && gelf_getshdr(s, &sh)) {
			name = elf_strptr(elf, names, sh.sh_name);
			if ((sh.sh_type == SHT_SYMTAB ||
			     (name && !strcmp(name, ".gnu_debugdata"))))
				best = SYMSTORE_SYMTAB;
			else if (sh.sh_type == SHT_DYNSYM && best == SYMSTORE_NOTHING)
				best = SYMSTORE_DYNSYM;
		}
	elf_end(elf);
	return best;
}

static void examine_names(const struct supply_file *f, const char *path,
			  struct image_facts *ret)
{
	char found[PATH_MAX];

	elf_version(EV_CURRENT);
	ret->names = (uint8_t)symbols_of(f->fd);
	ret->debug_link = debug_by_link(f->fd, path, debug_default_dirs, found);
	if (ret->debug_link || debug_is_own(f->fd))
		ret->names = SYMSTORE_DWARF;
}

/* The file to read, and the pipe to the process that waits for the facts. */
struct task {
	const struct supply_file *f;
	const char *path;
	int out;
};

static int examine(void *arg)
{
	const struct task *t = arg;
	const struct supply_file *f = t->f;
	struct image_facts facts = { .known = true };
	char own[32];
	unsigned int i;

	snprintf(own, sizeof(own), "/proc/self/fd/%d", f->fd);
	for (i = 0; i < f->elf.nr_text; i++)
		facts.text += f->elf.text[i].end - f->elf.text[i].start;
	examine_sframe(own, &facts);
	examine_cfi(f, t->path, &facts);
	examine_names(f, t->path, &facts);
	return write(t->out, &facts, sizeof(facts)) != sizeof(facts);
}

void image_examine(const struct supply_file *f, const char *path, struct image_facts *ret)
{
	struct jail jail = JAIL_INIT;
	int words[2], err;

	*ret = (struct image_facts){ .known = false };
	if (pipe2(words, O_CLOEXEC))
		return;
	err = jail_start(&jail, &(struct jail_limits){
			 .capabilities = JAIL_READ_OTHERS, .paths = JAIL_READ_PATHS,
			 .memory = IMAGE_MEMORY, .cpu_seconds = IMAGE_MAX_SECONDS,
			 .seconds = IMAGE_MAX_SECONDS, .keep = { f->fd, words[1] } },
			 examine, &(struct task){ f, path, words[1] });
	close(words[1]);
	if (!err && (jail_read(&jail, words[0], ret, sizeof(*ret)) != sizeof(*ret) ||
		     ret->names > SYMSTORE_DWARF || ret->sframe_reason >= USTACK_STATS_REASONS))
		*ret = (struct image_facts){ .known = false };
	jail_kill(&jail);
	close(words[0]);
}
