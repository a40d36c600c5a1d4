# SPDX-License-Identifier: Apache-2.0
"""What train, finetune and patch write, opened by transformers: nothing missing or left over, and the same scores.

Part of tools/parity/training.py.
"""
import json
import os
import subprocess

import numpy as np
import torch
import transformers
from PIL import Image
from safetensors.torch import load_file

transformers.utils.logging.disable_progress_bar()
TOWER = dict(hidden_size=32, intermediate_size=48, num_hidden_layers=2, num_attention_heads=2)
CONFIGS = dict(clip=dict(model_type="clip", architectures=["CLIPModel"], projection_dim=16, text_config=dict(TOWER, max_position_embeddings=40),
                         vision_config=dict(TOWER, image_size=24, patch_size=8)),
               blip=dict(model_type="blip", architectures=["BlipForImageTextRetrieval"], image_text_hidden_size=16,
                         text_config=dict(TOWER, max_position_embeddings=60, encoder_hidden_size=32), vision_config=dict(TOWER, image_size=24, patch_size=8)),
               xclip=dict(model_type="xclip", architectures=["XCLIPModel"], projection_dim=16, prompt_layers=1, prompt_num_attention_heads=2,
                          text_config=dict(TOWER, max_position_embeddings=60),
                          vision_config=dict(TOWER, image_size=16, patch_size=8, num_frames=2, mit_hidden_size=16, mit_intermediate_size=32,
                                             mit_num_hidden_layers=1, mit_num_attention_heads=2)),
               gpt2=dict(model_type="gpt2", architectures=["GPT2LMHeadModel"], n_embd=32, n_layer=2, n_head=2, n_positions=80))
TEXTS = ["A photo of a red cat.", "A photo of a cat left of dog.", "A photo of a dog left of cat.", "a blue car and a green cup on a table"]


def call(program, *arguments):
    done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, env=dict(os.environ, SNELLEN_CACHE="off"))
    if done.returncode:
        raise RuntimeError(f"{arguments}: {done.stderr}")
    return done.stdout


def pictures(folder, rng):
    """Three of other shapes, smooth enough for a resize to be gentle."""
    names = []
    for i, size in enumerate([(30, 40), (64, 24), (48, 48)]):
        small = Image.fromarray(rng.integers(0, 256, (5, 5, 3), dtype=np.uint8))
        names.append(f"p{i}.png")
        small.resize(size, Image.BICUBIC).save(folder / names[-1])
    return names


def our_scores(program, model, folder, names):
    lines = ['{"name": "parity", "metric": "choice"}']
    lines += [json.dumps(dict(id=str(i), visuals=[name], texts=TEXTS, right=0)) for i, name in enumerate(names)]
    (folder / "items.jsonl").write_text("\n".join(lines) + "\n")
    scores = folder / f"scores-{model.name}.jsonl"
    call(program, "run", "--model", model, "--tasks", f"file:{folder / 'items.jsonl'}", "--output", folder / "runs", "--dump-scores", scores)
    rows = [json.loads(line) for line in scores.read_text().splitlines()]
    return torch.tensor([row["scores"] for row in sorted(rows, key=lambda row: int(row["id"]))], dtype=torch.float64)


def opened(cls, model):
    loaded, info = cls.from_pretrained(model, dtype=torch.float32, output_loading_info=True)
    wrong = {key: info[key] for key in ("missing_keys", "unexpected_keys", "mismatched_keys") if info.get(key)}
    return loaded.eval(), wrong


def their_scores(arch, network, model, folder, names):
    tokenizer = transformers.AutoTokenizer.from_pretrained(model)
    processor = getattr(transformers, {"clip": "CLIPImageProcessorPil", "blip": "BlipImageProcessorPil"}[arch]).from_pretrained(model)
    images = [Image.open(folder / name).convert("RGB") for name in names]
    pixels = torch.tensor(np.stack(processor(images)["pixel_values"]))
    text = tokenizer(TEXTS, padding=True, return_tensors="pt")
    with torch.no_grad():
        if arch == "clip":
            return network(input_ids=text.input_ids, attention_mask=text.attention_mask, pixel_values=pixels).logits_per_image.double()
        rows = [network(input_ids=text.input_ids, attention_mask=text.attention_mask, pixel_values=pixels[i:i + 1].expand(len(TEXTS), -1, -1, -1),
                        use_itm_head=True).itm_score[:, 1] for i in range(len(images))]
        return torch.stack(rows).double()


def compare(program, seed, folder):
    rng = np.random.default_rng(seed)
    names = pictures(folder, rng)
    flags = ("--scenes", 48, "--batch-size", 8, "--torch-threads", 1, "--probe-scenes", 8, "--evaluate-every", 0, "--seed", seed)
    models = {}
    for arch, config in CONFIGS.items():
        (folder / f"{arch}.json").write_text(json.dumps(config))
        models[f"train {arch}"] = arch, folder / arch
        call(program, "train", "--arch", arch, "--init", folder / f"{arch}.json", "--output", folder / arch, "--steps", 6, "--lr", 1e-3, *flags)
    call(program, "finetune", "--model", folder / "clip", "--output", folder / "tuned", "--steps", 6, "--lr", 1e-3, *flags)
    call(program, "patch", folder / "clip", folder / "tuned", "--alpha", 0.3, "--output", folder / "patched")
    models["finetune"] = "clip", folder / "tuned"
    models["patch"] = "clip", folder / "patched"
    results = []
    for title, (arch, model) in models.items():
        network, wrong = opened(getattr(transformers, CONFIGS[arch]["architectures"][0]), model)
        good, figure = not wrong, f"loads{f', but {wrong}' if wrong else ''}"
        if arch in ("clip", "blip"):
            ours, theirs = our_scores(program, model, folder, names), their_scores(arch, network, model, folder, names)
            worst = ((ours - theirs).abs().max() / theirs.abs().max()).item()
            good, figure = good and worst < 1e-4, f"{figure}, scores {worst:.1e}"
        if title == "patch":
            a, b, c = (load_file(folder / name / "model.safetensors") for name in ("clip", "tuned", "patched"))
            blend = max((c[key] - ((1 - 0.3) * a[key] + 0.3 * b[key])).abs().max().item() for key in a)
            good, figure = good and blend < 1e-6, f"{figure}, weights {blend:.1e}"
        print(f"{'ok ' if good else 'BAD'} {title} in transformers: {figure}")
        results.append(good)
    return results
