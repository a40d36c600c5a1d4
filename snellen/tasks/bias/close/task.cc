// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include <fmt/format.h>

#include "snellen/metrics/bias/close_ended.h"
#include "snellen/metrics/bias/close_ended_compat.h"
#include "snellen/tasks/bias/answer_file.h"
#include "snellen/tasks/bias/close/pooled.h"
#include "snellen/tasks/seed_json.h"
#include "snellen/tasks/typed_task.h"

namespace snellen::tasks::bias_close {
namespace {

namespace fs = std::filesystem;
using annotations::CloseRow;
using annotations::TableRow;
using text::AnswerRule;

constexpr size_t kMostSubsets = 64;
constexpr const char* kNoSubset = "no-subset";

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

class BiasClose : public TypedTask<metrics::CloseRecord> {
 public:
  explicit BiasClose(const TaskRequest& request)
      : file_(open_answers(request.options)),
        questions_(QuestionFile::open(request.options)),
        rule_(answer_rule(request.options, request.is_compat)),
        is_compat_(request.is_compat) {
    place_records();
  }

  std::vector<Part> parts() const override { return parts_; }
  std::vector<Column> columns() const override { return bias_close::columns(); }
  std::vector<fs::path> inputs() const override {
    std::vector<fs::path> paths = {file_.path()};
    if (questions_) paths.push_back(questions_->path());
    return paths;
  }

  Result<Made> make(uint64_t position) const override {
    TableRow row = file_.row(records_.at(position));
    Result<CloseRow> record = read(row);
    if (!record) return record.error();
    std::optional<size_t> label =
        metrics::label_or_default(record->label, record->condition, record->unknown);
    if (!label && !is_compat_) {
      return Error{ErrorCode::kInvalidInput,
                   "has no label, and is not ambiguous",
                   row.where(),
                   "say which option is right in 'label', or leave the item out"};
    }
    Item item;
    item.id = item_id(row, *record);
    item.clusters = {record->image.empty() ? item.id : record->image};
    item.category = record->category;
    metrics::CloseRecord answered{.id = item.id,
                                  .image = item.clusters.front(),
                                  .subset = {},
                                  .category = item.category,
                                  .condition = record->condition,
                                  .options = record->options,
                                  .unknown = record->unknown,
                                  .label = label,
                                  .answer = record->answer.value_or(""),
                                  .presented = record->presented};
    return Made{std::move(item), std::move(answered)};
  }

  Result<Outcome> decide(const metrics::CloseRecord& record,
                         const questions::Scores&) const override {
    metrics::CloseOutcome judged = metrics::judge_close(record, rule_);
    bool is_literal =
        is_compat_ && (rule_ == AnswerRule::kParen || rule_ == AnswerRule::kParenFallback);
    if (is_literal)
      judged.is_right = metrics::is_right_in_compat(record, rule_ == AnswerRule::kParenFallback);
    bool is_parsed = judged.parsed.status == text::AnswerStatus::kParsed;
    auto share = [](bool holds) { return holds ? 1.0 : 0.0; };
    Detail detail{.condition = record.condition,
                  .status = std::string(text::name_of(judged.parsed.status)),
                  .rule = std::string(judged.parsed.rule),
                  .is_unknown = is_literal ? metrics::says_c(record.answer) : judged.is_unknown};
    Outcome outcome;
    outcome.values = {share(judged.is_right),
                      is_parsed ? share(judged.is_right) : std::numeric_limits<double>::quiet_NaN(),
                      share(is_parsed),
                      share(judged.parsed.status == text::AnswerStatus::kRefusal),
                      share(judged.is_unknown)};
    outcome.is_correct = judged.is_right;
    outcome.named = detail.named();
    return outcome;
  }

  Result<ScoreLine> read_score_line(std::string_view line) const override {
    (void)line;
    return Error{ErrorCode::kUsage,
                 "bias-close takes answers, not scores",
                 "--scores",
                 "name them with --answers"};
  }

  std::vector<metrics::Measurement> pooled(OutcomeReader& outcomes,
                                           const PooledOptions& options) const override {
    return pooled_metrics(parts_, outcomes, options);
  }

  // score.json with the keys of the earlier public scorer: by its rules in compat, else by ours.
  std::vector<SeedReport> write_seed_files(const SeedRequest& request,
                                           OutcomeReader& outcomes) const override {
    metrics::CloseScores scores;
    for (const Part& part : parts_) {
      outcomes.for_each_scored(part.name, [&](const StoredItem& item) {
        const Detail detail = Detail::of(item.outcome.named);
        scores.add(part.name,
                   detail.condition,
                   item.outcome.is_correct.value_or(false),
                   detail.is_unknown);
      });
    }
    SeedReport report;
    report.results_folder = fs::path("close_ended") / request.tag;
    report.log_folder = report.results_folder;
    SeedJson json(NonFinite::kNull);
    for (const auto& [key, value] : scores.scores()) {
      json.put({key}, value ? python_float(*value) : "null");
      if (value) report.log_lines.push_back(fmt::format("{}: {}", key, *value));
    }
    report.files.push_back(report.results_folder / "score.json");
    json.write(request.folder / report.files.back());
    return {report};
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
    }
  }

  annotations::TableFile file_;
  std::optional<QuestionFile> questions_;
  AnswerRule rule_;
  bool is_compat_;
  std::vector<Part> parts_;
  std::vector<uint32_t> records_;  // position -> record of the file
};

TaskFacts facts() {
  return {.name = "bias-close",
          .summary = "does the model pick stereotyped options?",
          .paper = "arXiv 2406.14194",
          .data = "answers to VLBiasBench close-ended questions, brought by the user",
          .settings = {answer_block()},
          .reads_results = true,
          .parts = {"base", "scene", "scene_text", "text"},
          .columns = bias_close::columns()};
}

}  // namespace
}  // namespace snellen::tasks::bias_close

namespace snellen::tasks {

std::unique_ptr<TaskEntry> make_bias_close();
std::unique_ptr<TaskEntry> make_bias_close() {
  return task_entry<bias_close::BiasClose>(bias_close::facts());
}

}  // namespace snellen::tasks
