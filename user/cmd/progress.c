// SPDX-License-Identifier: GPL-2.0-only
/* The progress line on standard error of commands that work for a long time. */
#include "cmd/progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "util/clock.h"
#include "util/screen.h"

#include "util/poison.h"

#define INTERVAL 0.25	/* seconds */

/* Moves to the start of the line, and clears the line. */
#define WIPE "\r\033[K"

double progress_seconds(void)
{
	return (double)clock_ns(CLOCK_MONOTONIC) / 1e9;
}

void progress_init(struct progress *p, const char *what)
{
	*p = (struct progress){
		.what = what, .said = progress_seconds(),
		.on_terminal = isatty(STDERR_FILENO),
	};
}

bool progress_due(struct progress *p)
{
	double t;

	if (!p->on_terminal)
		return false;
	t = progress_seconds();
	if (t - p->said < INTERVAL)
		return false;
	p->said = t;
	return true;
}

void progress_say(struct progress *p, const char *fmt, ...)
{
	va_list args;

	fputs(WIPE, stderr);
	va_start(args, fmt);
	vfprintf(stderr, fmt, args);
	va_end(args);
	fflush(stderr);
	p->shown = true;
}

void progress_wipe(struct progress *p)
{
	if (p->shown)
		fputs(WIPE, stderr);
	p->shown = false;
}

void progress_percent(void *arg, uint64_t done, uint64_t total)
{
	struct progress *p = arg;

	if (total && progress_due(p))
		progress_say(p, "%s: %u %%", p->what, (unsigned int)(done * 100 / total));
}

void progress_note(struct progress *p, const char *text)
{
	char line[1024];

	progress_wipe(p);
	fprintf(stderr, "ustack: %s\n", screen_text(text, line, sizeof(line)));
}

void progress_names(struct progress *p, unsigned int done, unsigned int all, const char *path)
{
	char shown[256];

	if (progress_due(p))
		progress_say(p, "names: %u of %u files, %s", done, all,
			     screen_text(path, shown, sizeof(shown)));
}
