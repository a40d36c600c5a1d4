# SPDX-License-Identifier: Apache-2.0
"""A `snellen view` that tests ask, and pages of it in a browser."""
import http.client
import json
import pathlib
import shutil
import subprocess
import unittest
import urllib.parse

from cli import SNELLEN

ROOT = pathlib.Path(__file__).resolve().parents[2]
WEB = ROOT / "web"
IN_A_BROWSER = unittest.skipUnless(shutil.which("node") and (WEB / "node_modules" / "playwright-core").exists() and shutil.which("chromium"),
                                   "needs Node, the packages of web/ and chromium: ./dev test installs them as root")


def run_script(case, script, *arguments):
    """Runs a script of web/test, which says so when all is as it should be."""
    try:
        done = subprocess.run(["node", str(WEB / "test" / script), *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=1200)
    except subprocess.TimeoutExpired as problem:
        case.fail(f"{script} takes too long; it said: {problem.output}")
    case.assertEqual(done.returncode, 0, done.stdout)
    case.assertIn("all pages passed", done.stdout)


class View:
    """The server over some folders, until the end of the with."""

    def __init__(self, *arguments):
        self.process = subprocess.Popen([SNELLEN, "view", *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.printed = self.process.stdout.readline().strip()
        address = urllib.parse.urlparse(self.printed)
        self.port = address.port
        self.address = f"{address.scheme}://{address.netloc}"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(60)
        self.process.stdout.close()

    def ask(self, path, method="GET", headers=None, body=None, **query):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        address = path + ("?" + urllib.parse.urlencode(query, doseq=True) if query else "")
        connection.request(method, address, body=body, headers=headers or {})
        response = connection.getresponse()
        data = response.read()
        connection.close()
        return response, data

    def json(self, path, **query):
        response, data = self.ask(path, **query)
        if response.status != 200:
            raise AssertionError(f"{path} {query}: {response.status} {data[:500]}")
        return json.loads(data)

    def memory(self, name="VmHWM"):
        """Of the server, in bytes."""
        for line in pathlib.Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith(name + ":"):
                return int(line.split()[1]) * 1024
        return 0

    def browse(self, case, script, *arguments):
        """Runs a script of web/test on the pages."""
        if self.ask("/viewer.js")[0].status != 200:
            case.skipTest("this program was built without Node and has no pages")
        run_script(case, script, self.address, *arguments)
