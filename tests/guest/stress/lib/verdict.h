/* SPDX-License-Identifier: GPL-2.0-only */
/* Plugs of all kinds, places for them, and verdicts of their samples. */
#ifndef STRESS_VERDICT_H
#define STRESS_VERDICT_H

#include "plug.h"
#include "stress.h"

/* Number of samples for one verdict. */
extern unsigned long samples_wanted;

/* plugs[1] to plugs[4]; [0] is unused */
extern struct plug plugs[PLUG_KINDS + 1];

/* Reads plugs[] from /plugs. */
void plugs_read(void);
/* Writes the plug of this kind as a new file. Return: descriptor of the file, for reading. */
int plug_file(int kind, const char *path);
/* Return: an address for plugs at which nothing else is mapped. */
void *place(void);

bool is_whole(const struct tally *t);
/* Checks that all samples of the plug at @text are whole. */
bool check_whole(const void *text, const char *what);
/* The same in a child. Return: 0 if they are whole; the child passes it to _exit(). */
int whole_status(const void *text);
/* Waits for a child. Return: its exit status, or 128 + N if signal N killed it. */
int reap(int pid);
void tally_add(struct tally *sum, const struct tally *t);
void check_sum(const struct tally *sum, const char *what);

/* Loads the module and makes it learn this program. */
void fresh_module(const char *params);
void no_module(void);

#endif
