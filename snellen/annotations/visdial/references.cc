// SPDX-License-Identifier: Apache-2.0
#include "snellen/annotations/visdial/references.h"

#include <algorithm>

#include "snellen/annotations/record.h"
#include "snellen/annotations/visdial/dialog_entry.h"

namespace snellen::annotations {
namespace {

constexpr size_t kNumCandidates = 100;

void check_mask(Record& record) {
  if (!record.has("in_cluster_idxs")) return;
  std::vector<int64_t> mask = record.integers("in_cluster_idxs");
  bool is_mask =
      mask.size() == kNumCandidates &&
      std::all_of(mask.begin(), mask.end(), [](int64_t bit) { return bit == 0 || bit == 1; });
  if (!is_mask)
    record.fail(fmt::format("'in_cluster_idxs' is not {} values 0 or 1", kNumCandidates));
}

DialogKey check_entry(Record& record) {
  DialogKey key = read_key(record);
  if (record.texts("refs").empty()) record.fail("'refs' is empty");
  check_mask(record);
  return key;
}

}  // namespace

References read_references(std::filesystem::path path) {
  formats::JsonElements elements(std::move(path));
  require_array(elements);
  std::vector<KeyedEntry> entries;
  entries.reserve(elements.size());
  for (size_t i = 0; i < elements.size(); ++i) {
    Record record(elements.element(i), {});
    DialogKey key = check_entry(record);
    if (record.failed()) throw_at(elements.path(), i, record.error().message());
    entries.push_back({key, static_cast<uint32_t>(i)});
  }
  sort_by_key(entries, elements.path());
  // Read a second time in key order, so that sets lie in that order without being moved.
  References references{.path = elements.path(), .keys = {}, .sets = {}};
  references.keys.reserve(entries.size());
  for (const KeyedEntry& entry : entries) {
    Record record(elements.element(entry.entry), {});
    references.keys.push_back(entry.key);
    references.sets.start_set();
    for (const std::string& text : record.texts("refs")) references.sets.add(text);
  }
  return references;
}

}  // namespace snellen::annotations
