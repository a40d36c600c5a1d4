// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/words/rewriter.h"

#include "snellen/text/characters.h"

namespace snellen::text {

Rewriter::Rewriter(std::string text) : text_(std::move(text)) {
  note(text_);
}

void Rewriter::note(std::string_view added) {
  for (char c : added) {
    auto byte = static_cast<unsigned char>(c);
    seen_[byte] = true;
    has_non_ascii_ |= byte >= 0x80;
  }
}

bool Rewriter::may_have_any(std::string_view set) const {
  for (char c : set) {
    if (may_have(c)) return true;
  }
  return false;
}

void Rewriter::replace(std::string_view literal, std::string_view with) {
  if (!may_have(literal[0]) || text_.find(literal) == std::string::npos) return;
  replace_where([&](std::string_view text, size_t at, std::string& out) -> size_t {
    if (!has_at(text, at, literal)) return 0;
    out += with;
    return literal.size();
  });
  note(with);
}

void Rewriter::pad_each(std::string_view set) {
  if (!may_have_any(set)) return;
  replace_where([&](std::string_view text, size_t at, std::string& out) -> size_t {
    if (!is_one_of(text[at], set)) return 0;
    out += ' ';
    out += text[at];
    out += ' ';
    return 1;
  });
  note(" ");
}

void Rewriter::pad_ends() {
  text_.insert(text_.begin(), ' ');
  text_ += ' ';
  note(" ");
}

void Rewriter::drop_space_before(std::string_view set) {
  if (!may_have_any(set)) return;
  replace_where([&](std::string_view text, size_t at, std::string& out) -> size_t {
    if (text[at] != ' ' || at + 1 == text.size() || !is_one_of(text[at + 1], set)) return 0;
    out += text[at + 1];
    return 2;
  });
}

void Rewriter::drop_space_after(std::string_view set) {
  if (!may_have_any(set)) return;
  replace_where([&](std::string_view text, size_t at, std::string& out) -> size_t {
    if (!is_one_of(text[at], set) || at + 1 == text.size() || text[at + 1] != ' ') return 0;
    out += text[at];
    return 2;
  });
}

void Rewriter::keep_space_before(std::string_view set) {
  if (!may_have_any(set)) return;
  replace_where([&](std::string_view text, size_t at, std::string& out) -> size_t {
    if (text[at] != ' ' || at + 2 >= text.size() || text[at + 2] != ' ' ||
        !is_one_of(text[at + 1], set))
      return 0;
    out += ' ';
    out += text[at + 1];
    return 3;
  });
}

void Rewriter::keep_space_after(std::string_view set) {
  if (!may_have_any(set)) return;
  replace_where([&](std::string_view text, size_t at, std::string& out) -> size_t {
    if (text[at] != ' ' || at + 2 >= text.size() || text[at + 2] != ' ' ||
        !is_one_of(text[at + 1], set))
      return 0;
    out += text[at + 1];
    out += ' ';
    return 3;
  });
}

void Rewriter::join(std::string_view left, std::string_view right) {
  if (!may_have_any(left) || !may_have_any(right)) return;
  replace_where([&](std::string_view text, size_t at, std::string& out) -> size_t {
    bool fits = at + 2 < text.size() && text[at + 1] == ' ' && is_one_of(text[at], left) &&
                is_one_of(text[at + 2], right);
    if (!fits) return 0;
    out += text[at];
    out += text[at + 2];
    return 3;
  });
}

void Rewriter::strip() {
  std::string_view text(text_);
  while (size_t space = leading_space(text)) text.remove_prefix(space);
  while (!text.empty()) {
    CodePoint last = decode_before(text, text.size());
    if (!is_space(last.value)) break;
    text.remove_suffix(last.size);
  }
  if (text.size() == text_.size()) return;
  next_.assign(text);
  text_.swap(next_);
}

}  // namespace snellen::text
