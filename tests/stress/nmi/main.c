// SPDX-License-Identifier: GPL-2.0
/*
 * nmi [-q]: stacks taken in NMIs against what they must be, alone, under churn,
 * and while the module goes and comes. Run in an x86-64 guest as root, with
 * ustack_nmi.ko loaded and /ustack.ko not.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../vm/modules/nmi/ustack_nmi.h"
#include "churn.h"
#include "stress.h"

#define DEBUGFS "/sys/kernel/debug/ustack_nmi/"

static void pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

static void fire(int cpu, unsigned int count)
{
	char text[32];

	snprintf(text, sizeof(text), "%d %u", cpu, count);
	file_write(DEBUGFS "fire", text);
}

struct target {
	volatile int ready, stop;
	struct plug_stack stack;
};

static struct target *target;
static pid_t target_pid;

/* A process on CPU 1 that is in a plug all the time. */
static void target_start(void)
{
	struct plug plug;
	char text[16];
	void *at;

	target = mmap(NULL, sizeof(*target), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	fflush(stdout);
	target_pid = fork();
	if (!target_pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		pin(1);
		plug_read(&plug, "/plugs/plug3.so");
		at = plug_map(&plug, open("/plugs/plug3.so", O_RDONLY), NULL, 0);
		while (!target->stop) {
			plug_call(&target->stack, at, PLUG_SPIN);
			target->ready = 1;
			sched_yield();
		}
		_exit(0);
	}
	while (!target->ready)
		usleep(1000);
	snprintf(text, sizeof(text), "%d", target_pid);
	file_write(DEBUGFS "tgid", text);
}

static void prepare_target(void)
{
	/* A process from before insmod is learned when it is sampled first. */
	fire(1, 50);
	usleep(500000);
	fire(1, 50);
	usleep(200000);
}

struct result {
	struct tally user;	/* the CPU was in user mode: in the plug, mostly */
	struct tally kernel;	/* it was in the kernel: registers are those of */
				/* the last entry, and in the entry code itself, */
				/* as perf has it, even of the one before */
	unsigned int not_nmi;
};

static struct result collect(void)
{
	struct result r = { .kernel.quiet = true };
	struct ustack_nmi_chain c;
	int fd = open(DEBUGFS "chains", O_RDONLY);

	if (fd < 0)
		die_errno(DEBUGFS "chains");
	while (read(fd, &c, sizeof(c)) == sizeof(c)) {
		struct sample s = {
			.ip = c.ip[0],
			.pid = c.pid,
			.nr = c.nr,
			.ips = (const uint64_t *)c.ip,
		};

		r.not_nmi += !c.in_nmi;
		plug_judge(&target->stack, &s, c.user ? &r.user : &r.kernel);
	}
	close(fd);
	return r;
}

static unsigned int stat(const char *name)
{
	char *text = (char *)file_read(DEBUGFS "stat", NULL);
	char *at = strstr(text, name);
	unsigned int n = at ? strtoul(at + strlen(name), NULL, 10) : 0;

	free(text);
	return n;
}

static void alone(unsigned int count)
{
	struct result r;
	unsigned int n;

	collect();
	for (n = 0; n < count; n += 100)
		fire(1, 100);
	r = collect();
	check(!r.not_nmi && !stat("outside_nmi"), "in_nmi() was true each time");
	check(r.user.whole > count / 3 && !r.user.cut && !r.user.wrong &&
	      !r.user.edge,
	      "%u NMIs to a process in a plug: whole %lu, cut %lu, wrong %lu, elsewhere %lu, in the kernel %lu",
	      count, r.user.whole, r.user.cut, r.user.wrong + r.user.edge,
	      r.user.apart, r.kernel.apart + r.kernel.whole);
}

static volatile int stop;

static void *fire_thread(void *arg)
{
	int cpu = (long)arg;

	/* at the CPU it runs on as well: NMIs in its own system call */
	while (!stop)
		fire(cpu, 20);
	return NULL;
}

struct storm {
	pthread_t threads[2];
	struct machine_sampler sampler;
	unsigned int before;
};

static void storm_start(struct storm *s)
{
	long i;

	collect();
	stop = 0;
	s->before = stat("handled");
	machine_sampler_open(&s->sampler, 1000000);
	machine_sampler_enable(&s->sampler, true);
	for (i = 0; i < 2; i++)
		pthread_create(&s->threads[i], NULL, fire_thread, (void *)i);
}

/* Return: NMIs since it started. */
static unsigned int storm_stop(struct storm *s)
{
	int i;

	stop = 1;
	for (i = 0; i < 2; i++)
		pthread_join(s->threads[i], NULL);
	machine_sampler_close(&s->sampler);
	return stat("handled") - s->before;
}

static void under_churn(double how_long)
{
	struct churn *churn = churn_start(3);
	double end = seconds() + how_long;
	struct storm storm;
	struct result r;
	unsigned int n, lost;

	storm_start(&storm);
	while (seconds() < end)
		usleep(100000);
	n = storm_stop(&storm);
	lost = churn_stop(churn);
	r = collect();
	check(!lost && !churn->wrong && churn->jobs,
	      "under NMIs, %lu jobs of processes right, %lu wrong", churn->jobs,
	      churn->wrong);
	check(r.user.whole && !r.user.cut && !r.user.wrong && !r.user.edge &&
	      !r.not_nmi,
	      "%u NMIs on both CPUs: in the plug whole %lu, cut %lu, wrong %lu", n,
	      r.user.whole, r.user.cut, r.user.wrong + r.user.edge);
	check(stat("kernel") && stat("without_mm"),
	      "of all NMIs, %u in user mode, %u in the kernel, %u of these without a process",
	      stat("user"), stat("kernel"), stat("without_mm"));
}

static void while_unloading(unsigned int cycles)
{
	struct tally sum = { 0 };
	unsigned int i, n;
	struct storm storm;
	struct result r;
	int err = 0;

	storm_start(&storm);
	for (i = 0; i < cycles && !err; i++) {
		usleep(20000);
		err = module_unload();
		if (!err)
			err = module_load("");
	}
	n = storm_stop(&storm);
	r = collect();
	sum = r.user;
	check(!err, "%u times rmmod and insmod under %u NMIs: %s", cycles, n,
	      strerror(-err));
	check(!sum.wrong && sum.whole + sum.cut,
	      "in the plug: whole %lu, the kernel's own %lu, wrong %lu", sum.whole,
	      sum.cut + sum.edge, sum.wrong);
}

int main(int argc, char **argv)
{
	bool quick;
	int status;

	churn_main(argc, argv);
	quick = argc > 1 && !strcmp(argv[1], "-q");
	if (access(DEBUGFS "fire", W_OK)) {
		skip("nmi: no ustack_nmi.ko here");
		return finish("nmi");
	}
	sampler_unthrottle();
	pin(0);
	target_start();
	if (module_load(""))
		die("insmod");
	prepare_target();
	alone(quick ? 1000 : 10000);
	{
		cpu_set_t all;

		memset(&all, 0xff, sizeof(all));
		sched_setaffinity(0, sizeof(all), &all);
	}
	under_churn(quick ? 3 : 30);
	while_unloading(quick ? 2 : 20);
	check(module_stat("samples") || quick, "the module counted %llu samples",
	      module_stat("samples"));
	target->stop = 1;
	waitpid(target_pid, &status, 0);
	check(!status, "the target is unharmed");
	check(!module_unload(), "rmmod");
	return finish("nmi");
}
