// SPDX-License-Identifier: GPL-2.0-only
/*
 * As stripped Go programs are: frame pointers, no CFI, no symbols, and a table
 * of functions that names the one which called the first, by a return address
 * that no call has put there. The stack: leaf <- work <- runtime.goexit.
 */
void work(void);

#ifdef __x86_64__
asm(".globl _start\n"
    "_start:\n	xor %ebp, %ebp\n	lea goexit+1(%rip), %rax\n"
    "	push %rax\n	jmp work\n"
    /* away from the file's entry, which is known without the table */
    ".balign 256\n"
    "goexit:\n	nop\n	xor %edi, %edi\n	mov $231, %eax\n	syscall\n	hlt\n"
    "goexit_end:\n");
#define ROUND(n) asm volatile("1:	dec %0\n	jnz 1b" : "+r" (n) : : "cc")
#else
asm(".globl _start\n"
    "_start:\n	mov x29, #0\n	adr x30, goexit+4\n	b work\n"
    ".balign 256\n"
    "goexit:\n	nop\n	mov x0, #0\n	mov x8, #94\n	svc #0\n	brk #0\n"
    "goexit_end:\n");
#define ROUND(n) asm volatile("1:	subs %0, %0, #1\n	b.ne 1b" : "+r" (n) : : "cc")
#endif

/* of Go 1.20 and later: header, names, functions */
asm(".section .gopclntab, \"a\"\n"
    "table:\n	.4byte 0xfffffff1\n	.byte 0, 0, 1, 8\n"
    "	.8byte 1, 0, _start, names - table, 0, 0, 0, functions - table\n"
    "names:\n	.asciz \"runtime.goexit\"\n"
    ".balign 8\n"
    "functions:\n	.4byte goexit - _start, function - functions, goexit_end - _start\n"
    "function:\n	.4byte goexit - _start, 0\n"
    ".text\n");

static __attribute__((noinline, noclone)) void leaf(unsigned long n)
{
	ROUND(n);
	asm volatile("" : : : "memory");
}

void work(void)
{
	leaf(500000000ul);
	asm volatile("" : : : "memory");
}
