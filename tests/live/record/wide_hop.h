/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * struct wide_step - a call of wide.c's chain
 * @call: called with the step itself; calls the next step
 * @calls: counts the calls, so that there is work after each call
 */
struct wide_step {
	void (*call)(struct wide_step *step);
	unsigned long calls;
};
