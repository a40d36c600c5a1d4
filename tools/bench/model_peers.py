# SPDX-License-Identifier: Apache-2.0
"""What tools/bench/models.py compares with: transformers on the same weights, as people use it."""
import shutil
import subprocess
import sys
import time

import torch
import transformers as hf

from rows import report

TYPES = {"fp32": torch.float32, "bf16": torch.bfloat16, "fp16": torch.float16}
# How far the largest answer may be off, by the type computed in: bf16 keeps 8 bits.
TOLERANCE = {"fp32": 1e-3, "bf16": 0.06, "fp16": 0.02}


def wait(result, device):
    if device != "cpu":
        torch.cuda.synchronize()
    return result


def pixels(count, height, width, options):
    index = torch.arange(count * 3 * height * width, dtype=torch.int64)
    values = (index * 7919 % 2048).float() / 1024 - 1
    return values.view(count, 3, height, width).to(options.device, TYPES[options.dtype])


def made(bench, name, model):
    """Random weights saved as a published folder; the peer computes with the same ones."""
    folder = bench.folder / name
    model.eval().save_pretrained(folder)
    return folder


def placed(model, options):
    torch.set_num_threads(options.threads)
    return model.eval().to(options.device, TYPES[options.dtype])


def token_lists(count_of, texts, vocabulary, first=None, last=None, longest=77):
    """Ids of a like number as a BPE would make: 1.2 a word. The numbers themselves do not matter to the time."""
    lists = []
    for at, text in enumerate(texts):
        count = min(max(3, int(count_of(text))), longest - (first is not None) - (last is not None))
        ids = [(at * 131 + i * 7919) % (vocabulary - 10) + 5 for i in range(count)]
        lists.append(([first] if first is not None else []) + ids + ([last] if last is not None else []))
    return lists


def words(text):
    return 1.2 * len(text.split())


def padded(lists, length, pad):
    length = length or max(map(len, lists))
    ids = torch.tensor([ids + [pad] * (length - len(ids)) for ids in lists])
    mask = torch.tensor([[1] * len(ids) + [0] * (length - len(ids)) for ids in lists])
    return ids, mask


def image_tower(name, make, tower, batch):
    def job(bench, options, _texts, rate_of, agree):
        torch.manual_seed(0)
        model = make()
        folder = made(bench, "image-" + name.replace("/", ""), model)
        model = placed(model, options)
        on_gpu = options.device != "cpu"
        count = batch[1] if on_gpu else batch[0]
        size = model.config.vision_config.image_size
        x = pixels(count, size, size, options)
        flags = {"size": f"{size}x{size}", "batches": 16 if on_gpu else 2, "repeats": 3}
        with torch.inference_mode():
            theirs = tower(model, x).float().flatten().tolist()
            _, answers, _ = bench.ours(folder, "image", batch=count, **{**flags, "repeats": 0})
            fine = agree(name, answers, theirs, TOLERANCE[options.dtype])
            # Batches are the program's own choice: the quickest of a few.
            sizes = {count, *(batch[2:] if on_gpu else ())}
            best = max(sizes, key=lambda size: bench.ours(folder, "image", batch=size, **flags)[0]) if on_gpu else count

            def ours():
                return bench.ours(folder, "image", batch=best, **flags)

            bench.beside(f"image tower {name}", "images/s", ours, lambda: rate_of(lambda: tower(model, x), count, device=options.device))
            if options.compiled:
                compiled = torch.compile(lambda pixels: tower(model, pixels))
                bench.beside(f"image tower {name}, compiled peer", "images/s", ours, lambda: rate_of(lambda: compiled(x), count, device=options.device))
        shutil.rmtree(folder)
        return fine
    return job


def clip_model(patch, width, layers, heads, mlp, projection, text_width, image=224):
    vision = {"hidden_size": width, "num_hidden_layers": layers, "num_attention_heads": heads, "intermediate_size": mlp,
              "patch_size": patch, "image_size": image, "projection_dim": projection}
    text = {"hidden_size": text_width, "num_attention_heads": text_width // 64, "intermediate_size": 4 * text_width,
            "projection_dim": projection, "eos_token_id": 49407, "bos_token_id": 49406}
    return hf.CLIPModel(hf.CLIPConfig(vision_config=vision, text_config=text, projection_dim=projection))


def clip_b32():
    return clip_model(32, 768, 12, 12, 3072, 512, 512)


def clip_l14():
    return clip_model(14, 1024, 24, 16, 4096, 768, 768)


def clip_tower(model, x):
    return model.visual_projection(model.vision_model(pixel_values=x).pooler_output)


def siglip_tower(model, x):
    return model.vision_model(pixel_values=x).pooler_output


def siglip_b16():
    return hf.SiglipModel(hf.SiglipConfig())


def text_tower(bench, options, texts, rate_of, agree):
    torch.manual_seed(0)
    model = clip_b32()
    folder = made(bench, "text", model)
    model = placed(model, options)
    lists = token_lists(words, texts, 49400, 49406, 49407)

    def encode(length):
        ids, mask = padded(lists, length, 49407)
        ids, mask = ids.to(options.device), mask.to(options.device)
        return lambda: model.text_projection(model.text_model(input_ids=ids, attention_mask=mask).pooler_output)

    with torch.inference_mode():
        def ours():
            return bench.ours(folder, "text", texts=lists, batches=2)

        _, answers, _ = ours()
        fine = agree("text tower", answers, encode(77)().float().flatten().tolist(), TOLERANCE[options.dtype])
        for title, length in (("padded to 77", 77), ("padded to the longest", 0)):
            call = encode(length)
            bench.beside(f"text tower B/32, peer {title}", "texts/s", ours, lambda: rate_of(call, len(lists), device=options.device))
    shutil.rmtree(folder)
    return fine


PROMPTS = [f"A photo of a {name}." for name in
           ("person bicycle car dog cat chair bottle cup fork knife spoon bowl banana apple sandwich orange broccoli carrot pizza donut").split()] * 4


def blip(bench, options, _texts, rate_of, agree):
    torch.manual_seed(0)
    model = hf.BlipForImageTextRetrieval(hf.BlipConfig(vision_config={"image_size": 384}))
    folder = made(bench, "blip", model)
    model = placed(model, options)
    lists = token_lists(words, PROMPTS, 30520, 101, 102, 40)
    x = pixels(1, 384, 384, options)
    on_gpu = options.device != "cpu"

    def one_by_one(count):
        for ids in lists[:count]:
            model(input_ids=torch.tensor([ids], device=options.device), pixel_values=x, use_itm_head=True)

    def batched():
        ids, mask = padded(lists, 0, 0)
        states = model.vision_model(pixel_values=x)[0].expand(len(lists), -1, -1)
        hidden = model.text_encoder(input_ids=ids.to(options.device), attention_mask=mask.to(options.device),
                                    encoder_hidden_states=states, return_dict=True)
        return model.itm_head(hidden.last_hidden_state[:, 0, :])

    def pairs(count=32):
        ids, mask = padded(lists[:count], 0, 0)
        return model(input_ids=ids.to(options.device), attention_mask=mask.to(options.device),
                     pixel_values=x.expand(count, -1, -1, -1), use_itm_head=True)

    with torch.inference_mode():
        def ours():
            return bench.ours(folder, "pair", texts=lists, size="384x384", batches=8 if on_gpu else 1, repeats=1)

        _, answers, _ = ours()
        fine = agree("blip", answers, batched().float().flatten().tolist(), TOLERANCE[options.dtype])
        few = 80 if on_gpu else 4
        for title, call, count in (("1 x 80, peer pair by pair", lambda: one_by_one(few), few),
                                   ("1 x 80, peer sees the picture once", batched, len(lists)),
                                   *([("peer in batches of 32 pairs", pairs, 32)] if on_gpu else [])):
            bench.beside(f"blip itm {title}", "pairs/s", ours, lambda: rate_of(call, count, device=options.device))
    shutil.rmtree(folder)
    return fine


def pair_model(name, make, size_of, tokens, part, on_cpu):
    """A model that takes pairs: `tokens` are (vocabulary, first, last, longest, pad), `part` the peer's batch on (CPU, GPU), `on_cpu` how many prompts there."""
    def job(bench, options, _texts, rate_of, agree):
        torch.manual_seed(0)
        model = make()
        folder = made(bench, name, model)
        model = placed(model, options)
        on_gpu = options.device != "cpu"
        vocabulary, first, last, longest, pad = tokens
        lists = token_lists(words, PROMPTS if on_gpu else PROMPTS[:on_cpu], vocabulary, first, last, longest)
        size = size_of(model)
        x = pixels(1, size, size, options)

        def batched():
            out = []
            for begin in range(0, len(lists), part[on_gpu]):
                ids, mask = padded(lists[begin:begin + part[on_gpu]], 0, pad)
                out.append(model(input_ids=ids.to(options.device), attention_mask=mask.to(options.device),
                                 pixel_values=x.expand(len(ids), -1, -1, -1)).logits)
            return torch.cat(out)

        with torch.inference_mode():
            def ours():
                return bench.ours(folder, "pair", texts=lists, size=f"{size}x{size}", batches=8 if on_gpu else 1, repeats=1)

            _, answers, _ = ours()
            fine = agree(name, answers, batched().float().flatten().tolist(), TOLERANCE[options.dtype])
            bench.beside(f"{name} 1 x {len(lists)}, peer in batches", "pairs/s", ours, lambda: rate_of(batched, len(lists), device=options.device))
        shutil.rmtree(folder)
        return fine
    return job


def gpt2(bench, options, texts, rate_of, agree):
    torch.manual_seed(0)
    model = hf.GPT2LMHeadModel(hf.GPT2Config())
    folder = made(bench, "gpt2", model)
    model = placed(model, options)
    lists = token_lists(words, texts, 50000, None, None, 100)

    def log_probability(ids):
        ids = torch.tensor([ids], device=options.device)
        logits = model(input_ids=ids).logits.float()
        return -torch.nn.functional.cross_entropy(logits[0, :-1], ids[0, 1:], reduction="sum")

    def one_by_one(count):
        return [log_probability(ids) for ids in lists[:count]]

    with torch.inference_mode():
        def ours():
            return bench.ours(folder, "likelihood", texts=lists, batches=1, repeats=3)

        _, answers, _ = ours()
        few = min(48, len(lists))
        fine = agree("gpt2", answers[:few], [float(value) for value in one_by_one(few)], TOLERANCE[options.dtype])
        bench.beside("gpt2 likelihoods, peer one text at a time", "texts/s", ours,
                     lambda: rate_of(lambda: one_by_one(few), few, device=options.device))
    shutil.rmtree(folder)
    return fine


FIRST_SCORE = """
import sys, torch, transformers as hf
model = hf.CLIPModel.from_pretrained(sys.argv[1]).eval()
with torch.inference_mode():
    ids = torch.tensor([[49406, 320, 1125, 539, 320, 1929, 269, 49407]])
    print(float(model(input_ids=ids, pixel_values=torch.zeros(1, 3, 224, 224)).logits_per_image))
"""


def start(bench, options, _texts, _rate_of, _agree):
    if options.device != "cpu":
        return True
    torch.manual_seed(0)
    folder = made(bench, "start", clip_b32())

    def seconds(command):
        times = []
        for _ in range(3):
            begin = time.perf_counter()
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            times.append(time.perf_counter() - begin)
        return sorted(times)[1]

    command = [bench.options.program, bench.options.module, str(folder), "image", "--batch", "1", "--repeats", "0"]
    report("start to the first score of a 600 MB checkpoint", "s", seconds(command), seconds([sys.executable, "-c", FIRST_SCORE, str(folder)]),
           bench.options.threads, command, less_is_better=True)
    shutil.rmtree(folder)
    return True


JOBS = {
    "b32": image_tower("B/32", clip_b32, clip_tower, (16, 1024, 256, 512)),
    "l14": image_tower("L/14", clip_l14, clip_tower, (2, 256, 32, 64, 128)),
    "siglip": image_tower("SigLIP-B/16", siglip_b16, siglip_tower, (4, 512, 128, 256)),
    "text": text_tower,
    "blip": blip,
    "vilt": pair_model("vilt", lambda: hf.ViltForImageAndTextRetrieval(hf.ViltConfig()), lambda _: 384,
                       (30520, 101, 102, 40, 0), part=(16, 80), on_cpu=80),
    "bridgetower": pair_model("bridgetower", lambda: hf.BridgeTowerForImageAndTextRetrieval(hf.BridgeTowerConfig()),
                              lambda model: model.config.vision_config.image_size, (50200, 0, 2, 50, 1), part=(8, 80), on_cpu=16),
    "gpt2": gpt2,
    "start": start,
}
