// SPDX-License-Identifier: Apache-2.0
#include "snellen/builders/vilma/rare_build.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include "snellen/base/ordered_pipeline.h"
#include "snellen/base/rng.h"
#include "snellen/builders/build_record.h"
#include "snellen/builders/output_folder.h"
#include "snellen/builders/vilma/item_file.h"
#include "snellen/builders/vilma/rare_texts.h"

namespace snellen::builders::vilma {
namespace {

namespace fs = std::filesystem;

using annotations::FoilCandidate;
using annotations::RareActRow;

struct Item {
  std::string id;
  Json json;
};

Json score_json(const std::optional<double>& score) {
  return score ? Json(*score) : Json();
}

// All items of one target.
class ItemMaker {
 public:
  ItemMaker(RareTarget target,
            std::vector<RareActRow> rows,
            const RareCandidates& candidates,
            const annotations::LabelLists& detections,
            const RareOptions& options)
      : target_(target),
        rows_(std::move(rows)),
        candidates_(candidates),
        detections_(detections),
        options_(options),
        stream_(Rng(is_verb() ? options.verb_seed : options.noun_seed)
                    .fork("vilma-rare")
                    .fork(is_verb() ? "verb" : "noun")) {
    if (!is_verb())
      std::erase_if(rows_, [](const RareActRow& row) { return row.verb == "deseed"; });
    for (const RareActRow& row : rows_) nouns_.push_back(row.noun);
    std::sort(nouns_.begin(), nouns_.end());
    nouns_.erase(std::unique(nouns_.begin(), nouns_.end()), nouns_.end());
    draw_places();
  }

  uint64_t size() const { return places_.size(); }

  Result<Item> item(uint64_t index) const {
    const RareActRow& row = rows_[places_[index]];
    Rng rng = stream_.fork(static_cast<uint64_t>(row.id));
    const std::string caption = active_sentence(row.verb, row.noun);
    const std::vector<FoilCandidate> usable = usable_candidates(row, caption);
    if (usable.empty()) {
      return Error{
          ErrorCode::kInvalidInput,
          fmt::format("no candidate for '{} {}'", row.verb, row.noun),
          fmt::format("RareAct {}", row.id),
          fmt::format("add {} to the file of --candidates", is_verb() ? "verbs" : "nouns")};
    }
    const FoilCandidate& drawn = usable[rng.below(usable.size())];
    const std::string other = other_noun(row, rng);
    Item made;
    made.id = fmt::format("actions-{}-active-{:04d}", is_verb() ? "verb" : "noun", places_[index]);
    made.json = {{"dataset", "RareAct"},
                 {"original_split", "test"},
                 {"dataset_idx", row.id},
                 {"linguistic_phenomena", "actions"},
                 {"youtube_id", row.video_id},
                 {"video_file", nullptr},
                 {"start_time", row.start_s},
                 {"end_time", row.end_s},
                 {"time_unit", "sec"},
                 {"caption", caption},
                 {"foils", Json::array({foil_of(row, drawn)})},
                 {"foil_masked_pos", Json::array({is_verb() ? "verb" : "noun"})},
                 {"foiling_method", Json::array({is_verb() ? "t5" : "mlm ensembling"})}};
    add_scores(drawn, made.json);
    if (!other.empty()) {
      made.json["proficiency"] = {
          {"caption", existential_sentence(row.noun, options_.is_compat)},
          {"foils", Json::array({existential_sentence(other, options_.is_compat)})}};
    }
    made.json["class"] = is_verb() ? row.verb : row.noun;
    const std::string& foil_class = is_verb()            ? drawn.verb
                                    : options_.is_compat ? other
                                                         : drawn.noun;
    made.json["classes_foil"] = Json::array({foil_class});
    return made;
  }

 private:
  bool is_verb() const { return target_ == RareTarget::kVerb; }

  // Which rows are used, in file order.
  void draw_places() {
    Rng rng = stream_;
    places_.resize(rows_.size());
    std::iota(places_.begin(), places_.end(), size_t{0});
    rng.shuffle(std::span(places_));
    if (places_.size() > options_.num_examples) places_.resize(options_.num_examples);
    std::sort(places_.begin(), places_.end());
  }

  const std::set<std::string>& seen_in(const RareActRow& row) const {
    static const std::set<std::string> nothing;
    const auto found = detections_.labels.find(std::to_string(row.id));
    return found == detections_.labels.end() ? nothing : found->second;
  }

  std::string foil_of(const RareActRow& row, const FoilCandidate& one) const {
    if (is_verb()) return active_sentence(one.verb, row.noun);
    return active_sentence_of_phrase(
        row.verb, one.phrase.empty() ? noun_phrase(row.verb, one.noun) : one.phrase);
  }

  std::vector<FoilCandidate> usable_candidates(const RareActRow& row,
                                               const std::string& caption) const {
    std::vector<FoilCandidate> usable = candidates_.of(target_, row, nouns_);
    const std::set<std::string>& seen = seen_in(row);
    std::erase_if(usable, [&](const FoilCandidate& one) {
      if (!is_verb() && seen.contains(one.noun)) return true;
      return !options_.is_compat && foil_of(row, one) == caption;
    });
    const FoilJudges& judges = options_.judges;
    if (judges.gruen) {
      std::erase_if(usable, [&](const FoilCandidate& one) {
        return !(judges.gruen(foil_of(row, one)) >= judges.least_gruen);
      });
    }
    if (!judges.nli) return usable;
    for (FoilCandidate& one : usable) {
      if (!one.label.empty()) continue;
      const FoilJudges::Label said = judges.nli(caption, foil_of(row, one));
      if (!one.mlm_score) one.mlm_score = one.score;
      one.label = said.name;
      one.score = said.probability;
    }
    std::erase_if(usable, [](const FoilCandidate& one) { return is_left_out(one.label); });
    return usable;
  }

  // Another noun of the data set that was not seen in the clip; empty when there is none.
  std::string other_noun(const RareActRow& row, Rng& rng) const {
    std::vector<const std::string*> others;
    for (const std::string& noun : nouns_) {
      if (noun != row.noun && !seen_in(row).contains(noun)) others.push_back(&noun);
    }
    return others.empty() ? std::string() : *others[rng.below(others.size())];
  }

  void add_scores(const FoilCandidate& one, Json& json) const {
    if (!one.label.empty()) {
      json["foil_nli_labels"] = Json::array({one.label});
      json["foil_nli_scores"] = Json::array({score_json(one.score)});
    }
    if (is_verb()) return;
    const bool is_raw = one.label.empty() && !one.mlm_score;
    json["foil_mlm_scores"] = Json::array({score_json(is_raw ? one.score : one.mlm_score)});
  }

  RareTarget target_;
  std::vector<RareActRow> rows_;
  const RareCandidates& candidates_;
  const annotations::LabelLists& detections_;
  const RareOptions& options_;
  Rng stream_;
  std::vector<std::string> nouns_;  // of the rows, sorted
  std::vector<size_t> places_;      // of the rows that are used
};

constexpr const char* kVerbFile = "rare-actions-verb-foils.json";
constexpr const char* kNounFile = "rare-actions-noun-foils.json";
constexpr const char* kEnsembleFile = "mlm-ensemble.json";

void write_target(RareTarget target,
                  const ItemMaker& maker,
                  const RareOptions& options,
                  const fs::path& out,
                  const builders::Workers& workers,
                  builders::BuildReport& report) {
  const bool is_verb = target == RareTarget::kVerb;
  ItemFile file(out / (is_verb ? kVerbFile : kNounFile));
  uint64_t num_done = 0;
  ordered_pipeline<Result<Item>>(
      maker.size(),
      workers.num_threads,
      [&](uint64_t i) { return maker.item(i); },
      [&](Result<Item>&& item) {
        if (item) {
          file.add(item->id, item->json);
        } else if (options.is_compat) {
          throw item.error();
        } else {
          report.bad_records.add(item.error());
        }
        workers.tell(
            is_verb ? "rare actions, verbs" : "rare actions, nouns", ++num_done, maker.size());
      },
      [] { return false; });
  file.commit();
  report.counts.push_back({is_verb ? "rare actions, verb" : "rare actions, noun",
                           "items",
                           file.size(),
                           is_verb ? "978" : "972"});
  report.files.push_back(file.path());
}

void write_ensemble(const RareCandidates& candidates,
                    const fs::path& out,
                    builders::BuildReport& report) {
  ItemFile file(out / kEnsembleFile);
  for (const auto& [verb, merged] : candidates.merged()) {
    Json list = Json::array();
    for (const EnsembleCandidate& one : merged) {
      list.push_back({{"noun", one.noun},
                      {"phrase", one.phrase},
                      {"sequence", one.sequence},
                      {"count", one.scores.size()},
                      {"scores", one.scores},
                      {"models", one.models},
                      {"score", one.score}});
    }
    file.add(verb, list);
  }
  file.commit();
  report.files.push_back(file.path());
}

std::string shown_paths(const std::vector<fs::path>& paths) {
  std::vector<std::string> shown;
  for (const fs::path& path : paths) shown.push_back(builders::shown_path(path));
  return fmt::format("{}", fmt::join(shown, "\n"));
}

builders::BuildRecord record_of(const RareSources& sources, const RareOptions& options) {
  using builders::shown_path;
  builders::BuildRecord record = {
      .builder = "vilma-rare-actions",
      .options = {{"target",
                   !options.makes_nouns   ? "verb"
                   : !options.makes_verbs ? "noun"
                                          : "both"},
                  {"verb-seed", std::to_string(options.verb_seed)},
                  {"noun-seed", std::to_string(options.noun_seed)},
                  {"num-examples", std::to_string(options.num_examples)},
                  {"top-k", std::to_string(options.ensemble.top_k)},
                  {"threshold", fmt::format("{}", options.ensemble.threshold)},
                  {"nli-model", options.judges.nli_model},
                  {"compat", options.is_compat ? "true" : "false"}},
      .sources = {{"rareact", shown_path(sources.rareact)},
                  {"candidates", shown_paths(sources.candidates)},
                  {"mlm-outputs", shown_paths(sources.mlm_outputs)},
                  {"video-dir", shown_path(sources.video_dir)},
                  {"detections", shown_path(sources.detections)}}};
  FoilJudges others = options.judges;
  others.nli = {};  // stands above
  add_to_record(others, record);
  return record;
}

}  // namespace

builders::BuildReport build_rare_actions(const RareSources& sources,
                                         const RareOptions& options,
                                         const fs::path& out,
                                         const builders::Workers& workers) {
  builders::BuildReport report;
  const std::vector<RareActRow> rows = available_rows(sources, report.bad_records);
  const RareCandidates candidates(sources, options.ensemble, report.bad_records);
  annotations::LabelLists detections;
  if (!sources.detections.empty()) detections = annotations::read_label_lists(sources.detections);
  report.bad_records.add(detections.bad_records);
  const FileLock lock = builders::open_output_folder(
      out, "vilma-rare-actions", {kVerbFile, kNounFile, kEnsembleFile});
  if (!sources.mlm_outputs.empty()) write_ensemble(candidates, out, report);
  for (const RareTarget target : {RareTarget::kVerb, RareTarget::kNoun}) {
    const bool is_wanted = target == RareTarget::kVerb ? options.makes_verbs : options.makes_nouns;
    if (!is_wanted || !candidates.has(target)) continue;
    const ItemMaker maker(target, rows, candidates, detections, options);
    write_target(target, maker, options, out, workers, report);
  }
  if (report.counts.empty()) {
    throw Error{ErrorCode::kInvalidInput,
                "no file holds candidates for what is to be exchanged",
                "--candidates",
                "give verbs or nouns of a language model, or the outputs of masked models with "
                "--mlm-outputs"};
  }
  builders::write_record(record_of(sources, options), out, report);
  return report;
}

}  // namespace snellen::builders::vilma
