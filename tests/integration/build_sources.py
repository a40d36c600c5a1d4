"""Small sources for the builders: a Visual Genome, captions, COCO instances with pictures and scenes."""
import json
import pathlib
import random
import subprocess
import sys

from test_media import png

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CATEGORIES = [{"id": 1, "name": "person"}, {"id": 10, "name": "traffic light"}, {"id": 18, "name": "dog"}]


def visual_genome(folder, images=300):
    subprocess.run([sys.executable, ROOT / "tools" / "make_visual_genome.py", folder, "--images", str(images), "--names", "150", "--objects", "5",
                    "--relationships", "4", "--topics", "40"], check=True, capture_output=True)
    return folder


def captions(path, images=120, first_id=1000, seed=0):
    rng = random.Random(seed)
    rows = []
    for i in range(images):
        for _ in range(3):
            text = f"A {rng.choice(['red', 'green', 'small', 'large', 'old', 'young'])} {rng.choice(['dog', 'cat', 'bus', 'traffic light'])} by the {rng.choice(['road', 'sea'])}."
            rows.append({"image_id": first_id + i, "id": len(rows), "caption": text})
    path.write_text(json.dumps({"images": [{"id": first_id + i} for i in range(images)], "annotations": rows}))
    return path


def rectangle(number, image, category, x, y, w, h):
    return {"id": number, "image_id": image, "category_id": category, "iscrowd": 0, "area": w * h, "bbox": [x, y, w, h],
            "segmentation": [[x, y, x + w, y, x + w, y + h, x, y + h]]}


def coco(folder, images=6, width=64, height=48):
    """instances.json, images/ and scenes/; returns the instances as data."""
    (folder / "images").mkdir(parents=True)
    (folder / "scenes").mkdir()
    data = {"images": [], "annotations": [], "categories": CATEGORIES}
    for i in range(1, images + 1):
        name = f"COCO_val2014_{i:012}.jpg"
        data["images"].append({"id": i, "file_name": name, "width": width, "height": height})
        (folder / "images" / name).write_bytes(png(width, height, seed=i))
        data["annotations"].append(rectangle(2 * i, i, 18, 4, 4, 16, 16))
        data["annotations"].append(rectangle(2 * i + 1, i, 1 + 9 * (i % 2), 36, 20, 16, 16))
    for i in range(3):
        (folder / "scenes" / f"{i}.png").write_bytes(png(50, 40, seed=100 + i))
    write_instances(folder, data)
    return data


def write_instances(folder, data):
    (folder / "instances.json").write_text(json.dumps(data))
