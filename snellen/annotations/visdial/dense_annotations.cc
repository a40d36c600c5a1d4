// SPDX-License-Identifier: Apache-2.0
#include "snellen/annotations/visdial/dense_annotations.h"

#include <algorithm>

#include <fmt/format.h>

#include "snellen/annotations/visdial/dialog_entry.h"
#include "snellen/annotations/visdial/dialog_file.h"
#include "snellen/base/error.h"

namespace snellen::annotations {
namespace {

std::vector<double> relevance_of(Record& record) {
  const char* key = record.has("gt_relevance") ? "gt_relevance" : "relevance";
  std::vector<double> values = record.numbers(key, kNumCandidates);
  for (double value : values) {
    if (value < 0 || value > 1)
      record.fail(fmt::format("'{}' holds {}, expected numbers from 0 to 1", key, value));
  }
  return values;
}

DialogKey check_entry(Record& record) {
  const DialogKey key = read_key(record, /*first_round=*/1);
  relevance_of(record);
  return key;
}

}  // namespace

DenseAnnotations read_dense_annotations(std::filesystem::path path) {
  const formats::JsonElements elements(std::move(path));
  DenseAnnotations read{.path = elements.path(), .keys = {}, .relevance = {}};
  for (const KeyedEntry& entry : keyed_entries(elements, check_entry)) {
    Record record(elements.element(entry.entry), {});
    const std::vector<double> values = relevance_of(record);
    if (std::all_of(values.begin(), values.end(), [](double value) { return value == 0; })) {
      ++read.num_without;
      continue;
    }
    read.keys.push_back(entry.key);
    read.relevance.insert(read.relevance.end(), values.begin(), values.end());
  }
  return read;
}

void expect_rounds_among(const DenseAnnotations& annotations, const DialogFile& dialogs) {
  size_t num_met = 0;
  for (size_t i = 0; i < dialogs.num_rounds(); ++i)
    num_met += annotations.find(dialogs.key(i)).empty() ? 0 : 1;
  if (num_met == annotations.keys.size()) return;
  throw Error{ErrorCode::kInvalidInput,
              fmt::format("{} of {} annotated rounds are not among the dialogs of {}",
                          annotations.keys.size() - num_met,
                          annotations.keys.size(),
                          dialogs.path().string()),
              annotations.path.string(),
              "name the annotations of the same split, in the order of --dialogs"};
}

std::span<const double> DenseAnnotations::find(const DialogKey& key) const {
  const auto found = std::lower_bound(keys.begin(), keys.end(), key);
  if (found == keys.end() || *found != key) return {};
  return std::span(relevance).subspan(static_cast<size_t>(found - keys.begin()) * kNumCandidates,
                                      kNumCandidates);
}

}  // namespace snellen::annotations
