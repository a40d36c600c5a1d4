// SPDX-License-Identifier: Apache-2.0
#include "tests/golden_runner/visdial_meteor.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "snellen/base/error.h"
#include "snellen/text/meteor/paraphrase_builder.h"
#include "tests/golden_runner/visdial_meteor_tables.h"

namespace snellen::golden {
namespace {

namespace fs = std::filesystem;
using metrics::meteor::Meteor;
using metrics::meteor::Scratch;
using metrics::meteor::Segment;
using metrics::meteor::Statistics;
using text::meteor::MeteorData;

constexpr double kTolerance = 1e-9;  // the vectors of meteor.json carry 12 digits
constexpr double kPrintedTolerance = 1e-12;

Json integers(const Statistics& statistics) {
  Json values = Json::array();
  for (double value : statistics.values()) values.push_back(value);
  return values;
}

std::vector<std::string> references_of(const Json& item) {
  return item.at("references").get<std::vector<std::string>>();
}

Json words_of(std::string_view normalized) {
  Json words = Json::array();
  for (size_t at = 0; at < normalized.size();) {
    size_t end = std::min(normalized.find(' ', at), normalized.size());
    words.push_back(normalized.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

void check_normalized(const Json& item, const Meteor& meteor, Scratch& scratch, Tally& tally) {
  const Json& want = item.at("normalized");
  auto hypothesis = item.at("hypothesis").get<std::string>();
  tally.same(words_of(meteor.normalize(hypothesis, scratch)),
             want.at("hypothesis"),
             0,
             "normalised hypothesis");
  Json got = Json::array();
  for (const std::string& reference : references_of(item)) {
    got.push_back(words_of(meteor.normalize(reference, scratch)));
  }
  tally.same(got, want.at("references"), 0, "normalised references");
}

// Normalising needs no tables.
void check_all_normalized(const Json& items, Tally& tally) {
  Meteor meteor(std::make_shared<MeteorData>());
  Scratch scratch(meteor);
  for (const Json& item : items) {
    tally.start(item.at("hypothesis").dump());
    check_normalized(item, meteor, scratch, tally);
  }
}

double number_or_zero(double x) {
  return std::isnan(x) ? 0 : x;
}

void check_segment(
    const Json& item, const Json& want, const Meteor& meteor, Scratch& scratch, Tally& tally) {
  auto hypothesis = item.at("hypothesis").get<std::string>();
  std::vector<std::string> references = references_of(item);
  Segment got = meteor.score(hypothesis, references, scratch);
  tally.same(integers(got.statistics), want.at("stats"), 0, "statistics");
  tally.near(got.score.score, want.at("score"), kTolerance, "score");
  tally.near(number_or_zero(got.score.precision), want.at("precision"), kTolerance, "precision");
  tally.near(number_or_zero(got.score.recall), want.at("recall"), kTolerance, "recall");
  tally.near(got.score.f_mean, want.at("fmean"), kTolerance, "fmean");
  tally.near(got.score.penalty, want.at("penalty"), kTolerance, "penalty");
  const Json& each = want.at("per_reference");
  tally.expect(each.size() == references.size(), "one result per reference");
  for (size_t i = 0; i < std::min(each.size(), references.size()); ++i) {
    Segment alone = meteor.score(hypothesis, std::span(references).subspan(i, 1), scratch);
    tally.same(integers(alone.statistics),
               each[i].at("stats"),
               0,
               fmt::format("statistics of reference {}", i));
    tally.near(alone.score.score,
               each[i].at("score"),
               kTolerance,
               fmt::format("score of reference {}", i));
  }
}

metrics::meteor::Parameters parameters_in(const Json& params) {
  metrics::meteor::Parameters parameters;
  parameters.alpha = params.at("alpha");
  parameters.beta = params.at("beta");
  parameters.gamma = params.at("gamma");
  parameters.delta = params.at("delta");
  parameters.weights = params.at("weights").get<std::array<double, metrics::meteor::kNumModules>>();
  return parameters;
}

// Statistics and score as the Java program printed them.
void check_printed(const Segment& got, const Json& want, std::string_view what, Tally& tally) {
  tally.same(statistics_text(got.statistics),
             want.at("statistics"),
             0,
             fmt::format("{} statistics", what));
  double score = std::stod(want.at("score_text").get<std::string>());
  tally.near(got.score.score, score, kPrintedTolerance, fmt::format("{} score", what));
  tally.same(java_double(got.score.score),
             want.at("score_text"),
             0,
             fmt::format("{} printed score", what));
}

void check_with_table(const Json& item, const Meteor& meteor, Scratch& scratch, Tally& tally) {
  auto hypothesis = item.at("hypothesis").get<std::string>();
  std::vector<std::string> references = references_of(item);
  Segment got = meteor.score(hypothesis, references, scratch);
  check_printed(got, item, "best", tally);
  tally.expect(got.best_reference == item.at("best_reference").get<size_t>(), "best reference");
  const Json& each = item.at("per_reference");
  tally.expect(each.size() == references.size(), "one result per reference");
  for (size_t i = 0; i < std::min(each.size(), references.size()); ++i) {
    Segment alone = meteor.score(hypothesis, std::span(references).subspan(i, 1), scratch);
    check_printed(alone, each[i], fmt::format("reference {}", i), tally);
  }
}

}  // namespace

void check_meteor(const Context& context, Tally& tally) {
  Json vector = context.json();
  MeteorTables tables = load_meteor_tables(/*wants_paraphrases=*/false);
  if (tables.without == nullptr) {
    check_all_normalized(vector.at("items"), tally);
    return tally.skip(kNoMeteorLexicon);
  }
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const Json& pair : vector.at("tiny_paraphrase_table"))
    pairs.emplace_back(pair.at(0), pair.at(1));
  auto with_tiny = std::make_shared<MeteorData>(*tables.without);
  with_tiny->paraphrases = text::meteor::index_of_pairs(pairs);
  Meteor plain(tables.without, parameters_in(vector.at("params")));
  Meteor tiny(with_tiny, parameters_in(vector.at("params")));
  Scratch plain_scratch(plain), tiny_scratch(tiny);
  size_t number = 0;
  for (const Json& item : vector.at("items")) {
    tally.start(fmt::format("items[{}] {}", number++, item.at("hypothesis").dump()));
    check_normalized(item, plain, plain_scratch, tally);
    check_segment(item, item.at("no_paraphrase"), plain, plain_scratch, tally);
    check_segment(item, item.at("tiny_paraphrase"), tiny, tiny_scratch, tally);
  }
}

void check_meteor_paraphrase(const Context& context, Tally& tally) {
  Json vector = context.json();
  MeteorTables tables = load_meteor_tables(/*wants_paraphrases=*/true);
  if (tables.without == nullptr) return tally.skip(kNoMeteorLexicon);
  bool is_asked_for = !named_meteor_folder().empty();
  if (tables.with == nullptr) {
    if (is_asked_for)
      throw Error{
          ErrorCode::kNotFound, "holds no paraphrase-en.gz", named_meteor_folder().string()};
    tally.skip(
        fmt::format("{} is not set (folder with paraphrase-en.gz, see docs/spec/visdial.md 4.7)",
                    kMeteorVariable));
  }
  Meteor plain(tables.without);
  Scratch plain_scratch(plain);
  std::optional<Meteor> full;
  std::optional<Scratch> full_scratch;
  if (tables.with != nullptr) full_scratch.emplace(full.emplace(tables.with));
  size_t number = 0;
  for (const Json& item : vector.at("items")) {
    tally.start(fmt::format("items[{}] {}", number++, item.at("hypothesis").dump()));
    auto hypothesis = item.at("hypothesis").get<std::string>();
    check_printed(plain.score(hypothesis, references_of(item), plain_scratch),
                  item.at("without_table"),
                  "without table",
                  tally);
    if (full) check_with_table(item, *full, *full_scratch, tally);
  }
  if (!full) return;
  const Json& table = vector.at("table");
  if (tables.with->paraphrases->source_sha256() == table.at("sha256").get<std::string>()) {
    tally.start("table");
    tally.same(tables.with->paraphrases->num_pairs(), table.at("pairs"), 0, "pairs");
    tally.same(tables.with->paraphrases->num_keys(), table.at("keys"), 0, "keys");
  }
  check_gens_with_table(vector.at("gens"), tables, context, tally);
}

}  // namespace snellen::golden
