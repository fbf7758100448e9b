// SPDX-License-Identifier: GPL-2.0-only
/* ustack doctor: reports what prevents profiling, and what fixes it. */
#include "cmd.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "cmd/doctor/doctor.h"
#include "util/cleanup.h"
#include "util/json.h"

#include "util/poison.h"

struct doctor_opts {
	struct option_u64 pid;
	const char *root;
	bool json;
	bool quiet;
};

static void print_findings(const struct doctor_opts *o, const struct doctor_report *r)
{
	const struct doctor_finding *f;

	for (f = r->findings; f < r->findings + r->nr; f++) {
		if (o->quiet && f->level <= DOCTOR_NOTE)
			continue;
		printf("%-8s %s: %s\n", doctor_level_name(f->level), f->about, f->text);
		if (f->command)
			printf("             %s\n", f->command);
	}
}

static void json_findings(const struct doctor_opts *o, const struct doctor_report *r)
{
	const struct doctor_finding *f;
	struct json j;

	json_init(&j, stdout);
	json_object(&j, NULL);
	json_bool(&j, "works", doctor_worst(r) < DOCTOR_ERROR);
	json_array(&j, "findings");
	for (f = r->findings; f < r->findings + r->nr; f++) {
		if (o->quiet && f->level <= DOCTOR_NOTE)
			continue;
		json_object(&j, NULL);
		json_string(&j, "level", doctor_level_name(f->level));
		json_string(&j, "about", f->about);
		json_string(&j, "text", f->text);
		if (f->command)
			json_string(&j, "command", f->command);
		else
			json_null(&j, "command");
		json_object_end(&j);
	}
	json_array_end(&j);
	json_object_end(&j);
	json_end(&j);
}

static int say_process(int err, uint32_t pid)
{
	struct diag diag;

	if (err == -ESRCH)
		diag_set(&diag, ESRCH, NULL, "%" PRIu32
			 ": there is no such process, or it is a kernel thread", pid);
	else if (err == -EACCES)
		diag_set(&diag, EACCES, NULL, "%" PRIu32
			 ": permission denied: be root (sudo), or have CAP_SYS_PTRACE", pid);
	else
		diag_set(&diag, -err, NULL, "%" PRIu32 ": %s", pid, strerror(-err));
	return cmd_diag(&diag);
}

static int run(const struct doctor_opts *o)
{
	_cleanup_(doctor_report_release) struct doctor_report report = { 0 };
	const struct doctor_options options = {
		.root = o->root ? o->root : "",
		.trials = o->root ? NULL : &doctor_trials_here,
		.version = USTACK_VERSION,
	};
	struct diag diag;
	int err = 0;

	doctor_machine(&options, &report);
	if (o->pid.set)
		err = doctor_process(&options, (uint32_t)o->pid.value, &report);
	if (report.no_memory) {
		diag_errno(&diag, ENOMEM, "doctor");
		return cmd_diag(&diag);
	}
	if (o->json)
		json_findings(o, &report);
	else
		print_findings(o, &report);
	if (err)
		return say_process(err, (uint32_t)o->pid.value);
	return doctor_worst(&report) < DOCTOR_ERROR ? CMD_OK : CMD_FAILED;
}

int cmd_doctor(int argc, char **argv)
{
	const struct cmd_usage usage = {
		.command = "ustack doctor",
		.synopsis = "[-q] [-p PID | --root DIR] [--json]",
		.about = "Finds what prevents profiling on this machine, or of a process, and shows the\n"
			 "commands that help.",
	};
	struct doctor_opts o = { 0 };
	const struct option_spec specs[] = {
		OPTION_U64('p', "pid", "PID", &o.pid,
			   "also check tables and names for this process"),
		OPTION_STRING(0, "root", "DIR", &o.root,
			      "read proc, sys, boot, ... below DIR; test nothing"),
		OPTION_FLAG('q', "quiet", &o.quiet, "hide findings that are ok, and notes"),
		OPTION_FLAG(0, "json", &o.json, "print JSON"),
		OPTION_END,
	};
	int status = cmd_parse(&usage, specs, &argc, &argv);

	if (status != CMD_RUN)
		return status;
	if (argc)
		return cmd_bad_usage(&usage, "'%s': takes no operands", argv[0]);
	if (o.root && o.pid.set)
		return cmd_bad_usage(&usage, "takes one of -p and --root");
	if (o.pid.set && (!o.pid.value || o.pid.value > INT32_MAX))
		return cmd_bad_usage(&usage, "-p: a process has a number from 1 on");
	return run(&o);
}
