// SPDX-License-Identifier: GPL-2.0-only
/*
 * Configurations of any bytes: they are refused with a reason, or parsed into
 * what the header promises, and into the same when parsed again. A line "%%%"
 * begins another file, which overrides the files before it. The environment has
 * a few variables with names of one and three letters.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "serve/daemon/config.h"
#include "serve/daemon/labels.h"
#include "must.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_push(const struct daemon_config *c)
{
	size_t i, k;

	for (i = 0; i < c->nr_push; i++) {
		const struct config_push *p = &c->push[i];

		must(p->name && *p->name && !strchr(p->name, '/') && *p->name != '.');
		must(p->type < PUSH_NR_TYPES);
		must(!strncmp(p->url, "http", 4));
		must(!p->user == !p->password_file && !(p->user && p->token_file));
		must(p->batch && p->timeout_ns);
		for (k = 0; k < i; k++)
			must(strcmp(p->name, c->push[k].name));
		for (k = 0; k < p->headers.nr; k++)
			must(!strpbrk(p->headers.pair[k].name, "\r\n: ") &&
			     !strpbrk(p->headers.pair[k].value, "\r\n"));
	}
}

static void check(const struct daemon_config *c)
{
	const struct config_sampling *s = &c->sampling;
	size_t i;

	must(s->frequency && s->min_frequency && s->min_frequency <= s->frequency);
	must(s->window_ns && s->mode <= RECORD_COPY && s->cpu_budget <= CONFIG_WHOLE);
	must(labels_is_name(s->samples_per_hour.label));
	for (i = 0; i < s->samples_per_hour.nr; i++)
		must(s->samples_per_hour.target[i].name);
	must(c->labels.nr);
	for (i = 0; i < c->labels.nr; i++)
		must(labels_is_name(c->labels.pair[i].name) && c->labels.pair[i].value);
	must(c->relabel && c->store.path[0] == '/' && c->user && c->symbols.servers);
	for (i = 0; i < c->http.nr_listen; i++)
		must(c->http.listen[i].loopback || c->http.token_file);
	check_push(c);
}

#define SEPARATOR "%%%\n"
#define MAX_FILES 8

/* Cuts the input at its separators. Return: number of files. */
static size_t cut(const uint8_t *data, size_t size, struct config_file *files)
{
	const char *at = (const char *)data, *end = at + size, *next;
	size_t nr = 0;

	do {
		next = memmem(at, (size_t)(end - at), SEPARATOR, strlen(SEPARATOR));
		if (nr == MAX_FILES - 1)
			next = NULL;
		files[nr++] = (struct config_file){ "f", at, (size_t)((next ?: end) - at) };
		at = next ? next + strlen(SEPARATOR) : end;
	} while (next);
	return nr;
}

static void set_environment(void)
{
	setenv("U", "alice", 1);
	setenv("N", "12", 1);
	setenv("E", "", 1);
	setenv("BAD", "\xff", 1);
	setenv("NUL", "null", 1);
	setenv("REF", "${U}", 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct daemon_config c = { 0 }, again = { 0 };
	struct config_file files[MAX_FILES];
	struct diag diag = { 0 };
	size_t nr;
	int err;

	set_environment();
	nr = cut(data, size, files);
	err = config_parse_files(files, nr, &c, &diag);
	must(!err || (err == -EINVAL && *diag.text && diag.file));
	if (err) {
		must(!c.relabel);
		return 0;
	}
	check(&c);
	must(!config_parse_files(files, nr, &again, NULL));
	must(!config_changes(&c, &again));
	config_free(&c);
	config_free(&again);
	return 0;
}
