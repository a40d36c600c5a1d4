// SPDX-License-Identifier: Apache-2.0
// What a served model sends, as a server sees it.
#include <mutex>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "snellen/http/server.h"
#include "snellen/media/video/numbered_video.h"
#include "snellen/models/openai/settings.h"
#include "snellen/models/worker.h"

namespace snellen::models {
std::unique_ptr<ModelEntry> make_openai();
namespace {

using nlohmann::json;

class AskedModel : public testing::Test {
 protected:
  AskedModel()
      : server_(
            {.num_threads = 4},
            [this](const http::Request& request) {
              std::lock_guard lock(mutex_);
              bodies_.push_back(json::parse(request.body));
              return http::Response{.body = R"({"choices": [{"message": {"content": "Yes"}}]})"};
            }),
        entry_(make_openai()),
        options_(entry_->facts().settings) {
    options_.set("base-url", server_.address() + "/v1", "test");
    const ModelRequest request{.argument = "m",
                               .options = &options_,
                               .working_folder = folder_ / "runs",
                               .cache = folder_ / "cache"};
    worker_ = dynamic_cast<const WorkerEntry&>(*entry_).open_worker(request);
  }

  media::ScratchFolder folder_;
  std::mutex mutex_;  // guards the following
  std::vector<json> bodies_;
  http::Server server_;
  std::unique_ptr<ModelEntry> entry_;
  config::Options options_;
  std::unique_ptr<Worker> worker_;
};

TEST_F(AskedModel, RepeatsAreRequestsOfTheirOwn) {
  for (int twice = 0; twice < 2; ++twice) {
    for (uint32_t repeat = 0; repeat < 3; ++repeat)
      EXPECT_EQ(worker_->answer({.texts = {"Tell a story."}, .repeat = repeat}, {})->text, "Yes");
  }
  ASSERT_EQ(bodies_.size(), 3U);  // each was kept
  for (size_t i = 0; i < bodies_.size(); ++i) {
    EXPECT_EQ(bodies_[i]["n"], 1);
    EXPECT_EQ(bodies_[i]["seed"], i);  // with one seed a server would say the same again
    EXPECT_EQ(bodies_[i]["messages"], bodies_[0]["messages"]);
  }
}

TEST_F(AskedModel, StopIsSentOnlyWhenAskedFor) {
  EXPECT_TRUE(worker_->answer({.texts = {"Tell a story."}}, {}));
  EXPECT_FALSE(bodies_.at(0).contains("stop"));
}

TEST_F(AskedModel, TakesThePictureThatItIsGiven) {
  int count = 0;
  const auto picture = std::make_shared<const media::Image>(
      media::Image{.width = 2, .height = 1, .pixels = {1, 2, 3, 4, 5, 6}});
  const media::VisualPlace place{.path = folder_ / "not-there.png"};
  media::VisualPlace gray = place;
  gray.corruption = media::PlacedCorruption{.name = "gray", .image_id = "not-there"};
  auto give = [&]() -> Result<std::shared_ptr<const media::Image>> {
    ++count;
    return picture;
  };
  for (const media::VisualPlace* one :
       std::initializer_list<const media::VisualPlace*>{&place, &gray, &place}) {
    WorkerQuestion question{.place = one, .texts = {"a cat"}, .picture = give};
    EXPECT_TRUE(worker_->score(question, {}));
  }
  EXPECT_EQ(count, 2);  // the third is encoded already
  EXPECT_EQ(picture->pixels[0], 1);
  ASSERT_EQ(bodies_.size(), 2U);
  EXPECT_NE(bodies_[0]["messages"], bodies_[1]["messages"]);
}

}  // namespace
}  // namespace snellen::models
