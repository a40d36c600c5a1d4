// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/model.h"

#include <algorithm>
#include <array>

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
  std::unique_ptr<Model> open(const std::string& command) {
    ModelRequest request{.argument = command, .options = &options_};
    return make_exec()->open(request);
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
  LocateVisual locate() {
    return [this](std::string_view name) -> Result<media::VisualPlace> {
      return media::VisualPlace{.path = folder_ / std::string(name)};
    };
  }

  media::ScratchFolder folder_;
  config::Options options_;
};

constexpr std::array<Cell, 4> kCells = {
    {{"a.png", "one"}, {"b.png", "one"}, {"a.png", "two"}, {"b.png", "two"}}};

TEST_F(Exec, AsksEachVisualWithItsTextsAndPutsScoresBackInOrder) {
  auto model = open(counting(""));
  Ask ask{.item = "g", .cells = kCells, .locate = locate()};
  EXPECT_THAT(*model->score(ask), ElementsAre(1000, 1010, 1001, 1011));
  EXPECT_EQ(model->asks_at_once(), 16U);
  EXPECT_THAT(model->notes().front(), HasSubstr("answered 2 requests"));
}

TEST_F(Exec, SplitsWhatIsMoreThanTheAdapterTakes) {
  auto model = open(counting(", \"max_texts\": 1"));
  Ask ask{.item = "g", .cells = std::span(kCells).first(3), .locate = locate()};
  EXPECT_THAT(*model->score(ask), ElementsAre(1000, 1100, 1010));
}

TEST_F(Exec, AModelOfTextsNeedsNoPictures) {
  auto model = open(counting(", \"wants\": \"texts\""));
  EXPECT_THAT(*model->score({.item = "g", .cells = std::span(kCells).first(1)}), ElementsAre(0));
}

TEST_F(Exec, AMissingPictureFailsItsItem) {
  auto model = open(counting(""));
  constexpr std::array<Cell, 1> kAbsent = {{{"none.png", "one"}}};
  EXPECT_EQ(model->score({.item = "g", .cells = kAbsent, .locate = locate()}).error().code(),
            ErrorCode::kNotFound);
}

TEST_F(Exec, NamesItselfForTheStamp) {
  auto model = open(counting(", \"name\": \"mine\", \"identity\": \"v7\""));
  auto identity = model->identity();
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
