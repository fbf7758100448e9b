// SPDX-License-Identifier: GPL-2.0-only
/* No stack of code with frame pointers is shorter than the kernel's own. */
#include <stdlib.h>
#include <string.h>

#include "lifetime.h"
#include "frequent.h"

/* Frames of the program except the sampled one, from the copied code up to _start. */
#define FRAMED_CALLERS 11

static unsigned int words(const char *text)
{
	unsigned int n = 0;

	for (; *text; text++)
		n += *text == ' ';
	return n;
}

/* The kernel takes the word above _start's record, argc or 0, for its return address. */
static void drop_argc(char *text)
{
	char *last = strrchr(text, ' ');

	if (last && strtoul(last, NULL, 16) < 4096)
		*last = '\0';
}

void test_followed(void)
{
	char own[CALLERS_BYTES], got[CALLERS_BYTES], proven[CALLERS_BYTES];
	unsigned long long guessed;
	unsigned long n, m;

	no_module();
	n = frequent_callers("/framed", own, sizeof(own));
	drop_argc(own);
	check(words(own) >= FRAMED_CALLERS, "the kernel's own: %lu samples of%s", n, own);
	fresh_module("");
	m = frequent_callers("/framed", got, sizeof(got));
	check(n && m && !strcmp(own, got), "without a table: %lu samples%s", m, got);
	guessed = module_stat("guessed_stacks");
	check(guessed >= m, "%llu stacks are marked as guessed", guessed);

	fresh_module("guess=0");
	m = frequent_callers("/framed", proven, sizeof(proven));
	check(m && !strncmp(own, proven, strlen(proven)),
	      "what is proven of it is right: %lu samples%s", m, proven);
	check(!module_stat("guessed_stacks"), "and nothing else is shown");

	/*
	 * the program makes direct calls only, and nothing on the stack contradicts the frame
	 * pointers
	 */
	no_module();
	n = frequent_callers("/spin64", own, sizeof(own));
	drop_argc(own);
	fresh_module("guess=0");
	m = frequent_callers("/spin64", got, sizeof(got));
	check(n && m && words(got) >= 3 && !strncmp(own, got, strlen(got)),
	      "frame pointers, proven: %lu samples%s of%s", m, got, own);
	fresh_module("");
}
