// SPDX-License-Identifier: GPL-2.0-only
/*
 * Jumps through tables: the code of the cases has rows if the table's size, contents and targets are
 * proven, and none otherwise.
 */
#include "support.h"

#include "sframe/synth_code_flow.h"
#include "sframe/x86_regs.h"

#define BASE 0x1000u
#define ROOM 512u
#define TABLE 0x8000u
#define TABLE_BYTES 64u
/* Where the cases are in text(), and what all of them lead to. */
#define CASES 40u
#define STEP 4u
#define REST (CASES + 3 * STEP)
/* The function after it. */
#define OTHER (REST + 4)

/* A function with a switch; its tables; and the rows it gets. */
struct known {
	u8 bytes[ROOM];
	u32 len;
	u8 table[TABLE_BYTES];
	bool fixed;
	bool alone;	/* no other function is at OTHER */
	bool has[ROOM];
	s32 cfa[ROOM];
};

static bool read_table(void *arg, u64 at, void *buf, u32 len)
{
	const struct known *k = arg;

	if (at < TABLE || at + len > TABLE + TABLE_BYTES)
		return false;
	memcpy(buf, k->table + (at - TABLE), len);
	return true;
}

static int take(void *arg, u64 start, u64 end, struct code_state s)
{
	struct known *k = arg;
	struct ustack_rule rule;

	for (; code_state_rule(s, &rule) && start < end; start++) {
		k->has[start - BASE] = true;
		k->cfa[start - BASE] = rule.cfa_off;
	}
	return 0;
}

static void analyse(struct known *k)
{
	struct code_text text = { .nr = 0 };
	struct code_flow flow;

	memset(k->has, 0, sizeof(k->has));
	assert_int_equal(code_text_add(&text, BASE, k->len, k->bytes), 0);
	assert_int_equal(code_flow_init(&flow, &text), 0);
	flow.switches.read = read_table;
	flow.switches.arg = k;
	flow.switches.fixed = k->fixed;
	code_flow_add_entry(&flow, BASE);
	if (!k->alone)
		code_flow_add_entry(&flow, BASE + OTHER);
	assert_int_equal(code_flow_run(&flow), 0);
	assert_int_equal(code_flow_each(&flow, take, k), 0);
	code_flow_release(&flow);
	code_text_release(&text);
}

static void put(struct known *k, u32 at, const char *bytes, size_t len)
{
	memcpy(k->bytes + at, bytes, len);
}

/* @head: after push %rbx, up to the jump. Then come three cases: xor %eax, %eax; jmp rest */
static void text(struct known *k, const char *head, size_t len)
{
	u32 i;

	assert_true(len + 1 <= CASES);
	memset(k, 0, sizeof(*k));
	memset(k->bytes, 0xcc, sizeof(k->bytes));
	k->bytes[0] = 0x53;
	put(k, 1, head, len);
	for (i = 0; i < 3; i++) {
		put(k, CASES + STEP * i, "\x31\xc0\xeb", 3);
		k->bytes[CASES + STEP * i + 3] = (u8)(REST - CASES - STEP * (i + 1));
	}
	put(k, REST, "\x5b\xc3\x90\x90", 4);		/* pop %rbx; ret */
	put(k, OTHER, "\x50\x31\xc0\x59\xc3", 5);	/* push %rax; xor; pop %rcx; ret */
	k->len = OTHER + 5;
}

static void entry4(struct known *k, u32 i, u32 at)
{
	u32 v = BASE + at - TABLE;

	memcpy(k->table + 4 * i, &v, 4);
}

static void entry8(struct known *k, u32 i, u32 at)
{
	u64 v = BASE + at;

	memcpy(k->table + 8 * i, &v, 8);
}

static void distances(struct known *k)
{
	u32 i;

	for (i = 0; i < TABLE_BYTES / 4; i++)
		entry4(k, i, 0x3000);	/* not in this text */
	for (i = 0; i < 3; i++)
		entry4(k, i, CASES + STEP * i);
}

static void addresses(struct known *k)
{
	u32 i;

	k->fixed = true;
	for (i = 0; i < TABLE_BYTES / 8; i++)
		entry8(k, i, 0x3000);
	for (i = 0; i < 3; i++)
		entry8(k, i, CASES + STEP * i);
}

static bool has_cases(struct known *k)
{
	u32 i, nr = 0;

	analyse(k);
	assert_true(k->has[0] && k->has[1] && k->cfa[1] == 16);
	for (i = 0; i < 3 * STEP; i++) {
		assert_true(!k->has[CASES + i] || k->cfa[CASES + i] == 16);
		nr += k->has[CASES + i];
	}
	assert_true(!nr || nr == 3 * STEP);
	return nr;
}

#define TEXT(k, head) text(k, head, sizeof(head) - 1)

#define CMP2 "\x83\xff\x02"		/* cmp $2, %edi */
#define MOV "\x89\xf8"			/* mov %edi, %eax */
#define LEA "\x48\x8d\x15"		/* lea x(%rip), %rdx; set by lea() */
#define LOAD "\x48\x63\x04\x82"		/* movslq (%rdx, %rax, 4), %rax */
#define ADD "\x48\x01\xd0"		/* add %rdx, %rax */
#define GO "\x3e\xff\xe0"		/* notrack jmp *%rax */

/* Makes the branch of two bytes at @at lead to @to. */
static void branch(struct known *k, u32 at, u32 to)
{
	k->bytes[at + 1] = (u8)(to - at - 2);
}

/* Makes the lea x(%rip) at @at load @address. */
static void lea(struct known *k, u32 at, u32 address)
{
	u32 x = address - (BASE + at + 7);

	memcpy(k->bytes + at + 3, &x, 4);
}

/* The usual switch of position-independent code. */
static void usual(struct known *k)
{
	TEXT(k, CMP2 "\x77\0" MOV LEA "\0\0\0\0" LOAD ADD GO);
	branch(k, 4, REST);
	lea(k, 8, TABLE);
	distances(k);
}

static void cases_have_rows(void **state)
{
	struct known k;

	usual(&k);
	assert_true(has_cases(&k));
	assert_int_equal(k.cfa[REST], 16);
	/* entries after the bound are not read */
	usual(&k);
	entry4(&k, 2, 0x3000);
	k.bytes[3] = 1;
	analyse(&k);
	assert_true(k.has[CASES] && k.has[CASES + STEP] && !k.has[CASES + 2 * STEP]);
}

/* jae, jbe and jb have other bounds, or lead to the jump themselves. */
static void other_branches(void **state)
{
	struct known k;

	usual(&k);
	k.bytes[3] = 3;
	k.bytes[4] = 0x73;			/* cmp $3; jae */
	assert_true(has_cases(&k));
	/* cmp $2; jbe over jmp rest */
	TEXT(&k, CMP2 "\x76\x02\xeb\0" MOV LEA "\0\0\0\0" LOAD ADD GO);
	branch(&k, 6, REST);
	lea(&k, 10, TABLE);
	distances(&k);
	assert_true(has_cases(&k));
	/* cmp $2; jg is signed */
	usual(&k);
	k.bytes[4] = 0x7f;
	assert_false(has_cases(&k));
	/* cmp $0; jb is never taken */
	TEXT(&k, "\x83\xff\x03" "\x72\x02\xeb\0" MOV LEA "\0\0\0\0" LOAD ADD GO);
	branch(&k, 6, REST);
	lea(&k, 10, TABLE);
	distances(&k);
	assert_true(has_cases(&k));
	TEXT(&k, "\x83\xff\0" "\x72\x02\xeb\0" MOV LEA "\0\0\0\0" LOAD ADD GO);
	branch(&k, 6, REST);
	lea(&k, 10, TABLE);
	distances(&k);
	assert_false(has_cases(&k));
}

/* cmp $2, %dil; ja; movzbl %dil, %eax, or without it */
static void narrow_comparisons(void **state)
{
	struct known k;

	TEXT(&k, "\x40\x80\xff\x02" "\x77\0" "\x40\x0f\xb6\xc7" LEA "\0\0\0\0" LOAD ADD GO);
	branch(&k, 5, REST);
	lea(&k, 11, TABLE);
	distances(&k);
	assert_true(has_cases(&k));
	TEXT(&k, "\x40\x80\xff\x02" "\x77\0" "\x89\xf8" LEA "\0\0\0\0" LOAD ADD GO);
	branch(&k, 5, REST);
	lea(&k, 9, TABLE);
	distances(&k);
	assert_false(has_cases(&k));
	/* cmpw $2, %di; movzbl %dil, %eax: other bits than were compared */
	TEXT(&k, "\x66\x83\xff\x02" "\x77\0" "\x40\x0f\xb6\xc7" LEA "\0\0\0\0" LOAD ADD GO);
	branch(&k, 5, REST);
	lea(&k, 11, TABLE);
	distances(&k);
	assert_false(has_cases(&k));
	k.bytes[9] = 0xb7;			/* movzwl %di, %eax */
	assert_true(has_cases(&k));
}

/* cmpl $2, 8(%rsp); ja; mov 8(%rsp), %eax, with a store in between or not */
static void compared_memory(void **state)
{
	struct known k;

	TEXT(&k, "\x83\x7c\x24\x08\x02" "\x77\0" "\x8b\x44\x24\x08" LEA "\0\0\0\0" LOAD ADD GO);
	branch(&k, 6, REST);
	lea(&k, 12, TABLE);
	distances(&k);
	assert_true(has_cases(&k));
	TEXT(&k, "\x83\x7c\x24\x08\x02" "\x77\0" "\x89\x0f" "\x8b\x44\x24\x08" LEA "\0\0\0\0"
	     LOAD ADD GO);
	branch(&k, 6, REST);
	lea(&k, 14, TABLE);
	distances(&k);
	assert_false(has_cases(&k));
	/* 12(%rsp) is another word */
	TEXT(&k, "\x83\x7c\x24\x08\x02" "\x77\0" "\x8b\x44\x24\x0c" LEA "\0\0\0\0" LOAD ADD GO);
	branch(&k, 6, REST);
	lea(&k, 12, TABLE);
	distances(&k);
	assert_false(has_cases(&k));
}

/* gcc without optimisation makes this: lea 0(, %rax, 4), %rdx; mov (%rdx, %rax), %eax; cltq */
static void without_optimisation(void **state)
{
	struct known k;

	TEXT(&k, CMP2 "\x77\0" MOV "\x48\x8d\x14\x85\0\0\0\0" "\x48\x8d\x05\0\0\0\0"
	     "\x8b\x04\x02" "\x48\x98" "\x48\x8d\x15\0\0\0\0" ADD "\xff\xe0");
	branch(&k, 4, REST);
	lea(&k, 16, TABLE);
	lea(&k, 28, TABLE);
	distances(&k);
	assert_true(has_cases(&k));
	/* the distances count from somewhere else */
	lea(&k, 28, TABLE + 4);
	assert_false(has_cases(&k));
}

static void tables_of_addresses(void **state)
{
	struct known k;

	/* jmp *table(, %rdi, 8) */
	TEXT(&k, CMP2 "\x77\0" "\xff\x24\xfd\0\x80\0\0");
	branch(&k, 4, REST);
	addresses(&k);
	assert_true(has_cases(&k));
	/* a file that may be loaded elsewhere has no addresses yet */
	k.fixed = false;
	assert_false(has_cases(&k));
	/* mov %edi, %edi; mov $table, %eax; mov (%rax, %rdi, 8), %rax; jmp *%rax */
	TEXT(&k, CMP2 "\x77\0" "\x89\xff" "\xb8\0\x80\0\0" "\x48\x8b\x04\xf8" "\xff\xe0");
	branch(&k, 4, REST);
	addresses(&k);
	assert_true(has_cases(&k));
}

static void bound_is_needed(void **state)
{
	struct known k;

	/* nop instead of the comparison */
	usual(&k);
	put(&k, 1, "\x0f\x1f\0", 3);
	assert_false(has_cases(&k));
	/* of another register: cmp $2, %esi */
	usual(&k);
	k.bytes[2] = 0xfe;
	assert_false(has_cases(&k));
	/* the index changes: neg %edi instead of mov */
	TEXT(&k, CMP2 "\x77\0" "\xf7\xdf" MOV LEA "\0\0\0\0" LOAD ADD GO);
	branch(&k, 4, REST);
	lea(&k, 10, TABLE);
	distances(&k);
	assert_false(has_cases(&k));
	/* cpuid changes it, too */
	TEXT(&k, CMP2 "\x77\0" MOV "\x0f\xa2" LEA "\0\0\0\0" LOAD ADD GO);
	branch(&k, 4, REST);
	lea(&k, 10, TABLE);
	distances(&k);
	assert_false(has_cases(&k));
	/* another instruction sets the flags: test %esi, %esi */
	TEXT(&k, CMP2 "\x85\xf6" "\x77\0" MOV LEA "\0\0\0\0" LOAD ADD GO);
	branch(&k, 6, REST);
	lea(&k, 10, TABLE);
	distances(&k);
	assert_false(has_cases(&k));
	/* its entries are further apart than they are long: movslq (%rdx, %rax, 8) */
	usual(&k);
	k.bytes[18] = 0xc2;
	assert_false(has_cases(&k));
	/* the index is moved: add $1, %eax makes the table begin an entry later */
	TEXT(&k, CMP2 "\x77\0" MOV "\x83\xc0\x01" LEA "\0\0\0\0" LOAD ADD GO);
	branch(&k, 4, REST);
	lea(&k, 11, TABLE);
	distances(&k);
	assert_false(has_cases(&k));
}

/* lea table(%rip), %rdx; then a loop: cmp $2, %edi; ja; mov; movslq; add; jmp *%rax */
static void loop(struct known *k)
{
	TEXT(k, LEA "\0\0\0\0" CMP2 "\x77\0" MOV LOAD ADD GO);
	lea(k, 1, TABLE);
	branch(k, 11, REST);
	distances(k);
	branch(k, CASES + 2, 8);	/* the first case goes on with the loop */
}

static void tables_that_are_known_before(void **state)
{
	struct known k;

	loop(&k);
	assert_true(has_cases(&k));
	/* a case changes the register: xor %edx, %edx */
	k.bytes[CASES + 1] = 0xd2;
	assert_false(has_cases(&k));
	/* so may a called function */
	TEXT(&k, LEA "\0\0\0\0" "\xe8\0\0\0\0" CMP2 "\x77\0" MOV LOAD ADD GO);
	lea(&k, 1, TABLE);
	k.bytes[9] = OTHER - 13;
	branch(&k, 16, REST);
	distances(&k);
	assert_false(has_cases(&k));
	/* test %esi, %esi; je over the lea: another value is possible */
	TEXT(&k, "\x85\xf6" "\x74\x07" LEA "\0\0\0\0" CMP2 "\x77\0" MOV LOAD ADD GO);
	lea(&k, 5, TABLE);
	branch(&k, 15, REST);
	distances(&k);
	assert_false(has_cases(&k));
	/* the other way loads another address */
	TEXT(&k, LEA "\0\0\0\0" "\x74\x07" LEA "\0\0\0\0" CMP2 "\x77\0" MOV LOAD ADD GO);
	lea(&k, 1, TABLE);
	lea(&k, 10, TABLE + 8);
	branch(&k, 20, REST);
	distances(&k);
	assert_false(has_cases(&k));
	/* the same address on both ways */
	lea(&k, 10, TABLE);
	assert_true(has_cases(&k));
}

static void huge_tables(void **state)
{
	struct known k;

	/* cmp $0x7fffffff, %edi, and cmp $-1, %edi */
	TEXT(&k, "\x81\xff\xff\xff\xff\x7f" "\x77\0" MOV LEA "\0\0\0\0" LOAD ADD GO);
	branch(&k, 7, REST);
	lea(&k, 11, TABLE);
	distances(&k);
	assert_false(has_cases(&k));
	usual(&k);
	k.bytes[3] = 0xff;
	assert_false(has_cases(&k));
	/* the last entry is not in the segment */
	usual(&k);
	lea(&k, 8, TABLE + TABLE_BYTES - 8);
	memcpy(k.table + TABLE_BYTES - 8, k.table, 8);
	assert_false(has_cases(&k));
}

static void tables_that_may_change(void **state)
{
	struct known k;

	usual(&k);
	lea(&k, 8, TABLE + 0x1000);
	assert_false(has_cases(&k));
}

static void impossible_targets(void **state)
{
	struct known k;

	/* in the middle of an instruction that other code leads to */
	usual(&k);
	entry4(&k, 1, 5);
	assert_false(has_cases(&k));
	/* in another function */
	usual(&k);
	entry4(&k, 1, OTHER + 1);
	assert_false(has_cases(&k));
	assert_int_equal(k.cfa[OTHER + 1], 16);
	/* elsewhere */
	usual(&k);
	entry4(&k, 1, 0x3000);
	assert_false(has_cases(&k));
	/* where SP is known to be another one: ret */
	usual(&k);
	entry4(&k, 1, REST + 1);
	assert_false(has_cases(&k));
	assert_int_equal(k.cfa[REST + 1], 8);
}

/*
 * Two switches, the second one in a case of the first one, whose table would contain the second one's.
 * All targets are possible.
 */
static void tables_overlap(void **state)
{
	struct known k;
	u32 i, xors = CASES + 24, end = xors + 12;

	usual(&k);
	k.bytes[3] = 3;
	branch(&k, 4, end);
	put(&k, CASES, "\x83\xff\x01" "\x77\0" MOV LEA "\0\0\0\0" LOAD ADD GO, 24);
	branch(&k, CASES + 3, end);
	lea(&k, CASES + 7, TABLE + 8);
	for (i = xors; i < end; i += 2)
		put(&k, i, "\x31\xc0", 2);
	put(&k, end, "\x5b\xc3", 2);
	k.len = end + 2;
	k.alone = true;
	entry4(&k, 0, CASES);
	entry4(&k, 1, xors);
	entry4(&k, 2, xors);		/* the second switch counts from 8 bytes further */
	entry4(&k, 3, xors + 2);
	analyse(&k);
	assert_false(k.has[CASES]);
	assert_false(k.has[xors]);
	/* without these two entries the first switch is good */
	k.bytes[3] = 1;
	analyse(&k);
	assert_int_equal(k.cfa[CASES], 16);
	assert_int_equal(k.cfa[xors + 8], 16);
}

/* The default case is impossible, and its branch goes to another function's middle. */
static void impossible_default(void **state)
{
	struct known k;

	usual(&k);
	branch(&k, 4, OTHER + 9);
	/* ret; xor %ecx, %ecx; ret: code of another function, which is not known otherwise */
	put(&k, OTHER + 4, "\xc3\xcc\xcc\xcc\xcc\x31\xc9\x5b\xc3", 9);
	k.len = OTHER + 13;
	assert_true(has_cases(&k));
	assert_false(k.has[OTHER + 9]);
	/* an entry of the table that leads there is not followed, either */
	entry4(&k, 1, OTHER + 9);
	analyse(&k);
	assert_true(k.has[CASES]);
	assert_false(k.has[OTHER + 9]);
}

/*
 * The entry of an impossible case leads to the end of the function, where another one begins, which is not
 * known: push %rax; xor; pop %rcx; ret
 */
static void impossible_case(void **state)
{
	struct known k;

	usual(&k);
	k.alone = true;
	entry4(&k, 1, OTHER);
	analyse(&k);
	assert_int_equal(k.cfa[CASES], 16);
	assert_false(k.has[OTHER] || k.has[OTHER + 1]);
}

static void writes(const char *bytes, u32 len, u8 action, u16 mask)
{
	struct x86_insn insn;
	struct x86_regs x;

	assert_true(x86_insn_read((const u8 *)bytes, len, BASE, &insn));
	assert_int_equal(insn.len, len);
	x86_regs_read((const u8 *)bytes, &insn, BASE, &x);
	assert_int_equal(x.action, action);
	assert_int_equal(x.writes, mask);
}

static void registers(void **state)
{
	writes("\x48\x01\xd0", 3, X86_ADDS, 1);
	writes("\x01\xd0", 2, X86_WRITES, 1);
	writes("\x80\xec\x01", 3, X86_WRITES, 1);		/* sub $1, %ah */
	writes("\x40\x80\xec\x01", 4, X86_WRITES, 1 << 4);	/* %spl */
	writes("\x0f\xb6\xc4", 3, X86_WRITES, 1);		/* movzbl %ah, %eax */
	writes("\xf7\xf1", 2, X86_WRITES, 1 | 1 << 2);		/* div %ecx */
	writes("\x48\x99", 2, X86_WRITES, 1 << 2);		/* cqto */
	writes("\x48\x98", 2, X86_COPIES, 1);
	writes("\x93", 1, X86_WRITES, 1 | 1 << 3);		/* xchg %eax, %ebx */
	writes("\x41\x5f", 2, X86_WRITES, 1 << 4 | 1 << 15);	/* pop %r15 */
	writes("\x0f\xc8", 2, X86_WRITES, 1);			/* bswap */
	writes("\x0f\xa2", 2, X86_UNKNOWN, 0xffff);		/* cpuid */
	writes("\xf3\xa4", 2, X86_UNKNOWN, 0xffff);		/* rep movsb */
	writes("\x0f\xb1\x0f", 3, X86_UNKNOWN, 0xffff);		/* cmpxchg */
	writes("\x64\x8b\x04\x25\x28\0\0\0", 8, X86_UNKNOWN, 0xffff);
	writes("\x67\x8b\x07", 3, X86_UNKNOWN, 0xffff);		/* mov (%edi), %eax */
	writes("\xc5\xf8\x28\xec", 4, X86_WRITES, 0);		/* vmovaps */
	writes("\xf2\x0f\x2c\xc0", 4, X86_UNKNOWN, 0xffff);	/* cvttsd2si */
	writes("\x66\x0f\x7e\xc1", 4, X86_WRITES, 1 << 1);	/* movd %xmm0, %ecx */
	writes("\x48\x0f\xaf\xc7", 4, X86_WRITES, 1);		/* imul */
	writes("\x3c\x05", 2, X86_COMPARES, 0);
	writes("\x41\x83\xf8\x05", 4, X86_COMPARES, 0);
	writes("\x80\xfc\x05", 3, X86_WRITES, 0);		/* cmp $5, %ah */
	writes("\x80\x3b\x1a", 3, X86_COMPARES_MEMORY, 0);
	writes("\x49\xff\xc0", 3, X86_WRITES, 1 << 8);		/* inc %r8 */
	writes("\xff\x25\0\0\0\0", 6, X86_GOES_BY_MEMORY, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cases_have_rows),
		cmocka_unit_test(other_branches),
		cmocka_unit_test(narrow_comparisons),
		cmocka_unit_test(compared_memory),
		cmocka_unit_test(without_optimisation),
		cmocka_unit_test(tables_of_addresses),
		cmocka_unit_test(bound_is_needed),
		cmocka_unit_test(tables_that_are_known_before),
		cmocka_unit_test(huge_tables),
		cmocka_unit_test(tables_that_may_change),
		cmocka_unit_test(impossible_targets),
		cmocka_unit_test(tables_overlap),
		cmocka_unit_test(impossible_default),
		cmocka_unit_test(impossible_case),
		cmocka_unit_test(registers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
