// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "snellen/base/files.h"
#include "snellen/models/exec/offline.h"
#include "snellen/models/worker.h"

namespace snellen::models {
std::unique_ptr<ModelEntry> make_replies();
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

class Replies : public testing::Test {
 protected:
  Replies() : folder_(fs::path(testing::TempDir()) / "snellen_replies_test") {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~Replies() override { fs::remove_all(folder_); }

  std::unique_ptr<Worker> open(const std::string& lines) {
    write_text_file(folder_ / "replies.jsonl", lines);
    const std::unique_ptr<ModelEntry> entry = make_replies();
    return dynamic_cast<const WorkerEntry&>(*entry).open_worker(
        {.argument = (folder_ / "replies.jsonl").string()});
  }
  std::string refusal(const std::string& lines) {
    try {
      open(lines);
    } catch (const Error& error) {
      return error.what();
    }
    return "taken";
  }

  fs::path folder_;
  const WorkerQuestion asked_ = {.item = "a", .texts = {"x", "y", "z"}};
};

TEST_F(Replies, AnswerWhatWasAsked) {
  const auto worker =
      open("loading...\n{\"ready\": true, \"mode\": \"perplexity\", \"name\": \"m\"}\n{\"id\": \"" +
           exec::offline_id(asked_, 0, 3) + "\", \"scores\": [1, 1, 1]}\n");
  EXPECT_EQ(worker->traits().kind, questions::ScoreKind::kLogLikelihood);
  const auto answer = worker->score(asked_, {});
  ASSERT_TRUE(answer) << answer.error().what();
  EXPECT_THAT(answer->values, ElementsAre(0, 0, 0));
  const WorkerQuestion other = {.item = "b", .texts = {"x"}};
  EXPECT_EQ(worker->score(other, {}).error().code(), ErrorCode::kNotFound);
  EXPECT_TRUE(worker->notes().empty());
}

TEST_F(Replies, JoinPartsOfAQuestion) {
  const auto worker = open("{\"id\": \"" + exec::offline_id(asked_, 0, 2) +
                           "\", \"scores\": [1, 2]}\n{\"id\": \"" + exec::offline_id(asked_, 2, 1) +
                           "\", \"scores\": [3]}\n{\"id\": \"somebody\", \"scores\": []}\n");
  EXPECT_THAT(worker->score(asked_, {})->values, ElementsAre(1, 2, 3));
  EXPECT_THAT(worker->notes(), ElementsAre(HasSubstr("1 of 3 replies")));
}

TEST_F(Replies, AreRefusedWithTheirLine) {
  EXPECT_THAT(refusal(""), HasSubstr("no reply"));
  EXPECT_THAT(refusal("{\"id\": \"a\", \"scores\": []}\nnonsense\n"), HasSubstr("line 2"));
  EXPECT_THAT(refusal("{\"id\": \"a\", \"scores\": []}\n{\"id\": \"a\", \"scores\": []}\n"),
              HasSubstr("comes twice"));
  EXPECT_THAT(refusal("{\"ready\": true, \"mode\": \"loud\"}\n"), HasSubstr("line 1"));
}

TEST(OfflineId, TellsWhoAsksWhat) {
  const WorkerQuestion one = {.item = "a", .texts = {"xy", "z"}};
  const WorkerQuestion other = {.item = "a", .texts = {"x", "yz"}};
  EXPECT_EQ(exec::offline_id(one, 0, 2), exec::offline_id(one, 0, 2));
  EXPECT_NE(exec::offline_id(one, 0, 2), exec::offline_id(other, 0, 2));
  EXPECT_NE(exec::offline_id(one, 0, 1), exec::offline_id(one, 0, 2));
  EXPECT_EQ(exec::offline_id(one, 0, 2).size(), 32U);
}

}  // namespace
}  // namespace snellen::models
