// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/probe_c/task.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "snellen/annotations/probe/attribute_table.h"
#include "snellen/annotations/probe/probe_files.h"
#include "snellen/annotations/record.h"
#include "snellen/base/json_object.h"
#include "snellen/metrics/vilma/four_decimals.h"
#include "snellen/stats/parallel.h"
#include "snellen/stats/sum.h"
#include "snellen/tasks/image_folder.h"
#include "snellen/tasks/judged.h"
#include "snellen/tasks/probe_compat.h"
#include "snellen/tasks/seed_json.h"
#include "snellen/tasks/shared_settings.h"
#include "snellen/tasks/typed_task.h"

namespace snellen::tasks::probe_c {

Outcome judge_group(const metrics::FourScores& scores,
                    bool is_transposed,
                    metrics::Ties ties,
                    bool are_shares_per_image) {
  metrics::FourScores f = scores;
  if (is_transposed) std::swap(f[0][1], f[1][0]);
  return outcome_of(metrics::judge_winoground(f, ties, are_shares_per_image));
}

namespace {

namespace fs = std::filesystem;
using annotations::ProbeCFile;

struct Split {
  std::string name;
  ProbeCFile file;
};

struct ProbeCSettings {
  std::string split = "auto";
};

fs::path annotation_file(const config::Options& options, std::string_view split) {
  const char* stem = split == "composition" ? "compositional" : "object";
  return options.get<SharedSettings>().data / fmt::format("data_{}_switch.json", stem);
}

// Both, unless one was asked for or only one is there.
std::vector<std::string> split_names(const config::Options& options) {
  const std::string& split = options.get<ProbeCSettings>().split;
  if (split != "both" && split != "auto") return {split};
  bool has_composition = fs::exists(annotation_file(options, "composition"));
  bool has_object = fs::exists(annotation_file(options, "object"));
  if (split == "auto" && has_composition != has_object)
    return {has_composition ? "composition" : "object"};
  return {"composition", "object"};
}

std::vector<Split> open_splits(const config::Options& options) {
  std::vector<Split> splits;
  for (const std::string& name : split_names(options)) {
    fs::path path = annotation_file(options, name);
    if (!fs::exists(path)) {
      const std::string other = name == "object" ? "composition" : "object";
      throw Error{ErrorCode::kNotFound,
                  "no annotation file here",
                  path.string(),
                  fs::exists(annotation_file(options, other))
                      ? fmt::format("leave this split out with --split {}", other)
                      : ""};
    }
    splits.push_back({name, ProbeCFile(path)});
  }
  return splits;
}

// A group is its four scores: nothing more is needed to judge it.
struct Group {};

class ProbeC : public TypedTask<Group> {
 public:
  explicit ProbeC(const TaskRequest& request)
      : splits_(open_splits(request.options)),
        images_(request.options.get<SharedSettings>().images),
        is_transposed_(request.is_compat && probe_family(request.model) == ProbeFamily::kFlava),
        is_split_chosen_(request.options.is_set("split")),
        ties_(ties_flag(request.options).value_or(metrics::Ties::kWrong)) {}

  std::vector<Part> parts() const override {
    std::vector<Part> parts;
    for (const Split& split : splits_) parts.push_back({split.name, split.file.elements().size()});
    return parts;
  }

  std::vector<fs::path> inputs() const override {
    std::vector<fs::path> paths;
    for (const Split& split : splits_) paths.push_back(split.file.elements().path());
    return paths;
  }

  std::vector<Column> columns() const override {
    return columns_of(metrics::winoground_columns(), ties_);
  }

  // {"split":"composition","index":0,"scores":[[f11,f12],[f21,f22]]}
  Result<ScoreLine> read_score_line(std::string_view line) const override {
    annotations::Record record(line, "");
    std::string item = fmt::format("{}/{}", record.text("split"), record.integer("index"));
    if (record.failed()) return record.error();
    std::vector<std::vector<double>> rows = record.rows("scores", 2);
    if (!record.failed() && rows.size() != 2)
      record.fail(fmt::format("'scores' has {} rows, expected 2", rows.size()));
    if (record.failed()) return ScoreLine{item, record.error()};
    return ScoreLine{item, std::vector<double>{rows[0][0], rows[0][1], rows[1][0], rows[1][1]}};
  }

  bool is_left_out(std::string_view item) const override {
    return is_split_chosen_ && (item.starts_with("composition/") || item.starts_with("object/"));
  }

  Result<std::string> score_line(const Item& item,
                                 const std::vector<double>& scores) const override {
    size_t slash = item.id.rfind('/');
    SNELLEN_CHECK(slash != std::string::npos && scores.size() == 4);
    return json_object(
               {{"split", item.id.substr(0, slash)},
                {"index", JsonText{item.id.substr(slash + 1)}},
                {"scores",
                 std::vector<std::vector<double>>{{scores[0], scores[1]}, {scores[2], scores[3]}}}})
        .text;
  }

  std::vector<SeedReport> write_seed_files(const SeedRequest& request,
                                           OutcomeReader& outcomes) const override;

 protected:
  Result<Made> make(uint64_t position) const override {
    uint64_t index = position;
    const Split* split = splits_.data();
    while (index >= split->file.elements().size()) index -= (split++)->file.elements().size();
    Result<annotations::ProbeCGroup> group = split->file.group(index);
    if (!group) return group.error();
    Item item;
    item.id = fmt::format("{}/{}", split->name, index);
    item.clusters = {group->img1_id, group->img2_id};
    item.category = attributes_.category_of(group->img1_composition);
    auto picture = [&](const std::string& file, const std::string& id) {
      return images_.visual(file.empty() ? annotations::coco_val2014_name(id) : file);
    };
    item.visuals = {picture(group->img1_file, group->img1_id),
                    picture(group->img2_file, group->img2_id)};
    item.texts = {{group->img1_prompt}, {group->img2_prompt}};
    item.questions = {{.visual = 0, .texts = {0, 1}}, {.visual = 1, .texts = {0, 1}}};
    item.right = {{0, 0}, {1, 1}};
    return Made{std::move(item), {}};
  }

  Result<Outcome> decide(const Group&, const questions::Scores& scores) const override {
    const std::vector<double>& f = scores.values;
    if (f.size() != 4) {
      return Error{ErrorCode::kInvalidInput,
                   fmt::format("has {} scores, expected 2 x 2", f.size())};
    }
    const bool is_choice = scores.kind == questions::ScoreKind::kChoice;
    if (is_choice && is_transposed_)
      return Error{ErrorCode::kInvalidInput,
                   "the scores are shares among the texts of one picture and compare no pictures",
                   "",
                   "take --score yes, or leave out the transposed reading"};
    return judge_group({{{f[0], f[1]}, {f[2], f[3]}}}, is_transposed_, ties_, is_choice);
  }

 private:
  std::vector<Split> splits_;
  ImageFolder images_;
  bool is_transposed_;
  bool is_split_chosen_;
  metrics::Ties ties_;
  annotations::AttributeTable attributes_;
};

constexpr size_t kSeedBlock = 4096;

struct SeedColumn {
  std::vector<std::string> keys;
  metrics::WinogroundColumn column;
  bool is_share;
};

// The published files' keys, in their order.
const std::vector<SeedColumn>& seed_columns() {
  static const std::vector<SeedColumn> columns = {
      {{"rel_diff", "image1", "prompt1"}, metrics::kImage1Prompt1, false},
      {{"rel_diff", "image1", "prompt2"}, metrics::kImage1Prompt2, false},
      {{"rel_diff", "image2", "prompt1"}, metrics::kImage2Prompt1, false},
      {{"rel_diff", "image2", "prompt2"}, metrics::kImage2Prompt2, false},
      {{"acc", "text_correct"}, metrics::kText, true},
      {{"acc", "image_correct"}, metrics::kImage, true},
      {{"acc", "group_correct"}, metrics::kGroup, true},
  };
  return columns;
}

// A half, which only --ties half gives, cannot be said as true or false.
std::string decision_word(double value) {
  if (value == 0.5) return "0.5";
  if (std::isnan(value)) return "null";
  return value == 1.0 ? "true" : "false";
}

// Where a split's files go. In compat the tag keeps its slashes and the folder variable grows
// inside the loop over the splits, so that the object split lands in results/results.
fs::path results_folder(const SeedRequest& request, size_t split, bool is_compat) {
  fs::path top = "compositional_text_eval";
  if (!is_compat) return top / request.tag / "results";
  fs::path nested = stays_inside(request.model) ? fs::path(request.model) : fs::path(request.tag);
  return split == 0 ? top / nested / "results" : top / nested / "results" / "results";
}

std::vector<SeedReport> ProbeC::write_seed_files(const SeedRequest& request,
                                                 OutcomeReader& outcomes) const {
  SeedReport report;
  report.results_folder = results_folder(request, 0, request.is_compat);
  report.log_folder = report.results_folder.parent_path();
  for (size_t number = 0; number < splits_.size(); ++number) {
    const Split& split = splits_[number];
    SeedJson raw(non_finite_of(request.is_compat));
    SeedJson aggregated(non_finite_of(request.is_compat));
    std::vector<stats::Sum> sums(seed_columns().size());
    uint64_t count = 0;
    std::vector<SpillList*> lists;
    for (const SeedColumn& column : seed_columns()) lists.push_back(&raw.list(column.keys));
    // A block of groups at a time, its columns side by side.
    std::vector<std::vector<double>> block;
    auto add_block = [&] {
      stats::for_ranges(lists.size(), request.num_threads, [&](uint64_t first, uint64_t last) {
        for (uint64_t i = first; i < last; ++i) {
          const SeedColumn& column = seed_columns()[i];
          for (const std::vector<double>& values : block) {
            double value = values[column.column];
            lists[i]->add(column.is_share ? decision_word(value) : python_float(value));
            sums[i].add(value);
          }
        }
      });
      block.clear();
    };
    outcomes.for_each_scored(split.name, [&](const StoredItem& item) {
      ++count;
      block.push_back(item.outcome.values);
      if (block.size() == kSeedBlock) add_block();
    });
    add_block();
    for (size_t i = 0; i < sums.size(); ++i) {
      const std::vector<std::string>& keys = seed_columns()[i].keys;
      if (count == 0) {
        aggregated.put(keys, "[]");
        continue;
      }
      double rounded = metrics::round_mean(sums[i].value() / static_cast<double>(count));
      aggregated.put_float(keys, rounded);
      report.log_lines.push_back(fmt::format(
          "{} {} {}: {} over {} groups", split.name, keys[1], keys.back(), rounded, count));
    }
    auto write = [&](SeedJson& json, const char* prefix, bool is_compat) {
      std::string name =
          fmt::format("{}_compositional_switching_{}_understanding.json", prefix, split.name);
      report.files.push_back(results_folder(request, number, is_compat) / name);
      json.write(request.folder / report.files.back());
    };
    write(raw, "eval", request.is_compat);
    write(aggregated, "eval_aggregated", request.is_compat);
    bool has_other_place =
        results_folder(request, number, true) != results_folder(request, number, false);
    if (!request.is_compat && request.wants_compat_names && has_other_place) {
      write(raw, "eval", true);
      write(aggregated, "eval_aggregated", true);
    }
  }
  return {report};
}

TaskFacts facts() {
  return {
      .name = "probe-c",
      .summary = "does the model bind attribute to noun?",
      .paper = "arXiv 2304.03659",
      .data =
          "data_{compositional,object}_switch.json and COCO val2014 (CC BY 4.0), "
          "brought by the user",
      .settings = {config::Block(
          ProbeCSettings{},
          {config::option(&ProbeCSettings::split, "split", "which split; auto: those that exist")
               .choices({"auto", "composition", "object", "both"})})},
      .parts = {"composition", "object"},
      .columns = columns_of(metrics::winoground_columns(), metrics::Ties::kWrong),
      .metric = "winoground",
      .images = "coco"};
}

}  // namespace
}  // namespace snellen::tasks::probe_c

namespace snellen::tasks {

std::unique_ptr<TaskEntry> make_probe_c();
std::unique_ptr<TaskEntry> make_probe_c() {
  return task_entry<probe_c::ProbeC>(probe_c::facts());
}

}  // namespace snellen::tasks
