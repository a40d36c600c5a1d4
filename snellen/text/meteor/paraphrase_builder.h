// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "snellen/text/meteor/index_cache.h"
#include "snellen/text/meteor/paraphrase_index.h"
#include "snellen/text/meteor/phrase_interner.h"

namespace snellen::text::meteor {

// Gathers pairs in table order. Words are what spaces separate. A pair with an empty side can never
// match and is left out; a key may come back later in the table; duplicates stay. One thread at a
// time.
class ParaphraseBuilder {
 public:
  // Throws kInvalidInput when a phrase has over 65,535 words or the table has more than 32 bits
  // count.
  void add(std::string_view phrase, std::string_view paraphrase);
  // The bytes of the index file.
  std::string finish(std::string_view source_sha256) &&;

 private:
  struct Run {  // pairs [begin, end) of one key
    uint32_t key;
    uint32_t begin;
    uint32_t end;
  };

  void flush();
  std::vector<uint32_t> keys_first();
  void write_pairs(IndexWriter& writer, const std::vector<uint32_t>& new_ids);

  PhraseInterner phrases_;
  std::vector<bool>
      is_key_staged_;  // for each staged phrase: a key, or a paraphrase of the key before it
  std::vector<uint32_t> ids_;  // of the phrases last resolved
  std::string last_key_;
  bool has_key_ = false;  // the last key has words
  uint32_t key_ = ParaphraseIndex::kNone;
  std::vector<uint32_t> pairs_;
  std::vector<Run> runs_;
  uint32_t num_keys_ = 0;
};

// A table given as pairs, in memory.
ParaphraseIndex index_of_pairs(std::span<const std::pair<std::string, std::string>> pairs);

// Reads gzip bytes: three lines per pair (probability, phrase, paraphrase). Throws kInvalidInput
// naming `where` and the line for damaged data, ill-formed UTF-8 and a line count that is not a
// multiple of three.
std::string build_paraphrase_index(std::string_view packed,
                                   const std::string& where,
                                   const std::string& source_sha256);

struct LoadedParaphrases {
  ParaphraseIndex index;
  bool was_built = false;
  bool was_stored = false;
};

// The table in `file` through the cache (see index_cache.h). Throws kNotFound or kInvalidInput
// about the table.
LoadedParaphrases load_paraphrases(const std::filesystem::path& file,
                                   const std::filesystem::path& cache_folder);

}  // namespace snellen::text::meteor
