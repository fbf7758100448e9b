// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of which kernels are refused, and with which messages: with type
 * descriptions (BTF) that are right, wrong, damaged or missing, and with old
 * and new releases.
 */
#include "support.h"

#include <linux/fs.h>
#include <linux/prandom.h>
#include <linux/vmalloc.h>
#include <uapi/linux/btf.h>

/* ---- a description of types, made to measure --------------------------------- */

#define MAX_BYTES 4096u

static struct {
	struct btf_header header;
	u32 words[MAX_BYTES / sizeof(u32)];
	char strings[MAX_BYTES];
	u32 nr_words, string_bytes, nr_types;
} btf;

static u32 string(const char *s)
{
	u32 off = btf.string_bytes;

	memcpy(btf.strings + off, s, strlen(s) + 1);
	btf.string_bytes += strlen(s) + 1;
	return off;
}

static void word(u32 value)
{
	btf.words[btf.nr_words++] = value;
}

/* Returns the id of the new type. */
static u32 type(u32 kind, u32 vlen, const char *name, u32 type_or_size)
{
	word(name ? string(name) : 0);
	word(kind << 24 | vlen);
	word(type_or_size);
	return ++btf.nr_types;
}

static u32 integer(u32 encoding, u32 bytes)
{
	u32 id = type(BTF_KIND_INT, 0, "whatever", bytes);

	word(encoding << 24 | bytes * 8);
	return id;
}

static u32 pointer(u32 to)
{
	return type(BTF_KIND_PTR, 0, NULL, to);
}

/* A pointer to a new struct with one member. */
static u32 struct_pointer(const char *name)
{
	u32 id = type(BTF_KIND_STRUCT, 1, name, 8);

	word(string("member"));
	word(1);
	word(0);
	return pointer(id);
}

struct parameter {
	const char *name;
	u32 type;
};

static void function(u32 ret, const char *name, u32 nr,
		     const struct parameter *parameters)
{
	u32 i, proto = type(BTF_KIND_FUNC_PROTO, nr, NULL, ret);

	for (i = 0; i < nr; i++) {
		word(parameters[i].name ? string(parameters[i].name) : 0);
		word(parameters[i].type);
	}
	type(BTF_KIND_FUNC, 0, name, proto);
}

#define FUNCTION(ret, name, ...)                                       \
	function(ret, name, sizeof((struct parameter[]){ __VA_ARGS__ }) / \
				    sizeof(struct parameter),           \
		 (struct parameter[]){ __VA_ARGS__ })

static void begin(void)
{
	memset(&btf, 0, sizeof(btf));
	string("");
}

/* The finished BTF data, in memory from vmalloc(). */
static u8 *end(size_t *size)
{
	u32 words = btf.nr_words * sizeof(u32);
	u8 *data;

	btf.header = (struct btf_header){
		.magic = BTF_MAGIC,
		.version = BTF_VERSION,
		.hdr_len = sizeof(btf.header),
		.type_len = words,
		.str_off = words,
		.str_len = btf.string_bytes,
	};
	*size = sizeof(btf.header) + words + btf.string_bytes;
	data = vmalloc(*size);
	if (!data)
		return NULL;
	memcpy(data, &btf.header, sizeof(btf.header));
	memcpy(data + sizeof(btf.header), btf.words, words);
	memcpy(data + sizeof(btf.header) + words, btf.strings, btf.string_bytes);
	return data;
}

/* ---- the kernel's file, and what is said --------------------------------------- */

static u8 *given;		/* contents of the file; NULL: there is no file */
static size_t given_bytes;
static char said[2048];

static struct file *fake_open(void)
{
	return given ? NULL : ERR_PTR(-ENOENT);
}

/* Reads at most a page at a time, as sysfs does. */
static ssize_t fake_read(void *buf, size_t n, loff_t *pos)
{
	n = min_t(size_t, n, PAGE_SIZE);
	memcpy(buf, given + *pos, n);
	*pos += n;
	return n;
}

#undef filp_open
#undef filp_close
#undef kernel_read
#undef i_size_read
#define filp_open(...) fake_open()
#define filp_close(...) ((void)0)
#define kernel_read(file, buf, n, pos) fake_read(buf, n, pos)
#define i_size_read(inode) given_bytes

#define say(...)                                                      \
	(void)scnprintf(said + strlen(said), sizeof(said) - strlen(said), \
			__VA_ARGS__)
#undef pr_err
#undef pr_warn
#define pr_err say
#define pr_warn say

/* here the code under test runs after boot */
#undef __init
#define __init

#include "../btf.c"
#include "../kernel_check.c"

#define EXPECT_SAID(test, part) \
	KUNIT_EXPECT_NOT_NULL_MSG(test, strstr(said, part), "said: %s", said)

/* ---- types as text --------------------------------------------------------------- */

static void expect_text(struct kunit *test, const char *name, const char *want)
{
	struct ustack_btf types;
	char text[256];
	size_t size;
	u8 *data = end(&size);

	KUNIT_ASSERT_NOT_NULL(test, data);
	KUNIT_ASSERT_EQ(test, 0, ustack_btf_open(&types, data, size));
	KUNIT_EXPECT_EQ(test, 0, ustack_btf_prototype(&types, name, text,
						      sizeof(text)));
	KUNIT_EXPECT_STREQ(test, text, want);
	KUNIT_EXPECT_EQ(test, -ENOENT,
			ustack_btf_prototype(&types, "none", text, 1));
	ustack_btf_close(&types);
	vfree(data);
}

static void text_of_kinds(struct kunit *test)
{
	u32 u64_id, s32_id, bool_id, pgoff, s, constant;

	begin();
	u64_id = integer(0, 8);
	s32_id = integer(BTF_INT_SIGNED, 4);
	bool_id = integer(BTF_INT_BOOL, 1);
	pgoff = type(BTF_KIND_TYPEDEF, 0, "pgoff_t", u64_id);
	s = struct_pointer("s");
	constant = type(BTF_KIND_CONST, 0, NULL, s);
	FUNCTION(s32_id, "f", { "a", pointer(constant) }, { "b", pgoff },
		 { "c", pointer(bool_id) }, { "d", type(BTF_KIND_ENUM, 0, "e", 4) },
		 { NULL, 0 });
	expect_text(test, "f",
		    "int f(struct s **a, unsigned long b, bool *c, enum e d, ...)");
}

/* The types in front have to be skipped by their exact lengths. */
static void text_after_every_kind(struct kunit *test)
{
	static const struct {
		u32 kind, vlen, words;
	} kinds[] = {
		{ BTF_KIND_INT, 0, 1 }, { BTF_KIND_PTR, 0, 0 },
		{ BTF_KIND_ARRAY, 0, 3 }, { BTF_KIND_STRUCT, 2, 6 },
		{ BTF_KIND_UNION, 3, 9 }, { BTF_KIND_ENUM, 2, 4 },
		{ BTF_KIND_FWD, 0, 0 }, { BTF_KIND_TYPEDEF, 0, 0 },
		{ BTF_KIND_VOLATILE, 0, 0 }, { BTF_KIND_CONST, 0, 0 },
		{ BTF_KIND_RESTRICT, 0, 0 }, { BTF_KIND_FUNC, 1, 0 },
		{ BTF_KIND_FUNC_PROTO, 2, 4 }, { BTF_KIND_VAR, 0, 1 },
		{ BTF_KIND_DATASEC, 2, 6 }, { BTF_KIND_FLOAT, 0, 0 },
		{ BTF_KIND_DECL_TAG, 0, 1 }, { BTF_KIND_TYPE_TAG, 0, 0 },
		{ BTF_KIND_ENUM64, 2, 6 },
	};
	u32 i, j;

	KUNIT_EXPECT_EQ(test, ARRAY_SIZE(kinds), BTF_KIND_MAX);
	begin();
	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		type(kinds[i].kind, kinds[i].vlen, NULL, 0);
		for (j = 0; j < kinds[i].words; j++)
			word(0);
	}
	FUNCTION(0, "f");
	expect_text(test, "f", "void f(void)");
}

static void text_of_wrong_ids(struct kunit *test)
{
	u32 loop;

	begin();
	/* an id that does not exist, and a type that refers to itself */
	loop = type(BTF_KIND_PTR, 0, NULL, 1);
	FUNCTION(999, "f", { "a", loop });
	expect_text(test, "f", "? f(? ****************a)");
}

static void refuses_what_is_no_btf(struct kunit *test)
{
	struct ustack_btf types;
	size_t size, cut;
	u8 *data;

	begin();
	FUNCTION(0, "f", { "a", struct_pointer("s") });
	data = end(&size);
	KUNIT_ASSERT_NOT_NULL(test, data);
	for (cut = 0; cut < size; cut++)
		KUNIT_EXPECT_EQ(test, -EINVAL,
				ustack_btf_open(&types, data, cut));
	vfree(data);
	/* a kind of a later version */
	type(BTF_KIND_MAX + 1, 0, NULL, 0);
	data = end(&size);
	KUNIT_ASSERT_NOT_NULL(test, data);
	KUNIT_EXPECT_EQ(test, -EINVAL, ustack_btf_open(&types, data, size));
	vfree(data);
}

/* ---- which kernels are refused ---------------------------------------------------- */

/*
 * The description of a kernel as it was tested; @extra adds a parameter in
 * front of pgoff.
 */
static void give(struct kunit *test, bool extra, bool without_unlink)
{
	u32 mm, vma, ulong;

	begin();
	mm = struct_pointer("mm_struct");
	vma = struct_pointer("vm_area_struct");
	ulong = integer(0, 8);
	FUNCTION(0, "exit_mmap", { "mm", mm });
	FUNCTION(0, "uprobe_dup_mmap", { "oldmm", mm }, { "newmm", mm });
	FUNCTION(0, "perf_event_mmap", { "vma", vma });
	FUNCTION(integer(BTF_INT_SIGNED, 4), "uprobe_mmap", { "vma", vma });
	FUNCTION(0, "generic_shutdown_super", { "sb", struct_pointer("super_block") });
	FUNCTION(0, "perf_event_exec");
	FUNCTION(0, "perf_callchain_user",
		 { "entry", struct_pointer("perf_callchain_entry_ctx") },
		 { "regs", struct_pointer("pt_regs") });
	if (!without_unlink)
		FUNCTION(0, "unlink_anon_vmas", { "vma", vma });
	FUNCTION(vma, "copy_vma", { "vmap", pointer(vma) }, { "addr", ulong },
		 { "len", ulong }, { extra ? "anon_pgoff" : "pgoff", ulong },
		 { "more", ulong });
	vfree(given);
	given = end(&given_bytes);
	KUNIT_ASSERT_NOT_NULL(test, given);
}

#define RELEASE(major, minor) USTACK_RELEASE_OF(major, minor)

/*
 * The newest tested release: no test names one, as later lines of tested.def
 * may make another the newest.
 */
static unsigned int newest(void)
{
	return tested[ARRAY_SIZE(tested) - 1];
}

static void known_kernels(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(tested); i++) {
		if (i)
			KUNIT_EXPECT_GT(test, tested[i], tested[i - 1]);
		give(test, false, false);
		KUNIT_EXPECT_EQ(test, 0, check_release(tested[i], false));
	}
	/* a release between two tested ones */
	give(test, false, false);
	KUNIT_EXPECT_EQ(test, 0, check_release(RELEASE(6, 9), false));
	KUNIT_EXPECT_STREQ(test, said, "");
}

static void newer_kernel(struct kunit *test)
{
	give(test, false, false);
	KUNIT_EXPECT_EQ(test, -EOPNOTSUPP, check_release(newest() + 1, false));
	EXPECT_SAID(test, "newer than");
	EXPECT_SAID(test, "force=1");
	give(test, false, false);
	KUNIT_EXPECT_EQ(test, 0, check_release(newest() + 1, true));
}

/*
 * One more parameter in front of those that the module reads: the types match,
 * but the names differ.
 */
static void changed_prototype(struct kunit *test)
{
	give(test, true, false);
	KUNIT_EXPECT_EQ(test, -EOPNOTSUPP, check_release(newest(), false));
	EXPECT_SAID(test, "copy_vma() has changed");
	EXPECT_SAID(test, "unsigned long pgoff, ...");
	EXPECT_SAID(test, "unsigned long anon_pgoff, unsigned long more)");
	give(test, true, false);
	KUNIT_EXPECT_EQ(test, -EOPNOTSUPP, check_release(newest(), true));
	give(test, true, true);
	KUNIT_EXPECT_EQ(test, -EOPNOTSUPP, check_release(newest(), true));
}

/* Without a description, only tested releases are accepted. */
static void no_description(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, 0, check_release(newest(), false));
	KUNIT_EXPECT_EQ(test, 0, check_release(RELEASE(6, 1), false));
	EXPECT_SAID(test, "cannot be read");
	KUNIT_EXPECT_EQ(test, -EOPNOTSUPP, check_release(RELEASE(6, 9), false));
	EXPECT_SAID(test, "Linux 6.9 was not tested");
	KUNIT_EXPECT_EQ(test, 0, check_release(RELEASE(6, 9), true));
	give(test, false, true);
	KUNIT_EXPECT_EQ(test, -EOPNOTSUPP, check_release(RELEASE(6, 9), false));
	EXPECT_SAID(test, "does not describe unlink_anon_vmas()");
	give(test, false, false);
	given_bytes--;
	KUNIT_EXPECT_EQ(test, -EOPNOTSUPP, check_release(RELEASE(6, 9), false));
	EXPECT_SAID(test, "is not understood");
}

/* One byte is changed: nothing outside the data may be read. */
static void damaged_description(struct kunit *test)
{
	struct rnd_state rnd;
	unsigned int i;

	prandom_seed_state(&rnd, 22);
	for (i = 0; i < 20000; i++) {
		give(test, false, false);
		given[prandom_u32_state(&rnd) % given_bytes] =
			prandom_u32_state(&rnd);
		said[0] = '\0';
		check_release(newest(), false);
	}
}

static int case_init(struct kunit *test)
{
	said[0] = '\0';
	return 0;
}

static void case_exit(struct kunit *test)
{
	vfree(given);
	given = NULL;
}

static struct kunit_case cases[] = {
	KUNIT_CASE(text_of_kinds),
	KUNIT_CASE(text_after_every_kind),
	KUNIT_CASE(text_of_wrong_ids),
	KUNIT_CASE(refuses_what_is_no_btf),
	KUNIT_CASE(known_kernels),
	KUNIT_CASE(newer_kernel),
	KUNIT_CASE(changed_prototype),
	KUNIT_CASE(no_description),
	KUNIT_CASE(damaged_description),
	{}
};

static struct kunit_suite suite = {
	.name = "ustack_kernel_check",
	.init = case_init,
	.exit = case_exit,
	.test_cases = cases,
};

kunit_test_suite(suite);
