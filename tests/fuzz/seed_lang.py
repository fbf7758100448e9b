#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Write the first inputs of the fuzz targets of languages.

usage: seed_lang.py DIR
        writes DIR/lang_code/seed-*, objects of CPython 3.11 from address 0x10000 on, and
        DIR/lang_php/seed-*, functions of PHP 8.2 from there on, and
        DIR/lang_elf/seed-*, libraries with the symbols of CPython, of glibc and of PHP (by gcc).
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
    """A function: its type, and its strings; an empty one is not there."""
    at = {'name': 0x100, 'class': 0x200, 'scope': 0x220, 'file': 0x300}
    b = bytearray(0x400)
    for key, data in (('name', string(name)), ('scope', string(scope)), ('file', string(file))):
        b[at[key]:at[key] + len(data)] = data
    struct.pack_into('<QQQ', b, 0, kind, BASE + at['name'] if name else 0,
                     BASE + at['class'] if scope else 0)
    struct.pack_into('<Q', b, at['class'] + 8, BASE + at['scope'])
    struct.pack_into('<QII', b, 152, BASE + at['file'], 7, 20)
    return bytes(b)


PHP = '''
const char header[] = "X-Powered-By: PHP/8.2.36";
char executor_globals[2000] = { 1 };
int zend_vm_kind(void) { return 4; }
int execute_ex(int x) { return x * 3; }
'''


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
                     library(PHP.replace('8.2', '8.4')), library(PHP.replace(' executor_', ' executor_globals_offset, x'))],
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
