# SPDX-License-Identifier: GPL-2.0-only
"""Prologues and epilogues that walk-judge steps through: one function for each form that
LLVM's frame lowering has, each with the CFI of its body, from which the assembler makes
compact encodings. walk-judge has those that clang makes from C by default."""

FRAME_X86 = '''pushq %rbp
 .cfi_def_cfa_offset 16
 .cfi_offset %rbp, -16
 movq %rsp, %rbp
 .cfi_def_cfa_register %rbp'''
FRAME_ARM64 = '''stp x29, x30, [sp, #-16]!
 mov x29, sp
 .cfi_def_cfa w29, 16
 .cfi_offset w30, -8
 .cfi_offset w29, -16'''


def size(n):
    return f' .cfi_def_cfa_offset {n}'


def saved(offset, *regs):
    return '\n'.join(f' .cfi_offset {r}, {offset + 8 * i}' for i, r in enumerate(regs))


# in the order of the pushes. LLVM's assembler takes the order of the directives for that of the
# registers, from the top of the stack on.
SIX = ['rbp', 'r15', 'r14', 'r13', 'r12', 'rbx']

# name: lines; `g` and `target` are functions in walk-judge's C code
X86_64 = {
    'leave': f'{FRAME_X86}\n subq $16, %rsp\n callq _g\n leave\n retq',
    'mov_sp': f'{FRAME_X86}\n subq $16, %rsp\n callq _g\n movq %rbp, %rsp\n popq %rbp\n retq',
    'other_mov': f'{FRAME_X86}\n callq _g\n popq %rbp\n retq'.replace(
        'movq %rsp, %rbp', '.byte 0x48, 0x8b, 0xec'),
    'realigned': f'''{FRAME_X86}
 pushq %rbx
 .cfi_offset %rbx, -24
 andq $-32, %rsp
 callq _g
 leaq -8(%rbp), %rsp
 popq %rbx
 popq %rbp
 retq''',
    'word': f' pushq %rax\n{size(16)}\n callq _g\n popq %rcx\n retq',
    'endbr': f' endbr64\n pushq %rax\n{size(16)}\n callq _g\n popq %rcx\n retq',
    'six': '\n'.join(f' pushq %{r}' for r in SIX) + f'\n subq $24, %rsp\n{size(80)}\n' +
           '\n'.join(f' .cfi_offset %{r}, {-16 - 8 * i}' for i, r in reversed(list(enumerate(SIX)))) +
           '\n xorl %ebp, %ebp\n callq _g\n addq $24, %rsp\n' +
           '\n'.join(f' popq %{r}' for r in reversed(SIX)) + '\n retq',
    'large': f' subq $264, %rsp\n{size(272)}\n callq _g\n addq $264, %rsp\n retq',
    'lea': f' leaq -24(%rsp), %rsp\n{size(32)}\n callq _g\n leaq 24(%rsp), %rsp\n retq',
    'large_lea': f' leaq -264(%rsp), %rsp\n{size(272)}\n callq _g\n leaq 264(%rsp), %rsp\n retq',
    'tail': f'{FRAME_X86}\n callq _g\n popq %rbp\n jmp _target',
    'tail_leave': f'{FRAME_X86}\n callq _g\n leave\n jmp _target',
    'tail_add': f' subq $24, %rsp\n{size(32)}\n callq _g\n addq $24, %rsp\n jmp _target',
    'tail_large': f' subq $264, %rsp\n{size(272)}\n callq _g\n addq $264, %rsp\n jmp _target',
    'tail_lea': f' leaq -24(%rsp), %rsp\n{size(32)}\n callq _g\n leaq 24(%rsp), %rsp\n jmp _target',
    'tail_reg': f'{FRAME_X86}\n callq _g\n leaq _target(%rip), %rax\n popq %rbp\n jmpq *%rax',
    'tail_r11': f'{FRAME_X86}\n callq _g\n leaq _target(%rip), %r11\n popq %rbp\n jmpq *%r11',
    'tail_add_reg': f''' subq $24, %rsp\n{size(32)}\n callq _g\n leaq _target(%rip), %rax
 addq $24, %rsp\n jmpq *%rax''',
    'tail_memory': f'''{FRAME_X86}\n callq _g\n leaq _target(%rip), %rax
 movq %rax, -32(%rsp)\n leaq -32(%rsp), %rax\n popq %rbp\n jmpq *(%rax)''',
    # the frame is made where it is needed; both ways share the end
    'late': f''' testq %rsi, %rsi
 je 1f
 {FRAME_X86}
 callq _g
 popq %rbp
1: movq %rdi, %rax
 addq $1, %rax
 retq''',
    'late_pops': f''' testq %rsi, %rsi
 je 1f
 pushq %r14
 pushq %rbx
 pushq %rax
{size(32)}
 .cfi_offset %rbx, -24
 .cfi_offset %r14, -16
 callq _g
 addq $8, %rsp
 popq %rbx
 popq %r14
1: movl $1, %eax
 cmpq $2, %rsi
 jne 2f
 jmp _target
2: retq''',
    'late_jump': f''' testq %rsi, %rsi
 jne 2f
1: movq %rdi, %rax
 retq
2: {FRAME_X86}
 callq _g
 popq %rbp
 jmp 1b''',
    'late_tail': f''' testq %rsi, %rsi
 jne 1f
 movl $3, %esi
 jmp _target
1: {FRAME_X86}
 callq _g
 popq %rbp
 retq''',
}


def arm64_pairs(n):
    """saves n pairs below the frame record, and restores all"""
    regs = [f'x{19 + 2 * i}' for i in range(n)]
    pair = lambda r: f'x{int(r[1:]) + 1}, {r}'
    enter = [f' stp {pair(regs[-1])}, [sp, #-{16 * n + 16}]!'] + \
            [f' stp {pair(r)}, [sp, #{16 * (n - 1 - i)}]' for i, r in enumerate(regs[:-1])] + \
            [f' stp x29, x30, [sp, #{16 * n}]', f' add x29, sp, #{16 * n}',
             ' .cfi_def_cfa w29, 16', ' .cfi_offset w30, -8', ' .cfi_offset w29, -16']
    for i, r in enumerate(regs):
        enter += [f' .cfi_offset w{r[1:]}, {-24 - 16 * i}',
                  f' .cfi_offset w{int(r[1:]) + 1}, {-32 - 16 * i}']
    leave = [f' ldp x29, x30, [sp, #{16 * n}]'] + \
            [f' ldp {pair(r)}, [sp, #{16 * (n - 1 - i)}]' for i, r in enumerate(regs[:-1])] + \
            [f' ldp {pair(regs[-1])}, [sp], #{16 * n + 16}']
    return '\n'.join(enter + [' bl _g'] + leave)


LEAVE_ARM64 = ' ldp x29, x30, [sp], #16'
CHECK = ' eor x16, x30, x30, lsl #1\n tbz x16, #62, 7f\n brk #0xc471\n7:'

ARM64 = {
    'plain': f'{FRAME_ARM64}\n bl _g\n{LEAVE_ARM64}\n ret',
    'pairs': f'{arm64_pairs(5)}\n ret',
    'tail': f'{FRAME_ARM64}\n bl _g\n{LEAVE_ARM64}\n b _target',
    'tail_reg': f'''{FRAME_ARM64}\n bl _g\n adrp x2, _target@PAGE
 add x2, x2, _target@PAGEOFF\n{LEAVE_ARM64}\n br x2''',
    'signed': f' pacibsp\n{FRAME_ARM64}\n bl _g\n{LEAVE_ARM64}\n retab',
    'authenticated': f' pacibsp\n{FRAME_ARM64}\n bl _g\n{LEAVE_ARM64}\n autibsp\n ret',
    'signed_tail': f' pacibsp\n{FRAME_ARM64}\n bl _g\n{LEAVE_ARM64}\n autibsp\n{CHECK}\n b _target',
    'signed_tail_reg': f''' pacibsp\n{FRAME_ARM64}\n bl _g\n adrp x2, _target@PAGE
 add x2, x2, _target@PAGEOFF\n{LEAVE_ARM64}\n autibsp\n{CHECK}\n br x2''',
    'signed_tail_signed': f''' pacibsp\n{FRAME_ARM64}\n bl _g\n adrp x2, _target@PAGE
 add x2, x2, _target@PAGEOFF\n paciza x2\n{LEAVE_ARM64}\n autibsp\n{CHECK}\n braaz x2''',
    'lr_alone': ''' str x30, [sp, #-16]!
 .cfi_def_cfa_offset 16
 .cfi_offset w30, -16
 bl _g
 ldr x30, [sp], #16
 ret''',
    'late': f''' cbz x1, 1f
 {FRAME_ARM64}
 bl _g
{LEAVE_ARM64}
1: add x0, x0, #1
 ret''',
    'late_jump': f''' cbnz x1, 2f
1: add x0, x0, #1
 ret
2: {FRAME_ARM64}
 bl _g
{LEAVE_ARM64}
 b 1b''',
    'late_tail': f''' cbnz x1, 1f
 mov x1, #3
 b _target
1: {FRAME_ARM64}
 bl _g
{LEAVE_ARM64}
 ret''',
}

FRAME_I386 = FRAME_X86.replace('16', '8').replace('q ', 'l ').replace('%r', '%e')
# calls g with the function's own two arguments, found by the frame pointer or by SP
CALL_I386 = ''' subl $24, %esp
 movl 8(%ebp), %eax
 movl %eax, (%esp)
 movl 12(%ebp), %eax
 movl %eax, 4(%esp)
 calll _g'''


def call_i386(size):
    return f''' movl {size + 4}(%esp), %eax
 movl %eax, (%esp)
 movl {size + 8}(%esp), %eax
 movl %eax, 4(%esp)
 calll _g'''


I386 = {
    'leave': f'{FRAME_I386}\n{CALL_I386}\n leave\n retl',
    'mov_sp': f'{FRAME_I386}\n{CALL_I386}\n movl %ebp, %esp\n popl %ebp\n retl',
    'word': f' subl $12, %esp\n{size(16)}\n{call_i386(12)}\n addl $12, %esp\n retl',
    'large': f' subl $268, %esp\n{size(272)}\n{call_i386(268)}\n addl $268, %esp\n retl',
    'lea': f' leal -12(%esp), %esp\n{size(16)}\n{call_i386(12)}\n leal 12(%esp), %esp\n retl',
    'tail': f'{FRAME_I386}\n{CALL_I386}\n addl $24, %esp\n popl %ebp\n jmp _target',
    'tail_add': f' subl $12, %esp\n{size(16)}\n{call_i386(12)}\n addl $12, %esp\n jmp _target',
    'late': f''' movl 8(%esp), %eax
 testl %eax, %eax
 je 1f
 {FRAME_I386}
{CALL_I386}
 addl $24, %esp
 popl %ebp
1: movl 4(%esp), %eax
 incl %eax
 retl''',
    'late_pops': f''' cmpl $0, 8(%esp)
 je 1f
 pushl %esi
 pushl %ebx
 subl $20, %esp
{size(32)}
 .cfi_offset %ebx, -12
 .cfi_offset %esi, -8
{call_i386(28)}
 addl $20, %esp
 popl %ebx
 popl %esi
1: cmpl $2, 8(%esp)
 jne 2f
 jmp _target
2: movl $1, %eax
 retl''',
    'late_jump': f''' cmpl $0, 8(%esp)
 jne 2f
1: movl 4(%esp), %eax
 decl %eax
 retl
2: {FRAME_I386}
{CALL_I386}
 addl $24, %esp
 popl %ebp
 jmp 1b''',
    'late_tail': f''' cmpl $0, 8(%esp)
 jne 1f
 movl $3, 8(%esp)
 jmp _target
1: {FRAME_I386}
{CALL_I386}
 addl $24, %esp
 popl %ebp
 retl''',
}

FORMS = {'x86_64': X86_64, 'arm64': ARM64, 'i386': I386}


def assembly(arch, chosen=None):
    """the code of all forms of an architecture, or of the chosen ones"""
    head = '.p2align 2\n' if arch == 'arm64' else ''
    text = head
    for name, lines in (chosen or FORMS[arch]).items():
        text += f'.globl _form_{name}\n{head}_form_{name}:\n .cfi_startproc\n{lines}\n' \
                ' .cfi_endproc\n'
    return text


def calls(arch):
    """C expressions that call each form; a late one also with 0, which makes no frame, and 2"""
    return [f'form_{name}(a, {b})' for name in FORMS[arch]
            for b in ((0, 1, 2) if name.startswith('late') else (1,))]


def prototypes(arch):
    return '\n'.join(f'long form_{name}(long, long);' for name in FORMS[arch])
