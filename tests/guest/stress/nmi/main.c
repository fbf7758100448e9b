// SPDX-License-Identifier: GPL-2.0-only
/*
 * nmi [-q]: compares stacks taken in NMIs with the true ones, alone, under churn, and while the
 * module is unloaded and loaded. It runs in an x86-64 guest as root; ustack_nmi.ko is loaded,
 * and the module is not loaded but is at /ustack.ko.
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

/* minimum number of whole stacks in NMIs in each round of rmmod and insmod */
#define ROUND_WHOLE 50
/* only a hang takes longer, even on a busy machine */
#define HANG_SECONDS 600

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

struct result {
	struct tally user;	/* the CPU was in user mode, mostly in the plug */
	struct tally kernel;	/* the CPU was in the kernel: registers are those */
				/* of the last entry, and in the entry code itself, */
				/* as in perf, even those of the entry before */
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

static bool is_whole(const struct tally *t)
{
	return t->whole && !t->cut && !t->edge && !t->wrong;
}

static void add(struct tally *sum, const struct tally *t)
{
	sum->whole += t->whole;
	sum->cut += t->cut;
	sum->edge += t->edge;
	sum->wrong += t->wrong;
}

static void result_add(struct result *sum, const struct result *r)
{
	add(&sum->user, &r->user);
	add(&sum->kernel, &r->kernel);
	sum->user.apart += r->user.apart;
	sum->kernel.apart += r->kernel.apart;
	sum->not_nmi += r->not_nmi;
}

/* A process that is older than the module is learned at its first sample. */
static bool target_learned(void)
{
	double end = seconds() + HANG_SECONDS;
	struct result r;

	do {
		fire(1, 50);
		r = collect();
	} while (!is_whole(&r.user) && seconds() < end);
	return is_whole(&r.user);
}

static unsigned int stat(const char *name)
{
	char *text = (char *)file_read(DEBUGFS "stat", NULL);
	char *at = strstr(text, name);
	unsigned int n = at ? strtoul(at + strlen(name), NULL, 10) : 0;

	free(text);
	return n;
}

/* Sends COUNT NMIs, and more until a third of that number has met the plug. */
static void alone(unsigned int count)
{
	double end = seconds() + HANG_SECONDS;
	struct result sum = { 0 }, r;
	unsigned int n;

	collect();
	for (n = 0; n < count || (sum.user.whole < count / 3 && seconds() < end); n += 100) {
		fire(1, 100);
		r = collect();
		result_add(&sum, &r);
	}
	check(!sum.not_nmi && !stat("outside_nmi"), "in_nmi() was true each time");
	check(sum.user.whole >= count / 3 && !sum.user.cut && !sum.user.wrong && !sum.user.edge,
	      "%u NMIs to a process in a plug: whole %lu, cut %lu, wrong %lu, elsewhere %lu, in the kernel %lu",
	      n, sum.user.whole, sum.user.cut, sum.user.wrong + sum.user.edge,
	      sum.user.apart, sum.kernel.apart + sum.kernel.whole);
}

static volatile int stop;
/* after a burst, the machine gets time for other work, such as learning the target */
static volatile int gentle;

static void *fire_thread(void *arg)
{
	int cpu = (long)arg;

	/* also to the CPU it runs on: NMIs in its own system call */
	while (!stop) {
		fire(cpu, 20);
		if (gentle)
			usleep(2000);
	}
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

/* Return: number of NMIs since it started. */
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
	struct result r, more;
	struct storm storm;
	unsigned int n, lost;

	storm_start(&storm);
	while (seconds() < end)
		usleep(100000);
	r = collect();
	/*
	 * such a storm may leave the target no CPU time at all; it gets some until an NMI meets
	 * it
	 */
	gentle = 1;
	while (!r.user.whole && seconds() < end + HANG_SECONDS) {
		usleep(1000);
		more = collect();
		result_add(&r, &more);
	}
	gentle = 0;
	n = storm_stop(&storm);
	lost = churn_stop(churn);
	more = collect();
	result_add(&r, &more);
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

/*
 * NMIs come all the time. Once the module has learned the target again, each stack must be
 * whole; before that, and while there is no module, it may be the kernel's own. Return: 0 or
 * -errno.
 */
static int unloading_round(struct tally *loaded, struct tally *between)
{
	double end = seconds() + HANG_SECONDS;
	struct tally mine = { 0 };
	struct result r;
	int err;

	err = module_unload();
	if (err)
		return err;
	/* so that whole stacks from now on are by the new module */
	r = collect();
	add(between, &r.user);
	err = module_load("");
	if (err)
		return err;
	gentle = 1;
	do {
		usleep(1000);
		r = collect();
		add(between, &r.user);
	} while (!r.user.whole && seconds() < end);
	while (mine.whole < ROUND_WHOLE && seconds() < end) {
		usleep(1000);
		r = collect();
		add(&mine, &r.user);
	}
	gentle = 0;
	add(loaded, &mine);
	return mine.whole < ROUND_WHOLE ? -ENODATA : 0;
}

static void while_unloading(unsigned int rounds)
{
	struct tally loaded = { 0 }, between = { 0 };
	unsigned long long samples;
	struct storm storm;
	unsigned int i, n;
	int err = 0;

	storm_start(&storm);
	for (i = 0; i < rounds && !err; i++)
		err = unloading_round(&loaded, &between);
	n = storm_stop(&storm);
	check(!err, "%u of %u rounds of rmmod and insmod under %u NMIs, each with %u whole stacks: %s",
	      err ? i - 1 : i, rounds, n, ROUND_WHOLE, strerror(-err));
	check(is_whole(&loaded) && loaded.whole >= rounds * ROUND_WHOLE,
	      "with the module: whole %lu, cut %lu, wrong %lu", loaded.whole,
	      loaded.cut, loaded.wrong + loaded.edge);
	check(!between.wrong && between.whole + between.cut + between.edge,
	      "while it went and came: whole %lu, the kernel's own %lu, wrong %lu",
	      between.whole, between.cut + between.edge, between.wrong);
	samples = module_loaded() ? module_stat("samples") : 0;
	check(samples, "the module counted %llu samples", samples);
}

int main(int argc, char **argv)
{
	bool quick;
	int status;

	churn_main(argc, argv);
	quick = argc > 1 && !strcmp(argv[1], "-q");
	if (access(DEBUGFS "fire", W_OK)) {
		skip("nmi: no ustack_nmi.ko here");
		return finish("stress/nmi");
	}
	sampler_unthrottle();
	pin(0);
	target_start();
	if (module_load(""))
		die("insmod");
	check(target_learned(), "the target is learned: its stacks are whole");
	alone(quick ? 1000 : 10000);
	{
		cpu_set_t all;

		memset(&all, 0xff, sizeof(all));
		sched_setaffinity(0, sizeof(all), &all);
	}
	under_churn(quick ? 3 : 30);
	while_unloading(quick ? 3 : 20);
	target->stop = 1;
	waitpid(target_pid, &status, 0);
	check(!status, "the target is unharmed");
	check(!module_unload(), "rmmod");
	return finish("stress/nmi");
}
