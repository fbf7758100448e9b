/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * struct wide_step - a call of wide.c's chain
 * @call: is called with the step itself, and calls the next one
 * @calls: counts, so that something is done after each call
 */
struct wide_step {
	void (*call)(struct wide_step *step);
	unsigned long calls;
};
