// SPDX-License-Identifier: Apache-2.0
// unit.json: small formulas, one top-level key each.
#include <map>

#include <fmt/format.h>

#include "snellen/metrics/choice/text_likelihood.h"
#include "tests/golden_runner/vilma_checks.h"

namespace snellen::golden {
namespace {

constexpr double kRelative = 1e-9;

void check_lm_perplexity(const Json& value, Tally& tally) {
  for (const Json& row : value["rows"]) {
    tally.start(fmt::format("lm_perplexity {} tokens", row["n_tokens"].get<int>()));
    const auto log_probs = row["target_logprobs"].get<std::vector<double>>();
    tally.expect(log_probs.size() + 1 == row["n_tokens"].get<size_t>(),
                 "one log-probability fewer than tokens");
    tally.near_relative(
        metrics::perplexity_compat(log_probs), row["score_compat"], kRelative, "score_compat");
    if (!log_probs.empty()) {
      tally.near_relative(
          metrics::perplexity(log_probs), row["score_default"], kRelative, "score_default");
    }
  }
}

void check_frames(const Json& value,
                  const char* table_key,
                  std::vector<double> (*score)(const metrics::FrameTextTable&),
                  Tally& tally) {
  for (size_t i = 0; i < value.size(); ++i) {
    tally.start(fmt::format("{} {}", table_key, i));
    const Json got = score(value[i][table_key].get<metrics::FrameTextTable>());
    tally.expect(got.size() == value[i]["scores"].size(), "number of scores");
    for (size_t text = 0; text < got.size() && text < value[i]["scores"].size(); ++text) {
      tally.near_relative(got[text].get<double>(), value[i]["scores"][text], kRelative, "score");
    }
  }
}

void check_clip_average(const Json& value, Tally& tally) {
  check_frames(value, "logits_frames_by_texts", metrics::mean_frame_softmax, tally);
}

void check_blip2_average(const Json& value, Tally& tally) {
  check_frames(value, "mean_nll_per_frame_per_text", metrics::frame_perplexity, tally);
}

using Check = void (*)(const Json&, Tally&);

const std::map<std::string, Check, std::less<>>& known_keys() {
  static const std::map<std::string, Check, std::less<>> keys = {
      {"lm_perplexity", check_lm_perplexity},
      {"clip_frame_average", check_clip_average},
      {"blip2_frame_average", check_blip2_average},
      {"frame_sampling_compat", check_frame_sampling_compat},
      {"frame_sampling_default", check_frame_sampling_default},
      {"violet_frames_compat", check_violet_frames},
      {"video_summary_frames", check_video_summary_frames},
      {"convert_to_seconds", check_convert_to_seconds},
      {"normalise_frame_annotations", check_normalise_frame_annotations},
      {"remove_count_phrase", check_remove_count_phrase},
      {"counting_caption", check_counting_caption},
      {"counting_subclips", check_counting_subclips},
      {"change_state_captions", check_change_state_captions},
      {"gruen_grammaticality", check_gruen_grammaticality},
      {"gruen_redundancy", check_gruen_redundancy},
      {"mlm_ensemble", check_mlm_ensemble},
  };
  return keys;
}

}  // namespace

void check_vilma_unit(const Context& context, Tally& tally) {
  const Json json = context.json();
  for (const auto& [key, value] : json.items()) {
    const auto known = known_keys().find(key);
    if (known == known_keys().end()) {
      tally.start(key);
      tally.expect(false, "unknown key");
    } else {
      known->second(value, tally);
    }
  }
}

}  // namespace snellen::golden
