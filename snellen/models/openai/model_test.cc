// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "snellen/media/video/numbered_video.h"
#include "snellen/models/openai/settings.h"
#include "snellen/models/worker.h"

namespace snellen::models {
std::unique_ptr<ModelEntry> make_openai();
namespace {

using testing::HasSubstr;

class Served : public testing::Test {
 protected:
  Served() : entry_(make_openai()), options_(entry_->facts().settings) {}
  ModelRequest request() {
    return {.argument = "m",
            .options = &options_,
            .working_folder = folder_ / "runs",
            .cache = folder_ / "cache",
            .variable = [](const std::string& name) {
              return name == "OPENAI_API_KEY" ? std::string("key\n") : std::string();
            }};
  }
  std::unique_ptr<Worker> open(const ModelRequest& request) {
    return dynamic_cast<const WorkerEntry&>(*entry_).open_worker(request);
  }
  std::string refusal(const ModelRequest& request) {
    try {
      open(request);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  media::ScratchFolder folder_;
  std::unique_ptr<ModelEntry> entry_;
  config::Options options_;
};

TEST_F(Served, SaysWhatItOffers) {
  EXPECT_THAT(entry_->facts().scores, testing::ElementsAre("yes", "letter", "likelihood"));
  EXPECT_TRUE(entry_->facts().can_answer);
}

TEST_F(Served, WantsAServerAndAScoreThatItHas) {
  EXPECT_THAT(refusal(request()), HasSubstr("--base-url"));
  options_.set("base-url", "http://user:pw@127.0.0.1:9/v1", "test");
  EXPECT_THAT(refusal(request()), HasSubstr("credentials"));
  options_.set("base-url", "http://127.0.0.1:9/v1", "test");
  EXPECT_EQ(refusal(request()), "");
  ModelRequest other = request();
  other.score = "itm";
  EXPECT_THAT(refusal(other), HasSubstr("it has yes, letter, likelihood"));
  other.score = "letter";
  EXPECT_EQ(open(other)->traits().kind, questions::ScoreKind::kChoice);
  other.score = "likelihood";
  EXPECT_EQ(open(other)->traits().kind, questions::ScoreKind::kLogLikelihood);
  EXPECT_FALSE(open(other)->traits().looks);
  options_.set("yes-template", "no place", "test");
  EXPECT_THAT(refusal(request()), HasSubstr("--yes-template"));
}

TEST_F(Served, TakesTheKeyFromTheEnvironmentOrAFile) {
  options_.set("base-url", "http://127.0.0.1:9/v1", "test");
  const auto& settings = options_.get<openai::Settings>();
  EXPECT_EQ(openai::endpoint_options(settings, request()).key, "key");
  options_.set("api-key-env", "NOBODY", "test");
  EXPECT_EQ(openai::endpoint_options(settings, request()).key, "");
  options_.set("api-key-file", (folder_ / "absent").string(), "test");
  EXPECT_THROW(openai::endpoint_options(settings, request()), Error);
}

TEST_F(Served, AnswersAreNoOneElsesWhenTheTemplateDiffers) {
  options_.set("base-url", "http://127.0.0.1:9/v1", "test");
  auto value_of = [](const Worker& worker, const std::string& name) {
    for (const Model::Identity& one : worker.identity()) {
      if (one.name == name) return one.value;
    }
    return std::string();
  };
  EXPECT_EQ(value_of(*open(request()), "served_by"), "http://127.0.0.1/v1");
  EXPECT_THAT(value_of(*open(request()), "yes_template"), HasSubstr("{}"));
}

TEST(ErrorLimit, IsANumberOrAShare) {
  EXPECT_EQ(openai::error_limit_of("20").count, 20U);
  EXPECT_EQ(openai::error_limit_of("5%").share, 0.05);
  EXPECT_FALSE(openai::error_limit_of("").count);
  for (const char* bad : {"x", "%", "-1", "101%", "5%%"})
    EXPECT_THROW(openai::error_limit_of(bad), Error) << bad;
}

}  // namespace
}  // namespace snellen::models
