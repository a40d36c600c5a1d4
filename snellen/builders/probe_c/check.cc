// SPDX-License-Identifier: Apache-2.0
#include "snellen/builders/probe_c/check.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "snellen/annotations/record.h"
#include "snellen/base/ordered_pipeline.h"
#include "snellen/base/parse_number.h"
#include "snellen/formats/json_elements.h"

namespace snellen::builders::probe_c {
namespace {

constexpr uint64_t kGroupsAtOnce = 1024;

struct ReadGroup {
  SwitchWords words;
  std::string prompt1;
  std::string prompt2;
};

Result<ReadGroup> read_group(const formats::JsonElements& elements, uint64_t index) {
  annotations::Record record(elements.element(index), elements.where(index));
  ReadGroup group;
  auto id = [&](const char* key) {
    return static_cast<int64_t>(parse_number<uint64_t>(record.id(key)).value_or(UINT64_MAX));
  };
  group.words = {.image1 = id("img1_id"),
                 .attribute1 = record.text("img1_composition"),
                 .noun1 = record.text("img1_object"),
                 .image2 = id("img2_id"),
                 .attribute2 = record.text("img2_composition"),
                 .noun2 = record.text("img2_object")};
  group.prompt1 = record.text("img1_prompt");
  group.prompt2 = record.text("img2_prompt");
  if (record.failed()) return record.error();
  return group;
}

void check_prompt(const std::string& prompt,
                  const std::string& attribute,
                  const std::string& noun,
                  std::vector<BrokenRule>& broken) {
  std::string wanted = fmt::format("A photo of a {} {}.", attribute, noun);
  if (prompt != wanted)
    broken.push_back({"prompt", fmt::format("'{}', expected '{}'", prompt, wanted)});
}

// One image's own pair.
void check_pair(const CaptionFacts& facts,
                int64_t image,
                const std::string& attribute,
                const std::string& noun,
                std::vector<BrokenRule>& broken) {
  if (!facts.is_attribute(attribute))
    broken.push_back({"attribute-unknown", fmt::format("'{}' is not in the table", attribute)});
  if (!facts.is_noun(noun))
    broken.push_back({"noun-unknown", fmt::format("'{}' is not in the lexicon", noun)});
  if (!facts.has_pair(image, attribute, noun)) {
    broken.push_back({"pair-absent",
                      fmt::format("no caption of image {} says '{} {}'", image, attribute, noun)});
  }
}

void check_file(const CaptionFacts& facts,
                const std::filesystem::path& path,
                SwitchSplit split,
                uint64_t most_per_pair,
                const builders::Workers& workers,
                builders::CheckReport& report) {
  formats::JsonElements elements(path);
  uint64_t count = elements.size();
  struct Part {
    builders::CheckReport report;
    std::vector<std::string> pairs;  // image, attribute and noun of each group
  };
  auto make = [&](uint64_t chunk) {
    Part part;
    uint64_t end = std::min(count, (chunk + 1) * kGroupsAtOnce);
    for (uint64_t i = chunk * kGroupsAtOnce; i < end; ++i) {
      ++part.report.num_groups;
      Result<ReadGroup> group = read_group(elements, i);
      if (!group) {
        part.report.add({elements.where(i), "unreadable", group.error().message()});
        continue;
      }
      const SwitchWords& words = group->words;
      std::vector<BrokenRule> broken = broken_rules(facts, words, split);
      check_prompt(group->prompt1, words.attribute1, words.noun1, broken);
      check_prompt(group->prompt2, words.attribute2, words.noun2, broken);
      for (BrokenRule& one : broken)
        part.report.add({elements.where(i), std::move(one.rule), std::move(one.what)});
      part.pairs.push_back(fmt::format("{}|{}|{}", words.image1, words.attribute1, words.noun1));
    }
    return part;
  };
  std::string last;
  uint64_t num_of_last = 0;
  uint64_t num_done = 0;
  auto take = [&](Part&& part) {
    report.add(std::move(part.report));
    for (const std::string& pair : part.pairs) {
      // Groups of one pair stand together.
      num_of_last = pair == last ? num_of_last + 1 : 1;
      last = pair;
      if (num_of_last == most_per_pair + 1) {
        report.add({path.string(),
                    "too-many-groups",
                    fmt::format("'{}' has more than {} groups", pair, most_per_pair)});
      }
    }
    num_done = std::min(count, num_done + kGroupsAtOnce);
    workers.tell("checking groups", num_done, count);
  };
  ordered_pipeline<Part>(
      (count + kGroupsAtOnce - 1) / kGroupsAtOnce, workers.num_threads, make, take, [] {
        return false;
      });
}

}  // namespace

std::vector<BrokenRule> broken_rules(const CaptionFacts& facts,
                                     const SwitchWords& group,
                                     SwitchSplit split) {
  std::vector<BrokenRule> broken;
  if (group.image1 == group.image2) broken.push_back({"same-image", "both images are one"});
  check_pair(facts, group.image1, group.attribute1, group.noun1, broken);
  check_pair(facts, group.image2, group.attribute2, group.noun2, broken);
  if (split == SwitchSplit::kComposition) {
    if (group.noun1 != group.noun2)
      broken.push_back({"noun-switched", fmt::format("'{}', '{}'", group.noun1, group.noun2)});
    if (!facts.is_antonym(group.attribute1, group.attribute2)) {
      broken.push_back(
          {"no-antonym",
           fmt::format("'{}' is no antonym of '{}'", group.attribute2, group.attribute1)});
    }
    if (facts.has_like_pair(group.image1, group.attribute2, group.noun1)) {
      broken.push_back(
          {"foil-fits-image1",
           fmt::format("image {} has a '{} {}' too", group.image1, group.attribute2, group.noun1)});
    }
    if (facts.has_like_pair(group.image2, group.attribute1, group.noun1)) {
      broken.push_back(
          {"foil-fits-image2",
           fmt::format("image {} has a '{} {}' too", group.image2, group.attribute1, group.noun1)});
    }
    return broken;
  }
  if (group.attribute1 != group.attribute2) {
    broken.push_back(
        {"attribute-switched", fmt::format("'{}', '{}'", group.attribute1, group.attribute2)});
  }
  if (group.noun1 == group.noun2) broken.push_back({"noun-kept", fmt::format("'{}'", group.noun1)});
  if (facts.mentions(group.image1, group.noun2)) {
    broken.push_back({"noun-in-image1",
                      fmt::format("captions of image {} mention '{}'", group.image1, group.noun2)});
  }
  if (facts.mentions(group.image2, group.noun1)) {
    broken.push_back({"noun-in-image2",
                      fmt::format("captions of image {} mention '{}'", group.image2, group.noun1)});
  }
  return broken;
}

NounSources nouns_of(const builders::BuildRecord& record) {
  return {.objects = record.source("objects"),
          .nouns = record.source("nouns"),
          .min_images = parse_number<uint64_t>(record.option("min-noun-images")).value_or(20)};
}

builders::CheckReport check(const std::filesystem::path& folder,
                            const builders::BuildRecord& record,
                            const builders::Workers& workers) {
  builders::BadRecords ignored;  // the builder told of them
  WordLists words = read_word_lists(nouns_of(record), workers, ignored);
  CaptionFacts facts(annotations::CocoCaptionsFile(record.source("captions")), words);
  builders::CheckReport report;
  check_file(facts,
             folder / "data_compositional_switch.json",
             SwitchSplit::kComposition,
             1,
             workers,
             report);
  check_file(facts,
             folder / "data_object_switch.json",
             SwitchSplit::kObject,
             parse_number<uint64_t>(record.option("object-switch-per-pair")).value_or(5),
             workers,
             report);
  return report;
}

}  // namespace snellen::builders::probe_c
