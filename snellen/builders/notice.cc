// SPDX-License-Identifier: Apache-2.0
#include "snellen/builders/notice.h"

#include <array>

#include <fmt/format.h>

namespace snellen::builders {
namespace {

constexpr std::string_view kVisualGenome =
    "Visual Genome v1.4: Ranjay Krishna and others, 2017 (arXiv 1602.07332), "
    "https://homes.cs.washington.edu/~ranjay/visualgenome/.\n"
    "  Licence: Creative Commons Attribution 4.0, https://creativecommons.org/licenses/by/4.0/.\n";
constexpr std::string_view kCoco =
    "COCO 2014 annotations: COCO Consortium (Lin and others, arXiv 1405.0312), "
    "https://cocodataset.org/.\n"
    "  Licence of the annotations: Creative Commons Attribution 4.0, "
    "https://creativecommons.org/licenses/by/4.0/.\n"
    "  The photos belong to their Flickr authors and are used under Flickr's terms.\n";
constexpr std::string_view kScenes =
    "Scene pictures: those that --scenes named, under the licence they came with.\n";
constexpr std::string_view kVilma =
    "ViLMA: Ilker Kesen and others, 2023 (arXiv 2311.07022), https://github.com/ilkerkesen/ViLMA.\n"
    "  Licence: MIT.\n";
constexpr std::string_view kQuva =
    "QUVA Repetition: Tom Runia and others, 2018 (arXiv 1802.09971); for research.\n";
constexpr std::string_view kRareAct =
    "RareAct: Antoine Miech and others, 2020 (arXiv 2008.01018), "
    "https://github.com/antoine77340/RareAct, under its own terms.\n";

struct Builder {
  std::string_view name;
  std::array<std::string_view, 2> sources;
  std::string_view change;
};

constexpr std::array kBuilders = {
    Builder{"probe-r", {kVisualGenome, ""}, "prompts and foils were made from its relationships"},
    Builder{"probe-c", {kCoco, kVisualGenome}, "prompts were made from words of the captions"},
    Builder{"probe-b", {kCoco, kScenes}, "pictures were made by removing and covering pixels"},
    Builder{"relcomp", {kCoco, kVisualGenome}, "prompts and foils were made from both"},
    Builder{"vilma-counting", {kQuva, kVilma}, "clips were chosen and foils were made"},
    Builder{"vilma-change-state", {kVilma, ""}, "captions and foils were made"},
    Builder{"vilma-rare-actions", {kRareAct, kVilma}, "captions and foils were made"},
};

}  // namespace

std::string notice_of(std::string_view builder) {
  std::string text = fmt::format(
      "`snellen build {}` made this data set from the files that build.json names.\n", builder);
  for (const Builder& one : kBuilders) {
    if (one.name != builder) continue;
    text += "Where these are the published ones, pass this notice on with the set:\n\n";
    for (std::string_view source : one.sources) text += source;
    text += fmt::format("\nChanges: {}.\n", one.change);
  }
  return text;
}

}  // namespace snellen::builders
