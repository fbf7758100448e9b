/* SPDX-License-Identifier: GPL-2.0-only */
/* What all stress programs share: verdicts, files, the module. */
#ifndef STRESS_H
#define STRESS_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))

/* Trouble with the test itself: says it and exits with status 2. */
void die(const char *format, ...) PRINTF(1, 2) __attribute__((noreturn));
void die_errno(const char *what) __attribute__((noreturn));

/* One line of a verdict; a false one makes finish() return 1. */
bool check(bool good, const char *format, ...) PRINTF(2, 3);
/* A line for people. */
void say(const char *format, ...) PRINTF(1, 2);
/* A test that this machine cannot do, and why. */
void skip(const char *format, ...) PRINTF(1, 2);
/*
 * Prints the line of results (see tests/lib/README); @name is the test's.
 * Return: the exit status. No check made, or all skipped, is a failure.
 */
int finish(const char *name);
/* How many checks failed so far. */
unsigned int failures(void);

double seconds(void);

uint8_t *file_read(const char *path, size_t *len);	/* malloc'ed, NUL behind */
void file_write(const char *path, const char *text);
/* Return: whether it worked; says nothing. */
bool file_try_write(const char *path, const char *text);
void file_create(const char *path, const void *bytes, size_t len);

/* ---- the module ---- */

#define MODULE_FILE "/ustack.ko"

/* Return: 0 or -errno. */
int module_load(const char *params);
int module_unload(void);
/* Teaches it the caller, which may be older than it. */
void module_prepare(void);
/* And all other processes. */
void module_prepare_all(void);
bool module_loaded(void);
/* A figure of /proc/ustack/stat, e.g. "table_bytes" or a reason; 0 if absent. */
unsigned long long module_stat(const char *name);
/* Copies the line of /proc/ustack/images that holds @text; false if none. */
bool module_image(const char *text, char *line, size_t size);
/* The word of such a line that is "own", "loaded", "NEW" or a reason. */
void module_image_state(const char *line, char state[32]);
/* /sys/module/ustack/parameters/NAME */
bool module_param(const char *name, const char *value);

#endif
