/* SPDX-License-Identifier: GPL-2.0-only */
/* Parses a line of /proc/kallsyms. */
#ifndef USTACK_USER_KERNEL_KALLSYMS_LINE_H
#define USTACK_USER_KERNEL_KALLSYMS_LINE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/**
 * struct kallsyms_line - a parsed line
 * @addr: address of the symbol; 0 if addresses are hidden
 * @type: type of the symbol, a letter as in nm(1)
 * @name: name of the symbol, in the line
 * @module: name of the module without brackets, "" for the kernel itself
 */
struct kallsyms_line {
	uint64_t addr;
	char type;
	const char *name;
	const char *module;
};

/**
 * kallsyms_line() - parse a line
 * @line: "ffffffff81000000 T _stext" or "ffffffffc0001000 t f\t[module]", with or without
 *        a newline; it is modified
 * @ret: points into @line; set if true is returned
 *
 * Return: false if the line has another format.
 */
static inline bool kallsyms_line(char *line, struct kallsyms_line *ret)
{
	char *end, *name, *module;

	ret->addr = strtoull(line, &end, 16);
	if (end == line || end[0] != ' ' || !end[1] || end[2] != ' ')
		return false;
	ret->type = end[1];
	name = end + 3;
	name[strcspn(name, "\n")] = '\0';
	module = strchr(name, '\t');
	if (module) {
		*module++ = '\0';
		module += *module == '[';
		module[strcspn(module, "]")] = '\0';
	}
	ret->name = name;
	ret->module = module ? module : "";
	return *name;
}

#endif /* USTACK_USER_KERNEL_KALLSYMS_LINE_H */
