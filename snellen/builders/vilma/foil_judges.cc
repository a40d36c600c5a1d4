// SPDX-License-Identifier: Apache-2.0
#include "snellen/builders/vilma/foil_judges.h"

#include <fmt/format.h>

namespace snellen::builders::vilma {

bool is_left_out(std::string_view label) {
  return label == "entailment" || label == kUnreadableLabel;
}

bool FoilJudges::lets_pass(const std::string& caption, const std::string& foil) const {
  if (gruen && !(gruen(foil) >= least_gruen)) return false;  // NaN neither
  return !nli || !is_left_out(nli(caption, foil).name);
}

void add_to_record(const FoilJudges& judges, BuildRecord& record) {
  if (judges.nli) record.options.emplace_back("nli-model", judges.nli_model);
  if (!judges.gruen) return;
  record.options.emplace_back("gruen-models", judges.gruen_models);
  record.options.emplace_back("gruen-least", fmt::format("{}", judges.least_gruen));
}

}  // namespace snellen::builders::vilma
