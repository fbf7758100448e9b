// SPDX-License-Identifier: GPL-2.0-only
/*
 * The store of symbols if files are missing: where a file starts according to its debug file
 * alone, and names from BSYM files.
 */
#include "store.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>


/* Programs that are linked to other addresses, or in other ways. */
static void link_by(const char *flags)
{
	SHELL("cd %s && gcc -g -O1 -Wl,--build-id=0x" ID " %s -o prog %s/s.c 2>err || "
	      "{ cat err; false; }", dir, flags, files);
}

/*
 * Without libraries: .text is the first segment, and the part of the file before it is not
 * mapped. @note: section whose segment contains the build id.
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
	      "d=debug/.build-id/%.2s/%s.debug && %s", dir, ID, ID, &ID[2], command);
}

/*
 * The start of the program according to the store, from the program itself or from its debug
 * file.
 */
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

/* The debug file gives the same start as the file, also from the cache. */
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

/* The first segment is not the start of the file. */
static void test_base_in_front(void **state)
{
	link_bare("text");
	check_base(0x3ff000);
}

/* The debug file has no byte of the first segment: its offset is not that of the file. */
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

/* A symbol of a BSYM file. */
struct symbol {
	uint64_t addr;
	unsigned int len;
	const char *name;
};

static void put32(FILE *f, uint64_t v)
{
	unsigned int shift;

	for (shift = 32; shift; shift -= 8)
		fputc((int)(v >> (shift - 8)) & 0xff, f);
}

/* Version 1.0: one code segment, @copies times the symbols, names up to 65535 bytes. */
static void put_bsym(const struct symbol *s, unsigned int nr, unsigned int copies)
{
	const uint64_t strings = 16 + 24 + 4 + 12ull * nr * copies;
	unsigned int i, at = 0;
	FILE *f;

	SHELL("mkdir -p %s/bsym", dir);
	f = fopen(in(dir, "bsym/" ID ".bsym"), "w");
	put32(f, 0x4253594d);
	put32(f, 0x10000);
	put32(f, 16);
	put32(f, 40);
	put32(f, 1);
	put32(f, s[0].addr);
	put32(f, nr * copies);
	put32(f, strings);
	put32(f, 0);
	put32(f, 0);
	put32(f, nr * copies);
	for (i = 0; i < nr * copies; i++) {
		put32(f, s[i / copies].addr);
		put32(f, s[i / copies].len);
		put32(f, strings + at);
		at += (i + 1) % copies ? 0 : 3 + (unsigned int)strlen(s[i / copies].name);
	}
	for (i = 0; i < nr; i++) {
		fprintf(f, "%c%c%c%s", 0xff, (int)(strlen(s[i].name) >> 8),
			(int)strlen(s[i].name) & 0xff, s[i].name);
	}
	assert_int_equal(fclose(f), 0);
}

static void put_outer(const char *name)
{
	const struct symbol s = { outer, 0x10, name };

	put_bsym(&s, 1, 1);
}

/*
 * "prog" and "full": a program, stripped and not stripped; @flags export all of its functions,
 * or none.
 */
static void make_stripped(const char *flags)
{
	FILE *f;

	SHELL("cd %s && gcc -g -O1 -fno-pie -no-pie %s -Wl,--build-id=0x" ID " -o full %s/s.c && "
	      "strip -o prog full && strip -g -o symtab full && "
	      "nm full | sed -n 's/ T outer$//p' >address", dir, flags, files);
	f = fopen(in(dir, "address"), "r");
	assert_int_equal(fscanf(f, "%lx", &outer), 1);
	fclose(f);
}

static struct answer ask_bsym(const char *path)
{
	const struct symstore_options o = {
		.cache = in(dir, "cache"), .bsym_dir = in(dir, "bsym"), .note = note,
	};
	const struct symstore_key key = key_of(path, id);

	notes[0] = '\0';
	return ask_with(&key, &o);
}

static void expect_bsym(const struct answer *a, const char *name)
{
	assert_int_equal(a->source, SYMSTORE_BSYM);
	assert_int_equal(a->frames, 1);
	assert_string_equal(a->function, name);
	assert_string_equal(a->reason, "");
	assert_string_equal(notes, "");
}

/* Named as without the BSYM file: as functions without names. */
static void expect_none(const struct answer *a, const char *reason)
{
	assert_int_not_equal(a->source, SYMSTORE_BSYM);
	assert_int_equal(a->frames, 1);
	assert_int_equal(a->function[0], '+');
	assert_non_null(strstr(a->reason, reason));
	if (*reason)
		assert_non_null(strstr(notes, reason));
}

static void test_bsym(void **state)
{
	char path[160];
	struct answer a;

	make_stripped("");
	snprintf(path, sizeof(path), "%s", in(dir, "prog"));
	SHELL("mkdir %s/bsym", dir);
	a = ask_bsym(path);
	expect_none(&a, "");
	put_outer("Outer::outer(int)");
	a = ask_bsym(path);
	expect_bsym(&a, "Outer::outer(int)");
	/* cached, but not used when the BSYM file is another one */
	a = ask_bsym(path);
	expect_bsym(&a, "Outer::outer(int)");
	put_outer("another");
	a = ask_bsym(path);
	expect_bsym(&a, "another");
	/* without the file, which alone knows where it starts */
	a = ask_bsym("/gone");
	expect_bsym(&a, "another");
	a = ask_bsym("/gone");
	expect_bsym(&a, "another");
	SHELL("rm %s/bsym/*", dir);
	a = ask_bsym(path);
	expect_none(&a, "");
}

/* Names of the file itself are better, for one function and for all. */
static void test_bsym_is_last(void **state)
{
	char path[160];
	struct answer a;

	make_stripped("-rdynamic");
	put_outer("wrong");
	snprintf(path, sizeof(path), "%s", in(dir, "symtab"));
	a = ask_bsym(path);
	expect_symbol(&a, SYMSTORE_SYMTAB);
	assert_string_equal(notes, "");
	snprintf(path, sizeof(path), "%s", in(dir, "full"));
	a = ask_bsym(path);
	expect_dwarf(&a);
	assert_string_equal(notes, "");
	snprintf(path, sizeof(path), "%s", in(dir, "prog"));
	a = ask_bsym(path);
	expect_symbol(&a, SYMSTORE_DYNSYM);
	assert_non_null(strstr(a.reason, "it names no function that had no name before"));
}

/* A BSYM file does not say whether it belongs to a PIE. */
static void test_bsym_has_no_base(void **state)
{
	const struct symstore_options o = {
		.cache = in(dir, "cache"), .bsym_dir = in(dir, "bsym"), .note = note,
	};
	const struct symstore_key key = key_of("/gone", id);
	struct symstore_image *i;
	unsigned int again;
	struct symstore *s;
	uint64_t base;

	outer = 0x401136;
	put_outer("x");
	for (again = 0; again < 2; again++) {
		assert_int_equal(symstore_new(&o, &s, NULL), 0);
		i = symstore_image(s, &key);
		symstore_want(s, i);
		assert_int_equal(symstore_wait(s, NULL, NULL), 0);
		assert_int_equal(symstore_source(i), SYMSTORE_BSYM);
		assert_false(symstore_base(i, &base));
		symstore_free(s);
	}
}

/* A damaged BSYM file costs its names, and the reason is reported. */
static void test_bsym_damaged(void **state)
{
	static char name[65000];
	const struct symbol bomb = { 0x400000, 0x10, name };
	char path[160];
	struct answer a;

	make_stripped("");
	snprintf(path, sizeof(path), "%s", in(dir, "prog"));
	put_outer("x");
	SHELL("truncate -s 50 %s/bsym/*", dir);
	a = ask_bsym(path);
	expect_none(&a, "/bsym/" ID ".bsym: ");
	SHELL("echo no such file >%s/bsym/" ID ".bsym", dir);
	a = ask_bsym(path);
	expect_none(&a, "not a BSYM file");
	SHELL(": >%s/bsym/" ID ".bsym", dir);
	a = ask_bsym(path);
	expect_none(&a, "/bsym/" ID ".bsym: ");
	memset(name, 'x', sizeof(name) - 1);
	put_bsym(&bomb, 1, 200000);
	a = ask_bsym(path);
	expect_none(&a, "more symbols or names than");
	a = ask_bsym("/gone");
	assert_int_equal(a.frames, 0);
	assert_non_null(strstr(a.reason, "more symbols or names than"));
}

/* Anybody who may write to the folder decides the names. */
static void test_bsym_of_others(void **state)
{
	struct symstore_options o = { .cache = "/dev/null/x", .note = note };
	struct symstore *s;
	struct diag diag;
	char path[160];
	struct answer a;

	make_stripped("");
	snprintf(path, sizeof(path), "%s", in(dir, "prog"));
	put_outer("x");
	SHELL("chmod 0666 %s/bsym/*", dir);
	a = ask_bsym(path);
	expect_none(&a, "others may write to it");
	SHELL("cd %s/bsym && rm * && mkfifo " ID ".bsym", dir);
	a = ask_bsym(path);
	expect_none(&a, "not a regular file");
	SHELL("cd %s/bsym && rm * && ln -s nothing " ID ".bsym", dir);
	a = ask_bsym(path);
	expect_none(&a, "");
	if (!geteuid()) {
		put_outer("x");
		SHELL("cd %s/bsym && rm * && cp ../full " ID ".bsym && chown 12345 *", dir);
		a = ask_bsym(path);
		expect_none(&a, "to another user than its folder");
		/* its owner may also own the files, because our user has named the folder */
		put_outer("x");
		SHELL("chown -R 12345 %s/bsym", dir);
		a = ask_bsym(path);
		expect_bsym(&a, "x");
	}
	SHELL("chmod 1777 %s/bsym", dir);
	o.bsym_dir = in(dir, "bsym");
	assert_int_equal(symstore_new(&o, &s, &diag), -EPERM);
	assert_non_null(strstr(diag.text, "others may write there"));
	o.bsym_dir = in(dir, "prog");
	assert_int_equal(symstore_new(&o, &s, &diag), -ENOTDIR);
	o.bsym_dir = in(dir, "none");
	assert_int_equal(symstore_new(&o, &s, &diag), -ENOENT);
}

static void ignore_image(struct symstore_image *image, void *arg)
{
}

/* A server that takes connections and never answers. Return: its socket. */
static int silent_server(char url[64])
{
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	socklen_t len = sizeof(at);

	assert_true(fd >= 0);
	assert_false(bind(fd, (struct sockaddr *)&at, sizeof(at)) || listen(fd, 8) ||
		     getsockname(fd, (struct sockaddr *)&at, &len));
	snprintf(url, 64, "http://127.0.0.1:%u", ntohs(at.sin_port));
	return fd;
}

/*
 * An image whose fetch runs is not freed: its job would be counted for ever, and with as many as
 * may run at once no other file would get names.
 */
static void test_trim_while_fetching(void **state)
{
	struct symstore_key far = key_of("", id), near = key_of(in(files, "full"), NULL);
	struct symstore_options o = { .cache = in(dir, "cache"), .fetch_seconds = 1, .threads = 1 };
	struct symstore_image *i;
	struct symstore *s;
	char url[64];
	int fd = silent_server(url);

	o.servers = url;
	assert_int_equal(symstore_new(&o, &s, NULL), 0);
	i = symstore_image(s, &far);
	assert_non_null(i);
	symstore_want(s, i);
	symstore_put(s, i);
	assert_int_equal(symstore_trim(s, 0, ignore_image, NULL), 0);
	i = symstore_image(s, &near);
	assert_non_null(i);
	symstore_want(s, i);
	/* without a job for it, this would not end */
	alarm(60);
	assert_int_equal(symstore_wait(s, NULL, NULL), 0);
	alarm(0);
	assert_int_equal(symstore_source(i), SYMSTORE_DWARF);
	assert_int_equal(symstore_trim(s, 0, ignore_image, NULL), 1);
	symstore_free(s);
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_base, setup, teardown),
		cmocka_unit_test_setup_teardown(test_base_in_front, setup, teardown),
		cmocka_unit_test_setup_teardown(test_base_not_known, setup, teardown),
		cmocka_unit_test_setup_teardown(test_bsym, setup, teardown),
		cmocka_unit_test_setup_teardown(test_bsym_is_last, setup, teardown),
		cmocka_unit_test_setup_teardown(test_bsym_has_no_base, setup, teardown),
		cmocka_unit_test_setup_teardown(test_bsym_damaged, setup, teardown),
		cmocka_unit_test_setup_teardown(test_bsym_of_others, setup, teardown),
		cmocka_unit_test_setup_teardown(test_trim_while_fetching, setup, teardown),
	};

	return cmocka_run_group_tests(tests, make_all, remove_all);
}
