# SPDX-License-Identifier: GPL-2.0-only
"""Runs programs one instruction at a time: those of this machine by ptrace, others under QEMU
by GDB's remote protocol. Programs of i386 run under QEMU, too, as kernels may refuse them."""
import ctypes
import os
import socket
import struct
import subprocess
import time

TRACEME, CONT, KILL, STEP, GETREGS = 0, 7, 8, 9, 12
libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.argtypes = [ctypes.c_long] * 4
libc.ptrace.restype = ctypes.c_long

# struct user_regs_struct
USER = ['r15', 'r14', 'r13', 'r12', 'rbp', 'rbx', 'r11', 'r10', 'r9', 'r8', 'rax', 'rcx', 'rdx',
        'rsi', 'rdi', 'orig', 'pc', 'cs', 'eflags', 'sp']
WIDE = USER[:5] + ['rbx'] + USER[6:15] + ['pc', 'sp']

# QEMU's program, the format of a register, and the first registers of GDB's answer
REMOTE = {
    'arm64': ('qemu-aarch64-static', 'Q', [f'x{i}' for i in range(31)] + ['sp', 'pc']),
    'i386': ('qemu-i386-static', 'L', ['eax', 'ecx', 'edx', 'ebx', 'sp', 'ebp', 'esi', 'edi', 'pc']),
}


class Native:
    """x86-64"""

    def __init__(self, path):
        self.pid = os.fork()
        if not self.pid:
            libc.ptrace(TRACEME, 0, 0, 0)
            os.execv(path, [path])
        self.alive = os.WIFSTOPPED(os.waitpid(self.pid, 0)[1])
        self.mem = os.open(f'/proc/{self.pid}/mem', os.O_RDONLY)
        self.buffer = (ctypes.c_ulong * 27)()

    def regs(self):
        libc.ptrace(GETREGS, self.pid, 0, ctypes.addressof(self.buffer))
        values = dict(zip(USER, self.buffer))
        return {name: values[name] for name in WIDE}

    def read(self, addr, size):
        return os.pread(self.mem, size, addr)

    def step(self):
        libc.ptrace(STEP, self.pid, 0, 0)
        self.alive = os.WIFSTOPPED(os.waitpid(self.pid, 0)[1])
        return self.alive

    def close(self):
        os.close(self.mem)
        if self.alive:
            os.kill(self.pid, 9)
            os.waitpid(self.pid, 0)


class Qemu:
    """arm64 and i386"""

    def __init__(self, path, arch):
        program, word, self.names = REMOTE[arch]
        self.format = '<%d%s' % (len(self.names), word)
        address = path + '.gdb'
        if os.path.exists(address):
            os.unlink(address)
        self.process = subprocess.Popen([program, '-g', address, path])
        self.socket = socket.socket(socket.AF_UNIX)
        for _ in range(200):
            try:
                self.socket.connect(address)
                break
            except OSError:
                time.sleep(0.02)
        self.buffer = b''
        self.ask('?')

    def take(self, end):
        while end not in self.buffer:
            more = self.socket.recv(65536)
            if not more:
                raise EOFError
            self.buffer += more
        head, _, self.buffer = self.buffer.partition(end)
        return head

    def ask(self, text):
        data = text.encode()
        self.socket.sendall(b'$%b#%02x' % (data, sum(data) & 255))
        self.take(b'$')
        ret = self.take(b'#')
        while len(self.buffer) < 2:
            self.buffer += self.socket.recv(65536)
        self.buffer = self.buffer[2:]
        self.socket.sendall(b'+')
        return ret.decode()

    def regs(self):
        size = struct.calcsize(self.format)
        values = struct.unpack(self.format, bytes.fromhex(self.ask('g')[:2 * size]))
        return dict(zip(self.names, values))

    def read(self, addr, size):
        ret = b''
        while len(ret) < size:
            part = self.ask(f'm{addr + len(ret):x},{min(size - len(ret), 2000):x}')
            if part.startswith('E') or not part:
                break
            ret += bytes.fromhex(part)
        return ret

    def step(self):
        return self.ask('s').startswith('T')

    def close(self):
        self.socket.close()
        self.process.kill()
        self.process.wait()


def start(path, arch):
    return Qemu(path, arch) if arch in REMOTE else Native(path)
