// SPDX-License-Identifier: GPL-2.0-only
/* Calls the functions of kernels.S through a table that is filled at run time. */
typedef long kernel(long *numbers, long by);

__attribute__((visibility("hidden"))) extern kernel kernel_sum, kernel_scale, kernel_mix;

struct kernels {
	kernel *sum;
	kernel *scale;
	kernel *mix;
};

static struct kernels table;

static __attribute__((noinline)) void fill(volatile struct kernels *t)
{
	t->sum = kernel_sum;
	t->scale = kernel_scale;
	t->mix = kernel_mix;
}

int main(void)
{
	volatile struct kernels *t = &table;
	long numbers[16], i, n, sum = 0;

	fill(t);
	for (i = 0; i < 300; i++) {
		for (n = 0; n < 16; n++)
			numbers[n] = i ^ n;
		sum += t->sum(numbers, 3) + t->scale(numbers, i) + t->mix(numbers, i);
	}
	return sum == 42;
}
