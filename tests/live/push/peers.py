# SPDX-License-Identifier: GPL-2.0-only
"""Decodes requests as Pyroscope, Parca and OTLP collectors do, with other code than the program's.
Each decoder returns a list of parts, which are dicts with identity, service, values by type,
samples, host, and other things to check."""
import base64
import email.parser
import email.policy
import gzip
import json
import os
import re
import subprocess
import tempfile
import urllib.parse

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))


class Wrong(Exception):
    """The peer would not understand the request."""


def message(files, include, name):
    with tempfile.NamedTemporaryFile() as out:
        subprocess.run(['protoc', '-I', include, '--include_imports', '-o', out.name, *files],
                       check=True)
        every = descriptor_pb2.FileDescriptorSet.FromString(out.read())
    pool = descriptor_pool.DescriptorPool()
    for f in every.file:
        pool.Add(f)
    return message_factory.MessageFactory(pool).GetPrototype(pool.FindMessageTypeByName(name))


Pprof = message(['pprof.proto'], os.path.join(TOP, 'user/profile'), 'pprof.Profile')


def otlp_message(folder):
    if not folder:
        return message(['otlp.proto'], HERE, 'otlp.ExportProfilesServiceRequest')
    return message(['opentelemetry/proto/collector/profiles/v1development/'
                    'profiles_service.proto'], folder,
                   'opentelemetry.proto.collector.profiles.v1development.'
                   'ExportProfilesServiceRequest')


def need(truth, what):
    if not truth:
        raise Wrong(what)


def pprof_part(data):
    p = Pprof.FromString(gzip.decompress(data))
    texts = [s.decode() for s in p.string_table]
    need(texts[0] == '', 'the first string of a pprof')
    comments = [texts[i] for i in p.comment]
    need(not any(c.startswith(('imagemap', 'labels:')) for c in comments), 'comments')
    mappings = {m.id for m in p.mapping}
    functions = {f.id for f in p.function}
    locations = {l.id for l in p.location}
    need(all(not l.mapping_id or l.mapping_id in mappings for l in p.location), 'mappings')
    need(all(n.function_id in functions for l in p.location for n in l.line), 'functions')
    need(all(i in locations for s in p.sample for i in s.location_id), 'locations')
    # Parca requires the ids of mappings to be 1, 2, 3 and so on
    need(sorted(mappings) == list(range(1, len(mappings) + 1)), 'ids of mappings')
    values = {}
    labels = set()
    for s in p.sample:
        for i, t in enumerate(p.sample_type):
            values[texts[t.type]] = values.get(texts[t.type], 0) + s.value[i]
        labels |= {texts[l.key] for l in s.label}
    identity = [c[len('ustack window '):] for c in comments if c.startswith('ustack window ')]
    need(len(identity) == 1, 'identity')
    return {'identity': identity[0], 'values': values, 'samples': len(p.sample),
            'labels': labels, 'time': p.time_nanos, 'duration': p.duration_nanos,
            'units': {texts[m.filename] for m in p.mapping}, 'raw': data}


def pyroscope(path, headers, body):
    url = urllib.parse.urlsplit(path)
    need(url.path == '/ingest', 'path')
    query = {k: v[0] for k, v in urllib.parse.parse_qs(url.query, strict_parsing=True).items()}
    # with this parameter a server takes the whole form for a profile
    need('format' not in query, 'format')
    need(query['spyName'] == 'ustack' and query['sampleRate'] == '19', 'spy and rate')
    name = re.fullmatch(r'([A-Za-z0-9._/-]+)\{([^{}]*)\}', query['name'])
    need(name, 'name')
    labels = dict(pair.split('=', 1) for pair in name[2].split(','))
    need(all(re.fullmatch('[a-zA-Z_][a-zA-Z0-9_]*', k) for k in labels), 'names of labels')
    form = email.parser.BytesParser(policy=email.policy.HTTP).parsebytes(
        b'Content-Type: ' + headers['Content-Type'].encode() + b'\r\n\r\n' + body)
    files = {p.get_param('name', header='content-disposition'): p.get_payload(decode=True)
             for p in form.iter_parts() if p.get_filename()}
    need(set(files) == {'profile', 'sample_type_config'}, 'parts of the form')
    need(json.loads(files['sample_type_config'])['samples']['display-name'] == 'cpu', 'types')
    part = pprof_part(files['profile'])
    need(part['labels'] <= {'container', 'pod', 'namespace', 'command', 'event'}, 'labels of samples')
    need(0 <= part['time'] // 10**9 - int(query['from']) < 1, 'from')
    need(int(query['until']) == int(query['from']) + part['duration'] // 10**9, 'until')
    return [part | {'service': labels['service_name'], 'host': labels['host'],
                    'cluster': labels['cluster']}]


def parca(path, headers, body):
    need(path == '/api/profiles/writeraw', 'path')
    need(headers['Content-Type'] == 'application/json', 'type')
    request = json.loads(body.decode())
    need(request['normalized'] is True, 'normalized')
    parts = []
    for series in request['series']:
        labels = {l['name']: l['value'] for l in series['labels']['labels']}
        need(len(labels) == len(series['labels']['labels']), 'labels twice')
        need(labels['__name__'] == 'process_cpu' and labels['node'] == 'machine-1', 'labels')
        for sample in series['samples']:
            part = pprof_part(base64.b64decode(sample['rawProfile'], validate=True))
            need({'pid', 'unit', 'thread'} <= part['labels'], 'labels of samples')
            parts.append(part | {'service': None, 'host': labels['host'],
                                 'cluster': labels['cluster']})
    return parts


def parca_with(client):
    """The decoder of Parca that also reads each request with Parca's own client, in the folder @client."""
    def decode(path, headers, body):
        parts = parca(path, headers, body)
        p = subprocess.run(['node', os.path.join(HERE, 'parca_client.mjs'), client],
                           input=json.dumps(json.loads(body)) + '\n', text=True, capture_output=True)
        need(p.returncode == 0, 'Parca\'s client: ' + p.stderr[-300:])
        need(json.loads(p.stdout) == json.loads(body), 'Parca\'s client reads something else')
        return parts
    return decode if client else parca


def value_of(any_value):
    return getattr(any_value, any_value.WhichOneof('value'))


def attributes(d, indices):
    got = {}
    for i in indices:
        key = d.string_table[d.attribute_table[i].key_strindex]
        need(i and key and key not in got, 'keys of attributes')
        got[key] = value_of(d.attribute_table[i].value)
    return got


def check_dictionary(d):
    for table in (d.mapping_table, d.location_table, d.function_table, d.attribute_table,
                  d.stack_table):
        need(len(table) and not table[0].ByteSize(), 'the first element of a table')
    need(d.string_table[0] == '' and len(set(d.string_table)) == len(d.string_table), 'strings')
    need(len(d.link_table) == 1 and d.link_table[0].trace_id == bytes(16), 'links')
    for table in (d.mapping_table, d.location_table, d.function_table, d.stack_table,
                  d.attribute_table):
        every = [m.SerializeToString() for m in table]
        need(len(set(every)) == len(every), 'an element twice')
    for l in d.location_table:
        need(l.mapping_index < len(d.mapping_table), 'mapping')
        need(all(0 < n.function_index < len(d.function_table) for n in l.lines), 'function')
    for s in d.stack_table[1:]:
        need(len(s.location_indices) and
             all(0 < i < len(d.location_table) for i in s.location_indices), 'stack')


def otlp_with(folder):
    request_type = otlp_message(folder)

    def otlp(path, headers, body):
        need(path == '/v1development/profiles', 'path')
        need(headers['Content-Type'] == 'application/x-protobuf', 'type')
        need(headers['Content-Encoding'] == 'gzip', 'encoding')
        request = request_type.FromString(gzip.decompress(body))
        need(not request.UnknownFields(), 'unknown fields') if hasattr(
            request, 'UnknownFields') else None
        d = request.dictionary
        check_dictionary(d)
        build_ids = {attributes(d, m.attribute_indices).get('process.executable.build_id.gnu')
                     for m in d.mapping_table}
        need('0123456789abcdef0123456789abcdef01234567' in build_ids, 'build id')
        kinds = {d.string_table[d.mapping_table[l.mapping_index].filename_strindex]:
                 attributes(d, l.attribute_indices).get('profile.frame.type')
                 for l in d.location_table[1:]}
        need(kinds.get('/usr/bin/work') == 'native' and
             kinds.get('[kernel.kallsyms]', 'kernel') == 'kernel' and
             kinds.get('[perl]', 'perl') == 'perl', 'types of frames')
        parts = []
        for rp in request.resource_profiles:
            resource = {a.key: a.value.string_value for a in rp.resource.attributes}
            need(len(resource) == len(rp.resource.attributes), 'attributes twice')
            for sp in rp.scope_profiles:
                need(sp.scope.name == 'ustack', 'scope')
                parts += [otlp_part(d, resource, p) for p in sp.profiles]
        return join_types(parts)
    return otlp


def otlp_part(d, resource, p):
    labels = set()
    total = 0
    # samples have these attributes, too, except the service's name, which is in another label
    of_place = ('k8s.', 'container.', 'service.version', 'service.instance.id', 'deployment.')
    place = {k: v for k, v in resource.items() if k.startswith(of_place)}
    need(place.pop('k8s.node.name', None) == 'node-1', 'node')
    for s in p.samples:
        need(len(s.values) == 1 and not s.timestamps_unix_nano, 'values')
        need(0 < s.stack_index < len(d.stack_table), 'stack')
        of_sample = attributes(d, s.attribute_indices)
        need(place == {k: v for k, v in of_sample.items() if k.startswith(of_place)},
             'place')
        labels |= set(of_sample)
        total += s.values[0]
    need({'process.pid', 'thread.name', 'process.executable.name'} <= labels, 'labels')
    need(len(p.profile_id) == 16 and any(p.profile_id), 'profile id')
    need(d.string_table[p.period_type.type_strindex] == 'cpu' and p.period == 10**9 // 19,
         'period')
    return {'identity': attributes(d, p.attribute_indices)['ustack.window'],
            'values': {d.string_table[p.sample_type.type_strindex]: total},
            'samples': len(p.samples), 'labels': labels, 'time': p.time_unix_nano,
            'duration': p.duration_nano, 'service': resource['service.name'],
            'host': resource['host.name'], 'cluster': resource['cluster'],
            'container': resource.get('container.id'), 'place': place, 'id': [p.profile_id]}


def join_types(parts):
    """Joins the profiles of a part: each has the values of one type."""
    joined = {}
    for p in parts:
        if p['identity'] not in joined:
            joined[p['identity']] = p
            continue
        old = joined[p['identity']]
        need(not set(old['values']) & set(p['values']), 'a type twice')
        need(old['samples'] == p['samples'], 'samples')
        old['values'] |= p['values']
        old['id'] += p['id']
    every = [i for p in joined.values() for i in p['id']]
    need(len(set(every)) == len(every), 'profile ids')
    return list(joined.values())
