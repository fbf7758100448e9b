// SPDX-License-Identifier: GPL-2.0-only
/* Recursion, function pointers, calls of the C library that call back, and large frames. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NUMBERS 60

static int numbers[NUMBERS];

static int compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static int fibonacci(int n)
{
	return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static int count(int n)
{
	char text[1500];

	snprintf(text, sizeof(text), "%f %d %s", n * 1.5, numbers[n % NUMBERS], "words");
	return (int)strlen(text);
}

static int (*volatile const steps[])(int n) = { fibonacci, count };

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 4, sum = 0, i, j;

	for (i = 0; i < rounds; i++) {
		for (j = 0; j < NUMBERS; j++)
			numbers[j] = (j * 7919 + i) % 1000;
		qsort(numbers, NUMBERS, sizeof(numbers[0]), compare);
		for (j = 0; j < 12; j++)
			sum += steps[j & 1](j);
	}
	printf("%d\n", sum);
	return sum == 0;
}
