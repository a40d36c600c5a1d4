// SPDX-License-Identifier: Apache-2.0
#include "snellen/builders/vilma/rare_sources.h"

#include <set>

#include <fmt/format.h>

#include "snellen/builders/vilma/rare_texts.h"

namespace snellen::builders::vilma {
namespace {

namespace fs = std::filesystem;

bool takes_anything(const std::string& verb) {
  return verb == "move" || verb == "weigh";
}

}  // namespace

RareCandidates::RareCandidates(const RareSources& sources,
                               const EnsembleOptions& options,
                               builders::BadRecords& bad) {
  for (const fs::path& path : sources.candidates) {
    const annotations::FoilCandidates file = annotations::read_foil_candidates(path);
    bad.add(file.bad_records);
    for (const std::string& key : file.keys) {
      for (const annotations::FoilCandidate& one : file.lists.at(key)) add(key, one);
    }
  }
  std::vector<annotations::FoilCandidates> outputs;
  for (const fs::path& path : sources.mlm_outputs) {
    outputs.push_back(annotations::read_foil_candidates(path));
    bad.add(outputs.back().bad_records);
  }
  if (outputs.empty()) return;
  // As the reference: the verbs are those of the first file.
  for (const std::string& verb : outputs.front().keys) {
    std::vector<std::vector<annotations::FoilCandidate>> models;
    for (const annotations::FoilCandidates& output : outputs) {
      const auto found = output.lists.find(verb);
      if (found != output.lists.end()) models.push_back(found->second);
    }
    merged_.emplace_back(verb, ensemble(models, options));
    for (const EnsembleCandidate& one : merged_.back().second) {
      add(verb, {.noun = one.noun, .phrase = one.phrase, .mlm_score = one.score});
    }
  }
}

void RareCandidates::add(const std::string& key, const annotations::FoilCandidate& candidate) {
  if (candidate.label == "entailment") return;
  (candidate.verb.empty() ? nouns_ : verbs_)[key].push_back(candidate);
}

bool RareCandidates::has(RareTarget target) const {
  return !lists(target).empty();
}

std::vector<annotations::FoilCandidate> RareCandidates::of(
    RareTarget target,
    const annotations::RareActRow& row,
    const std::vector<std::string>& nouns) const {
  const std::string pair = fmt::format("{} {}", row.verb, row.noun);
  // RareAct says "clothe"; the published candidates have "shake clothes".
  for (const std::string& key :
       {pair, pair + "s", target == RareTarget::kNoun ? row.verb : row.noun}) {
    const auto found = lists(target).find(key);
    if (found != lists(target).end()) return found->second;
  }
  std::vector<annotations::FoilCandidate> others;
  if (target == RareTarget::kVerb || !takes_anything(row.verb)) return others;
  for (const std::string& noun : nouns) {
    if (noun == row.noun) continue;
    others.push_back({.noun = noun, .phrase = noun_phrase(row.verb, noun)});
  }
  return others;
}

std::vector<annotations::RareActRow> available_rows(const RareSources& sources,
                                                    builders::BadRecords& bad) {
  annotations::RareActFile file = annotations::read_rareact(sources.rareact);
  bad.add(file.bad_records);
  if (sources.video_dir.empty()) return std::move(file.rows);
  std::error_code problem;
  std::set<std::string> videos;
  for (const auto& entry : fs::directory_iterator(sources.video_dir, problem))
    videos.insert(entry.path().stem().string());
  if (problem) {
    throw Error{ErrorCode::kNotFound,
                fmt::format("cannot be read: {}", problem.message()),
                sources.video_dir.string(),
                "give the folder of the videos with --video-dir"};
  }
  std::erase_if(file.rows, [&](const auto& row) { return !videos.contains(row.video_id); });
  return std::move(file.rows);
}

}  // namespace snellen::builders::vilma
