// SPDX-License-Identifier: Apache-2.0
#include "snellen/config/data_registry.h"

#include <gtest/gtest.h>

#include "snellen/base/error.h"
#include "snellen/base/files.h"

namespace snellen::config {
namespace {

namespace fs = std::filesystem;

fs::path fresh_file() {
  const fs::path folder = fs::path(testing::TempDir()) / "data_registry";
  fs::remove_all(folder);
  return folder / "snellen" / "data.json";
}

TEST(DataRegistry, KeepsFoldersByNameBetweenPrograms) {
  const fs::path file = fresh_file();
  DataRegistry(file).set("coco", "/data/../data/val2014");
  DataRegistry(file).set("vg", "/data/vg");
  EXPECT_EQ(DataRegistry(file).find("coco"), fs::path("/data/val2014"));
  EXPECT_TRUE(DataRegistry(file).remove("vg"));
  EXPECT_FALSE(DataRegistry(file).find("vg"));
  EXPECT_FALSE(DataRegistry(file).remove("vg"));
}

TEST(DataRegistry, IsEmptyWithoutAFile) {
  EXPECT_TRUE(DataRegistry(fresh_file()).folders().empty());
  EXPECT_TRUE(DataRegistry(fs::path()).folders().empty());
  EXPECT_THROW(DataRegistry(fs::path()).set("coco", "/x"), Error);
}

TEST(DataRegistry, RefusesAnotherFile) {
  const fs::path file = fresh_file();
  for (const char* text : {"[]",
                           "{}",
                           "{\"schema\": 1, \"folders\": {\"coco\": 1}}",
                           "{\"schema\": \"1\", \"folders\": {}}",
                           "{"}) {
    write_text_file(file, text);
    EXPECT_THROW(DataRegistry{file}, Error) << text;
  }
}

TEST(DataRegistry, LosesNothingThatAnotherProcessAdded) {
  const fs::path file = fresh_file();
  DataRegistry first(file), second(file);
  first.set("coco", "/data/val2014");
  second.set("vg", "/data/vg");
  EXPECT_EQ(DataRegistry(file).folders().size(), 2U);
}

TEST(DataRegistry, RefusesANameThatIsNoText) {
  const fs::path file = fresh_file();
  DataRegistry registry(file);
  registry.set("coco", "/data/val2014");
  EXPECT_THROW(registry.set("vg", "/data/\xff"), Error);
  EXPECT_FALSE(registry.find("vg"));
  EXPECT_EQ(DataRegistry(file).folders().size(), 1U);
}

}  // namespace
}  // namespace snellen::config
