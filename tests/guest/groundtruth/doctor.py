#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Make a record wrong in one known way, for the self-test of gt-compare.

usage: doctor.py ACTION IN OUT
  pc        add 4 to one frame's pc in the middle of one sample's callchain
  drop      leave one frame out in the middle of one sample's callchain
  extra     add a frame after the outermost one of one sample
  cut       end every callchain before its last two frames
  empty     leave every callchain's user part empty
  truncate  lose the end of the file
  stack     lose every stack
  reason    put an ustack_stop record before every sample (number 4, NO_ROW)
  again     map every file a second time, 4 GB higher
"""
import struct
import sys

CHUNK = struct.Struct('<IHH')
SAMPLE = struct.Struct('<QIIQIIIIII')   # after the chunk's header
REASON = struct.Struct('<QIIIIQQ')
INFO, MAP, SAMPLE_TYPE, REASON_TYPE = 1, 3, 7, 8
USER = 2**64 - 512


class Sample:
    def __init__(self, body):
        (self.time, self.pid, self.tid, self.ip, self.abi, regs, chain,
         self.stack, packed, _) = SAMPLE.unpack_from(body)
        words = struct.unpack_from(f'<{regs + chain}Q', body, SAMPLE.size)
        self.regs, self.chain = words[:regs], list(words[regs:])
        start = SAMPLE.size + 8 * (regs + chain)
        self.packed = body[start:start + packed]

    def body(self):
        head = SAMPLE.pack(self.time, self.pid, self.tid, self.ip, self.abi,
                           len(self.regs), len(self.chain), self.stack,
                           len(self.packed), 0)
        words = struct.pack(f'<{len(self.regs) + len(self.chain)}Q',
                            *self.regs, *self.chain)
        return head + words + self.packed + bytes(-len(self.packed) % 8)

    def user(self):
        """index of the first user frame"""
        return self.chain.index(USER) + 1


def chunk(kind, stream, body):
    return CHUNK.pack(CHUNK.size + len(body), kind, stream) + body


def doctor(action, data):
    out, at, done = [data[:16]], 16, 0
    while at < len(data):
        size, kind, stream = CHUNK.unpack_from(data, at)
        body = data[at + CHUNK.size:at + size]
        at += size
        if kind == INFO and action == 'reason':
            # reg_mask, freq, max_stack, event, with_kernel, then tracepoint
            body = body[:24] + struct.pack('<I', 1) + body[28:]
        if kind == MAP and action == 'again':
            # time, pid, tid, then start
            start, = struct.unpack_from('<Q', body, 16)
            out.append(chunk(kind, stream, body))
            body = body[:16] + struct.pack('<Q', start + 2**32) + body[24:]
        if kind == SAMPLE_TYPE:
            s = Sample(body)
            first = s.user()
            middle = (first + len(s.chain)) // 2
            if action == 'cut':
                del s.chain[-2:]
            elif action == 'empty':
                del s.chain[first:]
            elif action == 'stack':
                s.stack, s.packed = 0, b''
            elif action == 'reason':
                out.append(chunk(REASON_TYPE, stream, REASON.pack(
                    s.time + 1000, s.pid, s.tid, 4, len(s.chain) - first,
                    s.chain[-1], 0)))
                del s.chain[-1:]
            elif len(s.chain) - first < 4 or done:
                pass
            elif action == 'pc':
                s.chain[middle] += 4
                done = 1
            elif action == 'drop':
                del s.chain[middle]
                done = 1
            elif action == 'extra':
                s.chain.append(s.chain[-1])
                done = 1
            body = s.body()
        out.append(chunk(kind, stream, body))
    if action == 'truncate':
        out.pop()
    return b''.join(out)


def main():
    if len(sys.argv) != 4 or sys.argv[1] not in __doc__:
        sys.exit(__doc__)
    with open(sys.argv[2], 'rb') as f:
        data = f.read()
    with open(sys.argv[3], 'wb') as f:
        f.write(doctor(sys.argv[1], data))


main()
