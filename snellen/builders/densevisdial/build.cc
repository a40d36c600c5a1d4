// SPDX-License-Identifier: Apache-2.0
#include "snellen/builders/densevisdial/build.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "snellen/annotations/visdial/dense_annotations.h"
#include "snellen/annotations/visdial/dialog_file.h"
#include "snellen/base/files.h"
#include "snellen/base/hash.h"
#include "snellen/base/ordered_pipeline.h"
#include "snellen/base/python_json.h"
#include "snellen/builders/build_record.h"
#include "snellen/builders/output_folder.h"
#include "snellen/cca/dialog_model.h"
#include "snellen/metrics/visdial/set_overlap.h"
#include "snellen/stats/moments.h"

namespace snellen::builders::densevisdial {
namespace {

namespace fs = std::filesystem;
using annotations::DenseAnnotations;
using annotations::DialogFile;
using Json = nlohmann::ordered_json;

constexpr uint64_t kDialogsAtOnce = 32;

void check(const Sources& sources, const Options& options) {
  auto has = [&](Rule rule) {
    return std::find(options.rules.begin(), options.rules.end(), rule) != options.rules.end();
  };
  const bool needs_cca = has(Rule::kSigma) || has(Rule::kMeanShift) || has(Rule::kWard);
  if (needs_cca && sources.projections.empty())
    throw Error{ErrorCode::kUsage,
                "rules S, M and G need a fitted CCA",
                "--projections",
                "name the folder that `snellen train cca` wrote"};
  if ((has(Rule::kHuman) || options.is_human_only) && sources.annotations.empty())
    throw Error{ErrorCode::kUsage,
                "rule H and the human subset need people's relevances",
                "--annotations",
                "name the dense annotations of this split"};
}

// Sums over the rounds of one rule.
class Meters {
 public:
  void add(const Members& members,
           std::span<const double> correlations,
           const Members* human,
           size_t given) {
    if (human != nullptr) {
      const metrics::visdial::SetOverlap overlap = metrics::visdial::set_overlap(members, *human);
      of("precision").add(100 * overlap.precision);
      of("recall").add(100 * overlap.recall);
      of("IOU").add(100 * overlap.iou);
    }
    of("gt_in_cluster").add(members[given] ? 100 : 0);
    const auto size = static_cast<size_t>(std::count(members.begin(), members.end(), true));
    of("cluster_size").add(static_cast<double>(size));
    ++sizes_.at(size);
    if (correlations.empty()) return;
    const SetFigures figures = figures_of(members, correlations);
    of("cluster_mean").add(figures.mean);
    if (size > 1) of("cluster_std").add(figures.sd);
  }
  std::string line(std::string_view letter) const {
    std::string line(letter);
    for (const auto& [name, values] : meters_) {
      if (values.count() == 0) continue;
      line += fmt::format("\t{}: {:6.4f} (std: {:6.4f})", name, values.mean(), values.sample_sd());
    }
    return line;
  }
  Json json() const {
    Json all = Json::object();
    for (const auto& [name, values] : meters_) {
      if (values.count() == 0) continue;
      const double sd = values.sample_sd();
      all[name] = {{"mean", values.mean()},
                   {"std", std::isnan(sd) ? Json() : Json(sd)},
                   {"n", values.count()}};
    }
    all["rounds_by_set_size"] = sizes_;
    return all;
  }

 private:
  stats::Moments& of(std::string_view name) {
    return std::find_if(
               meters_.begin(), meters_.end(), [&](const auto& one) { return one.first == name; })
        ->second;
  }
  std::array<std::pair<std::string_view, stats::Moments>, 7> meters_ = {{{"precision", {}},
                                                                         {"recall", {}},
                                                                         {"IOU", {}},
                                                                         {"gt_in_cluster", {}},
                                                                         {"cluster_size", {}},
                                                                         {"cluster_mean", {}},
                                                                         {"cluster_std", {}}}};
  std::array<uint64_t, 101> sizes_ = {};  // rounds by the size of their set
};

// What one round came to.
struct RoundSets {
  size_t round = 0;
  size_t given = 0;
  std::vector<uint32_t> candidates;
  std::vector<double> correlations;  // empty where no rule needs them
  std::optional<Members> human;
  std::vector<Members> by_rule;  // in the order of the rules; empty where the rule has no set
};

class Maker {
 public:
  Maker(const Sources& sources, const Options& options, const Workers& workers)
      : options_(options), dialogs_(sources.dialogs) {
    if (!sources.annotations.empty()) {
      annotations_ = annotations::read_dense_annotations(sources.annotations);
      annotations::expect_rounds_among(annotations_, dialogs_);
    }
    if (sources.projections.empty()) return;
    const cca::DialogModel model = cca::DialogModel::read(sources.projections);
    units_ = cca::unit_projections(
        model.answer_projector(),
        dialogs_.answers(),
        model.encoder,
        workers.num_threads,
        [&](uint64_t done, uint64_t total) { workers.tell("answers", done, total); });
  }

  const DialogFile& dialogs() const { return dialogs_; }

  std::vector<RoundSets> sets_of(size_t dialog) const {
    std::vector<RoundSets> sets;
    const std::vector<std::vector<uint32_t>> candidates = dialogs_.candidates(dialog);
    for (size_t i = dialogs_.first_round(dialog); i < dialogs_.first_round(dialog + 1); ++i) {
      const annotations::DialogRound& round = dialogs_.round(i);
      if (!round.has_candidates || !round.given) continue;
      RoundSets one{.round = i,
                    .given = *round.given,
                    .candidates = candidates[i - dialogs_.first_round(dialog)],
                    .correlations = {},
                    .human = {},
                    .by_rule = {}};
      const std::span<const double> relevance = annotations_.find(dialogs_.key(i));
      if (!relevance.empty()) one.human = human_members(relevance, one.given);
      if (options_.is_human_only && !one.human) continue;
      if (units_.rows() > 0) correlate(one);
      for (const Rule rule : options_.rules) {
        if (rule == Rule::kHuman)
          one.by_rule.push_back(one.human.value_or(Members{}));
        else
          one.by_rule.push_back(members_of(rule, one.correlations, one.given));
      }
      sets.push_back(std::move(one));
    }
    return sets;
  }

  std::string entry_of(const RoundSets& sets, const Members& members) const {
    const annotations::DialogKey key = dialogs_.key(sets.round);
    std::string mask;
    std::string refs;
    for (size_t i = 0; i < members.size(); ++i) {
      mask += members[i] ? (i == 0 ? "1" : ", 1") : (i == 0 ? "0" : ", 0");
      if (!members[i]) continue;
      refs += refs.empty() ? "" : ", ";
      refs += python_string(dialogs_.answers()[sets.candidates[i]]);
    }
    return fmt::format(
        "{{\"image_id\": {}, \"round_id\": {}, \"in_cluster_idxs\": [{}], \"refs\": [{}], "
        "\"question\": {}, \"gt_answer\": {}}}",
        key.image_id,
        key.round_id,
        mask,
        refs,
        python_string(dialogs_.questions()[dialogs_.round(sets.round).question]),
        python_string(dialogs_.answers()[sets.candidates[sets.given]]));
  }

 private:
  void correlate(RoundSets& sets) const {
    const auto given = units_.row(sets.candidates[sets.given]);
    for (uint32_t candidate : sets.candidates)
      sets.correlations.push_back(cca::rounded_cosine(units_.row(candidate).dot(given)));
  }

  const Options& options_;
  DialogFile dialogs_;
  DenseAnnotations annotations_;
  cca::Rows units_;  // of every answer; none where no rule needs them
};

constexpr const char* kStatistics = "statistics.json";

// As the published files are called: refs_S_full_val.json. The year that dialogs have in the name
// of their split ("val2018") is that of their pictures.
std::string set_name(Rule rule, const Options& options, const DialogFile& dialogs) {
  std::string_view split = dialogs.split();
  const size_t year = split.find_last_not_of("0123456789") + 1;
  if (year > 0) split = split.substr(0, year);
  return fmt::format(
      "refs_{}_{}_{}.json", letter_of(rule), options.is_human_only ? "human" : "full", split);
}

// The file of one rule.
class SetFile {
 public:
  SetFile(const fs::path& out, Rule rule, const Options& options, const DialogFile& dialogs)
      : path_(out / set_name(rule, options, dialogs)), file_(path_) {
    file_.write("[");
  }
  void add(const std::string& entry) {
    file_.write(num_entries_++ == 0 ? "\n" : ",\n");
    file_.write(entry);
  }
  void commit() {
    file_.write("\n]\n");
    file_.commit();
  }
  const fs::path& path() const { return path_; }
  uint64_t num_entries() const { return num_entries_; }

 private:
  fs::path path_;
  AtomicFile file_;
  uint64_t num_entries_ = 0;
};

BuildRecord record_of(const Sources& sources, const Options& options) {
  std::string letters;
  for (Rule rule : options.rules) letters += letter_of(rule);
  BuildRecord record{.builder = "densevisdial",
                     .options = {{"cluster-method", letters},
                                 {"eval-set", options.is_human_only ? "human" : "full"}},
                     .sources = {{"dialogs", shown_path(sources.dialogs)}},
                     .sha256 = {{"dialogs", sha256_of_file(sources.dialogs)}}};
  if (!sources.annotations.empty()) {
    record.sources.emplace_back("annotations", shown_path(sources.annotations));
    record.sha256.emplace_back("annotations", sha256_of_file(sources.annotations));
  }
  if (!sources.projections.empty())
    record.sources.emplace_back("projections", shown_path(sources.projections));
  return record;
}

}  // namespace

BuildReport build(const Sources& sources,
                  const Options& options,
                  const fs::path& out,
                  const Workers& workers,
                  Statistics& statistics) {
  check(sources, options);
  const Maker maker(sources, options, workers);
  std::vector<fs::path> names = {kStatistics};
  for (Rule rule : options.rules) names.emplace_back(set_name(rule, options, maker.dialogs()));
  const FileLock lock = open_output_folder(out, "densevisdial", names);
  std::vector<std::unique_ptr<SetFile>> files;
  for (Rule rule : options.rules)
    files.push_back(std::make_unique<SetFile>(out, rule, options, maker.dialogs()));
  std::vector<Meters> meters(options.rules.size());

  struct Block {
    std::vector<RoundSets> sets;
    std::vector<std::vector<std::string>> entries;  // by set and rule
  };
  const uint64_t count = maker.dialogs().num_dialogs();
  uint64_t num_done = 0;
  ordered_pipeline<Block>(
      (count + kDialogsAtOnce - 1) / kDialogsAtOnce,
      workers.num_threads,
      [&](uint64_t number) {
        Block block;
        const uint64_t end = std::min(count, (number + 1) * kDialogsAtOnce);
        for (uint64_t dialog = number * kDialogsAtOnce; dialog < end; ++dialog) {
          for (RoundSets& sets : maker.sets_of(dialog)) {
            std::vector<std::string>& entries = block.entries.emplace_back();
            for (const Members& members : sets.by_rule)
              entries.push_back(members.empty() ? "" : maker.entry_of(sets, members));
            block.sets.push_back(std::move(sets));
          }
        }
        return block;
      },
      [&](Block&& block) {
        for (size_t i = 0; i < block.sets.size(); ++i) {
          const RoundSets& sets = block.sets[i];
          for (size_t rule = 0; rule < files.size(); ++rule) {
            if (sets.by_rule[rule].empty()) continue;
            files[rule]->add(block.entries[i][rule]);
            meters[rule].add(sets.by_rule[rule],
                             sets.correlations,
                             sets.human ? &*sets.human : nullptr,
                             sets.given);
          }
        }
        num_done = std::min(count, num_done + kDialogsAtOnce);
        workers.tell("reference sets", num_done, count);
      },
      [] { return false; });

  BuildReport report;
  Json json = Json::object();
  for (size_t rule = 0; rule < files.size(); ++rule) {
    files[rule]->commit();
    report.files.push_back(files[rule]->path());
    const std::string letter(letter_of(options.rules[rule]));
    report.counts.push_back({"DenseVisDial " + letter, "items", files[rule]->num_entries(), ""});
    statistics.lines.push_back(meters[rule].line(letter));
    json[letter] = meters[rule].json();
  }
  write_text_file(out / kStatistics, json.dump(1) + "\n");
  report.files.push_back(out / kStatistics);
  write_record(record_of(sources, options), out, report);
  return report;
}

}  // namespace snellen::builders::densevisdial
