// SPDX-License-Identifier: Apache-2.0
#include "tests/golden_runner/golden.h"
#include "tests/golden_runner/models_fixture.h"
#include "tests/golden_runner/models_refuse.h"
#include "tests/golden_runner/models_sentences.h"
#include "tests/golden_runner/models_tokens.h"

namespace snellen::golden {
namespace {

void check_clip_vocabulary(const Context& context, Tally& tally) {
  check_fixture(context, tally);
  check_hugging_face_tokens(context, tally);
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
  files.push_back(vector_file("clip_bpe/", check_clip_vocabulary));
  files.push_back(vector_file("minilm/expected.json", check_sentences));
  files.push_back(vector_file("refuse/cases.json", check_refused_weights));
  files.push_back(companion("refuse/"));
  return files;
}

}  // namespace snellen::golden
