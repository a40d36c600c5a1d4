#!/usr/bin/env python3
"""Writes a tiny random vision-language chat model (LLaVA layout) that a real OpenAI-compatible server can serve.

    python make_tiny_lvlm.py OUT_DIR [--seed N] [--yes-no]
    HF_HUB_OFFLINE=1 transformers serve OUT_DIR --port 8123 --device cpu      # in the same virtual environment

Needs, in a virtual environment: torch==2.13.0 transformers==5.22.2 pillow accelerate fastapi uvicorn openai python-multipart.
Its answers are noise; it is there so that the client meets a server nobody here wrote: its JSON, its errors, its timing.
With --yes-no the noise is made of the words Yes and No.
"""
import argparse

import PIL.Image
import torch
import transformers as T
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

CHAT_TEMPLATE = (
    "{% for m in messages %}{{ m['role'] }}: {% if m['content'] is string %}{{ m['content'] }}{% else %}"
    "{% for c in m['content'] %}{% if c['type'] in ['image', 'image_url'] %}<image>{% else %}{{ c['text'] }}{% endif %}"
    "{% endfor %}{% endif %}\n{% endfor %}assistant:"
)


def make_tokenizer():
    bpe = Tokenizer(models.BPE(unk_token="<unk>"))
    bpe.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    bpe.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=600,
        special_tokens=["<unk>", "<s>", "</s>", "<image>", "<pad>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
    )
    bpe.train_from_iterator(["Yes No Not enough information A B C question context answer is the person"] * 50, trainer)
    return T.PreTrainedTokenizerFast(
        tokenizer_object=bpe, unk_token="<unk>", bos_token="<s>", eos_token="</s>", pad_token="<pad>",
        additional_special_tokens=["<image>"],
    )


def say_yes_or_no(model, processor):
    """Of two tokens whose rows of the head are opposite, one is likelier than all others; which one it is differs between questions."""
    content = [{"type": "image"}, {"type": "text", "text": ""}]
    states = []
    with torch.no_grad():
        for number in range(16):
            content[1]["text"] = f'Does this figure show "{"the person " * number}"? Please answer yes or no.'
            picture = PIL.Image.new("RGB", (56, 56), (15 * number, 255 - 15 * number, 90))
            inputs = processor(images=picture, text=processor.apply_chat_template([{"role": "user", "content": content}]), return_tensors="pt")
            states.append(model(**inputs, output_hidden_states=True).hidden_states[-1][0, -1])
        states = torch.stack(states)
        mean = states.mean(0)
        row = torch.linalg.svd(states - mean).Vh[0]
        row -= (row @ mean) / (mean @ mean) * mean
        head = model.get_output_embeddings().weight
        head *= 0.01
        yes, no = processor.tokenizer.convert_tokens_to_ids(["Yes", "\u0120No"])
        head[yes], head[no] = 100 * row, -100 * row


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("out")
    args.add_argument("--seed", type=int, default=0)
    args.add_argument("--yes-no", action="store_true")
    args = args.parse_args()
    torch.manual_seed(args.seed)
    tokenizer = make_tokenizer()
    vision = T.CLIPVisionConfig(hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=2,
                                image_size=56, patch_size=14, projection_dim=32)
    text = T.LlamaConfig(vocab_size=len(tokenizer), hidden_size=32, intermediate_size=64, num_hidden_layers=2,
                         num_attention_heads=2, num_key_value_heads=2, max_position_embeddings=4096,
                         bos_token_id=1, eos_token_id=2, pad_token_id=4)
    config = T.LlavaConfig(vision_config=vision, text_config=text,
                           image_token_index=tokenizer.convert_tokens_to_ids("<image>"))
    model = T.LlavaForConditionalGeneration(config).eval()
    image_processor = T.CLIPImageProcessorPil(size={"shortest_edge": 56}, crop_size={"height": 56, "width": 56})
    processor = T.LlavaProcessor(image_processor=image_processor, tokenizer=tokenizer, patch_size=14,
                                 vision_feature_select_strategy="default", num_additional_image_tokens=1,
                                 chat_template=CHAT_TEMPLATE)
    if args.yes_no:
        say_yes_or_no(model, processor)
    model.save_pretrained(args.out)
    tokenizer.save_pretrained(args.out)
    image_processor.save_pretrained(args.out)
    processor.save_pretrained(args.out)


if __name__ == "__main__":
    main()
