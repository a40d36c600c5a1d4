// SPDX-License-Identifier: Apache-2.0
#include "tests/golden_runner/golden.h"

namespace snellen::golden {

std::vector<KnownFile> models_files() {
  std::vector<KnownFile> files;
  for (const char* folder :
       {"align/",        "bert/",         "bert_bin/",        "blip2_itr/",
        "blip2_opt/",    "blip_itm/",     "bridgetower/",     "bridgetower_itc/",
        "clip/",         "clip_bpe/",     "clip_legacy_eos/", "flava/",
        "gpt2/",         "gpt2_sharded/", "minilm/",          "openclip_rn/",
        "openclip_vit/", "opt/",          "refuse/",          "siglip/",
        "vilt/",         "xclip/"}) {
    files.push_back(pending_file(folder));
  }
  return files;
}

}  // namespace snellen::golden
