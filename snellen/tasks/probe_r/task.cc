// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/probe_r/task.h"

#include <cmath>

#include <fmt/format.h>

#include "snellen/annotations/probe/probe_files.h"
#include "snellen/annotations/record.h"
#include "snellen/metrics/vilma/four_decimals.h"
#include "snellen/stats/sum.h"
#include "snellen/tasks/image_folder.h"
#include "snellen/tasks/judged.h"
#include "snellen/tasks/mapped_features.h"
#include "snellen/tasks/seed_json.h"
#include "snellen/tasks/shared_settings.h"
#include "snellen/tasks/typed_task.h"

namespace snellen::tasks::probe_r {
namespace {

namespace fs = std::filesystem;
using annotations::ProbeRFile;
using annotations::ProbeRGroup;

// The keys of every image block in the published files, in their order; obj2_vs_rel2 is never
// filled.
constexpr std::array<std::string_view, 3> kImageKeys = {"rel1_image", "obj1_images", "obj3_images"};
constexpr std::array<std::string_view, 8> kNames = {"rel1_vs_rel3",
                                                    "rel1_vs_obj1",
                                                    "rel1_vs_rel2",
                                                    "obj1_vs_rel1",
                                                    "obj2_vs_rel2",
                                                    "obj3_vs_obj1",
                                                    "obj1_vs_obj3",
                                                    "obj1_vs_rel2"};

struct ProbeRSettings {
  std::string foil = "subject";  // --switch: what the foil prompt swaps
  bool skips_obj3 = false;
  Average average = Average::kLogits;
  Finetuned finetuned = {};  // for the names of results
};

std::vector<config::Option> own_options() {
  using config::option;
  using S = ProbeRSettings;
  return {
      option(&S::foil, "switch", "what the foil prompt swaps").choices({"subject", "object"}),
      option(&S::skips_obj3, "skip-obj3", "leave out the images of the foil subject"),
      // A score is linear in the picture's features, so their mean gives the mean of the logits.
      option(&S::average,
             "obj-average",
             "what is averaged over the images of a group; features: the same as logits",
             {{"logits", Average::kLogits},
              {"features", Average::kLogits},
              {"probs", Average::kProbabilities}})};
}

std::vector<config::Option> finetuned_options() {
  using config::option;
  return {option(&Finetuned::stream, "stream", "fine-tuned CLIP: which encoders, for result names")
              .choices({"v", "t", "vt"})
              .identity(false),
          option(&Finetuned::alpha,
                 "alpha",
                 "fine-tuned CLIP: share of its weights, for result names; --compat: 0.2")
              .range(0, 1)
              .identity(false)};
}

fs::path annotation_file(const config::Options& options, bool is_compat) {
  std::string name = fmt::format("relation_eval_{}.json", options.get<ProbeRSettings>().foil);
  const fs::path& folder = options.get<SharedSettings>().data;
  fs::path nested = folder / "data" / "visual_genome" / name;
  return is_compat ? nested : first_existing(folder / name, nested);
}

std::vector<Column> columns(metrics::Ties ties) {
  std::vector<Column> columns;
  for (const Comparison& one : kComparisons) {
    columns.push_back({.name = fmt::format("{}/{}/conf", one.part, one.name), .chance = 0.5});
    columns.push_back({.name = fmt::format("{}/{}/acc", one.part, one.name),
                       .is_share = ties != metrics::Ties::kHalf,
                       .chance = 0.5});
  }
  return columns;
}

struct Group {
  size_t num_positives = 0;
  size_t num_negatives = 0;
};

class ProbeR : public TypedTask<Group>, public MapsFeatures {
 public:
  explicit ProbeR(const TaskRequest& request)
      : file_(annotation_file(request.options, request.is_compat)),
        // The public download comes as two folders; a flat one is looked at first.
        images_(request.options.get<SharedSettings>().images,
                request.is_compat ? std::vector<std::string>{}
                                  : std::vector<std::string>{"VG_100K", "VG_100K_2"}),
        rules_{.is_compat = request.is_compat,
               .family = probe_family(request.model),
               .average = request.options.get<ProbeRSettings>().average,
               .ties = ties_flag(request.options).value_or(metrics::Ties::kWrong)},
        skips_obj3_(request.options.get<ProbeRSettings>().skips_obj3),
        finetuned_(request.options.get<ProbeRSettings>().finetuned) {
    // The reference's script overrides the flag.
    if (request.is_compat) finetuned_.alpha = Finetuned{}.alpha;
  }

  std::vector<Part> parts() const override { return {{"", file_.elements().size()}}; }
  std::vector<fs::path> inputs() const override { return {file_.elements().path()}; }

  std::vector<Column> columns() const override { return probe_r::columns(rules_.ties); }

  // Figure 3 (right) of the paper: the anchor with its true and its swapped predicate.
  MappedQuestion mapped(const Item&) const override {
    return {{.visual = 0, .texts = {kR1, kR2}}, {"R1", "R2"}};
  }

  Result<ScoreLine> read_score_line(std::string_view line) const override;
  Result<std::string> score_line(const Item& item,
                                 const std::vector<double>& scores) const override;
  std::vector<SeedReport> write_seed_files(const SeedRequest& request,
                                           OutcomeReader& outcomes) const override;

 protected:
  Result<Made> make(uint64_t position) const override {
    Result<ProbeRGroup> group = file_.group(position);
    if (!group) return group.error();
    Item item;
    item.id = group->image_id;
    item.clusters = {group->image_id};
    item.texts = {{group->positive_prompt},
                  {group->negative_prompt},
                  {fmt::format("A photo of {}.", group->positive_object)},
                  {fmt::format("A photo of {}.", group->negative_object)},
                  {group->negative_predicate_prompt}};
    auto ask = [&](std::string name, std::vector<uint32_t> prompts) {
      item.questions.push_back(
          {.visual = static_cast<uint32_t>(item.visuals.size()), .texts = std::move(prompts)});
      item.visuals.push_back(images_.visual(std::move(name)));
    };
    const std::vector<uint32_t> all = {kR1, kR3, kO1, kO3, kR2};
    ask(group->image_id + ".jpg", all);
    for (int64_t id : group->positive_image_ids) ask(fmt::format("{}.jpg", id), all);
    const size_t num_negatives = skips_obj3_ ? 0 : group->negative_image_ids.size();
    for (size_t i = 0; i < num_negatives; ++i)
      ask(fmt::format("{}.jpg", group->negative_image_ids[i]), {kO1, kO3});
    return Made{std::move(item), {group->positive_image_ids.size(), num_negatives}};
  }

  Result<Outcome> decide(const Group& group, const questions::Scores& scores) const override;

 private:
  ProbeRFile file_;
  ImageFolder images_;
  Rules rules_;
  bool skips_obj3_;
  Finetuned finetuned_;
};

// {"image_id":"2317469","anchor":[5],"obj1":[[5],..],"obj3":[[5],..]}
Result<ScoreLine> ProbeR::read_score_line(std::string_view line) const {
  annotations::Record record(line, "");
  std::string item = record.id("image_id");
  if (record.failed()) return record.error();
  std::vector<double> scores = record.numbers("anchor", kNumPrompts);
  auto add_rows = [&](const char* key, bool is_negative) {
    if (!record.has(key)) {
      scores.push_back(std::nan(""));  // the whole list is left out: see judge()
      return;
    }
    for (const std::vector<double>& row : record.rows(key, kNumPrompts)) {
      for (size_t prompt = 0; prompt < kNumPrompts; ++prompt) {
        if (!is_negative || prompt == kO1 || prompt == kO3) scores.push_back(row[prompt]);
      }
    }
  };
  add_rows("obj1", false);
  if (!skips_obj3_) add_rows("obj3", true);
  if (record.failed()) return ScoreLine{item, record.error()};
  return ScoreLine{item, scores};
}

// `count` rows of `width` scores, or a single NaN where a score file leaves the list out.
class RowReader {
 public:
  explicit RowReader(const std::vector<double>& scores) : scores_(scores) {}

  std::vector<Row> take(size_t count, std::span<const Prompt> prompts) {
    std::vector<Row> rows;
    if (at_ < scores_.size() && std::isnan(scores_[at_])) {
      ++at_;
      return rows;
    }
    for (size_t i = 0; i < count; ++i) {
      Row row{};
      for (Prompt prompt : prompts) {
        if (at_ >= scores_.size()) {
          is_short_ = true;
          return {};
        }
        row[prompt] = scores_[at_++];
      }
      rows.push_back(row);
    }
    return rows;
  }
  bool fits() const { return !is_short_ && at_ == scores_.size(); }

 private:
  const std::vector<double>& scores_;
  size_t at_ = 0;
  bool is_short_ = false;
};

constexpr std::array kAll = {kR1, kR3, kO1, kO3, kR2};
constexpr std::array kSubjects = {kO1, kO3};

// Lists that were left out stay out; prompts that negatives are not asked with are 0 and not read.
Result<std::string> ProbeR::score_line(const Item& item, const std::vector<double>& scores) const {
  const Group& group = payload_of(item);
  RowReader reader(scores);
  JsonObject line = {{"image_id", item.id}};
  auto add = [&](const char* key, const std::vector<Row>& rows) {
    if (!rows.empty()) line.add({{key, rows}});
  };
  for (const Row& row : reader.take(1, kAll)) line.add({{"anchor", row}});
  add("obj1", reader.take(group.num_positives, kAll));
  if (!skips_obj3_) add("obj3", reader.take(group.num_negatives, kSubjects));
  SNELLEN_CHECK(reader.fits());
  return line.as_utf8().text;
}

Result<Outcome> ProbeR::decide(const Group& group, const questions::Scores& scores) const {
  RowReader reader(scores.values);
  GroupScores rows{};
  std::vector<Row> anchor = reader.take(1, kAll);
  rows.positives = reader.take(group.num_positives, kAll);
  if (!skips_obj3_) rows.negatives = reader.take(group.num_negatives, kSubjects);
  if (anchor.empty() || !reader.fits()) {
    return Error{
        ErrorCode::kInvalidInput,
        fmt::format(
            "has {} scores, expected {}: one anchor, {} positive and {} negative images",
            scores.values.size(),
            (1 + group.num_positives) * kAll.size() + group.num_negatives * kSubjects.size(),
            group.num_positives,
            group.num_negatives),
        "",
        "score the images that the annotation lists, in its order"};
  }
  rows.anchor = anchor.front();
  return judge_group(rows, rules_);
}

std::vector<SeedReport> ProbeR::write_seed_files(const SeedRequest& request,
                                                 OutcomeReader& outcomes) const {
  SeedJson raw(non_finite_of(request.is_compat));
  for (const char* block : {"rel_diff", "acc"}) {
    for (std::string_view image : kImageKeys) {
      for (std::string_view name : kNames) raw.list({block, std::string(image), std::string(name)});
    }
  }
  std::array<stats::Sum, 2 * kComparisons.size()> sums;
  std::array<uint64_t, 2 * kComparisons.size()> counts{};
  auto keys_of = [](size_t column) -> std::vector<std::string> {
    const Comparison& one = kComparisons[column / 2];
    return {
        column % 2 == 0 ? "rel_diff" : "acc", std::string(one.image_key), std::string(one.name)};
  };
  outcomes.for_each_scored("", [&](const StoredItem& item) {
    for (size_t column = 0; column < counts.size(); ++column) {
      double value = item.outcome.values[column];
      if (std::isnan(value)) continue;
      raw.list(keys_of(column))
          .add(column % 2 == 0 ? python_float(value)
               : value == 0.5  ? "0.5"  // only --ties half gives it
               : value == 1.0  ? "1"
                               : "0");
      sums[column].add(value);
      ++counts[column];
    }
  });
  SeedReport report;
  SeedJson numbers(non_finite_of(request.is_compat));
  for (const char* block : {"rel_diff", "acc"}) {
    for (std::string_view image : kImageKeys) {
      for (std::string_view name : kNames) {
        std::vector<std::string> keys = {block, std::string(image), std::string(name)};
        numbers.put(keys, "[]");
        for (size_t column = 0; column < counts.size(); ++column) {
          if (counts[column] == 0 || keys_of(column) != keys) continue;
          double mean = sums[column].value() / static_cast<double>(counts[column]);
          double rounded =
              column % 2 == 0 ? metrics::round_mean(mean) : metrics::round_probe_r_accuracy(mean);
          numbers.put_float(keys, rounded);
          report.log_lines.push_back(fmt::format(
              "{} {} {}: {} over {} groups", block, image, name, rounded, counts[column]));
        }
      }
    }
  }
  fs::path top = fs::path("relational_text_eval") / request.tag;
  report.log_folder = top;
  const fs::path name = fs::path("results") / probe_r_name(request.model, finetuned_);
  report.results_folder = top / name;
  auto write = [&](SeedJson& json, const fs::path& folder, const char* file) {
    report.files.push_back(folder / file);
    json.write(request.folder / report.files.back());
  };
  const char* aggregation = "eval_aggregation_relation_understanding.json";
  write(raw, report.results_folder, "eval_relation_understanding.json");
  if (!request.is_compat)
    write(numbers, report.results_folder, "eval_aggregated_relation_understanding.json");
  if (request.is_compat || request.wants_compat_names)
    write(numbers, report.results_folder, aggregation);
  if (request.wants_compat_names) {
    // The public notes call the folder otherwise than the script does.
    const fs::path noted = fs::path("relation_text_eval") / request.tag / name;
    write(raw, noted, "eval_relation_understanding.json");
    write(numbers, noted, aggregation);
  }
  return {report};
}

TaskFacts facts() {
  return {
      .name = "probe-r",
      .summary = "does the model reject an impossible predicate or subject?",
      .paper = "arXiv 2304.03659",
      .data =
          "relation_eval_subject.json and Visual Genome images (CC BY 4.0), brought by the user",
      .settings = {config::Block(
          ProbeRSettings{},
          config::joined(
              {own_options(), config::nested(&ProbeRSettings::finetuned, finetuned_options())}))},
      .columns = columns(metrics::Ties::kWrong),
      .images = "vg"};
}

}  // namespace
}  // namespace snellen::tasks::probe_r

namespace snellen::tasks {

std::unique_ptr<TaskEntry> make_probe_r();
std::unique_ptr<TaskEntry> make_probe_r() {
  return task_entry<probe_r::ProbeR>(probe_r::facts());
}

}  // namespace snellen::tasks
