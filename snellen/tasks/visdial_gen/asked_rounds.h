// SPDX-License-Identifier: Apache-2.0
// The rounds that a model is asked to answer, and what it is told of their dialogs.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "snellen/annotations/visdial/dialog_file.h"

namespace snellen::tasks::visdial_gen {

// Const methods are safe from many threads.
class AskedRounds {
 public:
  // The rounds of `keys`, which are sorted. Throws kInvalidInput where the dialogs lack some.
  AskedRounds(const std::filesystem::path& dialogs,
              std::span<const annotations::DialogKey> keys,
              size_t num_answers);

  // What is asked about the round of a key: how to answer, the caption, the questions and recorded
  // answers before it, each a line; the last line is the question.
  std::string prompt(size_t key) const;
  std::string image_name(size_t key) const;

 private:
  annotations::DialogFile dialogs_;
  size_t num_answers_;
  std::vector<uint32_t> rounds_;  // of the file, one per key
};

// The answers in a model's reply: the whole reply on one line where one was asked for, else its
// first lines that are not blank, without the number or dash that some models put before each.
// Those of a questions::answer_list stay as they are.
std::vector<std::string> answers_in(std::string_view reply, size_t num_answers);

}  // namespace snellen::tasks::visdial_gen
