// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints how x86_insn.c decodes the code at each address, for compare.py.
 *
 * usage: insns BYTES VADDR [i386] <ADDRESSES
 *	BYTES is a file, whose first byte is at VADDR; numbers are hexadecimal
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sframe/x86_insn.h"
#include "util/file.h"

int main(int argc, char **argv)
{
	static const char *const kinds[] = {
		[X86_OTHER] = "other", [X86_CALL] = "call", [X86_BRANCH] = "branch",
		[X86_JUMP] = "jump", [X86_END] = "end",
	};
	bool (*read)(const u8 *code, u64 len, u64 pc, struct x86_insn *ret) = x86_insn_read;
	struct x86_insn insn;
	struct file file;
	struct diag diag;
	uint64_t vaddr, pc;
	uint8_t *bytes;

	if (argc < 3 || file_open(&file, argv[1], &diag))
		return 2;
	if (argc == 4 && !strcmp(argv[3], "i386"))
		read = x86_insn_read_i386;
	vaddr = strtoull(argv[2], NULL, 16);
	bytes = malloc(file.size);
	if (!bytes || file_read(&file, 0, bytes, file.size, &diag))
		return 2;
	while (scanf("%" SCNx64, &pc) == 1) {
		if (pc < vaddr || pc - vaddr >= file.size ||
		    !read(bytes + (pc - vaddr), file.size - (pc - vaddr), pc, &insn))
			puts("?");
		else
			printf("%u %s %" PRIx64 "\n", insn.len, kinds[insn.kind], (uint64_t)insn.to);
	}
	free(bytes);
	file_release(&file);
	return 0;
}
