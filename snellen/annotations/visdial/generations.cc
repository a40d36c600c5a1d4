// SPDX-License-Identifier: Apache-2.0
#include "snellen/annotations/visdial/generations.h"

#include "snellen/annotations/record.h"
#include "snellen/annotations/visdial/dialog_entry.h"

namespace snellen::annotations {

Generations::Generations(std::filesystem::path path) : elements_(std::move(path)) {
  require_array(elements_);
  entries_.reserve(elements_.size());
  for (size_t i = 0; i < elements_.size(); ++i) {
    Record record(elements_.element(i), {});
    DialogKey key = read_key(record);
    record.texts("generations");
    if (record.failed()) throw_at(elements_.path(), i, record.error().message());
    entries_.push_back({key, static_cast<uint32_t>(i)});
  }
  sort_by_key(entries_, elements_.path());
}

std::vector<std::string> Generations::texts(size_t entry) const {
  Record record(elements_.element(entry), {});
  std::vector<std::string> texts = record.texts("generations");
  if (record.failed()) throw_at(elements_.path(), entry, record.error().message());
  return texts;
}

}  // namespace snellen::annotations
