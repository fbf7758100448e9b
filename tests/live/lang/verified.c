// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counts the instructions that the kernel's verifier processed for the sampler's loaded programs. The
 * verifier stops at a million for one program, and then no stacks could be taken.
 *
 * usage: verified PREFIX MOST
 * Prints the highest count of the programs whose name begins with PREFIX; fails if it is above MOST,
 * or if there is no such program.
 */
#include <bpf/bpf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static unsigned int most;
static char name[BPF_OBJ_NAME_LEN] = "none";

static void look_at(int fd, const char *prefix)
{
	struct bpf_prog_info info = { 0 };
	__u32 len = sizeof(info);

	if (bpf_obj_get_info_by_fd(fd, &info, &len) || strncmp(info.name, prefix, strlen(prefix)) ||
	    info.verified_insns <= most)
		return;
	most = info.verified_insns;
	memcpy(name, info.name, sizeof(name));
}

int main(int argc, char **argv)
{
	__u32 id = 0;
	int fd;

	if (argc != 3)
		return 2;
	while (!bpf_prog_get_next_id(id, &id)) {
		fd = bpf_prog_get_fd_by_id(id);
		if (fd < 0)
			continue;
		look_at(fd, argv[1]);
		close(fd);
	}
	printf("    %s: %u instructions verified\n", name, most);
	return !most || most > strtoul(argv[2], NULL, 10);
}
