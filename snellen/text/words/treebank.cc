// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/words/treebank.h"

#include <algorithm>

#include "snellen/base/error.h"
#include "snellen/text/characters.h"
#include "snellen/text/words/contractions.h"
#include "snellen/text/words/rewriter.h"
#include "snellen/text/words/sentences.h"
#include "snellen/text/words/treebank_join.h"

namespace snellen::text {

namespace {

constexpr std::string_view kNarrowClosers = "])}>\"'";

// Bytes of « “ ‘ „ (» ” ’) at `at`, 0 when there is none.
size_t opening_quote(std::string_view text, size_t at) {
  if (has_at(text, at, "\u00AB")) return 2;
  bool fits =
      has_at(text, at, "\u201C") || has_at(text, at, "\u2018") || has_at(text, at, "\u201E");
  return fits ? 3 : 0;
}

size_t closing_quote(std::string_view text, size_t at) {
  if (has_at(text, at, "\u00BB")) return 2;
  return has_at(text, at, "\u201D") || has_at(text, at, "\u2019") ? 3 : 0;
}

void append_padded(std::string& out, std::string_view part) {
  out += ' ';
  out += part;
  out += ' ';
}

void pad_opening_quotes(Rewriter& rewriter) {
  if (!rewriter.may_have('`') && !rewriter.may_have_non_ascii()) return;
  rewriter.replace_where([](std::string_view text, size_t at, std::string& out) -> size_t {
    size_t size = opening_quote(text, at);
    if (size == 0) size = std::min(text.find_first_not_of('`', at), text.size()) - at;
    if (size != 0) append_padded(out, text.substr(at, size));
    return size;
  });
}

void pad_closing_quotes(Rewriter& rewriter) {
  if (!rewriter.may_have_non_ascii()) return;
  rewriter.replace_where([](std::string_view text, size_t at, std::string& out) -> size_t {
    size_t size = closing_quote(text, at);
    if (size != 0) append_padded(out, text.substr(at, size));
    return size;
  });
}

// A quote that opens becomes two backticks: at the start of the text, or after a space or an
// opening bracket.
void mark_starting_quotes(Rewriter& rewriter) {
  if (has_at(rewriter.text(), 0, "\"")) {
    rewriter = Rewriter("``" + std::string(rewriter.text().substr(1)));
  }
  rewriter.replace("``", " `` ");
  if (!rewriter.may_have_any("\"'")) return;
  rewriter.replace_where([](std::string_view text, size_t at, std::string& out) -> size_t {
    if (!is_one_of(text[at], " ([{<")) return 0;
    size_t quote = has_at(text, at + 1, "\"") ? 1 : has_at(text, at + 1, "''") ? 2 : 0;
    if (quote == 0) return 0;
    out += text[at];
    out += " `` ";
    return 1 + quote;
  });
}

// An apostrophe before a word of one character that is not a clitic: 'a -> ' a.
void split_quoted_letters(Rewriter& rewriter, Treebank version) {
  if (!rewriter.may_have('\'')) return;
  std::string_view clitics = version == Treebank::kNltk34 ? "mtsd" : "mtsdn";
  rewriter.replace_where([&](std::string_view text, size_t at, std::string& out) -> size_t {
    if (text[at] != '\'' || at + 1 >= text.size()) return 0;
    CodePoint letter = decode_at(text, at + 1);
    if (!is_word(letter.value)) return 0;
    size_t after = at + 1 + letter.size;
    if (after < text.size() && is_word(decode_at(text, after).value)) return 0;
    char32_t folded = fold_to_ascii(letter.value);
    if (folded < 0x80 && is_one_of(static_cast<char>(folded), clitics)) return 0;
    out += "' ";
    out += text.substr(at + 1, letter.size);
    return 1 + letter.size;
  });
}

// Where the closers after a final period end; npos when something other than white space follows
// them.
size_t end_of_closers(std::string_view text, size_t at, bool is_wide) {
  while (at < text.size()) {
    size_t wide = is_wide ? closing_quote(text, at) : 0;
    if (wide == 0 && !is_one_of(text[at], kNarrowClosers) && !(is_wide && text[at] == ' ')) break;
    at += wide == 0 ? 1 : wide;
  }
  return is_blank(text.substr(at)) ? at : std::string_view::npos;
}

// Only the last period of a text can be its final one, so it is looked for from the end.
void split_final_period(Rewriter& rewriter, bool is_wide) {
  if (!rewriter.may_have('.')) return;
  std::string_view text = rewriter.text();
  size_t period = text.rfind('.');
  if (period == std::string_view::npos || period == 0 || text[period - 1] == '.') return;
  size_t closed = end_of_closers(text, period + 1, is_wide);
  if (closed == std::string_view::npos) return;
  std::string out(text.substr(0, period));
  out += is_wide ? " . " : " .";
  out += text.substr(period + 1, closed - period - 1);
  out += ' ';
  rewriter = Rewriter(std::move(out));
}

void split_commas_and_colons(Rewriter& rewriter) {
  if (!rewriter.may_have_any(":,")) return;
  rewriter.replace_where([](std::string_view text, size_t at, std::string& out) -> size_t {
    if (!is_one_of(text[at], ":,") || at + 1 >= text.size()) return 0;
    CodePoint next = decode_at(text, at + 1);
    if (is_digit(next.value)) return 0;
    append_padded(out, text.substr(at, 1));
    out += text.substr(at + 1, next.size);
    return 1 + next.size;
  });
  rewriter.replace_where([](std::string_view text, size_t at, std::string& out) -> size_t {
    // `$` is the end of the text, and also the place before a line feed that ends it.
    bool is_last = at + 1 == text.size() || (at + 2 == text.size() && text[at + 1] == '\n');
    if (!is_one_of(text[at], ":,") || !is_last) return 0;
    append_padded(out, text.substr(at, 1));
    return 1;
  });
}

void split_ellipses(Rewriter& rewriter, Treebank version) {
  if (version == Treebank::kNltk34) {
    rewriter.replace("...", " ... ");
    return;
  }
  if (!rewriter.may_have('.')) return;
  rewriter.replace_where([](std::string_view text, size_t at, std::string& out) -> size_t {
    size_t dots = std::min(text.find_first_not_of('.', at), text.size()) - at;
    if (dots == 1) {
      out += '.';
      return 1;
    }
    if (dots != 0) append_padded(out, text.substr(at, dots));
    return dots;
  });
}

void split_closing_apostrophes(Rewriter& rewriter) {
  if (!rewriter.may_have('\'')) return;
  rewriter.replace_where([](std::string_view text, size_t at, std::string& out) -> size_t {
    if (text[at] == '\'' || !has_at(text, at + 1, "' ")) return 0;
    out += text[at];
    out += " ' ";
    return 3;
  });
}

void split_ending_quotes(Rewriter& rewriter, Treebank version) {
  if (version == Treebank::kModern) {
    rewriter.replace("''", " '' ");
    rewriter.replace("\"", " '' ");
    return;
  }
  rewriter.replace("\"", " '' ");
  if (!rewriter.may_have('\'')) return;
  rewriter.replace_where([](std::string_view text, size_t at, std::string& out) -> size_t {
    // Judged at the last byte of the character before the quotes.
    if (!has_at(text, at + 1, "''") || is_space(decode_before(text, at + 1).value)) return 0;
    out += text[at];
    out += " '' ";
    return 3;
  });
}

template <typename Clitic>
void split_clitics(Rewriter& rewriter, Clitic clitic) {
  if (!rewriter.may_have('\'')) return;
  rewriter.replace_where([&](std::string_view text, size_t at, std::string& out) -> size_t {
    if (text[at] == '\'' || text[at] == ' ') return 0;
    size_t size = clitic(text, at + 1);
    if (size == 0) return 0;
    out += text[at];
    append_padded(out, text.substr(at + 1, size));
    return 2 + size;
  });
}

// Tokens of one sentence with white space between them, not yet normalised.
std::string spaced_tokens(std::string_view sentence, Treebank version) {
  Rewriter rewriter{std::string(sentence)};
  pad_opening_quotes(rewriter);
  mark_starting_quotes(rewriter);
  split_quoted_letters(rewriter, version);
  split_final_period(rewriter, /*is_wide=*/true);
  split_commas_and_colons(rewriter);
  split_ellipses(rewriter, version);
  rewriter.pad_each(";@#$%&");
  split_final_period(rewriter, /*is_wide=*/false);
  rewriter.pad_each("?!");
  split_closing_apostrophes(rewriter);
  if (version == Treebank::kModern) rewriter.pad_each("*");
  rewriter.pad_each("][(){}<>");
  rewriter.replace("--", " -- ");
  rewriter.pad_ends();
  pad_closing_quotes(rewriter);
  split_ending_quotes(rewriter, version);
  split_clitics(rewriter, short_clitic);
  split_clitics(rewriter, long_clitic);
  split_contractions(rewriter, version);
  split_tis(rewriter);
  return std::move(rewriter).take();
}

void append_words(std::string& out, std::string_view spaced) {
  for_each_word(spaced, [&](std::string_view word) {
    if (!out.empty()) out += ' ';
    out += word;
  });
}

}  // namespace

std::vector<std::string> treebank_tokens(std::string_view sentence, Treebank version) {
  std::vector<std::string> tokens;
  std::string spaced = spaced_tokens(sentence, version);
  for_each_word(spaced, [&](std::string_view word) { tokens.emplace_back(word); });
  return tokens;
}

std::string treebank_round_trip(std::string_view text, Treebank version) {
  std::string spaced;
  for (std::string_view sentence : split_sentences(text))
    append_words(spaced, spaced_tokens(sentence, version));
  return treebank_join_text(std::move(spaced), version);
}

Preprocess preprocess_of(std::string_view name) {
  for (Preprocess one : {Preprocess::kNltk34, Preprocess::kModern, Preprocess::kNone}) {
    if (name == name_of(one)) return one;
  }
  throw Error{ErrorCode::kUsage,
              fmt::format("no preprocessing is named '{}'", name),
              "--preprocess",
              "one of nltk34, modern, none"};
}

std::string_view name_of(Preprocess preprocess) {
  switch (preprocess) {
    case Preprocess::kNltk34:
      return "nltk34";
    case Preprocess::kModern:
      return "modern";
    case Preprocess::kNone:
      return "none";
  }
  return "none";
}

std::string prepare_generation(std::string_view text, Preprocess preprocess) {
  switch (preprocess) {
    case Preprocess::kNltk34:
      return treebank_round_trip(text, Treebank::kNltk34);
    case Preprocess::kModern:
      return treebank_round_trip(text, Treebank::kModern);
    case Preprocess::kNone:
      break;
  }
  return is_blank(text) ? std::string() : std::string(text);
}

}  // namespace snellen::text
