// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints how user/darwin/insn.c decodes instructions, for edge-judge.
 *
 * usage: insns i386|x86_64|arm64 <LINES
 *	a line has an instruction's bytes in hexadecimal, and bytes after it
 */
#include <stdio.h>
#include <string.h>

#include "darwin/insn.h"
#include "util/hex.h"

#define MAX_BYTES 64u

static const char *const kinds[] = {
	[INSN_OTHER] = "other", [INSN_NOTHING] = "nothing", [INSN_SP] = "sp",
	[INSN_PUSH] = "push", [INSN_POP] = "pop", [INSN_SET_FP] = "set_fp",
	[INSN_LEAVE] = "leave", [INSN_STORE] = "store", [INSN_LOAD] = "load",
	[INSN_RETURN] = "return", [INSN_JUMP] = "jump", [INSN_JUMP_REG] = "jump_reg",
	[INSN_CALL] = "call", [INSN_SCRATCH] = "scratch",
};

int main(int argc, char **argv)
{
	char line[2 * MAX_BYTES + 2];
	uint8_t bytes[MAX_BYTES];
	struct insn i;
	size_t len;

	if (argc != 2)
		return 2;
	while (fgets(line, sizeof(line), stdin)) {
		line[strcspn(line, "\n")] = '\0';
		len = strlen(line) / 2;
		if (!hex_bytes(line, bytes, len))
			return 2;
		if (!strcmp(argv[1], "arm64"))
			insn_read_arm64(bytes, len, &i);
		else
			insn_read_x86(!strcmp(argv[1], "x86_64"), bytes, len, &i);
		printf("%s %u %u %u %d %d\n", kinds[i.kind], i.len, i.reg, i.other, i.at, i.n);
	}
	return 0;
}
