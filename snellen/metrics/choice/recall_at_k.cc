// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/choice/recall_at_k.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

namespace snellen::metrics {

Retrieval retrieve(std::span<const double> scores, std::span<const uint8_t> is_right, uint32_t k) {
  double best = -std::numeric_limits<double>::infinity();
  for (size_t i = 0; i < scores.size(); ++i) {
    if (is_right[i] != 0) best = std::max(best, scores[i]);
  }
  size_t num_better = 0;
  size_t num_tied = 0;
  for (size_t i = 0; i < scores.size(); ++i) {
    if (is_right[i] != 0) continue;
    if (scores[i] > best) ++num_better;
    if (scores[i] == best) ++num_tied;
  }
  return {.is_found = num_better + num_tied < k, .is_found_with_ties = num_better < k};
}

double retrieval_chance(size_t num_candidates, size_t num_right, uint32_t k) {
  double missed = 1;
  size_t num_wrong = num_candidates - num_right;
  for (size_t i = 0; i < k; ++i) {
    if (i >= num_wrong) return 1;
    missed *= static_cast<double>(num_wrong - i) / static_cast<double>(num_candidates - i);
  }
  return 1 - missed;
}

namespace {

// The candidates of one query.
struct Query {
  std::vector<double> scores;
  std::vector<uint8_t> is_right;
};

// Gives every query of one direction; `scores` is empty where only the shape is asked for.
void for_each_query(const ItemShape& shape,
                    std::span<const double> scores,
                    bool asks_with_visuals,
                    const std::function<void(const Query&)>& visit) {
  size_t num_queries = asks_with_visuals ? shape.num_visuals : shape.num_texts;
  size_t num_candidates = asks_with_visuals ? shape.num_texts : shape.num_visuals;
  Query query;
  for (size_t q = 0; q < num_queries; ++q) {
    query.scores.clear();
    query.is_right.clear();
    for (size_t c = 0; c < num_candidates; ++c) {
      size_t place = asks_with_visuals ? q * shape.num_texts + c : c * shape.num_texts + q;
      if (shape.is_asked[place] == 0) continue;
      query.scores.push_back(scores.empty() ? 0 : scores[place]);
      query.is_right.push_back(shape.is_right[place]);
    }
    bool has_right =
        std::find(query.is_right.begin(), query.is_right.end(), uint8_t{1}) != query.is_right.end();
    if (has_right && query.is_right.size() > 1) visit(query);
  }
}

class RecallAtK : public Metric {
 public:
  explicit RecallAtK(std::vector<uint32_t> cutoffs) : cutoffs_(std::move(cutoffs)) {
    for (const char* way : {"i2t", "t2i"}) {
      for (uint32_t k : cutoffs_) {
        facts_.columns.push_back(
            {.name = fmt::format("{}/recall@{}", way, k), .is_share = true, .is_decision = true});
      }
    }
  }

  const MetricFacts& facts() const override { return facts_; }

  std::optional<std::string> misfit(const ItemShape& shape) const override {
    if (count_queries(shape, true) + count_queries(shape, false) > 0) return std::nullopt;
    return "recall needs one picture with several texts or one text with several pictures, of "
           "which one is right";
  }

  Judged judge(const ScoredItem& item) const override {
    Judged judged;
    for (bool asks_with_visuals : {true, false}) {
      for (uint32_t k : cutoffs_) {
        double sum = 0;
        size_t count = 0;
        for_each_query(item.shape, item.scores, asks_with_visuals, [&](const Query& query) {
          Retrieval found = retrieve(query.scores, query.is_right, k);
          sum += credit_of(found.is_found, found.is_found_with_ties, item.ties);
          ++count;
          if (found.is_found != found.is_found_with_ties)
            judged.tied_columns |= uint64_t{1} << judged.values.size();
        });
        judged.values.push_back(count == 0 ? std::nan("") : sum / static_cast<double>(count));
      }
    }
    // The headline: the smallest cutoff, with pictures where they ask.
    double first = std::isnan(judged.values[0]) ? judged.values[cutoffs_.size()] : judged.values[0];
    if (first == 0 || first == 1) judged.is_correct = first == 1;
    return judged;
  }

  std::optional<double> chance(size_t column, const ItemShape& shape) const override {
    uint32_t k = cutoffs_[column % cutoffs_.size()];
    double sum = 0;
    size_t count = 0;
    for_each_query(shape, {}, column < cutoffs_.size(), [&](const Query& query) {
      auto num_right = std::count(query.is_right.begin(), query.is_right.end(), uint8_t{1});
      sum += retrieval_chance(query.is_right.size(), static_cast<size_t>(num_right), k);
      ++count;
    });
    if (count == 0) return std::nullopt;
    return sum / static_cast<double>(count);
  }

  bool is_share(size_t column, const ItemShape& shape) const override {
    return count_queries(shape, column < cutoffs_.size()) <= 1;
  }

 private:
  static size_t count_queries(const ItemShape& shape, bool asks_with_visuals) {
    size_t count = 0;
    for_each_query(shape, {}, asks_with_visuals, [&](const Query&) { ++count; });
    return count;
  }

  std::vector<uint32_t> cutoffs_;
  MetricFacts facts_ = {.name = "recall_at_k",
                        .summary = "is a right text (picture) among the k best of a picture (text)",
                        .version = 1,
                        .range = "0..1",
                        .ties = "a tie at the cutoff is a miss",
                        .paper = "",
                        .columns = {}};
};

}  // namespace

std::unique_ptr<Metric> make_recall_at(std::vector<uint32_t> cutoffs) {
  return std::make_unique<RecallAtK>(std::move(cutoffs));
}

std::unique_ptr<Metric> make_recall_at_k();
std::unique_ptr<Metric> make_recall_at_k() {
  return make_recall_at({1, 5, 10});
}

}  // namespace snellen::metrics
