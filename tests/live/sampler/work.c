// SPDX-License-Identifier: GPL-2.0-only
/*
 * Work whose answer is known. Built with frame pointers, so that stacks are
 * known down to the function that began the work. Each place is a section of
 * its own, whose bounds come from the linker.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "test.h"

/* noipa: it is not cloned or inlined and makes no tail calls */
#define PLACE(p) __attribute__((__noipa__, __section__("known_" #p)))
#define BOUNDS(p)                                                                \
	extern const char __start_known_##p[], __stop_known_##p[];               \
	const struct place place_##p = { #p, __start_known_##p, __stop_known_##p };

/*
 * A function that calls nothing would have no frame, whatever the options are.
 */
#define KEEP_FRAME() __asm__ volatile("" : : "r"(__builtin_frame_address(0)))

BOUNDS(spin)
BOUNDS(spin_caller)
BOUNDS(touch)
BOUNDS(sleep)
BOUNDS(call)
BOUNDS(static_probe)
BOUNDS(deep)

bool in_place(uint64_t pc, const struct place *p)
{
	return pc >= (uintptr_t)p->start && pc < (uintptr_t)p->end;
}

bool is_at(const struct sampler_count *c, const struct place *p)
{
	size_t i;

	for (i = 0; i < c->nr_user && i < 8; i++)
		if (in_place(c->user[i], p))
			return true;
	return false;
}

static uint64_t cpu_time(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * NSEC + t.tv_nsec;
}

static volatile uint64_t sink;

PLACE(spin) static void spin_some(void)
{
	int i;

	KEEP_FRAME();
	for (i = 0; i < 200000; i++)
		sink += i;
}

PLACE(spin_caller) static void spin(uint64_t ms)
{
	uint64_t end = cpu_time() + ms * 1000000;

	while (cpu_time() < end)
		spin_some();
}

/* Spins for @ms of CPU time. numbers: when it ended */
void work_spin(const uint64_t *ms, struct answer *ret)
{
	spin(*ms);
	ret->numbers[0] = now();
}

static uint32_t thread_ids[2];

static void *thread_main(void *ms)
{
	prctl(PR_SET_NAME, "second-thread");
	__atomic_store_n(&thread_ids[1], syscall(SYS_gettid), __ATOMIC_RELEASE);
	spin((uintptr_t)ms);
	return NULL;
}

/*
 * Two threads, first-thread and second-thread, spin for @ms each. tids: their
 * numbers
 */
void work_threads(const uint64_t *ms, struct answer *ret)
{
	pthread_t second;

	prctl(PR_SET_NAME, "first-thread");
	ret->tids[0] = syscall(SYS_gettid);
	if (pthread_create(&second, NULL, thread_main, (void *)(uintptr_t)*ms))
		die("pthread_create");
	spin(*ms);
	pthread_join(second, NULL);
	ret->tids[1] = thread_ids[1];
}

PLACE(touch) static void touch(volatile char *at, uint64_t pages, size_t size)
{
	uint64_t i;

	KEEP_FRAME();
	for (i = 0; i < pages; i++)
		at[i * size] = 1;
}

/* Touches @pages new pages, each once */
void work_touch(const uint64_t *pages, struct answer *ret)
{
	size_t size = sysconf(_SC_PAGESIZE), bytes = *pages * size;
	char *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (at == MAP_FAILED)
		die("mmap: %s", strerror(errno));
	madvise(at, bytes, MADV_NOHUGEPAGE);
	touch(at, *pages, size);
	munmap(at, bytes);
}

/*
 * Makes the call itself, because libc's function may have no frame pointer: the
 * pc is the caller's.
 */
static inline __attribute__((__always_inline__)) void raw_nanosleep(const struct timespec *t)
{
#ifdef __x86_64__
	long ret = SYS_nanosleep;

	__asm__ volatile("syscall" : "+a"(ret) : "D"(t), "S"(0) : "rcx", "r11", "memory");
#else
	register long nr __asm__("x8") = SYS_nanosleep;
	register const void *x0 __asm__("x0") = t;
	register long x1 __asm__("x1") = 0;

	__asm__ volatile("svc 0" : "+r"(x0) : "r"(nr), "r"(x1) : "memory");
#endif
}

PLACE(sleep) static void sleep_ms(uint64_t ms)
{
	struct timespec t = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000 };

	KEEP_FRAME();
	raw_nanosleep(&t);
}

/*
 * Sleeps times_ms[0] times for times_ms[1] ms. numbers: time of all sleeps;
 * number of sleeps
 */
void work_sleep(const uint64_t *times_ms, struct answer *ret)
{
	uint64_t i, start;

	for (i = 0; i < times_ms[0]; i++) {
		start = now();
		sleep_ms(times_ms[1]);
		ret->numbers[0] += now() - start;
		ret->numbers[1]++;
	}
}

/*
 * Alternates short and long sleeps: number, ms, ms, limit in ms. numbers: how
 * many sleeps took longer than the limit; number of sleeps
 */
void work_two_sleeps(const uint64_t *times_ms, struct answer *ret)
{
	uint64_t i, start, taken;

	for (i = 0; i < times_ms[0]; i++) {
		start = now();
		sleep_ms(times_ms[1 + i % 2]);
		taken = now() - start;
		ret->numbers[0] += taken >= times_ms[3] * 1000000;
		ret->numbers[1]++;
	}
}

/* Return: whether a process that only sleeps is in its sleep. */
static bool is_asleep(pid_t pid)
{
	char path[64], state = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	f = fopen(path, "re");
	if (!f || fscanf(f, "%*d (%*[^)]) %c", &state) != 1)
		die("%s: %s", path, strerror(errno));
	fclose(f);
	return state == 'S';
}

/*
 * Starts a child that sleeps for ever. tids: the child; numbers: time before
 * it, and when it slept
 */
void work_pause(const uint64_t *unused, struct answer *ret)
{
	pid_t pid;

	ret->numbers[0] = now();
	pid = fork();

	if (!pid) {
		prctl(PR_SET_PDEATHSIG, 9);
		prctl(PR_SET_NAME, "sleeps-for-ever");
		for (;;)
			sleep_ms(1000000);
	}
	ret->tids[0] = pid;
	while (!is_asleep(pid))
		sched_yield();
	ret->numbers[1] = now();
}

PLACE(call) static void probed_function(void)
{
	sink++;
}

/* Calls probed_function() @times times */
void work_call(const uint64_t *times, struct answer *ret)
{
	uint64_t i;

	for (i = 0; i < *times; i++)
		probed_function();
}

/*
 * A static probe is an instruction that does nothing, and a note that says
 * where it is: here the probe "called" of provider "ustack", without arguments,
 * as <sys/sdt.h> would make it.
 */
#define STATIC_PROBE()								\
	__asm__ volatile("990:	nop\n"						\
		".pushsection .note.stapsdt, \"?\", \"note\"\n"		\
		".balign 4\n"							\
		".4byte 992f - 991f, 994f - 993f, 3\n"				\
		"991:	.asciz \"stapsdt\"\n"					\
		"992:	.balign 4\n"						\
		"993:	.8byte 990b, _.stapsdt.base, 0\n"			\
		".asciz \"ustack\"\n"						\
		".asciz \"called\"\n"						\
		".asciz \"\"\n"							\
		"994:	.balign 4\n"						\
		".popsection\n"							\
		".pushsection .stapsdt.base, \"aG\", \"progbits\", .stapsdt.base, comdat\n" \
		".weak _.stapsdt.base\n"					\
		".hidden _.stapsdt.base\n"					\
		"_.stapsdt.base: .space 1\n"					\
		".size _.stapsdt.base, 1\n"					\
		".popsection\n")

PLACE(static_probe) static void probed_statically(void)
{
	STATIC_PROBE();
}

/* Passes a static probe @times times */
void work_static_probe(const uint64_t *times, struct answer *ret)
{
	uint64_t i;

	for (i = 0; i < *times; i++)
		probed_statically();
}

/* Makes the system call getpriority @times times */
void work_getpriority(const uint64_t *times, struct answer *ret)
{
	uint64_t i;

	for (i = 0; i < *times; i++)
		syscall(SYS_getpriority, PRIO_PROCESS, 0);
}

/*
 * Spins, maps code, spins. numbers: time before and after mapping; time of the
 * start
 */
void work_map(const uint64_t *ms, struct answer *ret)
{
	int fd = open("/proc/self/exe", O_RDONLY);
	void *at;

	ret->numbers[2] = now();
	spin(*ms);
	ret->numbers[0] = now();
	at = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	ret->numbers[1] = now();
	if (at == MAP_FAILED)
		die("mmap: %s", strerror(errno));
	spin(*ms);
}

/*
 * Forks and executes this program, which spins. tids: the child; numbers:
 * before exec; in main()
 */
void work_exec(const uint64_t *ms, struct answer *ret)
{
	char text[32], out[32];
	int fds[2];
	pid_t pid;

	if (pipe(fds))
		die("pipe");
	ret->numbers[0] = now();
	pid = fork();
	if (!pid) {
		snprintf(text, sizeof(text), "%llu", (unsigned long long)*ms);
		snprintf(out, sizeof(out), "%d", fds[1]);
		execl("/proc/self/exe", "sampler-exec", "--spin", text, out, NULL);
		_exit(127);
	}
	ret->tids[0] = pid;
	if (read(fds[0], &ret->numbers[1], 8) != 8)
		die("the child told nothing");
	waitpid(pid, NULL, 0);
}

int spin_after_exec(const char *ms, const char *fd)
{
	uint64_t t = now();

	prctl(PR_SET_NAME, "after-exec");
	if (write(atoi(fd), &t, sizeof(t)) != sizeof(t))
		return 1;
	spin(strtoull(ms, NULL, 10));
	return 0;
}

/*
 * Forks as fast as it can, for a time and at least a number of times. numbers:
 * forks
 */
void work_forks(const uint64_t *ms_least, struct answer *ret)
{
	uint64_t end = now() + ms_least[0] * 1000000;
	pid_t pid;

	while (now() < end || ret->numbers[0] < ms_least[1]) {
		pid = fork();
		if (!pid) {
			spin_some();
			_exit(0);
		}
		if (pid > 0)
			waitpid(pid, NULL, 0);
		ret->numbers[0] += pid > 0;
	}
}

/* Its child spins for @ms. tids: the child */
void work_fork_one(const uint64_t *ms, struct answer *ret)
{
	pid_t pid = fork();

	if (!pid) {
		spin(*ms);
		_exit(0);
	}
	ret->tids[0] = pid;
	waitpid(pid, NULL, 0);
}

PLACE(deep) static uint64_t deep(uint64_t frames, uint64_t ms)
{
	uint64_t below;

	if (frames <= 1) {
		spin(ms);
		return 1;
	}
	below = deep(frames - 1, ms);
	sink += below;
	return below + 1;
}

/* Spins below frames_ms[0] frames */
void work_deep(const uint64_t *frames_ms, struct answer *ret)
{
	ret->numbers[0] = deep(frames_ms[0], frames_ms[1]);
}

PLACE(deep) static uint64_t deep_calls(uint64_t frames, uint64_t times)
{
	uint64_t below = times, both[] = { times };

	KEEP_FRAME();
	if (frames > 1) {
		below = deep_calls(frames - 1, times);
		sink += below;
		return below + 1;
	}
	work_call(both, NULL);
	work_getpriority(both, NULL);
	return 1;
}

/*
 * Calls probed_function() and the system call getpriority, below
 * frames_times[0] frames
 */
void work_deep_calls(const uint64_t *frames_times, struct answer *ret)
{
	ret->numbers[0] = deep_calls(frames_times[0], frames_times[1]);
}
