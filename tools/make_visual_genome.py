#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A synthetic Visual Genome of the published one's size, written record by record:

    tools/make_visual_genome.py DIR [--images 108000] [--seed 0]

Writes DIR/relationships.json, objects.json and image_data.json in the v1.4 layout: by default 108,000 images, 3.8 million
objects and 2.3 million relationships, about 1.4 GB in a minute. Names follow a power law (the commonest is in about a
quarter of the images) and gather in topics, as things in photos do. Same arguments, same bytes.
"""
import argparse
import itertools
import json
import pathlib
import random

COMMON = ("man tree sky wall shirt window building person sign table grass car street woman chair dog water hat road plate "
          "snow bench cup bus horse pole leaf hand cloud light boat flower head leg door floor shoe cat train bag").split()
PREDICATES = ("on|has|in|of|wearing|near|with|behind|holding|under|above|beside|next to|in front of|on top of|attached to|"
              "sitting on|standing on|riding|carrying|looking at|covering|parked on|hanging from|walking on|eating|using|"
              "covered in|made of|part of").split("|")
SYLLABLES = [a + b for a in "bdfgklmnprstvz" for b in ("a", "e", "i", "o", "u", "an", "el", "or")]


def names(count, rng):
    """Distinct names, commonest first; three in ten are of two words."""
    found = list(COMMON)
    seen = set(found)
    while len(found) < count:
        word = "".join(rng.choice(SYLLABLES) for _ in range(rng.randint(2, 3)))
        if rng.random() < 0.3:
            word = f"{rng.choice(COMMON)} {word}"
        if word not in seen:
            seen.add(word)
            found.append(word)
    return found


def predicates(count, rng):
    found = list(PREDICATES)
    while len(found) < count:
        found.append(f"{rng.choice(SYLLABLES)}{rng.choice(SYLLABLES)}ing {rng.choice(('on', 'at', 'by', 'over'))} {len(found)}")
    return found


def power_law(count, exponent):
    return list(itertools.accumulate((k + 1) ** -exponent for k in range(count)))


class Writer:
    """A list in a file, an element at a time."""

    def __init__(self, path):
        self.file = open(path, "w", encoding="utf-8", buffering=1 << 20)
        self.separator = "["

    def add(self, text):
        self.file.write(self.separator)
        self.file.write(text)
        self.separator = ", "

    def close(self):
        self.file.write("]" if self.separator == ", " else "[]")
        self.file.close()


def thing(number, name, rng, one_name):
    x, y = int(rng.random() * 600), int(rng.random() * 400)
    key = f'"name": "{name}"' if one_name else f'"names": ["{name}"]'
    return (f'{{"synsets": ["{name.replace(" ", "_")}.n.01"], "h": {20 + y // 3}, "object_id": {number}, "merged_object_ids": [], '
            f'{key}, "w": {20 + x // 3}, "y": {y}, "x": {x}}}')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--images", type=int, default=108_000)
    parser.add_argument("--objects", type=float, default=35.2, help="of an image, on average")
    parser.add_argument("--relationships", type=float, default=21.3, help="of an image, on average")
    parser.add_argument("--names", type=int, default=40_000)
    parser.add_argument("--topics", type=int, default=80)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    rng = random.Random(args.seed)
    vocabulary = names(args.names, rng)
    weights = power_law(len(vocabulary), 0.65)
    # Each topic has words of its own; a sixth of a photo's things are its topic's.
    topics = [rng.sample(vocabulary[len(COMMON):], 60) for _ in range(args.topics)]
    words = predicates(3000, rng)
    word_weights = power_law(len(words), 1.0)
    objects, relationships, images = (Writer(args.folder / f"{name}.json") for name in ("objects", "relationships", "image_data"))
    number = relation = 0
    for image in range(1, args.images + 1):
        count = max(2, round(rng.gauss(args.objects, args.objects / 4)))
        of_topic = count // 6
        chosen = rng.choices(vocabulary, cum_weights=weights, k=count - of_topic) + rng.choices(topics[image % args.topics], k=of_topic)
        things = []
        for name in chosen:
            number += 1
            things.append(thing(number, name, rng, number % 2))
        objects.add(f'{{"image_id": {image}, "image_url": "https://example.org/{image}.jpg", "objects": [{", ".join(things)}]}}')
        pairs = []
        for word in rng.choices(words, cum_weights=word_weights, k=max(1, round(rng.gauss(args.relationships, args.relationships / 4)))):
            relation += 1
            pairs.append(f'{{"predicate": "{word if relation % 3 else word.upper()}", "object": {things[int(rng.random() * count)]}, '
                         f'"relationship_id": {relation}, "synsets": ["{word.split()[0]}.r.01"], "subject": {things[int(rng.random() * count)]}}}')
        relationships.add(f'{{"relationships": [{", ".join(pairs)}], "image_id": {image}}}')
        coco = image * 5 if image % 2 else None
        images.add(json.dumps({"width": 800, "url": f"https://example.org/{image}.jpg", "height": 600, "image_id": image, "coco_id": coco,
                               "flickr_id": None}))
    for writer in (objects, relationships, images):
        writer.close()
    print(f"{args.images} images, {number} objects, {relation} relationships in {args.folder}")


if __name__ == "__main__":
    main()
