// SPDX-License-Identifier: Apache-2.0
#include "snellen/annotations/visdial/dialog_entry.h"

#include <limits>

#include "snellen/base/error.h"

namespace snellen::annotations {
namespace {

constexpr int64_t kLastRound = 9;

}  // namespace

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

DialogKey read_key(Record& record) {
  int64_t image_id = record.integer("image_id");
  int64_t round_id = record.integer("round_id");
  if (round_id < 0 || round_id > kLastRound) {
    record.fail(fmt::format("'round_id' is {}, expected 0 to {}", round_id, kLastRound));
  }
  return {image_id, static_cast<int32_t>(round_id)};
}

void throw_at(const std::filesystem::path& source, size_t entry, std::string_view reason) {
  throw Error{ErrorCode::kInvalidInput,
              std::string(reason),
              fmt::format("{}: entry {}", source.string(), entry)};
}

}  // namespace snellen::annotations
