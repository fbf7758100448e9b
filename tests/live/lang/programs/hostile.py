# SPDX-License-Identifier: GPL-2.0-only
"""A process that forges the data by which its frames are found (CPython 3.11's structures), makes the
sampled system call, and restores the data."""
import ctypes

import probe

libc = ctypes.CDLL(None)
ctypes.pythonapi.PyThreadState_Get.restype = ctypes.c_void_p


def word(address):
    return ctypes.c_uint64.from_address(address)


def own_frame():
    """The frame of the caller."""
    cframe = word(ctypes.pythonapi.PyThreadState_Get() + 56).value
    return word(word(cframe + 8).value + 48).value


def forged(address, value, times=20):
    old = word(address).value
    place = word(address)
    place.value = value
    for _ in range(times):
        libc.getppid()
    place.value = old


def loop():
    forged(own_frame() + 48, own_frame())


def wild():
    forged(own_frame() + 48, 0xdead0000)


def wild_code():
    frame = own_frame()
    forged(frame + 32, 0xdead0000)


def no_code():
    frame = own_frame()
    forged(frame + 32, id(probe))


def huge():
    forged(id(huge.__code__.co_qualname) + 16, 1 << 32)


def controls():
    for _ in range(20):
        libc.getppid()


controls.__code__ = controls.__code__.replace(co_qualname='\x1b[2J\n\x85', co_filename='/a\x07\r')

probe.begin()
for _ in range(3):
    for f in (loop, wild, wild_code, no_code, huge, controls):
        f()
# names of functions are read while the process is still running
probe.warm()
print('still here')
