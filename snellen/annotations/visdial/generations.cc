// SPDX-License-Identifier: Apache-2.0
#include "snellen/annotations/visdial/generations.h"

#include "snellen/annotations/record.h"
#include "snellen/annotations/visdial/dialog_entry.h"

namespace snellen::annotations {

Generations::Generations(std::filesystem::path path)
    : elements_(std::move(path)), entries_(keyed_entries(elements_, [](Record& record) {
        const DialogKey key = read_key(record);
        record.texts("generations");
        return key;
      })) {}

std::vector<std::string> Generations::texts(size_t entry) const {
  Record record(elements_.element(entry), {});
  std::vector<std::string> texts = record.texts("generations");
  if (record.failed()) throw_at(elements_.path(), entry, record.error().message());
  return texts;
}

}  // namespace snellen::annotations
