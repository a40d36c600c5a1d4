// SPDX-License-Identifier: Apache-2.0
#include "snellen/report/pages/metric_rules.h"

#include <array>

namespace snellen::report {
namespace {

constexpr auto kHeadlines = std::to_array<MetricRule>({
    {"probe-r/", "anchor/rel1_vs_rel2/acc"},
    {"probe-r/", "anchor/rel1_vs_rel3/acc"},
    {"probe-c/", "/group"},
    {"probe-b-background/", "/gt/map"},
    {"probe-b-background/", "/mod/map"},
    {"probe-b-cooccurrence/", "/gt_mod/rel_robustness"},
    {"probe-b-cooccurrence/", "/gt_mod/rel_robustness_similarity"},
    {"vilma/", "counting/PT"},
    {"vilma/", "situation/PT"},
    {"vilma/", "change-state/PT"},
    {"vilma/", "rare-actions/PT"},
    {"vilma/", "relations/PT"},
    {"vilma/", "average/PT"},
    {"visdial-gen/", "cider_4"},
    {"visdial-gen/", "meteor"},
    {"visdial-rank/", "mrr"},
    {"visdial-sets/", "/iou"},
    {"bias-close/", "bias-close/accuracy"},
    {"bias-close/", "bias_score"},
    {"bias-open/", "range_VADER"},
    {"control/", "claim_fraction"},
    {"control/", "image_reliance"},
});

}  // namespace

std::span<const MetricRule> headline_rules() {
  return kHeadlines;
}

}  // namespace snellen::report
