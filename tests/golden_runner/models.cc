// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "tests/golden_runner/golden.h"
#include "tests/golden_runner/models_tokens.h"

namespace snellen::golden {
namespace {

// One fixture folder, stage by stage.
void check_fixture(const Context& context, Tally& tally) {
  check_tokens(context, tally);
  if (context.file.parent_path().filename() != "clip_bpe") tally.pending("model");
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
                             "clip_bpe/",
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
    files.push_back(vector_file(std::string(folder) + "fixture.json", check_fixture));
    files.push_back(companion(folder));
  }
  files.push_back(vector_file("minilm/expected.json", check_sentences));
  files.push_back(pending_file("refuse/"));
  return files;
}

}  // namespace snellen::golden
