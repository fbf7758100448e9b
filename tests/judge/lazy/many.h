/* SPDX-License-Identifier: GPL-2.0-only */
/* The functions of the library with lazy binding, for the program that calls them. */
#ifndef LAZY_MANY_H
#define LAZY_MANY_H

#define MANY(f) f(1) f(2) f(3) f(4) f(5) f(6) f(7) f(8) f(9) f(10) f(11) f(12)

#define DECLARE(n) int many_##n(int v);
MANY(DECLARE)

#endif /* LAZY_MANY_H */
