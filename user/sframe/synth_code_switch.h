/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Jumps through tables, as compilers make them of a switch:
 *
 *	cmp $5, %eax			cmp $5, %al
 *	ja default			ja default
 *	jmp *table(, %rax, 8)		movzbl %al, %eax
 *					lea table(%rip), %rdx
 *					movslq (%rdx, %rax, 4), %rax
 *					add %rdx, %rax
 *					jmp *%rax
 *
 * The code from the comparison to the jump is executed with symbols. It has one way, so that the jump
 * is reached with each index from 0 to 5, and the table has six entries at least. These are read,
 * and no others. The file must not be able to change them, and each must lead to an instruction
 * of the same function, or to where the comparison's branch leads.
 *
 * Bounded: the comparison and the jump are at most CODE_MAX_WAY instructions apart; a table has at most
 * CODE_MAX_CASES entries, and all of a file together have one for CODE_BYTES_PER_CASE bytes of text.
 * Text between jumps and their targets is searched for entries CODE_MAX_SPANS times at most.
 */
#ifndef USTACK_USER_SFRAME_SYNTH_CODE_SWITCH_H
#define USTACK_USER_SFRAME_SYNTH_CODE_SWITCH_H

#include "sframe/synth_code_base.h"

struct code_flow;

#define CODE_MAX_WAY 24u
#define CODE_MAX_CASES 2048u
#define CODE_MAX_SPANS 8u
#define CODE_BYTES_PER_CASE 4u
/* Passes in which switches are found: a switch may be in another one's case. */
#define CODE_MAX_NESTED 8u

/**
 * struct code_switch - one jump through a table
 * @jump: number of the jump's first byte
 * @compare: number of the first byte of the comparison
 * @branch: number of the first byte of the branch that tests it
 * @otherwise: where the comparison's branch leads with any other index, or CODE_NOWHERE
 * @table: link-time address of the entry of index 0
 * @bytes: size of an entry: 8, an address; or 4, a signed distance from @table
 * @nr: number of entries; 0: the jump reads no table, or one that is not recognised
 * @first: index of the first target in struct code_switches.targets
 * @early: the address of the table was loaded before the comparison
 * @refused: something is against it
 */
struct code_switch {
	u32 jump;
	u32 compare;
	u32 branch;
	u32 otherwise;
	u64 table;
	u32 bytes;
	u32 nr;
	u32 first;
	bool early;
	bool refused;
};

/* A branch of a comparison, and the indirect jump of the other way: numbers of bytes. */
struct code_bound {
	u32 branch;
	u32 jump;
};

/**
 * struct code_switches - all jumps through tables
 * @read: reads bytes that no program can change; returns false if there are none
 * @arg: for @read
 * @fixed: the file is loaded at its link-time address, so that its data holds real addresses
 * @found: ascending by @jump; one for each jump
 * @nr: number of @found
 * @targets: numbers of bytes, those of each switch in a row; CODE_NOWHERE: it is doubtful
 * @nr_targets: number of @targets
 * @compares: comparisons that were decoded
 * @nr_compares: number of @compares
 * @nr_read: number of @compares that were examined
 * @bounds: branches of comparisons that lead to an indirect jump
 * @nr_bounds: number of @bounds
 * @edges: jumps of decoded code
 * @left: bytes that may still be searched for entries, and instructions that may be read backwards
 */
struct code_switches {
	bool (*read)(void *arg, u64 at, void *buf, u32 len);
	void *arg;
	bool fixed;
	struct code_switch *found;
	size_t nr;
	u32 *targets;
	size_t nr_targets;
	u32 *compares;
	size_t nr_compares;
	size_t nr_read;
	struct code_bound *bounds;
	size_t nr_bounds;
	struct code_edges edges;
	u64 left;

	/* private */
	size_t room;
	size_t targets_room;
	size_t compares_room;
	size_t bounds_room;
};

void code_switches_release(struct code_switches *s);

/**
 * code_switch_read() - recognise the jump that a comparison leads to
 * @f: the analysis
 * @at: number of a comparison's first byte
 * @ret: written on success, but for @first
 *
 * Nothing is read from the table.
 *
 * Return: false if it leads to no indirect jump.
 */
bool code_switch_read(struct code_flow *f, u32 at, struct code_switch *ret);

/* Whether code may be a comparison with a constant; cheap. */
bool code_switch_may_begin(const u8 *code, u32 len);

/**
 * code_switches_find() - examine the comparisons that are new
 * @f: the analysis
 *
 * Return: number of switches that were found, or -ENOMEM.
 */
int code_switches_find(struct code_flow *f);

/**
 * code_switches_check() - refuse switches and branches that the states of all code contradict
 * @f: all states were found
 *
 * If a compiler knows that a switch has no other case, the branch for other cases goes to the end of
 * the code that it was given, where another function's code may be. So CODE_DOUBTFUL is set on branches
 * that go to another part of the text.
 *
 * Return: how many were refused.
 */
u32 code_switches_check(struct code_flow *f);

/**
 * code_switch_targets() - the targets of a jump
 * @f: the analysis
 * @jump: number of an indirect jump's first byte
 * @nr: set to the number of targets; 0 if they are unknown
 *
 * Return: the targets.
 */
const u32 *code_switch_targets(const struct code_flow *f, u32 jump, u32 *nr);

#endif /* USTACK_USER_SFRAME_SYNTH_CODE_SWITCH_H */
