#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Networks of published sizes with random weights, ours beside transformers in the same run and with as many threads.

    tools/bench/models.py --program build/release/networks_bench --module build/release/libsnellen_networks.so
                          [--device cuda --dtype bf16] [--captions DIR] [name...]
Prints one JSON line per figure. Each answer is compared with the peer's before it is timed. --captions is a folder of ViLMA
annotations: their captions are the texts; without it, texts of a like length are made up.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import model_peers as peers  # noqa: E402

from rows import report


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--module", required=True)
    parser.add_argument("--captions", type=pathlib.Path)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--dtype", default="fp32")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--compiled", action="store_true", help="also time the peer under torch.compile")
    parser.add_argument("names", nargs="*")
    return parser.parse_args()


def captions_of(folder, count):
    texts = []
    for file in sorted(folder.glob("*.json")) if folder else []:
        try:
            items = json.loads(file.read_text())
        except ValueError:
            continue
        if isinstance(items, dict):
            texts += [item["caption"] for item in items.values() if isinstance(item, dict) and "caption" in item]
    if not texts:
        texts = [f"a person {word} the small red box near the window and turns around {i}"
                 for i, word in enumerate(["lifts", "opens", "pushes slowly", "puts down", "throws"] * 200)]
    step = max(1, len(texts) // count)
    return texts[::step][:count]


TURNS = 3


class Bench:
    def __init__(self, options):
        self.options = options
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="snellen-bench-"))

    def ours(self, model, what, texts=None, **flags):
        command = [self.options.program, self.options.module, str(model), what, "--device", self.options.device,
                   "--dtype", self.options.dtype, "--threads", str(self.options.threads)]
        for name, value in flags.items():
            command += ["--" + name, str(value)]
        if texts is not None:
            file = self.folder / "texts.json"
            file.write_text(json.dumps(texts))
            command += ["--texts", str(file)]
        answer = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)
        return answer["per_second"], answer["answers"], command

    def beside(self, name, unit, ours, peer):
        """Takes turns, because these machines are noisy: ours() is what self.ours gives, peer() a rate. The ratio is the median of the turns'."""
        peer()  # the first call of anything is slow
        turns = [(ours(), peer()) for _ in range(TURNS)]
        middle = sorted(turns, key=lambda turn: turn[0][0] / turn[1])[TURNS // 2]
        report(name, unit, middle[0][0], middle[1], self.options.threads, middle[0][2])


def rate_of(call, count, seconds=2.0, device="cpu"):
    """Median of the calls that two seconds hold, at least one; things per second."""
    rates, begin = [], time.perf_counter()
    while not rates or (time.perf_counter() - begin < seconds and len(rates) < 9):
        start = time.perf_counter()
        peers.wait(call(), device)
        rates.append(count / (time.perf_counter() - start))
    return statistics.median(rates)


def agree(name, ours, theirs, tolerance):
    count = min(len(ours), len(theirs))
    scale = max(abs(value) for value in theirs[:count])
    worst = max(abs(a - b) for a, b in zip(ours[:count], theirs[:count])) / scale
    if not worst <= tolerance:
        print(f"{name}: answers differ by {worst:.3g} of the largest", file=sys.stderr)
        return False
    return True


def main():
    options = arguments()
    bench = Bench(options)
    status = 0
    for name, job in peers.JOBS.items():
        if options.names and name not in options.names:
            continue
        status |= not job(bench, options, captions_of(options.captions, 256), rate_of, agree)
    return status


if __name__ == "__main__":
    sys.exit(main())
