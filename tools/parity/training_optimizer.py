# SPDX-License-Identifier: Apache-2.0
"""The optimiser alone, on the same gradients, beside torch.optim.AdamW, clip_grad_norm_ and a moving average.

Part of tools/parity/training.py. Gradients are given, so that nothing but the optimiser is compared: with the usual eps of
1e-8 a gradient that is next to nothing still moves its weight by the whole rate, in both.
"""
import json
import subprocess

import numpy as np
import torch

STEPS = 20
SHAPES = [(7, 5), (33,), (4, 3, 2, 2), (1,), (), (64, 48)]


def cases():
    usual = dict(beta1=0.9, beta2=0.999, eps=1e-8, weight_decay=1e-4, clip_norm=0.0, ema=0.0)
    yield "as finetune has it", usual, 1e-5
    yield "as train has it, averaged", dict(usual, beta2=0.98, weight_decay=0.05, clip_norm=1.0, ema=0.99), 1e-3
    yield "other numbers", dict(usual, beta1=0.8, beta2=0.95, eps=1e-6, weight_decay=0.3, clip_norm=0.1, ema=0.5), 3e-2


def theirs(values, gradients, rates, options):
    weights = [torch.nn.Parameter(torch.from_numpy(value.copy())) for value in values]
    averages = [weight.detach().clone() for weight in weights]
    # Biases and norms, which are vectors, do not decay.
    groups = [dict(params=[w for w in weights if w.dim() >= 2], weight_decay=options["weight_decay"]),
              dict(params=[w for w in weights if w.dim() < 2], weight_decay=0)]
    optimizer = torch.optim.AdamW(groups, betas=(options["beta1"], options["beta2"]), eps=options["eps"], foreach=False, fused=False)
    norms = []
    for step, rate in enumerate(rates):
        for weight, gradient in zip(weights, gradients[step]):
            weight.grad = torch.from_numpy(gradient.copy())
        norms.append(torch.nn.utils.clip_grad_norm_(weights, options["clip_norm"] or float("inf")).item())
        for group in optimizer.param_groups:
            group["lr"] = rate
        optimizer.step()
        decay = min(options["ema"], (1 + step) / (10 + step))
        for average, weight in zip(averages, weights):
            average.lerp_(weight.detach(), 1 - decay)
    return [w.detach().numpy() for w in weights], [a.numpy() for a in averages], norms


def compare(program, seed, folder):
    rng = np.random.default_rng(seed)
    results = []
    for name, options, peak in cases():
        values = [np.asarray(rng.normal(0, 1, shape), np.float32) for shape in SHAPES]
        # Gradients of all sizes, some of them nothing at all.
        gradients = [[np.asarray(rng.normal(0, 1, shape) * 10.0 ** rng.uniform(-9, 0, shape) * (rng.random(shape) < 0.9), np.float32) for shape in SHAPES]
                     for _ in range(STEPS)]
        rates = [peak * (step + 1) / 5 if step < 5 else peak * 0.5 * (1 + np.cos(np.pi * (step - 5) / 15)) for step in range(STEPS)]
        (folder / "values").write_bytes(b"".join(v.tobytes() for v in values))
        (folder / "gradients").write_bytes(b"".join(g.tobytes() for step in gradients for g in step))
        (folder / "request.json").write_text(json.dumps(dict(options, shapes=[list(s) for s in SHAPES], rates=rates)))
        done = subprocess.run([program, folder / "request.json"], capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(done.stderr)
        weights, averages, norms = theirs(values, gradients, rates, options)

        def worst(file, want):
            got, at = np.frombuffer((folder / file).read_bytes(), np.float32), 0
            difference = 0.0
            for tensor in want:
                ours = got[at:at + tensor.size].reshape(tensor.shape)
                at += tensor.size
                difference = max(difference, float(np.max(np.abs(ours - tensor) / np.maximum(1, np.abs(tensor)))))
            assert at == got.size
            return difference
        moved = max(float(np.max(np.abs(w - v))) for w, v in zip(weights, values))
        figures = [worst("weights", weights)] + ([worst("averages", averages)] if options["ema"] else [])
        norm = max(abs(a - b) / b for a, b in zip(json.loads(done.stdout)["norms"], norms))
        good = max(figures) < 1e-5 and max(figures) < 0.01 * moved and norm < 1e-5
        print(f"{'ok ' if good else 'BAD'} AdamW {name}: weights{' and averages' if options['ema'] else ''} after {STEPS} steps "
              f"{', '.join(f'{x:.1e}' for x in figures)} (they moved by {moved:.1e}), lengths of gradients {norm:.1e}")
        results.append(good)
    return results
