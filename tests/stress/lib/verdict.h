/* SPDX-License-Identifier: GPL-2.0-only */
/* Plugs of all kinds, places for them, and verdicts of their samples. */
#ifndef STRESS_VERDICT_H
#define STRESS_VERDICT_H

#include "plug.h"
#include "stress.h"

/* Samples that a verdict is made of. */
extern unsigned long samples_wanted;

/* plugs[1] to plugs[4]; [0] is unused */
extern struct plug plugs[PLUG_KINDS + 1];

/* Reads plugs[] from /plugs. */
void plugs_read(void);
/* Writes the plug of this kind as a new file. Return: it, open for reading. */
int plug_file(int kind, const char *path);
/* A place for plugs that nothing else is mapped at. */
void *place(void);

bool is_whole(const struct tally *t);
/* check() that all samples of the plug at @text are whole. */
bool check_whole(const void *text, const char *what);
/* In a child: 0 if they are; to be given to _exit(). */
int whole_status(const void *text);
/* Waits for a child. Return: its exit status, 128 + N when killed. */
int reap(int pid);
void tally_add(struct tally *sum, const struct tally *t);
void check_sum(const struct tally *sum, const char *what);

/* A module that knows this program. */
void fresh_module(const char *params);
void no_module(void);

#endif
