# SPDX-License-Identifier: GPL-2.0-only
"""Starts the server of tests/live/web/server.c and sends requests to it."""
import http.client
import json
import os
import shutil
import subprocess
import tempfile

# time limit in seconds; only a server that hangs reaches it
HANG = 120
LONG = "x" * 10000
# the names of fill.c as a client sees them: bytes that are not UTF-8 have become U+FFFD
HOSTILE = ["</script><script>window.pwned=1</script>", "<img src=x onerror=window.pwned=2>",
           '" onmouseover="window.pwned=3', "'\"&quot;&amp;\\", "\u202eevil\u2066\u200b",
           "two\nlines\r\nand\ttabs", "bad\ufffd\ufffd(", "__proto__", "javascript:window.pwned=4",
           '{unit="x"}', "\u05e9\u05dc\u05d5\u05dd.service", LONG]


class Server:
    def __init__(self, program, *options):
        self.dir = tempfile.mkdtemp(prefix="ustack-web.")
        self.process = subprocess.Popen([program, *options, os.path.join(self.dir, "store")],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline() or 0)
        self.url = "http://127.0.0.1:%d" % self.port

    def stop(self):
        """Return: exit status, text of standard error"""
        try:
            said = self.process.communicate(timeout=HANG)[1]
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
        shutil.rmtree(self.dir, ignore_errors=True)
        return self.process.returncode, said

    def ask(self, path, method="GET", body=None, host=None, headers=()):
        """Return: status, headers, body"""
        c = http.client.HTTPConnection("127.0.0.1", self.port, timeout=HANG)
        c.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        for h in [host] if isinstance(host, str) else host if host is not None else ["localhost"]:
            c.putheader("Host", h)
        for key, value in dict(headers).items():
            c.putheader(key, value)
        if body is not None:
            c.putheader("Content-Length", str(len(body)))
        c.endheaders(body)
        r = c.getresponse()
        got = r.status, r.headers, r.read()
        c.close()
        return got

    def json(self, path, want=200):
        status, _, body = self.ask(path)
        assert status == want, (path, status, body[:500])
        return json.loads(body)

    def error(self, path, want):
        return self.json(path, want)["error"]
