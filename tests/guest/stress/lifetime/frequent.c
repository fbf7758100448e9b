// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs a program, samples it, and finds the most frequent stack without its pc (frequent.h).
 * followed.c compares the kernel's stacks with the module's by it.
 */
#include "frequent.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lifetime.h"

struct tails {
	unsigned int nr;
	struct {
		char text[CALLERS_BYTES];
		unsigned long count;
	} tail[64];
};

static void add(const struct sample *sample, void *arg)
{
	struct tails *tails = arg;
	unsigned int i, len = 0;
	char text[CALLERS_BYTES] = "";

	for (i = 1; i < sample->nr && len + 24 < sizeof(text); i++)
		len += snprintf(text + len, sizeof(text) - len, " %llx",
				(unsigned long long)sample->ips[i]);
	for (i = 0; i < tails->nr && strcmp(tails->tail[i].text, text); i++)
		;
	if (i == sizeof(tails->tail) / sizeof(tails->tail[0]))
		return;
	if (i == tails->nr) {
		strcpy(tails->tail[i].text, text);
		tails->tail[i].count = 0;
		tails->nr++;
	}
	tails->tail[i].count++;
}

unsigned long frequent_callers(const char *path, char *tail, size_t size)
{
	struct tails *tails = calloc(1, sizeof(*tails));
	unsigned int i, best = 0;
	unsigned long count = 0;
	int gate[2], pid;
	struct sampler s;
	char byte;

	if (!tails || pipe(gate))
		die_errno("frequent_callers");
	fflush(stdout);
	pid = fork();
	if (!pid) {
		close(gate[1]);
		if (read(gate[0], &byte, 1) == 1)
			execl(path, path, NULL);
		_exit(99);
	}
	sampler_open_exec(&s, pid, 200000);
	if (write(gate[1], "", 1) != 1)
		die_errno("write");
	close(gate[0]);
	close(gate[1]);
	if (!reap(pid))
		sampler_drain(&s, add, tails);
	sampler_close(&s);
	for (i = 0; i < tails->nr; i++)
		if (tails->tail[i].count > tails->tail[best].count)
			best = i;
	if (tails->nr) {
		count = tails->tail[best].count;
		snprintf(tail, size, "%s", tails->tail[best].text);
	}
	free(tails);
	return count;
}
