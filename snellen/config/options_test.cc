// SPDX-License-Identifier: Apache-2.0
#include "snellen/config/options.h"

#include <gtest/gtest.h>

#include "snellen/base/error.h"

namespace snellen::config {
namespace {

struct Three {
  int64_t batch_size = 64;
  std::vector<std::string> split;
  std::string output = "runs";
};

Options three() {
  return Options(std::vector<Block>{
      Block(Three{},
            {option(&Three::batch_size, "batch-size", "items per batch"),
             option(&Three::split, "split", "").choices({"composition", "object"}),
             option(&Three::output, "output", "").alias("save_dir").identity(false)})});
}

std::string message_of(void (*act)(Options&)) {
  Options options = three();
  try {
    act(options);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUsage);
    return error.what();
  }
  return "none";
}

TEST(Options, TreatsUnderscoresAndReferenceSpellingsAlike) {
  Options options = three();
  options.set("batch_size", "8", "flag");
  options.set("save-dir", "x", "flag");
  EXPECT_EQ(options.get<Three>().batch_size, 8);
  EXPECT_EQ(options.get<Three>().output, "x");
}

TEST(Options, NamesTheNearestKnownSetting) {
  EXPECT_EQ(message_of([](Options& o) { o.set("batchsize", "8", "run.json"); }),
            "run.json: unknown setting 'batchsize' (did you mean 'batch-size'?)");
}

TEST(Options, ChecksKindsAndChoices) {
  EXPECT_EQ(message_of([](Options& o) { o.set("batch-size", "many", "--batch-size"); }),
            "--batch-size: 'batch-size' needs a whole number, got 'many' (items per batch)");
  EXPECT_EQ(message_of([](Options& o) { o.set("split", "object,composition,objekt", "--split"); }),
            "--split: 'split' cannot be 'objekt' (did you mean 'object'?)");
}

TEST(Options, KeepsWhatTheCommandLineSetWhenAConfigFollows) {
  Options options = three();
  options.set("batch-size", "8", "flag");
  options.set_from_json(
      R"({"batch_size": 16, "split": ["object"]})", "run.json", /*keep_set=*/true);
  EXPECT_EQ(options.get<Three>().batch_size, 8);
  EXPECT_EQ(options.get<Three>().split, std::vector<std::string>{"object"});
}

TEST(Options, TakesTheSettingsOfARunFoldersStamp) {
  Options options = three();
  options.set_from_json(R"({"schema": 1, "command": "x", "settings": {"batch-size": "4"}})",
                        "runs/a/run.json",
                        /*keep_set=*/true);
  EXPECT_EQ(options.get<Three>().batch_size, 4);
}

TEST(Options, LeavesOutWhatAConfigSaysIsNull) {
  Options options = three();
  options.set_from_json(R"({"output": null})", "run.json", /*keep_set=*/true);
  EXPECT_FALSE(options.is_set("output"));
}

TEST(Options, WritesBackWhatWasResolved) {
  Options options = three();
  options.set("split", "object, composition", "flag");
  using Map = std::map<std::string, std::string>;
  EXPECT_EQ(options.resolved(/*identity_only=*/false),
            (Map{{"batch-size", "64"}, {"output", "runs"}, {"split", "object,composition"}}));
  EXPECT_EQ(options.resolved(/*identity_only=*/true),
            (Map{{"batch-size", "64"}, {"split", "object,composition"}}));
}

enum class Ties { kWrong, kHalf };

struct Inner {
  double beta2 = 0.98;
};
struct Outer {
  Inner inner;
  uint64_t steps = 7;
  bool is_fast = false;
  std::optional<int64_t> frames;
  std::optional<bool> mask;
  Ties ties = Ties::kWrong;
  std::vector<std::filesystem::path> folders;
  std::string mode = "plain";
};

Options typed() {
  std::vector<Option> own = {
      option(&Outer::steps, "steps", "number of steps").range(1, 100),
      option(&Outer::is_fast, "fast", "go faster").identity(false),
      option(&Outer::frames, "frames", "frames per clip"),
      option(&Outer::mask, "mask", "show nothing"),
      option(&Outer::ties, "ties", "ties", {{"wrong", Ties::kWrong}, {"half", Ties::kHalf}}),
      option(&Outer::folders, "folders", "folders").many(),
      option(&Outer::mode, "mode", "mode").omit_default()};
  return Options(std::vector<Block>{
      Block(Outer{},
            joined({nested(&Outer::inner, {option(&Inner::beta2, "beta2", "decay").alias("b2")}),
                    own}))});
}

TEST(TypedOptions, FillTheStructThatDeclaresThem) {
  Options options = typed();
  options.set("b2", "0.5", "--b2");
  options.set("frames", "3", "--frames");
  options.set("ties", "half", "--ties");
  options.set("mask", "false", "--mask");
  options.set("folders", std::vector<std::string>{"a,b", "c"}, "--folders");
  const Outer& outer = options.get<Outer>();
  EXPECT_EQ(outer.inner.beta2, 0.5);
  EXPECT_EQ(outer.frames, 3);
  EXPECT_EQ(outer.mask, false);
  EXPECT_EQ(outer.ties, Ties::kHalf);
  EXPECT_EQ(outer.folders, (std::vector<std::filesystem::path>{"a,b", "c"}));
}

TEST(TypedOptions, PrintTheDefaultsOfTheStruct) {
  const Options options = typed();
  EXPECT_EQ(options.blocks()[0].find("beta2")->facts().default_value, "0.98");
  EXPECT_EQ(
      options.resolved(/*identity_only=*/true),
      (std::map<std::string, std::string>{{"beta2", "0.98"}, {"steps", "7"}, {"ties", "wrong"}}));
}

TEST(TypedOptions, LeaveACopyAlone) {
  const Options before = typed();
  Options after = before;
  after.set("steps", "9", "--steps");
  EXPECT_EQ(before.get<Outer>().steps, 7U);
  EXPECT_EQ(after.get<Outer>().steps, 9U);
}

TEST(TypedOptions, RefuseWhatDoesNotFit) {
  auto message = [](const char* name, const char* value) {
    Options options = typed();
    try {
      options.set(name, value, "--x");
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  EXPECT_EQ(message("steps", "0"), "--x: is 0, expected 1 to 100 (number of steps)");
  EXPECT_EQ(message("steps", "1.5"),
            "--x: 'steps' needs a whole number, got '1.5' (number of steps)");
  EXPECT_EQ(message("beta2", "nan"), "--x: 'beta2' needs a number, got 'nan' (decay)");
  EXPECT_EQ(message("fast", "yes"), "--x: 'fast' needs true or false, got 'yes' (go faster)");
}

TEST(TypedOptions, SkipRetiredSettingsOfAStampAndThoseOfOwnersThatAreNotWanted) {
  std::vector<Block> blocks = {Block(Outer{}, {option(&Outer::steps, "steps", "steps")}),
                               Block(Inner{}, {option(&Inner::beta2, "beta2", "decay")})};
  blocks[1].owned_by("task other");
  Options options(std::move(blocks));
  options.set_from_json(R"({"beta2": 0.1, "steps": 3, "pretend_memory": 0})",
                        "run.json",
                        /*keep_set=*/true,
                        [](const std::string& owner) { return owner != "task other"; });
  EXPECT_EQ(options.get<Outer>().steps, 3U);
  EXPECT_EQ(options.get<Inner>().beta2, 0.98);
}

TEST(Options, RefusesAConfigFileThatIsNestedDeeply) {
  Options options = three();
  std::string deep = "{\"split\": " + std::string(400'000, '[') + std::string(400'000, ']') + "}";
  EXPECT_THROW(options.set_from_json(deep, "deep.json", /*keep_set=*/true), Error);
}

}  // namespace
}  // namespace snellen::config
