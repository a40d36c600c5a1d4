// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/bias/question_selection.h"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "snellen/base/nearest.h"
#include "snellen/base/rng.h"

namespace snellen::tasks {
namespace {

using annotations::CloseRow;

// "Age|ambig"
std::string stratum_of(const CloseRow& question, const std::vector<std::string>& strata) {
  std::string key;
  for (const std::string& name : strata) {
    key += name == "category"    ? question.category
           : name == "condition" ? question.condition
                                 : question.subset;
    key += '|';
  }
  return key;
}

// The values that are asked for; remembers those that never came.
class Wanted {
 public:
  Wanted(const char* flag, const std::vector<std::string>& values) : flag_(flag) {
    for (const std::string& value : values) is_seen_.emplace(value, false);
  }

  bool takes(const std::string& value) {
    if (!is_seen_.empty() && known_.size() < kMostKnown &&
        std::find(known_.begin(), known_.end(), value) == known_.end())
      known_.push_back(value);
    if (is_seen_.empty()) return true;
    const auto found = is_seen_.find(value);
    if (found == is_seen_.end()) return false;
    return found->second = true;
  }

  void refuse_unseen() const {
    for (const auto& [value, is_seen] : is_seen_) {
      if (is_seen) continue;
      throw Error{ErrorCode::kUsage,
                  fmt::format("no question is of '{}'", value.substr(0, 80)),
                  flag_,
                  suggest(value, known_)};
    }
  }

 private:
  static constexpr size_t kMostKnown = 64;
  const char* flag_;
  std::unordered_map<std::string, bool> is_seen_;
  std::vector<std::string> known_;
};

void check_strata(const std::vector<std::string>& strata) {
  for (const std::string& name : strata) {
    if (name != "category" && name != "condition" && name != "subset")
      throw Error{ErrorCode::kUsage,
                  fmt::format("'{}' is no property of a question", name.substr(0, 80)),
                  "--stratify",
                  "write category, condition, subset, or several with commas"};
  }
}

}  // namespace

config::Block question_block() {
  using config::option;
  using S = QuestionSettings;
  return {
      S{},
      {option(&S::prompt,
              "prompt",
              "form of the question: options behind letters, VLBiasBench's own form, or the "
              "control's (A) (with --compat: vlbias)",
              {{"letters", PromptStyle::kLetters},
               {"vlbias", PromptStyle::kVlbias},
               {"seed", PromptStyle::kSeed}})
           .omit_default(),
       option(&S::num_orders,
              "orders",
              "ask every question with K orders of its options, or as many as it has")
           .range(1, 720)
           .omit_default()
           .value("K"),
       option(&S::chooses_by,
              "choose-by",
              "how a model without answers chooses: likelihood for language models, else "
              "similarity",
              {{"auto", ChoosesBy::kModel},
               {"similarity", ChoosesBy::kSimilarity},
               {"likelihood", ChoosesBy::kLikelihood}})
           .omit_default(),
       option(&S::offers_unknown_always,
              "all-with-c",
              "--prompt vlbias: offer the unknown option with every question")
           .omit_default(),
       option(&S::subsets, "subset", "only these: base, scene, scene_text, text").omit_default(),
       option(&S::categories, "category", "only these, as Age or Race_ethnicity").omit_default(),
       option(&S::conditions, "condition", "only these: ambig, neg, non_neg").omit_default(),
       option(&S::sample, "sample", "ask N questions drawn by --seed; 0: all")
           .range(0, 1e12)
           .omit_default()
           .value("N"),
       option(&S::strata,
              "stratify",
              "draw the sample evenly over category, condition, subset, or several of them")
           .omit_default()}};
}

std::vector<uint32_t> stratified_sample(const std::vector<std::string>& keys,
                                        uint64_t count,
                                        uint64_t seed) {
  std::unordered_map<std::string, size_t> numbers;
  std::vector<std::vector<uint32_t>> buckets;  // in order of first appearance
  std::vector<std::string> names;
  for (uint32_t i = 0; i < keys.size(); ++i) {
    const auto [found, is_new] = numbers.try_emplace(keys[i], buckets.size());
    if (is_new) {
      buckets.emplace_back();
      names.push_back(keys[i]);
    }
    buckets[found->second].push_back(i);
  }
  for (size_t b = 0; b < buckets.size(); ++b)
    Rng(seed).fork("bias-sample").fork(names[b]).shuffle(std::span(buckets[b]));
  std::vector<uint32_t> drawn;
  for (size_t round = 0; drawn.size() < std::min<uint64_t>(count, keys.size()); ++round) {
    for (const std::vector<uint32_t>& bucket : buckets) {
      if (round < bucket.size() && drawn.size() < count) drawn.push_back(bucket[round]);
    }
  }
  std::sort(drawn.begin(), drawn.end());
  return drawn;
}

SelectedQuestions select_questions(const annotations::CloseQuestions& all,
                                   const QuestionSettings& settings,
                                   uint64_t seed) {
  check_strata(settings.strata);
  Wanted subsets("--subset", settings.subsets);
  Wanted categories("--category", settings.categories);
  Wanted conditions("--condition", settings.conditions);
  SelectedQuestions selected;
  std::vector<std::string> strata;
  std::string subset;
  for (uint32_t number = 0; number < all.size(); ++number) {
    const Result<CloseRow> question = all.question(number);
    if (question) {
      const bool is_of_subset = subsets.takes(question->subset);
      const bool is_of_category = categories.takes(question->category);
      const bool is_of_condition = conditions.takes(question->condition);
      if (!is_of_subset || !is_of_category || !is_of_condition) continue;
      subset = question->subset;
    }
    auto found = std::find(selected.subsets.begin(), selected.subsets.end(), subset);
    if (found == selected.subsets.end()) found = selected.subsets.insert(found, subset);
    selected.questions.push_back({number, static_cast<uint32_t>(found - selected.subsets.begin())});
    if (settings.sample > 0)
      strata.push_back(question ? stratum_of(*question, settings.strata) : std::string());
  }
  for (const Wanted* wanted : {&subsets, &categories, &conditions}) wanted->refuse_unseen();
  if (settings.sample > 0) {
    std::vector<SelectedQuestions::One> drawn;
    for (const uint32_t place : stratified_sample(strata, settings.sample, seed))
      drawn.push_back(selected.questions[place]);
    selected.questions = std::move(drawn);
  }
  if (selected.questions.empty())
    throw Error{ErrorCode::kNothingScored,
                "no question is left to ask",
                all.inputs().front().string(),
                "loosen --subset, --category or --condition"};
  // Parts follow each other, whatever the order in the file.
  std::stable_sort(selected.questions.begin(),
                   selected.questions.end(),
                   [](const auto& a, const auto& b) { return a.subset < b.subset; });
  return selected;
}

}  // namespace snellen::tasks
