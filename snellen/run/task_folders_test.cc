// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/task_folders.h"
#include "snellen/run/catalogue.h"

#include <gtest/gtest.h>

#include "snellen/tasks/shared_settings.h"

namespace snellen::run {
namespace {

config::Options options_with(const std::string& data, const std::string& images) {
  config::Options options = run_options(Catalogue::built_in());
  options.set("data", config::Option::Values{data}, "--data");
  if (!images.empty()) options.set("images", config::Option::Values{images}, "--images");
  return options;
}

tasks::SharedSettings settings_for(const std::string& task, const config::Options& options) {
  const Catalogue catalogue = Catalogue::built_in();
  return options_of_task(options, catalogue.task(task).facts(), catalogue)
      .get<tasks::SharedSettings>();
}

TEST(NamedFolders, ArePartedAtCommasBeforeANameOnly) {
  const std::vector<NamedFolder> found = named_folders("a,b,probe-r=c,d,probe-c=e=f");
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].folder, "a,b");
  EXPECT_EQ(found[1].name, "probe-r");
  EXPECT_EQ(found[1].folder, "c,d");
  EXPECT_EQ(found[2].folder, "e=f");
}

TEST(TaskFolders, AreThoseOfTheTaskElseThoseOfAll) {
  const config::Options options = options_with("probe-r=r,probe-b=b,all", "vg=v,coco=c");
  EXPECT_EQ(settings_for("probe-r", options).data, "r");
  EXPECT_EQ(settings_for("probe-r", options).images, "v");
  EXPECT_EQ(settings_for("probe-b-background", options).data, "b,all");
  const config::Options first = options_with("all,probe-r=r", "");
  EXPECT_EQ(settings_for("probe-c", first).data, "all");
  EXPECT_EQ(settings_for("probe-r", first).data, "r");
  EXPECT_EQ(settings_for("probe-c", options_with("probe-r=r", "")).data, ".");
}

TEST(TaskFolders, SeveralWordsOfAFlagAreOneText) {
  config::Options options = run_options(Catalogue::built_in());
  options.set("images", config::Option::Values{"vg=v", "coco=c"}, "--images");
  EXPECT_EQ(settings_for("probe-c", options).images, "c");
}

TEST(TaskFolders, OfNoTaskAreRefused) {
  EXPECT_THROW(settings_for("probe-c", options_with("prob-r=x", "")), Error);
  EXPECT_THROW(settings_for("probe-c", options_with("x", "cocoa=x")), Error);
}

}  // namespace
}  // namespace snellen::run
