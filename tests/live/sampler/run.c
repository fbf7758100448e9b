// SPDX-License-Identifier: GPL-2.0-only
/* Children, runs and checks of the sampler's tests. See test.h. */
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "state.h"
#include "test.h"

bool quick;
const char *self;
struct state state;

void check_at(bool ok, const char *file, int line, const char *text, const char *fmt, ...)
{
	va_list args;

	state.checks++;
	if (ok)
		return;
	state.failed++;
	printf("FAILED: %s: %s:%d: %s: ", state.name, file, line, text);
	va_start(args, fmt);
	vprintf(fmt, args);
	va_end(args);
	putchar('\n');
}

void die(const char *fmt, ...)
{
	va_list args;

	fputs("sampler test: ", stderr);
	va_start(args, fmt);
	vfprintf(stderr, fmt, args);
	va_end(args);
	fputc('\n', stderr);
	exit(2);
}

void skip(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(state.skipped, sizeof(state.skipped), fmt, args);
	va_end(args);
}

uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * NSEC + t.tv_nsec;
}

/*
 * Adds what the kernel accounted to this process so far to @ret, or subtracts
 * it.
 */
static void account(struct answer *ret, int sign)
{
	struct timespec t;
	struct rusage u;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	getrusage(RUSAGE_SELF, &u);
	ret->cpu_ns += sign * (t.tv_sec * NSEC + t.tv_nsec);
	ret->blocked += sign * u.ru_nvcsw;
	ret->preempted += sign * u.ru_nivcsw;
}

__attribute__((__noreturn__)) static void child_main(child_work work, const uint64_t *arguments,
						     int done)
{
	struct answer answer = { 0 };

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_NAME, "known-child");
	raise(SIGSTOP);
	account(&answer, -1);
	work(arguments, &answer);
	account(&answer, 1);
	if (write(done, &answer, sizeof(answer)) != sizeof(answer))
		_exit(3);
	raise(SIGSTOP);
	_exit(0);
}

static void wait_stopped(const struct child *c)
{
	int status;

	while (waitpid(c->pid, &status, WUNTRACED) < 0)
		if (errno != EINTR)
			die("waiting for the child: %s", strerror(errno));
	if (!WIFSTOPPED(status))
		die("the child ended, with status %#x", status);
}

struct child child_new(child_work work, const uint64_t *arguments)
{
	struct child c;
	int done[2];

	fflush(NULL);
	if (pipe(done))
		die("pipe: %s", strerror(errno));
	c.pid = fork();
	if (c.pid < 0)
		die("fork: %s", strerror(errno));
	if (!c.pid)
		child_main(work, arguments, done[1]);
	close(done[1]);
	c.done = done[0];
	wait_stopped(&c);
	return c;
}

static void child_continue(const struct child *c)
{
	if (kill(c->pid, SIGCONT))
		die("the child is gone: %s", strerror(errno));
}

void child_go(const struct child *c)
{
	child_continue(c);
}

bool child_works(const struct child *c)
{
	siginfo_t info = { 0 };

	if (waitid(P_PID, c->pid, &info, WSTOPPED | WEXITED | WNOHANG | WNOWAIT))
		die("waiting for the child: %s", strerror(errno));
	return !info.si_pid;
}

struct answer child_wait(const struct child *c)
{
	struct answer answer;

	wait_stopped(c);
	if (read(c->done, &answer, sizeof(answer)) != sizeof(answer))
		die("the child told nothing");
	return answer;
}

void child_end(const struct child *c)
{
	child_continue(c);
	close(c->done);
	waitpid(c->pid, NULL, 0);
}

static void note(void *context, const char *text)
{
	struct run *r = context;

	strncat(r->notes, text, sizeof(r->notes) - strlen(r->notes) - 2);
	strcat(r->notes, "\n");
}

static void die_of(const struct diag *diag)
{
	char text[512];

	diag_format(diag, text, sizeof(text));
	die("%s", text);
}

void run_init(struct run *r, const char *event, uint64_t frequency, uint64_t period)
{
	*r = (struct run){ .options = { .nr_events = 1, .note = note } };
	r->events[0] = (struct sampler_event){ .name = event, .frequency = frequency,
					       .period = period };
}

void run_start(struct run *r)
{
	struct diag diag = { 0 };

	r->options.events = r->events;
	r->options.note_context = r;
	if (sampler_new(&r->options, &r->sampler, &diag) || sampler_start(r->sampler, &diag))
		die_of(&diag);
}

static uint64_t *copy(const uint64_t *pcs, size_t nr)
{
	uint64_t *ret = malloc((nr + 1) * sizeof(*ret));

	if (!ret)
		die("out of memory");
	memcpy(ret, pcs, nr * sizeof(*ret));
	return ret;
}

static int take(void *context, const struct sampler_count *c)
{
	struct run *r = context;
	struct sampler_count *to;

	r->total += c->count;
	r->total_sum += c->sum;
	if (r->drop_stacks)
		return 0;
	if (r->nr == r->room) {
		r->room = r->room ? 2 * r->room : 1024;
		r->counts = realloc(r->counts, r->room * sizeof(*r->counts));
		if (!r->counts)
			die("out of memory");
	}
	to = &r->counts[r->nr++];
	*to = *c;
	to->user = copy(c->user, c->nr_user);
	to->kernel = copy(c->kernel, c->nr_kernel);
	return 0;
}

void run_drain(struct run *r)
{
	struct diag diag = { 0 };

	if (sampler_drain(r->sampler, take, r, &diag))
		die_of(&diag);
}

void run_stop(struct run *r)
{
	struct diag diag = { 0 };

	if (sampler_stop(r->sampler, &diag))
		die_of(&diag);
	run_drain(r);
}

void run_free(struct run *r)
{
	size_t i;

	sampler_free(r->sampler);
	for (i = 0; i < r->nr; i++) {
		free((void *)r->counts[i].user);
		free((void *)r->counts[i].kernel);
	}
	free(r->counts);
}

void run_until(struct run *r, uint64_t end)
{
	struct diag diag = { 0 };
	uint64_t at;
	int full;

	while ((at = now()) < end) {
		full = sampler_wait(r->sampler, (end - at) / 1000000 + 1, &diag);
		if (full < 0 && full != -EINTR)
			die_of(&diag);
		if (full > 0)
			run_drain(r);
	}
}

uint64_t run_counter(struct run *r, const char *name)
{
	struct sampler_counter counters[64];
	size_t i;

	if (sampler_nr_counters() > 64 || sampler_counters(r->sampler, counters))
		die("no counters");
	for (i = 0; i < sampler_nr_counters(); i++)
		if (!strcmp(counters[i].name, name))
			return counters[i].value;
	die("no counter %s", name);
}

uint64_t run_lost(struct run *r)
{
	struct sampler_counter c[64];
	uint64_t lost = 0;
	size_t i;

	if (sampler_nr_counters() > 64 || sampler_counters(r->sampler, c))
		die("no counters");
	for (i = 0; i < sampler_nr_counters(); i++)
		lost += c[i].fate == SAMPLER_LOST ? c[i].value : 0;
	return lost;
}

uint64_t run_sum(const struct run *r, bool (*match)(const struct sampler_count *, const void *),
		 const void *context, uint64_t *ret_sum)
{
	uint64_t count = 0, sum = 0;
	size_t i;

	for (i = 0; i < r->nr; i++) {
		if (!match(&r->counts[i], context))
			continue;
		count += r->counts[i].count;
		sum += r->counts[i].sum;
	}
	if (ret_sum)
		*ret_sum = sum;
	return count;
}

void run_check_accounts(struct run *r)
{
	struct sampler_counter c[64];
	struct sampler_event_info info;
	uint64_t seen = 0, lost = 0, cpus = sysconf(_SC_NPROCESSORS_CONF), missed = 0;
	size_t i;

	if (sampler_counters(r->sampler, c) || sampler_event_info(r->sampler, 0, &info))
		die("no counters");
	for (i = 0; i < sampler_nr_counters(); i++) {
		if (c[i].fate == SAMPLER_INFORMATION)
			continue;
		if (!strcmp(c[i].name, "missed")) {
			missed = c[i].value;
			continue;
		}
		seen += c[i].value;
		lost += c[i].fate == SAMPLER_LOST ? c[i].value : 0;
	}
	check(run_counter(r, "counted") == r->total, "%llu counted, %llu handed out",
	      (unsigned long long)run_counter(r, "counted"), (unsigned long long)r->total);
	check(seen * info.period == info.weighed, "%llu samples of %llu weigh %llu",
	      (unsigned long long)seen, (unsigned long long)info.period,
	      (unsigned long long)info.weighed);
	/*
	 * less than a period is left on each CPU: nothing if the period is one
	 * event
	 */
	check(info.events >= info.weighed + missed * info.period &&
	      info.events - info.weighed - missed * info.period <= cpus * (info.period - 1),
	      "of %llu events %llu were sampled and %llu periods missed",
	      (unsigned long long)info.events, (unsigned long long)info.weighed,
	      (unsigned long long)missed);
	printf("  %llu samples: %llu counted, %llu lost, %llu missed\n", (unsigned long long)seen,
	       (unsigned long long)r->total, (unsigned long long)lost, (unsigned long long)missed);
}

void run_check_found(struct run *r, uint64_t found, uint64_t events)
{
	uint64_t lost = run_lost(r);

	check(found <= events && found + lost >= events,
	      "the kernel counted %llu, %llu were sampled and %llu lost, whosever they were",
	      (unsigned long long)events, (unsigned long long)found, (unsigned long long)lost);
}

void run_check_clock(struct run *r, uint64_t found, uint64_t cpu_ns, uint64_t switches)
{
	struct sampler_event_info info;
	uint64_t due, slack = 2 * (switches + 1);

	if (sampler_event_info(r->sampler, 0, &info))
		die("no event");
	due = cpu_ns / info.period;
	check(found && found + slack + run_lost(r) >= due && found <= due + due / 2 + slack,
	      "%llu samples in %llu ns of CPU time and %llu turns on a CPU, %llu lost",
	      (unsigned long long)found, (unsigned long long)cpu_ns,
	      (unsigned long long)switches + 1, (unsigned long long)run_lost(r));
}
