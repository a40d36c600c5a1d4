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

TEST(CheckpointDraft, RemovesWhatAKilledProcessLeft) {
  handmade::Folder folder("draft");
  fs::create_directories(folder.path() / "model.partial");
  write_text_file(folder.path() / "model.partial" / "half", "x");
  CheckpointDraft draft(folder.path() / "model");
  draft.commit();
  EXPECT_TRUE(fs::is_empty(folder.path() / "model"));
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
