#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Forges the data of programs/hostile.erl (those of Erlang 25) from outside, and restores it.

usage: hostile_beam.py PID
Prints a line for each forgery, and in the end what stays forged: the name of a function.
"""
import os
import re
import struct
import subprocess
import sys
import time

WILD = 0xdead0000
SECONDS = 0.4


class Memory:
    def __init__(self, pid):
        self.file = open('/proc/%d/mem' % pid, 'r+b', 0)
        self.maps = [re.match(r'(\w+)-(\w+) (\S+) (\w+) \S+ \S+ *(.*)', line).groups()
                     for line in open('/proc/%d/maps' % pid)]
        code = [m for m in self.maps if 'vmem' in m[4] and 'x' in m[2]][0]
        data = [m for m in self.maps if 'vmem' in m[4] and 'w' in m[2]][0]
        self.code = int(code[0], 16), int(code[1], 16)
        # the same memory, writable
        self.alias = int(data[0], 16) - self.code[0]

    def at(self, addr):
        return addr + (self.alias if self.code[0] <= addr < self.code[1] else 0)

    def read(self, addr, size):
        os.lseek(self.file.fileno(), addr, os.SEEK_SET)
        return os.read(self.file.fileno(), size)

    def word(self, addr):
        return struct.unpack('<Q', self.read(addr, 8))[0]

    def write(self, addr, data):
        os.lseek(self.file.fileno(), self.at(addr), os.SEEK_SET)
        os.write(self.file.fileno(), data)


def addresses(memory, pid):
    path = os.readlink('/proc/%d/exe' % pid)
    base = min(int(m[0], 16) for m in memory.maps if m[4] == path)
    names = subprocess.check_output(['nm', '-D', path], text=True)
    symbol = lambda name: base + int(re.search(r'^(\w+) \w %s\b' % name, names, re.M).group(1), 16)
    code = subprocess.check_output(['objdump', '-d', '--disassemble=erts_start_staging_ranges',
                                    path], text=True)
    ranges = base + int(re.search(r'lea .*# (\w+)', code).group(1), 16)
    return symbol('the_active_code_index'), ranges, symbol('erts_atom_table')


def main():
    pid = int(sys.argv[1])
    memory = Memory(pid)
    word = memory.word
    index, ranges, atoms = addresses(memory, pid)
    listed = ranges + 32 * (word(index) & 0xffffffff)
    modules, nr = word(listed), word(listed + 8)

    def atom(term):
        number = term >> 6
        return word(word(word(atoms + 120) + 8 * (number >> 10)) + 8 * (number & 1023))

    def text(term):
        at = atom(term)
        return memory.read(word(at + 32), struct.unpack('<h', memory.read(at + 24, 2))[0])

    own = [i for i in range(nr) if text(word(word(word(modules + 16 * i) + 96) + 16)) == b'hostile'][0]
    entry = modules + 16 * own
    start = word(entry)
    functions = {text(word(word(start + 96 + 8 * i) + 24)).decode(): start + 96 + 8 * i
                 for i in range(word(start))}
    again = functions['again']
    lines = word(start + 72)
    forgeries = [
        ('wild list', listed, WILD), ('too many modules', listed + 8, 1 << 60),
        ('no modules', listed + 8, 0), ('shorter list', listed + 8, own),
        ('module begins later', entry, start + 64), ('module begins nowhere', entry, WILD),
        ('module ends at once', entry + 8, start), ('module never ends', entry + 8, 1 << 62),
        ('too many functions', start, 1 << 40), ('many functions', start, 65535),
        ('no functions', start, 0), ('wild checksum', start + 80, WILD),
        ('wild lines', start + 72, WILD), ('no lines', start + 72, 0),
        ('lines elsewhere', start + 72, start), ('many lines', lines + 24, 0),
        ('wild table of lines', lines + 16, WILD), ('wild files', lines, WILD),
        ('function begins nowhere', again, WILD), ('function begins later', again, word(again) + 8),
        ('functions in disorder', again, word(again + 8) + 8),
        ('wild module name', word(again) + 16, WILD << 6 | 0xb),
        ('no atom', word(again) + 24, 0x0f), ('many arguments', word(again) + 32, 1 << 33),
        ('wild name', atom(word(word(again) + 24)) + 32, WILD),
        ('long name', atom(word(word(again) + 24)) + 24, 0x7fff),
        ('negative name', atom(word(word(again) + 24)) + 24, 0xffff),
        ('wild atoms', atoms + 120, WILD),
    ]
    for name, at, value in forgeries:
        old = memory.read(at, 8)
        new = struct.pack('<Q', value)
        if name in ('long name', 'negative name'):
            new = new[:2] + old[2:]
        memory.write(at, new)
        time.sleep(SECONDS)
        memory.write(at, old)
        print('    forged:', name)
        time.sleep(SECONDS / 4)
    # the code of the function stays as it is; only its name is another one
    memory.write(word(atom(word(word(functions['shallow']) + 24)) + 32), b'\x1b[2J\nab')
    # another fingerprint, so that the name is read again
    memory.write(start + 16, struct.pack('<Q', word(start + 16) + 1))
    time.sleep(8)
    print('still forged')


if __name__ == '__main__':
    main()
