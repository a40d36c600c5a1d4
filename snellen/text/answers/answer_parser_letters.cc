// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/answers/answer_parser_letters.h"

#include <algorithm>
#include <array>

#include "snellen/text/unicode_case.h"

namespace snellen::text {
namespace {

using Index = std::optional<size_t>;

char ascii_lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}

bool is_blank(char c) {
  return is_white_space(static_cast<unsigned char>(c)) && static_cast<unsigned char>(c) < 0x80;
}

bool is_one_of(char c, std::string_view set) {
  return set.find(c) != std::string_view::npos;
}

Index capital(char c, size_t num_options) {
  if (c < 'A' || c > 'Z' || static_cast<size_t>(c - 'A') >= num_options) return std::nullopt;
  return static_cast<size_t>(c - 'A');
}

Index small(char c, size_t num_options) {
  return c >= 'a' && c <= 'z' ? capital(static_cast<char>(c - 32), num_options) : std::nullopt;
}

Index any_case(char c, size_t num_options) {
  Index index = capital(c, num_options);
  return index ? index : small(c, num_options);
}

// A reading head over the text; each step says whether it moved.
class Cursor {
 public:
  Cursor(std::string_view text, size_t at) : text_(text), at_(at) {}

  bool is_done() const { return at_ >= text_.size(); }
  char peek() const { return is_done() ? '\0' : text_[at_]; }
  void advance() { ++at_; }
  std::string_view rest() const { return text_.substr(std::min(at_, text_.size())); }

  bool skip(std::string_view set) {
    size_t start = at_;
    while (!is_done() && (is_one_of(peek(), set) || (is_one_of(' ', set) && is_blank(peek()))))
      ++at_;
    return at_ > start;
  }
  bool take_one_of(std::string_view set) {
    if (is_done() || !is_one_of(peek(), set)) return false;
    ++at_;
    return true;
  }
  // `word` is lower-case; the text may be of any case.
  bool take_word(std::string_view word) {
    if (text_.size() - at_ < word.size()) return false;
    for (size_t i = 0; i < word.size(); ++i) {
      if (ascii_lower(text_[at_ + i]) != word[i]) return false;
    }
    at_ += word.size();
    return true;
  }
  bool is_before_letter_or_apostrophe() const {
    return !is_done() && (peek() == '\'' || is_letter(code_point_at(text_, at_).value));
  }

 private:
  std::string_view text_;
  size_t at_;
};

// The code point that ends just before `at`; U+FFFD for ill-formed bytes, 0 at the start of the
// text.
uint32_t code_point_before(std::string_view text, size_t at) {
  if (at == 0) return 0;
  size_t start = at - 1;
  while (start > 0 && at - start < 4 &&
         (static_cast<unsigned char>(text[start]) & 0xC0U) == 0x80U) {
    --start;
  }
  DecodedPoint point = code_point_at(text, start);
  return start + point.length == at ? point.value : 0xFFFD;
}

bool is_letter_or_apostrophe(uint32_t code_point) {
  return code_point == '\'' || is_letter(code_point);
}

bool is_word_character(uint32_t code_point) {
  return code_point == '_' || (code_point >= '0' && code_point <= '9') || is_letter(code_point);
}

// The offsets just behind each whole word answer, option or choice, in order.
std::vector<size_t> cue_ends(std::string_view text) {
  constexpr std::array<std::string_view, 3> kCues = {"answer", "option", "choice"};
  std::vector<size_t> ends;
  for (size_t at = 0; at < text.size(); ++at) {
    char first = ascii_lower(text[at]);
    if (first != 'a' && first != 'o' && first != 'c') continue;
    for (std::string_view cue : kCues) {
      Cursor cursor(text, at);
      if (!cursor.take_word(cue)) continue;
      size_t end = at + cue.size();
      bool is_whole = !is_word_character(code_point_before(text, at)) &&
                      (end == text.size() || !is_word_character(code_point_at(text, end).value));
      if (is_whole) ends.push_back(end);
    }
  }
  return ends;
}

void skip_verb(Cursor& cursor) {
  constexpr std::array<std::string_view, 4> kVerbs = {"would be", "will be", "should be", "is"};
  Cursor ahead = cursor;
  if (!ahead.skip(" ")) return;
  for (std::string_view verb : kVerbs) {
    if (ahead.take_word(verb)) {
      cursor = ahead;
      return;
    }
  }
}

Index letter_after_cue(std::string_view text, size_t cue_end, size_t num_options) {
  Cursor cursor(text, cue_end);
  skip_verb(cursor);
  cursor.skip(" :=-");
  Cursor bracketed = cursor;
  if (bracketed.take_one_of("([")) {
    Index index = any_case(bracketed.peek(), num_options);
    bracketed.advance();
    return index && bracketed.take_one_of(")]") ? index : std::nullopt;
  }
  bool is_quoted = cursor.take_one_of("\"'");
  Index index = capital(cursor.peek(), num_options);
  if (!index) return std::nullopt;
  cursor.advance();
  if (is_quoted) cursor.take_one_of("\"'");
  return cursor.is_before_letter_or_apostrophe() ? std::nullopt : index;
}

Index final_small_letter_after_cue(std::string_view text, size_t cue_end, size_t num_options) {
  Cursor cursor(text, cue_end);
  Cursor verb = cursor;
  if (verb.skip(" ") && verb.take_word("is")) cursor = verb;
  cursor.skip(" ");
  if (!cursor.take_one_of(":=")) return std::nullopt;
  cursor.skip(" ");
  cursor.take_one_of("\"'");
  Index index = small(cursor.peek(), num_options);
  if (!index) return std::nullopt;
  cursor.advance();
  cursor.take_one_of("\"'");
  cursor.skip(" .");
  return cursor.is_done() ? index : std::nullopt;
}

// " or (B)", "/ C": another single capital joined to the first.
bool is_joined_to_another(Cursor cursor, size_t num_options) {
  cursor.skip(" ");
  if (!cursor.take_word("or") && !cursor.take_word("and") && !cursor.take_one_of("/&"))
    return false;
  cursor.skip(" ");
  cursor.take_one_of("([");
  if (!capital(cursor.peek(), num_options)) return false;
  cursor.advance();
  return !cursor.is_before_letter_or_apostrophe();
}

// "A person" is an article; "A because" is an answer.
bool is_article(std::string_view rest) {
  constexpr auto kAfterAnswer =
      std::to_array<std::string_view>({"or", "and", "because", "since", "as", "is", "but", "not"});
  size_t start = rest.find_first_not_of(' ');
  if (start == 0 || start == std::string_view::npos) return false;
  rest.remove_prefix(start);
  size_t length = 0;
  while (length < rest.size() && rest[length] >= 'a' && rest[length] <= 'z') ++length;
  return length > 0 &&
         std::find(kAfterAnswer.begin(), kAfterAnswer.end(), rest.substr(0, length)) ==
             kAfterAnswer.end();
}

void add_distinct(std::vector<size_t>& found, size_t index) {
  if (std::find(found.begin(), found.end(), index) == found.end()) found.push_back(index);
}

}  // namespace

std::optional<size_t> boxed_letter(std::string_view text, size_t num_options) {
  constexpr std::string_view kBoxed = "\\boxed{";
  Index last;
  for (size_t at = text.find(kBoxed); at != std::string_view::npos;
       at = text.find(kBoxed, at + 1)) {
    Cursor cursor(text, at + kBoxed.size());
    cursor.skip(" (");
    if (cursor.take_word("\\text{")) cursor.skip(" (");
    Index index = any_case(cursor.peek(), num_options);
    if (!index) continue;
    cursor.advance();
    cursor.skip(" )");
    if (cursor.take_one_of("}")) last = index;
  }
  return last;
}

std::optional<size_t> sole_letter(std::string_view text, size_t num_options) {
  Cursor cursor(text, 0);
  cursor.skip(" ([{\"'");
  Index index = any_case(cursor.peek(), num_options);
  if (!index) return std::nullopt;
  cursor.advance();
  cursor.skip(" )]}\"'.,:;!");
  return cursor.is_done() ? index : std::nullopt;
}

std::optional<size_t> cued_letter(std::string_view text, size_t num_options) {
  std::vector<size_t> ends = cue_ends(text);
  for (auto end = ends.rbegin(); end != ends.rend(); ++end) {
    if (Index index = letter_after_cue(text, *end, num_options)) return index;
  }
  for (auto end = ends.rbegin(); end != ends.rend(); ++end) {
    if (Index index = final_small_letter_after_cue(text, *end, num_options)) return index;
  }
  return std::nullopt;
}

std::optional<size_t> leading_letter(std::string_view text, size_t num_options) {
  Cursor cursor(text, 0);
  cursor.take_one_of("([");
  Index index = capital(cursor.peek(), num_options);
  if (!index) return std::nullopt;
  cursor.advance();
  if (!cursor.take_one_of(")].:,")) {
    Cursor dash = cursor;
    if (!dash.skip(" ") || !dash.take_one_of("-")) return std::nullopt;
    cursor = dash;
  }
  if (!cursor.is_done() && !is_blank(cursor.peek())) return std::nullopt;
  return is_joined_to_another(cursor, num_options) ? std::nullopt : index;
}

std::vector<size_t> bracketed_letters(std::string_view text, size_t num_options) {
  std::vector<size_t> found;
  for (size_t at = 0; at + 2 < text.size(); ++at) {
    bool is_pair =
        (text[at] == '(' && text[at + 2] == ')') || (text[at] == '[' && text[at + 2] == ']');
    if (!is_pair) continue;
    if (Index index = any_case(text[at + 1], num_options)) add_distinct(found, *index);
  }
  return found;
}

std::vector<size_t> isolated_letters(std::string_view text, size_t num_options) {
  std::vector<size_t> found;
  for (size_t at = 0; at < text.size(); ++at) {
    Index index = capital(text[at], num_options);
    if (!index || text[at] == 'I') continue;
    Cursor after(text, at + 1);
    if (is_letter_or_apostrophe(code_point_before(text, at))) continue;
    if (after.is_before_letter_or_apostrophe()) continue;
    if (text[at] == 'A' && is_article(after.rest())) continue;
    add_distinct(found, *index);
  }
  return found;
}

}  // namespace snellen::text
