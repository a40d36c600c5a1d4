// SPDX-License-Identifier: Apache-2.0
#include "snellen/training/probes/probe_set.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "snellen/base/ordered_pipeline.h"
#include "snellen/training/probes/probe_tally.h"

namespace snellen::training {
namespace {

constexpr size_t kReasonsKept = 3;

models::Ask ask_of(uint32_t source, const ProbeQuestion& question) {
  return {.task = source,
          .item = question.cluster,
          .visuals = question.visuals,
          .texts = &question.texts,
          .questions = question.questions};
}

}  // namespace

Verdict first_wins(std::span<const double> scores) {
  const double best = *std::max_element(scores.begin() + 1, scores.end());
  return scores[0] > best ? Verdict::kRight : scores[0] == best ? Verdict::kTied : Verdict::kWrong;
}

// A question and how it came out.
struct ProbeSet::Asked {
  std::optional<ProbeQuestion> question;
  Result<Verdict> verdict;
};

ProbeSet::ProbeSet(std::vector<std::unique_ptr<ProbeSource>> sources)
    : sources_(std::move(sources)), begins_{0} {
  for (uint32_t i = 0; i < sources_.size(); ++i) survey(i);
}

void ProbeSet::survey(uint32_t source) {
  std::set<std::string> known;
  std::optional<Error> wrong;
  for (uint64_t i = 0; i < sources_[source]->size(); ++i) {
    const Result<ProbeQuestion> question = sources_[source]->question(i);
    if (!question) {
      if (!wrong) wrong = question.error();
      continue;
    }
    for (const std::string& name : question->probes) {
      if (!known.insert(name).second) continue;
      if (std::find(names_.begin(), names_.end(), name) != names_.end())
        throw Error{ErrorCode::kUsage,
                    fmt::format("two probes are called '{}'", name),
                    "--probe",
                    "give the file another \"name\" in its first line"};
      names_.push_back(name);
    }
  }
  if (known.empty() && wrong) throw wrong->within("no question can be asked");
  begins_.push_back(begins_.back() + sources_[source]->size());
}

Result<ProbeQuestion> ProbeSet::question(uint64_t number, uint32_t& source) const {
  const auto next = std::upper_bound(begins_.begin(), begins_.end(), number);
  source = static_cast<uint32_t>(next - begins_.begin() - 1);
  return sources_[source]->question(number - begins_[source]);
}

ProbeSet::Asked ProbeSet::ask_one(const models::Model& model, uint64_t number) const {
  uint32_t source = 0;
  Result<ProbeQuestion> asked = question(number, source);
  if (!asked) return {std::nullopt, asked.error()};
  const Result<questions::Scores> scores = model.score(ask_of(source, *asked));
  Result<Verdict> verdict = scores ? asked->judge(*scores) : scores.error();
  return {std::move(asked).value(), std::move(verdict)};
}

ProbeReport ProbeSet::ask(models::Model& model,
                          unsigned num_threads,
                          const ObserveEvaluation& observe) const {
  if (models::AskPlan* plan = model.plan()) {
    for (uint64_t i = 0; i < size(); ++i) {
      uint32_t source = 0;
      const Result<ProbeQuestion> asked = question(i, source);
      if (asked) plan->add(ask_of(source, *asked));
    }
  }
  auto is_stopped = [] { return false; };
  model.begin(is_stopped);
  ProbeReport report;
  ProbeTally tally;
  for (const std::string& name : names_) tally.expect(name);
  uint64_t num_done = 0;
  ordered_pipeline<Asked>(
      size(),
      num_threads,
      [&](uint64_t i) { return ask_one(model, i); },
      [&](Asked&& asked) {
        if (asked.verdict) {
          for (const std::string& name : asked.question->probes)
            tally.add(name, asked.question->cluster, *asked.verdict, asked.question->chance);
        } else {
          ++report.num_failed;
          if (report.reasons.size() < kReasonsKept)
            report.reasons.emplace_back(asked.verdict.error().what());
        }
        if (observe) observe(++num_done, size());
      },
      is_stopped);
  report.scores = tally.measure();
  return report;
}

}  // namespace snellen::training
