// SPDX-License-Identifier: Apache-2.0
#include "snellen/training/data/sample_source.h"

#include <utility>

#include <fmt/format.h>

namespace snellen::training {
namespace {

class BothSources final : public SampleSource {
 public:
  BothSources(std::unique_ptr<SampleSource> first, std::unique_ptr<SampleSource> second)
      : first_(std::move(first)), second_(std::move(second)) {}

  uint64_t size() const override { return first_->size() + second_->size(); }

  Result<Sample> sample(uint64_t epoch, uint64_t index) const override {
    return index < first_->size() ? first_->sample(epoch, index)
                                  : second_->sample(epoch, index - first_->size());
  }

  std::string identity() const override {
    return fmt::format("{}; {}", first_->identity(), second_->identity());
  }

 private:
  std::unique_ptr<SampleSource> first_;
  std::unique_ptr<SampleSource> second_;
};

}  // namespace

Sample joined(Sample first, Sample second, uint32_t num_frames) {
  auto visuals = static_cast<uint32_t>(first.pictures.size()) / num_frames;
  auto texts = static_cast<uint32_t>(first.texts.size());
  auto moved = [&](Match match) { return Match{match.visual + visuals, match.text + texts}; };
  bool both = !first.contrasts.empty() && !second.contrasts.empty();
  float share = both ? 0.5F : 1.0F;
  for (Contrast& contrast : first.contrasts) contrast.weight *= share;
  for (const Contrast& contrast : second.contrasts)
    first.contrasts.push_back(
        {moved(contrast.right), moved(contrast.wrong), contrast.weight * share, contrast.kind});
  for (const Match& match : second.matches) first.matches.push_back(moved(match));
  for (media::Image& picture : second.pictures) first.pictures.push_back(std::move(picture));
  for (std::string& text : second.texts) first.texts.push_back(std::move(text));
  return first;
}

std::vector<Contrast> composition_contrasts() {
  return {{{0, 0}, {0, 1}, 0.25F, "attribute-text"},
          {{1, 1}, {1, 0}, 0.25F, "attribute-text"},
          {{0, 0}, {1, 0}, 0.25F, "attribute-picture"},
          {{1, 1}, {0, 1}, 0.25F, "attribute-picture"}};
}

std::vector<Contrast> relation_contrasts() {
  return {{{0, 0}, {0, 1}, 0.5F, "relation"}, {{0, 0}, {0, 2}, 0.5F, "subject"}};
}

std::vector<Contrast> direction_contrasts(std::string_view kind) {
  return {{{0, 0}, {0, 1}, 0.2F, kind},
          {{1, 1}, {1, 0}, 0.2F, kind},
          {{0, 0}, {1, 0}, 0.2F, "direction-picture"},
          {{1, 1}, {0, 1}, 0.2F, "direction-picture"},
          {{0, 0}, {0, 2}, 0.1F, "relation"},
          {{0, 0}, {0, 3}, 0.1F, "subject"}};
}

std::unique_ptr<SampleSource> both_of(std::unique_ptr<SampleSource> first,
                                      std::unique_ptr<SampleSource> second) {
  return std::make_unique<BothSources>(std::move(first), std::move(second));
}

}  // namespace snellen::training
