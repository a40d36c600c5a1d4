// SPDX-License-Identifier: Apache-2.0
// What the tasks on bias answers share: their flags, the file of answers and the questions they
// belong to.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "snellen/annotations/bias/bias_answers.h"
#include "snellen/annotations/table_file.h"
#include "snellen/config/options.h"
#include "snellen/tasks/task.h"
#include "snellen/text/answers/answer_parser_compat.h"

namespace snellen::tasks {

// The settings of all tasks on answers.
struct AnswerSettings {
  std::filesystem::path answers;
  std::filesystem::path questions;
  std::string parser = "default";
};
config::Block answer_block();

// Whether the model of the run is asked, and no file read. Throws kUsage where both are wanted.
bool is_asked(const TaskRequest& request);

// The file of --answers. Throws kUsage when none is named, kNothingScored when it holds no record.
annotations::TableFile open_answers(const config::Options& options);

// --parser; in compat, unless it was asked for, the rule of the reference.
text::AnswerRule answer_rule(const config::Options& options, bool is_compat);

// True when the row has a field for the answer, be it null or empty.
bool has_answer(const annotations::TableRow& row);
// The failure an answers.jsonl line records, if it does.
std::optional<Error> recorded_failure(annotations::TableRow& row);

// The questions of --questions, found by id. Const methods are safe from many threads.
class QuestionFile {
 public:
  // Throws kInvalidInput when an id is listed twice.
  explicit QuestionFile(const std::filesystem::path& path);
  // Nothing without the flag.
  static std::optional<QuestionFile> open(const config::Options& options);

  const std::filesystem::path& path() const { return file_.path(); }
  Result<annotations::CloseRow> question(const std::string& id) const;

 private:
  annotations::TableFile file_;
  std::unordered_map<std::string, size_t> numbers_;
};

// ", replicate 1, order 2" behind an id, where they are not the first.
std::string repeat_suffix(int64_t replicate, int64_t order);

}  // namespace snellen::tasks
