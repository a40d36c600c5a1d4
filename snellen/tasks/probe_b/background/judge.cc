// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "snellen/base/python_json.h"
#include "snellen/metrics/choice/average_precision.h"
#include "snellen/metrics/choice/softmax.h"
#include "snellen/stats/sum.h"
#include "snellen/tasks/probe_b/background/task.h"
#include "snellen/tasks/seed_json.h"

namespace snellen::tasks::probe_b_background {
namespace {

using probe_b::ImagePair;
using probe_b::kGtMod;
using probe_b::kGtPatch;
using probe_b::kPatchMod;

struct Judged {
  double ap = 0;
  std::vector<double> shares;    // softmax of the classes present
  std::vector<double> compared;  // of the classes present: what changes are told of
};

Judged judge_image(const std::vector<double>& logits,
                   const std::vector<uint8_t>& is_present,
                   const Rules& rules) {
  std::vector<double> shares = metrics::softmax(logits);
  // The reference applies softmax twice for FLAVA (docs/spec/probe.md 8.3).
  if (rules.is_compat && rules.family == ProbeFamily::kFlava) shares = metrics::softmax(shares);
  Judged judged;
  // By default ranked by the raw logits, so that exp() rounding cannot create ties.
  judged.ap = rules.is_compat ? metrics::average_precision_compat(is_present, shares)
                              : metrics::average_precision(is_present, logits);
  const bool is_softmax = rules.robustness == probe_b::Robustness::kSoftmax;
  for (size_t i = 0; i < shares.size(); ++i) {
    if (is_present[i] == 0) continue;
    judged.shares.push_back(shares[i]);
    judged.compared.push_back(is_softmax ? shares[i] : logits[i]);
  }
  return judged;
}

double mean_difference(const std::vector<double>& from, const std::vector<double>& to) {
  stats::Sum sum;
  for (size_t i = 0; i < from.size(); ++i) sum.add(from[i] - to[i]);
  return sum.value() / static_cast<double>(from.size());
}

}  // namespace

std::vector<Column> columns(probe_b::Robustness robustness) {
  const std::string change = probe_b::change_column(robustness);
  return {
      {.name = "gt/map"},
      {.name = "patch/map"},
      {.name = "mod/map"},
      {.name = "gt_mod/change_ap", .higher_is_better = false},
      {.name = "gt_patch/change_ap", .higher_is_better = false},
      {.name = "patch_mod/change_ap", .higher_is_better = false},
      {.name = "gt_mod/robustness"},
      {.name = "gt_patch/robustness"},
      {.name = "patch_mod/robustness"},
      {.name = "gt_mod/" + change, .higher_is_better = false},
      {.name = "gt_patch/" + change, .higher_is_better = false},
      {.name = "patch_mod/" + change, .higher_is_better = false},
  };
}

Result<Outcome> judge_group(const probe_b::Logits& logits,
                            const std::vector<uint8_t>& is_present,
                            const Rules& rules) {
  bool has_none = std::count(is_present.begin(), is_present.end(), uint8_t{1}) == 0;
  if (has_none && !rules.is_compat) {
    return Error{ErrorCode::kInvalidInput,
                 "no class of the table is present, so average precision is undefined"};
  }
  // The reference stacks original, modified, patched for these two and reads original, patched,
  // modified.
  bool is_swapped = rules.is_compat && (rules.family == ProbeFamily::kVilt ||
                                        rules.family == ProbeFamily::kBridgeTower);
  std::array<Judged, 3> images;
  for (size_t image = 0; image < images.size(); ++image) {
    size_t source = is_swapped && image != probe_b::kGt ? 3 - image : image;
    images[image] = judge_image(logits[source], is_present, rules);
  }
  Outcome outcome;
  for (const Judged& image : images) outcome.values.push_back(image.ap);
  for (const ImagePair& pair : {kGtMod, kGtPatch, kPatchMod}) {
    outcome.values.push_back(images[pair.from].ap - images[pair.to].ap);
  }
  for (const ImagePair& pair : {kGtMod, kGtPatch, kPatchMod}) {
    outcome.values.push_back(
        probe_b::relative_robustness(images[pair.from].ap, images[pair.to].ap, rules.is_compat));
  }
  for (const ImagePair& pair : {kGtMod, kGtPatch, kPatchMod}) {
    outcome.values.push_back(mean_difference(images[pair.from].compared, images[pair.to].compared));
  }
  outcome.margin = images[probe_b::kMod].ap - images[probe_b::kGt].ap;
  outcome.named = NamedValues({.non_finite = non_finite_of(rules.is_compat)});
  outcome.named.put("mods", images[probe_b::kMod].shares);
  outcome.named.put("gt", images[probe_b::kGt].shares);
  outcome.named.put("patch", images[probe_b::kPatch].shares);
  return outcome;
}

}  // namespace snellen::tasks::probe_b_background
