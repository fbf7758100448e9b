# SPDX-License-Identifier: GPL-2.0-only
"""SipHash-2-4, to check the program's numbers."""
import struct


def siphash(data):
    """SipHash-2-4 with a key of zeros, written from the paper."""
    mask = 2**64 - 1
    v = [0x736f6d6570736575, 0x646f72616e646f6d, 0x6c7967656e657261, 0x7465646279746573]

    def rot(x, b):
        return (x << b | x >> (64 - b)) & mask

    def once():
        v[0] = v[0] + v[1] & mask
        v[1] = rot(v[1], 13) ^ v[0]
        v[0] = rot(v[0], 32)
        v[2] = v[2] + v[3] & mask
        v[3] = rot(v[3], 16) ^ v[2]
        v[0] = v[0] + v[3] & mask
        v[3] = rot(v[3], 21) ^ v[0]
        v[2] = v[2] + v[1] & mask
        v[1] = rot(v[1], 17) ^ v[2]
        v[2] = rot(v[2], 32)

    data, n = bytes(data), len(data)
    data += bytes(7 - n % 8) + bytes([n % 256])
    for (word,) in struct.iter_unpack('<Q', data):
        v[3] ^= word
        once()
        once()
        v[0] ^= word
    v[2] ^= 0xff
    for _ in range(4):
        once()
    return v[0] ^ v[1] ^ v[2] ^ v[3]
