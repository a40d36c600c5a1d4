// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/metric.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "snellen/metrics/choice/recall_at_k.h"

namespace snellen::metrics {
namespace {

// What users call the metrics of the catalogue.
constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kOtherNames = {
    {{"pairwise", "pair_choice"},
     {"choice", "top_choice"},
     {"recall", "recall_at_k"},
     {"map", "average_precision"},
     {"perplexity", "perplexity_choice"},
     {"foil", "foil_choice"}}};

constexpr std::string_view kRecall = "recall@";
constexpr size_t kMostCutoffs = 16;

// "1,5,10"; nothing for anything else.
std::vector<uint32_t> cutoffs_of(std::string_view text) {
  std::vector<uint32_t> cutoffs;
  const char* at = text.data();
  const char* end = text.data() + text.size();
  while (at != end && cutoffs.size() < kMostCutoffs) {
    uint32_t k = 0;
    auto [stop, code] = std::from_chars(at, end, k);
    bool is_good =
        code == std::errc() && k > 0 && (stop == end || (*stop == ',' && stop + 1 != end));
    if (!is_good) return {};
    cutoffs.push_back(k);
    at = stop == end ? end : stop + 1;
  }
  if (at != end) return {};
  std::sort(cutoffs.begin(), cutoffs.end());
  cutoffs.erase(std::unique(cutoffs.begin(), cutoffs.end()), cutoffs.end());
  return cutoffs;
}

}  // namespace

size_t ItemShape::num_asked() const {
  return static_cast<size_t>(std::count(is_asked.begin(), is_asked.end(), uint8_t{1}));
}

size_t ItemShape::num_right() const {
  return static_cast<size_t>(std::count(is_right.begin(), is_right.end(), uint8_t{1}));
}

std::optional<double> Metric::chance(size_t column, const ItemShape& shape) const {
  (void)shape;
  return facts().columns.at(column).chance;
}

bool Metric::is_share(size_t column, const ItemShape& shape) const {
  (void)shape;
  return facts().columns.at(column).is_share;
}

std::unique_ptr<Metric> metric_named(std::string_view name) {
  std::string plain(name);
  std::replace(plain.begin(), plain.end(), '-', '_');
  if (plain.starts_with(kRecall)) {
    std::vector<uint32_t> cutoffs = cutoffs_of(std::string_view(plain).substr(kRecall.size()));
    return cutoffs.empty() ? nullptr : make_recall_at(std::move(cutoffs));
  }
  for (const auto& [other, known] : kOtherNames) {
    if (plain == other) plain = known;
  }
  for (std::unique_ptr<Metric>& metric : built_in_metrics()) {
    if (metric->facts().name == plain) return std::move(metric);
  }
  return nullptr;
}

std::vector<std::string> metric_names() {
  std::vector<std::string> names;
  for (const std::unique_ptr<Metric>& metric : built_in_metrics()) {
    const std::string& own = metric->facts().name;
    const auto* other = std::find_if(kOtherNames.begin(), kOtherNames.end(), [&](const auto& pair) {
      return pair.second == own;
    });
    names.push_back(own == "recall_at_k"         ? "recall@1,5,10"
                    : other == kOtherNames.end() ? own
                                                 : std::string(other->first));
  }
  return names;
}

}  // namespace snellen::metrics
