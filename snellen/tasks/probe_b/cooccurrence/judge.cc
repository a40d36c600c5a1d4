// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "snellen/metrics/choice/average_precision.h"
#include "snellen/metrics/choice/softmax.h"
#include "snellen/metrics/choice/top_choice.h"
#include "snellen/tasks/probe_b/cooccurrence/task.h"
#include "snellen/tasks/seed_json.h"

namespace snellen::tasks::probe_b_cooccurrence {
namespace {

using probe_b::ImagePair;
using probe_b::kGtMod;
using probe_b::kGtPatch;
using probe_b::kPatchMod;

std::vector<double> at_places(const std::vector<double>& logits,
                              const std::vector<size_t>& places) {
  std::vector<double> chosen;
  chosen.reserve(places.size());
  for (size_t place : places) chosen.push_back(logits[place]);
  return chosen;
}

// Average precision of the gt image over all classes; right are the object and the others present.
double all_objects_ap(const std::vector<double>& gt_logits, const GroupClasses& classes) {
  std::vector<uint8_t> is_present;
  for (size_t place : classes.all) {
    bool is_other =
        std::find(classes.others.begin(), classes.others.end(), place) != classes.others.end();
    is_present.push_back(place == classes.object || is_other ? 1 : 0);
  }
  return metrics::average_precision(is_present, at_places(gt_logits, classes.all));
}

}  // namespace

std::vector<Column> columns(std::optional<metrics::Ties> ties, probe_b::Robustness robustness) {
  const char* of = robustness == probe_b::Robustness::kSimilarity ? "_similarity" : "";
  std::vector<Column> columns = {{.name = "gt/all_objects_ap"}};
  for (std::string_view image : probe_b::kImages)
    columns.push_back(
        {.name = fmt::format("{}/acc", image), .is_share = ties != metrics::Ties::kHalf});
  for (std::string_view image : probe_b::kImages)
    columns.push_back({.name = fmt::format("{}/conf", image)});
  for (const ImagePair& pair : {kGtMod, kGtPatch, kPatchMod}) {
    columns.push_back({.name = fmt::format("{}/{}", pair.name, probe_b::change_column(robustness)),
                       .higher_is_better = false,
                       .has_breakdown = pair.name == kGtMod.name});
  }
  for (const ImagePair& pair : {kGtMod, kGtPatch, kPatchMod}) {
    columns.push_back({.name = fmt::format("{}/rel_robustness{}", pair.name, of)});
  }
  for (const ImagePair& pair : {kGtMod, kGtPatch, kPatchMod}) {
    columns.push_back({.name = fmt::format("{}/abs_robustness{}", pair.name, of)});
  }
  return columns;
}

Result<GroupClasses> classes_of(const std::string& object,
                                const std::vector<std::string>& other_objects,
                                const annotations::ClassTable& table,
                                const Rules& rules) {
  auto is_dropped = [&](const std::string& name) {
    return std::find(rules.dropped_classes.begin(), rules.dropped_classes.end(), name) !=
           rules.dropped_classes.end();
  };
  auto refuse = [&](std::string what) {
    return Error{ErrorCode::kInvalidInput, std::move(what), "", "fix the record"};
  };
  GroupClasses classes;
  std::optional<size_t> place = table.find(object);
  if (!place)
    return refuse(fmt::format("object '{}' is not in the class table", object.substr(0, 80)));
  if (is_dropped(object)) return refuse(fmt::format("object '{}' is a dropped class", object));
  classes.object = *place;
  for (const std::string& other : other_objects) {
    if (other == object)
      return refuse(fmt::format("object '{}' is also among its other_objects", object));
    std::optional<size_t> other_place = table.find(other);
    if (!other_place && !is_dropped(other)) {
      return refuse(
          fmt::format("other object '{}' is not in the class table", other.substr(0, 80)));
    }
    if (!is_dropped(other)) classes.others.push_back(*other_place);
  }
  for (size_t i = 0; i < table.size(); ++i) {
    if (is_dropped(table[i].name)) continue;
    classes.all.push_back(i);
    if (std::find(classes.others.begin(), classes.others.end(), i) == classes.others.end())
      classes.choices.push_back(i);
  }
  return classes;
}

Outcome judge_group(const probe_b::Logits& logits,
                    const GroupClasses& classes,
                    const Rules& rules) {
  bool is_swapped = rules.is_compat && (rules.family == ProbeFamily::kVilt ||
                                        rules.family == ProbeFamily::kBridgeTower);
  auto logits_of_image = [&](size_t image) -> const std::vector<double>& {
    return logits[is_swapped && image != probe_b::kGt ? 3 - image : image];
  };
  size_t right = static_cast<size_t>(
      std::find(classes.choices.begin(), classes.choices.end(), classes.object) -
      classes.choices.begin());
  std::array<metrics::TopChoice, 3> choices{};
  Outcome outcome;
  // The reference declares the all-objects columns and leaves them empty.
  outcome.values.push_back(rules.is_compat ? std::nan("")
                                           : all_objects_ap(logits[probe_b::kGt], classes));
  for (size_t image = 0; image < choices.size(); ++image) {
    choices[image] = metrics::top_choice(at_places(logits_of_image(image), classes.choices), right);
    outcome.values.push_back(rules.ties                  ? choices[image].credit(*rules.ties)
                             : choices[image].is_correct ? 1.0
                                                         : 0.0);
    if (choices[image].is_tied) outcome.tied_columns |= uint64_t{1} << (kGtAcc + image);
  }
  for (const metrics::TopChoice& choice : choices) outcome.values.push_back(choice.confidence);
  auto conf = [&](probe_b::Image image) {
    return rules.robustness == probe_b::Robustness::kSoftmax
               ? choices[image].confidence
               : logits_of_image(image)[classes.object];
  };
  for (const ImagePair& pair : {kGtMod, kGtPatch, kPatchMod})
    outcome.values.push_back(conf(pair.from) - conf(pair.to));
  for (const ImagePair& pair : {kGtMod, kGtPatch, kPatchMod}) {
    outcome.values.push_back(
        probe_b::relative_robustness(conf(pair.from), conf(pair.to), rules.is_compat));
  }
  for (const ImagePair& pair : {kGtMod, kGtPatch, kPatchMod}) {
    outcome.values.push_back(1 - (conf(pair.from) - conf(pair.to)));
  }
  double on_modified = outcome.values[kModAcc];
  if (on_modified != 0.5) outcome.is_correct = on_modified == 1.0;
  outcome.margin = conf(probe_b::kMod) - conf(probe_b::kGt);
  for (size_t image = 0; image < choices.size() && !rules.is_compat; ++image) {
    outcome.named.put(std::string(probe_b::kImages[image]),
                      metrics::softmax(at_places(logits_of_image(image), classes.all)));
  }
  return outcome;
}

}  // namespace snellen::tasks::probe_b_cooccurrence
