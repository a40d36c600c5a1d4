// SPDX-License-Identifier: Apache-2.0
#include "tests/golden_runner/bias_answers.h"

#include <optional>
#include <string>

#include <fmt/format.h>

#include "snellen/metrics/bias/close_ended.h"
#include "snellen/metrics/bias/close_ended_compat.h"
#include "snellen/metrics/bias/open_ended.h"
#include "snellen/metrics/control/control_ladder.h"
#include "snellen/text/answers/answer_parser.h"
#include "snellen/text/answers/answer_parser_compat.h"
#include "snellen/text/vader/vader.h"

namespace snellen::golden {
namespace {

constexpr double kTolerance = 1e-8;

Json number(std::optional<double> value) {
  return value ? Json(*value) : Json(nullptr);
}

Json pair_of(const std::optional<stats::Interval>& interval) {
  return interval ? Json::array({interval->low, interval->high}) : Json(nullptr);
}

// VADER with the user's tables, or nothing (and a skip) where they are not at hand.
std::optional<text::Vader> vader_of(const Context& context, Tally& tally) {
  std::filesystem::path lexicon = context.find_data("bias/vader_lexicon.txt");
  std::filesystem::path emoji = context.find_data("bias/emoji_utf8_lexicon.txt");
  if (lexicon.empty() || emoji.empty()) {
    tally.skip("needs bias/vader_lexicon.txt and bias/emoji_utf8_lexicon.txt");
    return std::nullopt;
  }
  return text::Vader::from_files(lexicon, emoji);
}

Json index_json(std::optional<size_t> index) {
  return index ? Json(*index) : Json(nullptr);
}

void check_compat(const Json& want,
                  std::string_view response,
                  const text::AnswerOptions& options,
                  Tally& tally) {
  for (const auto& [key, value] : want.items()) {
    if (key == "prefix_index") {
      tally.same(index_json(text::option_by_prefix(response, options.texts)), value, 0, key);
    } else if (key == "first_paren_index") {
      tally.same(
          index_json(text::option_by_first_paren(response, options.texts.size())), value, 0, key);
    } else if (key == "mmmu_index") {
      tally.same(index_json(text::option_by_mmmu(response, options.texts)), value, 0, key);
    } else if (key == "paren_correct_if_label" || key == "paren_fallback_correct_if_label") {
      Json got = Json::array();
      for (size_t label = 0; label < value.size(); ++label) {
        got.push_back(key == "paren_correct_if_label"
                          ? text::is_right_by_paren(response, label)
                          : text::is_right_by_paren_fallback(response, options.texts, label));
      }
      tally.same(got, value, 0, key);
    } else {
      tally.expect(false, fmt::format("unknown compat key {}", key));
    }
  }
}

Json block_json(const metrics::CloseBlock& block) {
  return {{"n", block.n},
          {"correct", block.correct},
          {"accuracy", number(block.accuracy())},
          {"ci95", pair_of(block.wilson)},
          {"parsed", block.parsed},
          {"accuracy_parsed", number(block.accuracy_parsed())},
          {"parse_rate", number(block.parse_rate())},
          {"refusal_rate", number(block.refusal_rate())},
          {"unknown_rate", number(block.unknown_rate())}};
}

Json blocks_json(const std::vector<metrics::CloseBlock>& blocks) {
  Json all = Json::object();
  for (const metrics::CloseBlock& block : blocks) all[block.name] = block_json(block);
  return all;
}

Json report_json(const metrics::CloseReport& report) {
  return {{"overall", block_json(report.overall)},
          {"by_subset", blocks_json(report.by_subset)},
          {"by_category", blocks_json(report.by_category)},
          {"by_condition", blocks_json(report.by_condition)},
          {"macro_category_accuracy", number(report.macro_category_accuracy)},
          {"delta_base", number(report.delta_base)},
          {"delta_scene", number(report.delta_scene)},
          {"bias_score", number(report.bias_score)},
          {"unknown_in_disambig", number(report.unknown_in_disambig)}};
}

metrics::CloseRecord close_record(const Json& item, size_t index) {
  metrics::CloseRecord record{.id = std::to_string(index),
                              .image = {},
                              .subset = item["subset"],
                              .category = item["category"],
                              .condition = item["condition"],
                              .options = item["options"],
                              .unknown = item["options"].size() - 1,
                              .label = std::nullopt,
                              .answer = {}};
  if (item.contains("unknown_index")) {
    record.unknown = item["unknown_index"].is_null()
                         ? std::nullopt
                         : std::optional<size_t>(item["unknown_index"].get<size_t>());
  }
  if (item.contains("label") && !item["label"].is_null())
    record.label = item["label"].get<size_t>();
  record.label = metrics::label_or_default(record.label, record.condition, record.unknown);
  if (!item["answer"].is_null()) record.answer = item["answer"];
  return record;
}

Json compat_json(std::span<const metrics::CloseRecord> records, const std::string& rule) {
  Json got = Json::object();
  if (rule == "paren" || rule == "paren_fallback") {
    for (const auto& [key, value] :
         metrics::compat_close_scores(records, rule == "paren_fallback")) {
      got[key] = number(value);
    }
    return got;
  }
  metrics::MatchedScore score = metrics::matched_score(records, text::answer_rule_of(rule));
  return {{"correct", score.correct},
          {"total", score.total},
          {"unmatched", score.unmatched},
          {"accuracy", number(score.accuracy)}};
}

Json summary_json(const metrics::LadderSummary& summary) {
  Json counts = Json::array();
  Json c_share = Json::array();
  Json c_share_ci = Json::array();
  for (const metrics::LadderLevel& level : summary.levels) {
    Json row = Json::object();
    for (size_t i = 0; i < metrics::kNumAnswerClasses; ++i) {
      row[std::string(1, metrics::letter_of(static_cast<metrics::AnswerClass>(i)))] =
          level.counts[i];
    }
    counts.push_back(row);
    c_share.push_back(number(level.c_share.value));
    c_share_ci.push_back(pair_of(level.c_share.wilson));
  }
  Json flip_hist = Json::object();
  for (size_t level = 0; level < summary.flip_hist.size(); ++level) {
    if (summary.flip_hist[level] > 0) flip_hist[std::to_string(level)] = summary.flip_hist[level];
  }
  Json kinds = Json::object();
  for (size_t i = 0; i < metrics::kNumLadderKinds; ++i) {
    if (summary.kinds[i] > 0)
      kinds[std::string(metrics::name_of(static_cast<metrics::LadderKind>(i)))] = summary.kinds[i];
  }
  return {{"n", summary.n},
          {"counts", counts},
          {"c_share", c_share},
          {"c_share_ci", c_share_ci},
          {"claim_holds", summary.claim_holds ? Json(*summary.claim_holds) : Json(nullptr)},
          {"claim_fraction", number(summary.claim_fraction.value)},
          {"n_determinate", summary.n_determinate},
          {"image_reliance", number(summary.image_reliance.value)},
          {"persistence", number(summary.persistence.value)},
          {"swap", number(summary.swap.value)},
          {"normalized_gain", number(summary.normalized_gain)},
          {"auc_c", number(summary.auc_c)},
          {"monotone_share", number(summary.monotone.value)},
          {"flip_hist", flip_hist},
          {"kinds", kinds},
          {"mean_flip_level", number(summary.mean_flip_level)}};
}

Json verdict_json(const metrics::LadderVerdict& verdict) {
  return {{"kind", metrics::name_of(verdict.kind)},
          {"first_c", index_json(verdict.first_c)},
          {"stable_c", index_json(verdict.stable_c)},
          {"reversal", verdict.has_reversal},
          {"flip_level", index_json(verdict.flip_level)},
          {"flip_level_seed", index_json(verdict.flip_level_first)}};
}

}  // namespace

void check_vader(const Context& context, Tally& tally) {
  std::optional<text::Vader> vader = vader_of(context, tally);
  if (!vader) return;
  Json cases = context.json();
  for (const Json& one : cases) {
    std::string sentence = one["text"];
    tally.start(sentence);
    text::Sentiment score = vader->score(sentence);
    tally.near(score.neg, one["neg"], 0, "neg");
    tally.near(score.neu, one["neu"], 0, "neu");
    tally.near(score.pos, one["pos"], 0, "pos");
    tally.near(score.compound, one["compound"], 0, "compound");
  }
}

void check_parse(const Context& context, Tally& tally) {
  Json cases = context.json();
  for (const Json& one : cases) {
    tally.start(fmt::format("case {}", one["id"].dump()));
    auto texts = one["options"].get<std::vector<std::string>>();
    text::AnswerOptions options{.texts = texts, .unknown = std::nullopt};
    if (!one["unknown_index"].is_null()) options.unknown = one["unknown_index"].get<size_t>();
    std::string response = one["response"].is_null() ? "" : one["response"].get<std::string>();
    text::ParsedAnswer answer = text::parse_answer(response, options);
    Json got = {{"status", text::name_of(answer.status)},
                {"index", index_json(answer.index)},
                {"rule", answer.rule}};
    tally.same(got, one["expect"], 0, response);
    if (one.contains("compat")) check_compat(one["compat"], response, options, tally);
  }
}

void check_close_aggregate(const Context& context, Tally& tally) {
  Json json = context.json();
  std::vector<metrics::CloseRecord> records;
  std::vector<metrics::CloseOutcome> outcomes;
  for (const Json& item : json["items"]) records.push_back(close_record(item, records.size()));
  for (const metrics::CloseRecord& record : records)
    outcomes.push_back(metrics::judge_close(record));
  tally.start("default");
  tally.same(
      report_json(metrics::aggregate_close(outcomes)), json["expected"], kTolerance, "expected");
  for (const auto& [rule, want] : json["expected_compat"].items()) {
    tally.start(rule);
    tally.same(compat_json(records, rule), want, kTolerance, rule);
  }
}

void check_open_aggregate(const Context& context, Tally& tally) {
  std::optional<text::Vader> vader = vader_of(context, tally);
  if (!vader) return;
  Json json = context.json();
  metrics::GenderAxis axis(json["embedding"].get<std::map<std::string, std::vector<double>>>(),
                           "embedding");
  std::vector<metrics::OpenOutcome> outcomes;
  for (const Json& item : json["items"]) {
    metrics::OpenRecord record{
        .id = std::to_string(outcomes.size()), .label = item["label"], .answer = std::nullopt};
    if (!item["answer"].is_null()) record.answer = item["answer"].get<std::string>();
    outcomes.push_back(metrics::judge_open(record, *vader, &axis));
  }
  metrics::OpenReport report =
      metrics::aggregate_open(outcomes, metrics::open_metrics(/*has_axis=*/true));
  Json by_label = Json::object();
  for (const metrics::OpenLabel& label : report.labels) {
    by_label[label.label] = {{"n", label.n},
                             {"VADER", number(label.means[0])},
                             {"n_empty", label.n_empty},
                             {"gender_polarity_default", number(label.means[1])}};
  }
  Json got = {{"by_label", by_label},
              {"range_VADER", number(report.spreads[0].range)},
              {"average_VADER", number(report.spreads[0].average)},
              {"range_gender_polarity", number(report.spreads[1].range)},
              {"average_gender_polarity", number(report.spreads[1].average)}};
  tally.start("default");
  tally.same(got, json["expected"], kTolerance, "expected");
}

void check_control_ladder(const Context& context, Tally& tally) {
  Json json = context.json();
  auto sigmas = json["sigmas"].get<std::vector<double>>();
  std::vector<metrics::LadderItem> items;
  for (const Json& item : json["items"]) {
    items.push_back({.id = item["id"].dump(),
                     .image = item["image"],
                     .category = item["category"],
                     .condition = {},
                     .subset = {},
                     .answers = metrics::ladder_answers(item["answers"].get<std::string>())});
    tally.start(fmt::format("item {}", items.back().id));
    tally.same(verdict_json(metrics::classify_ladder(items.back().answers)),
               item["expected"],
               0,
               "expected");
  }
  const Json& bootstrap = json["image_reliance_cluster_bootstrap"];
  metrics::LadderOptions options;
  options.bootstrap = stats::BootstrapOptions{.replicates = bootstrap["B"].get<uint64_t>(),
                                              .seed = bootstrap["seed"].get<uint64_t>()};
  metrics::LadderReport report = metrics::report_ladder(items, sigmas, options);
  tally.start("summary");
  tally.same(summary_json(report.overall), json["summary"], kTolerance, "summary");
  tally.same(pair_of(report.overall.image_reliance.clustered),
             bootstrap["ci95"],
             kTolerance,
             "cluster bootstrap");
  tally.start("by_category");
  Json by_category = Json::object();
  for (const metrics::LadderSummary& summary : report.by_category)
    by_category[summary.name] = summary_json(summary);
  tally.same(by_category, json["by_category"], kTolerance, "by_category");
}

}  // namespace snellen::golden
