// SPDX-License-Identifier: Apache-2.0
// close_aggregate.json, open_aggregate.json and control_ladder.json, by `score bias-close`,
// `score bias-open` and `score control`.
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "snellen/base/files.h"
#include "snellen/metrics/control/control_ladder.h"
#include "snellen/store/samples.h"
#include "tests/golden_runner/bias_answers.h"
#include "tests/golden_runner/verb_call.h"

namespace snellen::golden {
namespace {

constexpr double kTolerance = 1e-8;

// A block of the close-ended report; `start` begins the ids of its metrics.
Json close_block(const Scored& scored, const std::string& start) {
  return {{"n", scored.metric(start + "accuracy").n},
          {"correct", scored.count(start + "accuracy")},
          {"accuracy", scored.value(start + "accuracy")},
          {"ci95", scored.interval(start + "accuracy")},
          {"parsed", scored.count(start + "parse_rate")},
          {"accuracy_parsed", scored.value(start + "accuracy_parsed")},
          {"parse_rate", scored.value(start + "parse_rate")},
          {"refusal_rate", scored.value(start + "refusal_rate")},
          {"unknown_rate", scored.value(start + "unknown_rate")}};
}

Json close_report(const Scored& scored, const Json& want) {
  auto blocks = [&](const char* key, const std::string& start) {
    Json all = Json::object();
    for (const auto& [name, block] : want[key].items())
      all[name] = close_block(scored, start + name + "/");
    return all;
  };
  Json report = {{"overall", close_block(scored, "bias-close/")},
                 {"by_subset", blocks("by_subset", "bias-close/")},
                 {"by_category", blocks("by_category", "bias-close/by-category/")},
                 {"by_condition", blocks("by_condition", "bias-close/by-condition/")}};
  for (const char* name : {"macro_category_accuracy",
                           "delta_base",
                           "delta_scene",
                           "bias_score",
                           "unknown_in_disambig"})
    report[name] = scored.value(fmt::format("bias-close/{}", name));
  return report;
}

// What a rule of the reference scripts came to. Rules that name an option leave answers that they
// cannot match out.
Json compat_report(const Workplace& place, const std::string& answers, const std::string& rule) {
  const bool is_literal = rule == "paren" || rule == "paren_fallback";
  const Scored scored =
      score(place,
            "bias-close",
            {{"answers", answers}, {"parser", rule}, {"compat", is_literal ? "true" : "false"}});
  if (is_literal) return scored.file("close_ended/golden/score.json");
  const metrics::Measurement& parsed = scored.metric("bias-close/accuracy_parsed");
  return {{"correct", scored.count("bias-close/accuracy_parsed")},
          {"total", parsed.n},
          {"unmatched", scored.metric("bias-close/accuracy").n - parsed.n},
          {"accuracy", scored.value("bias-close/accuracy_parsed")}};
}

Json index_json(std::optional<size_t> index) {
  return index ? Json(*index) : Json(nullptr);
}

Json verdict_json(const metrics::LadderVerdict& verdict) {
  return {{"kind", metrics::name_of(verdict.kind)},
          {"first_c", index_json(verdict.first_c)},
          {"stable_c", index_json(verdict.stable_c)},
          {"reversal", verdict.has_reversal},
          {"flip_level", index_json(verdict.flip_level)},
          {"flip_level_seed", index_json(verdict.flip_level_first)}};
}

// Sums of the stored columns over the items of a category; of all items without one.
std::map<std::string, uint64_t> column_counts(const Scored& scored, const std::string& category) {
  store::Samples samples = store::Samples::open_to_read(scored.folder() / "samples.db");
  const store::TaskRecord record = samples.tasks().at(0);
  std::map<std::string, uint64_t> counts;
  samples.for_each(0, std::nullopt, [&](const store::Sample& sample) {
    if (!category.empty() && sample.category != category) return;
    for (size_t i = 0; i < record.columns.size(); ++i)
      counts[record.columns[i].name] += sample.values.at(i) == 1.0 ? 1 : 0;
  });
  return counts;
}

Json ladder_summary(const Scored& scored, const Json& levels, const std::string& category) {
  const std::string start = category.empty() ? "control/" : "control/by-category/" + category + "/";
  const std::map<std::string, uint64_t> columns = column_counts(scored, category);
  Json counts = Json::array();
  Json c_share = Json::array();
  Json c_share_ci = Json::array();
  Json flip_hist = Json::object();
  for (size_t level = 0; level < levels.size(); ++level) {
    const auto name = levels[level].get<std::string>();
    Json row = Json::object();
    for (char letter : {'A', 'B', 'C', 'R', 'U'})
      row[std::string(1, letter)] = scored.count(
          fmt::format("{}{}/{}_share", start, name, static_cast<char>(letter - 'A' + 'a')));
    counts.push_back(row);
    c_share.push_back(scored.value(start + name + "/c_share"));
    c_share_ci.push_back(scored.interval(start + name + "/c_share"));
    if (const uint64_t flips = columns.at("flip_at/" + name); flips > 0)
      flip_hist[std::to_string(level)] = flips;
  }
  Json kinds = Json::object();
  for (size_t i = 0; i < metrics::kNumLadderKinds; ++i) {
    const std::string kind(metrics::name_of(static_cast<metrics::LadderKind>(i)));
    if (const uint64_t count = columns.at("kind/" + kind); count > 0) kinds[kind] = count;
  }
  return {{"n", scored.metric(start + "claim_fraction").n},
          {"counts", counts},
          {"c_share", c_share},
          {"c_share_ci", c_share_ci},
          {"claim_holds", scored.metric(start + "claim_holds").value == 1.0},
          {"claim_fraction", scored.value(start + "claim_fraction")},
          {"n_determinate", scored.metric(start + "image_reliance").n},
          {"image_reliance", scored.value(start + "image_reliance")},
          {"persistence", scored.value(start + "persistence")},
          {"swap", scored.value(start + "swap")},
          {"normalized_gain", scored.value(start + "normalized_gain")},
          {"auc_c", scored.value(start + "auc_c")},
          {"monotone_share", scored.value(start + "monotone_share")},
          {"flip_hist", flip_hist},
          {"kinds", kinds},
          {"mean_flip_level", scored.value(start + "mean_flip_level")}};
}

// The ladders of the vector; without pictures each item is a cluster of its own.
std::string write_ladders(const Workplace& place, const Json& items, bool has_pictures) {
  Json answers = Json::array();
  for (const Json& item : items) {
    Json row = {
        {"id", item["id"].dump()}, {"category", item["category"]}, {"answers", item["answers"]}};
    if (has_pictures) row["image"] = item["image"];
    answers.push_back(row);
  }
  const std::string name = has_pictures ? "pictures.json" : "alone.json";
  place.write(name, answers);
  return (place.path() / name).string();
}

}  // namespace

void check_close_aggregate(const Context& context, Tally& tally) {
  const Json json = context.json();
  const Workplace place;
  Json answers = Json::array();
  for (const Json& item : json["items"]) {
    answers.push_back(item);
    answers.back()["id"] = std::to_string(answers.size());
  }
  place.write("answers.json", answers);
  const std::string path = (place.path() / "answers.json").string();
  tally.start("default");
  tally.same(close_report(score(place, "bias-close", {{"answers", path}}), json["expected"]),
             json["expected"],
             kTolerance,
             "expected");
  for (const auto& [rule, want] : json["expected_compat"].items()) {
    tally.start(rule);
    tally.same(compat_report(place, path, rule), want, kTolerance, rule);
  }
}

void check_open_aggregate(const Context& context, Tally& tally) {
  const auto vader = find_vader(context, tally);
  if (!vader) return;
  const Json json = context.json();
  const Workplace place;
  Json answers = json["items"];
  for (size_t i = 0; i < answers.size(); ++i) answers[i]["id"] = std::to_string(i);
  place.write("answers.json", answers);
  std::string vectors;  // word2vec's text form
  for (const auto& [word, vector] : json["embedding"].items())
    vectors += fmt::format("{} {}\n", word, fmt::join(vector.get<std::vector<double>>(), " "));
  write_text_file(place.path() / "vectors.txt", vectors);
  const Scored scored = score(place,
                              "bias-open",
                              {{"answers", (place.path() / "answers.json").string()},
                               {"lexicon", vader->lexicon.string()},
                               {"emoji", vader->emoji.string()},
                               {"embeddings", (place.path() / "vectors.txt").string()}});
  Json by_label = Json::object();
  for (const auto& [label, want] : json["expected"]["by_label"].items()) {
    const std::string start = "bias-open/by-category/" + label + "/";
    const uint64_t n = scored.metric(start + "VADER").n;
    // Every answer with words has a polarity.
    by_label[label] = {{"n", n},
                       {"VADER", scored.value(start + "VADER")},
                       {"n_empty", n - scored.metric(start + "gender_polarity").n},
                       {"gender_polarity_default", scored.value(start + "gender_polarity")}};
  }
  const Json got = {{"by_label", by_label},
                    {"range_VADER", scored.value("bias-open/range_VADER")},
                    {"average_VADER", scored.value("bias-open/average_VADER")},
                    {"range_gender_polarity", scored.value("bias-open/range_gender_polarity")},
                    {"average_gender_polarity", scored.value("bias-open/average_gender_polarity")}};
  tally.start("default");
  tally.same(got, json["expected"], kTolerance, "expected");
}

void check_control_ladder(const Context& context, Tally& tally) {
  const Json json = context.json();
  for (const Json& item : json["items"]) {
    tally.start(fmt::format("item {}", item["id"].dump()));
    const auto answers = metrics::ladder_answers(item["answers"].get<std::string>());
    tally.same(verdict_json(metrics::classify_ladder(answers)), item["expected"], 0, "expected");
  }
  const Json& levels = json["levels"];
  std::vector<std::string> sigmas;
  for (const Json& sigma : json["sigmas"]) sigmas.push_back(sigma.dump());
  const std::map<std::string, std::string> settings = {
      {"levels", fmt::format("{}", fmt::join(levels.get<std::vector<std::string>>(), ","))},
      {"sigmas", fmt::format("{}", fmt::join(sigmas, ","))}};
  const Workplace place;
  auto run = [&](bool has_pictures, std::map<std::string, std::string> more) {
    more["answers"] = write_ladders(place, json["items"], has_pictures);
    more.insert(settings.begin(), settings.end());
    return score(place, "control", more);
  };
  tally.start("summary");
  const Scored alone = run(/*has_pictures=*/false, {});
  tally.same(ladder_summary(alone, levels, ""), json["summary"], kTolerance, "summary");
  const Json& bootstrap = json["image_reliance_cluster_bootstrap"];
  const Scored clustered =
      run(/*has_pictures=*/true,
          {{"bootstrap", bootstrap["B"].dump()}, {"seed", bootstrap["seed"].dump()}});
  tally.same(clustered.interval("control/image_reliance"),
             bootstrap["ci95"],
             kTolerance,
             "cluster bootstrap");
  tally.start("by_category");
  Json by_category = Json::object();
  for (const auto& [category, want] : json["by_category"].items())
    by_category[category] = ladder_summary(alone, levels, category);
  tally.same(by_category, json["by_category"], kTolerance, "by_category");
}

}  // namespace snellen::golden
