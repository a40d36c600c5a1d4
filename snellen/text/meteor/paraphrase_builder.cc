// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/meteor/paraphrase_builder.h"

#include <algorithm>
#include <limits>

#include "snellen/text/meteor/gzip_lines.h"

namespace snellen::text::meteor {
namespace {

constexpr uint32_t kNone = ParaphraseIndex::kNone;
constexpr size_t kBatch = 64;  // phrases looked up together
constexpr size_t kMaxPairs = std::numeric_limits<uint32_t>::max() - 2;

}  // namespace

void ParaphraseBuilder::add(std::string_view phrase, std::string_view paraphrase) {
  if (pairs_.size() + kBatch > kMaxPairs) {
    throw Error{ErrorCode::kInvalidInput,
                fmt::format("the table has more than {} pairs", kMaxPairs)};
  }
  if (phrase != last_key_) {
    last_key_ = phrase;
    has_key_ = phrases_.stage(phrase);
    if (has_key_) is_key_staged_.push_back(true);
  }
  if (has_key_ && phrases_.stage(paraphrase)) is_key_staged_.push_back(false);
  if (phrases_.num_staged() >= kBatch) flush();
}

void ParaphraseBuilder::flush() {
  phrases_.resolve(ids_);
  for (size_t i = 0; i < ids_.size(); ++i) {
    if (is_key_staged_[i]) {
      key_ = ids_[i];
      continue;
    }
    if (runs_.empty() || runs_.back().key != key_)
      runs_.push_back({key_, static_cast<uint32_t>(pairs_.size()), 0});
    pairs_.push_back(ids_[i]);
    runs_.back().end = static_cast<uint32_t>(pairs_.size());
  }
  is_key_staged_.clear();
}

// New ids: keys in the order of their first pair, then the other phrases in the order they were
// met.
std::vector<uint32_t> ParaphraseBuilder::keys_first() {
  std::vector<uint32_t> new_ids(phrases_.num_phrases(), kNone);
  uint32_t next = 0;
  for (const Run& run : runs_) {
    if (new_ids[run.key] == kNone) new_ids[run.key] = next++;
  }
  num_keys_ = next;
  for (uint32_t& id : new_ids) {
    if (id == kNone) id = next++;
  }
  return new_ids;
}

void ParaphraseBuilder::write_pairs(IndexWriter& writer, const std::vector<uint32_t>& new_ids) {
  std::vector<uint32_t> ends(num_keys_ + 1, 0);
  for (const Run& run : runs_) ends[new_ids[run.key] + 1] += run.end - run.begin;
  for (size_t key = 0; key < num_keys_; ++key) ends[key + 1] += ends[key];
  std::vector<uint32_t> next(ends.begin(), ends.end() - 1);
  std::vector<uint32_t> grouped(pairs_.size());
  std::vector<uint64_t> filter(pairs_.size() / 4 + num_keys_);
  for (const Run& run : runs_) {
    uint32_t key = new_ids[run.key];
    ParaphraseIndex::KeyFilter part = ParaphraseIndex::filter_at(key, ends[key], ends[key + 1]);
    for (uint32_t i = run.begin; i < run.end; ++i) {
      uint32_t other = new_ids[pairs_[i]];
      grouped[next[key]++] = other;
      uint64_t hash = phrase_hash(other);
      filter[part.begin + ParaphraseIndex::filter_place(part, hash)] |=
          ParaphraseIndex::filter_bits(hash);
    }
  }
  pairs_ = {};
  writer.add(ends);
  writer.add(grouped);
  writer.add(filter);
}

std::string ParaphraseBuilder::finish(std::string_view source_sha256) && {
  flush();
  std::vector<uint32_t> new_ids = keys_first();
  IndexWriter writer(kParaphraseFormat, source_sha256);
  auto num_words = static_cast<uint32_t>(phrases_.num_words());
  writer.add(std::vector<uint32_t>{
      num_words, static_cast<uint32_t>(new_ids.size()), num_keys_, num_words > 65536 ? 1U : 0U});
  phrases_.write_words(writer);
  std::move(phrases_).write_phrases(writer, new_ids);
  write_pairs(writer, new_ids);
  return std::move(writer).finish();
}

ParaphraseIndex index_of_pairs(std::span<const std::pair<std::string, std::string>> pairs) {
  ParaphraseBuilder builder;
  for (const auto& [phrase, paraphrase] : pairs) builder.add(phrase, paraphrase);
  return ParaphraseIndex(*IndexFile::open(std::move(builder).finish({}), kParaphraseFormat));
}

std::string build_paraphrase_index(std::string_view packed,
                                   const std::string& where,
                                   const std::string& source_sha256) {
  GzipLines lines(packed, where);
  ParaphraseBuilder builder;
  std::string_view line;
  std::string phrase;
  while (lines.next(line)) {  // the probability: METEOR ignores it too
    if (!lines.next(line))
      lines.fail("the table ends after a probability: its line count is not a multiple of 3");
    phrase = line;
    if (!lines.next(line))
      lines.fail("the table ends after a phrase: its line count is not a multiple of 3");
    try {
      builder.add(phrase, line);
    } catch (const Error& error) {
      lines.fail(error.message());
    }
  }
  return std::move(builder).finish(source_sha256);
}

LoadedParaphrases load_paraphrases(const std::filesystem::path& file,
                                   const std::filesystem::path& cache_folder) {
  IndexSource source{"meteor-paraphrase", kParaphraseFormat, {file}};
  auto build = [&file](const std::string& sha256) {
    MappedFile table(file);
    return build_paraphrase_index(table.bytes(), file.string(), sha256);
  };
  try {
    CachedIndex cached = open_or_build(source, cache_folder, build);
    return {ParaphraseIndex(std::move(cached.index)), cached.was_built, cached.was_stored};
  } catch (const Error& error) {
    // A cached file may be whole and yet not ours; the table itself then speaks.
    if (cache_folder.empty()) throw;
    return load_paraphrases(file, {});
  }
}

}  // namespace snellen::text::meteor
