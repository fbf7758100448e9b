# SPDX-License-Identifier: GPL-2.0-only
"""Cases about an OTLP collector over gRPC, which is grpc's own server."""
import concurrent.futures
import gzip
import os
import socket
import ssl
import subprocess
import threading

import grpc

import peers
from cases_answers import certificate, use_library
from harness import RUNNING, Case, case, wait_for
from stand_ins import DECODERS, Peer

METHOD = '/opentelemetry.proto.collector.profiles.v1development.ProfilesService/Export'


class Collector(grpc.GenericRpcHandler):
    """A collector. @plan has for each request a status of gRPC with its message, or the bytes of an
    answer; after its end all requests are accepted. @tls: arguments of grpc.ssl_server_credentials();
    the server speaks TLS and demands that ALPN chooses h2, as every server of grpc does."""

    def __init__(self, plan=(), tls=None, **options):
        self.plan, self.parts, self.wrong, self.requests = list(plan), [], [], 0
        self.lock = threading.Lock()
        self.server = grpc.server(concurrent.futures.ThreadPoolExecutor(4),
                                  options=list(options.items()))
        self.server.add_generic_rpc_handlers((self,))
        if tls:
            self.url = 'https://127.0.0.1:%d' % self.server.add_secure_port(
                '127.0.0.1:0', grpc.ssl_server_credentials(**tls))
        else:
            self.url = 'http://127.0.0.1:%d' % self.server.add_insecure_port('127.0.0.1:0')

    def __enter__(self):
        self.server.start()
        return self

    def __exit__(self, *args):
        self.server.stop(0).wait()

    def service(self, handler_call_details):
        if handler_call_details.method != METHOD:
            return None
        # the handler gets the bytes of the message, which grpc has decompressed
        return grpc.unary_unary_rpc_method_handler(self.export)

    def export(self, request, context):
        headers = dict(context.invocation_metadata())
        with self.lock:
            self.requests += 1
            what = self.plan.pop(0) if self.plan else b''
        try:
            if 'idempotency-key' not in headers or headers.get('user-agent') != 'ustack':
                raise peers.Wrong(f'headers {headers}')
            parts = DECODERS['otlp']('/v1development/profiles', {
                'Content-Type': 'application/x-protobuf', 'Content-Encoding': 'gzip'},
                gzip.compress(request))
        except (peers.Wrong, KeyError, ValueError, IndexError, TypeError) as e:
            self.wrong.append(repr(e))
            parts = []
        if isinstance(what, tuple):
            context.abort(*what)
        with self.lock:
            self.parts += parts
        return what


@case
def grpc_takes_all_once():
    c = Case(23)
    with Collector() as peer:
        info = c.push('otlp_grpc', peer.url + '/')
        c.check(peer)
        assert info['windows'] == 23 and not info['failures'] and not info['retries'], info
        c.append(23, 3)
        c.push('otlp_grpc', peer.url, idle=3)
        c.check(peer)


@case
def grpc_refuses_for_a_while():
    c = Case(5)
    s = grpc.StatusCode
    with Collector([(s.UNAVAILABLE, 'later'), (s.UNAUTHENTICATED, 'who?'), (s.INTERNAL, 'oh'),
                    (s.RESOURCE_EXHAUSTED, 'busy'), (s.DEADLINE_EXCEEDED, '')]) as peer:
        info = c.push('otlp_grpc', peer.url)
        c.check(peer)
        assert {k: v for k, v in info['failures'].items() if v} == {
            'server': 3, 'unauthorized': 1, 'busy': 1}, info


@case
def grpc_message_too_large():
    """A server with a limit for messages: smaller requests are sent, and everything arrives."""
    c = Case(12)
    with Collector(**{'grpc.max_receive_message_length': 20000}) as peer:
        c.push('otlp_grpc', peer.url)
        c.check(peer)


@case
def grpc_refuses_for_good():
    c = Case(3)
    with Collector([(grpc.StatusCode.INVALID_ARGUMENT, 'no\x1b[31m such')] * 4) as peer:
        info = c.push('otlp_grpc', peer.url)
        assert info['refused'] == 3 and not peer.parts, info
        assert 'gRPC status 3' in info['notes'] and '\x1b' not in info['notes'], info['notes']


@case
def grpc_of_a_server_that_has_none():
    """A server of HTTP/1 is not a gRPC collector; the windows arrive when there is one."""
    c = Case(2)
    with Peer('otlp') as peer:
        p = c.start('otlp_grpc', peer.url, 'idle=2')
        wait_for(lambda: p.output()[1], 'nothing is said')
        p.terminate()
        p.end()
        assert not peer.parts and not c.is_through()
    with Collector([b'\xff\xff']) as peer:
        info = c.push('otlp_grpc', peer.url)
        c.check(peer, twice=True)
        assert info['failures'], info


def pair(named):
    """Return: [(key, certificate)] as bytes, of certificate()'s files"""
    cert, key = named
    with open(key, 'rb') as k, open(cert, 'rb') as c:
        return [(k.read(), c.read())]


@case
def grpc_over_tls():
    for library in 'libcurl-gnutls.so.4', 'libcurl.so.4':
        grpc_over_tls_by(library)


def grpc_over_tls_by(library):
    """Everything arrives at a server that is trusted. Nothing is sent to one whose certificate is signed
    by another, or has another name, or is not in the system's list; each is a failure of kind tls."""
    c = Case(3)
    use_library(c, library)
    good = certificate(c.dir, 'good', 'IP:127.0.0.1')
    other = certificate(c.dir, 'other', 'DNS:example.org')
    for mine, trusted in (good, other), (other, other), (good, None):
        with Collector(tls={'private_key_certificate_chain_pairs': pair(mine)}) as peer:
            p = c.start('otlp_grpc', peer.url, 'token=secret', 'failures=1',
                        *([f'ca_file={trusted[0]}'] if trusted else []))
            info = c.finish(p)
            assert set(info['failures']) == {'tls'} and not peer.requests, info
            assert info['library'] == library, info
    with Collector(tls={'private_key_certificate_chain_pairs': pair(good)}) as peer:
        info = c.push('otlp_grpc', peer.url, f'ca_file={good[0]}', 'token=secret')
        c.check(peer)
        assert info['windows'] == 3 and not info['failures'], info


@case
def grpc_over_tls_with_a_client_certificate():
    c = Case(3)
    good = certificate(c.dir, 'good', 'IP:127.0.0.1')
    mine = certificate(c.dir, 'mine', 'DNS:example.org')
    with open(mine[0], 'rb') as f:
        tls = {'private_key_certificate_chain_pairs': pair(good), 'root_certificates': f.read(),
               'require_client_auth': True}
    with Collector(tls=tls) as peer:
        info = c.finish(c.start('otlp_grpc', peer.url, f'ca_file={good[0]}', 'failures=1'))
        assert info['failures'] and not peer.requests, info
        c.push('otlp_grpc', peer.url, f'ca_file={good[0]}', f'cert_file={mine[0]}',
               f'key_file={mine[1]}')
        c.check(peer)


@case
def grpc_over_tls_of_http_1():
    """A server of TLS that has HTTP/1 only is no gRPC collector."""
    c = Case(2)
    good = certificate(c.dir, 'good', 'IP:127.0.0.1')
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(*good)
    tls.set_alpn_protocols(['http/1.1'])
    with Peer('otlp', tls=tls) as peer:
        info = c.finish(c.start('otlp_grpc', peer.url, f'ca_file={good[0]}', 'failures=1'))
        assert info['failures'] and not peer.parts and not c.is_through(), info


def free_port():
    with socket.socket() as s:
        s.bind(('127.0.0.1', 0))
        return s.getsockname()[1]


def is_open(port):
    with socket.socket() as s:
        return s.connect_ex(('127.0.0.1', port)) == 0


@case
def grpc_through_a_proxy():
    """nghttpx ends TLS and passes HTTP/2 with its trailers on, as proxies before collectors do."""
    c = Case(7)
    good = certificate(c.dir, 'good', 'IP:127.0.0.1')
    with Collector([(grpc.StatusCode.UNAVAILABLE, 'later')]) as peer:
        port, backend = free_port(), peer.url.rsplit(':', 1)[1]
        with open(os.path.join(c.dir, 'nghttpx'), 'w', encoding='ascii') as log:
            proxy = subprocess.Popen(
                ['nghttpx', '--conf=/dev/null', f'--frontend=127.0.0.1,{port}',
                 f'--backend=127.0.0.1,{backend};;proto=h2', good[1], good[0]],
                stdout=log, stderr=log)
        RUNNING.append(proxy)
        wait_for(lambda: is_open(port), 'nghttpx does not listen')
        info = c.push('otlp_grpc', f'https://127.0.0.1:{port}', f'ca_file={good[0]}')
        c.check(peer)
        assert info['windows'] == 7 and info['failures'] == {'server': 1}, info
        proxy.terminate()
        proxy.wait()
