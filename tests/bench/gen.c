// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints a random call graph as C: N functions with four call sites each. Bits of the route
 * choose the site at every level, so that each route is a stack of its own. The functions vary
 * in what makes rows vary: registers that live across the calls, buffers on the stack, code
 * between the calls.
 *
 * usage: gen N PART PARTS
 * \tprints the functions of part PART of PARTS, so that parts can be compiled separately
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define SITES 4
#define MAX_LIVE 4

static uint64_t state;

static uint64_t rnd(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static void print_function(unsigned int i, unsigned int n)
{
	unsigned int live, buf, site, v;

	/* Each function's own numbers, independent of its part. */
	state = (i + 1) * 0x9e3779b97f4a7c15ull;
	live = rnd() % (MAX_LIVE + 1);
	buf = rnd() % 3 ? 0 : 8 + rnd() % 160;
	printf("__attribute__((__noinline__, __noclone__))\n");
	printf("u64 DRESS(f%u)(struct probe *p, u64 route, unsigned int depth)\n{\n", i);
	if (buf)
		printf("\tvolatile unsigned char buf[%u];\n", buf);
	for (v = 0; v < live; v++)
		printf("\tu64 v%u = route * 0x%" PRIx64 "ull;\n", v, rnd() | 1);
	printf("\tu64 sum = route;\n\n");
	if (buf)
		printf("\tbuf[route %% %u] = (unsigned char)depth;\n", buf);
	printf("\tif (!depth)\n\t\treturn DRESS(bench_probe)(p) + sum;\n");
	printf("\tswitch (route & %u) {\n", SITES - 1);
	for (site = 0; site < SITES; site++) {
		if (site < SITES - 1)
			printf("\tcase %u:\n", site);
		else
			printf("\tdefault:\n");
		printf("\t\tsum ^= DRESS(f%u)(p, route >> 2, depth - 1) * %u;\n",
		       (unsigned int)(rnd() % n), (unsigned int)(rnd() % 1000) | 1);
		for (v = 0; v < live; v++)
			if (rnd() & 1)
				printf("\t\tsum += v%u >> %u;\n", v,
				       (unsigned int)(rnd() % 60) + 1);
		printf("\t\tbreak;\n");
	}
	printf("\t}\n");
	for (v = 0; v < live; v++)
		printf("\tsum ^= v%u;\n", v);
	if (buf)
		printf("\tsum += buf[sum %% %u];\n", buf);
	printf("\treturn sum;\n}\n\n");
}

int main(int argc, char **argv)
{
	unsigned int i, n, part, parts;

	if (argc != 4)
		return 2;
	n = (unsigned int)strtoul(argv[1], NULL, 0);
	part = (unsigned int)strtoul(argv[2], NULL, 0);
	parts = (unsigned int)strtoul(argv[3], NULL, 0);
	printf("#include \"graph.h\"\n\n");
	for (i = 0; i < n; i++)
		printf("u64 DRESS(f%u)(struct probe *p, u64 route, unsigned int depth);\n", i);
	printf("\n");
	for (i = part * n / parts; i < (part + 1) * n / parts; i++)
		print_function(i, n);
	if (part)
		return 0;
	printf("u64 DRESS(bench_graph)(struct probe *p, u64 route, unsigned int depth)\n");
	printf("{\n\treturn DRESS(f0)(p, route, depth) + 1;\n}\n");
	return 0;
}
