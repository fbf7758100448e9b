// SPDX-License-Identifier: GPL-2.0-only
/* Captures of stacks as text: their contents, and what is refused. */
#include "bytes.h"

#include <errno.h>

#include "darwin/capture.h"

static struct diag diag;
static char loaded[32];

static int load(void *arg, const char *file, uint8_t **bytes, size_t *len, struct diag *d)
{
	strncpy(loaded, file, sizeof(loaded) - 1);
	if (!strcmp(file, "missing"))
		return diag_set(d, ENOENT, file, "it is missing");
	*bytes = malloc(8);
	memcpy(*bytes, "\1\2\3\4\5\6\7\10", 8);
	*len = 8;
	return 0;
}

static int read_text(const char *text, struct capture *c)
{
	char *copy = malloc(strlen(text) + !*text);
	int err;

	*c = (struct capture)CAPTURE_INIT;
	memcpy(copy, text, strlen(text));
	diag = (struct diag){ .offset = 0 };
	err = capture_read(copy, strlen(text), "file", load, NULL, c, &diag);
	free(copy);
	return err;
}

static void all_of_it_is_read(void **state)
{
	struct capture c;
	uint64_t v;

	assert_int_equal(read_text("# a comment\n"
				   "arch arm64\r\n"
				   "\n"
				   "image 0x200000000 0x200004000 - /usr/lib/b\n"
				   "image 0x100000000 0x100004000 "
				   "5e67513c-da04-36f7-8c9f-d656fca111bc /a program \n"
				   "memory 0x1000 hex 000102030405060708090a0b0c0d0e0f\n"
				   "memory 0x1008 base64 AAAAAAAAAAE=\n"
				   "  thread \t main thread \n"
				   "\tregister\tpc 0x100001000\n"
				   "register sp 4096\n"
				   "register lr 0x100002000\n"
				   "register fp 0x1010\n"
				   "register x19 19\n"
				   "register d8 0x8\n"
				   "register cpsr 0x60000000\n"
				   "thread\n"
				   "memory 0x1004 file stack bin\n"
				   "register pc 2\n"
				   "register sp 3\n", &c), 0);
	assert_int_equal(c.arch, UNWIND_ARM64);
	assert_int_equal(c.map.nr, 2);
	assert_int_equal(c.map.images[0].base, 0x100000000);
	assert_string_equal(imagemap_path(&c.map, &c.map.images[0]), "/a program");
	assert_int_equal(imagemap_build_id(&c.map, &c.map.images[0])[15], 0xbc);
	assert_int_equal(c.map.images[1].build_id_len, 0);
	assert_int_equal(c.nr_threads, 2);
	assert_string_equal(c.threads[0].name, "main thread");
	assert_string_equal(c.threads[1].name, "");
	assert_string_equal(loaded, "stack bin");
	assert_int_equal(c.threads[0].regs.pc, 0x100001000);
	assert_int_equal(c.threads[0].regs.sp, 4096);
	assert_int_equal(c.threads[0].regs.lr, 0x100002000);
	assert_true(c.threads[0].regs.has_lr && c.threads[0].regs.inner);
	assert_int_equal(c.threads[0].regs.reg[29], 0x1010);
	assert_int_equal(c.threads[0].regs.reg[19], 19);
	assert_int_equal(c.threads[0].regs.reg[72], 8);
	assert_false(c.threads[0].regs.known[20]);
	/* a later line replaces an earlier one, and a thread's own memory comes first */
	assert_true(capture_word(&c, &c.threads[0], 0x1000, 8, &v));
	assert_true(v == 0x0706050403020100);
	assert_true(capture_word(&c, &c.threads[0], 0x1008, 8, &v));
	assert_true(v == 0x0100000000000000);
	assert_true(capture_word(&c, &c.threads[1], 0x1004, 8, &v));
	assert_true(v == 0x0807060504030201);
	assert_true(capture_word(&c, &c.threads[1], 0x1004, 4, &v));
	assert_true(v == 0x04030201);
	assert_false(capture_word(&c, &c.threads[0], 0x100c, 8, &v));
	assert_false(capture_word(&c, &c.threads[0], 0xfff, 4, &v));
	assert_false(capture_word(&c, &c.threads[0], UINT64_MAX - 3, 8, &v));
	capture_release(&c);
}

static void x86_has_registers_of_its_own(void **state)
{
	struct capture c;

	assert_int_equal(read_text("arch x86_64\nregister rip 1\nregister rsp 2\nregister rbx 3\n"
				   "register r15 15\n", &c), 0);
	assert_int_equal(c.threads[0].regs.pc, 1);
	assert_int_equal(c.threads[0].regs.sp, 2);
	assert_int_equal(c.threads[0].regs.reg[3], 3);
	assert_int_equal(c.threads[0].regs.reg[15], 15);
	capture_release(&c);
	assert_int_equal(read_text("arch i386\nregister eip 1\nregister esp 2\nregister esi 3\n"
				   "register ebp 4\n", &c), 0);
	assert_int_equal(c.threads[0].regs.sp, 2);
	assert_int_equal(c.threads[0].regs.reg[6], 3);
	assert_int_equal(c.threads[0].regs.reg[5], 4);
	assert_int_equal(c.map.word, IMAGEMAP_32);
	capture_release(&c);
}

static void refuse(const char *text, int err, const char *why)
{
	struct capture c;

	assert_int_equal(read_text(text, &c), err);
	assert_string_equal(diag.text, why);
	capture_release(&c);
}

static void the_line_is_named(void **state)
{
	refuse("", -EBADMSG, "there is no thread in it");
	refuse("arch arm64", -EBADMSG, "line 1: it does not end with a newline");
	refuse("arch mips\n", -EBADMSG, "line 1: arch takes i386, x86_64 or arm64");
	refuse("arch arm64\narch arm64\n", -EBADMSG, "line 2: the architecture is given twice");
	refuse("register pc 0\n", -EBADMSG, "line 1: a register comes before the architecture");
	refuse("arch arm64\nregister pc\n", -EBADMSG, "line 2: register takes NAME VALUE");
	refuse("arch arm64\nregister x31 0\n", -EBADMSG,
	       "line 2: the architecture has no such register");
	refuse("arch arm64\nregister rip 0\n", -EBADMSG,
	       "line 2: the architecture has no such register");
	refuse("arch i386\nregister eip 0x100000000\n", -EBADMSG,
	       "line 2: a register of i386 has 32 bits");
	refuse("arch arm64\nregister pc 0\n", -EBADMSG, "thread 1 has no pc, or no stack pointer");
	refuse("\nstack 0\n", -EBADMSG, "line 2: it does not begin with a word of a capture");
	refuse("memory 0 hex 0\n", -EBADMSG,
	       "line 1: these are not pairs of hexadecimal digits");
	refuse("memory 0 base64 _=_\n", -EBADMSG, "line 1: this is not base64");
	refuse("memory 0 octal 0\n", -EBADMSG,
	       "line 1: memory takes ADDR hex|base64|file WHAT");
	refuse("memory 0xffffffffffffffff hex 0000\n", -EBADMSG,
	       "line 1: this memory ends after the last address");
	refuse("memory 0 file missing\n", -ENOENT, "it is missing");
	refuse("image 1 2 12345 /a\n", -EBADMSG,
	       "line 1: an image's UUID has 32 hexadecimal digits");
	refuse("image 2 1 - /a\n", -EBADMSG, "line 1: an image has no such addresses");
	refuse("imagemap *\n", -EBADMSG, "line 1: imagemap takes base64");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_of_it_is_read),
		cmocka_unit_test(x86_has_registers_of_its_own),
		cmocka_unit_test(the_line_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
