// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/probe_b/background/task.h"

#include <array>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "snellen/annotations/probe/probe_files.h"
#include "snellen/tasks/probe_b/filler_task.h"
#include "snellen/tasks/seed_json.h"

namespace snellen::tasks::probe_b_background {
namespace {

namespace fs = std::filesystem;
using annotations::BackgroundFile;
using annotations::BackgroundGroup;
using probe_b::Filler;

struct Group {
  int64_t image_id = 0;
  std::vector<uint8_t> is_present;  // by class of the table
};

class Background : public probe_b::FillerTask<Group, BackgroundFile> {
 public:
  explicit Background(const TaskRequest& request)
      : FillerTask(request,
                   "background_context_dataset.json",
                   probe_b::folders_of(request.options,
                                       request.options.get<SharedSettings>().images,
                                       "val2014_background_removed_dataset")),
        rules_{.is_compat = request.is_compat,
               .family = probe_family(request.model),
               .robustness = robustness_} {
    for (Filler& filler : fillers_) {
      if (folders_.patched.empty()) continue;
      const std::set<std::string> present = probe_b::names_in(folders_.patched / filler.name);
      keep(filler, [&](const BackgroundGroup& group) { return present.contains(group.image); });
    }
  }

  std::vector<Column> columns() const override { return probe_b_background::columns(robustness_); }

  Result<Made> make(uint64_t position) const override {
    auto [filler, index] = probe_b::group_at(fillers_, position);
    Result<BackgroundGroup> group = file_.group(index);
    if (!group) return group.error();
    Item item;
    item.id = fmt::format("{}/{}", filler.name, group->image_id);
    item.clusters = {std::to_string(group->image_id)};
    Group present{group->image_id, std::vector<uint8_t>(classes_.size(), 0)};
    for (const std::string& name : group->classes) {
      std::optional<size_t> place = classes_.find(name);
      if (!place) {
        Error error{ErrorCode::kInvalidInput,
                    fmt::format("class '{}' is not in the class table", name.substr(0, 80)),
                    file_.elements().where(index),
                    "add it to prompt_classes.csv, or fix the record"};
        if (rules_.is_compat) throw error;  // the reference aborts here
        return error;
      }
      present.is_present[*place] = 1;
    }
    probe_b::ask_all(item,
                     folders_,
                     {group->image,
                      fs::path(filler.name) / group->image,
                      fs::path("segmentation_mask") / filler.name / group->image},
                     classes_);
    return Made{std::move(item), std::move(present)};
  }

  Result<Outcome> decide(const Group& group, const questions::Scores& scores) const override {
    Result<probe_b::Logits> logits = probe_b::logits_of(scores.values, classes_.size());
    if (!logits) return logits.error();
    return judge_group(*logits, group.is_present, rules_);
  }

  // {"image_id":133,"logits":{"gt":[80],"patch":[80],"mod":[80]}}
  Result<ScoreLine> read_score_line(std::string_view line) const override {
    annotations::Record record(line, "");
    return read_logits_of(record, std::to_string(record.integer("image_id")));
  }

  Result<std::string> score_line(const Item& item,
                                 const std::vector<double>& scores) const override {
    return json_object(
               {{"image_id", payload_of(item).image_id}, {"logits", probe_b::logits_json(scores)}})
        .text;
  }
  std::vector<SeedReport> write_seed_files(const SeedRequest& request,
                                           OutcomeReader& outcomes) const override;

 private:
  void write_filler(const Filler& filler,
                    const SeedRequest& request,
                    OutcomeReader& outcomes,
                    SeedReport& report) const;

  Rules rules_;
};

struct SeedColumn {
  const char* key;
  std::optional<BackgroundColumn> column;  // without one: a list of lists, by its stored name
  const char* list = "";
};

// The published file's keys, in their order.
constexpr std::array kSeedColumns = {
    SeedColumn{"gt_ap", kGtAp},
    SeedColumn{"mod_ap", kModAp},
    SeedColumn{"change_gt_mod_ap", kGtModChangeAp},
    SeedColumn{"change_gt_patch_ap", kGtPatchChangeAp},
    SeedColumn{"change_patch_mod_ap", kPatchModChangeAp},
    SeedColumn{"patch_ap", kPatchAp},
    SeedColumn{"relative_robustness_gt_mod_ap", kGtModRobustness},
    SeedColumn{"relative_robustness_gt_patch_ap", kGtPatchRobustness},
    SeedColumn{"relative_robustness_patch_mod_ap", kPatchModRobustness},
    SeedColumn{"softmax_mods", std::nullopt, "mods"},
    SeedColumn{"softmax_gt", std::nullopt, "gt"},
    SeedColumn{"softmax_patch", std::nullopt, "patch"},
    SeedColumn{"change_gt_mod_conf", kGtModChangeConf},
    SeedColumn{"change_patch_mod_conf", kPatchModChangeConf},
    SeedColumn{"change_gt_patch_conf", kGtPatchChangeConf},
};

using Means = std::array<probe_b::Mean, kNumColumns>;

void put_ratios_of_means(const Filler& filler, const Means& means, NamedValues& extra) {
  const std::string start = fmt::format("ratio_of_means/{}/", filler.name);
  extra.put(start + "gt_mod", means[kModAp].value() / means[kGtAp].value());
  extra.put(start + "gt_patch", means[kPatchAp].value() / means[kGtAp].value());
  extra.put(start + "patch_mod", means[kModAp].value() / means[kPatchAp].value());
  extra.put(start + "kept", static_cast<int64_t>(filler.kept.size()));
  extra.put(start + "total", static_cast<int64_t>(filler.kept.total()));
}

void Background::write_filler(const Filler& filler,
                              const SeedRequest& request,
                              OutcomeReader& outcomes,
                              SeedReport& report) const {
  SeedJson raw(non_finite_of(request.is_compat));
  SeedJson aggregated(non_finite_of(request.is_compat));
  Means means;
  for (const SeedColumn& column : kSeedColumns) raw.list({column.key});
  outcomes.for_each_scored(filler.name, [&](const StoredItem& item) {
    for (const SeedColumn& column : kSeedColumns) {
      if (!column.column) {
        raw.list({column.key})
            .add(python_float_list(item.outcome.named.get<std::vector<double>>(column.list),
                                   raw.non_finite()));
        continue;
      }
      const double value = item.outcome.values[*column.column];
      raw.add_float({column.key}, value);
      if (request.is_compat || std::isfinite(value)) means[*column.column].add(value);
    }
  });
  for (const SeedColumn& column : kSeedColumns) {
    if (!column.column) continue;
    probe_b::put_mean(aggregated, filler.name, column.key, means[*column.column], report);
  }
  auto write = [&](SeedJson& json, const char* prefix) {
    report.files.push_back(
        report.results_folder /
        fmt::format("{}_context_background_{}_understanding.json", prefix, filler.name));
    json.write(request.folder / report.files.back());
  };
  write(raw, "eval");
  write(aggregated, "eval_aggregated");
  put_ratios_of_means(filler, means, report.extra);
}

std::vector<SeedReport> Background::write_seed_files(const SeedRequest& request,
                                                     OutcomeReader& outcomes) const {
  SeedReport report;
  report.extra = NamedValues({.non_finite = NonFinite::kNull});
  report.log_folder = fs::path("context_text_eval") / request.tag;
  report.results_folder = report.log_folder / "results" / request.tag;
  for (const Filler& filler : fillers_) write_filler(filler, request, outcomes, report);
  return {report};
}

TaskFacts facts() {
  return {.name = "probe-b-background",
          .summary = "does recognising the objects depend on the background? (Probe-B_MR)",
          .paper = "arXiv 2304.03659",
          .data = "background_context_dataset.json and images made from COCO val2014 (CC BY 4.0)",
          .settings = {probe_b::settings_block()},
          .parts = {"black", "gray", "noise", "scene"},
          .columns = columns(),
          .images = "coco",
          .compat_asks_raw_dot = true};
}

}  // namespace
}  // namespace snellen::tasks::probe_b_background

namespace snellen::tasks {

std::unique_ptr<TaskEntry> make_probe_b_background();
std::unique_ptr<TaskEntry> make_probe_b_background() {
  return task_entry<probe_b_background::Background>(probe_b_background::facts());
}

}  // namespace snellen::tasks
