// SPDX-License-Identifier: Apache-2.0
// Bytes of a pipe into lines, with bounded memory. One thread at a time.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace snellen::models::exec {

// Whole lines, none lost; the writer of a line that is too long is no longer listened to.
class AnswerLines {
 public:
  explicit AnswerLines(size_t most_bytes) : most_bytes_(most_bytes) {}

  void add(std::string_view bytes);
  // The next line without its newline.
  std::optional<std::string> next();
  // What was added since the last newline is longer than allowed.
  bool is_too_long() const { return under_way_.size() > most_bytes_; }

 private:
  size_t most_bytes_;
  std::string under_way_;
  std::deque<std::string> lines_;
};

// What an adapter writes for people: cut to a bounded number of lines of bounded length. Of a line
// that was drawn over and over (a progress bar) only what stood there last is shown; control
// characters are not passed on.
class StderrLines {
 public:
  using Say = std::function<void(std::string_view line)>;
  explicit StderrLines(Say say) : say_(std::move(say)) {}

  void add(std::string_view bytes);
  // A last line without a newline.
  void finish();
  // The last line that held anything, for the message when the adapter ends.
  const std::string& last() const { return last_; }

 private:
  void show();

  Say say_;
  std::string line_;
  std::string drawn_;  // before a carriage return
  std::string last_;
  size_t num_shown_ = 0;
};

}  // namespace snellen::models::exec
