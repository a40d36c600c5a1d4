// SPDX-License-Identifier: Apache-2.0
#include "snellen/annotations/visdial/references.h"

#include <algorithm>

#include "snellen/annotations/record.h"
#include "snellen/annotations/visdial/dialog_entry.h"

namespace snellen::annotations {
namespace {

// Empty where there is none.
std::vector<int64_t> read_mask(Record& record) {
  if (!record.has("in_cluster_idxs")) return {};
  std::vector<int64_t> mask = record.integers("in_cluster_idxs");
  bool is_mask =
      mask.size() == kNumCandidates &&
      std::all_of(mask.begin(), mask.end(), [](int64_t bit) { return bit == 0 || bit == 1; });
  if (!is_mask)
    record.fail(fmt::format("'in_cluster_idxs' is not {} values 0 or 1", kNumCandidates));
  return mask;
}

DialogKey check_entry(Record& record) {
  DialogKey key = read_key(record);
  if (record.texts("refs").empty()) record.fail("'refs' is empty");
  read_mask(record);
  return key;
}

}  // namespace

References read_references(std::filesystem::path path) {
  formats::JsonElements elements(std::move(path));
  const std::vector<KeyedEntry> entries = keyed_entries(elements, check_entry);
  // Read a second time in key order, so that sets lie in that order without being moved.
  References references{.path = elements.path(), .keys = {}, .entries = {}, .sets = {}};
  references.keys.reserve(entries.size());
  for (const KeyedEntry& entry : entries) {
    Record record(elements.element(entry.entry), {});
    references.keys.push_back(entry.key);
    references.entries.push_back(entry.entry);
    references.sets.start_set();
    for (const std::string& text : record.texts("refs")) references.sets.add(text);
  }
  return references;
}

std::vector<MemberSet> read_member_sets(std::filesystem::path path) {
  formats::JsonElements elements(std::move(path));
  std::vector<MemberSet> sets;
  for (const KeyedEntry& entry : keyed_entries(elements, check_entry)) {
    Record record(elements.element(entry.entry), {});
    MemberSet set{.key = entry.key, .entry = entry.entry, .members = {}, .has_given = std::nullopt};
    for (int64_t bit : read_mask(record)) set.members.push_back(bit == 1);
    if (set.members.empty())
      throw_at(elements.path(), entry.entry, "key 'in_cluster_idxs' is missing");
    if (record.has("gt_answer")) {
      const std::string given = record.text("gt_answer");
      const std::vector<std::string> texts = record.texts("refs");
      if (record.failed()) throw_at(elements.path(), entry.entry, record.error().message());
      set.has_given = std::find(texts.begin(), texts.end(), given) != texts.end();
    }
    sets.push_back(std::move(set));
  }
  return sets;
}

}  // namespace snellen::annotations
