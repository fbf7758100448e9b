# SPDX-License-Identifier: GPL-2.0-only
"""Cases about an OTLP collector over gRPC, which is grpc's own server."""
import concurrent.futures
import gzip
import threading

import grpc

import peers
from harness import Case, case, wait_for
from stand_ins import DECODERS, Peer

METHOD = '/opentelemetry.proto.collector.profiles.v1development.ProfilesService/Export'


class Collector(grpc.GenericRpcHandler):
    """A collector. @plan has for each request a status of gRPC with its message, or the bytes of an
    answer; after its end all requests are accepted."""

    def __init__(self, plan=(), **options):
        self.plan, self.parts, self.wrong, self.requests = list(plan), [], [], 0
        self.lock = threading.Lock()
        self.server = grpc.server(concurrent.futures.ThreadPoolExecutor(4),
                                  options=list(options.items()))
        self.server.add_generic_rpc_handlers((self,))
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
