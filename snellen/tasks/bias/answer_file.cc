// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/bias/answer_file.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "snellen/tasks/bias/reply.h"

namespace snellen::tasks {
namespace {

constexpr std::array<std::string_view, 4> kAnswerNames = {
    "answer", "raw", "response", "prediction"};

}  // namespace

config::Block answer_block() {
  using config::option;
  using S = AnswerSettings;
  return {S{},
          {option(&S::answers, "answers", "answers as a JSON array, JSON lines or CSV; -: stdin")
               .identity(false)
               .value("FILE"),
           option(&S::questions,
                  "questions",
                  "`run`: questions to ask (default: VLBiasBench in --data); `score`: those of the "
                  "answers, joined by id (bias-open: by position)")
               .identity(false)
               .value("FILE"),
           option(&S::parser,
                  "parser",
                  "how the text of an answer becomes an option (with --compat: paren_fallback)")
               .choices({"default", "paren", "paren_fallback", "prefix", "first_paren", "mmmu"})}};
}

bool is_asked(const TaskRequest& request) {
  if (reply_of(request) == Reply::kGiven) return false;
  if (request.options.get<AnswerSettings>().answers.empty()) return true;
  throw Error{ErrorCode::kUsage,
              "answers are read by `score`, and a model is named too",
              "--answers",
              "leave it out, or use `snellen score`"};
}

annotations::TableFile open_answers(const config::Options& options) {
  const std::filesystem::path& path = options.get<AnswerSettings>().answers;
  if (path.empty()) {
    throw Error{ErrorCode::kUsage,
                "no file of answers named",
                "--answers",
                "for example --answers answers.jsonl, or --answers - for stdin"};
  }
  annotations::TableFile file(path);
  if (file.size() == 0) {
    throw Error{ErrorCode::kNothingScored,
                "holds no answers",
                path.string(),
                "give a JSON array, JSON lines, or CSV with a header row"};
  }
  return file;
}

text::AnswerRule answer_rule(const config::Options& options, bool is_compat) {
  if (is_compat && !options.is_set("parser")) return text::AnswerRule::kParenFallback;
  return text::answer_rule_of(options.get<AnswerSettings>().parser);
}

bool has_answer(const annotations::TableRow& row) {
  return std::any_of(kAnswerNames.begin(), kAnswerNames.end(), [&](std::string_view name) {
    return row.has(name);
  });
}

std::optional<Error> recorded_failure(annotations::TableRow& row) {
  std::optional<std::string> error = row.text("error");
  if (!error || error->empty()) return std::nullopt;
  return Error{ErrorCode::kInvalidInput,
               fmt::format("the model gave no answer: {}", error->substr(0, 200)),
               row.where(),
               "ask it again, then score"};
}

QuestionFile::QuestionFile(const std::filesystem::path& path) : file_(path) {
  for (size_t number = 0; number < file_.size(); ++number) {
    annotations::TableRow row = file_.row(number);
    Result<annotations::CloseRow> question = annotations::read_close_row(row);
    if (!question) throw question.error();
    auto [found, is_new] = numbers_.emplace(question->id, number);
    if (!is_new) {
      throw Error{
          ErrorCode::kInvalidInput,
          fmt::format(
              "question {} is listed twice, first as record {}", question->id, found->second),
          row.where(),
          "give every question an id of its own"};
    }
  }
}

std::optional<QuestionFile> QuestionFile::open(const config::Options& options) {
  const std::filesystem::path& path = options.get<AnswerSettings>().questions;
  if (path.empty()) return std::nullopt;
  return QuestionFile(path);
}

Result<annotations::CloseRow> QuestionFile::question(const std::string& id) const {
  auto found = numbers_.find(id);
  if (found == numbers_.end()) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("no question has the id {}", id),
                 path().string(),
                 "name the questions the answers were made from with --questions"};
  }
  annotations::TableRow row = file_.row(found->second);
  return annotations::read_close_row(row);
}

std::string repeat_suffix(int64_t replicate, int64_t order) {
  std::string suffix;
  if (replicate != 0) suffix += fmt::format(", replicate {}", replicate);
  if (order != 0) suffix += fmt::format(", order {}", order);
  return suffix;
}

}  // namespace snellen::tasks
