// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/worker.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "snellen/base/files.h"
#include "snellen/media/video/numbered_video.h"

namespace snellen::models {
std::unique_ptr<ModelEntry> make_exec();
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class Exec : public testing::Test {
 protected:
  Exec() : options_(make_exec()->facts().settings) {
    write_text_file(folder_ / "a.png", "not looked at");
    write_text_file(folder_ / "b.png", "not looked at");
  }
  std::unique_ptr<Worker> open(const std::string& command) {
    ModelRequest request{.argument = command, .options = &options_};
    return dynamic_cast<const WorkerEntry&>(*make_exec()).open_worker(request);
  }
  // Scores are the number of the request, and within it of the text.
  static std::string counting(const std::string& ready) {
    return "python3 -c '\nimport json, sys\nsys.stdin.readline()\nprint(json.dumps({\"ready\": "
           "True" +
           ready +
           "}), flush=True)\nfor n, line in enumerate(sys.stdin):\n"
           "  r = json.loads(line)\n"
           "  if r[\"op\"] == \"bye\": break\n"
           "  print(json.dumps({\"id\": r[\"id\"], \"scores\": [[0, 10, 100][r[\"part\"]] + i + "
           "(1000 if r[\"image\"] else 0) for i, t in "
           "enumerate(r[\"texts\"])]}), flush=True)\n'";
  }
  // Two texts of a picture.
  Result<WorkerAnswer> ask(const Worker& worker, const std::string& name, uint32_t part = 0) {
    const media::VisualPlace place{.path = folder_ / name};
    return worker.score({.item = "g", .part = part, .place = &place, .texts = {"one", "two"}}, {});
  }

  media::ScratchFolder folder_;
  config::Options options_;
};

TEST_F(Exec, AsksAPictureWithItsTexts) {
  auto worker = open(counting(""));
  EXPECT_THAT(ask(*worker, "a.png")->values, ElementsAre(1000, 1001));
  EXPECT_THAT(ask(*worker, "b.png", 1)->values, ElementsAre(1010, 1011));
  EXPECT_EQ(worker->traits().at_once, 64U);
  EXPECT_FALSE(worker->traits().may_be_kept);
  EXPECT_THAT(worker->notes().front(), HasSubstr("answered 2 requests"));
}

TEST_F(Exec, SplitsWhatIsMoreThanTheAdapterTakes) {
  auto worker = open(counting(", \"max_texts\": 1"));
  EXPECT_THAT(ask(*worker, "a.png")->values, ElementsAre(1000, 1010));
}

TEST_F(Exec, AModelOfTextsNeedsNoPictures) {
  auto worker = open(counting(", \"wants\": \"texts\""));
  EXPECT_FALSE(worker->traits().looks);
  EXPECT_THAT(ask(*worker, "none.png")->values, ElementsAre(0, 1));
}

TEST_F(Exec, AMissingPictureFailsItsQuestion) {
  auto worker = open(counting(""));
  EXPECT_EQ(ask(*worker, "none.png").error().code(), ErrorCode::kNotFound);
}

TEST_F(Exec, GivesRowsOfPicturesAndOfTexts) {
  auto worker = open(
      "python3 -c '\nimport json, sys, struct, base64\nsys.stdin.readline()\n"
      "print(\"Loading...\")\nprint(json.dumps({\"ready\": True, \"mode\": \"embedding\", "
      "\"scale\": 2, \"identity\": \"v1\"}), flush=True)\nfor line in sys.stdin:\n"
      "  r = json.loads(line)\n"
      "  if r[\"op\"] == \"bye\": break\n"
      "  row = [1.5, 2] if r[\"image\"] else base64.b64encode(struct.pack(\"<2f\", 3, "
      "len(r[\"texts\"][0]))).decode()\n"
      "  print(json.dumps({\"id\": r[\"id\"], \"row\": row}), flush=True)\n'");
  EXPECT_TRUE(worker->traits().embeds);
  EXPECT_TRUE(worker->traits().may_be_kept);
  EXPECT_EQ(worker->traits().similarity.scale, 2);
  const media::VisualPlace place{.path = folder_ / "a.png"}, lost{.path = folder_ / "none.png"};
  const auto rows = worker->embed(
      std::vector<WorkerQuestion>{{.place = &place}, {.place = &lost}, {.texts = {"four"}}}, {});
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_THAT(rows[0]->values, ElementsAre(1.5, 2));
  EXPECT_FALSE(rows[1]);
  EXPECT_THAT(rows[2]->values, ElementsAre(3, 4));
}

TEST_F(Exec, NamesItselfForTheStamp) {
  auto worker = open(counting(", \"name\": \"mine\", \"identity\": \"v7\""));
  auto identity = worker->identity();
  auto value_of = [&](std::string_view name) {
    return std::find_if(identity.begin(),
                        identity.end(),
                        [&](const Model::Identity& one) { return one.name == name; })
        ->value;
  };
  EXPECT_EQ(value_of("adapter"), "mine");
  EXPECT_EQ(value_of("adapter_identity"), "v7");
  EXPECT_EQ(value_of("mode"), "similarity");
}

TEST_F(Exec, NeedsACommandAndFlagsThatMakeSense) {
  EXPECT_THROW(open(" "), Error);
  EXPECT_THROW(options_.set("exec-timeout", "-1", "test"), Error);
}

}  // namespace
}  // namespace snellen::models
