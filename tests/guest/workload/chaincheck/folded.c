// SPDX-License-Identifier: GPL-2.0-only
/* Reads and judges folded stacks (folded.h). */
#include <stdlib.h>
#include <string.h>

#include "folded.h"
#include "grammar.h"
#include "truth.h"

#define FRAMES 1024

struct stack {
	const char *names[FRAMES];	/* names, outermost first */
	size_t count;
	unsigned long samples;
};

/* false for a line of another form, because tools print remarks */
static bool read_line(char *line, struct stack *stack)
{
	char *number = strrchr(line, ' '), *end, *name;

	stack->count = 0;
	if (!number)
		return false;
	*number++ = 0;
	stack->samples = strtoul(number, &end, 10);
	if (end == number || *end)
		return false;
	strsep(&line, ";");	/* name of the program */
	while ((name = strsep(&line, ";")) && stack->count < FRAMES)
		stack->names[stack->count++] =
			truth_own(name) ? intern(name) : token_libc;
	return stack->count && !name;
}

static bool is_own(const char *name)
{
	return name != token_libc && name != token_signal;
}

/* names alone do not distinguish the signal's return from other code of libc */
static bool guess_signals(struct stack *stack)
{
	bool any = false;
	size_t i;

	for (i = 1; i + 1 < stack->count; i++)
		if (!is_own(stack->names[i]) && is_own(stack->names[i - 1]) &&
		    is_own(stack->names[i + 1])) {
			stack->names[i] = token_signal;
			any = true;
		}
	return any;
}

static enum verdict judge(struct stack *stack, bool cut_anywhere)
{
	const char *scenario;
	enum verdict verdict;

	verdict = grammar_match(stack->names, stack->count, cut_anywhere,
				&scenario);
	if (verdict == CHAIN_WRONG && guess_signals(stack))
		verdict = grammar_match(stack->names, stack->count,
					cut_anywhere, &scenario);
	return verdict;
}

static void one_stack(struct stack *stack, bool whole_libc, bool cut_anywhere,
		      struct folded_counts *counts)
{
	size_t own = stack->count;

	while (own && !is_own(stack->names[own - 1]))
		own--;
	if (!own)
		return;		/* another program, or code that runs before our functions */
	counts->samples += stack->samples;
	if (own < stack->count && !whole_libc) {
		counts->apart += stack->samples;
		return;
	}
	stack->count = own;
	counts->checked += stack->samples;
	switch (judge(stack, cut_anywhere)) {
	case CHAIN_WHOLE:
		counts->whole += stack->samples;
		break;
	case CHAIN_CUT:
		counts->cut += stack->samples;
		break;
	case CHAIN_WRONG:
		counts->wrong += stack->samples;
		break;
	}
}

struct folded_counts folded_check(FILE *f, bool whole_libc, bool cut_anywhere,
				  unsigned int shown)
{
	struct folded_counts counts = { 0 };
	static char line[1 << 16], copy[1 << 16];
	static struct stack stack;
	unsigned long wrong;

	while (fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = 0;
		memcpy(copy, line, sizeof(copy));
		if (!read_line(copy, &stack))
			continue;
		wrong = counts.wrong;
		one_stack(&stack, whole_libc, cut_anywhere, &counts);
		if (counts.wrong > wrong && shown) {
			printf("WRONG: %s\n", line);
			shown--;
		}
	}
	return counts;
}
