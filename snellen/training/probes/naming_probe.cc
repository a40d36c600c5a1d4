// SPDX-License-Identifier: Apache-2.0
#include "snellen/training/probes/naming_probe.h"

#include <algorithm>
#include <limits>

#include "snellen/training/probes/picture_key.h"

namespace snellen::training {
namespace {

class NamingProbe final : public ProbeSource {
 public:
  NamingProbe(std::vector<std::string> texts,
              std::vector<NamedFile> pictures,
              const media::ImageProcessor& processor)
      : texts_(std::move(texts)), pictures_(std::move(pictures)), processor_(processor) {}

  uint64_t size() const override { return pictures_.size(); }
  Result<ProbeQuestion> question(uint64_t index) const override {
    const NamedFile& named = pictures_.at(index);
    return naming_question(picture_key({.path = named.file}), texts_, named.right);
  }
  Result<media::Image> picture(const std::string& key) const override {
    return read_picture({.path = key}, processor_);
  }

 private:
  std::vector<std::string> texts_;
  std::vector<NamedFile> pictures_;
  const media::ImageProcessor& processor_;
};

}  // namespace

ProbeQuestion naming_question(const std::string& picture,
                              const std::vector<std::string>& texts,
                              std::vector<uint32_t> right) {
  ProbeQuestion question = {.probes = {"naming"},
                            .cluster = picture,
                            .pictures = {picture},
                            .texts = texts,
                            .asked = {},
                            .chance = std::nullopt,
                            .judge = {}};
  for (uint32_t i = 0; i < texts.size(); ++i) question.asked.push_back({0, i});
  std::sort(right.begin(), right.end());
  question.judge = [right = std::move(right)](std::span<const double> scores) -> Result<Verdict> {
    double best[2] = {-std::numeric_limits<double>::infinity(),
                      -std::numeric_limits<double>::infinity()};
    for (uint32_t i = 0; i < scores.size(); ++i) {
      double& of_its_kind = best[std::binary_search(right.begin(), right.end(), i) ? 0 : 1];
      of_its_kind = std::max(of_its_kind, scores[i]);
    }
    return first_wins(best);
  };
  return question;
}

std::unique_ptr<ProbeSource> naming_probe(std::vector<std::string> texts,
                                          std::vector<NamedFile> pictures,
                                          const media::ImageProcessor& processor) {
  return std::make_unique<NamingProbe>(std::move(texts), std::move(pictures), processor);
}

}  // namespace snellen::training
