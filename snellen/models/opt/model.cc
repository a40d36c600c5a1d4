// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "snellen/models/nn/convert.h"
#include "snellen/models/nn/likelihood.h"
#include "snellen/models/nn/network_base.h"
#include "snellen/models/opt/decoder.h"

namespace snellen::models {
namespace {

class OptNetwork : public nn::NetworkBase, public LanguageModel {
 public:
  OptNetwork(const Checkpoint& checkpoint, const NetworkOptions& options) {
    nn::Weights weights(checkpoint, options, {"model."});
    decoder_ = opt::load_decoder(weights, checkpoint.config(), "model.decoder.", "lm_head.weight");
    settle(weights,
           {.family = "opt",
            .heads = {"likelihood"},
            .max_text_tokens = decoder_.max_tokens(),
            .stamp = {{"norm", decoder_.pre_norm.empty() ? "after" : "before"}, {"eps", "1e-05"}},
            .warnings = decoder_.head.warnings()});
  }

  const LanguageModel* language() const override { return this; }

  std::vector<std::vector<double>> log_probabilities(std::span<const TokenIds> texts,
                                                     const SeenImage* image,
                                                     Trace* trace) const override {
    if (image) throw Error{ErrorCode::kUsage, "OPT sees no pictures"};
    auto states_of = [&](const nn::TextBatch& batch) {
      Trace* shown = batch.places[0] == 0 ? trace : nullptr;
      const int64_t first = batch.lengths[0];
      at::Tensor x = decoder_(decoder_.embed(batch.ids), shown, "text", first);
      if (shown)
        nn::record(shown, "logits.0", decoder_.head.linear(x.select(0, 0).narrow(0, 0, first)));
      return x;
    };
    return nn::text_log_probabilities(texts,
                                      {.pad_id = 1,
                                       .vocabulary = decoder_.vocabulary(),
                                       .max_tokens = decoder_.max_tokens(),
                                       .device = options().device()},
                                      decoder_.head.linear,
                                      states_of);
  }

 private:
  opt::Decoder decoder_;
};

}  // namespace

std::unique_ptr<Architecture> make_opt();
std::unique_ptr<Architecture> make_opt() {
  return nn::architecture_of<OptNetwork>(
      {.family = "opt",
       .summary = "OPT: how likely a text is, without any picture",
       .model_types = {"opt"},
       .heads = {"likelihood"},
       .paper = "Zhang et al. 2022"});
}

}  // namespace snellen::models
