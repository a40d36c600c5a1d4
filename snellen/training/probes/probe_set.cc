// SPDX-License-Identifier: Apache-2.0
#include "snellen/training/probes/probe_set.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "snellen/base/ordered_pipeline.h"
#include "snellen/training/probes/probe_tally.h"

namespace snellen::training {
namespace {

constexpr size_t kPicturesAtOnce = 64;
constexpr size_t kReasonsKept = 3;

}  // namespace

Verdict first_wins(std::span<const double> scores) {
  const double best = *std::max_element(scores.begin() + 1, scores.end());
  return scores[0] > best ? Verdict::kRight : scores[0] == best ? Verdict::kTied : Verdict::kWrong;
}

// A question within its batch, and how it came out.
struct ProbeSet::Asked {
  ProbeQuestion question;
  size_t first = 0;  // of its scores
  Verdict verdict = Verdict::kWrong;
  std::optional<Error> error;
};

// A batch of questions with what they show.
struct ProbeSet::Bundle {
  Batch batch;
  std::vector<Match> scored;
  std::vector<Asked> asked;
  std::map<uint32_t, uint32_t> visuals;  // number of a picture -> place
  std::map<std::string, uint32_t> texts;
};

ProbeSet::ProbeSet(std::vector<std::unique_ptr<ProbeSource>> sources,
                   const text::Tokenizer& tokenizer,
                   ProbeSetOptions options)
    : sources_(std::move(sources)), tokenizer_(tokenizer), options_(options) {
  for (uint32_t i = 0; i < sources_.size(); ++i) survey(i);
  make_batches();
  cache_ = std::make_unique<SlotCache<Kept>>(pictures_.size(), options_.cache_bytes);
}

uint32_t ProbeSet::picture_number(uint32_t source, const std::string& key) {
  const auto [found, is_new] = numbers_.emplace(key, static_cast<uint32_t>(pictures_.size()));
  if (is_new) pictures_.push_back({source, key});
  return found->second;
}

void ProbeSet::survey(uint32_t source) {
  std::set<std::string> known;
  std::optional<Error> wrong;
  for (uint64_t i = 0; i < sources_[source]->size(); ++i) {
    const Result<ProbeQuestion> question = sources_[source]->question(i);
    Place place = {.source = source, .picture = 0, .index = i};
    if (question) {
      place.picture = picture_number(source, question->pictures.at(0));
      for (const std::string& key : question->pictures) picture_number(source, key);
      for (const std::string& name : question->probes) {
        if (!known.insert(name).second) continue;
        if (std::find(names_.begin(), names_.end(), name) != names_.end())
          throw Error{ErrorCode::kUsage,
                      fmt::format("two probes are called '{}'", name),
                      "--probe",
                      "give the file another \"name\" in its first line"};
        names_.push_back(name);
      }
    } else if (!wrong) {
      wrong = question.error();
    }
    places_.push_back(place);
  }
  if (known.empty() && wrong) throw wrong->within("not one question can be asked");
}

void ProbeSet::make_batches() {
  std::stable_sort(places_.begin(), places_.end(), [](const Place& a, const Place& b) {
    return a.picture < b.picture;
  });
  for (size_t i = 0; i < places_.size(); ++i) {
    const bool begins =
        i == 0 || places_[i].picture / kPicturesAtOnce != places_[i - 1].picture / kPicturesAtOnce;
    if (begins) begins_.push_back(i);
  }
  begins_.push_back(places_.size());
}

Result<media::Image> ProbeSet::picture(uint32_t number) const {
  const Picture& wanted = pictures_[number];
  const Kept kept = cache_->get(
      number,
      [&] {
        return std::make_shared<const Result<media::Image>>(
            sources_[wanted.source]->picture(wanted.key));
      },
      [](const Kept& made) { return *made ? (*made)->pixels.size() : uint64_t{256}; });
  return *kept;
}

void ProbeSet::add(Result<ProbeQuestion> question, Bundle& bundle) const {
  Asked asked;
  if (!question) {
    asked.error = question.error();
    bundle.asked.push_back(std::move(asked));
    return;
  }
  asked.question = std::move(question).value();
  asked.first = bundle.scored.size();
  std::vector<uint32_t> visuals, texts;
  Batch& batch = bundle.batch;
  for (const std::string& key : asked.question.pictures) {
    const uint32_t number = numbers_.at(key);
    auto place = bundle.visuals.find(number);
    if (place == bundle.visuals.end()) {
      const Result<media::Image> shown = picture(number);
      const bool fits =
          shown && shown->width == shown->height && (batch.side == 0 || batch.side == shown->width);
      if (!fits) {
        asked.error =
            shown ? Error{ErrorCode::kUsage, "the model's pictures have no one square size", key}
                  : shown.error();
        bundle.asked.push_back(std::move(asked));
        return;
      }
      batch.side = shown->width;
      batch.pixels.insert(batch.pixels.end(), shown->pixels.begin(), shown->pixels.end());
      place = bundle.visuals.emplace(number, static_cast<uint32_t>(batch.num_visuals++)).first;
    }
    visuals.push_back(place->second);
  }
  for (const std::string& text : asked.question.texts) {
    const auto [place, is_new] =
        bundle.texts.emplace(text, static_cast<uint32_t>(batch.texts.size()));
    if (is_new)
      batch.texts.push_back(tokenizer_.encode(text, {.max_length = options_.max_tokens}).ids);
    texts.push_back(place->second);
  }
  for (const Match& match : asked.question.asked)
    bundle.scored.push_back({visuals.at(match.visual), texts.at(match.text)});
  bundle.asked.push_back(std::move(asked));
}

ProbeSet::Bundle ProbeSet::bundle(uint64_t batch) const {
  Bundle made;
  for (size_t i = begins_[batch]; i < begins_[batch + 1]; ++i)
    add(sources_[places_[i].source]->question(places_[i].index), made);
  return made;
}

void ProbeSet::judge(Bundle& bundle, const std::vector<double>& scores) {
  SNELLEN_CHECK(scores.size() == bundle.scored.size());
  for (Asked& asked : bundle.asked) {
    if (asked.error) continue;
    const std::span<const double> own =
        std::span(scores).subspan(asked.first, asked.question.asked.size());
    if (!std::all_of(own.begin(), own.end(), [](double x) { return std::isfinite(x); })) {
      asked.error = Error{ErrorCode::kInvalidInput, "the model's scores are not finite"};
      continue;
    }
    const Result<Verdict> verdict = asked.question.judge(own);
    if (verdict) {
      asked.verdict = *verdict;
    } else {
      asked.error = verdict.error();
    }
  }
}

ProbeReport ProbeSet::ask(const ProbeScorer& scorer) const {
  ProbeReport report;
  ProbeTally tally;
  for (const std::string& name : names_) tally.expect(name);
  auto score = [&](Bundle& bundle) {
    judge(
        bundle,
        bundle.scored.empty() ? std::vector<double>{} : scorer.score(bundle.batch, bundle.scored));
    bundle.batch = Batch();
  };
  uint64_t num_done = 0;
  ordered_pipeline<Bundle>(
      num_batches(),
      options_.num_threads,
      [&](uint64_t i) {
        Bundle made = bundle(i);
        if (scorer.is_safe_from_threads) score(made);
        return made;
      },
      [&](Bundle&& made) {
        if (!scorer.is_safe_from_threads) score(made);
        for (const Asked& asked : made.asked) {
          if (asked.error) {
            ++report.num_failed;
            if (report.reasons.size() < kReasonsKept)
              report.reasons.emplace_back(asked.error->what());
            continue;
          }
          for (const std::string& name : asked.question.probes)
            tally.add(name, asked.question.cluster, asked.verdict, asked.question.chance);
        }
        if (scorer.observe) scorer.observe(++num_done, num_batches());
      },
      [] { return false; });
  report.scores = tally.measure();
  return report;
}

}  // namespace snellen::training
