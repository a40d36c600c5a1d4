# SPDX-License-Identifier: Apache-2.0
"""The tokenizers that tools/parity/tokenizers.py compares: each writes a model folder and gives its peer.

CLIP's vocabulary is the published one; the others are trained here, on text that Python brings, since published
vocabularies are not at hand. A kind is a function (folder, rng) -> peer, and a peer is a function texts -> lists of ids.
"""
import gzip
import importlib.util
import io
import json
import os
import pathlib
import random
import shutil
import warnings

os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers
import transformers

warnings.filterwarnings("ignore")


def corpus():
    """English with some code: the help texts of Python's own modules."""
    texts = []
    for path in sorted(pathlib.Path(os.__file__).parent.glob("*.py"))[:120]:
        texts += [line.strip() for line in path.read_text(errors="replace").splitlines() if len(line.strip()) > 20]
    rng = random.Random(7)
    texts = rng.sample(texts, min(12000, len(texts)))
    sample = ["Zoë ate crème brûlée", "日本語の文字 東京", "привет мир, как дела", "שלום עולם", "مرحبا بالعالم", "नमस्ते दुनिया",
              "한국어 문장", "😀 🎉 👩‍👩‍👧‍👦", "naïve façade", "½ ² Ⅷ ①", "ＦＵＬＬ width", "it's we're I'll don't"]
    return texts + sample * 20


def special(content, **flags):
    return AddedToken(content, special=True, **flags)


def fast(path):
    peer = Tokenizer.from_file(str(path))
    peer.no_truncation()
    peer.no_padding()
    return lambda texts: [encoding.ids for encoding in peer.encode_batch(texts)]


def saved(folder, tokenizer, **config):
    tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "tokenizer_config.json").write_text(json.dumps(config))
    return fast(folder / "tokenizer.json")


def open_clip_module():
    """Its tokenizer.py alone: the package itself wants torchvision."""
    package = pathlib.Path(importlib.util.find_spec("open_clip").submodule_search_locations[0])
    spec = importlib.util.spec_from_file_location("open_clip_tokenizer", package / "tokenizer.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module, package / "bpe_simple_vocab_16e6.txt.gz"


def clip_tables():
    module, path = open_clip_module()
    lines = gzip.open(path).read().decode("utf-8").split("\n")
    merges = [tuple(line.split()) for line in lines[1:49152 - 256 - 2 + 1]]
    units = list(module.bytes_to_unicode().values())
    tokens = units + [unit + "</w>" for unit in units] + ["".join(pair) for pair in merges] + ["<|startoftext|>", "<|endoftext|>"]
    return {token: index for index, token in enumerate(tokens)}, merges


def clip(folder, rng):
    vocab, merges = clip_tables()
    tokenizer = transformers.CLIPTokenizer(vocab=vocab, merges=merges)
    tokenizer.save_pretrained(folder)
    return fast(folder / "tokenizer.json")


def clip_files(folder, rng):
    """The same from vocab.json and merges.txt, without tokenizer.json."""
    peer = clip(folder, rng)
    shutil.copy(folder / "tokenizer.json", folder / "peer.json")
    vocab, merges = clip_tables()
    (folder / "vocab.json").write_text(json.dumps(vocab))
    (folder / "merges.txt").write_text("#version: 0.2\n" + "".join(f"{a} {b}\n" for a, b in merges))
    (folder / "tokenizer.json").unlink()
    return peer


FLAGGED = ["<one>", "<two>", "plain", "Mixed Case", "a b", "ﬁ", "<x>y", "<x>", "É", "日本"]


def with_added(folder, tokenizer, rng):
    """Adds tokens with every mix of flags."""
    for content in FLAGGED:
        flags = {flag: rng.random() < 0.5 for flag in ("lstrip", "rstrip", "single_word", "normalized")}
        token = AddedToken(content, special=rng.random() < 0.5, **flags)
        (tokenizer.add_special_tokens if token.special else tokenizer.add_tokens)([token])
    return saved(folder, tokenizer)


def clip_added(folder, rng):
    clip(folder, rng)
    return with_added(folder, Tokenizer.from_file(str(folder / "tokenizer.json")), rng)


def byte_bpe(add_prefix_space=False, size=3000, extra=("<|endoftext|>",)):
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=add_prefix_space)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(vocab_size=size, special_tokens=list(extra), initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
                                  show_progress=False)
    tokenizer.train_from_iterator(corpus(), trainer)
    return tokenizer


def gpt2(folder, rng):
    return saved(folder, byte_bpe(), tokenizer_class="GPT2Tokenizer", bos_token="<|endoftext|>")


def roberta(folder, rng):
    """With a space before the first word, and a <mask> that takes the space before it."""
    tokenizer = byte_bpe(add_prefix_space=True, extra=("<s>", "<pad>", "</s>", "<unk>", special("<mask>", lstrip=True)))
    tokenizer.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0), add_prefix_space=True)
    return saved(folder, tokenizer, tokenizer_class="RobertaTokenizer")


def opt(folder, rng):
    """As published: vocab.json and merges.txt, the start token in the config."""
    tokenizer = byte_bpe(extra=("<s>", "<pad>", "</s>", "<unk>"))
    model = json.loads(tokenizer.to_str())["model"]
    merges = [tuple(m.split(" ")) if isinstance(m, str) else tuple(m) for m in model["merges"]]
    (folder / "vocab.json").write_text(json.dumps(model["vocab"]))
    (folder / "merges.txt").write_text("#version: 0.2\n" + "".join(f"{a} {b}\n" for a, b in merges))
    config = dict(tokenizer_class="GPT2Tokenizer", add_bos_token=True, bos_token="</s>", eos_token="</s>", unk_token="</s>", pad_token="<pad>")
    (folder / "tokenizer_config.json").write_text(json.dumps(config))
    peer = transformers.GPT2Tokenizer(vocab=model["vocab"], merges=merges, bos_token="</s>", eos_token="</s>", unk_token="</s>",
                                      pad_token="<pad>", add_bos_token=True)
    return lambda texts: peer(texts)["input_ids"]


def wordpiece(lowercase):
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=lowercase)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    trainer = trainers.WordPieceTrainer(vocab_size=4000, special_tokens=["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"], show_progress=False)
    tokenizer.train_from_iterator(corpus(), trainer)
    tokenizer.post_processor = processors.TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)])
    return tokenizer


def bert_uncased(folder, rng):
    return saved(folder, wordpiece(True), tokenizer_class="BertTokenizer")


def bert_cased(folder, rng):
    return saved(folder, wordpiece(False), tokenizer_class="BertTokenizer", do_lower_case=False)


def bert_files(folder, rng):
    """From vocab.txt and the flags of the config."""
    tokenizer = wordpiece(True)
    vocab = sorted(tokenizer.get_vocab().items(), key=lambda item: item[1])
    (folder / "vocab.txt").write_text("".join(token + "\n" for token, _ in vocab), encoding="utf-8")
    strip, chinese, lower = rng.random() < 0.5, rng.random() < 0.5, rng.random() < 0.5
    (folder / "tokenizer_config.json").write_text(json.dumps(dict(
        tokenizer_class="BertTokenizer", do_lower_case=lower, strip_accents=strip, tokenize_chinese_chars=chinese)))
    peer = transformers.BertTokenizer(vocab=dict(vocab), do_lower_case=lower, strip_accents=strip, tokenize_chinese_chars=chinese)
    return lambda texts: peer(texts)["input_ids"]


def bert_added(folder, rng):
    return with_added(folder, wordpiece(True), rng)


def normal_forms(folder, rng):
    """The normalizers that the other kinds leave out."""
    tokenizer = byte_bpe(size=1500)
    form = rng.choice([normalizers.NFD, normalizers.NFKC, normalizers.NFKD])
    tokenizer.normalizer = normalizers.Sequence([form(), normalizers.StripAccents(), normalizers.Strip(), normalizers.Replace("ab", "x"),
                                                 normalizers.Lowercase(), normalizers.Prepend("_")])
    return saved(folder, tokenizer)


def siglip(folder, model_type):
    import sentencepiece
    blob = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(sentence_iterator=iter([line.lower() for line in corpus()]), model_writer=blob, vocab_size=2000,
                                             model_type=model_type, pad_id=0, eos_id=1, unk_id=2, bos_id=-1, character_coverage=0.995,
                                             hard_vocab_limit=False, minloglevel=2)
    (folder / "spiece.model").write_bytes(blob.getvalue())
    peer = transformers.SiglipTokenizer(vocab_file=str(folder / "spiece.model"))
    return lambda texts: [peer(text)["input_ids"] for text in texts]


def siglip_unigram(folder, rng):
    return siglip(folder, "unigram")


def siglip_bpe(folder, rng):
    return siglip(folder, "bpe")


def siglip_saved(folder, rng):
    """As transformers writes it: the tokens and their flags in tokenizer_config.json."""
    siglip(folder, "unigram")
    saved_one = transformers.SiglipTokenizer(vocab_file=str(folder / "spiece.model"), additional_special_tokens=["<loc>", "<é>"])
    saved_one.save_pretrained(folder)
    peer = transformers.SiglipTokenizer.from_pretrained(folder)
    return lambda texts: [peer(text)["input_ids"] for text in texts]


def siglip2(folder, rng):
    """Gemma's form: BPE over characters with byte fallback, lower-cased first."""
    trained = Tokenizer(models.BPE(byte_fallback=True, fuse_unk=True, unk_token="<unk>"))
    trained.normalizer = normalizers.Replace(" ", "▁")
    trained.pre_tokenizer = pre_tokenizers.Split(Regex("▁[^▁]*|[^▁]+"), "isolated")  # only to train on words
    specials = ["<pad>", "<eos>", "<bos>", "<unk>", "<mask>"] + [f"<0x{byte:02X}>" for byte in range(256)]
    trained.train_from_iterator([line.lower() for line in corpus()], trainers.BpeTrainer(vocab_size=3000, special_tokens=specials, show_progress=False))
    model = json.loads(trained.to_str())["model"]
    if rng.random() < 0.5:  # without some bytes the unknown token steps in
        for byte in range(0xE0, 0xE8):
            name = f"<0x{byte:02X}>"
            model["vocab"][f"<gone{byte}>"] = model["vocab"].pop(name)
    merges = [tuple(m.split(" ")) if isinstance(m, str) else tuple(m) for m in model["merges"]]
    plain = Tokenizer(models.BPE(vocab=model["vocab"], merges=merges, byte_fallback=True, fuse_unk=True, unk_token="<unk>"))
    plain.normalizer = normalizers.Replace(" ", "▁")
    plain.pre_tokenizer = pre_tokenizers.Split(" ", "merged_with_previous")
    plain.add_special_tokens([special(name) for name in specials[:5]])
    plain.post_processor = processors.TemplateProcessing(single="$A <eos>", special_tokens=[("<eos>", 1)])
    saved(folder, plain, tokenizer_class="GemmaTokenizer", pad_token="<pad>")
    plain.normalizer = normalizers.Sequence([normalizers.Lowercase(), plain.normalizer])
    return lambda texts: [encoding.ids for encoding in plain.encode_batch(texts)]


def open_clip(folder, rng):
    """open_clip's own class without ftfy, which is not reproduced."""
    module, path = open_clip_module()
    module.ftfy = type("NoFtfy", (), {"fix_text": staticmethod(lambda text: text)})
    shutil.copy(path, folder)
    peer = module.SimpleTokenizer()
    return lambda texts: [[peer.sot_token_id] + peer.encode(text) + [peer.eot_token_id] for text in texts]


KINDS = {function.__name__.replace("_", "-"): function for function in
         (clip, clip_files, clip_added, gpt2, roberta, opt, bert_uncased, bert_cased, bert_files, bert_added, normal_forms,
          siglip_unigram, siglip_bpe, siglip_saved, siglip2, open_clip)}
