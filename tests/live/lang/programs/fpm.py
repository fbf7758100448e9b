#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Runs a php-fpm with one worker, and has it execute a script once.

usage: fpm.py FOLDER SCRIPT ARGUMENT PHP-FPM [OPTION...]

FOLDER gets the configuration, the socket, and code that sets $argv. The script has ARGUMENT in $argv[1], and this program's
environment.
"""
import os
import socket
import struct
import subprocess
import sys
import time

BEGIN, END, PARAMS, STDIN, STDOUT, STDERR = 1, 3, 4, 5, 6, 7


def record(kind, content=b''):
    return struct.pack('>BBHHBx', 1, kind, 1, len(content), 0) + content


def pair(name, value):
    size = lambda s: struct.pack('>I', len(s) | 1 << 31)
    return size(name) + size(value) + name.encode() + value.encode()


def read(connection, length):
    data = b''
    while len(data) < length:
        more = connection.recv(length - len(data))
        if not more:
            sys.exit('fpm.py: the worker ended')
        data += more
    return data


def request(connection, script, prepended):
    params = {'GATEWAY_INTERFACE': 'CGI/1.1', 'REQUEST_METHOD': 'GET', 'SCRIPT_FILENAME': script,
              'SCRIPT_NAME': '/' + os.path.basename(script), 'PHP_VALUE': 'auto_prepend_file=' + prepended}
    connection.sendall(record(BEGIN, struct.pack('>HB5x', 1, 0)) +
                       record(PARAMS, b''.join(pair(*item) for item in params.items())) +
                       record(PARAMS) + record(STDIN))
    while True:
        _, kind, _, length, padding = struct.unpack('>BBHHBx', read(connection, 8))
        content = read(connection, length + padding)[:length]
        if kind == END:
            return
        sys.stdout.write(content.decode(errors='replace'))


def connect(path, master):
    for _ in range(200):
        if master.poll() is not None:
            sys.exit('fpm.py: php-fpm ended with %d' % master.returncode)
        try:
            connection = socket.socket(socket.AF_UNIX)
            connection.connect(path)
            return connection
        except OSError:
            time.sleep(0.05)
    sys.exit('fpm.py: php-fpm does not listen')


def main():
    folder, script, argument, command = *sys.argv[1:4], sys.argv[4:]
    folder = os.path.realpath(folder)
    with open(folder + '/fpm.conf', 'w') as f:
        f.write('[global]\nerror_log = %s/fpm.log\ndaemonize = no\n'
                '[www]\nlisten = %s/fpm.sock\nuser = root\ngroup = root\npm = static\n'
                'pm.max_children = 1\nclear_env = no\n' % (folder, folder))
    # php-fpm has no arguments for scripts
    with open(folder + '/argument.php', 'w') as f:
        f.write('<?php $argv = [__FILE__, "%s"];\n' % argument)
    master = subprocess.Popen([*command, '-R', '-F', '-y', folder + '/fpm.conf'])
    try:
        request(connect(folder + '/fpm.sock', master), script, folder + '/argument.php')
    finally:
        master.terminate()
        master.wait()


main()
