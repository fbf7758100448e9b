// SPDX-License-Identifier: GPL-2.0-only
/*
 * gt-record: samples a command's registers, stack and the kernel's callchain into a file. It is
 * static and needs no library, for any guest.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <linux/bpf.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "events.h"
#include "images.h"
#include "out.h"
#include "parse.h"
#include "scan.h"
#include "sysctl.h"

#define STAT_PATH "/proc/ustack/stat"

static const char usage[] =
"usage: gt-record [options] -o FILE -- COMMAND [ARG...]\n"
"  -o, --output FILE    the record\n"
"  -F, --freq HZ        samples a second (default 999)\n"
"  -s, --seconds S      end the command after so long\n"
"  -a, --all            every process, not only the command's\n"
"  -k, --with-kernel    samples taken in the kernel too\n"
"      --cpu-clock      the clock, even if there are hardware cycles\n"
"      --stack BYTES    of user stack (default and most 65528)\n"
"      --max-stack N    frames of the kernel's callchain (default: its limit)\n"
"      --pages N        pages of a CPU's sample ring, a power of two (default 4096)\n"
"      --unthrottle     let no slow sample lower the rate, until the end\n"
"      --leave-out DIR  copy no files of DIR's file system (gt-compare --sysroot\n"
"                       is for those)\n"
"      --program PATH   of BPF, pinned there, that runs at each sample first\n"
"      --no-reasons     leave the tracepoint ustack:ustack_stop alone\n"
"Exit status: the command's; 128 and more if a signal ended it; 2 for trouble.\n";

struct options {
	struct event_opts ev;
	const char *output;
	double seconds;
	bool no_reasons;
	bool unthrottle;
	char **command;
};

static volatile sig_atomic_t interrupted;

static void on_interrupt(int sig)
{
	interrupted = 1;
}

static void on_child(int sig)
{
}

static void __attribute__((noreturn)) bad_usage(void)
{
	fputs(usage, stderr);
	exit(2);
}

static bool is_possible(const struct options *o)
{
	return o->output && o->command[0] && o->ev.freq && o->ev.stack &&
	       o->ev.stack <= 65528 && !(o->ev.pages & (o->ev.pages - 1));
}

static int pinned(const char *path)
{
	union bpf_attr attr = { .pathname = (uintptr_t)path };
	int fd = syscall(SYS_bpf, BPF_OBJ_GET, &attr, sizeof(attr));

	if (fd < 0)
		die("%s: %s", path, strerror(errno));
	return fd;
}

static const struct option longs[] = {
	{ "output", 1, NULL, 'o' }, { "freq", 1, NULL, 'F' },
	{ "seconds", 1, NULL, 's' }, { "all", 0, NULL, 'a' },
	{ "with-kernel", 0, NULL, 'k' }, { "cpu-clock", 0, NULL, 'c' },
	{ "stack", 1, NULL, 'S' }, { "max-stack", 1, NULL, 'M' },
	{ "pages", 1, NULL, 'P' }, { "no-reasons", 0, NULL, 'R' },
	{ "unthrottle", 0, NULL, 'U' }, { "program", 1, NULL, 'B' },
	{ "leave-out", 1, NULL, 'L' }, { "help", 0, NULL, 'h' }, {},
};

static void parse_options(struct options *o, int argc, char **argv)
{
	int c;

	while ((c = getopt_long(argc, argv, "+o:F:s:akh", longs, NULL)) != -1) {
		switch (c) {
		case 'o':
			o->output = optarg;
			break;
		case 'F':
			o->ev.freq = strtoul(optarg, NULL, 0);
			break;
		case 's':
			o->seconds = strtod(optarg, NULL);
			break;
		case 'a':
			o->ev.system_wide = true;
			break;
		case 'k':
			o->ev.with_kernel = true;
			break;
		case 'c':
			o->ev.cpu_clock = true;
			break;
		case 'S':
			o->ev.stack = strtoul(optarg, NULL, 0) & ~7ul;
			break;
		case 'M':
			o->ev.max_stack = strtoul(optarg, NULL, 0);
			break;
		case 'P':
			o->ev.pages = strtoul(optarg, NULL, 0);
			break;
		case 'R':
			o->no_reasons = true;
			break;
		case 'L':
			images_leave_out(optarg);
			break;
		case 'U':
			o->unthrottle = true;
			break;
		case 'B':
			o->ev.program = pinned(optarg);
			break;
		case 'h':
			fputs(usage, stdout);
			exit(0);
		default:
			bad_usage();
		}
	}
	o->command = argv + optind;
	if (!is_possible(o))
		bad_usage();
}

/* a child that waits for a byte before it executes the command */
static pid_t start_child(char **command, int *ret_go)
{
	int go[2];
	pid_t pid;
	char byte;

	if (pipe2(go, O_CLOEXEC))
		die("pipe: %s", strerror(errno));
	pid = fork();
	if (pid < 0)
		die("fork: %s", strerror(errno));
	if (!pid) {
		setpgid(0, 0);
		if (read(go[0], &byte, 1) != 1)
			_exit(127);
		execvp(command[0], command);
		fprintf(stderr, "gt-record: %s: %s\n", command[0], strerror(errno));
		_exit(127);
	}
	close(go[0]);
	*ret_go = go[1];
	return pid;
}

static void write_info(const struct options *o, const struct events *ev,
		       const struct tracepoint *tp)
{
	struct gt_info m = {
		.reg_mask = ev->reg_mask,
		.freq = o->ev.freq,
		.max_stack = o->ev.max_stack,
		.event = ev->hw_cycles ? GT_EVENT_CYCLES : GT_EVENT_CPU_CLOCK,
		.with_kernel = o->ev.with_kernel,
		.tracepoint = tp->id >= 0,
		.cpus = ev->cpus,
	};
	struct utsname uts;

	uname(&uts);
	snprintf(m.release, sizeof(m.release), "%.63s", uts.release);
	out_chunk(&m.h, sizeof(m), GT_INFO, GT_STREAM_START, NULL, 0);
}

static void write_stat(bool after)
{
	struct gt_stat m = { .after = after };
	static char text[65536];
	struct out_part part = { .data = text };
	FILE *f = fopen(STAT_PATH, "re");

	if (!f)
		return;
	part.len = m.len = fread(text, 1, sizeof(text), f);
	fclose(f);
	out_chunk(&m.h, sizeof(m), GT_STAT, GT_STREAM_START, &part, 1);
}

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

static unsigned int drain(struct parse *p, struct events *ev)
{
	unsigned int i, n = 0;

	for (i = 0; i < ev->ring_count; i++)
		n += parse_ring(p, &ev->rings[i]);
	return n;
}

/* runs until the child ends; returns its wait status */
static int run(const struct options *o, struct parse *p, struct events *ev, pid_t pid)
{
	struct pollfd *fds = calloc(ev->ring_count, sizeof(*fds));
	double end = o->seconds ? now() + o->seconds : 1e300, kill_at = 1e300;
	int status = 0;
	unsigned int i;

	if (!fds)
		die("no memory");
	for (i = 0; i < ev->ring_count; i++)
		fds[i] = (struct pollfd){ .fd = ev->rings[i].fd, .events = POLLIN };
	while (waitpid(pid, &status, WNOHANG) != pid) {
		if (interrupted || now() > end) {
			kill(-pid, SIGTERM);
			end = 1e300;
			interrupted = 0;
			kill_at = now() + 3;
		}
		if (now() > kill_at)
			kill(-pid, SIGKILL);
		if (!drain(p, ev)) {
			poll(fds, ev->ring_count, 10);
			/* an event of a task that has ended is always ready */
			for (i = 0; i < ev->ring_count; i++)
				if (fds[i].revents & POLLHUP)
					fds[i].fd = -1;
		}
	}
	free(fds);
	return status;
}

int main(int argc, char **argv)
{
	struct options o = {
		.ev = { .freq = 999, .stack = 65528, .pages = 4096, .program = -1 },
	};
	struct tracepoint tp = { .id = -1 };
	struct events ev;
	struct parse parse;
	struct gt_end end = {};
	unsigned int max_rate;
	int status, go;
	pid_t pid;

	parse_options(&o, argc, argv);
	if (!o.ev.max_stack)
		o.ev.max_stack = sysctl_get("perf_event_max_stack", 127);
	if (o.unthrottle)
		sysctl_unthrottle(o.ev.freq);
	max_rate = sysctl_get("perf_event_max_sample_rate", o.ev.freq);
	if (o.ev.freq > max_rate) {
		fprintf(stderr, "gt-record: the kernel allows no more than %u Hz\n", max_rate);
		o.ev.freq = max_rate;
	}
	if (!o.no_reasons)
		tracepoint_find(&tp);
	signal(SIGINT, on_interrupt);
	signal(SIGTERM, on_interrupt);
	signal(SIGCHLD, on_child);
	pid = start_child(o.command, &go);
	/* a ring that waits for its reader loses samples; the child is not affected */
	setpriority(PRIO_PROCESS, 0, -10);
	events_open(&ev, &o.ev, pid, tp.id);
	out_open(o.output);
	write_info(&o, &ev, &tp);
	write_stat(false);
	images_vdso();
	parse_init(&parse, &ev, &tp);
	if (o.ev.system_wide) {
		events_enable(&ev);
		scan_processes();
	}
	if (write(go, "", 1) != 1)
		die("the child is gone");
	status = run(&o, &parse, &ev, pid);
	events_disable(&ev);
	if (o.unthrottle)
		sysctl_restore();
	drain(&parse, &ev);
	write_stat(true);
	end.samples = parse.samples;
	end.own = parse.own;
	end.no_image = images_missing;
	end.status = status;
	out_chunk(&end.h, sizeof(end), GT_END, GT_STREAM_START, NULL, 0);
	out_close();
	fprintf(stderr, "gt-record: %lu samples, %lu lost records, %lu files not copied\n",
		(unsigned long)parse.samples, (unsigned long)parse.lost,
		(unsigned long)images_missing);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
