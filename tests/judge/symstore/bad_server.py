#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""A server of debug files that misbehaves as ordered.

usage: bad_server.py ORDERS
        Prints the port on which it listens on the loopback device, then serves until it is
        killed. ORDERS is a file with one line, read again for each request: HOW FILE. FILE is
        the file to send. A line for each request is appended to ORDERS.asked. HOW is one of
        good, missing (404), broken (500), silent (accepts and sends nothing),
        slow (a byte a second), truncated (ends in the middle of its Content-Length),
        short (half of FILE, with its length as Content-Length), huge (claims 8 GB), endless
        (chunks without end), garbage (no HTTP), redirect (to itself, for ever), html (a page)
"""
import os
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../lib'))
import server  # noqa: E402  pylint: disable=wrong-import-position

ORDERS = sys.argv[1]


class Handler(server.Handler):
    def head(self, status, length, **more):
        self.send_response(status)
        if length is not None:
            self.send_header('Content-Length', str(length))
        self.send_header('Content-Type', 'application/octet-stream')
        for k, v in more.items():
            self.send_header(k.replace('_', '-'), v)
        self.end_headers()

    def give(self, data, length=None):
        self.head(200, len(data) if length is None else length)
        if self.command == 'GET':
            self.wfile.write(data)
        self.close_connection = True

    def endless(self):
        self.head(200, None, Transfer_Encoding='chunked')
        block = b'\0' * 65536
        while True:
            self.wfile.write(b'%x\r\n%s\r\n' % (len(block), block))

    def slow(self, data):
        self.head(200, len(data))
        for byte in data:
            self.wfile.write(bytes([byte]))
            self.wfile.flush()
            time.sleep(1)

    def do_GET(self):
        with open(ORDERS, encoding='utf-8') as f:
            how, path = f.read().rstrip('\n').split(' ', 1)
        with open(path, 'rb') as f:
            data = f.read()
        with open(ORDERS + '.asked', 'a', encoding='utf-8') as f:
            f.write(f'{how} {self.command} {self.path}\n')
        if how == 'good':
            self.give(data)
        elif how == 'missing':
            self.head(404, 0)
        elif how == 'broken':
            self.head(500, 0)
        elif how == 'silent':
            threading.Event().wait()
        elif how == 'slow':
            self.slow(data)
        elif how == 'truncated':
            self.give(data[:len(data) // 2], len(data))
        elif how == 'short':
            self.give(data[:len(data) // 2])
        elif how == 'huge':
            self.give(data, 8 << 30)
        elif how == 'endless':
            self.endless()
        elif how == 'garbage':
            self.wfile.write(os.urandom(4096))
            self.close_connection = True
        elif how == 'redirect':
            self.head(302, 0, Location=self.path)
        elif how == 'html':
            self.give(b'<html>please log in</html>\n')

    do_HEAD = do_GET


serving = server.Server(Handler)
print(serving.port, flush=True)
serving.serve_forever()
