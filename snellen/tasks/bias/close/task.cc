// SPDX-License-Identifier: Apache-2.0
// Answers to close-ended questions that were given elsewhere; the catalogue entry.
#include <map>
#include <set>

#include <fmt/format.h>

#include "snellen/tasks/bias/answer_file.h"
#include "snellen/tasks/bias/close/close_task.h"
#include "snellen/tasks/bias/close/pooled.h"
#include "snellen/tasks/bias/entry.h"

namespace snellen::tasks::bias_close {
namespace {

namespace fs = std::filesystem;
using annotations::CloseRow;
using annotations::TableRow;

constexpr size_t kMostSubsets = 64;

// VLBiasBench counts `idx` anew in every file, so only `id` is taken to name an item by itself.
std::string item_id(TableRow& row, const CloseRow& record) {
  std::string id = record.id;
  if (!row.has("id")) {
    for (const std::string& part : {record.category, record.subset}) {
      if (!part.empty()) id = fmt::format("{}/{}", part, id);
    }
  }
  return id + repeat_suffix(row.integer("replicate").value_or(0), row.integer("order").value_or(0));
}

class AnsweredBiasClose : public CloseTask {
 public:
  explicit AnsweredBiasClose(const TaskRequest& request)
      : CloseTask(request),
        file_(open_answers(request.options)),
        questions_(QuestionFile::open(request.options)) {
    place_records();
  }

  std::vector<fs::path> inputs() const override {
    std::vector<fs::path> paths = {file_.path()};
    if (questions_) paths.push_back(questions_->path());
    return paths;
  }

  Result<Made> make(uint64_t position) const override {
    TableRow row = file_.row(records_.at(position));
    Result<CloseRow> record = read(row);
    if (!record) return record.error();
    Item item;
    item.id = item_id(row, *record);
    Result<metrics::CloseRecord> answered = record_of(*record, item.id, row.where(), is_compat());
    if (!answered) return answered.error();
    item.clusters = {answered->image};
    item.category = answered->category;
    return Made{std::move(item), {.record = std::move(answered).value()}};
  }

  Result<Outcome> decide(const ClosePayload& payload, const questions::Scores&) const override {
    return judged(payload.record);
  }

 private:
  // The record of a row: its own question, or that of --questions with this row's answer.
  Result<CloseRow> read(TableRow& row) const {
    if (row.failed()) return row.error();
    if (std::optional<Error> failure = recorded_failure(row)) return *failure;
    if (!has_answer(row)) row.fail("'answer' is missing");
    if (!questions_) return annotations::read_close_row(row);
    Result<annotations::AnswerRow> answer = annotations::read_answer_row(row);
    if (!answer) return answer.error();
    Result<CloseRow> question = questions_->question(answer->id);
    if (!question) return question.error();
    CloseRow record = std::move(question).value();
    record.answer = answer->raw;
    record.presented = answer->presented;
    for (size_t option : record.presented) {
      if (option < record.options.size()) continue;
      row.fail(
          fmt::format("'presented' holds {}, there are {} options", option, record.options.size()));
      return row.error();
    }
    return record;
  }

  // Sorts the records into the parts, one per subset. A record that cannot be read is counted with
  // the one before it.
  void place_records() {
    std::vector<std::string> subsets(file_.size());
    std::vector<size_t> num_options(file_.size());  // 0: the record cannot be read
    std::set<std::string> names;
    std::string last;
    bool has_last = false;
    for (size_t number = 0; number < file_.size(); ++number) {
      TableRow row = file_.row(number);
      Result<CloseRow> record = read(row);
      if (record) {
        last = record->subset;
        has_last = true;
        names.insert(last);
        num_options[number] =
            record->presented.empty() ? record->options.size() : record->presented.size();
      }
      subsets[number] = last;
    }
    if (!has_last || names.empty()) names.insert("");
    if (names.size() > kMostSubsets) {
      throw Error{ErrorCode::kInvalidInput,
                  fmt::format("has {} subsets, expected at most {}", names.size(), kMostSubsets),
                  file_.path().string(),
                  "'subset' names a part of the benchmark such as base or scene"};
    }
    // Unreadable records before the first good one.
    std::string first = *names.begin();
    std::map<std::string, std::vector<uint32_t>> by_subset;
    for (const std::string& name : names) by_subset[name];
    for (size_t number = 0; number < subsets.size(); ++number) {
      auto found = by_subset.find(subsets[number]);
      (found == by_subset.end() ? by_subset[first] : found->second)
          .push_back(static_cast<uint32_t>(number));
    }
    for (const auto& [name, numbers] : by_subset) {
      parts_.push_back({name.empty() && by_subset.size() > 1 ? kNoSubset : name, numbers.size()});
      records_.insert(records_.end(), numbers.begin(), numbers.end());
      chance_.begin_part();
      for (const uint32_t number : numbers) chance_.add(num_options[number]);
    }
  }

  annotations::TableFile file_;
  std::optional<QuestionFile> questions_;
  std::vector<uint32_t> records_;  // position -> record of the file
};

TaskFacts facts() {
  return {.name = "bias-close",
          .summary = "does the model pick stereotyped options?",
          .paper = "arXiv 2406.14194",
          .data = "VLBiasBench close-ended questions, or answers to them, brought by the user",
          .settings = {answer_block(), question_block()},
          .reads_results = true,
          .parts = {"base", "scene", "scene_text", "text"},
          .columns = bias_close::columns(),
          .images = "vlbias"};
}

}  // namespace
}  // namespace snellen::tasks::bias_close

namespace snellen::tasks {

std::unique_ptr<TaskEntry> make_bias_close();
std::unique_ptr<TaskEntry> make_bias_close() {
  return std::make_unique<ChosenTaskEntry>(
      bias_close::facts(), [](const TaskRequest& request) -> std::unique_ptr<Task> {
        if (is_asked(request)) return bias_close::open_asked(request);
        return std::make_unique<bias_close::AnsweredBiasClose>(request);
      });
}

}  // namespace snellen::tasks
