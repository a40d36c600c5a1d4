// SPDX-License-Identifier: Apache-2.0
#include "tests/golden_runner/bias_answers.h"

#include <optional>
#include <string>

#include <fmt/format.h>

#include "snellen/metrics/bias/open_ended.h"
#include "snellen/text/answers/answer_parser.h"
#include "snellen/text/answers/answer_parser_compat.h"
#include "snellen/text/vader/vader.h"

namespace snellen::golden {
namespace {

constexpr double kTolerance = 1e-8;

Json number(std::optional<double> value) {
  return value ? Json(*value) : Json(nullptr);
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

}  // namespace snellen::golden
