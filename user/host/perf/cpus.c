// SPDX-License-Identifier: GPL-2.0-only
/* Reads sets of CPUs from text and from /sys, see cpus.h. */
#include "host/perf/cpus.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/poison.h"

unsigned int cpus_end(const struct cpus *cpus)
{
	unsigned int cpu = CPUS_MAX;

	while (cpu && !cpus_has(cpus, cpu - 1))
		cpu--;
	return cpu;
}

static int refuse(const char *list, struct diag *diag)
{
	return diag_set(diag, EINVAL, list, "CPUs are a list such as 0-3,7, below %u", CPUS_MAX);
}

/* Return: the text after the number, NULL if there is no number below CPUS_MAX. */
static const char *parse_cpu(const char *s, unsigned int *ret)
{
	const char *digit = s;

	*ret = 0;
	for (; *digit >= '0' && *digit <= '9'; digit++) {
		*ret = *ret * 10 + (*digit - '0');
		if (*ret >= CPUS_MAX)
			return NULL;
	}
	return digit == s ? NULL : digit;
}

int cpus_parse(const char *list, struct cpus *ret, struct diag *diag)
{
	struct cpus cpus = { 0 };
	unsigned int first, last;
	const char *at = list;

	for (;;) {
		at = parse_cpu(at, &first);
		last = first;
		if (at && *at == '-')
			at = parse_cpu(at + 1, &last);
		if (!at || first > last)
			return refuse(list, diag);
		for (; first <= last; first++)
			cpus_add(&cpus, first);
		if (*at != ',')
			break;
		at++;
	}
	if (strcmp(at, "") && strcmp(at, "\n"))
		return refuse(list, diag);
	*ret = cpus;
	return 0;
}

static int read_cpus(const char *path, struct cpus *ret, struct diag *diag)
{
	char text[4096];
	ssize_t len;
	int fd = open(path, O_RDONLY | O_CLOEXEC), err = 0;

	if (fd < 0)
		return diag_errno(diag, errno, path);
	len = read(fd, text, sizeof(text) - 1);
	if (len < 0)
		err = diag_errno(diag, errno, path);
	close(fd);
	if (err)
		return err;
	text[len] = '\0';
	err = cpus_parse(text, ret, diag);
	if (err && diag)
		diag->file = path;
	return err;
}

int cpus_online(struct cpus *ret, struct diag *diag)
{
	return read_cpus(CPUS_ONLINE, ret, diag);
}

int cpus_possible(struct cpus *ret, struct diag *diag)
{
	return read_cpus(CPUS_POSSIBLE, ret, diag);
}
