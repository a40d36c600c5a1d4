// SPDX-License-Identifier: Apache-2.0
// BLIP-2 (Li et al. 2023): which of its two classes a checkpoint is shows in its weights.
#include "snellen/models/blip2/networks.h"

#include "snellen/base/error.h"

namespace snellen::models {
namespace {

class Blip2 : public Architecture {
 public:
  const ArchitectureFacts& facts() const override { return facts_; }
  std::unique_ptr<Network> load(const Checkpoint& checkpoint,
                                const NetworkOptions& options) const override {
    if (checkpoint.weights().find("embeddings.word_embeddings.weight"))
      return blip2::load_retrieval(checkpoint, options);
    std::string language = checkpoint.config().sub("text_config").text("model_type", "opt");
    if (language == "opt") return blip2::load_language(checkpoint, options);
    throw Error{ErrorCode::kInvalidInput,
                "BLIP-2 with language model '" + language + "' is not supported",
                checkpoint.folder().string(),
                "its OPT variants and the retrieval class are"};
  }

 private:
  ArchitectureFacts facts_ = {
      .family = "blip2",
      .summary = "BLIP-2: retrieval (matching, contrastive) and OPT's likelihood of a text",
      .model_types = {"blip-2"},
      .heads = {"itm", "itc", "likelihood"},
      .paper = "Li et al. 2023"};
};

}  // namespace

std::unique_ptr<Architecture> make_blip2();
std::unique_ptr<Architecture> make_blip2() {
  return std::make_unique<Blip2>();
}

}  // namespace snellen::models
