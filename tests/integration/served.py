# SPDX-License-Identifier: Apache-2.0
"""Servers for the tests of served models: the program's own mock, and one that does what a test says."""
import base64
import contextlib
import http.server
import json
import math
import os
import sqlite3
import ssl
import struct
import subprocess
import threading
import urllib.request
import zlib

from cli import SNELLEN, Case, call
from pictures import write_png


@contextlib.contextmanager
def mock_server(*arguments):
    """The base URL of a mock server that ends with the test."""
    process = subprocess.Popen([SNELLEN, "mock-server", *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        yield process.stdout.readline().strip()
    finally:
        process.terminate()
        process.wait(20)
        process.stdout.close()


def stats(url):
    with urllib.request.urlopen(url.replace("/v1", "/stats"), timeout=10) as reply:
        return json.load(reply)


def completion(text, chances=None, **more):
    """An answer; `chances` are the likeliest first tokens with their probabilities."""
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    if chances:
        top = [{"token": token, "logprob": math.log(chance)} for token, chance in chances.items()]
        choice["logprobs"] = {"content": [{**top[0], "top_logprobs": top}]}
    return {"choices": [choice], "usage": {"prompt_tokens": 10, "completion_tokens": 1}, **more}


class Scripted:
    """A server whose answers are what `reply` makes of a request's JSON (and headers, if wanted): a JSON value, or (status, headers, bytes)."""

    def __init__(self, reply, certificate=None, with_headers=False):
        self.requests = []  # (headers, JSON) of each
        seen, lock = self.requests, threading.Lock()

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                with lock:
                    seen.append((dict(self.headers), body))
                found = reply(self.headers, body) if with_headers else reply(body)
                status, headers, data = found if isinstance(found, tuple) else (200, {}, json.dumps(found).encode())
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_):
                pass

        class Server(http.server.ThreadingHTTPServer):
            request_queue_size = 128
            daemon_threads = True

        self.server = Server(("127.0.0.1", 0), Handler)
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*certificate)
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        scheme = "https" if certificate else "http"
        self.url = f"{scheme}://127.0.0.1:{self.server.server_address[1]}/v1"

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


def pictures_of(body):
    """The data URLs of a request's pictures, in their order."""
    content = body["messages"][-1]["content"]
    return [] if isinstance(content, str) else [part["image_url"]["url"] for part in content if part["type"] == "image_url"]


def first_pixel_of(url):
    """The colour of the first pixel of a PNG in a data URL: no filter changes that one."""
    data = base64.b64decode(url.partition(",")[2])
    at, packed = 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        if kind == b"IDAT":
            packed += data[at + 8:at + 8 + length]
        at += 12 + length
    return tuple(zlib.decompress(packed)[1:4])


def size_of(url):
    """Width and height of a PNG or JPEG in a data URL."""
    data = base64.b64decode(url.partition(",")[2])
    if data.startswith(b"\x89PNG"):
        return struct.unpack(">II", data[16:24])
    at = 2
    while data[at + 1] not in (0xC0, 0xC1, 0xC2):  # the frame header, behind other segments
        at += 2 + struct.unpack(">H", data[at + 2:at + 4])[0]
    height, width = struct.unpack(">HH", data[at + 5:at + 9])
    return width, height


def text_of(body):
    """The text of a request."""
    content = body["messages"][-1]["content"]
    return content if isinstance(content, str) else "".join(part["text"] for part in content if part["type"] == "text")


def caption_of(body):
    return text_of(body).split('"')[1]


class Served(Case):
    def setUp(self):
        super().setUp()
        os.environ.pop("OPENAI_API_KEY", None)

    def items(self, count, metric="pairwise", name="items.jsonl"):
        """Items with a picture of their own and two texts."""
        lines = [{"name": "mine", "metric": metric}]
        (self.folder / "pictures").mkdir(exist_ok=True)
        for i in range(count):
            write_png(self.folder / "pictures" / f"{i}.png", 6, 4, (i % 256, i // 256, 90))
            lines.append({"id": f"i{i}", "visuals": [f"{i}.png"], "texts": [f"cat {i}", f"dog {i}"], "right": 0})
        return self.write(name, "".join(json.dumps(line) + "\n" for line in lines))

    def command(self, items, url, *more, output="out", cache="cache"):
        cached = ["--cache", self.folder / cache] if cache else ["--no-cache"]
        return ["run", "--model", "openai:m", "--base-url", url, "--tasks", f"file:{items}", "--images", self.folder / "pictures",
                "--output", self.folder / output, *cached, *more]

    def run_served(self, items, url, *more, **options):
        environment = options.pop("env", None)
        return call(*self.command(items, url, *more, **options), env={**os.environ, **environment} if environment else None)

    def metrics(self, output="out", run="m-mine"):
        return {one["id"]: one for one in json.loads((self.folder / output / run / "results.json").read_text())["metrics"]}

    def rows(self, sql, output="out", run="m-mine"):
        with sqlite3.connect(self.folder / output / run / "samples.db") as database:
            return database.execute(sql).fetchall()
