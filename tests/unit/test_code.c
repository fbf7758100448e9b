// SPDX-License-Identifier: GPL-2.0-only
/* Rows from code: what instructions do to SP and FP, and what is proven of functions. */
#include "support.h"

#include "sframe/synth_code_flow.h"

#define BASE 0x1000u
#define ROOM 256u

/* What a text's bytes have: "" is nothing. */
struct known {
	struct code_text text;
	struct code_flow flow;
	struct ustack_rule rule[ROOM];
	bool has[ROOM];
};

static int take(void *arg, u64 start, u64 end, struct code_state s)
{
	struct known *k = arg;
	struct ustack_rule rule;

	for (; code_state_rule(s, &rule) && start < end; start++) {
		assert_true(start - BASE < ROOM && !k->has[start - BASE]);
		k->rule[start - BASE] = rule;
		k->has[start - BASE] = true;
	}
	return 0;
}

/* @entry: an offset that a call goes to, or -1 */
static void analyse(struct known *k, const u8 *bytes, u32 len, int entry)
{
	memset(k, 0, sizeof(*k));
	assert_int_equal(code_text_add(&k->text, BASE, len, bytes), 0);
	assert_int_equal(code_flow_init(&k->flow, &k->text), 0);
	if (entry >= 0)
		code_flow_add_entry(&k->flow, BASE + (u32)entry);
	code_flow_run(&k->flow);
	assert_int_equal(code_flow_each(&k->flow, take, k), 0);
	code_flow_release(&k->flow);
	code_text_release(&k->text);
}

static void by_sp(const struct known *k, u32 at, s32 off, s32 fp)
{
	assert_true(k->has[at]);
	assert_int_equal(k->rule[at].cfa, USTACK_OP_SP);
	assert_int_equal(k->rule[at].cfa_off, off);
	assert_int_equal(k->rule[at].ra_off, -8);
	assert_int_equal(k->rule[at].fp, fp ? USTACK_OP_CFA | USTACK_OP_DEREF : 0);
	assert_int_equal(k->rule[at].fp_off, fp);
}

static void by_fp(const struct known *k, u32 at, s32 off)
{
	assert_true(k->has[at]);
	assert_int_equal(k->rule[at].cfa, USTACK_OP_FP);
	assert_int_equal(k->rule[at].cfa_off, off);
	assert_int_equal(k->rule[at].fp_off, -16);
}

static void nothing(const struct known *k, u32 from, u32 to)
{
	for (; from < to; from++)
		assert_false(k->has[from]);
}

#define ANALYSE(k, entry, ...)						\
	do {								\
		static const u8 bytes_[] = { __VA_ARGS__ };		\
		analyse(k, bytes_, sizeof(bytes_), entry);		\
	} while (0)

#define PAD16 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, \
	      0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc
#define PROLOGUE 0x55, 0x48, 0x89, 0xe5		/* push %rbp; mov %rsp, %rbp */
#define CALL_FAR 0xe8, 0, 0, 1, 0
#define RET 0xc3

/* int3; push %rbp; mov %rsp, %rbp; sub $16, %rsp; call; leave; ret */
static void record_is_seen(void **state)
{
	struct known k;

	ANALYSE(&k, -1, PAD16, PROLOGUE, 0x48, 0x83, 0xec, 0x10, CALL_FAR, 0xc9, RET);
	nothing(&k, 0, 16);
	by_sp(&k, 16, 8, 0);
	by_sp(&k, 17, 16, 0);
	by_fp(&k, 20, 16);
	by_fp(&k, 28, 16);
	by_fp(&k, 29, 16);
	by_sp(&k, 30, 8, 0);
}

/* xor %eax, %eax; ret: nothing leads there but a call that is known */
static void entry_is_needed(void **state)
{
	struct known k;

	ANALYSE(&k, -1, 0x31, 0xc0, RET);
	nothing(&k, 0, 3);
	ANALYSE(&k, 0, 0x31, 0xc0, RET);
	by_sp(&k, 0, 8, 0);
	by_sp(&k, 2, 8, 0);
}

/* The function that is seen calls what is behind it. */
static void calls_are_followed(void **state)
{
	struct known k;

	ANALYSE(&k, -1, PAD16, PROLOGUE, 0xe8, 2, 0, 0, 0, 0xc9, RET, 0x53, 0x5b, RET);
	by_sp(&k, 27, 8, 0);
	by_sp(&k, 28, 16, 0);
	by_sp(&k, 29, 8, 0);
}

/* test; je over a push; nop; ret */
static void ways_must_agree(void **state)
{
	struct known k;

	ANALYSE(&k, 0, 0x85, 0xc0, 0x74, 1, 0x50, 0x31, 0xc0, RET);
	by_sp(&k, 4, 8, 0);
	nothing(&k, 5, 8);
}

/* sub $8, %rsp; call; add $8, %rsp; ret: what a call takes is not known */
static void sp_ends_at_calls(void **state)
{
	struct known k;

	ANALYSE(&k, 0, 0x48, 0x83, 0xec, 8, CALL_FAR, 0x48, 0x83, 0xc4, 8, RET);
	by_sp(&k, 4, 16, 0);
	by_sp(&k, 8, 16, 0);
	nothing(&k, 9, 14);
}

/* push %rbp; mov %edi, %ebp; pop %rbp; ret */
static void fp_for_something_else(void **state)
{
	struct known k;

	ANALYSE(&k, 0, 0x55, 0x89, 0xfd, 0x90, 0x5d, RET);
	by_sp(&k, 1, 16, 0);
	by_sp(&k, 3, 16, -16);
	by_sp(&k, 4, 16, -16);
	by_sp(&k, 5, 8, 0);
}

/* Without saving it: mov %edi, %ebp */
static void fp_is_gone(void **state)
{
	struct known k;

	ANALYSE(&k, 0, 0x89, 0xfd, 0x31, 0xc0, RET);
	by_sp(&k, 0, 8, 0);
	nothing(&k, 2, 5);
}

/* pop %rcx; push %rcx; ret, and mov %rax, (%rsp); ret */
static void return_address_is_touched(void **state)
{
	struct known k;

	ANALYSE(&k, 0, 0x59, 0x51, RET);
	by_sp(&k, 0, 8, 0);
	nothing(&k, 1, 3);
	ANALYSE(&k, 0, 0x48, 0x89, 0x04, 0x24, RET);
	by_sp(&k, 0, 8, 0);
	nothing(&k, 4, 5);
	/* reading it is no harm, nor is a store in front of it */
	ANALYSE(&k, 0, 0x48, 0x8b, 0x04, 0x24, 0x48, 0x89, 0x44, 0x24, 0xf8, RET);
	by_sp(&k, 9, 8, 0);
}

/* Behind a call that never returns is another function, or nothing. */
static void call_never_returns(void **state)
{
	struct known k;

	ANALYSE(&k, -1, PAD16, PROLOGUE, CALL_FAR, 0x90, 0x31, 0xc0, RET);
	by_fp(&k, 24, 16);
	nothing(&k, 25, 29);
	ANALYSE(&k, -1, PAD16, PROLOGUE, CALL_FAR, 0x31, 0xc0, RET);
	nothing(&k, 25, 28);
}

/* test; je over a record; jmp *%rcx: a bytecode handler; without it nothing tells */
static void record_tells(void **state)
{
	struct known k;

	ANALYSE(&k, -1, PAD16, 0x85, 0xc0, 0x74, 11, PROLOGUE, CALL_FAR, 0xc9, 0x90, 0xff,
		0xe1);
	by_sp(&k, 16, 8, 0);
	by_fp(&k, 24, 16);
	by_sp(&k, 31, 8, 0);
	ANALYSE(&k, -1, PAD16, 0x85, 0xc0, 0x74, 0, 0xff, 0xe1);
	nothing(&k, 0, 22);
}

/* A jump into an instruction: a place has the row of the reading that starts there. */
static void readings_overlap(void **state)
{
	struct known k;

	/* je 5; mov $0x5050c350, %eax; ret: push %rax; push %rax; ret inside */
	ANALYSE(&k, 0, 0x74, 2, 0x90, 0xb8, 0x50, 0xc3, 0x50, 0x50, RET);
	by_sp(&k, 3, 8, 0);
	by_sp(&k, 4, 8, 0);
	by_sp(&k, 5, 16, 0);
	nothing(&k, 6, 8);
	by_sp(&k, 8, 8, 0);
	/* sub $80, %rsp, jumped over to mov */
	ANALYSE(&k, 0, 0x74, 5, 0x48, 0x83, 0xec, 0x50, 0xb8, 0x50, 0xc3, 0x50, 0x50, RET);
	by_sp(&k, 2, 8, 0);
	nothing(&k, 6, 9);
}

static void effect_of(const char *bytes, u32 len, u8 effect, s32 off)
{
	struct x86_insn insn;
	struct x86_stack x;

	assert_true(x86_insn_read((const u8 *)bytes, len, BASE, &insn));
	assert_int_equal(insn.len, len);
	x86_stack_read((const u8 *)bytes, &insn, &x);
	assert_int_equal(x.effect, effect);
	assert_int_equal(x.off, off);
}

static void effects(void **state)
{
	effect_of("\x50", 1, X86_PUSH, 0);
	effect_of("\x41\x55", 2, X86_PUSH, 0);			/* %r13 */
	effect_of("\x41\x5c", 2, X86_POP, 0);			/* %r12 */
	effect_of("\x5c", 1, X86_LOSE_SP, 0);
	effect_of("\x66\x50", 2, X86_LOSE_BOTH, 0);
	effect_of("\x48\x81\xec\0\1\0\0", 7, X86_ADD_SP, -256);
	effect_of("\x48\x83\xec\x80", 4, X86_ADD_SP, 128);
	effect_of("\x83\xec\x08", 3, X86_LOSE_SP, 0);		/* %esp */
	effect_of("\x48\x83\xe4\xf0", 4, X86_LOSE_SP, 0);
	effect_of("\x48\x8d\x64\x24\x08", 5, X86_ADD_SP, 8);
	effect_of("\x48\x8d\x65\xd8", 4, X86_SP_BY_FP, -40);
	effect_of("\x48\x8d\x6c\x24\x10", 5, X86_FP_BY_SP, 16);
	effect_of("\x4a\x8d\x24\xdc", 4, X86_LOSE_SP, 0);	/* lea (%rsp,%r11,8) */
	effect_of("\x48\x8b\xec", 3, X86_FP_BY_SP, 0);
	effect_of("\x48\x89\xec", 3, X86_SP_BY_FP, 0);
	effect_of("\x89\xec", 2, X86_LOSE_SP, 0);
	effect_of("\x48\x8b\x6d\x00", 4, X86_LOAD_FP, 0);
	effect_of("\x64\x48\x8b\x6d\x00", 5, X86_LOSE_FP, 0);	/* %fs: */
	effect_of("\x48\x94", 2, X86_LOSE_SP, 0);		/* xchg %rsp, %rax */
	effect_of("\x48\x87\xec", 3, X86_LOSE_BOTH, 0);
	effect_of("\xb4\x01", 2, X86_NONE, 0);			/* %ah */
	effect_of("\x40\xb4\x01", 3, X86_LOSE_SP, 0);		/* %spl */
	effect_of("\x0f\x94\xc5", 3, X86_NONE, 0);		/* %ch */
	effect_of("\x48\x0f\x44\xe0", 4, X86_LOSE_SP, 0);	/* cmove */
	effect_of("\xf3\x48\x0f\x2d\xe8", 5, X86_LOSE_FP, 0);	/* cvtss2si */
	effect_of("\xc4\xe2\xd8\xf3\xc8", 5, X86_LOSE_SP, 0);	/* blsr %rax, %rsp */
	effect_of("\xc5\xf9\x7e\xc5", 4, X86_LOSE_FP, 0);	/* vmovd %xmm0, %ebp */
	effect_of("\xc5\xf8\x28\xec", 4, X86_NONE, 0);		/* vmovaps */
	effect_of("\x48\x39\xec", 3, X86_NONE, 0);		/* cmp */
	effect_of("\x48\x85\xe4", 3, X86_NONE, 0);		/* test */
	effect_of("\xc8\x10\0\0", 4, X86_LOSE_BOTH, 0);		/* enter */
	effect_of("\x0f\x05", 2, X86_SYSCALL, 0);
	effect_of("\xc2\x10\0", 3, X86_RET, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(effects),
		cmocka_unit_test(record_is_seen),
		cmocka_unit_test(entry_is_needed),
		cmocka_unit_test(calls_are_followed),
		cmocka_unit_test(ways_must_agree),
		cmocka_unit_test(sp_ends_at_calls),
		cmocka_unit_test(fp_for_something_else),
		cmocka_unit_test(fp_is_gone),
		cmocka_unit_test(return_address_is_touched),
		cmocka_unit_test(call_never_returns),
		cmocka_unit_test(record_tells),
		cmocka_unit_test(readings_overlap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
