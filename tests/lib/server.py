#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Code that the servers of tests share. Ports are never guessed: a server binds port 0 and
reports the port that it got.

    Handler, Server     HTTP on a port of the loopback, a thread for each connection
    refusing_port()     a port that no process can listen on, so that connections are refused
    take_port()         for a program that cannot choose a port itself: one that no other test
                        is given and that the kernel gives to nobody

usage: server.py with-port FILE COMMAND...
        take_port() for a shell: its number is written to FILE and replaces @PORT@ in COMMAND,
        which then is executed and keeps the port for as long as it lives
"""
import errno
import http.server
import os
import random
import socket
import sys
import threading

HOST = '127.0.0.1'
RANGE = '/proc/sys/net/ipv4/ip_local_port_range'


class Handler(http.server.BaseHTTPRequestHandler):
    """Logs nothing; subclasses define do_GET() and so on."""

    protocol_version = 'HTTP/1.1'

    def log_message(self, *args):  # pylint: disable=arguments-differ
        pass

    def send(self, status, body=b'', kind=None, **more):
        """Send an answer. In the names of @more, _ stands for -."""
        self.send_response(status)
        self.send_header('Content-Length', str(len(body)))
        if kind:
            self.send_header('Content-Type', kind)
        for name, value in more.items():
            self.send_header(name.replace('_', '-'), str(value))
        self.end_headers()
        self.wfile.write(body)


class Server(http.server.ThreadingHTTPServer):
    """A server with a class of handlers: start() serves in a thread of its own until stop()."""

    daemon_threads = True

    def __init__(self, handler, tls=None):
        super().__init__((HOST, 0), handler)
        if tls:
            self.socket = tls.wrap_socket(self.socket, server_side=True)
        self.port = self.server_address[1]
        self.url = f'{"https" if tls else "http"}://{HOST}:{self.port}'

    def start(self):
        threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def stop(self):
        self.shutdown()
        self.server_close()

    def handle_error(self, request, client_address):
        """Clients of tests may disconnect at any time; any other error is a fault of the test."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)


def refusing_port():
    """(socket, port): connections to the port are refused as long as the socket is open."""
    held = socket.socket()
    held.bind((HOST, 0))
    return held, held.getsockname()[1]


class Port:
    """A port that is taken: @number, until release() or the end of the process.

    The lock is a socket in the abstract namespace. Like ports, such names belong to a network
    namespace, and they are gone with the last process that has the socket."""

    def __init__(self, number):
        self.number = number
        self.lock = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        try:
            self.lock.bind(b'\0ustack-test-port/%d' % number)
            with socket.socket() as s:
                s.bind((HOST, number))
        except OSError:
            self.lock.close()
            raise

    def release(self):
        self.lock.close()


KEPT = []


def take_port():
    """A Port. It is below the ports that the kernel assigns automatically."""
    with open(RANGE, encoding='ascii') as f:
        above = int(f.read().split()[0])
    for number in random.sample(range(above - min(10000, above // 2), above), k=min(1000, above // 2)):
        try:
            port = Port(number)
        except OSError as e:
            if e.errno not in (errno.EADDRINUSE, errno.EACCES):
                raise
            continue
        KEPT.append(port)
        return port
    raise OSError(errno.EADDRINUSE, f'no port below {above} is free')


def main(argv):
    if len(argv) < 4 or argv[1] != 'with-port':
        sys.exit(__doc__)
    port = take_port()
    port.lock.set_inheritable(True)
    with open(argv[2], 'w', encoding='ascii') as f:
        f.write(f'{port.number}\n')
    command = [word.replace('@PORT@', str(port.number)) for word in argv[3:]]
    os.execvp(command[0], command)


if __name__ == '__main__':
    main(sys.argv)
