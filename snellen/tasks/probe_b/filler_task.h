// SPDX-License-Identifier: Apache-2.0
// What the two contextual probes are alike in: groups of one annotation file, evaluated once per
// filler.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "snellen/tasks/probe_b/probe_b.h"
#include "snellen/tasks/shared_settings.h"
#include "snellen/tasks/typed_task.h"

namespace snellen::tasks::probe_b {

template <typename Payload, typename File>
class FillerTask : public TypedTask<Payload> {
 public:
  std::vector<Part> parts() const override { return parts_of(fillers_); }
  std::vector<std::filesystem::path> inputs() const override { return {file_.elements().path()}; }
  std::vector<std::string> notes() const override { return {robustness_note(robustness_)}; }
  bool has_score_file_per_part() const override { return true; }
  bool is_left_out(std::string_view) const override {
    return only_filler(fillers_).kept.is_filtered();
  }

 protected:
  FillerTask(const TaskRequest& request, const char* annotations, Folders folders)
      : file_(request.options.get<SharedSettings>().data / annotations),
        classes_(class_table_of(request.options, request.is_compat)),
        robustness_(robustness_of(request.options, request.is_compat)),
        folders_(std::move(folders)) {
    for (const std::string& fill : fills_of(request.options))
      fillers_.push_back({fill, KeptGroups(file_.elements().size())});
  }

  // Leaves out the groups that do not pass; a bad record stays, to be named as failed.
  void keep(Filler& filler, const auto& passes) const {
    filler.kept.filter([&](uint64_t index) {
      const auto group = file_.group(index);
      return !group || passes(*group);
    });
  }

  // The scores of a score line for the item FILLER/ITEM.
  Result<ScoreLine> read_logits_of(annotations::Record& record, const std::string& item) const {
    std::string name = only_filler(fillers_).name + "/" + item;
    if (record.failed()) return record.error();
    std::vector<double> scores = read_logits(record);
    if (record.failed()) return ScoreLine{std::move(name), record.error()};
    return ScoreLine{std::move(name), std::move(scores)};
  }

  File file_;
  annotations::ClassTable classes_;
  Robustness robustness_;
  Folders folders_;
  std::vector<Filler> fillers_;
};

}  // namespace snellen::tasks::probe_b
