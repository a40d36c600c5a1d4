// SPDX-License-Identifier: Apache-2.0
#include "tests/golden_runner/bias_answers.h"

#include <optional>
#include <string>

#include <fmt/format.h>

#include "snellen/text/answers/answer_parser.h"
#include "snellen/text/answers/answer_parser_compat.h"
#include "snellen/text/vader/vader.h"

namespace snellen::golden {
namespace {

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

std::optional<VaderFiles> find_vader(const Context& context, Tally& tally) {
  VaderFiles files{.lexicon = context.find_data("bias/vader_lexicon.txt"),
                   .emoji = context.find_data("bias/emoji_utf8_lexicon.txt")};
  if (!files.lexicon.empty() && !files.emoji.empty()) return files;
  tally.skip("needs bias/vader_lexicon.txt and bias/emoji_utf8_lexicon.txt");
  return std::nullopt;
}

void check_vader(const Context& context, Tally& tally) {
  const auto files = find_vader(context, tally);
  if (!files) return;
  const text::Vader vader = text::Vader::from_files(files->lexicon, files->emoji);
  Json cases = context.json();
  for (const Json& one : cases) {
    std::string sentence = one["text"];
    tally.start(sentence);
    text::Sentiment score = vader.score(sentence);
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

}  // namespace snellen::golden
