// SPDX-License-Identifier: Apache-2.0
// Any bytes as a gzip table, as an index file and as a zip archive: an Error or an answer, nothing
// else.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "snellen/base/error.h"
#include "snellen/formats/zip.h"
#include "snellen/text/meteor/paraphrase_builder.h"

namespace {

using snellen::text::meteor::IndexFile;
using snellen::text::meteor::ParaphraseIndex;

// Looks up what the index says about itself.
void walk(const ParaphraseIndex& index) {
  for (uint32_t phrase = 0; phrase < index.num_phrases() && phrase < 100; ++phrase) {
    for (uint32_t other : index.paraphrases(phrase)) {
      ParaphraseIndex::KeyFilter filter = index.filter_of(phrase);
      if (filter.size != 0) index.may_hold(filter, snellen::text::meteor::phrase_hash(other));
    }
  }
  for (std::string_view word : {"a", "two", ""}) {
    uint32_t id = index.word_id(word);
    std::vector<uint32_t> words(index.longest_from(id) % 8 + 1, id);
    uint64_t hash = 0;
    for (uint32_t each : words) hash = snellen::text::meteor::extend_hash(hash, each);
    index.find_phrase(words, hash);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view bytes(reinterpret_cast<const char*>(data), size);
  constexpr auto kFormat = snellen::text::meteor::kParaphraseFormat;
  try {
    std::string image = snellen::text::meteor::build_paraphrase_index(bytes, "fuzz", {});
    walk(ParaphraseIndex(*IndexFile::open(image, kFormat)));
    // The same index with a damaged body, as an unchecked cache would give it.
    if (size != 0) image[image.size() / 2 + data[size - 1]] ^= static_cast<char>(data[0] | 1);
    auto damaged = IndexFile::open(image, kFormat);
    if (damaged) walk(ParaphraseIndex(*damaged));
  } catch (const snellen::Error&) {
  }
  try {
    auto index = IndexFile::open(std::string(bytes), kFormat);
    if (index) walk(ParaphraseIndex(*index));
  } catch (const snellen::Error&) {
  }
  try {
    const auto entry = snellen::formats::find_zip_entry(bytes, "synonym/english.synsets", "fuzz");
    if (entry) snellen::formats::unpack(*entry, size_t{1} << 20, "fuzz");
  } catch (const snellen::Error&) {
  }
  return 0;
}
