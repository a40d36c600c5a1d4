// SPDX-License-Identifier: Apache-2.0
#include "snellen/training/probes/naming_probe.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace snellen::training {
namespace {

class NamingProbe final : public ProbeSource {
 public:
  NamingProbe(std::vector<std::string> texts, std::vector<NamedFile> pictures)
      : texts_(shared_texts(std::move(texts))), pictures_(std::move(pictures)) {}

  uint64_t size() const override { return pictures_.size(); }
  Result<ProbeQuestion> question(uint64_t index) const override {
    const NamedFile& named = pictures_.at(index);
    return naming_question(
        {.name = named.file.string(), .source = media::VisualPlace{.path = named.file}},
        texts_,
        named.right);
  }

 private:
  questions::Texts texts_;
  std::vector<NamedFile> pictures_;
};

}  // namespace

ProbeQuestion naming_question(questions::Visual picture,
                              const questions::Texts& texts,
                              std::vector<uint32_t> right) {
  questions::Question all;
  all.texts.resize(texts.size());
  std::iota(all.texts.begin(), all.texts.end(), 0U);
  std::sort(right.begin(), right.end());
  ProbeQuestion question{.probes = {"naming"},
                         .cluster = picture.name,
                         .visuals = {},
                         .texts = texts,
                         .questions = {std::move(all)}};
  question.visuals.push_back(std::move(picture));
  question.judge = [right = std::move(right)](const questions::Scores& scores) -> Result<Verdict> {
    double best[2] = {-std::numeric_limits<double>::infinity(),
                      -std::numeric_limits<double>::infinity()};
    for (uint32_t i = 0; i < scores.values.size(); ++i) {
      double& of_its_kind = best[std::binary_search(right.begin(), right.end(), i) ? 0 : 1];
      of_its_kind = std::max(of_its_kind, scores.values[i]);
    }
    return first_wins(best);
  };
  return question;
}

std::unique_ptr<ProbeSource> naming_probe(std::vector<std::string> texts,
                                          std::vector<NamedFile> pictures) {
  return std::make_unique<NamingProbe>(std::move(texts), std::move(pictures));
}

questions::Texts shared_texts(std::vector<std::string> texts) {
  auto list = std::make_shared<questions::Texts::List>();
  for (std::string& text : texts) list->push_back({.prompt = std::move(text)});
  return questions::Texts(std::shared_ptr<const questions::Texts::List>(std::move(list)));
}

}  // namespace snellen::training
