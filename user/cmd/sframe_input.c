// SPDX-License-Identifier: GPL-2.0-only
/* Options that the sframe commands share: "--raw ARCH VADDR", "--format" and "--extended". */
#include "cmd/sframe_input.h"

#include <string.h>

#include "sframe/synth.h"

static const struct ustack_arch *const arches[] = {
	&ustack_arch_x86_64, &ustack_arch_aarch64,
};

#define NR_ARCHES (sizeof(arches) / sizeof(arches[0]))

const char *sframe_arch_word(unsigned int i)
{
	return i < NR_ARCHES ? arches[i]->name : NULL;
}

const char *sframe_format_word(unsigned int i)
{
	static const char *const words[] = { "2", "3", NULL };

	return words[i];
}

int sframe_input_raw(const struct cmd_usage *usage, const struct option_pair *words,
		     struct sframe_raw *raw)
{
	uint64_t vaddr;
	size_t i;

	if (!words->set)
		return CMD_RUN;
	raw->arch = NULL;
	for (i = 0; i < NR_ARCHES; i++)
		if (!strcmp(words->first, arches[i]->name))
			raw->arch = arches[i];
	if (!raw->arch)
		return cmd_bad_usage(usage, "--raw: '%s' is neither %s nor %s", words->first,
				     arches[0]->name, arches[1]->name);
	if (!option_parse_u64(words->second, &vaddr))
		return cmd_bad_usage(usage, "--raw: '%s' is not an address", words->second);
	raw->vaddr = vaddr;
	return CMD_RUN;
}

int sframe_input_version(const struct cmd_usage *usage, const struct option_u64 *format,
			 bool extended, unsigned int *ret)
{
	if (format->set && format->value != 2 && format->value != 3)
		return cmd_bad_usage(usage, "--format takes 2 or 3");
	if (format->set && extended)
		return cmd_bad_usage(usage, "--format and --extended exclude each other");
	*ret = extended ? SYNTH_MODULE :
	       format->set ? (unsigned int)format->value : 3;
	return CMD_RUN;
}
