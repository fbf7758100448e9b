/* SPDX-License-Identifier: GPL-2.0-only */
/* Why the kernel does not do it, and what mends that. */
#ifndef USTACK_USER_SAMPLER_REFUSAL_H
#define USTACK_USER_SAMPLER_REFUSAL_H

#include <bpf/libbpf.h>
#include <stdarg.h>
#include <stdint.h>

#include "util/diag.h"

/*
 * Whether processes have the numbers here that the kernel's programs see: not in a PID namespace.
 * Return: 0; -EOPNOTSUPP: they have others; another negative errno.
 */
int refusal_namespace(struct diag *diag);

/*
 * What has to be there, whatever is sampled: the kernel's own process numbers, and BTF. Return: 0 or a
 * negative errno.
 */
int refusal_probe(struct diag *diag);

/* For libbpf_set_print(): keeps the first warning since refusal_clear(), for refusal_load()
 * and refusal_attach().
 */
void refusal_clear(void);
int refusal_note(enum libbpf_print_level level, const char *format, va_list args);

/**
 * refusal_load() - a program was not loaded or not attached
 * @err: positive errno
 * @what: "that samples"
 * @diag: may be NULL
 *
 * Return: -@err.
 */
int refusal_load(int err, const char *what, struct diag *diag);

/**
 * refusal_event() - perf_event_open(2) failed
 * @err: positive errno
 * @name: of the event
 * @frequency: that was asked for, or 0
 * @diag: may be NULL
 *
 * Return: -@err.
 */
int refusal_event(int err, const char *name, uint64_t frequency, struct diag *diag);

/* There is no such tracepoint: tracefs_has() says so. Return: -ENOENT. */
int refusal_tracepoint(const char *name, struct diag *diag);

/**
 * refusal_attach() - a tracepoint, kprobe or uprobe was not attached
 * @err: positive errno
 * @name: of the event
 * @diag: may be NULL
 *
 * Return: -@err.
 */
int refusal_attach(int err, const char *name, struct diag *diag);

#endif /* USTACK_USER_SAMPLER_REFUSAL_H */
