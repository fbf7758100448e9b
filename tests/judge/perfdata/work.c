// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program to be recorded: threads with names, processes that fork, one that runs a shell,
 * a library that is loaded late, time in the kernel.
 *
 * usage: work PLUGIN
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define apart __attribute__((__noinline__))

static apart long work_leaf(long n)
{
	volatile long sum = 0;
	long i;

	for (i = 0; i < n; i++)
		sum += i * i;
	return sum;
}

static apart long work_middle(long n)
{
	return work_leaf(n) + 1;
}

static apart long work_other(long n)
{
	volatile long sum = 0;
	long i;

	for (i = 0; i < n; i++)
		sum ^= i;
	return sum;
}

static apart void *work_thread(void *arg)
{
	int i;

	prctl(PR_SET_NAME, "a thread");
	for (i = 0; i < 30; i++) {
		work_middle(2000000);
		work_other(1000000);
	}
	return NULL;
}

static int compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static apart void work_sort(void)
{
	int nr = 300000, i, *v = malloc(sizeof(*v) * (size_t)nr);

	for (i = 0; i < nr; i++)
		v[i] = rand() % 100000;
	qsort(v, (size_t)nr, sizeof(*v), compare);
	free(v);
}

static apart void work_kernel(void)
{
	char page[4096];
	int fd = open("/dev/zero", O_RDONLY), i;

	for (i = 0; i < 60000; i++)
		if (read(fd, page, sizeof(page)) < 0)
			abort();
	close(fd);
}

static apart void work_plugin(const char *path)
{
	void *library = dlopen(path, RTLD_NOW);
	long (*spin)(long n);

	if (!library)
		abort();
	*(void **)&spin = dlsym(library, "plugin_spin");
	spin(80000000);
	dlclose(library);
}

static apart void work_children(const char *path)
{
	int i;

	for (i = 0; i < 3; i++)
		if (!fork()) {
			work_middle(20000000);
			work_plugin(path);
			_exit(0);
		}
	if (!fork())
		execlp("sh", "sh", "-c", "i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done", NULL);
	while (wait(NULL) > 0)
		;
}

int main(int argc, char **argv)
{
	pthread_t thread;

	if (argc != 2)
		return 2;
	pthread_create(&thread, NULL, work_thread, NULL);
	work_sort();
	work_kernel();
	work_plugin(argv[1]);
	pthread_join(thread, NULL);
	work_children(argv[1]);
	return 0;
}
