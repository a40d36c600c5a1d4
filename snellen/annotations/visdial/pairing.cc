// SPDX-License-Identifier: Apache-2.0
#include "snellen/annotations/visdial/pairing.h"

#include <string>

#include "snellen/base/error.h"

namespace snellen::annotations {
namespace {

constexpr size_t kNamed = 5;

std::string words_of(const DialogKey& key) {
  return fmt::format("({}, {})", key.image_id, key.round_id);
}

}  // namespace

Pairing pair_by_key(std::span<const DialogKey> references,
                    std::span<const KeyedEntry> generations,
                    const std::filesystem::path& source) {
  Pairing pairing;
  pairing.entries.reserve(references.size());
  std::string named;
  size_t num_missing = 0;
  size_t at = 0;
  for (const DialogKey& key : references) {
    while (at < generations.size() && generations[at].key < key) ++at;
    if (at < generations.size() && generations[at].key == key) {
      pairing.entries.push_back(generations[at].entry);
      continue;
    }
    if (num_missing++ < kNamed) named += (named.empty() ? "" : ", ") + words_of(key);
  }
  if (num_missing > 0) {
    throw Error{
        ErrorCode::kInvalidInput,
        fmt::format(
            "{} of {} reference entries have no generations; first (image_id, round_id): {}",
            num_missing,
            references.size(),
            named),
        source.string(),
        "generate an answer for every reference entry, or evaluate with the matching subset"};
  }
  pairing.num_unused = generations.size() - references.size();
  return pairing;
}

Pairing pair_by_position(std::span<const DialogKey> references,
                         std::span<const KeyedEntry> generations,
                         const std::filesystem::path& source) {
  Pairing pairing;
  if (references.empty()) return {.entries = {}, .num_unused = generations.size()};
  size_t ratio = generations.size() / references.size();
  for (size_t i = 0; i < references.size(); ++i) {
    size_t place = ratio == 1 ? i : i * ratio + static_cast<size_t>(references[i].round_id);
    if (place >= generations.size() || generations[place].key != references[i]) {
      throw Error{
          ErrorCode::kInvalidInput,
          fmt::format(
              "reference {} meets {}, so the published pairing by position does not hold",
              words_of(references[i]),
              place < generations.size() ? words_of(generations[place].key) : "no generation"),
          source.string(),
          "the generations must cover all rounds of exactly the referenced images; without "
          "--compat they are "
          "joined by key"};
    }
    pairing.entries.push_back(generations[place].entry);
  }
  pairing.num_unused = generations.size() - references.size();
  return pairing;
}

}  // namespace snellen::annotations
