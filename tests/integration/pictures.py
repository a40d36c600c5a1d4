# SPDX-License-Identifier: Apache-2.0
"""Small pictures for tests."""
import random
import struct
import zlib


def write_png(path, width, height, colour=None):
    """A picture of one colour, or of noise, which does not compress."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rng = random.Random(1)
    rows = b"".join(b"\0" + (bytes(colour) * width if colour else rng.randbytes(3 * width)) for _ in range(height))
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
                     + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))
