# SPDX-License-Identifier: GPL-2.0-only
"""ClickHouse and ZooKeeper servers for tests: each with a folder and ports of its own, with little
memory and few log messages."""
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../lib'))
from server import take_port  # noqa: E402  pylint: disable=wrong-import-position

# seconds after which a wait counts as a hang
HANG = 300
SERVER = '/usr/sbin/clickhouse-server'
# servers are killed when the test dies
WITH_PARENT = ['setpriv', '--pdeathsig', 'KILL']
CONFIG = '''<yandex>
<logger><level>{level}</level><log>{dir}/log</log><errorlog>{dir}/errors</errorlog>
<size>20M</size><count>2</count></logger>
<listen_host>127.0.0.1</listen_host>
<http_port>{http}</http_port><tcp_port>{tcp}</tcp_port>
<interserver_http_port>{inter}</interserver_http_port>
<interserver_http_host>127.0.0.1</interserver_http_host>
<path>{dir}/data/</path><tmp_path>{dir}/tmp/</tmp_path>
<users_config>users.xml</users_config>
<default_profile>default</default_profile><default_database>default</default_database>
<mark_cache_size>268435456</mark_cache_size>
<compression><case><min_part_size>0</min_part_size>
<min_part_size_ratio>0</min_part_size_ratio><method>{method}</method></case></compression>
<merge_tree><parts_to_throw_insert>3000</parts_to_throw_insert></merge_tree>
{more}
</yandex>
'''
TLS = '''<https_port>{port}</https_port>
<openSSL><server><certificateFile>{certificate}</certificateFile><privateKeyFile>{key}</privateKeyFile>
<verificationMode>none</verificationMode><disableProtocols>sslv2,sslv3</disableProtocols></server>
</openSSL>'''
USERS = '''<yandex><profiles><default><max_memory_usage>{memory}</max_memory_usage>
<max_threads>2</max_threads></default><reader><readonly>2</readonly></reader></profiles>
<users><default><password></password><networks><ip>127.0.0.1</ip></networks>
<profile>default</profile><quota>default</quota></default>
<fleet><password>secret</password><networks><ip>127.0.0.1</ip></networks>
<profile>default</profile><quota>default</quota></fleet>
<reader><password>secret</password><networks><ip>127.0.0.1</ip></networks>
<profile>reader</profile><quota>default</quota></reader></users>
<quotas><default></default></quotas></yandex>
'''


def take_ports(nr=3):
    """Return: free ports for HTTP, native and replicas: these servers cannot report a port that
    they have chosen"""
    return tuple(take_port().number for _ in range(nr))


class Authority:
    """Signs certificates of servers, with the openssl program."""

    KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']

    def __init__(self, folder, name):
        self.path = os.path.join(folder, name)
        self.file = self.path + '.pem'
        self.openssl('req', '-x509', *self.KEY, '-days', '2', '-subj', '/CN=' + name, '-keyout',
                     self.path + '.key', '-out', self.file)

    @staticmethod
    def openssl(*words):
        subprocess.run(['openssl', *words], check=True, stderr=subprocess.DEVNULL)

    def tls(self, names):
        """Return: (port, configuration) of a server whose certificate has these names"""
        port, path = take_port().number, f'{self.path}-server'
        with open(path + '.names', 'w', encoding='ascii') as f:
            f.write('subjectAltName=' + names)
        self.openssl('req', '-new', *self.KEY, '-subj', '/CN=server', '-keyout', path + '.key',
                     '-out', path + '.csr')
        self.openssl('x509', '-req', '-in', path + '.csr', '-CA', self.file, '-CAkey',
                     self.path + '.key', '-CAcreateserial', '-days', '2', '-extfile',
                     path + '.names', '-out', path + '.pem')
        return port, TLS.format(port=port, certificate=path + '.pem', key=path + '.key')


class Refused(Exception):
    """The server's error message."""


class Server:
    """A ClickHouse server. @whole: it has users, TLS and replicas. @no_database, @no_column,
    @created: texts of its version."""

    whole = True
    no_database = b"Database nowhere doesn't exist"
    no_column = b'Unknown identifier: part'
    created = 'CREATE TABLE made.names ( a UInt8) ENGINE = Memory'

    def __init__(self, folder, more='', method='lz4', memory=2 * 10**9, ports=None):
        self.dir = folder
        self.http, self.tcp, self.inter = ports or take_ports()
        self.url = f'http://127.0.0.1:{self.http}'
        self.process = None
        os.makedirs(os.path.join(folder, 'tmp'), exist_ok=True)
        self.write('config.xml', CONFIG.format(
            dir=folder, http=self.http, tcp=self.tcp, inter=self.inter, more=more,
            method=method, level='warning'))
        self.write('users.xml', USERS.format(memory=memory))

    def write(self, name, text):
        with open(os.path.join(self.dir, name), 'w', encoding='utf-8') as f:
            f.write(text)

    def start(self):
        # pylint: disable=consider-using-with
        with open(os.path.join(self.dir, 'output'), 'ab') as out:
            self.process = subprocess.Popen(
                WITH_PARENT + [SERVER, '--config-file=' + os.path.join(self.dir, 'config.xml')],
                stdout=out, stderr=out, start_new_session=True)
        return self.wait()

    def wait(self):
        """Waits until the server answers."""
        end = time.monotonic() + HANG
        while True:
            try:
                self.ask('SELECT 1')
                return self
            except (OSError, Refused):
                assert time.monotonic() < end and self.process.poll() is None, self.errors()
                time.sleep(0.05)

    def errors(self):
        with open(os.path.join(self.dir, 'output'), encoding='utf-8', errors='replace') as f:
            return f.read()[-2000:]

    def kill(self, how=signal.SIGKILL):
        self.process.send_signal(how)
        self.process.wait()

    def pid(self):
        return self.process.pid

    def post(self, query, body, **settings):
        url = self.url + '/?' + urllib.parse.urlencode({'query': query} | settings)
        request = urllib.request.Request(url, body)
        return self.open(request)

    def ask(self, sql):
        """Return: lines of the answer to a SELECT"""
        return self.open(urllib.request.Request(self.url + '/', sql.encode())).splitlines()

    @staticmethod
    def open(request, timeout=600):
        try:
            with urllib.request.urlopen(request, timeout=timeout) as answer:
                return answer.read().decode()
        except urllib.error.HTTPError as e:
            raise Refused(e.read().decode(errors='replace')[:600]) from None

    def questions(self):
        """Return: how many questions the server was asked, including this one"""
        return self.numbers("SELECT value FROM system.events WHERE event = 'Query'")[0]

    def numbers(self, sql):
        return [int(n) for n in self.ask(sql)[0].split('\t')]

    def schema(self, ustack, *options, database='ustack'):
        subprocess.run([ustack, 'clickhouse', '--quiet', '--to', self.place(database), *options],
                       check=True)

    def place(self, database='ustack', user=''):
        return f'clickhouse://{user}127.0.0.1:{self.http}/{database}'


class Engine(Server):
    """A current ClickHouse, as far as tests/live/clickhouse/engine provides it."""

    LIBRARY = None
    whole = False
    no_database = b'the server says (81): Database nowhere does not exist.'
    no_column = b'Unknown expression identifier `day` in scope'
    created = r'CREATE TABLE made.names\n(\n    `a` UInt8\n)\nENGINE = Memory'

    def start(self):
        # pylint: disable=consider-using-with
        with open(os.path.join(self.dir, 'output'), 'ab') as out:
            self.process = subprocess.Popen(
                WITH_PARENT + [os.path.join(os.path.dirname(os.path.abspath(__file__)), 'engine'),
                               self.LIBRARY, os.path.join(self.dir, 'data'), str(self.http)],
                stdout=out, stderr=out, start_new_session=True)
        return self.wait()


class ZooKeeper:
    """A ZooKeeper server, through which replicas learn what other replicas have."""

    def __init__(self, folder):
        self.dir = folder
        self.port = take_port().number
        self.process = None
        os.makedirs(folder)
        with open(os.path.join(folder, 'zoo.cfg'), 'w', encoding='utf-8') as f:
            f.write(f'tickTime=2000\ndataDir={folder}/data\nclientPort={self.port}\n'
                    'clientPortAddress=127.0.0.1\nadmin.enableServer=false\n'
                    '4lw.commands.whitelist=srvr\nmaxClientCnxns=100\n')

    def start(self):
        jars = ':'.join(os.path.join('/usr/share/java', j) for j in os.listdir('/usr/share/java')
                        if j.endswith('.jar'))
        # pylint: disable=consider-using-with
        with open(os.path.join(self.dir, 'output'), 'ab') as out:
            self.process = subprocess.Popen(
                WITH_PARENT + ['java', '-Xmx256m', '-cp', jars, 'org.apache.zookeeper.server.quorum.'
                 'QuorumPeerMain', os.path.join(self.dir, 'zoo.cfg')],
                stdout=out, stderr=out, start_new_session=True)
        end = time.monotonic() + HANG
        # ClickHouse 18.16 dies if ZooKeeper listens and does not answer
        while not self.is_up():
            assert time.monotonic() < end and self.process.poll() is None, self.dir
            time.sleep(0.1)
        return self

    def is_up(self):
        try:
            with socket.create_connection(('127.0.0.1', self.port), 1) as s:
                s.sendall(b'srvr')
                return b'Mode: standalone' in s.recv(4096)
        except OSError:
            return False

    def kill(self):
        self.process.kill()
        self.process.wait()
