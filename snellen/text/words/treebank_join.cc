// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/words/treebank_join.h"

#include <algorithm>

#include "snellen/text/characters.h"
#include "snellen/text/words/contractions.h"
#include "snellen/text/words/rewriter.h"

namespace snellen::text {

namespace {

constexpr std::string_view kOpeners = "[({<";
constexpr std::string_view kClosers = "])}>";

// x, a space, a clitic and a space: joined. A clitic that ends the text has no space after it and
// stays apart.
template <typename Clitic>
void join_clitics(Rewriter& rewriter, Clitic clitic) {
  if (!rewriter.may_have('\'')) return;
  rewriter.replace_where([&](std::string_view text, size_t at, std::string& out) -> size_t {
    if (text[at] == '\'' || text[at] == ' ' || !has_at(text, at + 1, " ")) return 0;
    size_t size = clitic(text, at + 2);
    if (size == 0) return 0;
    out += text[at];
    out += text.substr(at + 2, size + 1);
    return 3 + size;
  });
}

void join_ending_quotes_nltk34(Rewriter& rewriter) {
  if (!rewriter.may_have('\'')) return;
  rewriter.replace_where([](std::string_view text, size_t at, std::string& out) -> size_t {
    if (text[at] == ' ' || !has_at(text, at + 1, "''")) return 0;
    out += text[at];
    out += "'' ";
    return 3;
  });
  rewriter.replace(" '' ", "\"");
}

void join_ending_quotes_modern(Rewriter& rewriter) {
  if (!rewriter.may_have('\'')) return;
  rewriter.replace_where([](std::string_view text, size_t at, std::string& out) -> size_t {
    if (text[at] == ' ' || !has_at(text, at + 1, " ''")) return 0;
    out += text[at];
    out += "''";
    return 4;
  });
  rewriter.replace_where([](std::string_view text, size_t at, std::string& out) -> size_t {
    if (!has_at(text, at, "'' ") || at + 3 >= text.size() || !is_one_of(text[at + 3], ".,:)]>};%"))
      return 0;
    out += "''";
    out += text[at + 3];
    return 4;
  });
  rewriter.replace("''", "\"");
}

// x, a space, an apostrophe and a space, where x is no apostrophe.
void join_closing_apostrophes(Rewriter& rewriter) {
  if (!rewriter.may_have('\'')) return;
  rewriter.replace_where([](std::string_view text, size_t at, std::string& out) -> size_t {
    if (text[at] == '\'' || !has_at(text, at + 1, " ' ")) return 0;
    out += text[at];
    out += "' ";
    return 4;
  });
}

void join_final_period(Rewriter& rewriter) {
  if (!rewriter.may_have('.')) return;
  std::string_view text = rewriter.text();
  size_t period = text.rfind('.');
  if (period == std::string_view::npos || period < 2) return;
  if (text[period - 1] != ' ' || text[period - 2] == '.') return;
  size_t closed = std::min(text.find_first_not_of("])}>\"'", period + 1), text.size());
  if (text.find_first_not_of(' ', closed) != std::string_view::npos) return;
  std::string out(text.substr(0, period - 1));
  out += text.substr(period, closed - period);
  rewriter = Rewriter(std::move(out));
}

void join_commas_nltk34(Rewriter& rewriter) {
  if (!rewriter.may_have_any(":,")) return;
  rewriter.replace_where([](std::string_view text, size_t at, std::string& out) -> size_t {
    bool fits = at + 3 == text.size() && text[at] == ' ' && is_one_of(text[at + 1], ":,") &&
                text[at + 2] == ' ';
    if (!fits) return 0;
    out += text[at + 1];
    return 3;
  });
  rewriter.replace_where([](std::string_view text, size_t at, std::string& out) -> size_t {
    if (at + 3 >= text.size() || text[at] != ' ' || !is_one_of(text[at + 1], ":,") ||
        text[at + 2] != ' ')
      return 0;
    CodePoint next = decode_at(text, at + 3);
    if (is_digit(next.value)) return 0;
    out += text[at + 1];
    out += ' ';
    out += text.substr(at + 3, next.size);
    return 3 + next.size;
  });
}

// An opener, a space and two backticks: the space goes, and the backticks become `mark`.
void join_starting_quotes(Rewriter& rewriter, std::string_view mark) {
  if (!rewriter.may_have('`')) return;
  rewriter.replace_where([&](std::string_view text, size_t at, std::string& out) -> size_t {
    if (!is_one_of(text[at], " ([{<") || !has_at(text, at + 1, " ``")) return 0;
    out += text[at];
    out += mark;
    return 4;
  });
}

void join_inside_nltk34(Rewriter& rewriter) {
  rewriter.keep_space_before(kOpeners);
  rewriter.keep_space_after(kClosers);
  rewriter.join(kClosers, ":;,.");
  join_closing_apostrophes(rewriter);
  rewriter.drop_space_before("?!");
  join_final_period(rewriter);
  rewriter.keep_space_before("#$");
  rewriter.keep_space_after(";%");
  rewriter.replace(" ... ", "...");
  join_commas_nltk34(rewriter);
  join_starting_quotes(rewriter, "\"");
  rewriter.replace(" `` ", "``");
  // The release writes a backslash here: its replacement text was escaped once too often.
  if (has_at(rewriter.text(), 0, "``"))
    rewriter = Rewriter("\\\"" + std::string(rewriter.text().substr(2)));
}

void join_inside_modern(Rewriter& rewriter) {
  rewriter.drop_space_after(kOpeners);
  rewriter.drop_space_before(kClosers);
  rewriter.join(kClosers, ":;,.");
  join_closing_apostrophes(rewriter);
  rewriter.drop_space_before("?!");
  join_final_period(rewriter);
  rewriter.drop_space_after("#$");
  rewriter.drop_space_before(";%");
  rewriter.replace(" ... ", "...");
  rewriter.drop_space_before(":,");
  join_starting_quotes(rewriter, "``");
  rewriter.replace("`` ", "``");
  rewriter.replace("``", "\"");
}

}  // namespace

std::string treebank_join_text(std::string spaced, Treebank version) {
  Rewriter rewriter(std::move(spaced));
  if (version == Treebank::kModern) rewriter.pad_ends();
  join_tis(rewriter);
  join_contractions(rewriter, version);
  join_clitics(rewriter, long_clitic);
  join_clitics(rewriter, short_clitic);
  if (version == Treebank::kNltk34) {
    join_ending_quotes_nltk34(rewriter);
  } else {
    join_ending_quotes_modern(rewriter);
  }
  rewriter.strip();
  rewriter.replace(" -- ", "--");
  if (version == Treebank::kNltk34) {
    join_inside_nltk34(rewriter);
  } else {
    join_inside_modern(rewriter);
  }
  rewriter.strip();
  return std::move(rewriter).take();
}

}  // namespace snellen::text
