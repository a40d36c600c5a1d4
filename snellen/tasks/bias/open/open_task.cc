// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/bias/open/open_task.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "snellen/annotations/table_file.h"
#include "snellen/stats/jackknife.h"
#include "snellen/tasks/seed_json.h"

namespace snellen::tasks::bias_open {
namespace {

namespace fs = std::filesystem;
using annotations::TableFile;
using annotations::TableRow;
using metrics::Measurement;

constexpr const char* kExternal = "score";  // the column of --scores-file
// What is stored of an item beside its scores.
constexpr const char* kMissing = "missing";
constexpr const char* kEmpty = "empty";
constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

text::Vader open_vader(const OpenSettings& settings) {
  if (settings.lexicon.empty()) {
    throw Error{ErrorCode::kNotFound,
                "the VADER lexicon is neither named nor in the data folder",
                "--lexicon",
                "for example --lexicon vader_lexicon.txt; ./dev setup downloads it"};
  }
  return text::Vader::from_files(settings.lexicon, settings.emoji, settings.variant);
}

std::optional<metrics::GenderAxis> open_axis(const OpenSettings& settings) {
  if (settings.embeddings.empty()) return std::nullopt;
  return metrics::GenderAxis(text::Word2VecFile(settings.embeddings));
}

std::optional<text::Subjectivity> open_subjectivity(const OpenSettings& settings) {
  if (settings.subjectivity.empty()) return std::nullopt;
  return text::Subjectivity::from_file(settings.subjectivity);
}

// "Gender polarity" is the key of the reference's file; ids have no spaces.
std::string column_name(const metrics::OpenMetric& metric) {
  if (metric.name == "Subjectivity") return "subjectivity";
  return metric.name == "Gender polarity" ? "gender_polarity" : metric.name;
}

// The range and the average over labels, as statistics of the items.
class Spread {
 public:
  Spread(const std::vector<metrics::OpenOutcome>& outcomes,
         const metrics::OpenReport& report,
         size_t metric) {
    std::unordered_map<std::string, uint32_t> numbers;
    for (const metrics::OpenLabel& label : report.labels)
      numbers.emplace(label.label, static_cast<uint32_t>(numbers.size()));
    for (const metrics::OpenOutcome& outcome : outcomes) {
      if (outcome.scores[metric])
        values_.push_back({numbers.at(outcome.label), *outcome.scores[metric]});
    }
    num_labels_ = numbers.size();
  }

  uint64_t n() const { return values_.size(); }

  stats::MeanInterval interval(bool is_range, const PooledOptions& options) const {
    auto statistic = [&](std::span<const uint32_t> draws) {
      std::vector<double> sums(num_labels_);
      std::vector<uint64_t> counts(num_labels_);
      for (uint32_t draw : draws) {
        sums[values_[draw].label] += values_[draw].value;
        ++counts[values_[draw].label];
      }
      double low = std::numeric_limits<double>::infinity();
      double high = -low;
      double sum = 0;
      size_t count = 0;
      for (size_t label = 0; label < num_labels_; ++label) {
        if (counts[label] == 0) continue;
        double mean = sums[label] / static_cast<double>(counts[label]);
        low = std::min(low, mean);
        high = std::max(high, mean);
        sum += mean;
        ++count;
      }
      if (count == 0) return kUndefined;
      return is_range ? high - low : sum / static_cast<double>(count);
    };
    const uint64_t num_pairs = std::max<uint64_t>(1, num_labels_ * (num_labels_ - 1) / 2);
    stats::MeanInterval found = stats::statistic_interval(
        {.of = statistic,
         .sizes = std::vector<double>(values_.size(), 1.0),
         .range = is_range ? stats::StatisticRange::kAtLeastZero : stats::StatisticRange::kAny,
         .largest_of = is_range ? num_pairs : 1},
        metrics::bootstrap_options(options));
    if (found.interval && options.bootstrap > 0) found.interval->method = "bootstrap";
    if (values_.size() < stats::kFewestClusters) found.reason = "too few items for an interval";
    return found;
  }

 private:
  struct Value {
    uint32_t label;
    double value;
  };
  std::vector<Value> values_;
  size_t num_labels_ = 0;
};

}  // namespace

config::Block open_block() {
  using config::option;
  using S = OpenSettings;
  return {S{},
          {option(&S::type,
                  "type",
                  "`run`: which open-ended set: gender, race, religious_ideology, profession-emo, "
                  "profession-nohuman")
               .omit_default(),
           option(&S::lexicon, "lexicon", "VADER's lexicon (default: that of the data folder)")
               .from_data("vader/vader_lexicon.txt")
               .identity(false)
               .value("FILE"),
           option(&S::emoji, "emoji", "VADER's emoji table (default: that of the data folder)")
               .from_data("vader/emoji_utf8_lexicon.txt")
               .identity(false)
               .value("FILE"),
           option(&S::variant,
                  "vader-variant",
                  "VADER as published, or with the rule for 'but' corrected",
                  {{"reference", text::VaderVariant::kReference},
                   {"fixed", text::VaderVariant::kFixed}}),
           option(&S::subjectivity,
                  "subjectivity-lexicon",
                  "TextBlob's en-sentiment.xml (default: that of the data folder); no subjectivity "
                  "without it")
               .from_data("textblob/en-sentiment.xml")
               .identity(false)
               .omit_default()
               .value("FILE"),
           option(&S::embeddings,
                  "embeddings",
                  "word vectors (word2vec, binary or text) for the gender polarity, which is left "
                  "out without them")
               .identity(false)
               .value("FILE"),
           option(&S::scores, "scores-file", "table id,score that is also aggregated per label")
               .identity(false)
               .value("FILE")}};
}

OpenTask::OpenTask(const TaskRequest& request)
    : vader_(open_vader(request.options.get<OpenSettings>())),
      subjectivity_(open_subjectivity(request.options.get<OpenSettings>())),
      axis_(open_axis(request.options.get<OpenSettings>())),
      scores_(read_scores(request.options.get<OpenSettings>())),
      metrics_(metrics::open_metrics(axis_.has_value(), subjectivity_.has_value())),
      is_compat_(request.is_compat) {
  if (scores_) metrics_.push_back({.name = kExternal});
  const auto& own = request.options.get<OpenSettings>();
  for (const fs::path& path :
       {own.lexicon, own.emoji, own.subjectivity, own.embeddings, own.scores}) {
    if (!path.empty()) score_inputs_.push_back(path);
  }
}

std::optional<OpenTask::Scores> OpenTask::read_scores(const OpenSettings& settings) {
  if (settings.scores.empty()) return std::nullopt;
  TableFile file(settings.scores);
  Scores scores;
  for (size_t number = 0; number < file.size(); ++number) {
    TableRow row = file.row(number);
    Result<annotations::ScoreRow> record = annotations::read_score_row(row);
    if (!record) throw record.error();
    if (!scores.emplace(record->id, record->score).second) {
      throw Error{ErrorCode::kInvalidInput,
                  fmt::format("id {} is listed twice", record->id),
                  row.where(),
                  "keep one score per answer"};
    }
  }
  return scores;
}

std::vector<Column> OpenTask::columns() const {
  std::vector<Column> columns;
  for (const metrics::OpenMetric& metric : metrics_)
    columns.push_back({.name = column_name(metric), .has_breakdown = true});
  return columns;
}

std::vector<std::string> OpenTask::notes() const {
  if (subjectivity_) return {};
  return {
      "no subjectivity: TextBlob's en-sentiment.xml is neither named with --subjectivity-lexicon "
      "nor "
      "in the data folder; ./dev setup brings it"};
}

Item OpenTask::item_of(const annotations::OpenRow& row) {
  Item item;
  item.id = row.id;
  item.clusters = {row.id};
  item.category = row.label;
  return item;
}

metrics::OpenRecord OpenTask::record_of(annotations::OpenRow row) {
  return {std::move(row.id), std::move(row.label), std::move(row.answer)};
}

Outcome OpenTask::judged(const metrics::OpenRecord& record) const {
  metrics::OpenOutcome judged = metrics::judge_open(
      record, vader_, axis_ ? &*axis_ : nullptr, subjectivity_ ? &*subjectivity_ : nullptr);
  if (scores_) {
    auto found = scores_->find(record.id);
    judged.scores.push_back(found == scores_->end() ? std::nullopt : found->second);
  }
  Outcome outcome;
  for (const std::optional<double>& score : judged.scores)
    outcome.values.push_back(score.value_or(kUndefined));
  outcome.named.put(kMissing, judged.is_missing);
  outcome.named.put(kEmpty, judged.is_empty);
  return outcome;
}

Result<ScoreLine> OpenTask::read_score_line(std::string_view line) const {
  (void)line;
  return Error{ErrorCode::kUsage,
               "bias-open takes answers, not scores",
               "--scores",
               "name them with --answers"};
}

std::vector<metrics::OpenOutcome> OpenTask::stored(OutcomeReader& outcomes) const {
  std::vector<metrics::OpenOutcome> all;
  outcomes.for_each_scored("", [&](const StoredItem& item) {
    metrics::OpenOutcome one{.id = {}, .label = item.category};
    one.is_missing = item.outcome.named.get<bool>(kMissing);
    one.is_empty = item.outcome.named.get<bool>(kEmpty);
    for (double value : item.outcome.values) {
      one.scores.push_back(std::isnan(value) ? std::nullopt : std::optional<double>(value));
    }
    all.push_back(std::move(one));
  });
  return all;
}

std::vector<Measurement> OpenTask::pooled(OutcomeReader& outcomes,
                                          const PooledOptions& options) const {
  std::vector<metrics::OpenOutcome> all = stored(outcomes);
  metrics::OpenReport report = metrics::aggregate_open(all, metrics_, is_compat_);
  std::vector<Measurement> measured;
  for (size_t m = 0; m < metrics_.size(); ++m) {
    Spread spread(all, report, m);
    for (bool is_range : {true, false}) {
      std::optional<double> value = is_range ? report.spreads[m].range : report.spreads[m].average;
      Measurement one{
          .id = fmt::format(
              "bias-open/{}_{}", is_range ? "range" : "average", column_name(metrics_[m])),
          .n = spread.n(),
          .higher_is_better = !is_range};
      if (!value) {
        one.reason = "no answer has this score";
      } else if (std::isnan(*value)) {
        one.reason = "an empty answer has no polarity, and --compat lets it spoil its label";
      } else {
        one.value = *value;
        // The quirks of the reference are no statistic of the items; they get no interval.
        if (!is_compat_) {
          const stats::MeanInterval found = spread.interval(is_range, options);
          metrics::set_interval(one, found.interval, found.reason);
        }
      }
      measured.push_back(std::move(one));
    }
  }
  uint64_t num_missing = 0;
  uint64_t num_empty = 0;
  for (const metrics::OpenLabel& label : report.labels) {
    num_missing += label.n_missing;
    num_empty += label.n_empty;
  }
  measured.push_back({.id = "bias-open/n_missing",
                      .value = static_cast<double>(num_missing),
                      .n = all.size(),
                      .higher_is_better = false});
  measured.push_back({.id = "bias-open/n_empty",
                      .value = static_cast<double>(num_empty),
                      .n = all.size(),
                      .higher_is_better = false});
  return measured;
}

std::vector<SeedReport> OpenTask::write_seed_files(const SeedRequest& request,
                                                   OutcomeReader& outcomes) const {
  metrics::OpenReport report = metrics::aggregate_open(stored(outcomes), metrics_, is_compat_);
  SeedReport written;
  written.results_folder = fs::path("open_ended") / request.tag;
  written.log_folder = written.results_folder;
  SeedJson json(request.is_compat ? NonFinite::kToken : NonFinite::kNull);
  auto put = [&](const std::string& key, std::optional<double> value) {
    json.put({key}, value ? python_float(*value, json.non_finite()) : "null");
    if (value) written.log_lines.push_back(fmt::format("{}: {}", key, *value));
  };
  for (const metrics::OpenLabel& label : report.labels) {
    for (size_t m = 0; m < report.metrics.size(); ++m)
      put(fmt::format("{}_{}", label.label, report.metrics[m].name), label.means[m]);
  }
  for (size_t m = 0; m < report.metrics.size(); ++m) {
    put("range_" + report.metrics[m].name, report.spreads[m].range);
    put("average_" + report.metrics[m].name, report.spreads[m].average);
  }
  written.files.push_back(written.results_folder / "score.json");
  json.write(request.folder / written.files.back());
  return {written};
}

}  // namespace snellen::tasks::bias_open
