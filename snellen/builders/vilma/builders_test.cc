// SPDX-License-Identifier: Apache-2.0
// The three builders on small sources; tests/integration/test_build_vilma.py has the program's
// view.
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "snellen/annotations/vilma/vilma_annotations.h"
#include "snellen/base/files.h"
#include "snellen/builders/vilma/change_state_build.h"
#include "snellen/builders/vilma/check.h"
#include "snellen/builders/vilma/counting_build.h"
#include "snellen/builders/vilma/rare_build.h"

namespace snellen::builders::vilma {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class Builders : public testing::Test {
 protected:
  Builders() : folder_(fs::path(testing::TempDir()) / "snellen_vilma_builders") {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~Builders() override { fs::remove_all(folder_); }

  fs::path write(const std::string& name, const std::string& text) const {
    const fs::path path = folder_ / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }
  json read(const std::string& name) const { return json::parse(read_text_file(folder_ / name)); }
  void write_ends(const std::string& prefix, const std::vector<uint8_t>& ends) const {
    const std::string header =
        fmt::format("{{'descr': '|u1', 'fortran_order': False, 'shape': ({},), }}\n", ends.size());
    std::string file("\x93NUMPY\x01\x00", 8);
    file += static_cast<char>(header.size());
    file += '\0';
    file += header;
    for (const uint8_t end : ends) file += static_cast<char>(end);
    write("quva/normalized_annotations/" + prefix + ".npy", file);
  }

  CountingSources counting_sources() const {
    write_ends("000_hop", {10, 20, 30, 40, 50, 60});
    write_ends("001_row", {15, 35});
    return {.templates = write("templates.json", R"({
              "000": {"prefix": "000_hop", "category": "exercise", "action": "hop",
                      "templates": ["a man hops exactly <number> times."]},
              "001": {"prefix": "001_row", "category": "exercise", "action": "row",
                      "templates": ["a girl rows exactly <number> times."]}})"),
            .foils = write("foils.json", R"({"000": {"0": ["a man sits.", "a man hops."]}})"),
            .data_dir = folder_ / "quva"};
  }

  fs::path folder_;
};

TEST_F(Builders, MakeCountingItemsThatPassTheirCheck) {
  const CountingSources sources = counting_sources();
  const CountingOptions options{.num_examples = 12, .adds_exercise_foils = true};
  const builders::BuildReport report = build_counting(sources, options, folder_ / "out", {});
  EXPECT_EQ(report.bad_records.count(), 0U);
  const json easy = read("out/counting-easy-spelled-pts.json");
  const json hard = read("out/counting-hard-spelled-pts.json");
  EXPECT_GT(easy.size(), 6U);
  EXPECT_GT(hard.size(), 3U);
  for (const auto& [id, item] : easy.items()) {
    EXPECT_LE(item["class"], 3);
    EXPECT_GT(item["classes_foil"][0], 3);
    EXPECT_NE(item["proficiency"]["foils"][0], item["proficiency"]["caption"]);
  }
  // A video of two repetitions has no difficult clip.
  for (const auto& [id, item] : hard.items()) EXPECT_EQ(item["dataset_idx"], "000");
  const builders::CheckReport check =
      check_counting(folder_ / "out", builders::BuildRecord::read(folder_ / "out"), {});
  EXPECT_EQ(check.num_violations, 0U) << check.violations.front().what;
  EXPECT_EQ(check.num_groups, 2 * (easy.size() + hard.size()));
}

TEST_F(Builders, MakeTheSameCountingItemsOnAnyNumberOfThreads) {
  const CountingSources sources = counting_sources();
  const CountingOptions options{.num_examples = 40, .adds_exercise_foils = true};
  build_counting(sources, options, folder_ / "one", {.num_threads = 1});
  build_counting(sources, options, folder_ / "three", {.num_threads = 3});
  for (const char* name : {"counting-easy-spelled-pts.json", "counting-hard-spelled-sec.json"})
    EXPECT_EQ(read_text_file(folder_ / "one" / name), read_text_file(folder_ / "three" / name));
}

TEST_F(Builders, NameVideosThatCannotBeCounted) {
  const CountingSources sources = counting_sources();
  const builders::BuildReport report =
      build_counting(sources, {.num_examples = 5}, folder_ / "out", {});
  EXPECT_EQ(report.bad_records.count(), 1U);  // 001 has no wrong sentences
  fs::remove(folder_ / "quva/normalized_annotations/000_hop.npy");
  EXPECT_EQ(
      build_counting(sources, {.num_examples = 5, .adds_exercise_foils = true}, folder_ / "out", {})
          .bad_records.count(),
      1U);
}

TEST_F(Builders, RefuseFewerClipsThanVideos) {
  const CountingSources sources = counting_sources();
  EXPECT_THROW(build_counting(
                   sources, {.num_examples = 1, .adds_exercise_foils = true}, folder_ / "out", {}),
               Error);
}

TEST_F(Builders, MakeFourItemsOfAChange) {
  const fs::path data = write("base.json", R"({
      "change-state-action-0001": {"dataset": "coin", "start_time": 96.0, "change_of_state":
        {"verb": "boil", "verb-hypernym": "heat up", "object": "the beans", "pre-state": "cold",
         "post-state": "hot", "state-inverse": "cool down"},
        "caption": "Someone boils the beans.", "foils": ["Someone cools the beans down."],
        "mturk": {"caption": 3, "foil": 0, "other": 0}},
      "bad": {"change_of_state": {"verb": "boil"}}})");
  const fs::path candidates =
      write("nouns.json", R"({"the beans": [{"noun": "beans"}, {"noun": "peas", "model": "m"}]})");
  const builders::BuildReport report = build_change_state(
      {.data = data, .candidates = candidates}, {.keeps_verb = true}, folder_ / "out", {});
  EXPECT_EQ(report.bad_records.count(), 1U);
  const json action = read("out/change-state-action.json")["change-state-action-0001"];
  EXPECT_EQ(action["start_time"].dump(), "96.0");
  EXPECT_EQ(action["classes_foil"], json({"cool down"}));
  EXPECT_TRUE(action.contains("mturk"));
  EXPECT_EQ(action["proficiency"]["foils"], json({"Someone boils the peas."}));
  const json after = read("out/change-state-poststate.json")["change-state-poststate-0001"];
  EXPECT_EQ(after["caption"], "At the end, the beans are hot.");
  EXPECT_FALSE(after.contains("mturk"));  // votes were given for other texts
  const builders::CheckReport check =
      check_change_state(folder_ / "out", builders::BuildRecord::read(folder_ / "out"), {});
  EXPECT_EQ(check.num_violations, 0U) << check.violations.front().what;
}

TEST_F(Builders, MakeRareActionsOfBothKinds) {
  const RareSources sources{
      .rareact = write("rareact.csv",
                       "id,video_id,start,end,annotation,verb,noun\n"
                       "1,aaaaaaaaaaa,0,10,1,cut,book\n"
                       "2,bbbbbbbbbbb,0,10,1,weigh,phone\n"
                       "3,ccccccccccc,0,10,1,cut,shoes\n"
                       "4,ddddddddddd,0,10,0,cut,shoes\n"),
      .candidates = {write("verbs.json", R"({"cut book": [{"verb": "read", "label": "neutral",
          "score": 0.5}, {"verb": "own", "label": "entailment", "score": 0.9}],
          "phone": [{"verb": "call"}], "cut shoes": [{"verb": "cut"}]})")},
      .mlm_outputs = {write("m1.json", R"({"cut": [{"noun": "apple", "phrase": "an apple",
          "score": 0.5, "model": "m1"}, {"noun": "hair", "phrase": "some hair", "score": 0.1,
          "model": "m1"}]})"),
                      write("m2.json", R"({"cut": [{"noun": "hair", "phrase": "some hair",
          "score": 0.2, "model": "m2"}, {"noun": "apple", "phrase": "an apple", "score": 0.5,
          "model": "m2"}]})")},
      .video_dir = {},
      .detections = write("seen.json", R"({"1": ["apple", "phone"]})")};
  const builders::BuildReport report = build_rare_actions(sources, {}, folder_ / "out", {});
  EXPECT_EQ(report.bad_records.count(), 1U);  // "cut" is no foil of "cut"
  const json verbs = read("out/rare-actions-verb-foils.json");
  ASSERT_EQ(verbs.size(), 2U);
  EXPECT_EQ(verbs["actions-verb-active-0000"]["foils"], json({"reading a book"}));
  EXPECT_EQ(verbs["actions-verb-active-0000"]["foil_nli_labels"], json({"neutral"}));
  // A phone was seen in this clip.
  EXPECT_EQ(verbs["actions-verb-active-0000"]["proficiency"]["foils"],
            json({"there are some shoes"}));
  EXPECT_EQ(verbs["actions-verb-active-0001"]["foils"], json({"calling a phone"}));
  const json nouns = read("out/rare-actions-noun-foils.json");
  ASSERT_EQ(nouns.size(), 3U);
  EXPECT_EQ(nouns["actions-noun-active-0000"]["foils"], json({"cutting some hair"}));
  EXPECT_EQ(nouns["actions-noun-active-0000"]["classes_foil"], json({"hair"}));
  EXPECT_TRUE(nouns["actions-noun-active-0001"]["foil_mlm_scores"][0].is_null());
  EXPECT_EQ(read("out/mlm-ensemble.json")["cut"][0]["score"], 2.25);
  const builders::CheckReport check =
      check_rare_actions(folder_ / "out", builders::BuildRecord::read(folder_ / "out"), {});
  EXPECT_EQ(check.num_violations, 0U) << check.violations.front().what;
  EXPECT_EQ(check.num_groups, 5U);
}

TEST_F(Builders, WriteWhatTheLoaderReads) {
  build_counting(
      counting_sources(), {.num_examples = 12, .adds_exercise_foils = true}, folder_ / "out", {});
  const std::vector<fs::path> files = {folder_ / "out/counting-easy-spelled-sec.json"};
  const annotations::VilmaAnnotations items(files);
  ASSERT_GT(items.size(), 0U);
  for (size_t i = 0; i < items.size(); ++i) {
    const auto item = items.item(i);
    ASSERT_TRUE(item) << item.error().what();
    EXPECT_TRUE(item->proficiency);
    EXPECT_TRUE(item->is_normalized);
    EXPECT_TRUE(annotations::is_evaluated(*item, annotations::VilmaFilter::kNone).value());
  }
}

}  // namespace
}  // namespace snellen::builders::vilma
