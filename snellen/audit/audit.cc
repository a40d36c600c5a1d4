// SPDX-License-Identifier: Apache-2.0
#include "snellen/audit/audit.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "snellen/audit/text_choice.h"
#include "snellen/audit/text_words.h"
#include "snellen/audit/word_classifier.h"
#include "snellen/run/open_model.h"
#include "snellen/run/open_tasks.h"
#include "snellen/run/scoring.h"
#include "snellen/text/unicode_case.h"

namespace snellen::audit {
namespace {

struct Visited {
  uint64_t index;  // in the plan
  const std::string& part;
  const tasks::Item& item;
  const std::vector<TextChoice>& choices;
};

// Calls `visit` for every item with a choice, in order.
class Items {
 public:
  Items(const run::OpenTask& task, const AuditOptions& options)
      : task_(task), options_(options), plan_(std::vector<run::OpenTask>{task}, options.limit) {}

  template <typename Visit>
  void for_each(const Visit& visit) {
    num_bad_ = num_left_out_ = num_items_ = 0;
    for (uint64_t index = 0; index < plan_.size(); ++index) {
      if (options_.is_stopped && options_.is_stopped())
        throw Error{ErrorCode::kInterrupted, "stopped", "audit"};
      const run::PlannedItem planned = plan_[index];
      const Result<tasks::Item> item = task_.task->item(planned.position);
      if (!item) {
        ++num_bad_;
        continue;
      }
      const ItemChoices found = choices_of(*task_.task, *item);
      num_left_out_ += found.num_left_out;
      if (found.choices.empty()) continue;
      ++num_items_;
      visit(Visited{index, task_.parts[planned.part].name, *item, found.choices});
    }
  }

  uint64_t num_items() const { return num_items_; }
  uint64_t num_bad() const { return num_bad_; }
  uint64_t num_left_out() const { return num_left_out_; }

 private:
  const run::OpenTask& task_;
  const AuditOptions& options_;
  run::Plan plan_;
  uint64_t num_items_ = 0;
  uint64_t num_bad_ = 0;
  uint64_t num_left_out_ = 0;
};

std::vector<std::string> clusters_of(const tasks::Item& item) {
  if (!item.clusters.empty()) return item.clusters;
  if (!item.visuals.empty()) return {std::string(item.visuals.front().shard_key())};
  return {"\x1f" + item.id};
}

std::vector<double> lengths(const TextChoice& choice, bool counts_words) {
  std::vector<double> all;
  for (const std::string_view text : choice.texts)
    all.push_back(
        static_cast<double>(counts_words ? words_of(text).size() : text::num_characters(text)));
  return all;
}

CueTable::ItemCues cues_of(const Visited& visited,
                           const WordClassifier& classifier,
                           const std::vector<float>& likelihood) {
  CueTable::ItemCues cues{.num_choices = visited.choices.size()};
  const uint32_t fold = classifier.fold_of(clusters_of(visited.item).front());
  const auto count = static_cast<double>(visited.choices.size());
  std::array<double, kNumCues> sums = {};
  for (const TextChoice& choice : visited.choices) {
    cues.chance += choice.chance() / count;
    cues.num_same_words += are_same_words(choice.texts) ? 1 : 0;
    auto add = [&](Cue cue, const std::vector<double>& scores) {
      sums[static_cast<size_t>(cue)] += share_right(choice, scores) / count;
    };
    add(Cue::kCharacters, lengths(choice, /*counts_words=*/false));
    add(Cue::kWords, lengths(choice, /*counts_words=*/true));
    add(Cue::kBagOfWords, classifier.scores(choice, fold));
  }
  for (size_t cue = 0; cue < kNumCues; ++cue) cues.values[cue] = sums[cue];
  std::optional<double>& likely = cues.values[static_cast<size_t>(Cue::kLikelihood)];
  likely.reset();
  if (visited.index < likelihood.size() && std::isfinite(likelihood[visited.index]))
    likely = likelihood[visited.index];
  return cues;
}

std::vector<Group> groups_of(const Visited& visited) {
  std::vector<Group> groups = {{"all", ""}};
  if (!visited.part.empty()) groups.push_back({"part", visited.part});
  if (!visited.item.category.empty()) groups.push_back({"category", visited.item.category});
  return groups;
}

// The cues that items are listed by, and whether the high or the low one is right.
struct Direction {
  Cue cue;
  bool is_turned = false;  // the right text is the shorter, or the less likely
};

std::vector<Direction> directions_of(const std::vector<CueRow>& rows) {
  std::vector<Direction> alarmed;
  std::vector<Direction> all;
  for (const CueRow& row : rows) {
    if (row.group.kind != "all") continue;
    const Direction one{row.cue, row.value < row.chance && row.cue != Cue::kBagOfWords};
    all.push_back(one);
    if (row.is_alarm) alarmed.push_back(one);
  }
  return alarmed.empty() ? all : alarmed;
}

// The right text's lead in the classifier over the best wrong one, of an item's first choice.
double lead_of(const TextChoice& choice, const std::vector<double>& scores) {
  double right = -std::numeric_limits<double>::infinity();
  double wrong = right;
  for (size_t i = 0; i < scores.size(); ++i) {
    double& best = choice.is_right[i] ? right : wrong;
    best = std::max(best, scores[i]);
  }
  return right - wrong;
}

LeakyItem leaky_item(const Visited& visited,
                     const CueTable::ItemCues& cues,
                     const std::vector<Direction>& directions,
                     const WordClassifier& classifier) {
  LeakyItem leaky{.id = visited.item.id, .part = visited.part, .category = visited.item.category};
  for (const Direction& one : directions) {
    const std::optional<double>& value = cues.values[static_cast<size_t>(one.cue)];
    if (value && *value == (one.is_turned ? 0.0 : 1.0)) leaky.cues.push_back(one.cue);
  }
  const TextChoice& choice = visited.choices.front();
  leaky.lead = lead_of(
      choice, classifier.scores(choice, classifier.fold_of(clusters_of(visited.item).front())));
  for (size_t i = 0; i < choice.texts.size(); ++i)
    (choice.is_right[i] ? leaky.right : leaky.wrong).emplace_back(choice.texts[i]);
  return leaky;
}

bool is_leakier(const LeakyItem& a, const LeakyItem& b) {
  return a.cues.size() != b.cues.size() ? a.cues.size() > b.cues.size() : a.lead > b.lead;
}

}  // namespace

bool AuditReport::has_alarm() const {
  return std::any_of(rows.begin(), rows.end(), [](const CueRow& row) { return row.is_alarm; });
}

AuditReport audit_items(const run::OpenTask& task, const AuditOptions& options) {
  Items items(task, options);
  WordClassifier classifier(options.seed);
  for (uint32_t pass = 0; pass < WordClassifier::kPasses; ++pass) {
    items.for_each([&](const Visited& visited) {
      const uint32_t fold = classifier.fold_of(clusters_of(visited.item).front());
      for (const TextChoice& choice : visited.choices) classifier.learn(choice, fold);
    });
  }
  CueTable table;
  items.for_each([&](const Visited& visited) {
    table.add(groups_of(visited),
              clusters_of(visited.item),
              cues_of(visited, classifier, options.likelihood));
  });
  AuditReport report{.task = task.name,
                     .num_items = items.num_items(),
                     .num_bad = items.num_bad(),
                     .num_left_out = items.num_left_out(),
                     .confidence = options.confidence};
  if (report.num_items == 0) {
    throw Error{
        ErrorCode::kNothingScored,
        "no item of this task is a choice between texts",
        task.name,
        fmt::format("an audit is for items that ask which of 2 to {} texts is right", kMostTexts)};
  }
  report.rows = table.rows(options.confidence);
  report.word_order = table.word_order(options.confidence);
  const std::vector<Direction> directions = directions_of(report.rows);
  items.for_each([&](const Visited& visited) {
    LeakyItem leaky = leaky_item(
        visited, cues_of(visited, classifier, options.likelihood), directions, classifier);
    if (leaky.cues.empty()) return;
    const auto place =
        std::upper_bound(report.items.begin(), report.items.end(), leaky, is_leakier);
    report.items.insert(place, std::move(leaky));
    if (report.items.size() > options.num_listed) report.items.pop_back();
  });
  return report;
}

AuditReport audit_task(const run::RunRequest& request, bool has_model, AuditOptions options) {
  run::RunSettings settings = run::settings_of(request.options, request.catalogue);
  std::vector<run::OpenTask> tasks = run::open_tasks(request.catalogue, request.options, settings);
  SNELLEN_CHECK(tasks.size() == 1);
  options.limit = settings.limit;
  options.seed = settings.seed;
  options.confidence = settings.confidence;
  std::vector<std::string> notes;
  if (has_model) {
    const std::unique_ptr<models::Model> model = run::open_model(request, settings, tasks);
    // Folders of text alone take no picture; programs and servers are asked whether they look.
    const bool looks = settings.is_folder ? !model->takes_no_picture() : model->looks();
    if (looks) {
      throw Error{ErrorCode::kUsage,
                  "this model looks at pictures",
                  "--model",
                  "an audit wants a model of text alone, such as GPT-2, or a served one with "
                  "--score likelihood (snellen list models)"};
    }
    const run::Plan plan(tasks, settings.limit);
    options.likelihood.assign(plan.size(), std::numeric_limits<float>::quiet_NaN());
    uint64_t next = 0;
    run::score_items({plan.size(), [&](uint64_t index) { return std::optional(plan[index]); }},
                     tasks,
                     *model,
                     {settings.batch_size, settings.num_threads, request.is_stopped},
                     [&](std::vector<store::Sample>&& samples) {
                       for (const store::Sample& sample : samples) {
                         const uint64_t index = next++;
                         const Result<tasks::Item> item = tasks[0].task->item(sample.position);
                         if (!item || sample.status != store::SampleStatus::kScored) continue;
                         const std::vector<TextChoice> choices =
                             choices_of(*tasks[0].task, *item).choices;
                         double sum = 0;
                         for (const TextChoice& choice : choices) {
                           std::vector<double> scores;
                           for (const size_t place : choice.places)
                             scores.push_back(sample.scores.at(place));
                           sum += share_right(choice, scores);
                         }
                         if (!choices.empty())
                           options.likelihood[index] =
                               static_cast<float>(sum / static_cast<double>(choices.size()));
                       }
                     });
    notes = model->notes();
  }
  AuditReport report = audit_items(tasks[0], options);
  report.model = has_model ? settings.name : "";
  report.notes = std::move(notes);
  return report;
}

}  // namespace snellen::audit
