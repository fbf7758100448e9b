/* SPDX-License-Identifier: GPL-2.0-only */
/* Helpers of all stress programs: verdicts, files, the module. */
#ifndef STRESS_H
#define STRESS_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))

/* Reports trouble with the test itself and exits with status 2. */
void die(const char *format, ...) PRINTF(1, 2) __attribute__((noreturn));
void die_errno(const char *what) __attribute__((noreturn));

/* Prints one line of a verdict; a false one makes finish() return 1. */
bool check(bool good, const char *format, ...) PRINTF(2, 3);
/* Prints a line for people. */
void say(const char *format, ...) PRINTF(1, 2);
/* Reports a test that this machine cannot run, and why. */
void skip(const char *format, ...) PRINTF(1, 2);
/*
 * Prints the line of results (see tests/lib/README); @name is the name of the test. Return: the
 * exit status. It is a failure if no check was made, or all were skipped.
 */
int finish(const char *name);
/* Number of checks that have failed so far. */
unsigned int failures(void);

double seconds(void);

/* The contents are malloc'ed, with a NUL at the end. */
uint8_t *file_read(const char *path, size_t *len);
void file_write(const char *path, const char *text);
/* Return: whether it worked; prints nothing. */
bool file_try_write(const char *path, const char *text);
void file_create(const char *path, const void *bytes, size_t len);
/* Return: a figure of /proc/meminfo in kB, such as "MemAvailable"; 0 if there is none. */
unsigned long meminfo_kb(const char *name);

/* ---- the module ---- */

#define MODULE_FILE "/ustack.ko"

/* Return: 0 or -errno. */
int module_load(const char *params);
int module_unload(void);
/* Makes the module learn the caller, which may have started before it. */
void module_prepare(void);
/* Makes the module learn all other processes, too. */
void module_prepare_all(void);
bool module_loaded(void);
/* A figure of /proc/ustack/stat, e.g. "table_bytes" or a reason; 0 if it is missing. */
unsigned long long module_stat(const char *name);
/* Copies the line of /proc/ustack/images that contains @text; false if there is none. */
bool module_image(const char *text, char *line, size_t size);
/* The word of such a line that is "own", "partial", "loaded", "NEW" or a reason. */
void module_image_state(const char *line, char state[32]);
/* Whether that word says that the table is from the file's own section. */
bool module_state_is_own(const char *state);
/* Sets /sys/module/ustack/parameters/NAME. */
bool module_param(const char *name, const char *value);

#endif
