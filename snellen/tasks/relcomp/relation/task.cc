// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "snellen/annotations/record.h"
#include "snellen/base/json_object.h"
#include "snellen/metrics/choice/pair_choice.h"
#include "snellen/tasks/image_folder.h"
#include "snellen/tasks/judged.h"
#include "snellen/tasks/relcomp/task.h"
#include "snellen/tasks/shared_settings.h"
#include "snellen/tasks/typed_task.h"

namespace snellen::tasks::relcomp_relation {
namespace {

namespace fs = std::filesystem;

constexpr size_t kNumPrompts = 3;  // the right one, foil predicate, foil subject

// `acc` is the mean of the two comparisons, as Table 3 takes Probe-R's.
std::vector<Column> columns(metrics::Ties ties) {
  const bool is_share = ties != metrics::Ties::kHalf;
  return {{.name = "acc", .chance = 0.5},
          {.name = "predicate/acc", .is_share = is_share, .chance = 0.5},
          {.name = "predicate/conf", .chance = 0.5},
          {.name = "subject/acc", .is_share = is_share, .chance = 0.5},
          {.name = "subject/conf", .chance = 0.5}};
}

Outcome judge(const std::vector<double>& scores, metrics::Ties ties) {
  Outcome outcome;
  outcome.values = {0};
  for (size_t foil : {size_t{1}, size_t{2}}) {
    const metrics::PairChoice choice = metrics::pair_choice(scores[0], scores[foil]);
    const size_t column = outcome.values.size();
    outcome.values.push_back(
        metrics::credit_of(choice.is_correct, choice.is_correct || choice.is_tied, ties));
    outcome.values.push_back(choice.confidence);
    if (choice.is_tied) outcome.tied_columns |= uint64_t{1} << column | uint64_t{1};
  }
  outcome.values[0] = (outcome.values[1] + outcome.values[3]) / 2;
  const double weaker = std::min(outcome.values[1], outcome.values[3]);
  if (weaker != 0.5) outcome.is_correct = weaker == 1.0;
  outcome.margin = scores[0] - std::max(scores[1], scores[2]);
  return outcome;
}

struct Group {};

class RelCompRelation : public TypedTask<Group> {
 public:
  explicit RelCompRelation(const TaskRequest& request)
      : file_(relcomp::open_samples(request.options)),
        images_(folder_of(request.options), {"VG_100K", "VG_100K_2"}),
        ties_(ties_flag(request.options).value_or(metrics::Ties::kWrong)) {}

  std::vector<Part> parts() const override { return {{"", file_.num_relations()}}; }
  std::vector<Column> columns() const override { return relcomp_relation::columns(ties_); }
  std::vector<fs::path> inputs() const override { return {file_.file().path()}; }

  // {"sample": 0, "scores": [right, foil predicate, foil subject]}
  Result<ScoreLine> read_score_line(std::string_view line) const override {
    annotations::Record record(line, "");
    std::string item = std::to_string(record.integer("sample"));
    if (record.failed()) return record.error();
    std::vector<double> scores = record.numbers("scores", kNumPrompts);
    if (record.failed()) return ScoreLine{item, record.error()};
    return ScoreLine{item, scores};
  }

  Result<std::string> score_line(const Item& item,
                                 const std::vector<double>& scores) const override {
    return json_object({{"sample", JsonText{item.id}}, {"scores", scores}}).text;
  }

 protected:
  Result<Made> make(uint64_t position) const override {
    Result<annotations::RelCompRelation> sample = file_.relation(position);
    if (!sample) return sample.error();
    Item item;
    item.id = std::to_string(position);
    item.clusters = {std::to_string(sample->image)};
    item.visuals = {images_.visual(fmt::format("{}.jpg", sample->image))};
    item.texts = {{sample->prompt}, {sample->foil_predicate_prompt}, {sample->foil_subject_prompt}};
    item.questions = {{.visual = 0, .texts = {0, 1, 2}}};
    item.right = {{0, 0}};
    return Made{std::move(item), {}};
  }

  Result<Outcome> decide(const Group&, const questions::Scores& scores) const override {
    if (scores.values.size() != kNumPrompts) {
      return Error{ErrorCode::kInvalidInput,
                   fmt::format("has {} scores, expected {}", scores.values.size(), kNumPrompts)};
    }
    return relcomp_relation::judge(scores.values, ties_);
  }

 private:
  static fs::path folder_of(const config::Options& options) {
    const fs::path& own = options.get<relcomp::RelCompSettings>().genome_images;
    return own.empty() ? options.get<SharedSettings>().images : own;
  }

  annotations::RelCompFile file_;
  ImageFolder images_;
  metrics::Ties ties_;
};

TaskFacts facts() {
  return {.name = "relcomp-relation",
          .summary = "predicate and subject on RelComp's held-out Visual Genome images",
          .paper = "arXiv 2304.03659",
          .data = "relcomp_val.jsonl of `snellen build relcomp` and Visual Genome (CC BY 4.0)",
          .settings = {relcomp::settings_block()},
          .columns = columns(metrics::Ties::kWrong)};
}

}  // namespace
}  // namespace snellen::tasks::relcomp_relation

namespace snellen::tasks {

std::unique_ptr<TaskEntry> make_relcomp_relation();
std::unique_ptr<TaskEntry> make_relcomp_relation() {
  return task_entry<relcomp_relation::RelCompRelation>(relcomp_relation::facts());
}

}  // namespace snellen::tasks
