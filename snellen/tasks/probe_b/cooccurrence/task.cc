// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/probe_b/cooccurrence/task.h"

#include <fmt/format.h>

#include "snellen/annotations/probe/probe_files.h"
#include "snellen/tasks/judged.h"
#include "snellen/tasks/probe_b/cooccurrence/seed_files.h"
#include "snellen/tasks/probe_b/filler_task.h"

namespace snellen::tasks::probe_b_cooccurrence {
namespace {

namespace fs = std::filesystem;
using annotations::CooccurrenceFile;
using annotations::CooccurrenceGroup;
using probe_b::Filler;

struct Group {
  CooccurrenceGroup record;
  GroupClasses classes;
};

struct DropSettings {
  std::vector<std::string> classes = {"apple"};
};

class Cooccurrence : public probe_b::FillerTask<Group, CooccurrenceFile> {
 public:
  explicit Cooccurrence(const TaskRequest& request)
      : FillerTask(request,
                   "object_context_dataset.json",
                   probe_b::folders_of(
                       request.options,
                       probe_b::built_folder(request.options, "val2014_background_removed_dataset"),
                       "val2014_background_removed_and_cooccurrence_dataset")),
        rules_{.is_compat = request.is_compat,
               .family = probe_family(request.model),
               .dropped_classes = request.options.get<DropSettings>().classes,
               .ties = ties_flag(request.options),
               .robustness = robustness_} {
    for (Filler& filler : fillers_) filter(filler);
  }

  std::vector<Column> columns() const override {
    return probe_b_cooccurrence::columns(rules_.ties, robustness_);
  }

  Result<Made> make(uint64_t position) const override {
    auto [filler, index] = probe_b::group_at(fillers_, position);
    Result<CooccurrenceGroup> group = file_.group(index);
    if (!group) return group.error();
    Result<GroupClasses> classes =
        classes_of(group->object, group->other_objects, classes_, rules_);
    if (!classes) return classes.error().within(file_.elements().where(index));
    Item item;
    item.id = fmt::format("{}/{}/{}", filler.name, group->image_id, group->object);
    item.clusters = {std::to_string(group->image_id)};
    item.category = annotations::object_category(group->object);
    std::string image = annotations::coco_val2014_name(std::to_string(group->image_id));
    probe_b::ask_all(item,
                     folders_,
                     {fs::path("segmentation_mask") / filler.name / image,
                      fs::path(filler.name) / image,
                      fs::path("segmentation_mask") / filler.name / group->path},
                     classes_);
    return Made{std::move(item), {std::move(group).value(), std::move(classes).value()}};
  }

  Result<Outcome> decide(const Group& group, const questions::Scores& scores) const override {
    Result<probe_b::Logits> logits = probe_b::logits_of(scores.values, classes_.size());
    if (!logits) return logits.error();
    Outcome outcome = judge_group(*logits, group.classes, rules_);
    NamedValues named({.is_ascii = true, .non_finite = NonFinite::kNull});
    named.put(kObject, group.record.object);
    named.put(kOtherObjects, group.record.other_objects);
    for (const NamedValues::Entry& list : outcome.named.entries()) named.put(list.name, list.value);
    outcome.named = std::move(named);
    return outcome;
  }

  // {"image_id":136,"object":"person","logits":{"gt":[..],"patch":[..],"mod":[..]}}
  Result<ScoreLine> read_score_line(std::string_view line) const override {
    annotations::Record record(line, "");
    const int64_t image_id = record.integer("image_id");
    return read_logits_of(record, fmt::format("{}/{}", image_id, record.text("object")));
  }

  Result<std::string> score_line(const Item& item,
                                 const std::vector<double>& scores) const override {
    const CooccurrenceGroup& group = payload_of(item).record;
    return json_object({{"image_id", group.image_id},
                        {"object", group.object},
                        {"logits", probe_b::logits_json(scores)}})
        .text;
  }
  std::vector<SeedReport> write_seed_files(const SeedRequest& request,
                                           OutcomeReader& outcomes) const override {
    SeedReport report;
    report.log_folder = fs::path("cooccurrence_text_eval") / request.tag;
    report.results_folder = report.log_folder / "results" / request.tag;
    std::vector<std::string> all_classes;
    for (size_t i = 0; i < classes_.size(); ++i) {
      const std::string& name = classes_[i].name;
      bool is_dropped =
          std::find(rules_.dropped_classes.begin(), rules_.dropped_classes.end(), name) !=
          rules_.dropped_classes.end();
      if (!is_dropped) all_classes.push_back(name);
    }
    for (const Filler& filler : fillers_) {
      write_filler(filler.name, all_classes, request, outcomes, report);
      const std::string start = fmt::format("groups/{}/", filler.name);
      report.extra.put(start + "kept", static_cast<int64_t>(filler.kept.size()));
      report.extra.put(start + "total", static_cast<int64_t>(filler.kept.total()));
    }
    return {report};
  }

 private:
  // The reference's filters, in its order, each only when its folder is given
  // (docs/spec/probe.md 2.5, 2.8).
  void filter(Filler& filler) const {
    if (!folders_.patched.empty()) {
      std::set<int64_t> ids = probe_b::image_ids_in(folders_.patched / filler.name);
      keep(filler, [&](const CooccurrenceGroup& group) { return ids.contains(group.image_id); });
    }
    if (!folders_.original.empty()) {
      std::set<int64_t> ids =
          probe_b::image_ids_in(folders_.original / "segmentation_mask" / filler.name);
      keep(filler, [&](const CooccurrenceGroup& group) { return ids.contains(group.image_id); });
    }
    const std::vector<std::string>& dropped = rules_.dropped_classes;
    keep(filler, [&](const CooccurrenceGroup& group) {
      return std::find(dropped.begin(), dropped.end(), group.object) == dropped.end();
    });
    if (!folders_.modified.empty()) {
      std::set<std::string> names =
          probe_b::names_in(folders_.modified / "segmentation_mask" / filler.name);
      keep(filler, [&](const CooccurrenceGroup& group) { return names.contains(group.path); });
    }
  }

  Rules rules_;
};

TaskFacts facts() {
  return {.name = "probe-b-cooccurrence",
          .summary = "does recognising one object depend on the others? (Probe-B_R)",
          .paper = "arXiv 2304.03659",
          .data = "object_context_dataset.json and images made from COCO val2014 (CC BY 4.0)",
          .settings = {probe_b::settings_block(),
                       config::Block(DropSettings{},
                                     {config::option(&DropSettings::classes,
                                                     "drop-class",
                                                     "classes that are never a choice")})},
          .parts = {"black", "gray", "noise", "scene"},
          .columns = columns(std::nullopt),
          .images = "coco",
          .compat_asks_raw_dot = true};
}

}  // namespace
}  // namespace snellen::tasks::probe_b_cooccurrence

namespace snellen::tasks {

std::unique_ptr<TaskEntry> make_probe_b_cooccurrence();
std::unique_ptr<TaskEntry> make_probe_b_cooccurrence() {
  return task_entry<probe_b_cooccurrence::Cooccurrence>(probe_b_cooccurrence::facts());
}

}  // namespace snellen::tasks
