# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# A program in C for compilers and libraries without CFI: recursion, qsort() with a callback,
# printf() of floating point, malloc(). Sourced after lib.sh.
cat >work.c <<'END2'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
struct node { struct node *left, *right; int key; };
static unsigned int seed = 1;
static unsigned int draw(void) { return seed = (unsigned long)seed * 48271 % 2147483647; }
static int depth(int n) { return n ? 1 + depth(n - 1) : 0; }
static int compare(const void *a, const void *b) { return *(const int *)a % 1009 - *(const int *)b % 1009; }
static struct node *insert(struct node *n, int key)
{
	if (!n) {
		n = calloc(1, sizeof(*n));
		n->key = key;
	} else if (key < n->key) {
		n->left = insert(n->left, key);
	} else {
		n->right = insert(n->right, key);
	}
	return n;
}
static void drop(struct node *n)
{
	if (!n)
		return;
	drop(n->left);
	drop(n->right);
	free(n);
}
static int turn(void)
{
	static int words[2000];
	struct node *root = NULL;
	char text[64];
	int i, sum = 0;

	for (i = 0; i < 2000; i++) {
		words[i] = draw();
		root = insert(root, words[i]);
		if (i % 4 == 0)
			sum += snprintf(text, sizeof(text), "%d %.6f %s", words[i], words[i] / 7.0, "text");
	}
	qsort(words, 2000, sizeof(words[0]), compare);
	drop(root);
	return sum + depth(words[0] % 60);
}
int main(int argc, char **argv)
{
	long sum = 0;
	time_t end = time(NULL) + atoi(argv[argc - 1]);

	while (time(NULL) < end)
		sum += turn();
	printf("%ld\n", sum);
	return 0;
}
END2
