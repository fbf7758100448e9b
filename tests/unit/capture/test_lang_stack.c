// SPDX-License-Identifier: GPL-2.0-only
/*
 * Joins the thread's native stack and the stack of its language. Letters stand for frames: E is
 * the interpreter's function.
 */
#include "support.h"

#include <string.h>

#include "capture/record/lang_stack.h"

static const struct range eval[] = { { 0x1000, 0x2000 }, { 0x8000, 0x8100 }, { 0x9000, 0x9100 } };
static const struct range inner[] = { { 0x3000, 0x4000 }, { 0x8000, 0x8100 } };
static const struct range base[] = { { 0x6000, 0x7000 } };
/* Whether the functions in @inner call the interpreter's function again. */
static bool reruns;
/* The chain begins at a native frame, which stays. */
static bool handed_out, keeps_native;

struct stacks {
	struct sampler_count c;
	struct lang_stack l;
	uint64_t user[32];
	struct lang_frame frame[32];
};

/*
 * @native: native frames, innermost first: E and e are in the interpreter (e in its other
 * part), N is the frame that the unwinder handed out, j is a part of the interpreter or is called by one, i is called by it and a part of it, r runs the program, others are elsewhere
 * @lang: frames of the language, innermost first: upper case letters were called from C, digits
 * are functions in C, * is a call for no function of its own, and @ the program
 */
static void make(struct stacks *s, const char *native, const char *lang, enum lang_fate fate)
{
	size_t i;

	memset(s, 0, sizeof(*s));
	for (i = 0; native[i]; i++)
		s->user[i] = native[i] == 'E' ? 0x1010 :
			     native[i] == 'e' ? 0x9010 :
			     native[i] == 'j' ? 0x8010 :
			     native[i] == 'i' ? 0x3010 :
			     native[i] == 'r' ? 0x6010 :
			     native[i] == 'N' ? 0xa010 :
						0x5000 + i;
	s->c.user = s->user;
	s->c.nr_user = i;
	for (i = 0; lang[i]; i++)
		s->frame[i] = (struct lang_frame){ .name = "", .file = "",
						   .entry = lang[i] == '*' ||
							    (lang[i] >= 'A' && lang[i] < 'a'),
						   .in_c = lang[i] >= '0' && lang[i] <= '9',
						   .hidden = lang[i] == '*',
						   .base = lang[i] == '@' };
	s->l = (struct lang_stack){ .kind = LANG_CPYTHON, .fate = fate, .frame = s->frame, .nr = i,
				    .eval = eval, .nr_eval = ARRAY_SIZE(eval),
				    .inner = inner, .nr_inner = ARRAY_SIZE(inner),
				    .native = handed_out ? 0xa010 : 0, .keeps_native = keeps_native,
				    .reruns = reruns, .base = base,
				    .nr_base = ARRAY_SIZE(base) };
	s->c.lang = &s->l;
}

static void merges(const char *native, const char *lang, enum lang_fate fate, bool whole, bool keep,
		   const char *expected, const char *said)
{
	static struct lang_merged m;
	static struct stacks s;
	char got[64];
	uint32_t i;

	make(&s, native, lang, fate);
	record_lang_merge(&s.c, whole, keep, &m);
	for (i = 0; i < m.nr; i++)
		got[i] = m.step[i].lang ? lang[m.step[i].index] : native[m.step[i].index];
	got[i] = '\0';
	assert_string_equal(got, expected);
	if (said)
		assert_string_equal(m.said, said);
	else
		assert_null(m.said);
}

/* PHP's JIT */
static void made_code_is_a_part_of_the_interpreter(void **state)
{
	merges("xjyEz", "bAcB", LANG_WHOLE, true, false, "xbAycBz", NULL);
	merges("xjjyEz", "bAcB", LANG_WHOLE, true, false, "xbAycBz", NULL);
	merges("jjyjz", "bAcB", LANG_WHOLE, true, false, "bAycBz", NULL);
	merges("xjjyEz", "bAcB", LANG_WHOLE, true, true, "xjbAjycBEz", NULL);
}

static void interpreters_run_frames_up_to_an_entry(void **state)
{
	merges("xEyEz", "abCdF", LANG_WHOLE, true, false, "xabCydFz", NULL);
	merges("xEyEz", "abCdF", LANG_WHOLE, true, true, "xabCEydFEz", NULL);
	merges("xeyEz", "abCdF", LANG_WHOLE, true, false, "xabCydFz", NULL);
	merges("Ez", "A", LANG_WHOLE, true, false, "Az", NULL);
	merges("xz", "", LANG_WHOLE, true, false, "xz", NULL);
}

/* Just called, or about to return. */
static void the_innermost_interpreter_may_run_nothing(void **state)
{
	merges("EyEz", "abC", LANG_WHOLE, true, false, "EyabCz", NULL);
	merges("EyEz", "abC", LANG_WHOLE, true, true, "EyabCEz", NULL);
	merges("Ez", "", LANG_WHOLE, true, false, "Ez", NULL);
}

static void stacks_that_end_early_agree_as_far_as_they_go(void **state)
{
	merges("xEy", "abCdF", LANG_WHOLE, false, false, "xabCydF", NULL);
	merges("x", "abCdF", LANG_WHOLE, false, false, "xabCdF", NULL);
	merges("xEyEz", "abCd", LANG_CUT, true, false, "xabCydz", "cut");
	merges("xEyEzEw", "abCd", LANG_TORN, true, false, "xabCydzEw", "torn");
	merges("xEyEz", "ab", LANG_FAULTED, true, false, "xabyEz", "faulted");
}

static void what_does_not_agree_stays(void **state)
{
	merges("xEyEz", "abC", LANG_WHOLE, true, false, "xabCEyEz", "unpaired");
	merges("xEz", "abCdF", LANG_WHOLE, true, false, "xabCdFEz", "unpaired");
	merges("xz", "abC", LANG_WHOLE, true, false, "xzabC", "unpaired");
	merges("EyEyEz", "A", LANG_WHOLE, true, false, "AEyEyEz", "unpaired");
}

static void a_part_of_the_interpreter_goes_with_it(void **state)
{
	merges("xiEyiEz", "abCdF", LANG_WHOLE, true, false, "xabCydFz", NULL);
	merges("xiEyiEz", "abCdF", LANG_WHOLE, true, true, "xiabCEyidFEz", NULL);
	/* elsewhere it is a function like any other */
	merges("ixEyiz", "abC", LANG_WHOLE, true, false, "ixabCyiz", NULL);
	/* it runs no function yet */
	merges("iEyEz", "abC", LANG_WHOLE, true, false, "iEyabCz", NULL);
	merges("xiEyiEz", "ab", LANG_FAULTED, true, false, "xabyiEz", "faulted");
}

static void functions_in_c_need_no_interpreter(void **state)
{
	merges("xEyEz", "1abC2dF", LANG_WHOLE, true, false, "x1abCy2dFz", NULL);
	merges("xEyz", "1aB23", LANG_WHOLE, true, false, "x1aB23yz", NULL);
	merges("xEyz", "1aB23", LANG_WHOLE, true, true, "x1aBE23yz", NULL);
	merges("xz", "12", LANG_WHOLE, true, false, "xz12", NULL);
	merges("xEyz", "1aB2c", LANG_WHOLE, true, false, "x1aB2cEyz", "unpaired");
}

/*
 * Perl's sort: a block is not a function, and the call of the interpreter runs the functions
 * that it calls.
 */
static void calls_for_no_function_run_what_is_before_them(void **state)
{
	merges("xEyErz", "ab*c@", LANG_WHOLE, true, false, "xabyc@rz", NULL);
	merges("xEyErz", "ab*c@", LANG_WHOLE, true, true, "xabEyc@Erz", NULL);
	merges("xEyErz", "*c@", LANG_WHOLE, true, false, "xyc@rz", NULL);
	/*
	 * between two calls: a function that is called repeatedly does not run at this moment
	 */
	merges("xyErz", "ab*c@", LANG_WHOLE, true, false, "xyc@rz", NULL);
	merges("xyErz", "*@", LANG_WHOLE, true, false, "xy@rz", NULL);
	merges("xyErz", "aBc@", LANG_WHOLE, true, false, "xyaBc@Erz", "unpaired");
	merges("xyEr", "ab*c@", LANG_WHOLE, false, false, "xyabrc@", NULL);
}

static void the_program_is_run_by_its_own_call_or_by_none(void **state)
{
	merges("xErz", "a@", LANG_WHOLE, true, false, "xa@rz", NULL);
	/* functions that C code calls later, or in a thread */
	merges("xEyz", "aB@", LANG_WHOLE, true, false, "xaB@yz", NULL);
	merges("xErz", "aB@", LANG_WHOLE, true, false, "xaB@Erz", "unpaired");
}

static void an_interpreter_that_runs_on_within_itself_is_one(void **state)
{
	reruns = true;
	merges("xEiEyErz", "abCd@", LANG_WHOLE, true, false, "xabCyd@rz", NULL);
	merges("xEiEyErz", "abCd@", LANG_WHOLE, true, true, "xEiabCEyd@Erz", NULL);
	merges("xEiErz", "a@", LANG_WHOLE, true, false, "xa@rz", NULL);
	/* by a function */
	merges("xEiwEyErz", "abCd@", LANG_WHOLE, true, false, "xabCyd@rz", NULL);
	merges("xEiwEyErz", "abCd@", LANG_WHOLE, true, true, "xEiwabCEyd@Erz", NULL);
	/* only if the interpreter has called the function that calls it */
	merges("xEiywErz", "aB@", LANG_WHOLE, true, false, "xaBiyw@rz", NULL);
	reruns = false;
	merges("xEiErz", "aB@", LANG_WHOLE, true, false, "xaB@rz", NULL);
}

/* Runtimes whose frames are native ones: BEAM. */
static void frames_take_the_place_of_the_one_that_was_handed_out(void **state)
{
	handed_out = true;
	merges("xyN", "ABC", LANG_WHOLE, false, false, "xyABC", NULL);
	merges("N", "ABC", LANG_WHOLE, false, false, "ABC", NULL);
	merges("xyN", "ABC", LANG_WHOLE, false, true, "xyNABC", NULL);
	merges("xyN", "AB", LANG_TORN, false, false, "xyAB", "torn");
	/* no row is lost where there are no frames */
	merges("xyN", "", LANG_TORN, false, false, "xyN", "torn");
	/* the walk has ended elsewhere */
	merges("xyNz", "AB", LANG_WHOLE, false, false, "xyNzAB", "unpaired");
	merges("xy", "AB", LANG_CUT, false, false, "xyAB", "cut");
	merges("", "AB", LANG_WHOLE, false, false, "AB", "unpaired");
	keeps_native = true;
	merges("xyN", "ABC", LANG_WHOLE, false, false, "xyNABC", NULL);
	keeps_native = handed_out = false;
}

/* The innermost address is where the thread is; the other addresses are return addresses. */
static void the_address_of_a_call_is_before_its_return(void **state)
{
	static struct lang_merged m;
	static struct stacks s;

	make(&s, "xEz", "A", LANG_WHOLE);
	s.user[1] = 0x2000;
	record_lang_merge(&s.c, true, false, &m);
	assert_null(m.said);
	s.user[1] = 0x1000;
	record_lang_merge(&s.c, true, false, &m);
	assert_string_equal(m.said, "unpaired");
}

/* The frames that have called hidden frames. */
static void callers(const char *native, bool keep, const char *expected)
{
	static struct lang_merged m;
	static struct stacks s;
	uint32_t i, nr = 0;
	char got[64];

	make(&s, native, "abCdF", LANG_WHOLE);
	record_lang_merge(&s.c, true, keep, &m);
	for (i = 0; i < m.nr; i++)
		if (m.step[i].caller) {
			assert_false(m.step[i].lang);
			got[nr++] = native[m.step[i].index];
		}
	got[nr] = '\0';
	assert_string_equal(got, expected);
}

static void who_calls_a_hidden_interpreter_is_known(void **state)
{
	callers("xEywEz", false, "yz");
	callers("EyE", false, "y");
	callers("xEyEz", true, "");
	callers("xyz", false, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(interpreters_run_frames_up_to_an_entry),
		cmocka_unit_test(made_code_is_a_part_of_the_interpreter),
		cmocka_unit_test(the_innermost_interpreter_may_run_nothing),
		cmocka_unit_test(stacks_that_end_early_agree_as_far_as_they_go),
		cmocka_unit_test(what_does_not_agree_stays),
		cmocka_unit_test(a_part_of_the_interpreter_goes_with_it),
		cmocka_unit_test(functions_in_c_need_no_interpreter),
		cmocka_unit_test(calls_for_no_function_run_what_is_before_them),
		cmocka_unit_test(the_program_is_run_by_its_own_call_or_by_none),
		cmocka_unit_test(an_interpreter_that_runs_on_within_itself_is_one),
		cmocka_unit_test(frames_take_the_place_of_the_one_that_was_handed_out),
		cmocka_unit_test(the_address_of_a_call_is_before_its_return),
		cmocka_unit_test(who_calls_a_hidden_interpreter_is_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
