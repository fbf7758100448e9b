#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Write the first inputs of the fuzz targets of languages.

usage: seed_lang.py DIR
        writes DIR/lang_code/seed-*, objects of CPython 3.11 from address 0x10000 on, and
        DIR/lang_php/seed-*, functions of PHP 8.2 from there on, and
        DIR/lang_ruby/seed-*, bodies of Ruby 3.1 and 3.3, functions in C and classes, likewise, and
        DIR/lang_perl/seed-*, code and statements of Perl 5.36, likewise, and
        DIR/lang_beam/seed-*, modules of Erlang 25, likewise, and
        DIR/lang_elf/seed-*, libraries with the symbols of CPython, of glibc, of PHP, of Ruby and of
        Perl (by gcc).
"""
import os
import struct
import subprocess
import sys
import tempfile

BASE = 0x10000


def text(s, kind):
    """A str: kind 0 is ASCII, else bytes of a character."""
    data = s.encode({0: 'ascii', 1: 'latin-1', 2: 'utf-16-le', 4: 'utf-32-le'}[kind],
                    'surrogatepass')
    state = (kind or 1) << 2 | 1 << 5 | (kind == 0) << 6
    head = struct.pack('<QQQQQQ', 1, 0, len(s), 0, state, 0)
    return head + (b'' if kind == 0 else bytes(24)) + data + bytes(100)


def code(name, kind, table):
    at = {'name': 0x100, 'file': 0x300, 'table': 0x400}
    b = bytearray(0x600)
    for key, data in (('name', text(name, kind)), ('file', text('/a.py', 0)),
                      ('table', struct.pack('<QQQQ', 1, 0, len(table), 0) + table)):
        b[at[key]:at[key] + len(data)] = data
    struct.pack_into('<QQQ', b, 0, 1, BASE, 12)
    struct.pack_into('<I', b, 72, 7)
    struct.pack_into('<QQQQ', b, 112, BASE + at['file'], 0, BASE + at['name'], BASE + at['table'])
    return bytes(b)


def string(s):
    return struct.pack('<QQQ', 1, 0, len(s)) + s + bytes(40)


def php(kind, name, scope, file):
    """A function: its type and its strings; an empty string is left out."""
    at = {'name': 0x100, 'class': 0x200, 'scope': 0x220, 'file': 0x300}
    b = bytearray(0x400)
    for key, data in (('name', string(name)), ('scope', string(scope)), ('file', string(file))):
        b[at[key]:at[key] + len(data)] = data
    struct.pack_into('<QQQ', b, 0, kind, BASE + at['name'] if name else 0,
                     BASE + at['class'] if scope else 0)
    struct.pack_into('<Q', b, at['class'] + 8, BASE + at['scope'])
    struct.pack_into('<QII', b, 152, BASE + at['file'], 7, 20)
    return bytes(b)


def ruby_string(s, old, at):
    """The object of string s at address at. The bytes of a long string follow the object."""
    if len(s) > 15:
        return struct.pack('<QQQQQ', 5 | 1 << 13, 0, len(s), at + 40, 0) + s
    if old:
        return struct.pack('<QQ', 5 | len(s) << 14, 0) + s
    return struct.pack('<QQQ', 5, 0, len(s)) + s


def places(size, at):
    """The bit vector of @size words of code whose entries begin at @at."""
    words, r = [], 0
    for j in range((min(size + 8, 62) if size < 54 else 54) // 9):
        word = 0
        for i in range(9):
            r += j * 9 + i in at
            word |= r << 7 * i
        words.append(word)
    for k in range(0 if size < 54 else (size - 54 + 511) // 512):
        bits = [sum(1 << i for i in range(64) if 54 + k * 512 + j * 64 + i in at) for j in range(8)]
        ranks, small = 0, 0
        for j in range(8):
            ranks |= small << 9 * (j - 1) if j else 0
            small += bin(bits[j]).count('1')
        words += [r, ranks] + bits
        r += small
    return struct.pack('<%dQ' % len(words), *words)


def ruby(old, label, path, size, lines, array=False):
    """A body of code; lines are pairs of an index in the code and a line."""
    at = {'label': 0x200, 'path': 0x280, 'array': 0x330, 'table': 0x380, 'places': 0x500}
    info = 120 if old else 112
    b = bytearray(0x700)
    for key, data in (('label', ruby_string(label, old, BASE + at['label'])),
                      ('path', ruby_string(path, old, BASE + at['path'])),
                      ('array', struct.pack('<QQQ', 7 | 1 << 13, 0, BASE + at['path'])),
                      ('table', b''.join(struct.pack('<iII', line, 3, 1) for _, line in lines)),
                      ('places', places(size, [word for word, _ in lines]))):
        b[at[key]:at[key] + len(data)] = data
    struct.pack_into('<IIQ', b, 0, 1, size, 0x7f0000001000)
    struct.pack_into('<QQQQ', b, 64, BASE + at['array' if array else 'path'], 0, BASE + at['label'],
                     15 if old else 7)
    struct.pack_into('<QQIIQ', b, info, BASE + at['table'], 0, len(lines), 0, BASE + at['places'])
    return bytes([not old]) + bytes(b)


def ruby_in_c(old, number, name):
    """The definition of a function in C, and a table of symbols that has its name."""
    unit, place = divmod(number >> 4 if number > 0xa9 else number, 512)
    b = bytearray(0x700)
    struct.pack_into('<QQQQQQ', b, 0, 1, 0x7f0000001000, 0, 0, number, 3)
    struct.pack_into('<QQQ', b, 0x200, 0, 0, BASE + 0x240)
    struct.pack_into('<QQQQ', b, 0x240, 7 | 1 << 13 | unit + 1 << 15, 0, *[BASE + 0x280] * 2)
    struct.pack_into('<QQQQQ', b, 0x280, 7, 0, 1024, 0, BASE + 0x600 - place * 16)
    struct.pack_into('<QQ', b, 0x600, BASE + 0x640, number << 8 | 12)
    data = ruby_string(name, old, BASE + 0x640)
    b[0x640:0x640 + len(data)] = data
    return bytes([not old]) + bytes(b)


def ruby_class(old, name=b'Object'):
    """The class Object, its singleton class, and a table of symbols with the names of their variables."""
    b = bytearray(0x700)

    def put(off, *words):
        struct.pack_into('<%dQ' % len(words), b, off, *words)

    def put_string(off, text):
        data = ruby_string(text, old, BASE + off)
        b[off:off + len(data)] = data

    def variable(off, number, value):
        put(off, 0, BASE + off + 16, 0, 0, 0, 0, 0, 1, BASE + off + 72, 7, number, value)
    singleton, numbers = 0xa0, (193 << 4 | 1, 194 << 4 | 1)
    put(0, 0x142, BASE + singleton, 0, BASE + 0x140)
    put(singleton, 0x1042, 0, 0, BASE + 0x1a0)
    if old:
        variable(0x140, numbers[0], BASE + 0x6c0)
        variable(0x1a0, numbers[1], BASE)
    else:
        put(144, 1 << 40, BASE + 0x6c0)
        put(singleton + 128, BASE)
    put(0x200, 0, 0, BASE + 0x220)
    put(0x220, 7 | 1 << 13 | 1 << 15, 0, BASE + 0x240)
    put(0x240, 7, 0, 1024, 0, BASE + 0x600 - 193 * 16)
    put(0x600, BASE + 0x640, numbers[0] << 8 | 12, BASE + 0x680, numbers[1] << 8 | 12)
    put_string(0x640, b'__classpath__')
    put_string(0x680, b'__attached__')
    put_string(0x6c0, name)
    return bytes([not old]) + bytes(b)


def perl_name(s, utf8=False):
    return struct.pack('<II', 1, len(s)) + s + bytes([0, utf8])


def perl(flags, name, package, utf8=False, itself=False):
    """Two bytes of a place; then code, its name or the glob that has it, and its package."""
    at = {'body': 0x40, 'glob': 0xc0, 'globbody': 0x100, 'gp': 0x140, 'other': 0x190, 'stash': 0x1c0,
          'stashbody': 0x1e0, 'name': 0x300, 'package': 0x380}
    b = bytearray(0x400)
    for key, data in (('name', perl_name(name, utf8)), ('package', perl_name(package, utf8))):
        b[at[key]:at[key] + len(data)] = data
    at = {key: BASE + value for key, value in at.items()}
    put = lambda form, key, off, *words: struct.pack_into(form, b, at[key] - BASE + off, *words)
    struct.pack_into('<QIIQ', b, 0, at['body'], 1, 13, 0)
    put('<Q', 'body', 32, at['stash'])
    put('<QQ', 'body', 48, BASE + 0x800, at['name' if flags & 0x8000 else 'glob'])
    put('<I', 'body', 92, flags)
    put('<QIIQ', 'glob', 0, at['globbody'], 1, 0x8009, at['gp'])
    put('<QIIQ', 'other', 0, at['globbody'], 1, 9, 0)
    put('<QQ', 'globbody', 32, at['name'], at['stash'])
    put('<Q', 'gp', 56, at['other' if itself else 'glob'])
    put('<QIIQ', 'stash', 0, at['stashbody'], 1, 12 | 0x2000000, 0)
    put('<Q', 'stashbody', 32, at['package'])
    return bytes([1, 1]) + bytes(b)


def perl_tree(flags, distance, file):
    """A statement and the operations after it: a block in which perl left two statements out."""
    b = bytearray(0x500)
    op = lambda n: BASE + 0x60 * n

    def put(n, kind, after, kid, sibling, last, target=0, line=0):
        struct.pack_into('<QQQQIIQ', b, 0x60 * n, op(after), op(sibling) if sibling is not None else 0,
                         0, target, kind | (not last) << 14 | bool(kid) << 18, line, op(kid) if kid else 0)
    put(0, 195, 1, 0, 1, False, line=5)
    struct.pack_into('<Q', b, 48, BASE + 0x400)
    put(1, 100, 8, 2, 7, True)
    put(2, 200, 8, 3, 6, False)
    put(3, 0, 0, 0, 4, False, target=195, line=6)
    put(4, 184, 5, 0, 5, False)
    put(5, 0, 0, 0, 2, True, target=195, line=7)
    put(6, 184, 8, 0, 1, True)
    put(7, 172, 0, 0, None, True)
    b[0x400:0x400 + len(file) + 1] = file + bytes(1)
    return bytes([flags, distance & 255]) + bytes(b)


# The functions of Ruby that the reader examines, with their machine code in Debian's libraries.
RUBY = '''
const char ruby_version[] = "3.1.2";
int rb_vm_exec(int x) { return x * 3; }
asm(".data; symbols: .quad 1, 2, 3; .text;"
    ".globl rb_errinfo; .type rb_errinfo, @function; rb_errinfo: .cfi_startproc; sub $8, %rsp;"
    ".byte 0x66; lea symbols(%rip), %rdi; call callee; mov (%rax), %rax; mov 112(%rax), %rax;"
    "add $8, %rsp; ret; .cfi_endproc; .size rb_errinfo, .-rb_errinfo;"
    ".globl rb_id2str; .type rb_id2str, @function; rb_id2str: .cfi_startproc; shr $4, %rax; jmp look;"
    ".cfi_endproc; .size rb_id2str, .-rb_id2str;"
    "look: .cfi_startproc; cmp %edi, symbols(%rip); jb 1f; mov symbols+16(%rip), %rdi; 1: ret; .cfi_endproc;"
    "callee: .cfi_startproc; ret; .cfi_endproc;"
    ".globl rb_iseq_eval; .type rb_iseq_eval, @function; rb_iseq_eval: .cfi_startproc; nop; jmp callee;"
    ".cfi_endproc; .size rb_iseq_eval, .-rb_iseq_eval;"
    ".globl rb_iseq_eval_main; .type rb_iseq_eval_main, @function; rb_iseq_eval_main: .cfi_startproc;"
    "call look; jmp callee; .cfi_endproc; .size rb_iseq_eval_main, .-rb_iseq_eval_main;");
'''


PERL = '''
const unsigned char PL_revision = 5, PL_version = 36, PL_subversion = 0;
const unsigned short PL_interp_size = 3768;
void *PL_curinterp;
unsigned PL_thr_key;
int Perl_runops_standard(int x) { return x * 3; }
int perl_run(int x) { return x * 5; }
asm("entertry: .cfi_startproc;"
    "test %eax, %eax; jne 1f; ret; 1: lea entertry(%rip), %rsi; jmp again; .cfi_endproc;"
    ".data; .globl PL_ppaddr; .type PL_ppaddr, @object; PL_ppaddr: .fill 347, 8, 0; .quad entertry;"
    ".size PL_ppaddr, 8 * 348; .text;"
    "again: .cfi_startproc; call *8(%rdi); ret; .cfi_endproc;");
'''


BEAM = '''
const char etp_erts_version[] = "13.1.5";
const int etp_beamasm = 1;
int the_active_code_index, erts_frame_layout, r[24], key;
void *beam_normal_exit, *erts_aligned_scheduler_data, *erts_atom_table;
asm(".globl erts_start_staging_ranges, erts_lookup_function_info, erts_get_scheduler_data;"
    ".type erts_start_staging_ranges, @function; .type erts_lookup_function_info, @function;"
    ".type erts_get_scheduler_data, @function; .hidden r; .hidden key;"
    "erts_start_staging_ranges: push %r12; lea r(%rip), %r12; ret;"
    ".size erts_start_staging_ranges, . - erts_start_staging_ranges;"
    "erts_lookup_function_info: lea 0x60(%r8), %r9; mov 0x48(%r8), %rsi; add $0x10, %rsi;"
    "cmpl $2, 0x8(%rsi); ret; .size erts_lookup_function_info, . - erts_lookup_function_info;"
    "erts_get_scheduler_data: mov key(%rip), %edi; .byte 0xe9; .long 0;"
    ".size erts_get_scheduler_data, . - erts_get_scheduler_data;");
'''


PHP = '''
const char header[] = "X-Powered-By: PHP/8.2.36";
char executor_globals[2000] = { 1 };
int zend_vm_kind(void) { return 4; }
int execute_ex(int x) { return x * 3; }
'''


def beam(code, pc, flags=0, stack=0, names=(b'mod', b'f'), lines=(3, 4, 9), raises=b'\xc3'):
    """A list of one module with two functions; @pc: distance in the code of the first one."""
    image = bytearray(0x900)

    def put(at, data):
        image[at:at + len(data)] = data

    words = lambda at, *values: put(at, struct.pack('<%dQ' % len(values), *values))
    address = lambda at: BASE + at
    module, first, second, end, table = 0x200, 0x280, 0x380, 0x480, 0x500
    words(0, address(0xa0), 1)
    words(104, address(0xb0))
    put(112, raises)
    words(0xa0, address(module), address(0x800))
    words(0xb0, address(0xc0))
    words(0xc0, address(0xe0), address(0x120))
    for at, name, text in ((0xe0, names[0], 0x160), (0x120, names[1], 0x190)):
        put(at + 24, struct.pack('<h', len(name)))
        words(at + 32, address(text))
        put(text, name)
    words(module, 2)
    words(module + 72, address(table), address(0x600))
    words(module + 96, address(first), address(second), address(end))
    for at in (first, second):
        words(at + 16, 0xb, 1 << 6 | 0xb, 2)
    put(first + 40, code)
    put(second + 40, b'\xc3')
    words(table, address(0x5c0), 2, address(0x5a0), address(0x560),
          address(0x560 + 8 * (len(lines) - 1)), address(0x560 + 8 * len(lines)))
    words(0x560, *[address(first + 8 * i) for i in range(len(lines))])
    put(0x5a0, struct.pack('<%dH' % len(lines), *lines))
    words(0x5c0, address(0x700) | 1)
    words(0x700, 97 << 4 | 15, address(0x710) | 1, 98 << 4 | 15, 0x3b)
    return bytes([flags, stack]) + struct.pack('<H', first + 40 + pc) + bytes(image)


LIBRARY = '''
__attribute__((section(".PyRuntime"))) int _PyRuntime[200] = { 1 };
const unsigned long Py_Version = 0x030b02f0;
int PyCode_Type[4];
int cold(int x) { return x * 3; }
int _PyEval_EvalFrameDefault(int x, int *p)
{
        while (x--)
                if (__builtin_expect(*p++ == x, 0)) {
                        *p = cold(x);
                        if (p[7])
                                __builtin_abort();
                }
        return *p;
}
const unsigned int _thread_db_pthread_specific[] = { 2048, 1, 1296 };
const unsigned int _thread_db_pthread_key_data_level2_data[] = { 128, 32, 0 };
const unsigned int _thread_db_pthread_key_data_data[] = { 64, 1, 8 };
const unsigned int _thread_db_sizeof_pthread = 2368;
'''


DESCRIBED = LIBRARY.replace('0x030b02f0', '0x030d05f0').replace(
    'int _PyRuntime[200] = { 1 }', 'unsigned long _PyRuntime[80] = { %s }' % ', '.join(map(str, [
        int.from_bytes(b'xdebugpy', 'little'), 0x030d05f0] + [0] * 21 + [72, 152, 160, 0, 0, 80, 8, 0,
        56, 72, 70, 208, 112, 120, 128, 136, 68, 52, 96, 104, 200] + [0] * 24 + [32, 16, 40])))


def library(source):
    with tempfile.TemporaryDirectory() as d:
        open(d + '/a.c', 'w').write(source)
        subprocess.run(['gcc', '-O2', '-shared', '-fPIC', '-nostdlib', '-s', '-o', d + '/a.so',
                        '-Wl,-z,noseparate-code,-z,norelro,--hash-style=gnu,--build-id=none',
                        d + '/a.c'], check=True)
        return open(d + '/a.so', 'rb').read()


def main():
    table = bytes.fromhex('8000e0080980 41dd0d12d80c0df103010e0ff800f0700400 0c0d8831'.replace(' ', ''))
    seeds = {
        'lang_code': [code('f', 0, table), code('g\xf6.<locals>.h\x1b', 1, table),
                      code('\u540d\ud800', 2, table), code('\U0001f600', 4, table),
                      code('x' * 120, 0, table * 6), code('y' * 50, 2, b'')],
        'lang_elf': [library(LIBRARY), library(DESCRIBED), library(PHP),
                     library(RUBY), library(RUBY.replace('3.1.2', '3.3.8').replace('112', '120')
                                            .replace('rb_vm_exec', 'other')),
                     library(RUBY.replace('jmp look', 'jmp callee')),
                     library(BEAM), library(BEAM.replace('0x60(', '0x68(')),
                     library(BEAM.replace('13.1.5', '15.2')), library(BEAM.replace('13.1.5', '13.1.5.1')),
                     library(PERL), library(PERL.replace('3768', '3769')), library(PERL.replace('PL_thr_key', 'x')),
                     library(PHP.replace('8.2', '8.4')), library(PHP.replace(' executor_', ' executor_globals_offset, x'))],
        'lang_ruby': [ruby(True, b'<main>', b'/srv/a.rb', 30, [(0, 1), (4, 2), (9, 5)]),
                      ruby(False, b'block in handle_this_one', b'/srv/' + b'x' * 40, 600,
                           [(0, 1), (53, 2), (54, 3), (565, 4), (566, 9)], True),
                      ruby(True, b'\x1b[2J\n\xc2\x85\xff', b'/srv/\xc3\xb6.rb', 9, [(0, -3)], True),
                      ruby(False, b'', b'', 0, []), ruby_in_c(True, 43, b'each'),
                      ruby_in_c(False, 531 << 4 | 1, b'sort_by'), ruby_in_c(True, 12, b'+'),
                      ruby_class(True), ruby_class(False), ruby_class(True, b'Subject'),
                      bytes(1) + ruby_string(b'App::Server', True, BASE),
                      bytes([1]) + ruby_string(b'\x1b[2J' + b'x' * 60, False, BASE)],
        'lang_beam': [beam(bytes.fromhex('4883ec1042ff14e04883c410c3'), 8),
                      beam(bytes.fromhex('4883ec1042ff14e04883c410c3'), 4, 8),
                      beam(bytes.fromhex('740448 83c408c3'.replace(' ', '')), 0, 8),
                      beam(bytes.fromhex('4889e5488d6380ff15000000004889ecc3'), 13, 8, 1),
                      beam(bytes.fromhex('488d6380ff1500000000498b6558ebec'), 10, 8, 2),
                      beam(bytes.fromhex('eb060000000000004883ec1849ff4510e8b0fdffffcc'), 21, raises=b'\x56\xff\xe0'),
                      beam(b'\xc3', 0, 8, names=(b'\x1b[2J\n', b'\xff' * 40), lines=(1, 0, 2)),
                      bytes([10, 0]) + struct.pack('<H', 112) + bytes(112) + bytes.fromhex('4883c40842ff24e0')],
        'lang_perl': [perl(0x8000, b'handle', b'App'), perl(0x80, b'__ANON__', b'main'),
                      perl(0x18000, b'gr\xf6\xdfe\x1b', b'x' * 40),
                      perl(0x8, b'\xe5\x90\x8d', b'y' * 70, True, True),
                      perl_tree(0, 0x60, b'/srv/a.pl'), perl_tree(1, 0x30, b'(eval 12)'),
                      perl_tree(0, 0x3c, b'/srv/\xc3\xb6\x1b' + b'x' * 90),
                      perl_tree(2, 0, b'/srv/' + b'x' * 200)],
        'lang_php': [php(2, b'handle', b'App\\Service', b'/srv/a.php'), php(1, b'strlen', b'', b''),
                     php(2, b'', b'', b'/srv/index.php'), php(4, b'', b'', b"/a.php(3) : eval()'d code"),
                     php(2, b'go', b'class@anonymous\0/srv/a.php:3$0', b'/srv/' + b'x' * 90),
                     php(2, b'\x1b[2J\n\xc2\x85\xff', b'', b'/srv/\xc3\xb6.php')],
    }
    for target, inputs in seeds.items():
        os.makedirs(os.path.join(sys.argv[1], target), exist_ok=True)
        for i, data in enumerate(inputs):
            with open(os.path.join(sys.argv[1], target, 'seed-%d' % i), 'wb') as f:
                f.write(data)


main()
