// SPDX-License-Identifier: Apache-2.0
#include "snellen/annotations/visdial/dialog_entry.h"

#include <limits>

#include "snellen/base/error.h"

namespace snellen::annotations {

void require_array(const formats::JsonElements& elements) {
  if (elements.is_object()) {
    throw Error{ErrorCode::kInvalidInput,
                "the top level is an object, expected an array",
                elements.path().string()};
  }
  if (elements.size() > std::numeric_limits<uint32_t>::max()) {
    throw Error{ErrorCode::kInvalidInput,
                fmt::format("{} entries are too many", elements.size()),
                elements.path().string()};
  }
}

DialogKey read_key(Record& record, int64_t first_round) {
  const int64_t last_round = first_round + static_cast<int64_t>(kMostRounds) - 1;
  int64_t image_id = record.integer("image_id");
  int64_t round_id = record.integer("round_id");
  if (round_id < first_round || round_id > last_round) {
    record.fail(
        fmt::format("'round_id' is {}, expected {} to {}", round_id, first_round, last_round));
  }
  return {image_id, static_cast<int32_t>(round_id - first_round)};
}

std::vector<KeyedEntry> keyed_entries(const formats::JsonElements& elements,
                                      const std::function<DialogKey(Record&)>& read) {
  require_array(elements);
  std::vector<KeyedEntry> entries;
  entries.reserve(elements.size());
  for (size_t i = 0; i < elements.size(); ++i) {
    Record record(elements.element(i), {});
    const DialogKey key = read(record);
    if (record.failed()) throw_at(elements.path(), i, record.error().message());
    entries.push_back({key, static_cast<uint32_t>(i)});
  }
  sort_by_key(entries, elements.path());
  return entries;
}

void throw_at(const std::filesystem::path& source, size_t entry, std::string_view reason) {
  throw Error{ErrorCode::kInvalidInput,
              std::string(reason),
              fmt::format("{}: entry {}", source.string(), entry)};
}

}  // namespace snellen::annotations
