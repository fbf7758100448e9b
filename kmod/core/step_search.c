// SPDX-License-Identifier: GPL-2.0-only
/*
 * Steps from code that the process has made, by a search of the stack: see
 * ustack_step_search() in step.h. NMI-safe: a bounded loop, user memory only
 * through ustack_mem; the state is written last.
 */
#include "step.h"

/*
 * Code that a just-in-time compiler makes for one process is mostly not farther apart.
 * The farther a word is, the more likely it is data that looks like an address.
 */
#define NEAR_CODE (64u << 20)
/* A frame record is not farther from the next one. */
#define NEAR_RECORD (1u << 20)
/* Words for which a step in vain counts, and for which the frame's other ways count, tried again. */
#define WORDS_STEP 4u
#define WORDS_AGAIN 16u

/**
 * struct look - looks at one word a round
 * @arch: architecture
 * @mem: access to the process
 * @pc: pc of the frame
 * @at: address of the next word
 * @end: address after the last one
 * @word: the return address that was found, or 0
 */
struct look {
	const struct ustack_arch *arch;
	struct ustack_mem *mem;
	u64 pc;
	u64 at;
	u64 end;
	u64 word;
};

static bool is_near(u64 pc, u64 word)
{
	return word - pc + NEAR_CODE < 2 * NEAR_CODE;
}

/* Return: whether @word may be in made code that has called the code at @pc. */
static bool calls_made_code(const struct look *look, u64 word)
{
	const struct ustack_arch *arch = ustack_arch_known(look->arch);
	u64 entry;

	return is_near(look->pc, word) &&
	       arch->call_target(look->mem, word, &entry) &&
	       ustack_may_be_in(look->pc, entry);
}

/*
 * Return: whether FP may point to the first record of a chain that leads on in made
 * code. Interpreters push addresses of such code that follow no call.
 */
static bool has_chain(const struct ustack_state *s, struct ustack_mem *mem)
{
	u64 fp, next, ra;

	return ustack_state_fp(s, mem, ustack_mem_read, &fp) &&
	       !(fp & 7) && fp >= s->sp && fp - s->sp < NEAR_RECORD &&
	       ustack_mem_read(mem, fp, &next) && ustack_mem_read(mem, fp + 8, &ra) &&
	       !(next & 7) && next > fp && next - fp < NEAR_RECORD &&
	       !ustack_check_ra(mem, &ra) && is_near(s->pc, ra) &&
	       !ustack_mem_is_file_code(mem, ra);
}

static long look_at_word(u32 i, void *to)
{
	struct look *look = to;
	const struct ustack_arch *arch = ustack_arch_known(look->arch);
	struct ustack_mem *mem = look->mem;
	u64 word, entry, at = look->at;

	if (at >= look->end || mem->scanned++ >= USTACK_MAX_SCAN ||
	    !ustack_mem_read(mem, at, &word))
		return 1;
	look->at = at + 8;
	if (ustack_check_ra(mem, &word))
		return 0;
	if (!ustack_mem_is_file_code(mem, word))
		return calls_made_code(look, word);
	if (arch->call_target(mem, word, &entry))
		look->word = word;
	return look->word != 0;
}

enum ustack_reason ustack_step_search(const struct ustack_arch *arch,
				      struct ustack_state *s,
				      struct ustack_mem *mem)
{
	struct ustack_search *search = &mem->search;
	struct look look = { .arch = arch, .mem = mem, .pc = s->pc };

	if (!arch->ra_fixed || !mem->may_guess || !mem->may_search || s->sp & 7)
		return USTACK_NO_ROW;
	if (search->from.pc != s->pc || search->from.sp != s->sp) {
		search->from = *s;
		search->at = s->sp;
		search->frames = mem->frames;
		search->guessed = mem->guessed;
		search->followed = mem->followed;
		search->on = !has_chain(s, mem);
	}
	if (!search->on)
		return USTACK_NO_ROW;
	look.at = search->at;
	look.end = s->sp + USTACK_MAX_FP_FRAME;
	ustack_repeat(USTACK_MAX_FP_FRAME / 8, look_at_word, &look);
	search->at = look.at;
	search->on = look.word != 0;
	if (!search->on)
		return USTACK_NO_ROW;
	mem->guessed++;
	*s = (struct ustack_state){
		.pc = look.word, .sp = look.at, .fp = s->fp, .fp_at = s->fp_at,
	};
	return USTACK_OK;
}

bool ustack_step_back(struct ustack_state *s, struct ustack_mem *mem)
{
	struct ustack_search *search = &mem->search;

	if (!search->on)
		return false;
	mem->scanned += WORDS_AGAIN + WORDS_STEP * (mem->frames - search->frames);
	mem->guessed = search->guessed;
	mem->followed = search->followed;
	*s = search->from;
	return true;
}
