// SPDX-License-Identifier: Apache-2.0
// One entry of a ViLMA results file: whatever parses must survive being written and read again.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "snellen/annotations/vilma/vilma_results.h"
#include "snellen/formats/python_json_parser.h"
#include "snellen/metrics/choice/foil_choice.h"
#include "snellen/metrics/vilma/foil_probability.h"

using snellen::annotations::parse_vilma_scores;
using snellen::formats::append_python_json;
using snellen::formats::PythonJsonParser;

namespace {

bool is_same(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i] != b[i] && !(std::isnan(a[i]) && std::isnan(b[i]))) return false;
  }
  return true;
}

void check_rewriting(std::string_view entry, const std::vector<double>& scores, int indent) {
  snellen::formats::PythonJsonParser parser;
  std::string written;
  snellen::formats::append_python_json(
      written, parser, parser.parse(entry, "fuzz").value(), indent, 1);
  std::vector<double> again;
  if (!parse_vilma_scores(parser, written, "rewritten", again) || !is_same(scores, again))
    std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view entry(reinterpret_cast<const char*>(data), size);
  snellen::formats::PythonJsonParser parser;
  std::vector<double> scores;
  const auto count = parse_vilma_scores(parser, entry, "fuzz", scores);
  if (!count) {
    if (!scores.empty()) std::abort();
    return 0;
  }
  check_rewriting(entry, scores, 0);
  check_rewriting(entry, scores, 4);
  if (scores.empty()) return 0;
  const auto mode = snellen::metrics::FoilMode::kSimilarity;
  (void)snellen::metrics::decide_foil(scores, mode, snellen::metrics::FoilTies::kHalf);
  (void)snellen::metrics::decide_foil_compat(scores, mode);
  (void)snellen::metrics::foil_probability_compat({scores}, scores.size() + 1);
  (void)snellen::metrics::foil_probability_multi_compat({scores});
  return 0;
}
