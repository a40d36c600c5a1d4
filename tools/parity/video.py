#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Decoded frames against PyAV on fresh clips made with the ffmpeg program.

    tools/parity/video.py --program build/release/video_parity [--seed N] [--keep DIR]

Timestamps (best effort) and planes must be equal for every clip, RGB for 8-bit clips of even size; rotation is not
applied by either side. Frames at a constant rate must be those of ffmpeg's fps filter, and compat windows those of
torchvision's read_video, whose rule is written down here once more.
"""
import argparse
import hashlib
import json
import math
import pathlib
import random
import subprocess
import sys
import tempfile
import time

import av

# Name, file ending, encoder arguments; every clip gets a random size, rate and source.
KINDS = [
    ("h264 with B-frames", "mp4", "-c:v libx264 -preset veryfast -bf 3 -g 20"),
    ("h264 with B-pyramid", "mkv", "-c:v libx264 -preset veryfast -bf 5 -b_strategy 0 -g 40 -refs 4"),
    ("h264 open GOP", "mp4", "-c:v libx264 -preset veryfast -bf 3 -g 12 -x264-params open-gop=1"),
    ("h264 no B-frames", "mov", "-c:v libx264 -preset ultrafast -bf 0"),
    ("h264 bt709 full range", "mp4", "-c:v libx264 -preset veryfast -colorspace bt709 -color_range pc"),
    ("h264 bt709", "mp4", "-c:v libx264 -preset veryfast -colorspace bt709 -color_primaries bt709 -color_trc bt709"),
    ("h264 smpte170m", "mp4", "-c:v libx264 -preset veryfast -colorspace smpte170m"),
    ("h264 bt2020", "mp4", "-c:v libx264 -preset veryfast -colorspace bt2020nc"),
    ("h264 444", "mp4", "-c:v libx264 -preset veryfast -pix_fmt yuv444p"),
    ("h264 422", "mp4", "-c:v libx264 -preset veryfast -pix_fmt yuv422p"),
    ("h264 10 bit", "mp4", "-c:v libx264 -preset veryfast -pix_fmt yuv420p10le"),
    ("h264 in avi", "avi", "-c:v libx264 -preset veryfast -bf 0"),
    ("h264 with B-frames in avi", "avi", "-c:v libx264 -preset veryfast -bf 2"),
    ("h264 in transport stream", "ts", "-c:v libx264 -preset veryfast -bf 2"),
    ("h264 interlaced", "mp4", "-c:v libx264 -preset veryfast -flags +ilme+ildct -x264-params tff=1"),
    ("h264 fragmented", "mp4", "-c:v libx264 -preset veryfast -movflags frag_keyframe+empty_moov -g 10"),
    ("h264 variable rate", "mp4", "-vf setpts='N*N/(90*TB)' -vsync vfr -c:v libx264 -preset veryfast -bf 2"),
    ("vp9 variable rate", "webm", "-vf setpts='(N+random(1)*0.8)/(20*TB)' -vsync vfr -c:v libvpx-vp9 -deadline realtime -cpu-used 8"),
    ("h264 rotated", "mp4", "-c:v libx264 -preset veryfast -metadata:s:v:0 rotate=90"),
    ("vp9", "webm", "-c:v libvpx-vp9 -deadline realtime -cpu-used 8"),
    ("vp9 two pass alt-ref", "mkv", "-c:v libvpx-vp9 -deadline good -cpu-used 5 -auto-alt-ref 1 -lag-in-frames 16"),
    ("vp8", "webm", "-c:v libvpx -deadline realtime -cpu-used 8"),
    ("mpeg4", "mp4", "-c:v mpeg4 -q:v 4"),
    ("mpeg4 with B-frames", "avi", "-c:v mpeg4 -bf 2 -q:v 4"),
    ("mpeg4 packed by xvid", "avi", "-c:v libxvid -q:v 4 -bf 2"),
    ("mpeg2", "mpg", "-c:v mpeg2video -bf 2 -q:v 4"),
    ("mjpeg", "avi", "-c:v mjpeg -q:v 4 -pix_fmt yuvj420p"),
    ("ffv1", "mkv", "-c:v ffv1"),
    ("hevc", "mp4", "-c:v libx265 -preset ultrafast -x265-params log-level=none"),
    ("theora", "ogv", "-c:v libtheora -q:v 6"),
    ("flash", "flv", "-c:v flv -q:v 4"),
    ("with audio", "mp4", "-f lavfi -i sine=440 -shortest -c:v libx264 -preset veryfast -c:a aac"),
    ("odd size 444", "mp4", "-vf scale=101:67 -c:v libx264 -preset veryfast -pix_fmt yuv444p"),
    ("odd size vp9", "webm", "-vf scale=99:75 -c:v libvpx-vp9 -deadline realtime -cpu-used 8"),
    ("odd size ffv1", "mkv", "-vf scale=131:77 -c:v ffv1"),
]


def make_clip(rng, folder, number, ending, encoder):
    width, height = rng.randrange(8, 160) * 2, rng.randrange(8, 120) * 2
    if "ilme" in encoder:
        height = height // 4 * 4
    if rng.random() < 0.3:
        width, height = rng.choice([(320, 240), (640, 360), (426, 240), (176, 144)])
    rate = rng.choice(["10", "15", "25", "30", "24000/1001", "30000/1001"]) if "mpeg2" not in encoder else "25"
    source = rng.choice([f"testsrc2=size={width}x{height}:rate={rate}", f"mandelbrot=size={width}x{height}:rate={rate}",
                         f"life=size={width}x{height}:rate={rate}:ratio=0.3:seed={rng.randrange(1 << 30)}:mold=10:death_color=#C83232:life_color=#00ff00"])
    path = folder / f"clip{number}.{ending}"
    arguments = encoder.split()
    more = []
    if "-f" in arguments and "lavfi" in arguments:  # a second input goes before the encoder
        split = arguments.index("-shortest")
        more, arguments = arguments[:split], arguments[split:]
    if "-pix_fmt" not in arguments:
        arguments += ["-pix_fmt", "yuv420p"]
    command = ["ffmpeg", "-v", "error", "-nostdin", "-y", "-f", "lavfi", "-i", source, *more, "-t", str(rng.choice([1, 1.5, 2])), *arguments, str(path)]
    subprocess.run(command, check=True)
    return path, " ".join(command)


def peer_frames(path):
    with av.open(str(path)) as container:
        is_avi = container.format.name == "avi"
        last = None
        for frame in container.decode(video=0):
            planes = b"".join(plane_bytes(frame))
            # AVI has no presentation times, and with B-frames the peer's FFmpeg makes up some that go back (1, 3, 4, 2). The
            # best effort of both is the decoding time that comes out with the frame; the last ones follow one by one.
            if is_avi:
                last = last + 1 if frame.dts is None else frame.dts
            yield {"pts": last if is_avi else frame.pts, "format": frame.format.name, "planes": hashlib.sha256(planes).hexdigest(),
                   "rgb": hashlib.sha256(frame.to_rgb().to_ndarray().tobytes()).hexdigest()}


def plane_bytes(frame):
    for index, plane in enumerate(frame.planes):
        component = frame.format.components[index] if frame.format.is_planar else None
        bits = frame.format.components[0].bits
        row = plane.width * (2 if bits > 8 else 1) if component is not None else plane.width * frame.format.padded_bits_per_pixel // 8
        data = memoryview(plane)
        for y in range(plane.height):
            yield bytes(data[y * plane.line_size:y * plane.line_size + row])


def compare(program, path):
    """What differs, and whether RGB had to be equal."""
    result = subprocess.run([program, "frames", str(path)], capture_output=True, text=True)
    if result.returncode != 0:
        return [f"ours failed: {result.stderr.strip()}"], True, 0
    head, *ours = [json.loads(line) for line in result.stdout.splitlines()]
    theirs = list(peer_frames(path))
    wrong = []
    if len(ours) != len(theirs) or not theirs:
        wrong.append(f"{len(ours)} frames, peer {len(theirs)}")
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        if [stream.time_base.numerator, stream.time_base.denominator] != head["time_base"]:
            wrong.append(f"time base {head['time_base']}, peer {stream.time_base}")
        if (head["width"], head["height"]) != (stream.width, stream.height):
            wrong.append("size")
    is_exact = head["width"] % 2 == 0 and head["height"] % 2 == 0 and "10" not in theirs[0]["format"]
    for key in ("pts", "format", "planes") + (("rgb",) if is_exact else ()):
        bad = [i for i, (a, b) in enumerate(zip(ours, theirs)) if a[key] != b[key]]
        if bad:
            wrong.append(f"{key} differs in {len(bad)} of {len(theirs)} frames, first {bad[0]}: {ours[bad[0]][key]} / {theirs[bad[0]][key]}")
    if not is_exact:
        same = sum(a["rgb"] == b["rgb"] for a, b in zip(ours, theirs))
        print(f"     (RGB equal in {same} of {len(theirs)} frames, not required)")
    return wrong, is_exact, len(theirs)


def fps_filter(path, fps):
    """SHA-256 of each frame that the ffmpeg program shows at a constant rate."""
    out = subprocess.run(["ffmpeg", "-v", "error", "-nostdin", "-noautorotate", "-i", str(path), "-map", "0:v:0", "-vf", f"fps={fps}", "-vsync", "passthrough",
                          "-f", "framehash", "-hash", "sha256", "-"], capture_output=True, text=True, check=True).stdout
    return [line.split(",")[-1].strip() for line in out.splitlines() if not line.startswith("#")]


def read_video(path, start, end):
    """torchvision 0.14's read_video in seconds, without its seek: (frames inside, both ends), and the one before."""
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        first = int(math.floor(start * (1 / stream.time_base)))
        last = int(math.ceil(end * (1 / stream.time_base)))
        frames = {frame.pts: frame for frame in container.decode(video=0)}
    chosen = [pts for pts in sorted(frames) if first <= pts <= last]
    if first > 0 and first not in frames and any(pts < first for pts in frames):
        chosen.insert(0, max(pts for pts in frames if pts < first))
    return [hashlib.sha256(frames[pts].to_rgb().to_ndarray().tobytes()).hexdigest() for pts in chosen]


def compare_shown(program, rng, path):
    """Constant rates and compat windows of an even-sized 8-bit clip with timestamps."""
    def ours(*arguments):
        return subprocess.run([program, *map(str, arguments)], capture_output=True, text=True).stdout.split()
    wrong = []
    for fps in (30, rng.choice([7, 24, 50])):
        if ours("rate", path, fps) != fps_filter(path, fps):
            wrong.append(f"fps={fps} shows other frames")
    for _ in range(4):
        start = round(rng.uniform(0, 0.9), rng.choice([1, 4]))
        end = round(start + rng.uniform(0.01, 0.7), 4)
        if ours("window", path, start, end, "compat") != read_video(path, start, end):
            wrong.append(f"window {start} to {end} has other frames")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--keep", type=pathlib.Path)
    options = parser.parse_args()
    seed = options.seed if options.seed is not None else time.time_ns() % 2**31
    print(f"seed {seed}, PyAV {av.__version__}", flush=True)
    rng = random.Random(seed)
    num_wrong = num_frames = num_exact = num_refused = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or pathlib.Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for number, (name, ending, encoder) in enumerate(KINDS):
            path, command = make_clip(rng, folder, number, ending, encoder)
            try:
                wrong, is_exact, count = compare(options.program, path)
            except av.error.FFmpegError as error:
                # Newer FFmpegs refuse a packet now and then that Debian's encoder wrote.
                print(f"     the peer cannot decode {name}: {error}")
                num_refused += 1
                continue
            if is_exact and ending in ("mp4", "mov", "mkv", "webm"):
                wrong += compare_shown(options.program, rng, path)
            num_frames += count
            num_exact += is_exact
            num_wrong += bool(wrong)
            for line in wrong:
                print(f"differs: {name}: {line}\n     {command}")
    print(f"{len(KINDS)} clips, {num_frames} frames, RGB compared in {num_exact} clips, {num_refused} refused by the peer, {num_wrong} clips differ")
    return 1 if num_wrong or num_refused > len(KINDS) // 10 else 0


if __name__ == "__main__":
    sys.exit(main())
