// SPDX-License-Identifier: Apache-2.0
// Global replacements on one text, each a single left-to-right scan without overlaps, as re.sub
// makes them. A rule whose first character is nowhere in the text costs one table look-up, and most
// rules do not apply to most answers.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace snellen::text {

class Rewriter {
 public:
  explicit Rewriter(std::string text);

  std::string_view text() const { return text_; }
  std::string take() && { return std::move(text_); }
  // Whether an ASCII character may be in the text: no false "no".
  bool may_have(char c) const { return seen_[static_cast<unsigned char>(c)]; }
  bool may_have_any(std::string_view set) const;
  bool may_have_non_ascii() const { return has_non_ascii_; }

  // `find(text, at, out)` is asked at every place: it returns how many bytes it replaces there and
  // appends what replaces them, or returns 0.
  template <typename Find>
  void replace_where(Find find) {
    next_.clear();
    std::string_view text(text_);
    size_t at = 0;
    while (at < text.size()) {
      size_t replaced = find(text, at, next_);
      if (replaced == 0) next_ += text[at++];
      at += replaced;
    }
    text_.swap(next_);
  }

  // Every non-overlapping `literal` by `with`.
  void replace(std::string_view literal, std::string_view with);
  // One space before and after each character of `set`.
  void pad_each(std::string_view set);
  // One space before and after the whole text.
  void pad_ends();
  // Removes one space before (after) each character of `set`.
  void drop_space_before(std::string_view set);
  void drop_space_after(std::string_view set);
  // A character of `set` between two spaces keeps only the space before it (after it).
  void keep_space_before(std::string_view set);
  void keep_space_after(std::string_view set);
  // Removes the space between a character of `left` and one of `right`.
  void join(std::string_view left, std::string_view right);
  void strip();

 private:
  void note(std::string_view added);

  std::string text_;
  std::string next_;
  std::array<bool, 256> seen_{};
  bool has_non_ascii_ = false;
};

// Whether `text` holds `part` at `at`.
inline bool has_at(std::string_view text, size_t at, std::string_view part) {
  return text.substr(at, part.size()) == part;
}

inline bool is_one_of(char c, std::string_view set) {
  return set.find(c) != std::string_view::npos;
}

}  // namespace snellen::text
