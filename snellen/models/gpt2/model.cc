// SPDX-License-Identifier: Apache-2.0
// How likely texts are to GPT-2.
#include <fmt/format.h>

#include "snellen/models/gpt2/decoder.h"
#include "snellen/models/nn/likelihood.h"
#include "snellen/models/nn/network_base.h"

namespace snellen::models {
namespace {

class Gpt2Network : public nn::NetworkBase, public LanguageModel {
 public:
  Gpt2Network(const Checkpoint& checkpoint, const NetworkOptions& options) {
    nn::Weights weights(checkpoint, options, {"transformer."});
    decoder_ = gpt2::load_decoder(weights, checkpoint.config());
    settle(weights,
           {.family = "gpt2",
            .heads = {"likelihood"},
            .max_text_tokens = decoder_.positions.size(0),
            .stamp = {{"activation", std::string(nn::name_of(decoder_.blocks[0].mlp.activation))},
                      {"eps", fmt::format("{}", decoder_.final_norm.eps)}},
            .warnings = decoder_.head.warnings()});
  }

  const LanguageModel* language() const override { return this; }

  std::vector<std::vector<double>> log_probabilities(std::span<const TokenIds> texts,
                                                     const SeenImage* image,
                                                     Trace* trace) const override {
    if (image) throw Error{ErrorCode::kUsage, "GPT-2 sees no pictures"};
    return nn::text_log_probabilities(texts,
                                      {.vocabulary = decoder_.tokens.size(0),
                                       .max_tokens = decoder_.positions.size(0),
                                       .device = options().device()},
                                      decoder_.head.linear,
                                      [&](const nn::TextBatch& batch) {
                                        return decoder_(batch,
                                                        batch.places[0] == 0 ? trace : nullptr);
                                      });
  }

 private:
  gpt2::Decoder decoder_;
};

}  // namespace

std::unique_ptr<Architecture> make_gpt2();
std::unique_ptr<Architecture> make_gpt2() {
  return nn::architecture_of<Gpt2Network>(
      {.family = "gpt2",
       .summary = "GPT-2: how likely a text is, without any picture",
       .model_types = {"gpt2"},
       .heads = {"likelihood"},
       .paper = "Radford et al. 2019"});
}

}  // namespace snellen::models
