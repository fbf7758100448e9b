// SPDX-License-Identifier: GPL-2.0-only
/*
 * Implements plug.h: reads and maps plugs, calls them, samples the calls and judges the
 * samples.
 */
#include "plug.h"

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "stress.h"

#define PERIOD_NS 100000	/* as often as an emulated machine can sample */
#define SAMPLE_SECONDS 20
#define SHOWN 12	/* number of wrong samples to print, in the life of the program */

void plug_read(struct plug *plug, const char *path)
{
	const Elf64_Ehdr *ehdr;
	const Elf64_Phdr *phdr;
	int i;

	plug->bytes = file_read(path, &plug->len);
	ehdr = (const void *)plug->bytes;
	phdr = (const void *)(plug->bytes + ehdr->e_phoff);
	for (i = 0; i < ehdr->e_phnum; i++)
		if (phdr[i].p_type == PT_LOAD && phdr[i].p_flags & PF_X)
			break;
	if (i == ehdr->e_phnum || phdr[i].p_offset % 4096)
		die("%s: no text on a page of its own", path);
	plug->text_off = phdr[i].p_offset;
	plug->text_len = (phdr[i].p_filesz + 4095) & ~4095ul;
	if (((const struct plug_header *)(plug->bytes + plug->text_off))->magic !=
	    PLUG_MAGIC)
		die("%s: not a plug", path);
}

void *plug_map(const struct plug *plug, int fd, void *addr, int flags)
{
	void *text = mmap(addr, plug->text_len, PROT_READ | PROT_EXEC,
			  MAP_PRIVATE | flags, fd, plug->text_off);

	if (text == MAP_FAILED)
		die_errno("mmap of a plug");
	return text;
}

__attribute__((noipa)) long plug_call(struct plug_stack *stack,
				      const void *text, unsigned long loops)
{
	const struct plug_header *header = text;
	long (*entry)(void **ret, unsigned long loops) =
		(void *)((const char *)text + header->entry);
	long kind;

	stack->text = header;
	stack->header = *header;
	stack->to_caller = __builtin_return_address(0);
	kind = entry(&stack->to_call, loops);
	asm volatile("" ::: "memory");
	return kind;
}

static void show(const struct plug_stack *stack, const struct sample *s)
{
	static unsigned int shown;
	unsigned int i;

	if (shown++ >= SHOWN)
		return;
	printf("  wrong: plug %ld at %p, call %p, caller %p; sample:",
	       (long)stack->header.kind, (void *)stack->text, stack->to_call,
	       stack->to_caller);
	for (i = 0; i < s->nr && i < 10; i++)
		printf(" %#llx", (unsigned long long)s->ips[i]);
	printf("\n");
}

void plug_judge(const struct plug_stack *stack, const struct sample *s,
		struct tally *tally)
{
	const struct plug_header *h = &stack->header;
	uint64_t base = (uintptr_t)stack->text, off = s->ip - base, want[5];
	unsigned int n = 0, i;

	if (off < h->entry || off >= h->leaf_end + 16) {
		tally->apart++;
		return;
	}
	want[n++] = s->ip;
	if (off >= h->leaf)
		want[n++] = base + h->return_to_mid;
	if (off >= h->mid)
		want[n++] = base + h->return_to_entry;
	want[n++] = (uintptr_t)stack->to_call;
	want[n++] = (uintptr_t)stack->to_caller;
	for (i = 0; i < n && i < s->nr && s->ips[i] == want[i]; i++)
		;
	if (i == n) {
		tally->whole++;
	} else if (i && i == s->nr) {
		tally->cut++;
	} else if (i == 1 && off < h->mid) {
		tally->edge++;
	} else {
		tally->wrong++;
		if (!tally->quiet)
			show(stack, s);
	}
}

struct judge {
	struct plug_stack stack;
	struct tally *tally;
};

static void judge_one(const struct sample *sample, void *arg)
{
	struct judge *judge = arg;

	plug_judge(&judge->stack, sample, judge->tally);
}

void plug_sample(const void *text, unsigned long want, struct tally *tally)
{
	struct judge judge = { .tally = tally };
	double end = seconds() + SAMPLE_SECONDS;
	struct sampler sampler;

	memset(tally, 0, sizeof(*tally));
	sampler_open(&sampler, 0, -1, PERIOD_NS);
	while (tally->whole + tally->cut + tally->wrong + tally->edge < want &&
	       seconds() < end) {
		sampler_enable(&sampler, true);
		plug_call(&judge.stack, text, PLUG_SPIN);
		sampler_enable(&sampler, false);
		sampler_drain(&sampler, judge_one, &judge);
	}
	sampler_close(&sampler);
}

/* Found by name: older linkers give .sframe no type of its own. */
const uint8_t *plug_sframe(const struct plug *plug, size_t *len, uint64_t *vaddr)
{
	const Elf64_Ehdr *ehdr = (const void *)plug->bytes;
	const Elf64_Shdr *shdr = (const void *)(plug->bytes + ehdr->e_shoff);
	const char *names =
		(const char *)plug->bytes + shdr[ehdr->e_shstrndx].sh_offset;
	unsigned int i;

	for (i = 0; i < ehdr->e_shnum; i++)
		if (!strcmp(names + shdr[i].sh_name, ".sframe")) {
			*len = shdr[i].sh_size;
			*vaddr = shdr[i].sh_addr;
			return plug->bytes + shdr[i].sh_offset;
		}
	die("a plug without .sframe");
}
