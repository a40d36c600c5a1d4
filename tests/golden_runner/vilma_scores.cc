// SPDX-License-Identifier: Apache-2.0
// cases.json, suite.json, errors.json: evaluation from files over the published annotations.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "snellen/metrics/vilma/vilma_leaderboard.h"
#include "snellen/metrics/vilma/vilma_suite_text.h"
#include "snellen/tasks/vilma/suite_table.h"
#include "tests/golden_runner/verb_call.h"
#include "tests/golden_runner/vilma_checks.h"

namespace snellen::golden {
namespace {

namespace fs = std::filesystem;
namespace vilma = tasks::vilma;

// Percentages are exact to the printed decimals; auroc may differ by 0.01 (the reference sums it in
// float32).
constexpr double kExact = 1e-9;
constexpr double kAuroc = 0.01 + 1e-9;

// The annotation files a vector names, as one name or a list; empty when one is nowhere, with a
// note.
std::vector<fs::path> find_annotations(const Context& context,
                                       const Json& names,
                                       Tally& tally,
                                       std::string_view id) {
  std::vector<fs::path> files;
  for (const Json& name : names.is_array() ? names : Json::array({names})) {
    const fs::path relative = fs::path("vilma") / name.get<std::string>();
    files.push_back(context.find_data(relative));
    if (!files.back().empty()) continue;
    tally.skip(
        fmt::format("{}: needs {} (the published ViLMA annotations)", id, relative.string()));
    return {};
  }
  return files;
}

metrics::FoilRules rules_of(const Json& one, bool is_compat) {
  metrics::FoilRules rules;
  rules.mode = metrics::foil_mode_of(one["mode"].get<std::string>()).value();
  rules.is_compat = is_compat;
  return rules;
}

vilma::Evaluation evaluate(const Context& context,
                           const Json& one,
                           const vilma::EvaluatedItems& evaluated,
                           bool is_compat) {
  std::vector<annotations::VilmaResults> results;
  for (const Json& input : one["inputs"]) {
    results.push_back(vilma::read_results(context.kind / input.get<std::string>(), is_compat));
  }
  const metrics::FoilRules rules = rules_of(one, is_compat);
  if (one["tool"] == "eval")
    return vilma::evaluate_file(evaluated, results.at(0), vilma::ScoredTexts::kAuto, rules);
  return vilma::evaluate_pair(evaluated, results.at(0), results.at(1), rules);
}

Json json_of(const metrics::FoilReport& report) {
  Json out = {{"n_examples", report.rows.size()},
              {"n_correct", report.num_correct},
              {"acc_r", metrics::rounded_percent(report.acc_r)},
              {"n_ties", report.num_ties}};
  if (!report.reason.empty()) out["error"] = report.reason.substr(0, report.reason.find(':'));
  if (!report.probability) return out;
  const metrics::FoilProbability& shares = *report.probability;
  out["p_c"] = metrics::rounded_percent(shares.p_c);
  out["p_f"] = metrics::rounded_percent(shares.p_f);
  out["min_p"] = std::min(out["p_c"].get<double>(), out["p_f"].get<double>());
  out["acc"] = metrics::rounded_percent(shares.acc);
  if (shares.auroc) out["auroc"] = metrics::rounded_percent(*shares.auroc);
  const metrics::FoilCounts& counts = shares.counts;
  out["counts"] = {{"tp", counts.tp},
                   {"fp", counts.fp},
                   {"tn", counts.tn},
                   {"fn", counts.fn},
                   {"foil_tp", counts.foil_tp},
                   {"foil_fp", counts.foil_fp},
                   {"n_pos", counts.n_pos},
                   {"n_neg", counts.n_neg}};
  return out;
}

// Every value the vector expects; what it does not ask for is not compared, but a metric it leaves
// out must be absent.
void compare(const Json& got, const Json& want, std::string_view mode, Tally& tally) {
  for (const auto& [key, value] : want.items()) {
    tally.expect(got.contains(key), fmt::format("{}: no {}", mode, key));
    if (!got.contains(key)) continue;
    tally.same(got[key], value, key == "auroc" ? kAuroc : kExact, fmt::format("{}.{}", mode, key));
  }
  for (const char* key : {"p_c", "error"}) {
    tally.expect(got.contains(key) == want.contains(key), fmt::format("{}: {} present", mode, key));
  }
}

void compare_lines(const std::vector<std::string>& got, const Json& want, Tally& tally) {
  tally.expect(got.size() == want.size(),
               fmt::format("compat_stdout: {} lines, want {}", got.size(), want.size()));
  constexpr std::string_view kAurocLine = "auroc=";
  for (size_t i = 0; i < std::min(got.size(), want.size()); ++i) {
    const auto line = want[i].get<std::string>();
    if (line.starts_with(kAurocLine) && got[i].starts_with(kAurocLine)) {
      tally.near(std::stod(got[i].substr(kAurocLine.size())),
                 std::stod(line.substr(kAurocLine.size())),
                 kAuroc,
                 "compat_stdout auroc");
    } else {
      tally.expect(got[i] == line, fmt::format("compat_stdout: got '{}', want '{}'", got[i], line));
    }
  }
}

// Section 1 of the specification: items, main-valid, prof-valid, evaluated.
struct PublishedCounts {
  const char* file;
  size_t items;
  size_t main_valid;
  size_t prof_valid;
  size_t evaluated;
};
constexpr PublishedCounts kPublished[] = {
    {"counting-easy-spelled-sec.json", 959, 774, 939, 757},
    {"counting-easy-spelled-pts.json", 959, 774, 939, 757},
    {"counting-hard-spelled-sec.json", 895, 682, 884, 675},
    {"counting-hard-spelled-pts.json", 895, 682, 884, 675},
    {"SRL_Action_Replacement_Top_1000.json", 1000, 838, 837, 704},
    {"SRL_Actor_Swapping.json", 452, 207, 394, 207},
    {"change-state-action.json", 624, 466, 412, 314},
    {"change-state-prestate.json", 624, 286, 412, 194},
    {"change-state-poststate.json", 624, 383, 412, 254},
    {"change-state-inverse.json", 624, 342, 412, 236},
    {"rare-actions-verb-foils.json", 978, 781, 940, 751},
    {"rare-actions-noun-foils.json", 972, 739, 907, 692},
    {"relations.json", 708, 436, 633, 393},
};

void check_published_counts(const Context& context, Tally& tally) {
  for (const PublishedCounts& want : kPublished) {
    const std::string id = fmt::format("counts of {}", want.file);
    const auto files = find_annotations(context, want.file, tally, id);
    if (files.empty()) continue;
    tally.start(id);
    const vilma::EvaluatedItems got = vilma::read_evaluated_items(files, {});
    tally.expect(got.num_annotated == want.items, fmt::format("items: {}", got.num_annotated));
    tally.expect(got.num_main_valid == want.main_valid,
                 fmt::format("main-valid: {}", got.num_main_valid));
    tally.expect(got.num_prof_valid == want.prof_valid,
                 fmt::format("prof-valid: {}", got.num_prof_valid));
    tally.expect(got.items.size() == want.evaluated,
                 fmt::format("evaluated: {}", got.items.size()));
  }
}

void compare_suite(const Json& got, const Json& want, std::string_view mode, Tally& tally) {
  // Ours says more (ties, intervals, chance); only what the vector has is compared.
  auto compare_row = [&](const Json& ours, const Json& row, const std::string& what) {
    for (const auto& [key, value] : row.items()) {
      tally.expect(ours.contains(key), fmt::format("{}: no {}", what, key));
      if (ours.contains(key)) tally.same(ours[key], value, kExact, fmt::format("{}.{}", what, key));
    }
  };
  tally.start(fmt::format("{} subtasks", mode));
  tally.expect(got["subtasks"].size() == want["subtasks"].size(), "number of subtasks");
  for (size_t i = 0; i < std::min(got["subtasks"].size(), want["subtasks"].size()); ++i) {
    compare_row(got["subtasks"][i], want["subtasks"][i], want["subtasks"][i]["case"]);
  }
  tally.start(fmt::format("{} tasks", mode));
  tally.expect(got["tasks"].size() == want["tasks"].size(), "number of tasks");
  for (const auto& [task, row] : want["tasks"].items()) {
    tally.expect(got["tasks"].contains(task), fmt::format("no task {}", task));
    if (got["tasks"].contains(task)) compare_row(got["tasks"][task], row, task);
  }
  tally.start(fmt::format("{} average", mode));
  compare_row(got["macro_average_over_tasks"], want["macro_average_over_tasks"], "average");
}

}  // namespace

void check_vilma_cases(const Context& context, Tally& tally) {
  const Json json = context.json();
  for (const Json& one : json) {
    const auto id = one["id"].get<std::string>();
    const auto files = find_annotations(context, one["annotation"], tally, id);
    if (files.empty()) continue;
    tally.start(id);
    const vilma::EvaluatedItems evaluated = vilma::read_evaluated_items(files, {});
    compare(json_of(evaluate(context, one, evaluated, /*is_compat=*/false).report),
            one["expect_default"],
            "default",
            tally);
    const metrics::FoilReport compat = evaluate(context, one, evaluated, /*is_compat=*/true).report;
    compare(json_of(compat), one["expect_compat"], "compat", tally);
    compare_lines(metrics::compat_lines(compat), one["compat_stdout"], tally);
  }
  check_published_counts(context, tally);
}

void check_vilma_suite(const Context& context, Tally& tally) {
  const Json json = context.json();
  fs::path folder;
  for (const Json& row : json["inputs"]) {
    const auto files = find_annotations(context, row["annotation"], tally, "suite");
    if (files.empty()) return;
    folder = files[0].parent_path();
  }
  const Workplace place;
  for (const bool is_compat : {false, true}) {
    const Scored scored = score(place,
                                "vilma",
                                {{"suite", context.file.string()},
                                 {"data", folder.string()},
                                 {"compat", is_compat ? "true" : "false"}});
    const metrics::VilmaSuite suite =
        vilma::suite_of(vilma::placed_rows(context.file, folder), scored.summary().results.metrics);
    const auto leaders = metrics::vilma_leaders_with(suite, "this");
    compare_suite(Json::parse(metrics::vilma_suite_json(suite, leaders)),
                  json[is_compat ? "expect_compat" : "expect_default"],
                  is_compat ? "compat" : "default",
                  tally);
  }
}

void check_vilma_errors(const Context& context, Tally& tally) {
  const Json json = context.json();
  const auto files = find_annotations(context, json["annotation"], tally, "errors");
  if (files.empty()) return;
  const vilma::EvaluatedItems evaluated = vilma::read_evaluated_items(files, {});
  const auto results =
      vilma::read_results(context.kind / json["input"].get<std::string>(), /*is_compat=*/false);
  for (const bool is_compat : {false, true}) {
    tally.start(is_compat ? "missing id, compat" : "missing id, default");
    const Json& want = json[is_compat ? "expect_compat" : "expect_default"];
    const metrics::FoilRules rules = rules_of(json, is_compat);
    if (want.contains("missing")) {
      const auto problems =
          vilma::file_problems(evaluated, results, vilma::ScoredTexts::kAuto, rules);
      tally.same(problems.missing, want["missing"], 0, "missing");
    }
    try {
      (void)vilma::evaluate_file(evaluated, results, vilma::ScoredTexts::kAuto, rules);
      tally.expect(false, "no error");
    } catch (const Error& error) {
      tally.expect(error.message().starts_with(want["error"].get<std::string>() + ":"),
                   error.message());
    }
  }
  tally.start("missing id, skipped");
  metrics::FoilRules rules = rules_of(json, /*is_compat=*/false);
  rules.missing = metrics::OnMissing::kSkip;
  const auto skipped = vilma::evaluate_file(evaluated, results, vilma::ScoredTexts::kAuto, rules);
  for (const auto& [key, value] : json["expect_allow_missing_skip"].items()) {
    tally.same(json_of(skipped.report).at(key), value, kExact, key);
  }
}

}  // namespace snellen::golden
