# SPDX-License-Identifier: Apache-2.0
"""Frames [n, height, width, 3] of bytes in the sizes that models take. Bilinear, plain NumPy: where figures must equal an author's, use
the author's own preprocessing instead."""
import numpy


def resized(clip, height, width):
    def places(length, wanted):
        at = numpy.clip((numpy.arange(wanted) + 0.5) * length / wanted - 0.5, 0, length - 1)
        low = at.astype(int)
        return low, numpy.minimum(low + 1, length - 1), at - low
    top, bottom, down = places(clip.shape[1], height)
    left, right, across = places(clip.shape[2], width)
    down, across = down[:, None, None], across[:, None]
    rows = clip[:, top] * (1 - down) + clip[:, bottom] * down
    return (rows[:, :, left] * (1 - across) + rows[:, :, right] * across).round().astype(numpy.uint8)


def short_side(clip, side):
    """The shorter side becomes `side`, and the centre of that size is kept."""
    height, width = clip.shape[1:3]
    scale = side / min(height, width)
    clip = resized(clip, max(side, round(height * scale)), max(side, round(width * scale)))
    top, left = (clip.shape[1] - side) // 2, (clip.shape[2] - side) // 2
    return clip[:, top:top + side, left:left + side]


def square(clip, side):
    """In the middle of a black square."""
    most = max(clip.shape[1:3])
    canvas = numpy.zeros((len(clip), most, most, 3), numpy.uint8)
    top, left = (most - clip.shape[1]) // 2, (most - clip.shape[2]) // 2
    canvas[:, top:top + clip.shape[1], left:left + clip.shape[2]] = clip
    return resized(canvas, side, side)
