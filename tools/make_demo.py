#!/usr/bin/env python3
"""Makes examples/demo: small annotation files in the published formats and the scores of a pretend model.

The scores are drawn so that the paper's story shows: objects are easy, predicates hard, binding hardest, and the
background helps a little. Everything here is synthetic and ours. Run: python3 tools/make_demo.py
"""
import json
import pathlib
import random

OUT = pathlib.Path(__file__).resolve().parent.parent / "examples" / "demo"
RNG = random.Random(7)
NOUNS = ["cat", "dog", "car", "cup", "chair", "bird", "boat", "horse"]
FOILS = ["oven", "zebra", "kite", "sink", "clock", "pizza", "train", "vase"]
RELATIONS = ["on", "under", "next to", "behind", "holding", "chasing"]
ATTRIBUTES = {"small": "large", "red": "green", "wooden": "metal", "striped": "plain", "wet": "dry", "open": "closed"}


def dump(name, value):
    (OUT / name).write_text(json.dumps(value, indent=1) + "\n")


def dump_lines(name, lines):
    (OUT / name).write_text("".join(json.dumps(line) + "\n" for line in lines))


def score(mean):
    return round(RNG.gauss(mean, 1.5), 3)


def probe_r(count=60):
    annotations, lines = {}, []
    for i in range(count):
        s, o = RNG.sample(NOUNS, 2)
        foil, r, r2 = RNG.choice(FOILS), *RNG.sample(RELATIONS, 2)
        image = str(1000 + i)
        annotations[image] = {
            "positive_image_ids": [2000 + 10 * i + k for k in range(10)],
            "negative_image_ids": [5000 + 10 * i + k for k in range(10)],
            "positive_prompt": f"A photo of a {s} {r} {o}.",
            "negative_prompt": f"A photo of a {foil} {r} {o}.",
            "negative_predicate_prompt": f"A photo of a {s} {r2} {o}.",
            "positive_object": s,
            "negative_object": foil,
        }
        row = lambda r1, r3, o1, o3, r2_: [score(m) for m in (r1, r3, o1, o3, r2_)]
        lines.append({
            "image_id": image,
            "anchor": row(26, 22, 24.5, 19, 25.2),
            "obj1": [row(23, 21, 25, 19, 22.8) for _ in range(10)],
            "obj3": [row(20, 22, 19, 25, 20) for _ in range(10)],
        })
    dump("relation_eval_subject.json", annotations)
    dump_lines("probe_r.jsonl", lines)


def probe_c(count=120):
    lines = []
    for split, stem in (("composition", "compositional"), ("object", "object")):
        groups = []
        for i in range(count):
            a = RNG.choice(list(ATTRIBUTES))
            n = RNG.choice(NOUNS)
            b, m = (ATTRIBUTES[a], n) if split == "composition" else (a, RNG.choice([x for x in NOUNS if x != n]))
            first, second = 100 + RNG.randrange(60), 400 + RNG.randrange(60)
            groups.append({
                "img1_prompt": f"A photo of a {a} {n}.", "img1_id": str(first), "img1_composition": a, "img1_object": n,
                "img2_id": second, "img2_prompt": f"A photo of a {b} {m}.", "img2_composition": b, "img2_object": m,
            })
            gap = 0.8 if split == "composition" else 3.0
            lines.append({"split": split, "index": i,
                          "scores": [[score(24 + gap), score(24)], [score(24), score(24 + gap)]]})
        dump(f"data_{stem}_switch.json", groups)
    dump_lines("probe_c.jsonl", lines)


def probe_b(count=60):
    coco = [line.split(",")[0] for line in (OUT / "prompt_classes.csv").read_text().splitlines()[1:]]
    background, cooccurrence, background_lines, cooccurrence_lines = [], [], [], []

    def logits(present, lift):
        return [score(24 + lift if c in present else 20) for c in coco]

    for i in range(count):
        image = 700 + i
        present = RNG.sample([c for c in coco if c != "apple"], RNG.randint(2, 4))
        background.append({"image_id": image, "image": f"COCO_val2014_{image:012d}.jpg",
                           "annotations": {c: [] for c in present}})
        background_lines.append({"image_id": image, "logits": {
            "gt": logits(present, 0.8), "patch": logits(present, 0.6), "mod": logits(present, 0.0)}})
        target, others = present[0], present[1:]
        cooccurrence.append({"image_id": image, "object": target, "other_objects": others,
                             "path": f"{target}_COCO_val2014_{image:012d}.jpg"})
        cooccurrence_lines.append({"image_id": image, "object": target, "logits": {
            "gt": logits(present, 0.5), "patch": logits(present, 0.4), "mod": logits([target], 1.2)}})
    dump("background_context_dataset.json", background)
    dump("object_context_dataset.json", cooccurrence)
    dump_lines("probe_b_background.jsonl", background_lines)
    dump_lines("probe_b_cooccurrence.jsonl", cooccurrence_lines)


def classes():
    names = NOUNS + FOILS + ["person", "bicycle", "bus", "bench", "sheep", "backpack", "frisbee", "apple"]
    rows = "".join(f"{name},A photo of a {name}.\n" for name in names)
    (OUT / "prompt_classes.csv").write_text("class,prompt\n" + rows)


if __name__ == "__main__":
    OUT.mkdir(parents=True, exist_ok=True)
    classes()
    probe_r()
    probe_c()
    probe_b()
