// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/checkpoint/checkpoint_draft.h"

#include <gtest/gtest.h>

#include "snellen/base/error.h"
#include "snellen/testing/handmade_files.h"

namespace snellen::models {
namespace {

namespace fs = std::filesystem;

TEST(CheckpointDraft, AppearsWholeAtItsPlace) {
  handmade::Folder folder("draft");
  fs::path place = folder.path() / "model";
  CheckpointDraft draft(place);
  write_text_file(draft.folder() / "config.json", "{}");
  EXPECT_FALSE(fs::exists(place));
  draft.commit();
  EXPECT_EQ(read_text_file(place / "config.json"), "{}");
  EXPECT_FALSE(fs::exists(draft.folder()));
}

TEST(CheckpointDraft, LeavesNothingWhenItIsNotCommitted) {
  handmade::Folder folder("draft");
  { CheckpointDraft draft(folder.path() / "model/"); }
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(CheckpointDraft, RemovesWhatAKilledProcessLeftAndNothingElse) {
  handmade::Folder folder("draft");
  const fs::path left = half_written_path(folder.path() / "model");
  write_text_file(left / "half", "x");
  write_text_file(folder.path() / "model.partial" / "notes.txt", "x");
  write_text_file(half_written_path(folder.path() / "another") / "half", "x");
  CheckpointDraft draft(folder.path() / "model");
  draft.commit();
  EXPECT_TRUE(fs::is_empty(folder.path() / "model"));
  EXPECT_FALSE(fs::exists(left));
  EXPECT_TRUE(fs::exists(folder.path() / "model.partial" / "notes.txt"));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 4);  // with the lock
}

TEST(CheckpointDraft, IsWrittenByOneAtATime) {
  handmade::Folder folder("draft");
  CheckpointDraft draft(folder.path() / "model");
  EXPECT_THROW(CheckpointDraft(folder.path() / "model"), Error);
}

TEST(CheckpointDraft, RefusesAPlaceThatIsTaken) {
  handmade::Folder folder("draft");
  folder.put("model", "a file");
  EXPECT_THROW(CheckpointDraft(folder.path() / "model"), Error);
  EXPECT_THROW(CheckpointDraft{folder.path()}, Error);
}

TEST(CopyCompanions, TakesWhatSaysHowToUseWeightsAndNothingElse) {
  handmade::Folder from("companions_from"), to("companions_to");
  from.put("config.json", "{\"a\": 1}");
  from.put("vocab.txt", "word\n");
  from.put("model.safetensors", "weights");
  copy_companions(from.path(), to.path());
  EXPECT_EQ(read_text_file(to.path() / "config.json"), "{\"a\": 1}");
  EXPECT_EQ(read_text_file(to.path() / "vocab.txt"), "word\n");
  EXPECT_FALSE(fs::exists(to.path() / "model.safetensors"));
}

}  // namespace
}  // namespace snellen::models
