// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include "tests/golden_runner/golden.h"
#include "tests/golden_runner/models_network.h"
#include "tests/golden_runner/models_pixels.h"
#include "tests/golden_runner/models_refuse.h"
#include "tests/golden_runner/models_tokens.h"

namespace snellen::golden {
namespace {

void check_token_stage(const Context& context, Tally& tally) {
  Context fixture = context;
  fixture.file = context.file / "fixture.json";
  check_tokens(fixture, tally);
}

// A folder with weights and a fixture beside them, stage by stage.
void check_fixture(const Context& context, Tally& tally) {
  check_token_stage(context, tally);
  check_pixel_stages(context.file, tally);
  check_network_stages(context.file, tally);
}

void check_sentences(const Context& context, Tally& tally) {
  check_sentence_tokens(context, tally);
  tally.pending("model");
}

}  // namespace

std::vector<KnownFile> models_files() {
  std::vector<KnownFile> files;
  for (const char* folder : {"align/",
                             "bert/",
                             "bert_bin/",
                             "blip2_itr/",
                             "blip2_opt/",
                             "blip_itm/",
                             "bridgetower/",
                             "bridgetower_itc/",
                             "clip/",
                             "clip_legacy_eos/",
                             "flava/",
                             "gpt2/",
                             "gpt2_sharded/",
                             "openclip_rn/",
                             "openclip_vit/",
                             "opt/",
                             "siglip/",
                             "vilt/",
                             "xclip/"}) {
    files.push_back(vector_file(folder, check_fixture));
  }
  files.push_back(vector_file("clip_bpe/", check_token_stage));
  files.push_back(vector_file("minilm/expected.json", check_sentences));
  files.push_back(vector_file("refuse/cases.json", check_refused_weights));
  files.push_back(companion("refuse/"));
  return files;
}

}  // namespace snellen::golden
