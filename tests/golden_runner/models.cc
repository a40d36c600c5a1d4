// SPDX-License-Identifier: Apache-2.0
#include "tests/golden_runner/golden.h"
#include "tests/golden_runner/models_network.h"
#include "tests/golden_runner/models_pixels.h"

namespace snellen::golden {
namespace {

// A folder with weights and a fixture beside them.
void check_fixture(const Context& context, Tally& tally) {
  check_pixel_stages(context.file, tally);
  check_network_stages(context.file, tally);
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
  for (const char* folder : {"clip_bpe/", "minilm/", "refuse/"})
    files.push_back(pending_file(folder));
  return files;
}

}  // namespace snellen::golden
