// SPDX-License-Identifier: GPL-2.0-only
/* Trials on this machine: events, an eBPF program, and the module's answers. */
#include "cmd/doctor/doctor.h"

#include <errno.h>
#include <linux/bpf.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "host/module/module.h"
#include "host/perf/event.h"
#include "util/cleanup.h"

#include "util/poison.h"

static int try_event(enum doctor_event event, bool own)
{
	struct perf_event_attr attr = {
		.type = event == DOCTOR_CYCLES ? PERF_TYPE_HARDWARE : PERF_TYPE_SOFTWARE,
		.config = event == DOCTOR_CYCLES ? PERF_COUNT_HW_CPU_CYCLES :
						   PERF_COUNT_SW_CPU_CLOCK,
		.freq = 1,
		.sample_freq = 99,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID,
		.disabled = 1,
		.exclude_kernel = own,
		.exclude_hv = own,
	};
	/* CPU 0 may be offline; the CPU that this runs on is not */
	unsigned int cpu = 0;
	int fd;

	syscall(SYS_getcpu, &cpu, NULL, NULL);
	fd = perf_open(&attr, own ? 0 : -1, own ? -1 : (int)cpu);
	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

/* Loads a program of the kind that the sampler loads; it returns 0. */
static int try_bpf(void)
{
	static const struct bpf_insn program[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	union bpf_attr attr;
	int fd;

	memset(&attr, 0, sizeof(attr));
	attr.prog_type = BPF_PROG_TYPE_PERF_EVENT;
	attr.insns = (uintptr_t)program;
	attr.insn_cnt = sizeof(program) / sizeof(program[0]);
	attr.license = (uintptr_t)"GPL";
	fd = (int)syscall(SYS_bpf, BPF_PROG_LOAD, &attr, sizeof(attr));
	if (fd < 0)
		return -errno;
	close(fd);
	return 0;
}

static int ask_info(struct ustack_info *ret, char text[256])
{
	_cleanup_(module_release) struct module m = MODULE_INIT;
	struct diag diag;
	int err = module_open(&m, &diag);

	if (!err)
		err = module_info(&m, ret, &diag);
	if (err)
		memcpy(text, diag.text, sizeof(diag.text));
	return err;
}

static int ask_stats(struct ustack_stats *ret)
{
	_cleanup_(module_release) struct module m = MODULE_INIT;
	int err = module_open(&m, NULL);

	return err ? err : module_stats(&m, ret, NULL);
}

const struct doctor_trials doctor_trials_here = {
	.event = try_event,
	.bpf = try_bpf,
	.info = ask_info,
	.stats = ask_stats,
};
