// SPDX-License-Identifier: Apache-2.0
// The builders' sources: Visual Genome, COCO captions and instances, and the plan of every image.
#include "fuzz/fuzz_file.h"
#include "snellen/annotations/coco/coco_captions.h"
#include "snellen/annotations/visual_genome/visual_genome.h"
#include "snellen/base/error.h"
#include "snellen/builders/probe_b/plan.h"

namespace {

using snellen::fuzz::try_reading;

template <typename File>
void read_images(const std::filesystem::path& path) {
  try_reading([&] {
    File file(path);
    for (size_t i = 0; i < file.elements().size(); ++i) (void)file.image(i).is_ok();
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  namespace annotations = snellen::annotations;
  snellen::fuzz::FuzzFile file(data, size);
  const std::filesystem::path& path = file.path();
  read_images<annotations::VgRelationshipsFile>(path);
  read_images<annotations::VgObjectsFile>(path);
  read_images<annotations::VgImageFile>(path);
  try_reading([&] {
    annotations::CocoCaptionsFile captions(path);
    for (size_t i = 0; i < captions.elements().size(); ++i) (void)captions.caption(i).is_ok();
  });
  try_reading([&] {
    annotations::CocoInstances instances(path);
    for (size_t i = 0; i < instances.images().size(); ++i) {
      const annotations::CocoImage& image = instances.images()[i];
      // Pictures of any size are right; the fuzzer's time is better spent on small ones.
      if (int64_t{image.width} * image.height > 10'000) continue;
      (void)snellen::builders::probe_b::plan_image(instances, i, {});
    }
  });
  return 0;
}
