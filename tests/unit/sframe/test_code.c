// SPDX-License-Identifier: GPL-2.0-only
/* Rows from code: the effects of instructions on SP and FP, and the proofs about functions. */
#include "support.h"

#include "sframe/synth_code_flow.h"

#define BASE 0x1000u
#define ROOM 256u

/* Bytes of a text; "" is empty. */
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

/* Functions of other text: those at these addresses return, or never return. */
#define RETURNS (BASE + 0x20000)
#define NEVER_RETURNS (BASE + 0x30000)

static enum code_fate fate(void *arg, u64 target)
{
	(void)arg;
	if (target == RETURNS)
		return CODE_RETURNING;
	return target == NEVER_RETURNS ? CODE_NEVER_RETURNING : CODE_FATE_UNKNOWN;
}

/* @entry: an offset that a call goes to, or -1; @hint: where a function may begin, or -1 */
static void analyse(struct known *k, const u8 *bytes, u32 len, int entry, int hint)
{
	memset(k, 0, sizeof(*k));
	assert_int_equal(code_text_add(&k->text, BASE, len, bytes), 0);
	assert_int_equal(code_flow_init(&k->flow, &k->text), 0);
	k->flow.fate = fate;
	if (entry >= 0)
		code_flow_add_entry(&k->flow, BASE + (u32)entry);
	if (hint >= 0)
		assert_int_equal(code_flow_add_hint(&k->flow, BASE + (u32)hint), 0);
	assert_int_equal(code_flow_run(&k->flow), 0);
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
		analyse(k, bytes_, sizeof(bytes_), entry, -1);		\
	} while (0)
#define ANALYSE_HINT(k, hint, ...)					\
	do {								\
		static const u8 bytes_[] = { __VA_ARGS__ };		\
		analyse(k, bytes_, sizeof(bytes_), -1, hint);		\
	} while (0)

#define PAD16 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, \
	      0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc
#define PROLOGUE 0x55, 0x48, 0x89, 0xe5		/* push %rbp; mov %rsp, %rbp */
#define CALL_FAR 0xe8, 0, 0, 1, 0
/* A call, at offset @at, of a function that fate() knows */
#define CALL_TO(at, to) 0xe8, ((to) - BASE - (at) - 5) & 0xff, \
	((to) - BASE - (at) - 5) >> 8 & 0xff, ((to) - BASE - (at) - 5) >> 16, 0
#define SUB8 0x48, 0x83, 0xec, 8		/* sub $8, %rsp */
#define ADD8 0x48, 0x83, 0xc4, 8
#define RET 0xc3
#define PUSHES 0x41, 0x54, 0x55, 0x53		/* push %r12; push %rbp; push %rbx */
#define SUB16 0x48, 0x83, 0xec, 16
#define CALL_EXIT(at) CALL_TO(at, NEVER_RETURNS)

/* int3; push %rbp; mov %rsp, %rbp; sub $16, %rsp; call; leave; ret */
static void record_is_seen(void **state)
{
	struct known k;

	ANALYSE(&k, -1, PAD16, PROLOGUE, 0x48, 0x83, 0xec, 0x10, CALL_FAR, 0xc9, RET);
	nothing(&k, 0, 16);
	by_sp(&k, 16, 8, 0);
	by_sp(&k, 17, 16, -16);
	by_fp(&k, 20, 16);
	by_fp(&k, 28, 16);
	by_fp(&k, 29, 16);
	by_sp(&k, 30, 8, 0);
}

/* xor %eax, %eax; ret: only a known call leads there */
static void entry_is_needed(void **state)
{
	struct known k;

	ANALYSE(&k, -1, 0x31, 0xc0, RET);
	nothing(&k, 0, 3);
	ANALYSE(&k, 0, 0x31, 0xc0, RET);
	by_sp(&k, 0, 8, 0);
	by_sp(&k, 2, 8, 0);
}

/* The known function calls the one after it. */
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

/* A return proves SP after a call, unless functions take arguments off the stack. */
static void sp_behind_calls(void **state)
{
	struct known k;

	ANALYSE(&k, 0, SUB8, CALL_FAR, ADD8, RET);
	by_sp(&k, 8, 16, 0);
	by_sp(&k, 9, 16, 0);
	by_sp(&k, 13, 8, 0);
	/* the function of the next call ends with ret $8 */
	ANALYSE(&k, 0, SUB8, 0xe8, 5, 0, 0, 0, ADD8, RET, 0xc2, 8, 0);
	by_sp(&k, 8, 16, 0);
	nothing(&k, 9, 14);
	by_sp(&k, 14, 8, 0);
	/* there is no return: an endless loop */
	ANALYSE(&k, 0, SUB8, CALL_FAR, 0xeb, 0xfe);
	nothing(&k, 9, 11);
	/* but the called function is known to return */
	ANALYSE(&k, 0, SUB8, CALL_TO(4, RETURNS), 0xeb, 0xfe);
	by_sp(&k, 9, 16, 0);
}

/* After a call of a function that never returns, the code of another function follows. */
static void calls_of_what_never_returns(void **state)
{
	struct known k;

	ANALYSE(&k, 0, SUB8, CALL_TO(4, NEVER_RETURNS), ADD8, RET);
	by_sp(&k, 8, 16, 0);
	nothing(&k, 9, 14);
	/* a function followed by another one proves the end of the first */
	ANALYSE(&k, -1, PAD16, PROLOGUE, CALL_FAR, PAD16, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc,
		PROLOGUE, CALL_TO(52, BASE + 0x10019), 0xc9, RET);
	by_fp(&k, 52, 16);
	nothing(&k, 57, 59);
}

/* If code shows that a function returns, one call that ends a function is no proof of the contrary. */
static void call_that_ends_a_function(void **state)
{
	struct known k;

	ANALYSE(&k, -1, PAD16, PROLOGUE, CALL_TO(20, RETURNS), 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc,
		0xcc, PROLOGUE, CALL_TO(36, RETURNS), 0xc9, RET);
	by_fp(&k, 20, 16);
	nothing(&k, 25, 32);
	by_fp(&k, 41, 16);
	by_sp(&k, 42, 8, 0);
	/* the called function is the third one: xor %eax, %eax; ret */
	ANALYSE(&k, -1, PAD16, PROLOGUE, CALL_TO(20, BASE + 43), 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc,
		0xcc, PROLOGUE, CALL_TO(36, BASE + 43), 0xc9, RET, 0x31, 0xc0, RET);
	nothing(&k, 25, 32);
	by_fp(&k, 41, 16);
	by_sp(&k, 43, 8, 0);
}

/*
 * A compiler that knows that nothing can follow a call leaves out the code after it, although the
 * function returns. Then another function follows: xor %eax, %eax; jmp *%rax.
 */
static void another_function_after_a_call(void **state)
{
	static const u8 hinted[] = { SUB8, CALL_TO(4, RETURNS), 0x31, 0xc0, 0xff, 0xe0 };
	struct known k;

	analyse(&k, hinted, sizeof(hinted), 0, -1);
	by_sp(&k, 9, 16, 0);
	analyse(&k, hinted, sizeof(hinted), 0, 9);
	by_sp(&k, 8, 16, 0);
	nothing(&k, 9, 13);
	/* padding; and if a jump leads to the code after it, a loop of this function */
	ANALYSE(&k, 0, SUB8, CALL_TO(4, RETURNS), 0x66, 0x90, 0x31, 0xc0, 0xff, 0xe0);
	nothing(&k, 9, 15);
	ANALYSE(&k, 0, SUB8, CALL_TO(4, RETURNS), 0x66, 0x90, 0x31, 0xc0, 0xeb, 0xfc);
	by_sp(&k, 11, 16, 0);
	ANALYSE(&k, 0, SUB8, CALL_TO(4, RETURNS), 0x66, 0x90);
	nothing(&k, 9, 11);
	/* the registers that it saves */
	ANALYSE(&k, 0, SUB8, CALL_TO(4, RETURNS), PUSHES, SUB16, CALL_EXIT(17));
	nothing(&k, 9, 22);
	/* mov (%rdi), %rax: an argument, unless mov %rax, %rdi is before it */
	ANALYSE(&k, 0, SUB8, CALL_TO(4, RETURNS), 0x48, 0x8b, 7, 0xff, 0xe0);
	nothing(&k, 9, 14);
	ANALYSE(&k, 0, SUB8, CALL_TO(4, RETURNS), 0x48, 0x89, 0xc7, 0x48, 0x8b, 7, 0xff, 0xe0);
	by_sp(&k, 12, 16, 0);
	/* mov %rcx, %rdx; cmp $1, %esi; jmp *%r11; mov (%rax,%r8), %rax */
	ANALYSE(&k, 0, SUB8, CALL_TO(4, RETURNS), 0x48, 0x89, 0xca, 0xff, 0xe0);
	nothing(&k, 9, 14);
	ANALYSE(&k, 0, SUB8, CALL_TO(4, RETURNS), 0x83, 0xfe, 1, 0xff, 0xe0);
	nothing(&k, 9, 14);
	ANALYSE(&k, 0, SUB8, CALL_TO(4, RETURNS), 0x41, 0xff, 0xe3);
	nothing(&k, 9, 12);
	ANALYSE(&k, 0, SUB8, CALL_TO(4, RETURNS), 0x4a, 0x8b, 4, 0, 0xff, 0xe0);
	nothing(&k, 9, 15);
}

/*
 * call; nop; dec; jne back to it; ret: the nop aligns a loop, because the called function
 * returns
 */
static void padding_of_a_loop(void **state)
{
	struct known k;

	ANALYSE(&k, 0, 0xe8, 9, 0, 0, 0, 0x66, 0x90, 0xff, 0xcf, 0x75, 0xfc, 0x31, 0xc0, RET,
		0x31, 0xc0, RET);
	by_sp(&k, 7, 8, 0);
	by_sp(&k, 13, 8, 0);
}

/* push %rbp; je over mov %edi, %ebp; pop %rbp; ret: it is in memory on both paths */
static void fp_saved_on_all_ways(void **state)
{
	struct known k;

	ANALYSE(&k, 0, 0x55, 0x74, 2, 0x89, 0xfd, 0x31, 0xc0, 0x5d, RET);
	by_sp(&k, 1, 16, -16);
	by_sp(&k, 5, 16, -16);
	by_sp(&k, 7, 16, -16);
	by_sp(&k, 8, 8, 0);
}

static void system_calls(void **state)
{
	struct known k;

	/* mov $39, %eax; syscall; ret */
	ANALYSE(&k, 0, 0xb8, 39, 0, 0, 0, 0x0f, 0x05, RET);
	by_sp(&k, 5, 8, 0);
	by_sp(&k, 7, 8, 0);
	/* test; je to the new thread, xor %ebp, %ebp; hlt */
	ANALYSE(&k, 0, 0xb8, 56, 0, 0, 0, 0x0f, 0x05, 0x85, 0xc0, 0x74, 1, RET, 0x31, 0xed, 0xf4);
	by_sp(&k, 5, 8, 0);
	nothing(&k, 7, 15);
	/*
	 * pop; call *%rax; mov $60; syscall; hlt: the start code of a thread in musl and glibc
	 */
	ANALYSE(&k, 0, 0xb8, 56, 0, 0, 0, 0x0f, 0x05, 0x85, 0xc0, 0x74, 1, RET, 0x58, 0x5f, 0xff,
		0xd0, 0xf4);
	nothing(&k, 7, 17);
	/* rt_sigreturn(2) does not return: another function follows */
	ANALYSE(&k, 0, 0x48, 0xc7, 0xc0, 15, 0, 0, 0, 0x0f, 0x05, 0x31, 0xc0, RET);
	by_sp(&k, 0, 8, 0);
	nothing(&k, 9, 12);
}

static void hints(void **state)
{
	struct known k;

	/* ret; push %rbx; call; pop %rbx; ret */
	ANALYSE_HINT(&k, -1, RET, 0x53, CALL_FAR, 0x5b, RET);
	nothing(&k, 0, 9);
	ANALYSE_HINT(&k, 1, RET, 0x53, CALL_FAR, 0x5b, RET);
	by_sp(&k, 1, 8, 0);
	by_sp(&k, 7, 16, 0);
	by_sp(&k, 8, 8, 0);
	/* an entry in the middle: it returns with another SP, or changes the saved register */
	ANALYSE_HINT(&k, 2, RET, 0x53, 0x31, 0xc0, 0x5b, RET);
	nothing(&k, 0, 6);
	ANALYSE_HINT(&k, 1, 0x55, 0x31, 0xed, 0x5d, RET);
	nothing(&k, 0, 5);
	/* code at a hint, before the frame ends, proves it too: jmp *%rax */
	ANALYSE_HINT(&k, 1, RET, 0x53, CALL_FAR, 0x5b, 0xff, 0xe0);
	by_sp(&k, 7, 16, 0);
	ANALYSE_HINT(&k, 1, RET, CALL_FAR, 0xff, 0xe0);
	nothing(&k, 0, 8);
}

/* A function that never returns, at a hint: it is known by the registers that it saves. */
static void saved_registers(void **state)
{
	struct known k;

	ANALYSE_HINT(&k, 1, RET, PUSHES, SUB16, CALL_EXIT(9));
	by_sp(&k, 1, 8, 0);
	by_sp(&k, 4, 24, -24);
	by_sp(&k, 9, 48, -24);
	/* other instructions are in between: mov %rsi, %rbp after it was pushed, mov $2, %esi */
	ANALYSE_HINT(&k, 1, RET, 0x41, 0x54, 0x55, 0x48, 0x89, 0xf5, 0xbe, 2, 0, 0, 0, 0x53, SUB16,
		     CALL_EXIT(17));
	by_sp(&k, 17, 48, -24);
	/* as clang does it: push %rbp; push %r14; push %rbx */
	ANALYSE_HINT(&k, 1, RET, 0x55, 0x41, 0x56, 0x53, SUB16, CALL_EXIT(9));
	by_sp(&k, 9, 48, -16);
	/* as x86inc.asm does it: push %rbx; push %rbp; push %r14 */
	ANALYSE_HINT(&k, 1, RET, 0x53, 0x55, 0x41, 0x56, SUB16, CALL_EXIT(9));
	by_sp(&k, 9, 48, -24);
	/* mov %esi, %ebx before it is pushed */
	ANALYSE_HINT(&k, 1, RET, 0x41, 0x54, 0x55, 0x89, 0xf3, 0x53, SUB16, CALL_EXIT(11));
	nothing(&k, 0, 16);
	/* two registers; another order; a register that need not be kept; a constant */
	ANALYSE_HINT(&k, 1, RET, 0x55, 0x53, SUB16, CALL_EXIT(7));
	nothing(&k, 0, 12);
	ANALYSE_HINT(&k, 1, RET, 0x41, 0x54, 0x53, 0x55, SUB16, CALL_EXIT(9));
	nothing(&k, 0, 14);
	ANALYSE_HINT(&k, 1, RET, PUSHES, 0x50, SUB16, CALL_EXIT(10));
	nothing(&k, 0, 15);
	ANALYSE_HINT(&k, 1, RET, PUSHES, 0x6a, 1, SUB16, CALL_EXIT(11));
	nothing(&k, 0, 16);
	/* arguments of a call: nothing is subtracted, something is added */
	ANALYSE_HINT(&k, 1, RET, PUSHES, CALL_EXIT(5));
	nothing(&k, 0, 10);
	ANALYSE_HINT(&k, 1, RET, PUSHES, 0x48, 0x83, 0xc4, 16, CALL_EXIT(9));
	nothing(&k, 0, 14);
	ANALYSE_HINT(&k, 1, RET, PUSHES, CALL_FAR, SUB16, CALL_EXIT(14));
	nothing(&k, 0, 19);
	/* no hint */
	ANALYSE(&k, -1, RET, PUSHES, SUB16, CALL_EXIT(9));
	nothing(&k, 0, 14);
}

/* The last call of a function never returns: another function begins there, with a return. */
static void saved_registers_after_a_call(void **state)
{
	struct known k;

	ANALYSE_HINT(&k, 1, RET, PUSHES, SUB16, CALL_FAR, PUSHES, SUB8, ADD8, 0x5b, 0x5d, 0x41, 0x5c,
		     RET);
	by_sp(&k, 9, 48, -24);
	nothing(&k, 14, 31);
	/* the code there is the function's own */
	ANALYSE_HINT(&k, 1, RET, PUSHES, SUB16, CALL_FAR, 0x31, 0xc0, RET);
	nothing(&k, 0, 17);
}

/*
 * call 20; jmp . : the called function jumps to the one before it, and so on, to a return. The loop is
 * known to be the caller's if the function is known to return.
 */
static void jumps_back_to_a_return(void **state)
{
	struct known k;

	ANALYSE(&k, 0, SUB8, 0xe8, 19, 0, 0, 0, 0xeb, 0xfe, 0xcc,
		RET, 0x90, 0x90, 0x90, 0xeb, 0xfa, 0x90, 0x90, 0xeb, 0xfa, 0x90, 0x90, 0xeb, 0xfa, 0x90, 0x90,
		0xeb, 0xfa);
	by_sp(&k, 9, 16, 0);
}

/* lea 4(%rip), %rax; pop %rbx; jmp *%rax; int3; an endless loop */
static void jumps_by_register(void **state)
{
	struct known k;

	ANALYSE(&k, 0, 0x53, 0x48, 0x8d, 5, 4, 0, 0, 0, 0x5b, 0xff, 0xe0, 0xcc, 0xeb, 0xfe);
	by_sp(&k, 9, 8, 0);
	by_sp(&k, 12, 8, 0);
	/* pop %rax is in between */
	ANALYSE(&k, 0, 0x53, 0x48, 0x8d, 5, 4, 0, 0, 0, 0x58, 0xff, 0xe0, 0xcc, 0xeb, 0xfe);
	nothing(&k, 12, 14);
}

/* push %rbp; mov %edi, %ebp; pop %rbp; ret */
static void fp_for_something_else(void **state)
{
	struct known k;

	ANALYSE(&k, 0, 0x55, 0x89, 0xfd, 0x90, 0x5d, RET);
	by_sp(&k, 1, 16, -16);
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
	/* reading it does no harm, nor does a store before it */
	ANALYSE(&k, 0, 0x48, 0x8b, 0x04, 0x24, 0x48, 0x89, 0x44, 0x24, 0xf8, RET);
	by_sp(&k, 9, 8, 0);
}

/* After a call that never returns there is another function, or nothing. */
static void call_never_returns(void **state)
{
	struct known k;

	ANALYSE(&k, -1, PAD16, PROLOGUE, CALL_FAR, 0x90, 0x31, 0xc0, RET);
	by_fp(&k, 24, 16);
	nothing(&k, 25, 29);
	ANALYSE(&k, -1, PAD16, PROLOGUE, CALL_FAR, 0x31, 0xc0, RET);
	nothing(&k, 25, 28);
}

/*
 * test; je over a record; jmp *%rcx: a bytecode handler; without the record there is no proof
 */
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

/* A jump into an instruction: an address has the row of the decoding that starts there. */
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

/*
 * No function begins inside an instruction, although bytes there look like padding and code:
 * sub $8, %rsp; call; mov %rax, %rbx; movabs with int3, int3, ret $8 in its constant; add; ret.
 */
static void nothing_begins_inside(void **state)
{
	struct known k;

	ANALYSE(&k, 0, SUB8, CALL_FAR, 0x48, 0x89, 0xc3, 0x48, 0xb8, 0xcc, 0xcc, 0xc2, 8, 0, 0, 0, 0,
		ADD8, RET);
	by_sp(&k, 9, 16, 0);
	by_sp(&k, 16, 16, 0);
	by_sp(&k, 22, 16, 0);
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

static void effect_of_i386(const char *bytes, u32 len, u8 effect, s32 off)
{
	struct x86_insn insn;
	struct x86_stack x;

	assert_true(x86_insn_read_i386((const u8 *)bytes, len, BASE, &insn));
	assert_int_equal(insn.len, len);
	x86_stack_read((const u8 *)bytes, &insn, &x);
	assert_int_equal(x.effect, effect);
	assert_int_equal(x.off, off);
	for (; len--;)
		assert_false(x86_insn_read_i386((const u8 *)bytes, len, BASE, &insn));
}

/* Instructions that i386 has and x86-64 does not, or that differ. */
static void effects_of_i386(void **state)
{
	effect_of_i386("\x40", 1, X86_NONE, 0);			/* inc %eax */
	effect_of_i386("\x4c", 1, X86_LOSE_SP, 0);		/* dec %esp */
	effect_of_i386("\x45", 1, X86_LOSE_FP, 0);		/* inc %ebp */
	effect_of_i386("\x83\xec\x08", 3, X86_ADD_SP, -8);
	effect_of_i386("\x66\x83\xec\x08", 4, X86_LOSE_SP, 0);	/* %sp */
	effect_of_i386("\x82\xc4\x08", 3, X86_NONE, 0);		/* add $8, %ah */
	effect_of_i386("\x89\xe5", 2, X86_FP_BY_SP, 0);
	effect_of_i386("\x8d\x65\xf4", 3, X86_SP_BY_FP, -12);
	effect_of_i386("\x55", 1, X86_PUSH_FP, 0);
	effect_of_i386("\x5d", 1, X86_POP_FP, 0);
	effect_of_i386("\x60", 1, X86_LOSE_BOTH, 0);		/* pusha */
	effect_of_i386("\x61", 1, X86_LOSE_BOTH, 0);
	effect_of_i386("\x06", 1, X86_PUSH, 0);			/* %es */
	effect_of_i386("\x1f", 1, X86_POP, 0);			/* %ds */
	effect_of_i386("\x67\x06", 2, X86_PUSH, 0);
	effect_of_i386("\x62\x44\x24\x08", 4, X86_NONE, 0);	/* bound */
	effect_of_i386("\x63\xec", 2, X86_LOSE_SP, 0);		/* arpl %bp, %sp */
	effect_of_i386("\xc5\x64\x24\x08", 4, X86_LOSE_SP, 0);	/* lds */
	effect_of_i386("\xc4\x2c\x24", 3, X86_LOSE_FP, 0);	/* les */
	effect_of_i386("\xc5\xf8\x28\xec", 4, X86_NONE, 0);	/* vmovaps */
	effect_of_i386("\xc4\xe2\x58\xf3\xc8", 5, X86_LOSE_SP, 0);	/* blsr %eax, %esp */
	effect_of_i386("\x67\x8b\x04", 3, X86_NONE, 0);		/* mov (%si), %eax */
	effect_of_i386("\x67\x8b\x6e\x08", 4, X86_LOSE_FP, 0);	/* mov 8(%bp), %ebp */
	effect_of_i386("\x67\xa1\x34\x12", 4, X86_NONE, 0);
	effect_of_i386("\xa1\x78\x56\x34\x12", 5, X86_NONE, 0);
	effect_of_i386("\xd4\x0a", 2, X86_NONE, 0);		/* aam */
	effect_of_i386("\xea\x78\x56\x34\x12\x33\0", 7, X86_NONE, 0);
	effect_of_i386("\xcd\x80", 2, X86_LOSE_BOTH, 0);
	effect_of_i386("\xc9", 1, X86_LEAVE, 0);
	effect_of_i386("\xc2\x10\0", 3, X86_RET, 0);
}

/* Addresses have 32 bits. */
static void branches_of_i386(void **state)
{
	struct x86_insn insn;

	assert_true(x86_insn_read_i386((const u8 *)"\xe9\x10\0\0\xf0", 5, 0x20000000, &insn));
	assert_int_equal(insn.kind, X86_JUMP);
	assert_int_equal(insn.to, 0x10000015);
	assert_true(x86_insn_read_i386((const u8 *)"\x75\x80", 2, 0x10, &insn));
	assert_int_equal(insn.kind, X86_BRANCH);
	assert_int_equal(insn.to, 0xffffff92);
	assert_true(x86_insn_read_i386((const u8 *)"\x9a\0\0\0\0\0\0", 7, 0x10, &insn));
	assert_int_equal(insn.kind, X86_CALL);
	assert_int_equal(insn.to, 0);
}

static u64 address_of(const char *bytes, u32 len)
{
	struct x86_insn insn;

	assert_true(x86_insn_read((const u8 *)bytes, len, BASE, &insn));
	assert_int_equal(insn.len, len);
	return x86_insn_address((const u8 *)bytes, &insn, BASE);
}

static void addresses(void **state)
{
	assert_int_equal(address_of("\x48\x8d\x3d\x10\0\0\0", 7), BASE + 0x17);
	assert_int_equal(address_of("\x4c\x8d\x05\xf9\xff\xff\xff", 7), BASE);
	assert_int_equal(address_of("\x48\xc7\xc7\x78\x56\x34\x12", 7), 0x12345678);
	assert_int_equal(address_of("\xbf\x78\x56\x34\x12", 5), 0x12345678);
	assert_int_equal(address_of("\x48\x8d\x7c\x24\x10", 5), 0);	/* lea 16(%rsp), %rdi */
	assert_int_equal(address_of("\x48\x8b\x3d\x10\0\0\0", 7), 0);	/* mov 16(%rip), %rdi */
	assert_int_equal(address_of("\xe8\x10\0\0\0", 5), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(effects),
		cmocka_unit_test(effects_of_i386),
		cmocka_unit_test(branches_of_i386),
		cmocka_unit_test(record_is_seen),
		cmocka_unit_test(entry_is_needed),
		cmocka_unit_test(calls_are_followed),
		cmocka_unit_test(ways_must_agree),
		cmocka_unit_test(sp_behind_calls),
		cmocka_unit_test(calls_of_what_never_returns),
		cmocka_unit_test(another_function_after_a_call),
		cmocka_unit_test(call_that_ends_a_function),
		cmocka_unit_test(padding_of_a_loop),
		cmocka_unit_test(fp_saved_on_all_ways),
		cmocka_unit_test(system_calls),
		cmocka_unit_test(hints),
		cmocka_unit_test(saved_registers),
		cmocka_unit_test(saved_registers_after_a_call),
		cmocka_unit_test(jumps_back_to_a_return),
		cmocka_unit_test(jumps_by_register),
		cmocka_unit_test(addresses),
		cmocka_unit_test(fp_for_something_else),
		cmocka_unit_test(fp_is_gone),
		cmocka_unit_test(return_address_is_touched),
		cmocka_unit_test(call_never_returns),
		cmocka_unit_test(record_tells),
		cmocka_unit_test(readings_overlap),
		cmocka_unit_test(nothing_begins_inside),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
