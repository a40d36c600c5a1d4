// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "snellen/base/file_lock.h"

namespace snellen::models {

// A model folder in the making: everything is written below folder(), a neighbour of its place, and
// commit() renames that to its place. So the place holds a whole folder or none, whatever happens.
class CheckpointDraft {
 public:
  // Throws kInvalidInput when something other than an empty folder is at `place`, kIo or kNotFound
  // when its neighbour cannot be made, kBusy when another process writes the same place. What a
  // killed process left of an earlier draft is removed, and nothing else.
  explicit CheckpointDraft(const std::filesystem::path& place);
  // Removes what was not committed.
  ~CheckpointDraft();
  CheckpointDraft(const CheckpointDraft&) = delete;
  CheckpointDraft& operator=(const CheckpointDraft&) = delete;

  const std::filesystem::path& folder() const { return draft_; }
  void commit();

 private:
  std::filesystem::path place_;
  FileLock lock_;
  std::filesystem::path draft_;
  bool is_committed_ = false;
};

// Copies what stands beside the weights of a published folder and says how to use them:
// configuration, tokenizer, preprocessing. Files that `from` lacks are left out; each appears
// whole. Throws kIo.
void copy_companions(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace snellen::models
