#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""A server of debug files that does what servers should not.

usage: bad_server.py HOW FILE [PORT]
        Prints the port that it listens at on the loopback, then serves until it is killed.
        FILE is what it gives, if it gives anything. HOW:
        good, missing (404), broken (500), silent (accepts and says nothing),
        slow (a byte a second), truncated (ends in the middle of its Content-Length),
        short (half of FILE, said to be all of it), huge (says 8 GB), endless (chunks without
        end), garbage (no HTTP), redirect (to itself, for ever), html (a page)
"""
import http.server
import os
import socketserver
import sys
import time

HOW, FILE = sys.argv[1], sys.argv[2]


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'

    def log_message(self, *args):
        pass

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
        data = open(FILE, 'rb').read()
        if HOW == 'good':
            self.give(data)
        elif HOW == 'missing':
            self.head(404, 0)
        elif HOW == 'broken':
            self.head(500, 0)
        elif HOW == 'silent':
            time.sleep(3600)
        elif HOW == 'slow':
            self.slow(data)
        elif HOW == 'truncated':
            self.give(data[:len(data) // 2], len(data))
        elif HOW == 'short':
            self.give(data[:len(data) // 2])
        elif HOW == 'huge':
            self.give(data, 8 << 30)
        elif HOW == 'endless':
            self.endless()
        elif HOW == 'garbage':
            self.wfile.write(os.urandom(4096))
            self.close_connection = True
        elif HOW == 'redirect':
            self.head(302, 0, Location=self.path)
        elif HOW == 'html':
            self.give(b'<html>please log in</html>\n')

    do_HEAD = do_GET


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True


server = Server(('127.0.0.1', int(sys.argv[3]) if len(sys.argv) > 3 else 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
