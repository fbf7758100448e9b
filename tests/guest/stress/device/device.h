/* SPDX-License-Identifier: GPL-2.0-only */
/* Declarations for the files of the /dev/ustack system call fuzzer; main.c describes how it works. */
#ifndef STRESS_DEVICE_H
#define STRESS_DEVICE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define PAGE 4096u
#define CREWS 4			/* processes that call the device */
#define CREW_MORTAL 0		/* the crew that is killed again and again */
#define CREW_NOBODY (CREWS - 1)	/* the crew whose callers have no rights */
#define CALLERS 2		/* threads of a crew that call */
#define SLOTS 3			/* descriptors of the device in a crew */
#define SLOT_FIRST 200
#define FILES_END 64		/* descriptors of the files that calls use are below */

enum request { INFO, LOAD, REGION_ADD, REGION_DEL, STATS, PREPARE, AGAIN,
	       UNKNOWN, READ, POLL, OTHER, REQUESTS };

#define ERRORS 14		/* number of errors that one request may fail with */

/* Shared by all processes, also after execve(). Counters are incremented atomically. */
struct shared {
	uint64_t seed;
	unsigned long worked[REQUESTS];
	unsigned long refused[REQUESTS];
	unsigned long errors[REQUESTS][ERRORS];	/* refused requests by error */
	unsigned long by_nobody[REQUESTS];	/* privileged requests that worked without rights */
	unsigned long odd[REQUESTS];		/* requests that failed with an unlisted error */
	int odd_errno[REQUESTS];
	unsigned long calls[CREWS];
	/* rounds of the crew's threads, with calls or without */
	unsigned long alive[CREWS];
	unsigned long starts[CREWS];
	unsigned long opened, closed, interrupted, unloads, busy, kills, execs, forks;
	pid_t newest;				/* process that was started last */
	volatile int stop;
	unsigned long loads_failed;		/* loads that failed for lack of memory */
	volatile int failing;			/* allocations of the module fail */
	double quiet_seconds;			/* time taken by unloads and loads; one writer */
	volatile int quiet;			/* crews close their descriptors and wait */
};

extern struct shared *shared;

#define ADD(counter) __atomic_add_fetch(&(counter), 1, __ATOMIC_RELAXED)

/* ---- calls.c: one call ---- */

/* A thread that makes calls. */
struct caller {
	uint64_t random;
	unsigned int crew;
	bool nobody;
	bool may_wait;		/* another thread interrupts its waits for an event */
	uint8_t *page;		/* the page after it is not mapped; below 4 GiB */
	uint8_t *section;	/* room for a section */
	uint8_t *region;	/* executable memory, of all threads of the crew */
	uint64_t event[3];	/* dev, ino, file_size of the event read last */
};

#define REGION_PAGES 8

/* Reads the sections that requests are made of; ends the program when there is none. */
void calls_init(void);
/* Gives @c memory of its own. @seed: different for each caller of a run. */
void caller_init(struct caller *c, uint64_t seed, unsigned int crew, uint8_t *region);
uint64_t below(struct caller *c, uint64_t n);
/* Makes a random request on a random slot and notes its answer in shared. */
void call_any(struct caller *c);
/* Checks all noted answers. */
void calls_judge(void);

/* ---- crew.c: a process with two callers and a thread that closes under them ---- */

/* Runs until shared->stop, or until it executes itself. Does not return. */
void crew_run(unsigned int crew) __attribute__((noreturn));

/* ---- module.c: what happens to the module meanwhile ---- */

#define MODULE_PARAMS "budget_mb=8"

/*
 * Loads the module. While allocations fail, the first attempts are made with failures; then the
 * failures are paused until it is loaded. Return: false if it cannot be loaded.
 */
bool module_load_again(void);
/* Each of these is a process that runs until shared->stop. */
void unloader_run(void) __attribute__((noreturn));
void meddler_run(uint64_t seed) __attribute__((noreturn));
/* Restores the parameters. */
void module_params_reset(void);

/* ---- failing.c: allocations of the module that fail ---- */

/* Loads the module many times while one allocation of each load fails. Context: before the run. */
void failing_loads(void);
void failing_start(void);
/* For a while no allocation fails. Both do nothing where failures were not started. */
void failing_pause(void);
void failing_resume(void);
void failing_stop(void);
/* Checks that allocations failed, loads of the module among them. Context: after the run. */
void failing_judge(void);

#endif
