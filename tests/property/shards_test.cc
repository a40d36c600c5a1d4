// SPDX-License-Identifier: Apache-2.0
// A run that was cut into shards and merged is the run that one process makes, however many shards
// there are and in whichever order they are named.
#include <filesystem>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "snellen/base/files.h"
#include "snellen/base/rng.h"
#include "snellen/base/scratch_folder.h"
#include "snellen/run/catalogue.h"
#include "snellen/run/ending/merge.h"

namespace snellen::run {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kCases = 6;

// Groups of Probe-C that share some of their pictures; a few are no groups.
std::string draw_groups(Rng& rng) {
  const uint64_t count = 40 + rng.below(120);
  std::string groups;
  for (uint64_t i = 0; i < count; ++i) {
    groups += i == 0 ? "[" : ",\n";
    if (i > 0 && rng.below(30) == 0) {
      groups += R"({"img1_id": "x"})";
      continue;
    }
    groups +=
        fmt::format(R"({{"img1_id": "{}", "img2_id": {}, "img1_prompt": "a red cat {}", )"
                    R"("img2_prompt": "a blue cat {}", "img1_composition": "{}", )"
                    R"("img2_composition": "blue", "img1_object": "cat", "img2_object": "cat"}})",
                    rng.below(count),
                    rng.below(count),
                    rng.below(9),
                    rng.below(9),
                    rng.below(2) == 0 ? "red" : "wet");
  }
  return groups + "]";
}

class Shards : public testing::Test {
 protected:
  fs::path run(const std::string& output, const std::string& shard = {}) {
    config::Options options = run_options(catalogue_);
    std::map<std::string, std::string> settings = {{"model", "fake"},
                                                   {"tasks", "probe-c"},
                                                   {"data", folder_.path().string()},
                                                   {"bootstrap", "50"},
                                                   {"output", (folder_ / output).string()}};
    if (!shard.empty()) settings["shard"] = shard;
    for (const auto& [name, value] : settings) options.set(name, value, "test");
    return run_tasks({catalogue_, options, "test", {}, [] { return false; }}).folder;
  }

  // What must be the same bytes: every file but stamps, logs and the database, whose samples the
  // stamp has the digest of.
  static std::map<std::string, std::string> contents(const fs::path& folder) {
    std::map<std::string, std::string> found;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      const std::string name = entry.path().filename().string();
      const bool is_volatile = name == "run.json" || name == "run_meta.json" ||
                               name == "run.lock" || name.starts_with("log") ||
                               name.starts_with("samples.db");
      if (entry.is_regular_file() && !is_volatile)
        found[entry.path().lexically_relative(folder).string()] = read_text_file(entry.path());
    }
    const auto stamp = nlohmann::json::parse(read_text_file(folder / "run.json"));
    found["samples"] = stamp.at("samples_sha256").get<std::string>();
    return found;
  }

  Catalogue catalogue_ = Catalogue::built_in();
  ScratchFolder folder_;
};

TEST_F(Shards, MergedAreTheWholeRun) {
  for (uint64_t id = 0; id < kCases; ++id) {
    Rng rng = Rng(0).fork("shards").fork(id);
    write_text_file(folder_ / "data_compositional_switch.json", draw_groups(rng));
    const fs::path whole = run(fmt::format("whole{}", id));
    const uint64_t count = 2 + rng.below(4);
    std::vector<fs::path> shards;
    for (uint64_t i = 0; i < count; ++i)
      shards.push_back(run(fmt::format("shards{}", id), fmt::format("{}/{}", i, count)));
    rng.shuffle(std::span(shards));
    const RunSummary merged = merge_shards({.shards = shards,
                                            .output = folder_ / fmt::format("merged{}", id),
                                            .catalogue = catalogue_,
                                            .command = "test"});
    EXPECT_EQ(contents(merged.folder), contents(whole)) << id << ": " << count << " shards";
  }
}

}  // namespace
}  // namespace snellen::run
