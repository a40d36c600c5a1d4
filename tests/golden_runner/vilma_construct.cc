// SPDX-License-Identifier: Apache-2.0
// unit.json: what the data builders are made of.
#include <fmt/format.h>

#include "snellen/builders/vilma/change_state_texts.h"
#include "snellen/builders/vilma/counting_clips.h"
#include "snellen/builders/vilma/counting_texts.h"
#include "snellen/builders/vilma/mlm_ensemble.h"
#include "snellen/metrics/text/gruen.h"
#include "tests/golden_runner/vilma_checks.h"

namespace snellen::golden {
namespace {

namespace building = builders::vilma;

constexpr double kRelative = 1e-9;

std::vector<annotations::FoilCandidate> candidates_of(const Json& list) {
  std::vector<annotations::FoilCandidate> candidates;
  for (const Json& one : list) {
    candidates.emplace_back();
    candidates.back().noun = one["noun"];
    candidates.back().phrase = one["phrase"];
    candidates.back().sequence = one["sequence"];
    candidates.back().score = one["score"].get<double>();
    candidates.back().model = one["model"];
  }
  return candidates;
}

}  // namespace

void check_remove_count_phrase(const Json& value, Tally& tally) {
  for (size_t i = 0; i < value.size(); ++i) {
    tally.start(fmt::format("remove_count_phrase {}", i));
    tally.same(building::without_count(value[i]["template"].get<std::string>()),
               value[i]["text"],
               0,
               "text");
  }
}

void check_counting_caption(const Json& value, Tally& tally) {
  for (size_t i = 0; i < value.size(); ++i) {
    tally.start(fmt::format("counting_caption {}", i));
    const auto plural = value[i]["template"].get<std::string>();
    const auto singular = value[i]["singular_template"].get<std::string>();
    const auto count = value[i]["count"].get<uint64_t>();
    tally.same(building::with_count(plural, singular, count, building::CountStyle::kSpelled),
               value[i]["spelled"],
               0,
               "spelled");
    tally.same(building::with_count(plural, singular, count, building::CountStyle::kDigits),
               value[i]["digits"],
               0,
               "digits");
  }
}

void check_counting_subclips(const Json& value, Tally& tally) {
  for (size_t i = 0; i < value.size(); ++i) {
    tally.start(fmt::format("counting_subclips {}", i));
    const auto ends = value[i]["timestamps"].get<std::vector<int64_t>>();
    const auto instrument = value[i]["instrument"] == "easy" ? building::Instrument::kEasy
                                                             : building::Instrument::kHard;
    Json got = Json::array();
    for (const building::SubClip& clip : building::sub_clips(
             ends,
             instrument,
             {.threshold = value[i]["threshold"], .max_count = value[i]["max_count"]}))
      got.push_back(Json::array({clip.start, clip.end, clip.count}));
    tally.same(got, value[i]["candidates"], 0, "candidates");
  }
}

// The vectors are the published texts: the item's own verb, the short form, the reference's rules.
void check_change_state_captions(const Json& value, Tally& tally) {
  for (size_t i = 0; i < value.size(); ++i) {
    tally.start(fmt::format("change_state_captions {}", i));
    const Json& fields = value[i]["change_of_state"];
    const building::StateChange change{.verb = fields["verb"],
                                       .hypernym = fields["verb-hypernym"],
                                       .object = fields["object"],
                                       .pre_state = fields["pre-state"],
                                       .post_state = fields["post-state"],
                                       .inverse = fields["state-inverse"]};
    for (const building::StateKind kind : building::kStateKinds) {
      const building::StateTexts texts =
          building::state_texts(change, kind, {.keeps_verb = true, .is_compat = true});
      const std::string name(building::name_of(kind));
      tally.same(Json::array({texts.caption, texts.foil}), value[i][name], 0, name);
    }
  }
}

void check_gruen_grammaticality(const Json& value, Tally& tally) {
  for (size_t i = 0; i < value.size(); ++i) {
    tally.start(fmt::format("gruen_grammaticality {}", i));
    tally.near_relative(metrics::gruen_grammaticality(value[i]["lm_perplexity"].get<double>(),
                                                      value[i]["cola_logit"].get<double>()),
                        value[i]["score"],
                        kRelative,
                        "score");
  }
}

void check_gruen_redundancy(const Json& value, Tally& tally) {
  for (size_t i = 0; i < value.size(); ++i) {
    tally.start(fmt::format("gruen_redundancy {}", i));
    const auto sentences = value[i]["sentences"].get<std::vector<std::string>>();
    const metrics::GruenRedundancy got = metrics::gruen_redundancy(sentences);
    tally.same(got.flags, value[i]["flags"], 0, "flags");
    tally.near(got.score, value[i]["score"], kRelative, "score");
  }
}

void check_mlm_ensemble(const Json& value, Tally& tally) {
  const auto key = value["key"].get<std::string>();
  tally.start(fmt::format("mlm_ensemble {}", key));
  std::vector<std::vector<annotations::FoilCandidate>> models;
  for (const Json& input : value["inputs"]) {
    if (input.contains(key)) models.push_back(candidates_of(input[key]));
  }
  const auto merged = building::ensemble(
      models,
      {.top_k = value["top_k"].get<size_t>(), .threshold = value["threshold"].get<double>()});
  const Json& want = value["output"];
  tally.expect(merged.size() == want.size(), fmt::format("{} candidates", merged.size()));
  for (size_t i = 0; i < std::min(merged.size(), want.size()); ++i) {
    const Json got = {{"noun", merged[i].noun},
                      {"phrase", merged[i].phrase},
                      {"sequence", merged[i].sequence},
                      {"count", merged[i].scores.size()},
                      {"scores", merged[i].scores},
                      {"models", merged[i].models}};
    for (const auto& [name, part] : got.items()) tally.same(part, want[i][name], 0, name);
    tally.near_relative(merged[i].score, want[i]["score"], kRelative, "score");
  }
}

}  // namespace snellen::golden
