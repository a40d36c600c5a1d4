#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The builders: Probe-R and Probe-C on sources of the published size beside the time they may take, Probe-B's pictures
beside a script of Pillow, NumPy and pycocotools that makes the same ones. Prints one JSON object a line.

    tools/bench/building.py --program build/release/snellen --cache build/bench
"""
import argparse
import io
import json
import math
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np
from PIL import Image
from pycocotools import mask as coco_mask

from memory import Watch
from rows import report

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SECONDS_ALLOWED = 60
MASK64 = (1 << 64) - 1


def run_measured(command):
    """Seconds, and the most anonymous memory in bytes."""
    process = subprocess.Popen([str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    begin = time.perf_counter()
    watch = Watch(process.pid)
    out, err = process.communicate()
    peak = watch.end()
    if process.returncode != 0:
        sys.exit(f"{command}: {process.returncode}: {err}")
    return time.perf_counter() - begin, peak, out


def bench_probe_r(program, cache, out):
    folder = cache / "visual_genome"
    if not (folder / "image_data.json").exists():
        subprocess.run([sys.executable, ROOT / "tools" / "make_visual_genome.py", folder], check=True, stdout=subprocess.DEVNULL)
    seconds, memory, text = run_measured([program, "build", "probe-r", "--visual-genome", folder, "--out", out / "r", "--json"])
    counts = {count["what"]: count["ours"] for count in json.loads(text)["counts"]}
    print(f"Probe-R: {seconds:.1f} s, {memory / 2**20:.0f} MiB, {counts['groups']} groups", file=sys.stderr)
    if memory > 2**30 or counts["groups"] < 90_000:
        sys.exit("Probe-R: too much memory or too few groups")
    report("Probe-R, 108,000 images (peer: 60 s)", "images/s", 108_000 / seconds, 108_000 / SECONDS_ALLOWED, 2, ["snellen", "build", "probe-r"])


def captions(path, count=616_000):
    """Captions of COCO's number and length, with words that follow a power law."""
    rng = random.Random(1)
    table = json.loads((ROOT / "tests" / "golden" / "probe" / "attributes.json").read_text())["categories"]
    attributes = [name for category in table.values() for name in category]
    nouns = sorted({"".join(rng.choice(["ba", "ko", "mi", "ru", "te", "lan", "dor"]) for _ in range(3)) for _ in range(4000)})
    weights = [1 / (k + 1) for k in range(len(nouns))]
    attribute_weights = [1 / (k + 1) for k in range(len(attributes))]
    drawn_nouns = rng.choices(nouns, weights, k=3 * count)
    drawn_attributes = rng.choices(attributes, attribute_weights, k=count)
    with open(path, "w", encoding="utf-8") as file:
        file.write('{"images": [], "annotations": [')
        for i in range(count):
            text = f"A {drawn_attributes[i]} {drawn_nouns[3 * i]} standing next to the {drawn_nouns[3 * i + 1]}, with a {drawn_nouns[3 * i + 2]}."
            file.write(("" if i == 0 else ", ") + f'{{"image_id": {i // 5}, "id": {i}, "caption": "{text}"}}')
        file.write("]}")
    path.with_suffix(".nouns").write_text("\n".join(nouns))


def bench_probe_c(program, cache, out):
    path = cache / "captions.json"
    if not path.with_suffix(".nouns").exists():
        captions(path)
    seconds, memory, text = run_measured([program, "build", "probe-c", "--captions", path, "--nouns", path.with_suffix(".nouns"), "--out", out / "c", "--json"])
    groups = sum(count["ours"] for count in json.loads(text)["counts"] if count["what"] == "groups")
    print(f"Probe-C: {seconds:.1f} s, {memory / 2**20:.0f} MiB, {groups} groups", file=sys.stderr)
    report("Probe-C, 616,000 captions (peer: 60 s)", "captions/s", 616_000 / seconds, 616_000 / SECONDS_ALLOWED, 2, ["snellen", "build", "probe-c"])


def polygon(rng, width, height):
    cx, cy, size = rng.uniform(0, width), rng.uniform(0, height), rng.choice([20, 40, 70])
    xy = []
    for t in sorted(rng.uniform(0, 2 * math.pi) for _ in range(rng.randint(12, 40))):
        r = size * rng.uniform(0.7, 1)
        xy += [round(min(max(cx + r * math.cos(t), 0), width), 2), round(min(max(cy + r * math.sin(t), 0), height), 2)]
    return xy


def photo(rng, width, height):
    """Smooth colour with grain, about as large a JPEG as a photo."""
    small = np.array(rng.choices(range(256), k=12 * 9 * 3), dtype=np.uint8).reshape(9, 12, 3)
    smooth = np.asarray(Image.fromarray(small).resize((width, height), Image.BICUBIC)).astype(np.int16)
    grain = np.random.RandomState(rng.randrange(2**31)).normal(0, 6, (height, width, 1))
    return Image.fromarray(np.clip(smooth + grain, 0, 255).astype(np.uint8))


def coco(folder, count):
    """COCO-like pictures: 640 x 480, two to six things of five classes, and scenes."""
    rng = random.Random(2)
    width, height = 640, 480
    (folder / "images").mkdir(parents=True)
    (folder / "scenes").mkdir()
    names = ["person", "dog", "chair", "cup", "traffic light"]
    data = {"images": [], "annotations": [], "categories": [{"id": i + 1, "name": name} for i, name in enumerate(names)]}
    for i in range(1, count + 1):
        name = f"COCO_val2014_{i:012}.jpg"
        photo(rng, width, height).save(folder / "images" / name, quality=92)
        data["images"].append({"id": i, "file_name": name, "width": width, "height": height})
        for _ in range(rng.randint(2, 6)):
            xy = polygon(rng, width, height)
            x, y = min(xy[0::2]), min(xy[1::2])
            data["annotations"].append({"id": len(data["annotations"]) + 1, "image_id": i, "category_id": rng.randint(1, 5), "iscrowd": 0, "area": 1.0,
                                        "bbox": [x, y, max(max(xy[0::2]) - x, 1), max(max(xy[1::2]) - y, 1)], "segmentation": [xy]})
    for i in range(20):
        photo(rng, 800, 600).save(folder / "scenes" / f"{i:03}.jpg", quality=92)
    (folder / "instances.json").write_text(json.dumps(data))


def fnv(key):
    value = 14695981039346656037
    for byte in key.encode():
        value = (value ^ byte) * 1099511628211 & MASK64
    return value


def draws(key, count):
    """SplitMix64, all draws of a stream at once."""
    with np.errstate(over="ignore"):
        z = np.uint64(fnv(key)) + np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))


def noise(key, height, width):
    u = (draws(key, height * width * 3) >> np.uint64(11)).astype(np.float64) * 2.0**-53
    radius = np.sqrt(-2 * np.log(1 - u[0::2]))
    angle = 2 * np.pi * u[1::2]
    values = np.empty(height * width * 3)
    values[0::2] = radius * np.cos(angle)
    values[1::2] = radius * np.sin(angle)
    return np.clip(np.floor(127.5 + 64 * values + 0.5), 0, 255).astype(np.uint8).reshape(height, width, 3)


def peer_patch(objects, image_id):
    """The first scale with free places, a place of them drawn (spec 6.6)."""
    height, width = objects.shape
    sums = np.zeros((height + 1, width + 1), dtype=np.int64)
    sums[1:, 1:] = objects.cumsum(0).cumsum(1)
    for scale in (0.20, 0.15, 0.10):
        w, h = max(1, math.floor(scale * width)), max(1, math.floor(scale * height))
        free = np.flatnonzero(sums[h:, w:] - sums[:-h, w:] - sums[h:, :-w] + sums[:-h, :-w] == 0)
        if len(free):
            y, x = divmod(int(free[int(draws(f"0|probe-b-patch|{image_id}", 1)[0]) % len(free)]), width - w + 1)
            return x, y, w, h
    return None


def peer_scene(folder, scenes, image_id, width, height):
    scene = Image.open(folder / "scenes" / scenes[int(draws(f"0|probe-b-scene|{image_id}", 1)[0]) % len(scenes)]).convert("RGB")
    scale = max(width / scene.width, height / scene.height)
    scene = scene.resize((max(width, round(scene.width * scale)), max(height, round(scene.height * scale))), Image.BILINEAR)
    left, top = (scene.width - width) // 2, (scene.height - height) // 2
    return np.asarray(scene.crop((left, top, left + width, top + height)))


def peer_image(folder, out, image, annotations, names, scenes):
    """The pictures of one image as a researcher would write it."""
    width, height = image["width"], image["height"]
    picture = np.asarray(Image.open(folder / "images" / image["file_name"]).convert("RGB"))
    masks = {}
    for annotation in annotations:
        region = coco_mask.decode(coco_mask.merge(coco_mask.frPyObjects(annotation["segmentation"], height, width)))
        name = names[annotation["category_id"]]
        masks[name] = masks[name] | region if name in masks else region
    objects = np.any(list(masks.values()), axis=0)
    if 1 - objects.mean() < 0.05:
        return 0
    patch = peer_patch(objects, image["id"])
    if patch is None:
        return 0
    x, y, w, h = patch
    boxes = {name: [a["bbox"] for a in annotations if names[a["category_id"]] == name] for name in masks}

    def apart(name):
        return all(a[0] + a[2] <= b[0] or b[0] + b[2] <= a[0] or a[1] + a[3] <= b[1] or b[1] + b[3] <= a[1]
                   for other in boxes if other != name for a in boxes[name] for b in boxes[other])

    alone = [name for name in masks if len(masks) > 1 and 0.02 <= masks[name].mean() <= 0.5 and apart(name)]
    count = 0
    for filler in ("black", "gray", "noise", "scene"):
        if filler == "noise":
            canvas = noise(f"0|probe-b-noise|{image['id']}", height, width)
        elif filler == "scene":
            canvas = peer_scene(folder, scenes, image["id"], width, height)
        else:
            canvas = np.full((height, width, 3), 0 if filler == "black" else 208, dtype=np.uint8)
        patched = picture.copy()
        patched[y:y + h, x:x + w] = canvas[y:y + h, x:x + w]
        made = {f"val2014_background_removed_dataset/segmentation_mask/{filler}/{image['file_name']}": np.where(objects[:, :, None], picture, canvas),
                f"val2014_random_patch_dataset/{filler}/{image['file_name']}": patched}
        for name in alone:
            made[f"val2014_background_removed_and_cooccurrence_dataset/segmentation_mask/{filler}/{name}_{image['file_name']}"] = \
                np.where(masks[name][:, :, None], picture, canvas)
        for path, pixels in made.items():
            Image.fromarray(pixels).save(out / path, "JPEG", quality=95, subsampling=0)
            count += 1
    return count


def peer_build(folder, out, limit):
    data = json.loads((folder / "instances.json").read_text())
    names = {category["id"]: category["name"] for category in data["categories"]}
    scenes = sorted(path.name for path in (folder / "scenes").iterdir())
    by_image = {}
    for annotation in data["annotations"]:
        by_image.setdefault(annotation["image_id"], []).append(annotation)
    for filler in ("black", "gray", "noise", "scene"):
        for part in (f"val2014_background_removed_dataset/segmentation_mask/{filler}", f"val2014_random_patch_dataset/{filler}",
                     f"val2014_background_removed_and_cooccurrence_dataset/segmentation_mask/{filler}"):
            (out / part).mkdir(parents=True, exist_ok=True)
    seconds = []
    for image in data["images"][:limit]:
        begin = time.perf_counter()
        peer_image(folder, out, image, by_image.get(image["id"], []), names, scenes)
        seconds.append(time.perf_counter() - begin)
    return seconds


def compare(ours, peers):
    """Pixels of every picture the peer made; scenes may differ in rounding by one level."""
    for path in sorted(peers.rglob("*.jpg")):
        mine, theirs = ours / path.relative_to(peers), path.read_bytes()
        if not mine.exists():
            sys.exit(f"{mine} is missing")
        if mine.read_bytes() == theirs:
            continue
        a, b = (np.asarray(Image.open(io.BytesIO(data)).convert("RGB")).astype(int) for data in (mine.read_bytes(), theirs))
        if a.shape != b.shape or np.abs(a - b).mean() > 0.5:
            sys.exit(f"{mine} differs")


def bench_probe_b(program, cache, out, count):
    folder = cache / f"coco-{count}"
    if not (folder / "instances.json").exists():
        coco(folder, count)
    command = [program, "build", "probe-b", "--instances", folder / "instances.json", "--images", folder / "images", "--scenes", folder / "scenes"]
    ours, theirs = [], []
    for run in range(3):
        seconds, memory, _ = run_measured([*command, "--out", out / f"b{run}"])
        ours.append(seconds)
        # A tenth of the pictures each time: the peer is slow and its time an image is flat.
        theirs.append(statistics.mean(peer_build(folder, out / f"peer{run}", max(1, count // 10))) * count)
        if run == 0:
            compare(out / "b0", out / "peer0")
    print(f"Probe-B: {statistics.median(ours):.1f} s, {memory / 2**20:.0f} MiB, peer {statistics.median(theirs):.1f} s", file=sys.stderr)
    report(f"Probe-B, {count} pictures, 4 fillers", "images/s", count / statistics.median(ours), count / statistics.median(theirs), 2, ["snellen", "build", "probe-b"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=pathlib.Path, default="build/release/snellen")
    parser.add_argument("--cache", type=pathlib.Path, default="build/bench", help="where the sources are kept between runs (2 GB)")
    parser.add_argument("--only", choices=["r", "c", "b"])
    parser.add_argument("--pictures", type=int, default=1000)
    args = parser.parse_args()
    args.cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=args.cache) as out:
        out = pathlib.Path(out)
        if args.only in (None, "r"):
            bench_probe_r(args.program, args.cache, out)
        if args.only in (None, "c"):
            bench_probe_c(args.program, args.cache, out)
        if args.only in (None, "b"):
            bench_probe_b(args.program, args.cache, out, args.pictures)


if __name__ == "__main__":
    main()
