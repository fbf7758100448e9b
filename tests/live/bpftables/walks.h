/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads the file that tests/live/bpftables/chains writes, and finds the walk of a sample in it.
 *
 * Every function ends the program with a message if a file cannot be read.
 */
#ifndef BPFTABLES_WALKS_H
#define BPFTABLES_WALKS_H

#include <stddef.h>
#include <stdint.h>

#include "chain.h"

/**
 * struct walks - the walks of a file
 * @at: walks, sorted by thread and time
 * @nr: number of @at
 */
struct walks {
	const struct chain **at;
	size_t nr;
};

/* Return: the walks of the file @path, which stay until the program ends. */
struct walks walks_read(const char *path);

/**
 * walks_find() - find the walk of a sample
 * @all: walks
 * @tid: thread of the sample
 * @time: time of the sample
 * @pc: pc of the sample
 * @sp: stack pointer of the sample
 *
 * It is the thread's walk that is nearest to the sample in time, with the same pc and SP: kernels
 * before 6.3 take a sample's time after the program has run, later ones before it.
 *
 * Return: the walk, or NULL
 */
const struct chain *walks_find(const struct walks *all, uint32_t tid, uint64_t time, uint64_t pc,
			       uint64_t sp);

#endif
