#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Gradients, optimiser steps and written folders beside transformers and torch.optim.AdamW.

    tools/parity/training.py --program build/release/learner_steps --module build/release/libsnellen_networks.so [--seed N]
Tiny models with random weights and random batches: one step's gradients agree to 1e-4 of their largest, the weights after
20 steps to 1e-5 of theirs, plain, clipped, accumulated and averaged. The optimiser alone (training_optimizer.py) and what
train, finetune and patch write (training_folders.py) follow; their programs lie beside the first. bf16 is left out. Last line
`N passed, M failed`.
"""
import argparse
import json
import pathlib
import secrets
import subprocess
import sys
import tempfile

import numpy as np
import torch
import torch.nn.functional as F
from safetensors.torch import load_file

import training_folders
import training_optimizer

MEAN, STD = [0.48, 0.45, 0.41], [0.27, 0.26, 0.28]


def cosines(a, b):
    return F.normalize(a, dim=-1) @ F.normalize(b, dim=-1).t()


def contrastive(logits, same):
    hidden = same & ~torch.eye(len(same), dtype=torch.bool)
    rows = F.cross_entropy(logits.masked_fill(hidden, -torch.inf), torch.arange(len(logits)))
    columns = F.cross_entropy(logits.t().masked_fill(hidden, -torch.inf), torch.arange(len(logits)))
    return (rows + columns) / 2


def pair_loss(scores, scale, batch):
    visuals, texts = (torch.tensor(x) for x in zip(*batch["matches"]))
    said = [tuple(batch["texts"][t]) for t in texts]
    same = torch.tensor([[a == b for b in said] for a in said])
    loss = contrastive(scale * scores[visuals][:, texts], same)
    for rv, rt, wv, wt, weight in batch["contrasts"]:
        loss = loss + weight * F.relu(0.2 - scores[rv, rt] + scores[wv, wt])
    return loss


def padded(texts, pad=0):
    length = max(map(len, texts))
    ids = torch.tensor([t + [pad] * (length - len(t)) for t in texts])
    return ids, torch.tensor([[1] * len(t) + [0] * (length - len(t)) for t in texts])


class Case:
    """One architecture: a tiny config, batches, and the peer's loss."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)

    def texts(self, count, vocabulary, start, end):
        return [[start] + [int(x) for x in self.rng.integers(5, vocabulary - 3, self.rng.integers(2, 9))] + [end] for _ in range(count)]

    def batch(self, visuals, side, frames=1, vocabulary=60, extra_texts=2, contrasts=True):
        texts = self.texts(visuals + extra_texts, vocabulary, vocabulary - 2, vocabulary - 1)
        return dict(side=side, num_frames=frames, num_visuals=visuals, texts=texts, matches=[[i, i] for i in range(visuals)],
                    contrasts=[[0, 0, 0, visuals, 0.5], [1, 1, 0, 1, 0.5]] if contrasts else [],
                    bytes=self.rng.integers(0, 256, (visuals * frames, side, side, 3), dtype=np.uint8))

    def pixels(self, batch):
        x = torch.from_numpy(batch["bytes"]).permute(0, 3, 1, 2).float() / 255
        return (x - torch.tensor(MEAN).view(1, 3, 1, 1)) / torch.tensor(STD).view(1, 3, 1, 1)


class Clip(Case):
    def model(self):
        from transformers import CLIPConfig, CLIPModel
        text = dict(vocab_size=60, hidden_size=32, intermediate_size=48, num_hidden_layers=2, num_attention_heads=2, max_position_embeddings=16,
                    bos_token_id=58, eos_token_id=59, pad_token_id=59)
        vision = dict(hidden_size=48, intermediate_size=64, num_hidden_layers=2, num_attention_heads=3, image_size=20, patch_size=5)
        return CLIPModel(CLIPConfig(text_config=text, vision_config=vision, projection_dim=24))

    def batches(self):
        made = [self.batch(6, 20) for _ in range(3)]
        made[0]["texts"][3] = made[0]["texts"][1]  # the same text twice: masked
        return made

    def loss(self, model, batch):
        ids, mask = padded(batch["texts"], 59)
        images = model.get_image_features(pixel_values=self.pixels(batch)).pooler_output
        texts = model.get_text_features(input_ids=ids, attention_mask=mask).pooler_output
        return pair_loss(cosines(images, texts), model.logit_scale.exp(), batch)


class Blip(Case):
    def model(self):
        from transformers import BlipConfig, BlipForImageTextRetrieval
        text = dict(vocab_size=60, hidden_size=32, encoder_hidden_size=48, intermediate_size=48, num_hidden_layers=2, num_attention_heads=2,
                    max_position_embeddings=16, hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0, pad_token_id=0, bos_token_id=58,
                    eos_token_id=59, sep_token_id=59)
        vision = dict(hidden_size=48, intermediate_size=64, num_hidden_layers=2, num_attention_heads=3, image_size=20, patch_size=5,
                      initializer_range=0.02)
        return BlipForImageTextRetrieval(BlipConfig(text_config=text, vision_config=vision, image_text_hidden_size=24))

    def batches(self):
        # Two matches: what is drawn as a negative is certain.
        return [self.batch(2, 20, extra_texts=0, contrasts=False) for _ in range(3)]

    def loss(self, model, batch):
        ids, mask = padded(batch["texts"])
        tokens = model.vision_model(pixel_values=self.pixels(batch))[0]
        text = model.text_encoder(input_ids=ids, attention_mask=mask)[0]
        scores = cosines(model.vision_proj(tokens[:, 0]), model.text_proj(text[:, 0]))
        loss = pair_loss(scores, 1 / 0.07, batch)
        pairs = [(0, 0, 1), (1, 1, 1), (0, 1, 0), (1, 0, 0), (1, 0, 0), (0, 1, 0)]
        v, t, labels = (list(x) for x in zip(*pairs))
        fused = model.text_encoder(input_ids=ids[t], attention_mask=mask[t], encoder_hidden_states=tokens[v],
                                   encoder_attention_mask=torch.ones(len(v), tokens.size(1), dtype=torch.long))[0]
        return loss + F.cross_entropy(model.itm_head(fused[:, 0]), torch.tensor(labels))


class XClip(Case):
    def model(self):
        from transformers import XCLIPConfig, XCLIPModel
        text = dict(vocab_size=60, hidden_size=32, intermediate_size=48, num_hidden_layers=2, num_attention_heads=2, max_position_embeddings=16,
                    bos_token_id=58, eos_token_id=59, pad_token_id=59)
        vision = dict(hidden_size=48, intermediate_size=64, num_hidden_layers=2, num_attention_heads=3, image_size=20, patch_size=5, num_frames=3,
                      mit_hidden_size=24, mit_intermediate_size=32, mit_num_hidden_layers=1, mit_num_attention_heads=2)
        return XCLIPModel(XCLIPConfig(text_config=text, vision_config=vision, projection_dim=24, prompt_layers=1, prompt_num_attention_heads=2))

    def batches(self):
        return [self.batch(4, 20, frames=3, extra_texts=0, contrasts=False) for _ in range(3)]

    def loss(self, model, batch):
        ids, mask = padded(batch["texts"], 59)
        pixels = self.pixels(batch)
        clips = pixels.view(-1, 3, *pixels.shape[1:])
        out = model(input_ids=ids, attention_mask=mask, pixel_values=clips)
        scale = model.logit_scale.exp()
        return pair_loss(out.logits_per_video / scale, scale, batch)


class Gpt2(Case):
    def model(self):
        from transformers import GPT2Config, GPT2LMHeadModel
        return GPT2LMHeadModel(GPT2Config(vocab_size=60, n_embd=32, n_layer=2, n_head=2, n_positions=16, resid_pdrop=0, embd_pdrop=0, attn_pdrop=0,
                                          bos_token_id=58, eos_token_id=59))

    def batches(self):
        made = []
        for _ in range(3):
            texts = self.texts(6, 60, 58, 59)
            made.append(dict(side=0, num_frames=1, num_visuals=0, texts=texts, matches=[], contrasts=[], bytes=None))
        return made

    def loss(self, model, batch):
        ids, mask = padded(batch["texts"])
        logits = model(input_ids=ids, attention_mask=mask).logits
        wanted = ids.masked_fill(mask == 0, -100)
        return F.cross_entropy(logits[:, :-1].reshape(-1, 60), wanted[:, 1:].reshape(-1))


CASES = {"clip": Clip, "blip": Blip, "xclip": XClip, "gpt2": Gpt2}


def ours(options, folder, batches, **request):
    folder.mkdir(parents=True, exist_ok=True)
    given = []
    for i, batch in enumerate(batches):
        batch = dict(batch)
        pixels = batch.pop("bytes")
        if pixels is not None:
            (folder / f"pixels{i}").write_bytes(pixels.tobytes())
        given.append(dict(batch, pixels=f"pixels{i}"))
    (folder / "request.json").write_text(json.dumps(dict(request, batches=given, mean=MEAN, std=STD)))
    done = subprocess.run([options.program, options.module, str(folder / "request.json")], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr)
    return json.loads(done.stdout)


def groups(model, decay):
    parameters = list(model.parameters())
    return [dict(params=[p for p in parameters if p.dim() >= 2], weight_decay=decay), dict(params=[p for p in parameters if p.dim() < 2], weight_decay=0)]


def compare(name, options, seed, folder, title, clip_norm=0.0, accumulate=1, **request):
    torch.manual_seed(seed)
    case = CASES[name](seed)
    model = case.model().eval()
    with torch.no_grad():
        for parameter in model.parameters():  # norms and biases that do something
            parameter.add_(0.05 * torch.randn_like(parameter))
    model.save_pretrained(folder / "model")
    batches = case.batches()
    batches = batches[:len(batches) // accumulate * accumulate]
    # With the usual 1e-8 a gradient that is zero but for rounding (the bias of keys) moves its weight by the whole rate, in
    # either direction; training_optimizer.py compares that with equal gradients.
    # X-CLIP's steps are short: at 1e-3 its loss on four clips is so steep that a difference of 1e-7 doubles at every step.
    lr, decay, eps = 1e-4 if name == "xclip" else 1e-3, 0.01, 1e-3
    report = ours(options, folder / "ours", batches, model=str(folder / "model"), steps=20, lr=lr, weight_decay=decay, eps=eps, out=str(folder / "ours"),
                  clip_norm=clip_norm, accumulate=accumulate, **request)
    parameters = dict(model.named_parameters())
    before = {key: p.detach().clone() for key, p in parameters.items()}
    averages = {key: p.clone() for key, p in before.items()}
    optimizer = torch.optim.AdamW(groups(model, decay), lr=lr, eps=eps)
    worst_gradient, losses = 0, []
    state = load_file(folder / "ours" / "first.safetensors")
    for i in range(20):
        optimizer.zero_grad()
        loss = sum(case.loss(model, batches[(i * accumulate + k) % len(batches)]) for k in range(accumulate)) / accumulate
        loss.backward()
        losses.append(loss.item())
        if clip_norm:
            torch.nn.utils.clip_grad_norm_(model.parameters(), clip_norm)
        if i == 0:
            largest = max(p.grad.abs().max().item() for p in model.parameters() if p.grad is not None)
            for key, parameter in parameters.items():
                gradient = state[f"mean.{key}"].view_as(parameter) / 0.1
                want = parameter.grad if parameter.grad is not None else torch.zeros_like(parameter)
                worst_gradient = max(worst_gradient, (gradient - want).abs().max().item() / largest)
        optimizer.step()
        with torch.no_grad():
            if "logit_scale" in parameters:
                parameters["logit_scale"].clamp_max_(4.605170185988092)
            for key, parameter in parameters.items():
                averages[key].lerp_(parameter, 1 - min(request.get("ema", 0), (1 + i) / (10 + i)))

    def worst(file, want):
        got = load_file(folder / "ours" / file)
        return max((got[key] - value).abs().max().item() / max(1, value.abs().max().item()) for key, value in want.items())
    weights = [worst("model.safetensors", parameters)] + ([worst("average.safetensors", averages)] if "ema" in request else [])
    moved = max((parameters[key] - value).abs().max().item() for key, value in before.items())
    worst_loss = max(abs(a - b) for a, b in zip(report["losses"], losses))
    good = worst_gradient < 1e-4 and max(weights) < 1e-5 and max(weights) < 0.01 * moved and worst_loss < 1e-4
    print(f"{'ok ' if good else 'BAD'} {name}{title}: gradients {worst_gradient:.1e}, weights after 20 steps {', '.join(f'{x:.1e}' for x in weights)} "
          f"(they moved by {moved:.1e}), losses {worst_loss:.1e}")
    return good


def variants(name):
    yield "", {}
    yield " clipped", dict(clip_norm=0.05)
    if name == "clip":
        yield " in chunks", dict(chunk=4)
        yield " accumulated and averaged", dict(accumulate=3, ema=0.9)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("--module", required=True)
    parser.add_argument("--seed", type=int, default=secrets.randbelow(2**31))
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    print(f"seed {options.seed}")
    passed = failed = 0
    for name in options.names or [*CASES, "optimizer", "folders"]:
        with tempfile.TemporaryDirectory(prefix="snellen-training-") as folder:
            folder, beside = pathlib.Path(folder), pathlib.Path(options.program).resolve().parent
            if name == "optimizer":
                results = training_optimizer.compare(beside / "adamw_parity", options.seed, folder)
            elif name == "folders":
                results = training_folders.compare(beside / "snellen", options.seed, folder)
            else:
                results = [compare(name, options, options.seed, folder / str(i), title, **request)
                           for i, (title, request) in enumerate(variants(name))]
        passed += sum(results)
        failed += len(results) - sum(results)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
