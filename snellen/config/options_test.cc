// SPDX-License-Identifier: Apache-2.0
#include "snellen/config/options.h"

#include <gtest/gtest.h>

#include "snellen/base/error.h"

namespace snellen::config {
namespace {

Options three() {
  return Options(
      {{.name = "batch-size",
        .kind = OptionKind::kInteger,
        .default_value = "64",
        .help = "items a batch"},
       {.name = "split", .kind = OptionKind::kList, .choices = {"composition", "object"}},
       {.name = "output", .default_value = "runs", .aliases = {"save_dir"}, .is_identity = false}});
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
  EXPECT_EQ(options.integer("batch-size"), 8);
  EXPECT_EQ(options.text("output"), "x");
}

TEST(Options, NamesTheNearestKnownSetting) {
  EXPECT_EQ(message_of([](Options& o) { o.set("batchsize", "8", "run.json"); }),
            "run.json: unknown setting 'batchsize' (did you mean 'batch-size'?)");
}

TEST(Options, ChecksKindsAndChoices) {
  EXPECT_EQ(message_of([](Options& o) { o.set("batch-size", "many", "--batch-size"); }),
            "--batch-size: 'batch-size' wants a whole number, got 'many' (items a batch)");
  EXPECT_EQ(message_of([](Options& o) { o.set("split", "object,composition,objekt", "--split"); }),
            "--split: 'split' cannot be 'objekt' (did you mean 'object'?)");
}

TEST(Options, KeepsWhatTheCommandLineSetWhenAConfigFollows) {
  Options options = three();
  options.set("batch-size", "8", "flag");
  options.set_from_json(
      R"({"batch_size": 16, "split": ["object"]})", "run.json", /*keep_set=*/true);
  EXPECT_EQ(options.integer("batch-size"), 8);
  EXPECT_EQ(options.list("split"), std::vector<std::string>{"object"});
}

TEST(Options, TakesTheSettingsOfARunFoldersStamp) {
  Options options = three();
  options.set_from_json(R"({"schema": 1, "command": "x", "settings": {"batch-size": "4"}})",
                        "runs/a/run.json",
                        /*keep_set=*/true);
  EXPECT_EQ(options.integer("batch-size"), 4);
}

TEST(Options, LeavesOutWhatAConfigSaysIsNull) {
  Options options = three();
  options.set_from_json(R"({"output": null})", "run.json", /*keep_set=*/true);
  EXPECT_FALSE(options.is_set("output"));
}

TEST(Options, WritesBackWhatWasResolved) {
  EXPECT_EQ(three().resolved(/*identity_only=*/false).size(), 2U);
  EXPECT_EQ(three().resolved(/*identity_only=*/true).size(), 1U);
}

}  // namespace
}  // namespace snellen::config
