// SPDX-License-Identifier: GPL-2.0-only
/* Parameters of the module: kill switch, byte budget, frame limit. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lifetime.h"
#include "frequent.h"
#include "reason.h"
#include "ustack.h"

void test_kill_switch(void)
{
	int fd = plug_file(1, DIR "/lib");
	char without[256], off[256];
	void *at = place();
	unsigned long n, m;
	struct tally t;

	no_module();
	n = frequent_callers("/spin64", without, sizeof(without));
	plug_map(&plugs[1], fd, at, MAP_FIXED);
	plug_sample(at, samples_wanted, &t);
	check(t.cut && !t.whole, "no module: cut %lu, whole %lu", t.cut, t.whole);

	fresh_module("");
	check(module_param("enabled", "0"), "echo 0 > enabled");
	m = frequent_callers("/spin64", off, sizeof(off));
	check(n && m && !strcmp(without, off),
	      "frame pointers: %lu samples%s without, %lu%s with the module off",
	      n, without, m, off);
	plug_map(&plugs[1], fd, at, MAP_FIXED);
	plug_sample(at, samples_wanted, &t);
	check(t.cut && !t.whole && !t.wrong, "switched off: cut %lu, whole %lu",
	      t.cut, t.whole);
	check(!module_stat("samples"), "nothing was counted");
	check(module_param("enabled", "1"), "echo 1 > enabled");
	/* learned while the module is off, so that stacks are right at once */
	check_whole(at, "switched on again");
	munmap(at, plugs[1].text_len);
	close(fd);
}

/* Whether the device still reports an image of this name. */
/* Whether the device tells of an image with this name, for this reason. */
static bool told_of(const char *name, enum ustack_reason reason)
{
	static uint64_t buf[8192];
	int fd = open(USTACK_DEVICE, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	const struct ustack_event *event;
	bool found = false;
	ssize_t n;
	char *at;

	if (fd < 0)
		die_errno(USTACK_DEVICE);
	while ((n = read(fd, buf, sizeof(buf))) > 0)
		for (at = (char *)buf; at < (char *)buf + n;
		     at += event->size) {
			event = (struct ustack_event *)at;
			found |= strstr(event->path, name) && event->reason == reason;
		}
	close(fd);
	return found;
}

void test_budget(void)
{
	int fd = plug_file(2, DIR "/lib-budget");
	char line[256] = "", state[32];
	void *at = place();
	struct tally t;

	fresh_module("budget_mb=0");
	plug_map(&plugs[2], fd, at, MAP_FIXED);
	plug_sample(at, samples_wanted, &t);
	check(t.cut && !t.whole && !t.wrong, "no budget: cut %lu, whole %lu",
	      t.cut, t.whole);
	module_image("lib-budget", line, sizeof(line));
	module_image_state(line, state);
	check(!strcmp(state, "BUDGET"), "its reason is %s", state);
	check(!module_stat("table_bytes") && !module_stat("tables"),
	      "no table takes memory");
	check(told_of("lib-budget", USTACK_BUDGET), "the device tells of it");
	munmap(at, plugs[2].text_len);

	check(module_param("budget_mb", "16"), "echo 16 > budget_mb");
	plug_map(&plugs[2], fd, at, MAP_FIXED);
	module_prepare();	/* for this program's own table, which is refused as well */
	check_whole(at, "mapped again");
	check(!told_of("lib-budget", USTACK_BUDGET), "the device tells of it no more");
	munmap(at, plugs[2].text_len);
	close(fd);
	fresh_module("");
}

/* ---- the frame limit ------------------------------------------------------- */

#define DEEP 400

__attribute__((noipa)) static unsigned long dive(unsigned int depth,
						 unsigned long loops)
{
	unsigned long n = 0;

	if (depth)
		n = dive(depth - 1, loops);
	else
		while (loops--)
			asm volatile("");
	asm volatile("" : "+r"(n));
	return n + 1;
}

struct lengths {
	unsigned long of[1024];
	unsigned long samples;
};

static void measure(const struct sample *sample, void *arg)
{
	struct lengths *lengths = arg;

	lengths->of[sample->nr < 1024 ? sample->nr : 1023]++;
	lengths->samples++;
}

/* Return: the most frequent number of frames. */
static unsigned int usual_length(void)
{
	struct lengths lengths = { 0 };
	double end = seconds() + 20;
	unsigned int i, best = 0;
	struct sampler s;

	sampler_open(&s, 0, -1, 500000);
	while (lengths.samples < samples_wanted && seconds() < end) {
		sampler_enable(&s, true);
		dive(DEEP, 2000000);
		sampler_enable(&s, false);
		sampler_drain(&s, measure, &lengths);
	}
	sampler_close(&s);
	for (i = 0; i < 1024; i++)
		if (lengths.of[i] > lengths.of[best])
			best = i;
	return best;
}

void test_max_frames(void)
{
	unsigned long long before;
	unsigned int usual;

	fresh_module("");
	check(!module_param("max_frames", "0"), "max_frames 0 is refused");
	check(!module_param("max_frames", "4097"), "max_frames 4097 is refused");
	check(module_param("max_frames", "20"), "echo 20 > max_frames");
	before = module_stat("DEPTH");
	usual = usual_length();
	check(usual == 20, "stacks of %u frames", usual);
	check(module_stat("DEPTH") > before, "DEPTH is counted");
	check(module_param("max_frames", "512"), "echo 512 > max_frames");
	before = module_stat("FULL");
	usual = usual_length();
	check(usual >= 126 && usual <= 127, "perf's own cap: %u frames", usual);
	check(module_stat("FULL") > before, "FULL is counted");
	if (!file_try_write("/proc/sys/kernel/perf_event_max_stack", "600")) {
		skip("max_frames: perf_event_max_stack cannot be raised: %s",
		     strerror(errno));
		return;
	}
	usual = usual_length();
	check(usual > DEEP && usual < DEEP + 16, "all of them: %u frames", usual);
	file_write("/proc/sys/kernel/perf_event_max_stack", "127");
}
