// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/exec/line_buffers.h"

#include <utility>

namespace snellen::models::exec {
namespace {

constexpr size_t kMostShownBytes = 1000;
constexpr size_t kMostShownLines = 2000;

}  // namespace

void AnswerLines::add(std::string_view bytes) {
  while (!bytes.empty()) {
    size_t end = bytes.find('\n');
    under_way_.append(bytes.substr(0, end));
    if (end == std::string_view::npos || is_too_long()) return;
    if (!under_way_.empty() && under_way_.back() == '\r') under_way_.pop_back();
    lines_.push_back(std::exchange(under_way_, {}));
    bytes.remove_prefix(end + 1);
  }
}

std::optional<std::string> AnswerLines::next() {
  if (lines_.empty()) return std::nullopt;
  std::string line = std::move(lines_.front());
  lines_.pop_front();
  return line;
}

void StderrLines::add(std::string_view bytes) {
  for (char c : bytes) {
    if (c == '\n') {
      show();
    } else if (c == '\r') {
      if (!line_.empty()) drawn_ = std::exchange(line_, {});
    } else if (line_.size() < kMostShownBytes) {
      auto code = static_cast<unsigned char>(c);
      line_ += (code < 0x20 && c != '\t') || code == 0x7F ? '?' : c;
    }
  }
}

void StderrLines::finish() {
  show();
}

void StderrLines::show() {
  // After a carriage return what was drawn before it still stands there.
  if (line_.empty()) line_ = drawn_;
  drawn_.clear();
  if (line_.empty()) return;
  if (say_ && num_shown_ < kMostShownLines) say_(line_);
  if (say_ && num_shown_ == kMostShownLines) say_("(what it writes from here on is not shown)");
  ++num_shown_;
  last_ = std::exchange(line_, {});
}

}  // namespace snellen::models::exec
