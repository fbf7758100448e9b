// SPDX-License-Identifier: GPL-2.0-only
/* Functions in several sections, of which two have no debug information. */
#define IN(s) __attribute__((noinline, section(s)))
volatile int v;
__asm__(".section .text.bare, \"ax\", %progbits\n.p2align 4\n"
	".globl bare\n.type bare, %function\nbare: nop\nret\n.size bare, . - bare\n"
	".globl after\n.type after, %function\nafter: ret\n.size after, . - after\n.text");
IN(".text.hot") void hot(void) { v = 1; }
void plain(void) { v = 2; }
IN(".init.text") void start(void) { v = 3; hot(); plain(); }
