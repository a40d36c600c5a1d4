// SPDX-License-Identifier: Apache-2.0
// Character classes and case as the `tokenizers` library sees them. Its parts carry different
// versions of Unicode, so each class is a table of its own, asked of the library by
// tools/make_token_tables.py.
#pragma once

namespace snellen::text {

// \p{L}, \p{N} and \s of the library's regular expressions.
bool is_regex_letter(char32_t c);
bool is_regex_number(char32_t c);
bool is_regex_space(char32_t c);
// The same of Python's `regex`, which knows a newer Unicode.
bool is_python_letter(char32_t c);
bool is_python_number(char32_t c);
// \w of Rust's regular expressions: letters, marks, digits, connectors, joiners.
bool is_regex_word(char32_t c);

// What BERT drops, sets apart as punctuation, drops as an accent, and puts spaces around.
bool is_bert_cleaned(char32_t c);
bool is_bert_punctuation(char32_t c);
bool is_bert_accent(char32_t c);
bool is_bert_chinese(char32_t c);
// What the StripAccents normalizer drops.
bool is_combining_mark(char32_t c);

// char::to_lowercase of Rust, except U+0130, which gives two characters: i and U+0307.
char32_t lower_of(char32_t c);

}  // namespace snellen::text
