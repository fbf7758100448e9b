#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Write a C file of N functions with frames of every shape.

usage: gen.py N SEED ARCH
"""
import random
import sys

HEAD = """
typedef long v4 __attribute__((vector_size(32)));
extern long outside(long, ...);
extern void *memory(long);
#define NOINLINE __attribute__((noinline, noclone))
/* called and taken the address of: an entry of .plt.got */
void *(*taken(void))(long) { return memory; }
void *called(long n) { return memory(n); }
"""


def leaf(rng, n):
    return "long f%d(long a, long b) { return a * %d + b; }" % (n, rng.randrange(2, 99))


def frame(rng, n, callee):
    size = rng.choice((4, 30, 200, 700, 5000, 40000))
    return ("long f%d(long a, long b) { volatile long m[%d]; m[a %% %d] = b; "
            "return f%d(m[0], a) + m[b %% %d]; }" % (n, size, size, callee, size))


def saves(rng, n, callee):
    k = rng.randrange(2, 9)
    calls = " ".join("x%d = f%d(a + x%d, %d);" % (i, callee, i - 1, i) for i in range(1, k))
    return ("long f%d(long a, long b) { long x0 = b, %s; %s return x0 ^ %s; }" %
            (n, ", ".join("x%d" % i for i in range(1, k)), calls,
             " ^ ".join("x%d" % i for i in range(1, k))))


def dynamic(rng, n, callee):
    return ("long f%d(long a, long b) { volatile char *p = __builtin_alloca(a); "
            "p[0] = b; return f%d(p[0], b) + a; }" % (n, callee))


def early(rng, n, callee):
    return ("long f%d(long a, long b) { if (__builtin_expect(a < %d, 1)) return b; "
            "outside(a); long c = f%d(a, b); outside(c); return c + a; }" %
            (n, rng.randrange(100), callee))


def many_args(rng, n, callee):
    args = ", ".join("a + %d" % i for i in range(rng.randrange(7, 14)))
    return "long f%d(long a, long b) { return outside(%s) + f%d(b, a); }" % (n, args, callee)


def cold(rng, n, callee):
    return ("long f%d(long a, long b) { if (__builtin_expect(a == %d, 0)) { outside(b, a); "
            "outside(a); __builtin_trap(); } return f%d(b, a) + 1; }" %
            (n, rng.randrange(1000), callee))


def large(rng, n, callee):
    skip = rng.choice((300, 3000, 70000))
    return ("long f%d(long a, long b) { long c = f%d(a, b); "
            "__asm__ volatile(\".skip %d\"); return outside(c, a) + b; }" %
            (n, callee, skip // 4 * 4))


def realigned(rng, n, callee):
    return ("__attribute__((force_align_arg_pointer)) long f%d(long a, long b) "
            "{ volatile v4 v __attribute__((aligned(%d))); v[0] = a; "
            "return f%d(v[0], b) + outside(a, v[0], b); }" %
            (n, rng.choice((32, 64)), callee))


def realigned_saves(rng, n, callee):
    return ("long f%d(long a, long b) { volatile char m[64] __attribute__((aligned(64))); "
            "volatile char *p = __builtin_alloca(a); m[0] = a; p[0] = b; "
            "long c = f%d(m[0], p[0]); return outside(a, b, c, m, p) + c; }" % (n, callee))


def main():
    count, seed, arch = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    rng = random.Random(seed)
    shapes = [frame, saves, saves, dynamic, early, many_args, cold]
    if arch == "x86_64":
        shapes += [realigned, realigned_saves]
    print(HEAD)
    print("NOINLINE", leaf(rng, 0))
    for n in range(1, count):
        callee = rng.randrange(n)
        if rng.random() < 0.15:
            print("NOINLINE", leaf(rng, n))
        elif rng.random() < 0.004:
            print("NOINLINE", large(rng, n, callee))
        else:
            print("NOINLINE", rng.choice(shapes)(rng, n, callee))


main()
