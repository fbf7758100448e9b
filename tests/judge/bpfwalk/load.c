// SPDX-License-Identifier: GPL-2.0-only
/*
 * Loads an object's eBPF programs into this machine's kernel, and runs none: its verifier must accept them.
 * The object may be that of the other architecture, as eBPF has the same instructions on all.
 *
 * usage: load MOST OBJECT
 *	MOST	number of instructions that the verifier may process for one program
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

static void die(const char *what)
{
	fprintf(stderr, "load: %s: %s\n", what, strerror(errno));
	exit(2);
}

/* Return: whether the verifier has processed @most instructions of the program, or fewer. */
static bool is_short(const struct bpf_program *prog, unsigned long most)
{
	struct bpf_prog_info info = { 0 };
	__u32 len = sizeof(info);

	if (bpf_obj_get_info_by_fd(bpf_program__fd(prog), &info, &len))
		die(bpf_program__name(prog));
	printf("%s: %u instructions verified, at most %lu\n", bpf_program__name(prog), info.verified_insns, most);
	return info.verified_insns && info.verified_insns <= most;
}

int main(int argc, char **argv)
{
	unsigned int passed = 0, failed = 0;
	struct bpf_program *prog;
	struct bpf_object *o;
	struct bpf_map *map;

	if (argc != 3)
		return 2;
	o = bpf_object__open_file(argv[2], NULL);
	if (!o)
		die(argv[2]);
	/* its memory is not needed */
	map = bpf_object__find_map_by_name(o, "ustack_spaces");
	if (map)
		bpf_map__set_max_entries(map, 16);
	if (bpf_object__load(o)) {
		printf("FAILED: %s does not load: %s\n", argv[2], strerror(errno));
		failed++;
	} else {
		bpf_object__for_each_program(prog, o) {
			passed++;
			if (is_short(prog, strtoul(argv[1], NULL, 0)))
				continue;
			passed--, failed++;
		}
	}
	printf("bpfwalk-load: %u passed, %u failed, 0 skipped\n", passed, failed);
	bpf_object__close(o);
	return failed || !passed;
}
