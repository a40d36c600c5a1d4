// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "snellen/annotations/visdial/dense_annotations.h"
#include "snellen/annotations/visdial/dialog_file.h"
#include "snellen/annotations/visdial/ranks_file.h"
#include "snellen/base/distinct_ids.h"
#include "snellen/base/files.h"
#include "snellen/metrics/visdial/ranking.h"
#include "snellen/stats/bootstrap.h"
#include "snellen/stats/median_interval.h"
#include "snellen/stats/moments.h"
#include "snellen/tasks/image_folder.h"
#include "snellen/tasks/shared_settings.h"
#include "snellen/tasks/typed_task.h"
#include "snellen/tasks/visdial_rank/settings.h"

namespace snellen::tasks::visdial_rank {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRanksFile = "ranks.json";
constexpr const char* kRanks = "ranks";  // the name of an item's ranks among its stored values
constexpr size_t kNumRankColumns = 5;    // those that the given answer's rank decides
constexpr size_t kMostRank = 100;

// One round with its candidates.
struct Asked {
  size_t round = 0;
};

class VisdialRank : public TypedTask<Asked> {
 public:
  explicit VisdialRank(const TaskRequest& request)
      : settings_(settings_of(request.options)),
        images_(request.options.get<SharedSettings>().images),
        dialogs_(settings_.dialogs) {
    if (!settings_.annotations.empty()) {
      annotations_ = annotations::read_dense_annotations(settings_.annotations);
      annotations::expect_rounds_among(annotations_, dialogs_);
    }
    if (!settings_.ranks.empty()) ranks_.emplace(settings_.ranks);
    for (size_t i = 0; i < dialogs_.num_rounds(); ++i)
      if (dialogs_.round(i).has_candidates) rounds_.push_back(i);
  }

  std::vector<Part> parts() const override { return {{"", rounds_.size()}}; }
  std::vector<Column> columns() const override;
  std::vector<fs::path> inputs() const override {
    std::vector<fs::path> inputs = {settings_.dialogs};
    if (!settings_.annotations.empty()) inputs.push_back(settings_.annotations);
    if (!settings_.ranks.empty()) inputs.push_back(settings_.ranks);
    return inputs;
  }
  std::vector<std::string> notes() const override;
  Result<Made> make(uint64_t position) const override;
  Result<Outcome> decide(const Asked& asked, const questions::Scores& scores) const override;
  std::vector<metrics::Measurement> pooled(OutcomeReader& outcomes,
                                           const PooledOptions& options) const override;
  std::vector<SeedReport> write_seed_files(const SeedRequest& request,
                                           OutcomeReader& outcomes) const override;

 private:
  RankSettings settings_;
  ImageFolder images_;
  annotations::DialogFile dialogs_;
  annotations::DenseAnnotations annotations_;
  std::optional<annotations::RanksFile> ranks_;
  std::vector<size_t> rounds_;  // those with candidates
};

std::vector<Column> rank_columns(bool has_threshold) {
  std::vector<Column> columns = {{.name = "mean_rank", .higher_is_better = false},
                                 {.name = "recall_1", .is_share = true, .chance = 0.01},
                                 {.name = "recall_5", .is_share = true, .chance = 0.05},
                                 {.name = "recall_10", .is_share = true, .chance = 0.10},
                                 {.name = "mrr"},
                                 {.name = "ndcg"}};
  if (has_threshold) {
    columns.push_back({.name = "given_above_threshold", .is_share = true});
    columns.push_back({.name = "num_above_threshold", .higher_is_better = false});
    columns.push_back({.name = "sd_above_threshold"});
  }
  return columns;
}

std::vector<Column> VisdialRank::columns() const {
  return rank_columns(settings_.has_threshold);
}

std::vector<std::string> VisdialRank::notes() const {
  std::vector<std::string> notes;
  if (annotations_.num_without > 0)
    notes.push_back(fmt::format("{} annotated rounds have no relevant candidate and no NDCG",
                                annotations_.num_without));
  return notes;
}

Result<TypedTask<Asked>::Made> VisdialRank::make(uint64_t position) const {
  const size_t round = rounds_.at(position);
  const annotations::DialogKey key = dialogs_.key(round);
  const size_t dialog = dialogs_.dialog_of(round);
  Item item;
  item.id = fmt::format("{}/{}", key.image_id, key.round_id);
  item.clusters = {std::to_string(key.image_id)};
  if (ranks_) return Made{std::move(item), {round}};
  const std::string_view question = dialogs_.questions()[dialogs_.round(round).question];
  item.visuals = {images_.visual(dialogs_.image_name(dialog))};
  questions::Question all;
  const std::vector<std::vector<uint32_t>> candidates = dialogs_.candidates(dialog);
  for (uint32_t candidate : candidates[round - dialogs_.first_round(dialog)]) {
    all.texts.push_back(static_cast<uint32_t>(item.texts.size()));
    // A line each: models that read one text see both, those that tell them apart find the break.
    item.texts.push_back({fmt::format("{}\n{}", question, dialogs_.answers()[candidate])});
  }
  item.questions = {std::move(all)};
  return Made{std::move(item), {round}};
}

void add_threshold(const std::vector<double>& scores,
                   std::optional<uint32_t> given,
                   std::vector<double>& values) {
  const metrics::visdial::OtsuSplit split = metrics::visdial::otsu(scores);
  stats::Moments above;
  for (double score : scores)
    if (score >= split.threshold) above.add(score);
  values.push_back(given ? (scores[*given] >= split.threshold ? 1 : 0) : std::nan(""));
  values.push_back(static_cast<double>(split.num_above));
  values.push_back(above.sample_sd());
}

Result<Outcome> VisdialRank::decide(const Asked& asked, const questions::Scores& scores) const {
  const annotations::DialogKey key = dialogs_.key(asked.round);
  std::vector<uint32_t> ranks =
      ranks_ ? ranks_->find(key) : metrics::visdial::ranks_of(scores.values);
  if (ranks.empty())
    return Error{ErrorCode::kNotFound,
                 "the file has no ranks of this round",
                 settings_.ranks.string(),
                 "add them; the other rounds are not affected"};
  Outcome outcome;
  outcome.values.assign(kNumRankColumns, std::nan(""));
  const std::optional<uint32_t> given = dialogs_.round(asked.round).given;
  if (given) {
    const metrics::visdial::RankValues values = metrics::visdial::rank_values(ranks[*given]);
    outcome.values = {
        values.rank, values.recalls[0], values.recalls[1], values.recalls[2], values.reciprocal};
    outcome.is_correct = ranks[*given] == 1;
  }
  const std::span<const double> relevance = annotations_.find(key);
  outcome.values.push_back(relevance.empty() ? std::nan("")
                                             : metrics::visdial::ndcg(ranks, relevance).value());
  if (settings_.has_threshold) add_threshold(scores.values, given, outcome.values);
  if (given && !ranks_) {
    const double own = scores.values[*given];
    double best_other = -std::numeric_limits<double>::infinity();
    for (size_t i = 0; i < scores.values.size(); ++i) {
      if (i == *given) continue;
      best_other = std::max(best_other, scores.values[i]);
      if (scores.values[i] == own) outcome.tied_columns = (1U << kNumRankColumns) - 1;
    }
    outcome.margin = own - best_other;
  }
  outcome.named.put(kRanks, std::vector<int64_t>(ranks.begin(), ranks.end()));
  return outcome;
}

using RankCounts = std::array<uint64_t, kMostRank + 1>;

// The median over rounds, from how often each rank comes.
double median_rank(const RankCounts& counts, uint64_t total) {
  auto at = [&](uint64_t place) {
    uint64_t seen = 0;
    for (size_t rank = 0; rank < counts.size(); ++rank) {
      seen += counts[rank];
      if (seen > place) return static_cast<double>(rank);
    }
    return std::nan("");
  };
  return (at((total - 1) / 2) + at(total / 2)) / 2;
}

stats::MeanInterval median_interval(const std::vector<std::vector<uint8_t>>& ranks_by_image,
                                    const stats::Statistic& median_of,
                                    const PooledOptions& options) {
  if (options.bootstrap > 0) {
    return {stats::cluster_bootstrap(
                ranks_by_image.size(), median_of, metrics::bootstrap_options(options)),
            "the median is undefined in every resample"};
  }
  std::vector<std::vector<double>> values;
  for (const auto& ranks : ranks_by_image) values.emplace_back(ranks.begin(), ranks.end());
  return stats::median_interval(values, options.confidence);
}

std::vector<metrics::Measurement> VisdialRank::pooled(OutcomeReader& outcomes,
                                                      const PooledOptions& options) const {
  DistinctIds images;
  std::vector<std::vector<uint8_t>> ranks;  // by image
  outcomes.for_each_scored("", [&](const StoredItem& item) {
    if (std::isnan(item.outcome.values[0])) return;
    const size_t image = images.add(item.clusters.at(0)).id;
    if (image == ranks.size()) ranks.emplace_back();
    ranks[image].push_back(static_cast<uint8_t>(item.outcome.values[0]));
  });
  auto median_of = [&](std::span<const uint32_t> drawn) {
    RankCounts counts = {};
    uint64_t total = 0;
    for (uint32_t image : drawn) {
      for (uint8_t rank : ranks[image]) ++counts[rank];
      total += ranks[image].size();
    }
    return total == 0 ? std::nan("") : median_rank(counts, total);
  };
  std::vector<uint32_t> all(ranks.size());
  for (uint32_t i = 0; i < all.size(); ++i) all[i] = i;
  metrics::Measurement median{.id = metrics::metric_id("visdial-rank", "", "median_rank"),
                              .value = median_of(all),
                              .higher_is_better = false};
  for (const auto& one : ranks) median.n += one.size();
  if (median.n == 0) {
    median.reason = "no round has a recorded answer";
  } else {
    const stats::MeanInterval found = median_interval(ranks, median_of, options);
    metrics::set_interval(median, found.interval, found.reason);
  }
  return {median};
}

std::vector<SeedReport> VisdialRank::write_seed_files(const SeedRequest& request,
                                                      OutcomeReader& outcomes) const {
  AtomicFile file(request.folder / kRanksFile);
  constexpr std::array<const char*, kNumRankColumns> kMeters = {
      "mrank", "recall@1", "recall@5", "recall@10", "rrank"};
  std::array<stats::Moments, kNumRankColumns> meters;
  RankCounts counts = {};
  bool is_first = true;
  file.write("[");
  outcomes.for_each_scored("", [&](const StoredItem& item) {
    const size_t slash = item.id.find('/');
    const auto ranks = item.outcome.named.get<std::vector<int64_t>>(kRanks);
    std::string list;
    for (int64_t rank : ranks) list += fmt::format("{}{}", list.empty() ? "" : ", ", rank);
    file.write(fmt::format("{}\n{{\"image_id\": {}, \"round_id\": {}, \"ranks\": [{}]}}",
                           is_first ? "" : ",",
                           item.id.substr(0, slash),
                           std::stoi(item.id.substr(slash + 1)) + 1,
                           list));
    is_first = false;
    if (std::isnan(item.outcome.values[0])) return;
    ++counts.at(static_cast<size_t>(item.outcome.values[0]));
    for (size_t i = 0; i < meters.size(); ++i)
      meters[i].add(item.outcome.values[i] * (i >= 1 && i <= 3 ? 100 : 1));
  });
  file.write("\n]\n");
  file.commit();
  std::string line = "meters:";
  for (size_t i = 0; i < meters.size(); ++i)
    line += fmt::format(
        "\t{}: {:.4f} (std: {:.4f})", kMeters[i], meters[i].mean(), meters[i].sample_sd());
  if (meters[0].count() > 0)
    line += fmt::format("\tmedian: {:.4f}", median_rank(counts, meters[0].count()));
  return {{.results_folder = {}, .log_folder = {}, .files = {kRanksFile}, .log_lines = {line}}};
}

TaskFacts facts() {
  return {.name = "visdial-rank",
          .summary = "how high does a visual dialogue's recorded answer rank among 100 candidates?",
          .paper = "arXiv 1611.08669, arXiv 1812.06417",
          .data = "VisDial dialogs, and dense annotations for NDCG, brought by the user",
          .settings = {settings_block()},
          .reads_results = true,
          .columns = rank_columns(false)};
}

// Ranks of all candidates, or a choice among a few of them.
class Entry final : public TaskEntry {
 public:
  const TaskFacts& facts() const override { return facts_; }
  std::unique_ptr<Task> open(const TaskRequest& request) const override {
    if (request.options.get<RankSettings>().num_choices > 0) return open_choice(request);
    return std::make_unique<VisdialRank>(request);
  }

 private:
  TaskFacts facts_ = visdial_rank::facts();
};

}  // namespace
}  // namespace snellen::tasks::visdial_rank

namespace snellen::tasks {

std::unique_ptr<TaskEntry> make_visdial_rank();
std::unique_ptr<TaskEntry> make_visdial_rank() {
  return std::make_unique<visdial_rank::Entry>();
}

}  // namespace snellen::tasks
