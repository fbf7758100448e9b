# SPDX-License-Identifier: GPL-2.0-only
"""Servers that windows are pushed to: some work, others fail and lie."""
import os
import struct
import sys
import threading
import time

import peers
import tables

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../lib'))
import server  # noqa: E402  pylint: disable=wrong-import-position

# the decoder of each kind of server, from peers.py
DECODERS = {}

ANSWERS = {'pyroscope': (b'', 'text/plain'), 'parca': (b'{}', 'application/json'),
           'otlp': (b'', 'application/x-protobuf'), 'clickhouse': (b'', 'text/plain')}


class Peer:
    """A server. @plan says for each request what to do with it; after its end, 'good'."""

    def __init__(self, kind, plan=(), tls=None, decode=None):
        self.kind, self.plan, self.delay = kind, list(plan), None
        self.decode = decode or DECODERS[kind]
        self.parts, self.requests, self.wrong = [], [], []
        self.times, self.identities = [], []
        self.lock = threading.Lock()
        self.closed = threading.Event()
        outer = self

        class Handler(server.Handler):
            def do_POST(self):
                outer.serve(self)

            def do_GET(self):
                outer.wrong.append('a GET')

        self.server = server.Server(Handler, tls).start()
        self.url = self.server.url

    def __enter__(self):
        return self

    def __exit__(self, *args):
        self.closed.set()
        self.server.stop()

    def serve(self, h):
        length = int(h.headers['Content-Length'])
        with self.lock:
            what = self.plan.pop(0) if self.plan else 'good'
            self.times.append(time.monotonic())
            self.identities.append(h.headers['Idempotency-Key'])
        if what == 'hang up':
            h.rfile.read(min(length, 10))
            h.connection.close()
            h.close_connection = True
            return
        body = h.rfile.read(length)
        if len(body) < length:
            # the sender has given up meanwhile, or was killed
            h.close_connection = True
            return
        try:
            parts = self.decode(h.path, h.headers, body)
        except (peers.Wrong, KeyError, ValueError, IndexError, TypeError) as e:
            self.wrong.append(repr(e))
            parts = []
        if self.delay:
            time.sleep(self.delay())
        with self.lock:
            self.requests.append({'what': what, 'identity': h.headers['Idempotency-Key'],
                                  'headers': dict(h.headers), 'parts': parts,
                                  'path': h.path, 'len': length})
        self.answer(h, what, parts)

    def take(self, parts):
        with self.lock:
            self.parts += parts

    def answer(self, h, what, parts):
        if callable(what):
            what = what(parts)
        if what == 'good':
            self.take(parts)
            h.send(200, *ANSWERS[self.kind])
        elif what == 'no acknowledgement':
            self.take(parts)
            h.connection.close()
            h.close_connection = True
        elif isinstance(what, tuple):
            status, body, *more = what
            h.send(status, body, more[0] if more else 'application/json',
                   **(more[1] if len(more) > 1 else {}))
        else:
            getattr(self, 'do_' + what)(h)

    def do_short(self, h):
        """Sends an answer that ends before its Content-Length."""
        h.send_response(200)
        h.send_header('Content-Length', '1000')
        h.end_headers()
        h.wfile.write(b'{}')
        h.close_connection = True

    def do_endless(self, h):
        h.send_response(200)
        h.send_header('Content-Type', ANSWERS[self.kind][1])
        h.send_header('Transfer-Encoding', 'chunked')
        h.end_headers()
        try:
            while not self.closed.is_set():
                h.wfile.write(b'1000\r\n' + b' ' * 4096 + b'\r\n')
        except OSError:
            h.close_connection = True

    def do_endless_head(self, h):
        try:
            h.wfile.write(b'HTTP/1.1 200 OK\r\n')
            while not self.closed.is_set():
                h.wfile.write(b'X-Y: ' + b'z' * 1000 + b'\r\n')
        except OSError:
            h.close_connection = True

    def do_slow(self, h):
        """Sends a byte a second, until the client gives up."""
        h.send_response(200)
        h.send_header('Content-Length', '1000000')
        h.end_headers()
        try:
            while not self.closed.wait(1):
                h.wfile.write(b' ')
        except OSError:
            pass
        h.close_connection = True

    def do_silent(self, h):
        self.closed.wait()
        h.close_connection = True

    def do_garbage(self, h):
        h.wfile.write(b'\x00\xff no HTTP\r\n\r\n')
        h.close_connection = True


class ClickHouse(Peer):
    """A server that stands for ClickHouse. @plan is for inserts of samples, @questions for SQL."""

    def __init__(self, plan=(), questions=()):
        self.tables, self.questions = tables.Tables(plan), list(questions)
        super().__init__('clickhouse', decode=lambda *_: [])

    def serve(self, h):
        length = int(h.headers['Content-Length'])
        body = h.rfile.read(length)
        if len(body) < length:
            h.close_connection = True
            return
        try:
            with self.lock:
                table = tables.table_of(h.path)
                what = self.tables.insert(table, body) if table else None
                text = None if table else self.tables.answer(body.decode())
                if not table and self.questions:
                    what = self.questions.pop(0)
        except (AssertionError, KeyError, ValueError, struct.error) as e:
            self.wrong.append(repr(e))
            what = (400, b'wrong')
        if what == 'no acknowledgement' or what == 'hang up' or isinstance(what, dict):
            h.connection.close()
            h.close_connection = True
        elif isinstance(what, tuple):
            status, body, *headers = what
            h.send(status, body, 'text/plain', **dict(*headers))
        else:
            h.send(200, (text or '').encode(), 'text/plain')

    def check(self, c):
        assert not self.wrong, self.wrong[:3]
        self.tables.check(c.sums)
