/* SPDX-License-Identifier: GPL-2.0-only */
/* The part of ustack supply that serves eBPF programs instead of the module. */
#ifndef USTACK_USER_CMD_SUPPLY_BPF_H
#define USTACK_USER_CMD_SUPPLY_BPF_H

#include <stdint.h>

#include "supply/tables/pins.h"

/**
 * struct supply_bpf - options
 * @pins: folder of a BPF file system, PINS_DIR or another
 * @memory: bytes of the kernel's memory that tables may take
 */
struct supply_bpf {
	const char *pins;
	uint64_t memory;
};

/* Keeps tables until SIGINT or SIGTERM. Return: exit status. */
int supply_bpf_run(const struct supply_bpf *o);

#endif /* USTACK_USER_CMD_SUPPLY_BPF_H */
