// SPDX-License-Identifier: Apache-2.0
// ViLMA's tasks, the blind-image control, bias.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "snellen/report/pages/figure.h"

namespace snellen::report {
namespace {

void keep(std::optional<Figure> figure, std::vector<Figure>& figures) {
  if (figure) figures.push_back(std::move(*figure));
}

// Clean first, then by strength, then what has no strength.
int strength_of(const std::string& level) {
  if (level == "clean") return 0;
  if (level.size() == 2 && level[0] == 'e' && level[1] >= '0' && level[1] <= '9')
    return level[1] - '0' + 1;
  return 100;
}

// The leaderboard's five tasks and their mean; subtasks are in the tables.
constexpr auto kVilmaTasks = std::to_array<const char*>(
    {"counting", "situation", "change-state", "rare-actions", "relations", "average"});

// A task and the same one with its pictures spoilt are named NAME and NAME-CHANGE.
constexpr auto kChanges = std::to_array<std::string_view>({"-gray", "-none", "-noise", "-blank"});

}  // namespace

std::vector<Figure> vilma_figures(const ReportInput& input) {
  BarFigure asked{"vilma-tasks",
                  "ViLMA",
                  "Pairwise accuracy: proficiency test (P), main test (T), and both right (P+T), "
                  "each with its chance level. What a text-only model gets right, the words give "
                  "away.",
                  {}};
  std::vector<std::string> parts;
  for (const char* part : kVilmaTasks) {
    if (!input.ids(fmt::format("vilma/{}/PT", part)).empty()) parts.emplace_back(part);
  }
  for (const auto& [ending, name] : {std::pair{"P", "Proficiency (P)"},
                                     std::pair{"T", "Main test (T)"},
                                     std::pair{"PT", "Both right (P+T)"}}) {
    AskedPanel panel{fmt::format("ViLMA: {}", name), {}};
    for (const std::string& part : parts)
      panel.bars.push_back({part, fmt::format("vilma/{}/{}", part, ending)});
    if (!panel.bars.empty()) asked.panels.push_back(std::move(panel));
  }
  std::vector<Figure> figures;
  keep(bar_figure(input, asked), figures);
  return figures;
}

std::vector<Figure> control_figures(const ReportInput& input) {
  std::vector<std::string> levels;
  for (const std::string& id : input.ids("control/", "/c_share")) {
    const std::string level = id.substr(8, id.size() - 8 - 8);
    if (level.find('/') == std::string::npos) levels.push_back(level);
  }
  std::stable_sort(levels.begin(), levels.end(), [](const std::string& a, const std::string& b) {
    return strength_of(a) < strength_of(b);
  });
  AskedPanel ladder{"Answered \"cannot be determined\" (C)", {}};
  for (const std::string& level : levels)
    ladder.bars.push_back({level, fmt::format("control/{}/c_share", level)});
  std::vector<Figure> figures;
  keep(bar_figure(input,
                  {"control-ladder",
                   "Blind-image control",
                   "Share of items answered C at each level of noise. A model that looks at the "
                   "picture gives up as the picture goes.",
                   {ladder}}),
       figures);

  AskedPanel pairs{"Share right, with the picture and without", {}};
  for (const std::string& id : input.ids("", "/acc")) {
    const size_t slash = id.find('/');
    if (id.find("/by-") != std::string::npos) continue;
    const std::string task = id.substr(0, slash), rest = id.substr(slash);
    for (const std::string_view change : kChanges) {
      const std::string other = fmt::format("{}{}{}", task, change, rest);
      if (input.ids(other, "/acc").empty()) continue;
      pairs.bars.push_back({task, id});
      pairs.bars.push_back({task + std::string(change), other});
    }
  }
  if (!pairs.bars.empty())
    keep(bar_figure(input,
                    {"with-and-without-picture",
                     "Does the score need the picture?",
                     "The same items with every picture replaced: what stays above chance comes "
                     "from the words alone.",
                     {pairs}}),
         figures);
  return figures;
}

std::vector<Figure> bias_figures(const ReportInput& input) {
  AskedPanel categories{"Accuracy by category", {}}, conditions{"Accuracy by condition", {}};
  for (auto [panel, start] : {std::pair{&categories, std::string("bias-close/by-category/")},
                              std::pair{&conditions, std::string("bias-close/by-condition/")}}) {
    for (const std::string& id : input.ids(start, "/accuracy"))
      panel->bars.push_back({id.substr(start.size(), id.size() - start.size() - 9), id});
  }
  std::vector<Figure> figures;
  if (!categories.bars.empty())
    keep(
        bar_figure(input,
                   {"bias-close",
                    "Bias, close-ended",
                    "Accuracy by category and by condition. In ambiguous items only \"unknown\" is "
                    "right.",
                    {categories, conditions}}),
        figures);
  return figures;
}

}  // namespace snellen::report
