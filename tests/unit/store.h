/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Helpers of the tests of the store of symbols: files made by gcc, and the store's answers
 * about them.
 */
#ifndef TESTS_UNIT_STORE_H
#define TESTS_UNIT_STORE_H

#include "support.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "symbols/symstore/symstore.h"

static char files[64];		/* folder of files that all tests read */
static char dir[64];		/* folder of one test */
static uint64_t outer;		/* address of outer() in all of them */
static char notes[1024];

/* inner() is inlined at line 4 */
static const char source[] =
	"#include <stdlib.h>\n"
	"static inline int __attribute__((always_inline)) inner(int x) { return rand() + x; }\n"
	"int __attribute__((noinline)) outer(int x)\n"
	"{ return inner(x) * 3; }\n"
	"int main(void) { return outer(1); }\n";

#define ID "00112233445566778899aabbccddeeff00112233"
static const uint8_t id[20] = { 0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99,
				0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff, 0x00, 0x11, 0x22, 0x33 };

/* In @files: cc FILE ID makes a file. */
#define CC "gcc -g -O1 -fno-pie -no-pie -rdynamic "
static const char make_files[] =
	"cd %s && "
	CC "-Wl,--build-id=0x" ID " -o full s.c && "
	"strip -g -o symtab full && strip -o dynsym full && "
	"objcopy --only-keep-debug full full.debug && "
	CC "-Wl,--build-id=0xff" ID " -o other s.c && "
	"objcopy --only-keep-debug other other.debug && "
	CC "-Wl,--build-id=none -o plain s.c && "
	"objcopy --only-keep-debug plain plain.debug && "
	"strip -o linked plain && objcopy --add-gnu-debuglink=plain.debug linked && "
	"nm full | sed -n 's/ T outer$//p' >address";

static inline void shell(const char *command)
{
	if (system(command))
		fail_msg("%s", command);
}

#define SHELL(...)						\
do {								\
	char command_[2048];					\
								\
	snprintf(command_, sizeof(command_), __VA_ARGS__);	\
	shell(command_);					\
} while (0)

static inline int make_all(void **state)
{
	char path[128];
	FILE *f;

	strcpy(files, "/tmp/ustack-store-XXXXXX");
	assert_non_null(mkdtemp(files));
	snprintf(path, sizeof(path), "%s/s.c", files);
	f = fopen(path, "w");
	fputs(source, f);
	fclose(f);
	SHELL(make_files, files);
	snprintf(path, sizeof(path), "%s/address", files);
	f = fopen(path, "r");
	assert_int_equal(fscanf(f, "%lx", &outer), 1);
	fclose(f);
	return 0;
}

static inline int remove_all(void **state)
{
	SHELL("rm -rf %s", files);
	return 0;
}

static inline int setup(void **state)
{
	strcpy(dir, "/tmp/ustack-store-XXXXXX");
	assert_non_null(mkdtemp(dir));
	notes[0] = '\0';
	return 0;
}

static inline int teardown(void **state)
{
	SHELL("rm -rf %s", dir);
	return 0;
}

static inline void note(const char *text, void *arg)
{
	snprintf(notes + strlen(notes), sizeof(notes) - strlen(notes), "%s\n", text);
}

/* The answer of a new store about a file. */
struct answer {
	int frames;
	enum symstore_source source;
	char function[64], inlined[64], reason[256];
	unsigned int line;
	unsigned int build_id_len;
};

static inline struct answer ask_with(const struct symstore_key *key, const struct symstore_options *o)
{
	struct gsym_frame frames[GSYM_MAX_FRAMES];
	struct symstore_image *i;
	struct answer a = { 0 };
	uint8_t build_id[SYMSTORE_MAX_BUILD_ID];
	struct symstore *s;

	assert_int_equal(symstore_new(o, &s, NULL), 0);
	i = symstore_image(s, key);
	assert_non_null(i);
	assert_int_equal(symstore_lookup(i, outer + 4, frames, GSYM_MAX_FRAMES), -EAGAIN);
	symstore_want(s, i);
	assert_int_equal(symstore_wait(s, NULL, NULL), 0);
	a.frames = symstore_lookup(i, outer + 4, frames, GSYM_MAX_FRAMES);
	a.source = symstore_source(i);
	a.build_id_len = symstore_build_id(i, build_id);
	snprintf(a.reason, sizeof(a.reason), "%s", symstore_reason(i));
	if (a.frames > 0) {
		snprintf(a.function, 64, "%s", frames[a.frames - 1].function);
		a.line = frames[a.frames - 1].line;
	}
	if (a.frames > 1)
		snprintf(a.inlined, 64, "%s", frames[0].function);
	symstore_free(s);
	return a;
}

static char cache[96], debug[96];

static inline struct answer ask(const struct symstore_key *key)
{
	const char *const debug_dirs[] = { debug, NULL };
	const struct symstore_options o = {
		.cache = cache, .debug_dirs = debug_dirs, .note = note,
	};

	snprintf(cache, sizeof(cache), "%s/cache", dir);
	snprintf(debug, sizeof(debug), "%s/debug", dir);
	return ask_with(key, &o);
}

static inline struct symstore_key key_of(const char *path, const uint8_t *build_id)
{
	struct symstore_key key = { .path = path };

	if (build_id) {
		memcpy(key.build_id, build_id, 20);
		key.build_id_len = 20;
	}
	return key;
}

static inline const char *in(const char *folder, const char *name)
{
	static char path[4][160];
	static unsigned int n;

	n = (n + 1) % 4;
	snprintf(path[n], sizeof(path[n]), "%s/%s", folder, name);
	return path[n];
}

static inline void expect_dwarf(const struct answer *a)
{
	assert_int_equal(a->source, SYMSTORE_DWARF);
	assert_int_equal(a->frames, 2);
	assert_string_equal(a->function, "outer");
	assert_string_equal(a->inlined, "inner");
	assert_int_equal(a->line, 4);
}

static inline void expect_symbol(const struct answer *a, enum symstore_source want)
{
	assert_int_equal(a->source, want);
	assert_int_equal(a->frames, 1);
	assert_string_equal(a->function, "outer");
	assert_int_equal(a->line, 0);
}

#endif /* TESTS_UNIT_STORE_H */
