/* SPDX-License-Identifier: GPL-2.0-only */
/* Why the kernel refuses something, and what fixes that. */
#ifndef USTACK_USER_SAMPLER_REFUSAL_H
#define USTACK_USER_SAMPLER_REFUSAL_H

#include <bpf/libbpf.h>
#include <stdarg.h>
#include <stdint.h>

#include "util/diag.h"

/*
 * Checks that this process is in the first PID namespace, whose process numbers
 * BPF programs see. Return: 0; -EOPNOTSUPP in another PID namespace; another
 * negative errno.
 */
int refusal_namespace(struct diag *diag);

/*
 * Checks what every program needs: the first PID namespace, and BTF of the
 * kernel. Return: 0 or a negative errno.
 */
int refusal_probe(struct diag *diag);

/*
 * refusal_note() is for libbpf_set_print(): it keeps the first warning since
 * refusal_clear(), for refusal_load() and refusal_attach().
 */
void refusal_clear(void);
int refusal_note(enum libbpf_print_level level, const char *format, va_list args);

/**
 * refusal_load() - a program was not loaded or not attached
 * @err: positive errno
 * @what: text that follows "the program" in the message, such as "that samples"
 * @diag: may be NULL
 *
 * Return: -@err.
 */
int refusal_load(int err, const char *what, struct diag *diag);

/**
 * refusal_event() - perf_event_open(2) failed
 * @err: positive errno
 * @name: name of the event
 * @frequency: samples a second that were asked for, or 0
 * @diag: may be NULL
 *
 * Return: -@err.
 */
int refusal_event(int err, const char *name, uint64_t frequency, struct diag *diag);

/* For a tracepoint that tracefs_has() did not find. Return: -ENOENT. */
int refusal_tracepoint(const char *name, struct diag *diag);

/**
 * refusal_attach() - a tracepoint, kprobe or uprobe was not attached
 * @err: positive errno
 * @name: name of the event
 * @diag: may be NULL
 *
 * Return: -@err.
 */
int refusal_attach(int err, const char *name, struct diag *diag);

#endif /* USTACK_USER_SAMPLER_REFUSAL_H */
