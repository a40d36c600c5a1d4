#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A contrastive step (forward, loss, backward, AdamW), ours beside transformers and torch.optim.AdamW.

    tools/bench/training.py --program build/release/learner_steps --module build/release/libsnellen_networks.so
                            [--device cuda --dtype bf16] [--compiled] [name...]
Names: small (the model that ships; batch 16, on a GPU 1024), b32 (CLIP ViT-B/32 with random weights, batch 256; the default on a GPU).
Prints one JSON line per figure. Both sides take the same weights and batches, and their first losses are compared before
anything is timed; the median step counts.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np
import torch

from rows import report

MEAN, STD = [0.48145466, 0.4578275, 0.40821073], [0.26862954, 0.26130258, 0.27577711]


def config_of(name):
    from transformers import CLIPConfig
    if name == "b32":
        return CLIPConfig()
    text = dict(vocab_size=1200, hidden_size=128, intermediate_size=512, num_hidden_layers=3, num_attention_heads=4, max_position_embeddings=48,
                bos_token_id=1198, eos_token_id=1199, pad_token_id=1199)
    vision = dict(hidden_size=192, intermediate_size=384, num_hidden_layers=5, num_attention_heads=6, image_size=112, patch_size=8)
    return CLIPConfig(text_config=text, vision_config=vision, projection_dim=128)


def batch_of(config, size, rng):
    text, side = config.text_config, config.vision_config.image_size
    length = 77 if text.vocab_size > 10000 else 16
    texts = [[text.bos_token_id, *map(int, rng.integers(1, text.bos_token_id - 1, length - 2)), text.eos_token_id] for _ in range(size)]
    return dict(side=side, num_frames=1, num_visuals=size, texts=texts, matches=[[i, i] for i in range(size)], contrasts=[], pixels="pixels"), \
        rng.integers(0, 256, (size, side, side, 3), dtype=np.uint8)


class Peer:
    """open_clip's way: the towers in autocast, logits of the whole batch, AdamW over all parameters."""

    def __init__(self, model, options, batch, pixels):
        self.options, self.device = options, options.device
        self.model = model.to(self.device).train()
        self.ids = torch.tensor(batch["texts"]).to(self.device)
        self.bytes = pixels
        decays = [p for p in model.parameters() if p.dim() >= 2]
        others = [p for p in model.parameters() if p.dim() < 2]
        self.optimizer = torch.optim.AdamW([dict(params=decays, weight_decay=1e-4), dict(params=others, weight_decay=0)], lr=1e-5,
                                           fused=self.device != "cpu")
        self.forward = torch.compile(self.loss) if options.compiled_now else self.loss

    def loss(self, pixels, ids):
        with torch.autocast(self.device.split(":")[0], torch.bfloat16, enabled=self.options.dtype == "bf16"):
            out = self.model(pixel_values=pixels, input_ids=ids)
        image, text = out.image_embeds.float(), out.text_embeds.float()
        image, text = image / image.norm(dim=-1, keepdim=True), text / text.norm(dim=-1, keepdim=True)
        logits = self.model.logit_scale.exp() * image @ text.t()
        wanted = torch.arange(len(logits), device=logits.device)
        return (torch.nn.functional.cross_entropy(logits, wanted) + torch.nn.functional.cross_entropy(logits.t(), wanted)) / 2

    def step(self):
        begin = time.perf_counter()
        pixels = torch.from_numpy(self.bytes).to(self.device).permute(0, 3, 1, 2).float() / 255
        pixels = (pixels - torch.tensor(MEAN, device=self.device).view(1, 3, 1, 1)) / torch.tensor(STD, device=self.device).view(1, 3, 1, 1)
        self.optimizer.zero_grad(set_to_none=True)
        loss = self.forward(pixels, self.ids)
        loss.backward()
        self.optimizer.step()
        value = loss.item()
        if self.device != "cpu":
            torch.cuda.synchronize()
        return value, time.perf_counter() - begin


def measure(name, options):
    from transformers import CLIPModel
    config = config_of(name)
    size = options.batch or (256 if name == "b32" else 16 if options.device == "cpu" else 1024)
    rng = np.random.default_rng(7)
    batch, pixels = batch_of(config, size, rng)
    torch.manual_seed(7)
    model = CLIPModel._from_config(config, attn_implementation="sdpa")
    with tempfile.TemporaryDirectory(prefix="snellen-bench-") as folder:
        folder = pathlib.Path(folder)
        model.save_pretrained(folder / "model")
        (folder / "pixels").write_bytes(pixels.tobytes())
        request = dict(model=str(folder / "model"), batches=[batch], steps=options.steps, lr=1e-5, device=options.device, dtype=options.dtype,
                       threads=options.threads, mean=MEAN, std=STD)
        (folder / "request.json").write_text(json.dumps(request))
        done = subprocess.run([options.program, options.module, str(folder / "request.json")], capture_output=True, text=True)
        if done.returncode:
            print(done.stderr, file=sys.stderr)
            return False
        ours = json.loads(done.stdout)
    good = True
    for compiled in (False, True) if options.compiled else (False,):
        options.compiled_now = compiled
        torch.manual_seed(7)
        peer = Peer(CLIPModel._from_config(config, attn_implementation="sdpa"), options, batch, pixels)
        steps = [peer.step() for _ in range(options.steps)]
        tolerance = 1e-3 if options.dtype == "fp32" else 0.1
        if abs(steps[0][0] - ours["losses"][0]) > tolerance:
            print(f"{name}: first losses differ: ours {ours['losses'][0]}, peer {steps[0][0]}", file=sys.stderr)
            good = False
        skipped = min(3, options.steps // 2)
        mine = size / statistics.median(ours["seconds"][skipped:])
        other = size / statistics.median(seconds for _, seconds in steps[skipped:])
        title = f"contrastive step, {name}, batch {size}, {options.device} {options.dtype}" + (", peer compiled" if compiled else "")
        report(title, "samples/s", mine, other, options.threads)
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--module", required=True)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--dtype", default="fp32", choices=["fp32", "bf16"])
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--steps", type=int, default=12)
    parser.add_argument("--batch", type=int)
    parser.add_argument("--compiled", action="store_true", help="also time the peer under torch.compile")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    results = [measure(name, options) for name in options.names or (["small"] if options.device == "cpu" else ["small", "b32"])]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
