// SPDX-License-Identifier: GPL-2.0-only
/* Finds and reads the configuration that the running kernel was built with. */
#include "cmd/doctor/config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "cmd/doctor/look.h"

#include "util/poison.h"

/*
 * Reads a file, compressed or not: gzread() passes uncompressed data on. Return: the text, NULL
 * if there is none.
 */
static char *read_any(const char *path)
{
	gzFile f = gzopen(path, "rbe");
	char *text = NULL;
	size_t room = 0, len = 0;
	int n = 1;

	while (f && n > 0 && len < CONFIG_MAX) {
		if (len + 1 >= room) {
			char *more = realloc(text, room = room ? 2 * room : 65536);

			if (!more)
				break;
			text = more;
		}
		n = gzread(f, text + len, (unsigned int)(room - len - 1));
		if (n > 0)
			len += (size_t)n;
	}
	/* only gzclose() reports a file that ended too early */
	if (f && gzclose(f) != Z_OK)
		n = -1;
	if (n || !len) {
		free(text);
		return NULL;
	}
	text[len] = '\0';
	return text;
}

bool kernel_config_read(const struct doctor_options *o, struct kernel_config *ret)
{
	static const char *const places[] = {
		"/proc/config.gz", "/boot/config-%s", "/lib/modules/%s/config",
		"/lib/modules/%s/build/.config",
	};
	char release[LOOK_TEXT], path[PATH_MAX];
	unsigned int i;

	look_release(o, release);
	*ret = (struct kernel_config){ .text = NULL };
	for (i = 0; i < sizeof(places) / sizeof(places[0]) && !ret->text; i++) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
		snprintf(ret->path, sizeof(ret->path), places[i], release);
#pragma GCC diagnostic pop
		look_path(o, path, "%s", ret->path);
		ret->text = read_any(path);
	}
	return ret->text != NULL;
}

void kernel_config_release(struct kernel_config *c)
{
	free(c->text);
	c->text = NULL;
}

char kernel_config_get(const struct kernel_config *c, const char *option)
{
	size_t len = strlen(option);
	const char *line;

	for (line = c->text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (!strncmp(line, "CONFIG_", 7) && !strncmp(line + 7, option, len) &&
		    line[7 + len] == '=')
			return strchr("nm", line[8 + len]) ? line[8 + len] : 'y';
	}
	return 'n';
}
