// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/checkpoint/checkpoint_draft.h"

#include <array>

#include <fmt/format.h>

#include "snellen/base/error.h"
#include "snellen/base/files.h"

namespace snellen::models {
namespace {

namespace fs = std::filesystem;

constexpr auto kCompanions = std::to_array<const char*>({"config.json",
                                                         "open_clip_config.json",
                                                         "generation_config.json",
                                                         "preprocessor_config.json",
                                                         "processor_config.json",
                                                         "video_preprocessor_config.json",
                                                         "tokenizer.json",
                                                         "tokenizer_config.json",
                                                         "special_tokens_map.json",
                                                         "added_tokens.json",
                                                         "vocab.json",
                                                         "merges.txt",
                                                         "vocab.txt",
                                                         "spiece.model",
                                                         "tokenizer.model",
                                                         "bpe_simple_vocab_16e6.txt.gz"});

[[noreturn]] void fail(const char* doing, const fs::path& path, const std::error_code& reason) {
  throw Error{ErrorCode::kIo, fmt::format("cannot {}: {}", doing, reason.message()), path.string()};
}

fs::path without_slash(const fs::path& place) {
  return place.has_filename() ? place : place.parent_path();
}

}  // namespace

CheckpointDraft::CheckpointDraft(const fs::path& place)
    : place_(without_slash(place)),
      lock_(place_.string() + ".lock", "wait for it, or name another folder") {
  std::error_code failed;
  if (fs::exists(place_, failed) && !(fs::is_directory(place_, failed) && fs::is_empty(place_))) {
    throw Error{ErrorCode::kInvalidInput,
                "is there already",
                place_.string(),
                "name another folder, or remove this one"};
  }
  const fs::path neighbours = place_.has_parent_path() ? place_.parent_path() : fs::path(".");
  remove_half_written_in(neighbours, place_.filename().string());
  do {
    draft_ = half_written_path(place_);
  } while (!fs::create_directory(draft_, failed) && !failed);
  if (failed) fail("make the folder", draft_, failed);
}

CheckpointDraft::~CheckpointDraft() {
  std::error_code ignored;
  if (!is_committed_) fs::remove_all(draft_, ignored);
}

void CheckpointDraft::commit() {
  rename_into_place(draft_, place_);
  is_committed_ = true;
}

void copy_companions(const fs::path& from, const fs::path& to) {
  std::error_code failed;
  for (const char* name : kCompanions) {
    if (!fs::is_regular_file(from / name, failed)) continue;
    MappedFile file(from / name);
    write_text_file(to / name, file.bytes());
  }
}

}  // namespace snellen::models
