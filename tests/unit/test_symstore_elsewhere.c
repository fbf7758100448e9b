// SPDX-License-Identifier: GPL-2.0
/* The store of symbols, of files that are not here: what their debug files say of them. */
#include "store.h"


/* Programs that are linked to other addresses, or in other ways. */
static void link_by(const char *flags)
{
	SHELL("cd %s && gcc -g -O1 -Wl,--build-id=0x" ID " %s -o prog %s/s.c 2>err || "
	      "{ cat err; false; }", dir, flags, files);
}

/* Without libraries: .text is the first segment, and what is in front of it in the file is
 * not mapped. @note: section that the build id is in the segment of.
 */
static void link_bare(const char *note)
{
	SHELL("cd %s && echo 'void _start(void) { for (;;); }' >bare.c && cat >bare.ld <<'END'\n"
	      "PHDRS { text PT_LOAD FLAGS(5); data PT_LOAD FLAGS(6); note PT_NOTE; }\n"
	      "SECTIONS { . = 0x400000; .text : { *(.text*) } :text\n"
	      ". = 0x500000; .data : { BYTE(1) *(.data*) } :data\n"
	      ".note.gnu.build-id : { *(.note.gnu.build-id) } :%s :note }\n"
	      "END\n"
	      "gcc -g -O1 -static -nostdlib -fno-pie -no-pie -Wl,--build-id=0x" ID
	      " -T bare.ld -o prog bare.c", dir, note);
}

static void only_debug(const char *command)
{
	SHELL("cd %s && rm -rf debug && mkdir -p debug/.build-id/%.2s && "
	      "d=debug/.build-id/%.2s/%s.debug && %s", dir, ID, ID, ID + 2, command);
}

/* Where the program starts as the store has it, of itself or of its debug file. */
static bool base_of(const char *path, uint64_t *ret)
{
	const char *const debug_dirs[] = { in(dir, "debug"), NULL };
	const struct symstore_options o = {
		.cache = in(dir, "cache"), .debug_dirs = debug_dirs, .note = note,
	};
	const struct symstore_key key = key_of(path, id);
	struct symstore_image *i;
	struct symstore *s;
	bool found;

	assert_int_equal(symstore_new(&o, &s, NULL), 0);
	i = symstore_image(s, &key);
	symstore_want(s, i);
	assert_int_equal(symstore_wait(s, NULL, NULL), 0);
	assert_int_not_equal(symstore_source(i), SYMSTORE_NOTHING);
	found = symstore_base(i, ret);
	symstore_free(s);
	return found;
}

/* Of its debug file, made and from the cache, it is what it is of the file. */
static void check_base(uint64_t want)
{
	static const char *const ways[] = {
		"objcopy --only-keep-debug prog $d", "eu-strip -f $d -o stripped prog",
	};
	unsigned int way, again;
	uint64_t base;

	SHELL("rm -rf %s/cache %s/debug", dir, dir);
	assert_true(base_of(in(dir, "prog"), &base));
	assert_true(base == want);
	for (way = 0; way < ARRAY_SIZE(ways); way++) {
		only_debug(ways[way]);
		for (again = 0; again < 3; again++) {
			assert_true(base_of("/gone", &base));
			assert_true(base == want);
		}
	}
}

static void test_base(void **state)
{
	link_by("-pie -fpie");
	check_base(0);
	link_by("-no-pie -fno-pie");
	check_base(0x400000);
	link_by("-static -no-pie -fno-pie");
	check_base(0x400000);
	link_by("-no-pie -fno-pie -Wl,-Ttext-segment=0x12340000");
	check_base(0x12340000);
	link_by("-no-pie -fno-pie -Wl,-z,noseparate-code");
	check_base(0x400000);
}

/* The first segment is not the file's start. */
static void test_base_in_front(void **state)
{
	link_bare("text");
	check_base(0x3ff000);
}

/* The debug file has no byte of the first segment: its offset is not the file's. */
static void test_base_not_known(void **state)
{
	uint64_t base;

	link_bare("data");
	assert_true(base_of(in(dir, "prog"), &base));
	assert_true(base == 0x3ff000);
	only_debug("objcopy --only-keep-debug prog $d && "
		   "readelf -lW $d | grep -q 'LOAD.*400000 0x000000 0x0'");
	assert_false(base_of("/gone", &base));
	assert_false(base_of("/gone", &base));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_base, setup, teardown),
		cmocka_unit_test_setup_teardown(test_base_in_front, setup, teardown),
		cmocka_unit_test_setup_teardown(test_base_not_known, setup, teardown),
	};

	return cmocka_run_group_tests(tests, make_all, remove_all);
}
