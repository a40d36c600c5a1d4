// SPDX-License-Identifier: Apache-2.0
#include "tests/golden_runner/golden.h"
#include "tests/golden_runner/models_network.h"
#include "tests/golden_runner/models_pixels.h"

namespace snellen::golden {
namespace {

// A clone carries only the small files of some fixtures.
bool has_weights(const std::filesystem::path& folder) {
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    for (const char* start :
         {"model.", "model-", "pytorch_model", "open_clip_model", "open_clip_pytorch"})
      if (name.starts_with(start)) return true;
  }
  return false;
}

// A folder with a fixture and, mostly, the weights beside it.
void check_fixture(const Context& context, Tally& tally) {
  check_pixel_stages(context.file, tally);
  if (has_weights(context.file)) {
    check_network_stages(context.file, tally);
  } else {
    tally.skip("no weights beside the fixture, so the network is not compared");
  }
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
