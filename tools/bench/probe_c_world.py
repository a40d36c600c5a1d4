# SPDX-License-Identifier: Apache-2.0
"""Pictures and groups of Probe-C for the benchmarks of whole runs."""
import numpy
from PIL import Image

WORDS, THINGS = "red blue green small large old new wet dry wooden".split(), "cat dog bus cup tree boat ball lamp".split()


def save_picture(folder, number, rng):
    """A JPEG file of 640 x 480."""
    small = rng.integers(0, 256, (60, 80, 3), dtype=numpy.uint8)
    Image.fromarray(small).resize((640, 480), Image.BICUBIC).save(folder / f"COCO_val2014_{number:012d}.jpg", quality=90)


def group_of(first, second, word, one, other, one_prompt, other_prompt):
    return {"img1_id": str(first), "img2_id": second, "img1_prompt": one_prompt, "img2_prompt": other_prompt, "img1_composition": word,
            "img2_composition": word, "img1_object": one, "img2_object": other}
