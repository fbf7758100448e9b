# SPDX-License-Identifier: GPL-2.0-only
"""Cases about the answers of servers, and about options that are refused at the start."""
import email.utils
import os
import ssl
import subprocess
import time

from harness import ALL, Case, case, each, wait_for
from stand_ins import Peer, server


@each(*ALL)
def all_arrives_once(kind):
    c = Case(23)
    with Peer(kind) as peer:
        info = c.push(kind, peer.url + '/')
        c.check(peer)
        assert info['windows'] == 23 and not info['failures'] and not info['retries'], info
        assert info['lag_ns'] == 0 and not info['lost'] and not info['lost_segments'], info
        assert info['bytes'] == sum(r['len'] for r in peer.requests), info
        services = {p['service'] for p in peer.parts}
        if kind != 'parca':
            assert services == {f'unit-{i}@{{a,b}}=\\x2d.service' for i in range(4)} | {
                'work "er"'} or kind == 'pyroscope' and len(services) == 5, services
        if kind == 'otlp':
            assert len({p['container'] for p in peer.parts}) == 3, peer.parts
            named = [p['place'] for p in peer.parts if len(p['place']) > 1]
            assert named and all(set(p.items()) == {
                ('k8s.container.name', 'server'), ('k8s.namespace.name', 'shop'),
                ('service.version', '1.2'), ('service.instance.id', 'cart-1-0'),
                ('deployment.environment.name', 'test'), ('k8s.pod.name', 'cart-1'), ('container.id', f'{0xc0ffef:064x}'),
                ('k8s.pod.uid', '0f9a1b2c-3d4e-5f60-7182-93a4b5c6d7e8')} for p in named), named
        # windows that come later are sent, and no others
        before = len(peer.parts)
        c.append(23, 3)
        info = c.push(kind, peer.url, idle=3)
        c.check(peer)
        assert info['windows'] == 3 and len(peer.parts) > before, info


@case
def go_reads_it():
    c = Case(1)
    with Peer('pyroscope') as peer:
        c.push('pyroscope', peer.url)
        total = 0
        for i, part in enumerate(peer.parts):
            path = os.path.join(c.dir, f'{i}.pb.gz')
            with open(path, 'wb') as f:
                f.write(part['raw'])
            out = subprocess.run(['go', 'tool', 'pprof', '-raw', '-sample_index=samples', path],
                                 check=True, stdout=subprocess.PIPE,
                                 stderr=subprocess.DEVNULL).stdout.decode()
            rows = out.split('Samples:\n')[1].split('Locations\n')[0].splitlines()[1:]
            total += sum(int(r.split()[0]) for r in rows if ': ' in r and r.split()[0].isdigit())
        assert total == c.sums[(c.position()[0], 0)]['count'], total


@case
def while_windows_are_appended():
    c = Case()
    with Peer('otlp') as peer:
        info = c.finish(c.start('otlp', peer.url, 'append=30', 'every=20', 'idle=30'))
        c.check(peer)
        assert info['lag_windows'] == 0 and not info['lag_is_least'], info


@each(*ALL)
def lost_acknowledgements(kind):
    c = Case(12)
    with Peer(kind, ['no acknowledgement', 'good', 'no acknowledgement']) as peer:
        info = c.push(kind, peer.url, 'batch=2')
        c.check(peer, twice=True)
        # libcurl by itself repeats a request if a connection that it had kept open is gone
        assert set(info['failures']) == {'broken'} and info['retries'] >= 1, info
        assert [r['what'] for r in peer.requests].count('no acknowledgement') == 2
        # the same request is sent again, under the same name
        assert peer.requests[0]['identity'] == peer.requests[1]['identity'], peer.requests
        names = [r['identity'] for r in peer.requests if r['what'] == 'good']
        assert len(set(names)) == len(names), names


def fails_then_good(kind, plan, failure, *words, windows=3):
    c = Case(windows)
    with Peer(kind, plan) as peer:
        info = c.push(kind, peer.url, *words)
        c.check(peer)
        assert set(info['failures']) == {failure}, info
        assert info['failures'][failure] == len(plan) == info['retries'], info
        assert info['error'] and not info['failing'], info
        return info, peer


@each(*ALL)
def breaks_in_the_middle(kind):
    fails_then_good(kind, ['hang up', 'hang up'], 'broken')


@each(*ALL)
def server_errors(kind):
    info, _ = fails_then_good(kind, [(503, b'{"message":"on its\\u001b[31m way"}'), (500, b'')],
                              'server')
    assert 'on its' in info['notes'] and '\x1b' not in info['notes'], info


@each(*ALL)
def ends_early(kind):
    fails_then_good(kind, ['short'], 'broken')


@each(*ALL)
def has_no_end(kind):
    fails_then_good(kind, ['endless', 'endless_head'], 'lied')


@case
def is_no_http():
    fails_then_good('parca', ['garbage'], 'lied')


@case
def is_slow():
    c = Case(3)
    with Peer('pyroscope', ['slow', 'silent']) as peer:
        info = c.push('pyroscope', peer.url, 'timeout=2000')
        # on a busy machine other requests may take too long, too
        c.check(peer, twice=True)
        assert set(info['failures']) == {'timeout'}, info
        assert info['failures']['timeout'] == info['retries'] >= 2, info
        assert peer.identities[0] == peer.identities[1] == peer.identities[2], peer.identities


@case
def a_line_that_is_too_slow():
    """After three timeouts smaller requests are sent."""
    c = Case(170, segment=10**6)

    def judge(parts):
        return 'silent' if sum(p['samples'] for p in parts) > 4000 else 'good'

    with Peer('otlp', [judge] * 1000) as peer:
        info = c.push('otlp', peer.url, 'timeout=3000', 'batch=170')
        c.check(peer, twice=True)
        assert set(info['failures']) == {'timeout'}, info
        sizes = {r['identity']: sum(p['samples'] for p in r['parts']) for r in peer.requests}
        large = [i for i, size in sizes.items() if size > 4000]
        # the large request follows the first window, and is sent three times
        assert len(large) == 1, sizes
        wait_for(lambda: peer.identities.count(large[0]) == 3)
        smaller = [size for i, size in sizes.items() if size > 1000 and i not in large]
        assert smaller and max(smaller) <= sizes[large[0]] / 2, sizes


@each(*ALL)
def good_status_with_an_error(kind):
    plan = [(200, b'<html>log in</html>', 'text/html'), (200, b'{"code":3,"message":"no"}')]
    fails_then_good(kind, plan, 'lied')


@case
def otlp_answers_nonsense():
    plan = [(200, b'\x0a\xff\xff\xff\xff\x0f', 'application/x-protobuf'),
            (200, b'hello', 'text/plain')]
    fails_then_good('otlp', plan, 'lied')


@each(*ALL)
def retry_after(kind):
    info, peer = fails_then_good(kind, [(429, b'', 'text/plain', {'Retry_After': '2'})], 'busy',
                                 'scale=1')
    assert 2000 <= info['waits'][0] <= 2500, info
    assert peer.times[1] - peer.times[0] >= 2, peer.times


@case
def retry_after_a_date():
    def away(_):
        return (503, b'', 'text/plain', {'Retry_After': email.utils.formatdate(
            time.time() + 1800, usegmt=True)})

    info, _ = fails_then_good('parca', [away], 'server', 'scale=3000')
    # half an hour, less the time that the answer took, and up to a quarter more
    assert 1700 * 1000 <= info['waits'][0] <= 2250 * 1000, info


@case
def waits_longer_each_time():
    """Waits are random, but the same for the same seed."""
    c = Case(2)
    runs = []
    for seed in 1, 2, 1:
        held, port = server.refusing_port()
        with held:
            info = c.finish(c.start('otlp', f'http://127.0.0.1:{port}', 'failures=9',
                                    'scale=600', f'seed={seed}'))
        # the driver stops before or after the wait that follows the last failure
        runs.append(info['waits'][:8])
        assert len(runs[-1]) == 8, info
        assert all(ms <= min(1000 << i, 60000) for i, ms in enumerate(runs[-1])), runs
        assert max(runs[-1]) > 10000, runs
    assert runs[0] == runs[2] != runs[1], runs


@each(*ALL)
def refused_for_good(kind):
    """One window is never accepted: it is skipped, and the others arrive."""
    c = Case(9)
    bad = sorted(c.sums)[3]

    def judge(parts):
        return (400, b'{"message":"not this one"}') if any(
            p['identity'].split('/')[1] == f'{bad[0]}.{bad[1]}' for p in parts) else 'good'

    with Peer(kind, [judge] * 1000) as peer:
        p = c.start(kind, peer.url, 'idle=9')
        info = c.finish(p)
        c.check(peer, without=[bad])
        assert info['refused'] >= 1 and 'refused' in info['failures'], info
        assert 'not this one' in info['notes'] and info['error'], info


@each(*ALL)
def too_large(kind):
    """No request with more samples than a limit is accepted."""
    most = 6 if kind == 'pyroscope' else 15
    c = Case(5)

    def judge(parts):
        return 'good' if sum(p['samples'] for p in parts) <= most else (413, b'')

    with Peer(kind, [judge] * 1000) as peer:
        info = c.push(kind, peer.url)
        c.check(peer)
        assert set(info['failures']) == {'too-large'} and not info['refused'], info
        assert info['windows'] == 5, info


@case
def even_one_sample_is_too_large():
    c = Case(2)
    with Peer('otlp', [(413, b'')] * 200) as peer:
        info = c.push('otlp', peer.url)
        assert info['refused'] >= 2 and not peer.parts, info


@case
def an_internal_error_again_and_again():
    """Parca's answer to bytes that it cannot read. After twelve the request is refused."""
    c = Case(2)
    bad = min(c.sums)
    again = (500, b'{"code":2,"message":"bad"}', 'application/json', {'Retry_After': '1'})

    def judge(parts):
        return again if any(p['identity'].split('/')[1] == f'{bad[0]}.{bad[1]}'
                            for p in parts) else 'good'

    with Peer('parca', [judge] * 50) as peer:
        info = c.push('parca', peer.url, 'batch=1')
        c.check(peer, without=[bad])
        assert info['failures'] == {'server': 12} and info['refused'] == 1, info


@each('parca', 'otlp')
def killed_while_a_smaller_one_is_on_its_way(kind):
    """The end that a larger request has saved does not decide what is sent again."""
    c = Case(6)

    def taken(parts):
        peer.take(parts)
        return 'silent'

    again = (500, b'{"code":2,"message":"bad"}', 'application/json', {'Retry_After': '1'})
    # the first request has one window; the second has all others, and is sent twelve times; the
    # third has one window
    with Peer(kind, ['good'] + [again] * 12 + [taken]) as peer:
        p = c.start(kind, peer.url, 'batch=10')
        wait_for(lambda: len(peer.requests) == 14)
        p.kill()
        p.wait()
        sent = peer.requests[-1]
        c.push(kind, peer.url, 'batch=10', idle=5)
        c.check(peer, twice=True)
        assert peer.requests[14]['identity'] == sent['identity'], (sent, peer.requests[14])


@case
def partly_refused():
    """A collector that refuses a part says how many profiles; the request is not sent again."""
    c = Case(4)
    no = b'\x0a\x0a\x08\x02\x12\x06no way'
    with Peer('otlp', ['good', (200, no, 'application/x-protobuf')]) as peer:
        info = c.push('otlp', peer.url, 'batch=10')
        # the first request of a process is one window
        assert len(peer.requests) == 2 and info['refused'] == 3, info
        assert '2 profiles are refused: no way' in info['error'], info


@case
def token_and_headers():
    c = Case(2)
    secret = os.path.join(c.dir, 'token')
    with open(secret, 'w', encoding='ascii') as f:
        f.write('first\n')

    def judge(_):
        given = peer.requests[-1]['headers'].get('Authorization')
        if given == 'Bearer second':
            return 'good'
        with open(secret, 'w', encoding='ascii') as f:
            f.write('second\n')
        return (401, b'')

    with Peer('pyroscope', [judge] * 100) as peer:
        info = c.push('pyroscope', peer.url, f'token_file={secret}', 'header=X-Scope-OrgID: me')
        c.check(peer)
        assert info['failures'] == {'unauthorized': 1}, info
        assert all(r['headers']['X-Scope-OrgID'] == 'me' for r in peer.requests)
    with Peer('pyroscope') as peer:
        c.append(2, 1)
        c.push('pyroscope', peer.url, 'user=a', 'password=b c', idle=1)
        assert peer.requests[0]['headers']['Authorization'] == 'Basic YTpiIGM=', peer.requests


@case
def redirections():
    c = Case(2)
    with Peer('parca') as elsewhere, Peer('parca') as peer:
        # a redirection to another path of the same server is followed, with the same request
        peer.plan = [(308, b'', 'text/plain', {'Location': '/api/profiles/writeraw'})]
        info = c.push('parca', peer.url)
        c.check(peer)
        assert not info['failures'] and not info['retries'], info
        # another port is another server
        c.append(2, 1)
        peer.plan = [(307, b'', 'text/plain', {'Location': elsewhere.url + '/x'}), ]
        info = c.push('parca', peer.url, 'token=secret', idle=1)
        c.check(peer)
        assert info['failures'] == {'redirected': 1}, info
        assert not elsewhere.requests and not elsewhere.wrong
        c.append(3, 1)
        peer.plan = [(302, b'', 'text/plain', {'Location': '/a'})] * 4
        info = c.push('parca', peer.url, idle=1)
        assert info['failures'] == {'redirected': 1} and 'more than 3' in info['notes'], info


@case
def nobody_listens():
    c = Case(2)
    held, port = server.refusing_port()
    with held:
        info = c.finish(c.start('otlp', f'http://127.0.0.1:{port}', 'failures=2'))
    assert set(info['failures']) == {'unconnected'} and info['failing'], info
    assert info['lag_ns'] > 10**9, info
    with Peer('otlp') as peer:
        c.push('otlp', peer.url)
        c.check(peer)


@case
def stops_in_the_middle():
    """A request that would wait for ten minutes is aborted."""
    for what in 'silent', 'slow':
        c = Case(2)
        with Peer('parca', [what]) as peer:
            p = c.start('parca', peer.url, 'timeout=600000')
            wait_for(lambda: peer.requests)
            p.terminate()
            info = c.finish(p)
            assert not info['windows'], info
            # the request that was aborted is sent again, under the same name
            c.push('parca', peer.url)
            c.check(peer)
            assert peer.requests[0]['identity'] == peer.requests[1]['identity'], peer.requests


@case
def stops_while_it_waits():
    """A wait of an hour before the next try is aborted, too."""
    c = Case(2)
    with Peer('parca', [(429, b'', 'text/plain', {'Retry_After': '3600'})] * 10) as peer:
        p = c.start('parca', peer.url, 'scale=1')
        wait_for(lambda: b'busy' in p.output()[1])
        p.terminate()
        info = c.finish(p)
        assert info['failures'] == {'busy': 1} and not info['retries'], info
        assert len(peer.requests) == 1, peer.requests


def certificate(folder, name, alt):
    key, cert = os.path.join(folder, name + '.key'), os.path.join(folder, name + '.pem')
    subprocess.run(['openssl', 'req', '-x509', '-newkey', 'ec', '-pkeyopt',
                    'ec_paramgen_curve:P-256', '-nodes', '-days', '2', '-subj', '/CN=' + name,
                    '-addext', 'subjectAltName=' + alt, '-keyout', key, '-out', cert],
                   check=True, stderr=subprocess.DEVNULL)
    return cert, key


def use_library(c, library):
    """@library: the build of libcurl that the case uses; that with GnuTLS is used if it can be loaded"""
    if library == 'libcurl.so.4':
        with open(os.path.join(c.dir, 'libcurl-gnutls.so.4'), 'w', encoding='ascii') as f:
            f.write('no library')
        c.environment = {'LD_LIBRARY_PATH': c.dir}


@case
def certificates():
    for library in 'libcurl-gnutls.so.4', 'libcurl.so.4':
        certificates_by(library)


def certificates_by(library):
    c = Case(2)
    use_library(c, library)
    good = certificate(c.dir, 'good', 'IP:127.0.0.1')
    other = certificate(c.dir, 'other', 'DNS:example.org')
    for mine, trusted in (good, other), (other, other), (other, None):
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(*mine)
        with Peer('pyroscope', tls=tls) as peer:
            p = c.start('pyroscope', peer.url, 'token=secret',
                        'failures=1', *([f'ca_file={trusted[0]}'] if trusted else []))
            info = c.finish(p)
            assert set(info['failures']) == {'tls'} and not peer.requests, info
            assert info['library'] == library, info
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(*good)
    tls.load_verify_locations(other[0])
    tls.verify_mode = ssl.CERT_REQUIRED
    with Peer('pyroscope', tls=tls) as peer:
        c.push('pyroscope', peer.url, f'ca_file={good[0]}', 'token=secret',
               f'cert_file={other[0]}', f'key_file={other[1]}')
        c.check(peer)
        assert peer.requests[0]['headers']['Authorization'] == 'Bearer secret'


@case
def no_proxy_of_the_environment():
    c = Case(2)
    with Peer('parca') as peer, Peer('parca') as proxy:
        c.environment = {'http_proxy': proxy.url, 'ALL_PROXY': proxy.url}
        c.push('parca', peer.url)
        c.check(peer)
        assert not proxy.times
        c.append(2, 1)
        c.push('parca', 'http://profiles.invalid', f'proxy={proxy.url}', idle=1)
        assert proxy.wrong, 'the proxy gets the whole URL'


@case
def what_is_refused_at_once():
    c = Case(1)
    for url, words in (('ftp://a', ()), ('http://', ()), ('http://u@a', ()), ('http://a?b', ()),
                       ('http://a:99999', ()), ('http://a b', ()), ('http://[::1', ()),
                       ('http://example.org', ('token=a',)),
                       ('http://127.0.0.1.example.org', ('token=a',)),
                       ('https://a', ('token=a', 'user=b')), ('https://a', ('password=b',)),
                       ('https://a', ('header=Host: b',)), ('https://a', ('header=b',)),
                       ('https://a', ('header=A: b\r\nC: d',)), ('https://a', ('token=a\nb',)),
                       ('https://a', ('cert_file=b',)), ('http://a', ('timeout=99999999',)),
                       ('http://a', ('proxy=socks5://b',))):
        status, _, err = c.start('parca', url, *words).end()
        assert status == 1 and err.startswith(b'driver: target: '), (url, words, err)


@case
def one_process():
    c = Case(1)
    with Peer('parca', ['silent']) as peer:
        p = c.start('parca', peer.url)
        wait_for(lambda: peer.times)
        assert b'another process sends' in c.start('parca', peer.url).end()[2]
        p.terminate()
        c.finish(p)
