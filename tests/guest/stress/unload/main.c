// SPDX-License-Identifier: GPL-2.0-only
/*
 * unload [-q] [-n CYCLES]: insmod and rmmod while the machine is sampled and processes come and
 * go on all CPUs. It runs in a guest as root; the module is not loaded but is at /ustack.ko,
 * and the plugs are in /plugs.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "churn.h"
#include "stress.h"
#include "ustack.h"

/* if it were shorter, an emulated machine would do nothing but sample */
#define PERIOD_NS 1000000

/* only a hang takes longer, even on a busy machine */
#define HANG_SECONDS 120

/* A process that is in a plug all the time; its samples are judged. */
struct spinner {
	volatile int ready, stop;
	struct plug_stack stack;
	pid_t pid;
};

static struct spinner *spinner_start(void)
{
	struct spinner *s = mmap(NULL, sizeof(*s), PROT_READ | PROT_WRITE,
				 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct plug plug;
	void *text;
	pid_t pid;
	int fd;

	fflush(stdout);
	pid = fork();
	if (pid) {
		s->pid = pid;
		while (!s->ready)
			usleep(1000);
		return s;
	}
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	setpriority(PRIO_PROCESS, 0, 10);
	plug_read(&plug, "/plugs/plug2.so");
	fd = open("/plugs/plug2.so", O_RDONLY | O_CLOEXEC);
	text = plug_map(&plug, fd, NULL, 0);
	while (!s->stop) {
		plug_call(&s->stack, text, PLUG_SPIN);
		s->ready = 1;
	}
	_exit(0);
}

/* Reads the module's files whenever they exist. */
static pid_t reader_start(void)
{
	char buf[4096];
	pid_t pid;
	int fd, i;

	fflush(stdout);
	pid = fork();
	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	setpriority(PRIO_PROCESS, 0, 10);
	for (i = 0;; i++) {
		static const char *const paths[] = {
			"/proc/ustack/stat", "/proc/ustack/images", USTACK_DEVICE,
		};
		struct ustack_info info = { .size = sizeof(info) };

		fd = open(paths[i % 3], O_RDONLY | O_NONBLOCK);
		if (fd >= 0) {
			while (read(fd, buf, sizeof(buf)) > 0)
				;
			ioctl(fd, USTACK_IOC_INFO, &info);
			close(fd);
		}
		usleep(3000);
	}
}

static struct {
	struct machine_sampler sampler;
	struct spinner *spinner;
	struct tally tally;
	volatile bool stop;
} watch;

static void judge(const struct sample *sample, void *arg)
{
	if ((pid_t)sample->pid == watch.spinner->pid)
		plug_judge(&watch.spinner->stack, sample, &watch.tally);
}

static void *watch_thread(void *arg)
{
	while (!watch.stop) {
		machine_sampler_drain(&watch.sampler, judge, NULL);
		usleep(5000);
	}
	return NULL;
}

/* One cycle. Return: seconds that rmmod took, negative when it failed. */
static double cycle(unsigned int n, unsigned long *samples)
{
	double start, end = seconds() + HANG_SECONDS;
	int err;

	err = module_load("");
	if (err) {
		check(false, "cycle %u: insmod: %s", n, strerror(-err));
		return -1;
	}
	/* starts at once or up to 60 ms later */
	usleep(n * 7919 % 60000);
	*samples += module_stat("samples");
	start = seconds();
	do {
		err = module_unload();
		if (err)	/* a reader has the device open */
			usleep(1000);
	} while ((err == -EAGAIN || err == -EWOULDBLOCK || err == -EBUSY) &&
		 seconds() < end);
	if (err)
		check(false, "cycle %u: rmmod: %s", n, strerror(-err));
	return err ? -1 : seconds() - start;
}

static unsigned long zombies(void)
{
	FILE *f = popen("cat /proc/[0-9]*/stat 2>/dev/null", "r");
	unsigned long n = 0;
	char line[1024], *at;

	while (f && fgets(line, sizeof(line), f)) {
		at = strrchr(line, ')');
		n += at && at[1] == ' ' && at[2] == 'Z';
	}
	if (f)
		pclose(f);
	return n;
}

/* After the last cycle, the module must load, sample and unload once more. */
static void once_more(void)
{
	unsigned long before = watch.tally.whole;
	double end = seconds() + HANG_SECONDS;
	int err = module_loaded() ? -EEXIST : module_load("");

	check(!err, "a fresh insmod: %s", strerror(-err));
	while (!err && watch.tally.whole < before + 50 && seconds() < end)
		usleep(10000);
	check(watch.tally.whole >= before + 50,
	      "a fresh insmod still samples: %lu whole stacks",
	      watch.tally.whole - before);
	check(!module_unload(), "the last rmmod");
}

/*
 * The number of samples depends on the time that the machine gives to the guest, so more cycles
 * may follow.
 */
static bool enough(unsigned int n, unsigned int cycles, unsigned long samples)
{
	return n >= cycles && (samples > cycles || n >= 10 * cycles);
}

/* Checks the samples of the run, of which @samples were counted by the module. */
static void judge_samples(unsigned long samples, unsigned int cycles)
{
	check(samples > cycles, "%lu samples by the module, %lu in all", samples,
	      machine_sampler_samples(&watch.sampler));
	check(machine_sampler_cpus(&watch.sampler) == watch.sampler.nr,
	      "%u of %u CPUs have run programs and were sampled",
	      machine_sampler_cpus(&watch.sampler), watch.sampler.nr);
	check(!watch.tally.wrong && watch.tally.whole,
	      "stacks of the process in the plug: whole %lu, the kernel's own %lu, wrong %lu",
	      watch.tally.whole, watch.tally.cut + watch.tally.edge,
	      watch.tally.wrong);
}

int main(int argc, char **argv)
{
	unsigned int cycles = 200, n, done = 0;
	double took, longest = 0, sum = 0;
	unsigned long samples = 0, before;
	struct churn *churn;
	pthread_t thread;
	pid_t reader;
	int status;

	churn_main(argc, argv);
	if (argc > 1 && !strcmp(argv[1], "-q"))
		cycles = 5;
	if (argc > 2 && !strcmp(argv[1], "-n"))
		cycles = atoi(argv[2]);
	sampler_unthrottle();
	before = meminfo_kb("MemAvailable");
	churn = churn_start(3);
	watch.spinner = spinner_start();
	reader = reader_start();
	machine_sampler_open(&watch.sampler, PERIOD_NS);
	machine_sampler_enable(&watch.sampler, true);
	pthread_create(&thread, NULL, watch_thread, NULL);

	for (n = 0; !enough(n, cycles, samples); n++) {
		took = cycle(n, &samples);
		if (took < 0)
			break;
		done++;
		sum += took;
		longest = took > longest ? took : longest;
		if (n % 20 == 19 || took > 10)
			say("rmmod %.2f s; %u cycles, %lu jobs, %lu of the module's samples",
			    took, done, churn->jobs, samples);
	}
	check(done >= cycles, "%u cycles, %u wanted; rmmod %.2f s on average, %.2f s at most",
	      done, cycles, sum / (done ? done : 1), longest);
	kill(reader, SIGKILL);
	waitpid(reader, &status, 0);

	once_more();
	watch.stop = true;
	pthread_join(thread, NULL);
	machine_sampler_close(&watch.sampler);
	watch.spinner->stop = 1;
	waitpid(watch.spinner->pid, &status, 0);
	check(!status, "the process in the plug: status %d", status);
	n = churn_stop(churn);
	check(!n && !churn->wrong && churn->jobs > cycles,
	      "%lu jobs of processes right, %lu wrong, %u workers lost",
	      churn->jobs, churn->wrong, n);
	judge_samples(samples, cycles);
	check(waitpid(-1, &status, WNOHANG) < 0 && !zombies(), "no zombies: %lu",
	      zombies());
	say("MemAvailable: %lu kB before, %lu kB after", before, meminfo_kb("MemAvailable"));
	return finish("stress/unload");
}
