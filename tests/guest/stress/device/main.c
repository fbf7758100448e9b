// SPDX-License-Identifier: GPL-2.0-only
/*
 * device [-q] [-n CALLS | -t SECONDS] [-s SEED] [-f]: a fuzzer of the system calls of
 * /dev/ustack. It runs in a guest as root; the module is not loaded but is at /ustack.ko, the
 * plugs are in /plugs.
 *
 * Crews (crew.c) make random requests of all kinds and sizes (calls.c) on descriptors that are
 * closed under them. One crew has no rights, one is killed again and again. Meanwhile the
 * module is unloaded and loaded (module.c), every CPU is sampled, and other processes come and
 * go. With -f every twentieth allocation of the module fails, if the kernel has fault
 * injection.
 *
 * An answer that a request may not give is a failure. The kernel's own checkers find everything
 * else (tests/guest/kunit/debug).
 */
#include "device.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "churn.h"
#include "stress.h"
#include "ustack.h"

#define SHARED_FD 199		/* a crew that executes itself uses it, too */
/* time between samples; an emulated machine needs time for other work */
#define PERIOD_NS 4000000
#define ALIVE_SAMPLES 50
#define SAY_SECONDS 60
#define HANG_SECONDS 600		/* only a hang takes longer, even on a busy machine */
#define LIFE_CALLS 1000		/* maximum for a crew that is killed */
#define LIFE_SECONDS 10
/* minimum for each crew, so that every request is made many times */
#define CALLS_AT_LEAST 4000

struct shared *shared;

static struct {
	unsigned long calls;		/* calls of each crew */
	/* minimum time; the run also waits until all calls are made */
	double seconds;
	bool fail;
} options = { .calls = 60000 };

static pid_t crews[CREWS];
static struct machine_sampler sampler;

/* ---- shared memory ------------------------------------------------------------------ */

static void shared_map(void)
{
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED, SHARED_FD, 0);
	if (shared == MAP_FAILED)
		die_errno("shared memory");
}

static void shared_create(void)
{
	int fd = memfd_create("device", 0);

	if (fd < 0 || ftruncate(fd, sizeof(*shared)) || dup2(fd, SHARED_FD) < 0)
		die_errno("shared memory");
	close(fd);
	shared_map();
}

/* ---- processes ---------------------------------------------------------------------- */

static void crew_start(unsigned int crew)
{
	pid_t pid = fork();

	if (pid < 0)
		die_errno("fork");
	if (!pid)
		crew_run(crew);
	crews[crew] = pid;
	shared->newest = pid;
}

/* Kills the mortal crew at a random moment after a few calls, and starts another one. */
static void crew_kill(struct caller *c)
{
	static unsigned long enough;
	static double since;
	int status;

	if (shared->calls[CREW_MORTAL] < enough && seconds() - since < LIFE_SECONDS)
		return;
	enough = shared->calls[CREW_MORTAL] + below(c, LIFE_CALLS);
	since = seconds();
	kill(crews[CREW_MORTAL], SIGKILL);
	waitpid(crews[CREW_MORTAL], &status, 0);
	ADD(shared->kills);
	crew_start(CREW_MORTAL);
}

/* On a busy machine it takes longer until each of these has happened. */
static bool all_happened(void)
{
	return shared->closed && shared->interrupted && shared->kills && shared->execs &&
	       shared->forks && shared->unloads && shared->busy;
}

static bool crews_done(double end)
{
	unsigned int i;

	if (seconds() < end || !all_happened())
		return false;
	for (i = 0; i < CREWS; i++)
		if (i != CREW_MORTAL && shared->calls[i] < options.calls)
			return false;
	return true;
}

static void say_progress(void)
{
	say("calls %lu %lu %lu %lu, opens %lu, kills %lu, unloads %lu in %.0f s",
	    shared->calls[0], shared->calls[1], shared->calls[2], shared->calls[3],
	    shared->opened, shared->kills, shared->unloads, shared->quiet_seconds);
}

/* Return: false if no caller of a crew has done anything for too long. */
static bool crew_moves(unsigned int crew)
{
	static unsigned long alive[CREWS];
	static double since[CREWS];

	if (shared->alive[crew] != alive[crew] || !since[crew]) {
		alive[crew] = shared->alive[crew];
		since[crew] = seconds();
	}
	return seconds() - since[crew] < HANG_SECONDS;
}

/* Waits for the end of the calls. Return: number of crews that ended early or hang. */
static unsigned int crews_watch(void)
{
	struct caller c = { .random = shared->seed + 1 };
	double end = seconds() + options.seconds, told = seconds();
	unsigned int i, lost = 0;
	int status;

	fflush(stdout);
	while (!crews_done(end) && !lost) {
		usleep(10000);
		machine_sampler_drain(&sampler, NULL, NULL);
		crew_kill(&c);
		for (i = 0; i < CREWS; i++) {
			if (waitpid(crews[i], &status, WNOHANG) == crews[i])
				lost += !check(false, "crew %u ended: status %#x", i, status);
			lost += !crew_moves(i) && !check(false, "crew %u hangs", i);
		}
		if (seconds() - told < SAY_SECONDS)
			continue;
		told = seconds();
		say_progress();
	}
	return lost;
}

static bool ended_well(pid_t pid)
{
	int status;

	return waitpid(pid, &status, 0) == pid && !status;
}

/* ---- afterwards --------------------------------------------------------------------- */

static void judge(void)
{
	calls_judge();
	check(shared->opened && shared->closed && shared->interrupted,
	      "%lu opens, %lu descriptors closed under calls, %lu calls interrupted",
	      shared->opened, shared->closed, shared->interrupted);
	check(shared->kills && shared->execs && shared->forks,
	      "a crew was killed %lu times; they executed %lu times, forked %lu times",
	      shared->kills, shared->execs, shared->forks);
	check(shared->unloads && shared->busy,
	      "%lu unloads, %lu while it was busy, in %.0f s", shared->unloads, shared->busy,
	      shared->quiet_seconds);
	check(machine_sampler_samples(&sampler), "%lu samples meanwhile",
	      machine_sampler_samples(&sampler));
}

/* A plug that no call was about is still unwound as before. */
static void check_alive(void)
{
	struct tally tally = { 0 };
	struct ustack_info info = { .size = sizeof(info) };
	struct plug plug;
	void *text;
	int fd;

	if (!module_loaded() && module_load(MODULE_PARAMS))
		die("the module cannot be loaded again");
	module_params_reset();
	module_prepare();
	fd = open(USTACK_DEVICE, O_RDWR);
	if (fd < 0 || ioctl(fd, USTACK_IOC_INFO, &info))
		die_errno(USTACK_DEVICE);
	check(info.tables && info.table_bytes <= info.budget_bytes,
	      "%llu bytes of tables, %llu are allowed", (unsigned long long)info.table_bytes,
	      (unsigned long long)info.budget_bytes);
	close(fd);
	plug_read(&plug, "/plugs/plug4.so");
	fd = open("/plugs/plug4.so", O_RDONLY | O_CLOEXEC);
	text = plug_map(&plug, fd, NULL, 0);
	plug_sample(text, ALIVE_SAMPLES, &tally);
	check(tally.whole >= ALIVE_SAMPLES && !tally.wrong, "afterwards: %lu whole, %lu wrong",
	      tally.whole, tally.wrong);
	check(!module_unload(), "it unloads");
}

static void fuzz_for(double duration)
{
	options.seconds = duration;
	options.calls = CALLS_AT_LEAST;
}

static void parse(int argc, char **argv)
{
	int opt;

	shared->seed = 1;
	while ((opt = getopt(argc, argv, "qfn:s:t:")) != -1) {
		if (opt == 'q')
			options.calls = CALLS_AT_LEAST;
		else if (opt == 'n')
			options.calls = strtoul(optarg, NULL, 0);
		else if (opt == 't')
			fuzz_for(strtod(optarg, NULL));
		else if (opt == 's')
			shared->seed = strtoull(optarg, NULL, 0);
		else if (opt == 'f')
			options.fail = true;
		else
			die("usage: device [-q] [-n CALLS | -t SECONDS] [-s SEED] [-f]");
	}
}

static void fuzz(void)
{
	struct churn *churn = churn_start(1);
	pid_t unloader, meddler;
	unsigned int i, bad;

	machine_sampler_open(&sampler, PERIOD_NS);
	machine_sampler_enable(&sampler, true);
	for (i = 0; i < CREWS; i++)
		crew_start(i);
	unloader = fork();
	if (!unloader)
		unloader_run();
	meddler = fork();
	if (!meddler)
		meddler_run(shared->seed);
	bad = crews_watch();
	shared->stop = 1;
	for (i = 0; i < CREWS; i++) {
		if (bad)
			kill(crews[i], SIGKILL);
		bad += !ended_well(crews[i]);
	}
	bad += !ended_well(unloader) + !ended_well(meddler);
	check(!bad, "%u processes did not end well", bad);
	bad = churn_stop(churn);
	check(!bad && !churn->wrong && churn->jobs, "%lu jobs of other processes right, %lu wrong",
	      churn->jobs, churn->wrong);
	machine_sampler_enable(&sampler, false);
	machine_sampler_close(&sampler);
}

int main(int argc, char **argv)
{
	churn_main(argc, argv);
	if (argc == 3 && !strcmp(argv[1], "--crew")) {
		shared_map();
		calls_init();
		crew_run((unsigned int)atoi(argv[2]));
	}
	shared_create();
	parse(argc, argv);
	calls_init();
	if (module_load(MODULE_PARAMS))
		die("the module cannot be loaded");
	if (options.seconds > 0)
		say("seed %llu, %g seconds", (unsigned long long)shared->seed, options.seconds);
	else
		say("seed %llu, %lu calls by each of %d crews",
		    (unsigned long long)shared->seed, options.calls, CREWS);
	fflush(stdout);
	if (options.fail) {
		failing_loads();
		failing_start();
	}
	fuzz();
	failing_stop();
	judge();
	if (options.fail)
		failing_judge();
	check_alive();
	return finish("stress/device");
}
