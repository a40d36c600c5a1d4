#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes snellen/text/tokenizers/unicode_ranges.inc and html_names.inc: make_token_tables.py FOLDER

The classes of characters are asked of the `tokenizers` library itself, code point by code point, because its parts carry
different versions of Unicode (its regular expressions 16, its categories 8) and ours must agree with each. open_clip
splits with Python's `regex`, whose version of Unicode is newer again: its extra letters and numbers are tables too. The names are
those of the HTML standard, section 13.5, as Python's `html` knows them.
"""
import html.entities
import pathlib
import sys

import regex
from tokenizers import AddedToken, Regex, Tokenizer, models, normalizers, pre_tokenizers

CODE_POINTS = [c for c in range(0x110000) if not 0xD800 <= c <= 0xDFFF]


def ranges(holds):
    found = []
    for c in CODE_POINTS:
        if holds(c):
            if found and found[-1][1] == c - 1:
                found[-1][1] = c
            else:
                found.append([c, c])
    return found


def removed_by(normalizer):
    return lambda c: normalizer.normalize_str(chr(c)) == ""


def is_mark(c):
    """What BertNormalizer drops after decomposing; NFD must not hide the character itself."""
    return BERT_ACCENTS.normalize_str(chr(c)) == ""


def is_word(c):
    """An added token for single words is not found behind a character of a word."""
    return len(SINGLE_WORD.encode(chr(c) + "<x>").ids) == 1


def newer(pattern):
    ours = removed_by(normalizers.Replace(Regex(pattern), ""))
    theirs = regex.compile(pattern)
    return lambda c: theirs.match(chr(c)) is not None and not ours(c)


def is_punctuation(c):
    return len(BERT_SPLIT.pre_tokenize_str("a" + chr(c) + "b")) == 3


SINGLE_WORD = Tokenizer(models.WordLevel({"[UNK]": 0}, unk_token="[UNK]"))
SINGLE_WORD.add_tokens([AddedToken("<x>", single_word=True, normalized=False)])
BERT_ACCENTS = normalizers.BertNormalizer(clean_text=False, handle_chinese_chars=False, strip_accents=True, lowercase=False)
BERT_CLEAN = normalizers.BertNormalizer(clean_text=True, handle_chinese_chars=False, strip_accents=False, lowercase=False)
BERT_SPLIT = pre_tokenizers.BertPreTokenizer()
TABLES = [
    ("kLetters", "\\p{L} of the regular expressions", removed_by(normalizers.Replace(Regex(r"\p{L}"), ""))),
    ("kNumbers", "\\p{N} of the regular expressions", removed_by(normalizers.Replace(Regex(r"\p{N}"), ""))),
    ("kWords", "\\w around tokens that stand alone", is_word),
    ("kNewerLetters", "\\p{L} of Python's regex beyond those", newer(r"\p{L}")),
    ("kNewerNumbers", "\\p{N} of Python's regex beyond those", newer(r"\p{N}")),
    ("kCleaned", "what BertNormalizer's clean_text drops", removed_by(BERT_CLEAN)),
    ("kPunctuation", "what BertPreTokenizer sets apart", is_punctuation),
    ("kNonspacingMarks", "what BertNormalizer's strip_accents drops", is_mark),
    ("kCombiningMarks", "what StripAccents drops", removed_by(normalizers.StripAccents())),
]


def filled(items, width=98):
    line = " "
    for item in items:
        if len(line) + 1 + len(item) > width:
            yield line
            line = " "
        line += " " + item
    yield line


def main():
    folder = pathlib.Path(sys.argv[1])
    out = ["// Written by tools/make_token_tables.py. First and last code point of each range, in order."]
    for name, meaning, holds in TABLES:
        found = ranges(holds)
        out.append(f"// {meaning}")
        out.append(f"constexpr std::array<CodeRange, {len(found)}> {name} = {{{{")
        out += filled(f"{{0x{a:X}, 0x{b:X}}}," for a, b in found)
        out.append("}};")
    (folder / "unicode_ranges.inc").write_text("\n".join(out) + "\n")

    names = html.entities.html5
    words = []
    for name in sorted(n for n in names if n.endswith(";")):
        bare = name[:-1]
        codes = ".".join(f"{ord(c):x}" for c in names[name])
        words.append(f"{bare}{'!' if bare in names else ''}={codes}")
    out = ["// Written by tools/make_token_tables.py. NAME=CODE POINTS; a name with ! also stands without its semicolon."]
    out += ['"' + line.strip() + ' "' for line in filled(words)]
    (folder / "html_names.inc").write_text("\n".join(out) + "\n")


if __name__ == "__main__":
    main()
