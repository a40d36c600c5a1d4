// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/control/ladder_items.h"

#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "snellen/base/error.h"

namespace snellen::metrics {
namespace {

using Rungs = std::vector<std::optional<LadderAnswer>>;

// All answers to one question.
struct Question {
  const LevelAnswer* first;                              // for its image and groups
  std::map<std::pair<int64_t, int64_t>, Rungs> ladders;  // by replicate and order
};

std::string name_of(const std::string& id, int64_t replicate, int64_t order) {
  if (replicate == 0 && order == 0) return id;
  return fmt::format("{} (replicate {}, order {})", id, replicate, order);
}

void place(Question& question, const LevelAnswer& answer, size_t num_levels) {
  Rungs& rungs = question.ladders[{answer.replicate, answer.order}];
  rungs.resize(num_levels);
  if (answer.level >= num_levels || rungs[answer.level]) {
    throw Error{ErrorCode::kInvalidInput,
                answer.level >= num_levels
                    ? fmt::format("level {} is not one of {}", answer.level, num_levels)
                    : fmt::format("level {} is answered twice", answer.level),
                fmt::format("item {}", name_of(answer.id, answer.replicate, answer.order)),
                "keep one answer per item, level, replicate and order"};
  }
  rungs[answer.level] = answer.answer;
}

void pad_after_c(Rungs& rungs) {
  size_t last = rungs.size();
  while (last > 0 && !rungs[last - 1]) --last;
  if (last == 0 || rungs[last - 1]->answer != AnswerClass::kC) return;
  for (size_t level = last; level < rungs.size(); ++level)
    rungs[level] = LadderAnswer{.answer = AnswerClass::kC};
}

bool add_item(LadderSet& set,
              const LevelAnswer& from,
              const std::pair<int64_t, int64_t>& key,
              const Rungs& stored,
              const Rungs& rungs) {
  LadderItem item{.id = from.id,
                  .image = from.image,
                  .category = from.category,
                  .condition = from.condition,
                  .subset = from.subset,
                  .answers = {},
                  .replicate = key.first,
                  .order = key.second};
  for (const std::optional<LadderAnswer>& rung : rungs) {
    if (!rung) return false;
    item.answers.push_back(*rung);
  }
  set.items.push_back(std::move(item));
  std::vector<bool>& is_asked = set.is_asked.emplace_back();
  for (const std::optional<LadderAnswer>& rung : stored) is_asked.push_back(rung.has_value());
  return true;
}

// Clean is asked for replicate 0 only; the others share its answer.
void borrow_clean(const Question& question, const std::pair<int64_t, int64_t>& key, Rungs& rungs) {
  if (rungs.front() || key.first == 0) return;
  auto base = question.ladders.find({0, key.second});
  if (base != question.ladders.end()) rungs.front() = base->second.front();
}

}  // namespace

LadderSet build_ladders(std::span<const LevelAnswer> answers,
                        size_t num_levels,
                        bool pads_early_stop) {
  SNELLEN_CHECK(num_levels > 0);
  std::vector<Question> questions;
  std::unordered_map<std::string, size_t> numbers;
  for (const LevelAnswer& answer : answers) {
    auto [found, is_new] = numbers.try_emplace(answer.id, questions.size());
    if (is_new) questions.push_back({.first = &answer, .ladders = {}});
    place(questions[found->second], answer, num_levels);
  }
  LadderSet set;
  for (const Question& question : questions) {
    for (const auto& [key, stored] : question.ladders) {
      Rungs rungs = stored;
      borrow_clean(question, key, rungs);
      if (pads_early_stop) pad_after_c(rungs);
      if (add_item(set, *question.first, key, stored, rungs)) continue;
      set.incomplete.push_back(name_of(question.first->id, key.first, key.second));
    }
  }
  return set;
}

std::vector<std::vector<AnswerClass>> consistency_groups(std::span<const LevelAnswer> answers,
                                                         ConsistencyOver over) {
  // Sorted by item, level and the coordinate held fixed: the result does not depend on file order.
  std::map<std::tuple<std::string, size_t, int64_t>, std::map<int64_t, AnswerClass>> groups;
  for (const LevelAnswer& answer : answers) {
    bool is_over_replicates = over == ConsistencyOver::kReplicates;
    int64_t fixed = is_over_replicates ? answer.order : answer.replicate;
    int64_t varied = is_over_replicates ? answer.replicate : answer.order;
    groups[{answer.id, answer.level, fixed}][varied] = answer.answer.answer;
  }
  std::vector<std::vector<AnswerClass>> all;
  for (const auto& [key, members] : groups) {
    std::vector<AnswerClass>& group = all.emplace_back();
    for (const auto& [varied, answer] : members) group.push_back(answer);
  }
  return all;
}

}  // namespace snellen::metrics
