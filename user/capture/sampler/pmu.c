// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads the descriptions of PMUs in sysfs and turns an event's terms into
 * config words. See pmu.h.
 */
#include "capture/sampler/pmu.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/options.h"

#include "util/poison.h"

/*
 * An event may be described by other events; none of today's goes deeper than
 * one level.
 */
#define MAX_DEPTH 4

/* Reads a file of sysfs without its newline. Return: 0 or a negative errno. */
static int read_text(const char *pmus, const char *pmu, const char *folder, const char *name,
		     char text[PMU_TEXT])
{
	char path[8192];
	ssize_t len;
	int fd;

	/* names come from the user and must not leave the folder */
	if (!*name || !*pmu || strchr(name, '/') || *name == '.' || *pmu == '.')
		return -ENOENT;
	if (snprintf(path, sizeof(path), "%s/%s%s/%s", pmus, pmu, folder, name) >=
	    (int)sizeof(path))
		return -ENOENT;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return errno == ENAMETOOLONG ? -ENOENT : -errno;	/* no file has such a name */
	len = read(fd, text, PMU_TEXT - 1);
	close(fd);
	if (len < 0)
		return -errno;
	text[len] = '\0';
	text[strcspn(text, "\n")] = '\0';
	return 0;
}

/*
 * Parses "7" or "0-7". Return: the rest of the text, NULL if this is no range
 * of bits.
 */
static const char *parse_bits(const char *s, unsigned int *first, unsigned int *last)
{
	char *end;

	if (*s < '0' || *s > '9')
		return NULL;
	*first = *last = strtoul(s, &end, 10);
	if (*end == '-') {
		if (end[1] < '0' || end[1] > '9')
			return NULL;
		*last = strtoul(end + 1, &end, 10);
	}
	return *first <= *last && *last < 64 ? end : NULL;
}

int pmu_put(const char *format, uint64_t value, uint64_t config[3])
{
	unsigned int word = 0, first, last;
	uint64_t bits = 0, mask = 0;

	if (strncmp(format, "config", 6))
		return -EINVAL;
	format += 6;
	if (*format == '1' || *format == '2')
		word = *format++ - '0';
	do {
		if (*format != (mask ? ',' : ':'))
			return -EINVAL;
		format = parse_bits(format + 1, &first, &last);
		if (!format)
			return -EINVAL;
		for (; first <= last; first++, value >>= 1) {
			mask |= 1ull << first;
			bits |= (value & 1) << first;
		}
	} while (*format);
	if (value)
		return -ERANGE;
	config[word] = (config[word] & ~mask) | bits;
	return 0;
}

static int add_terms(const char *pmus, const char *pmu, char *terms, struct pmu_event *ev,
		     unsigned int depth, struct diag *diag);

/* The terms "config", "config1" and "config2" need no format file. */
static bool put_config(const char *name, uint64_t value, uint64_t config[3])
{
	unsigned int word = 0;

	if (strncmp(name, "config", 6))
		return false;
	if (name[6]) {
		if ((name[6] != '1' && name[6] != '2') || name[7])
			return false;
		word = name[6] - '0';
	}
	config[word] = value;
	return true;
}

static int add_event(const char *pmus, const char *pmu, const char *name, struct pmu_event *ev,
		     unsigned int depth, struct diag *diag)
{
	char text[PMU_TEXT];
	int err = read_text(pmus, pmu, "/events", name, text);

	if (err)
		return diag_set(diag, -err, NULL, "PMU %s has no event or term \"%s\"", pmu, name);
	if (depth >= MAX_DEPTH)
		return diag_set(diag, EINVAL, NULL, "event \"%s\" of PMU %s is made of itself", name,
				pmu);
	return add_terms(pmus, pmu, text, ev, depth + 1, diag);
}

static int add_term(const char *pmus, const char *pmu, char *term, struct pmu_event *ev,
		    unsigned int depth, struct diag *diag)
{
	char *equals = strchr(term, '='), format[PMU_TEXT];
	uint64_t value = 1;
	int err;

	if (equals) {
		*equals = '\0';
		if (!option_parse_u64(equals + 1, &value))
			return diag_set(diag, EINVAL, NULL, "\"%s\" of term \"%s\" is no number",
					equals + 1, term);
	}
	err = read_text(pmus, pmu, "/format", term, format);
	if (err && equals && put_config(term, value, ev->config))
		return 0;
	if (err && !equals)
		return add_event(pmus, pmu, term, ev, depth, diag);
	if (err)
		return diag_set(diag, -err, NULL, "PMU %s has no term \"%s\"", pmu, term);
	err = pmu_put(format, value, ev->config);
	if (err == -ERANGE)
		return diag_set(diag, EINVAL, NULL, "%#llx does not fit term \"%s\" (%s)",
				(unsigned long long)value, term, format);
	if (err)
		return diag_set(diag, EINVAL, NULL, "format \"%s\" of term \"%s\" is not understood",
				format, term);
	return 0;
}

/* @terms is cut into pieces. */
static int add_terms(const char *pmus, const char *pmu, char *terms, struct pmu_event *ev,
		     unsigned int depth, struct diag *diag)
{
	char *term, *save = NULL;
	int err = 0;

	for (term = strtok_r(terms, ",", &save); term && !err; term = strtok_r(NULL, ",", &save))
		err = add_term(pmus, pmu, term, ev, depth, diag);
	return err;
}

int pmu_event(const char *pmus, const char *pmu, const char *terms, struct pmu_event *ret,
	      struct diag *diag)
{
	char text[PMU_TEXT];
	struct pmu_event ev = { 0 };
	uint64_t type;
	int err;

	if (!*pmu || strchr(pmu, '/') || read_text(pmus, pmu, "", "type", text))
		return diag_set(diag, ENOENT, NULL, "there is no PMU \"%s\" in %s", pmu, pmus);
	if (!option_parse_u64(text, &type) || type > UINT32_MAX)
		return diag_set(diag, EINVAL, NULL, "PMU %s has type \"%s\"", pmu, text);
	ev.type = type;
	if (strlen(terms) >= sizeof(text))
		return diag_set(diag, EINVAL, NULL, "more terms than PMU %s can have", pmu);
	strcpy(text, terms);
	err = add_terms(pmus, pmu, text, &ev, 0, diag);
	if (!err)
		*ret = ev;
	return err;
}
