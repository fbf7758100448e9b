// SPDX-License-Identifier: GPL-2.0-only
/*
 * Compares kmod/core in eBPF with kmod/core in this program: the same walks, frame by frame.
 *
 * \tbpfwalk [-d] [-b WHY] [-n CASES] [-s SEED] FILE...
 * \t\t-b WHY\tframes have no row, with the reason NO_ROW, NO_TABLE or NO_IMAGE (the code
 * \t\t\tis in no file): steps by code, by frame records and by guesses
 * \t\t-d\tthe table in the kernel is damaged: the test must notice it
 *
 * The text of each file is mapped and its table put into a bin. Stacks are made up: registers,
 * and a stack on which each frame's rule finds a return address, mostly one that has a row,
 * sometimes any number. The program in the kernel walks each stack; it reads this process's
 * memory. The core's lookup and step in this program walk it too; they share no strides, bins
 * and pieces of stack with the other side.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "test.h"

#include "walk.skel.h"

static void die(const char *what)
{
	fprintf(stderr, "bpfwalk: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void die_diag(const struct diag *diag)
{
	char text[512];

	diag_format(diag, text, sizeof(text));
	fprintf(stderr, "bpfwalk: %s\n", text);
	exit(1);
}

static void run(struct bpf_program *prog)
{
	LIBBPF_OPTS(bpf_test_run_opts, o);
	int err = bpf_prog_test_run_opts(bpf_program__fd(prog), &o);

	if (err || o.retval) {
		errno = err ? -err : EINVAL;
		die("running the program");
	}
}

/* Return: whether both walks are the same. */
static bool compare(struct test *t, u64 n, bool tell)
{
	u64 pcs[WIRE_FRAMES];
	u32 nr, why, i;

	why = walk_here(t, pcs, &nr);
	run(t->bpf->progs.walk);
	t->frames += nr;
	t->ended[why & 255]++;
	for (i = 0; i < nr && i < t->c->nr && pcs[i] == t->c->pcs[i];)
		i++;
	if (nr == t->c->nr && i == nr && why == t->c->why)
		return true;
	if (!tell)
		return false;
	printf("case %" PRIu64 ": pc %#" PRIx64 " (link-time %#" PRIx64 "): core: %u frames, %s; eBPF: %u frames, %s; differ from frame %u on\n",
	       n, (uint64_t)t->c->pc, (uint64_t)(t->c->pc - t->bias), nr,
	       ustack_reason_name(why), t->c->nr, ustack_reason_name(t->c->why), i);
	return false;
}

static void *map_bin(struct test *t)
{
	LIBBPF_OPTS(bpf_map_create_opts, o, .map_flags = BPF_F_MMAPABLE);
	int fd = bpf_map_create(BPF_MAP_TYPE_ARRAY, "ustack_bin", sizeof(u32), TABLES_BIN_VALUE,
				1, &o);
	u32 zero = 0;
	void *bin;

	if (fd < 0 ||
	    bpf_map_update_elem(bpf_map__fd(t->bpf->maps.ustack_bins), &zero, &fd, BPF_ANY))
		die("a bin");
	bin = mmap(NULL, TABLES_BIN_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (bin == MAP_FAILED)
		die("a bin");
	return bin;
}

/* The table is put at an offset that is not 0, before other bytes. */
static void publish(struct test *t, void *bin, bool damage)
{
	struct tables_image image = {
		.bytes = t->bare ? 0 : t->table->size,
		.why = t->bare,
		.place = 8 * (1 + below(t, 1000)),
	};
	struct tables_space space = { 0 };
	u32 zero = 0, i;

	if (image.place + t->table->size > TABLES_BIN_BYTES)
		die("the table is too large");
	memset(bin, 0xa5, TABLES_BIN_BYTES);
	memcpy((u8 *)bin + image.place, t->table, t->table->size);
	/*
	 * damages sizes and offsets, too: whatever they are, the walk must stay in the bin and
	 * end
	 */
	for (i = 0; damage && i < t->table->size; i += 1 + (u32)below(t, 64))
		((u8 *)bin)[image.place + i] ^= (u8)(1 + below(t, 255));
	image.segment[0] = (struct tables_segment){ 0, t->len, t->start - t->bias };
	for (i = 0; i < TABLES_WINDOWS; i++)
		space.window[i] = (struct tables_window){ .start = ~0ull };
	space.window[0] = (struct tables_window){ .start = t->start, .len = t->len };
	if (bpf_map_update_elem(bpf_map__fd(t->bpf->maps.ustack_images), &zero, &image, BPF_ANY) ||
	    bpf_map_update_elem(bpf_map__fd(t->bpf->maps.own_space), &zero, &space, BPF_ANY))
		die("an image");
	run(t->bpf->progs.map_self);
}

/* Maps the first executable segment and makes its table. */
static void open_file(struct test *t, const char *path)
{
	const struct ustack_segment *seg = NULL;
	struct diag diag;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	u64 page;
	u32 i;

	if (fd < 0)
		die(path);
	t->synth = (struct synth)SYNTH_INIT;
	t->encoded = (struct synth_section)SYNTH_SECTION_INIT;
	if (synth_read(&t->synth, fd, path, &diag) ||
	    synth_encode(&t->synth, SYNTH_MODULE, &t->encoded, &diag))
		die_diag(&diag);
	sframe_section_borrow(&t->section, path, &t->synth.elf, t->encoded.bytes,
			      t->encoded.len, t->encoded.vaddr);
	if (sframe_section_prove(&t->section, &diag))
		die_diag(&diag);
	t->table = t->section.table;
	for (i = 0; i < t->synth.elf.nr_segments && !seg; i++)
		if (t->synth.elf.segments[i].exec)
			seg = &t->synth.elf.segments[i];
	if (!seg)
		die("no executable segment");
	page = seg->off & ~4095ull;
	t->len = seg->off + seg->filesz - page;
	t->text = mmap(NULL, t->len, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, (off_t)page);
	if (t->text == MAP_FAILED)
		die(path);
	t->start = (u64)t->text;
	t->bias = t->start - (seg->vaddr - (seg->off - page));
	close(fd);
}

/* Return: number of walks that differ. */
static u64 test_file(struct test *t, const char *path, u64 cases, void *bin, bool damage)
{
	u64 n, differ = 0, frames = t->frames, slow = t->slow;

	open_file(t, path);
	find_rare(t);
	find_calls(t);
	publish(t, bin, damage);
	for (n = 0; n < cases; n++) {
		if (t->bare)
			make_bare_case(t);
		else
			make_case(t);
		differ += !compare(t, n, !damage && differ < 10);
	}
	printf("%s: %" PRIu64 " walks, %" PRIu64 " frames, %" PRIu64 " of them by slow steps; %" PRIu64 " differ\n",
	       path, n, (uint64_t)(t->frames - frames), (uint64_t)(t->slow - slow), differ);
	munmap(t->text, t->len);
	sframe_section_release(&t->section);
	synth_section_release(&t->encoded);
	synth_release(&t->synth);
	return differ;
}

static int silent(enum libbpf_print_level level, const char *text, va_list args)
{
	return level == LIBBPF_WARN ? vfprintf(stderr, text, args) : 0;
}

/* Loads the programs, and maps the memory that they share with us. */
static void prepare(struct test *t)
{
	libbpf_set_print(silent);
	t->bpf = walk_bpf__open();
	if (!t->bpf)
		die("opening the programs");
	bpf_map__set_max_entries(t->bpf->maps.ustack_spaces, 16);
	if (walk_bpf__load(t->bpf))
		die("loading the programs");
	t->c = mmap(NULL, (sizeof(*t->c) + 4095) & ~4095ull, PROT_READ | PROT_WRITE, MAP_SHARED,
		    bpf_map__fd(t->bpf->maps.cases), 0);
	t->stack = mmap(NULL, STACK_BYTES + 8192, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (t->c == MAP_FAILED || t->stack == MAP_FAILED ||
	    mprotect(t->stack + 4096, STACK_BYTES, PROT_READ | PROT_WRITE))
		die("memory");
	t->stack += 4096;
}

/* Checks that stacks were walked at all; otherwise nothing was compared. */
static bool is_enough(const struct test *t, u64 walks)
{
	if (t->bare)
		return t->frames >= 2 * walks && t->blind >= walks && t->followed >= walks / 50 &&
		       t->ended[USTACK_COMPLETE] && t->ended[t->bare] && t->ended[USTACK_BAD_RA];
	return t->frames >= 2 * walks && t->slow >= t->frames / 20 &&
	       t->ended[USTACK_COMPLETE] && t->ended[USTACK_NO_IMAGE] &&
	       t->ended[USTACK_NO_ROW] && t->ended[USTACK_BAD_CFA] &&
	       t->ended[USTACK_STACK_FAULT] && t->ended[USTACK_NO_REGISTER] &&
	       t->ended[USTACK_BAD_RA] && t->ended[USTACK_DEPTH];
}

static u32 bare_by(const char *why)
{
	if (!strcmp(why, "NO_TABLE"))
		return USTACK_NO_TABLE;
	return !strcmp(why, "NO_IMAGE") ? USTACK_NO_IMAGE : USTACK_NO_ROW;
}

int main(int argc, char **argv)
{
	u64 cases = 20000, walks = 0, differ = 0;
	unsigned int failed = 0, files = 0, i;
	static struct test t = { .seed = 1 };
	bool damage = false;
	void *bin;
	int opt;

	while ((opt = getopt(argc, argv, "b:dn:s:")) != -1) {
		if (opt == 'd')
			damage = true;
		else if (opt == 'b')
			t.bare = bare_by(optarg);
		else if (opt == 'n')
			cases = strtoull(optarg, NULL, 10);
		else if (opt == 's')
			t.seed = (unsigned int)strtoul(optarg, NULL, 10);
		else
			return 2;
	}
	prepare(&t);
	bin = map_bin(&t);
	for (; optind < argc; optind++, files++, walks += cases) {
		differ = test_file(&t, argv[optind], cases, bin, damage);
		failed += damage ? !differ : differ != 0;
	}
	printf("ended:");
	for (i = 0; i < 256; i++)
		if (t.ended[i])
			printf(" %s %" PRIu64, ustack_reason_name(i), (uint64_t)t.ended[i]);
	printf("\nsteps without a row: %" PRIu64 ", followed: %" PRIu64 "\n", (uint64_t)t.blind,
	       (uint64_t)t.followed);
	if (!walks || !is_enough(&t, walks)) {
		printf("FAILED: too little was walked\n");
		failed++, files++;
	}
	printf("bpfwalk: %u passed, %u failed, 0 skipped\n", files - failed, failed);
	return failed != 0;
}
