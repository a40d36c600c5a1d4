// SPDX-License-Identifier: Apache-2.0
// Vectors of the pictures of dialogs, from a checkpoint folder: the third view of `train cca`.
#include <algorithm>

#include <fmt/format.h>

#include "apps/cli/build/build_output.h"
#include "apps/cli/media/file_batch.h"
#include "apps/cli/run/networks.h"
#include "apps/cli/setting_flags.h"
#include "apps/cli/verb.h"
#include "snellen/annotations/visdial/dialog_file.h"
#include "snellen/base/ordered_pipeline.h"
#include "snellen/formats/npy.h"
#include "snellen/inference/network_parts.h"
#include "snellen/media/codecs/decode.h"
#include "snellen/models/network.h"
#include "snellen/run/catalogue.h"

namespace snellen::cli {
namespace {

namespace fs = std::filesystem;

struct FeatureFlags {
  NetworkFlags network;
  fs::path dialogs;
  fs::path images;
  fs::path output;
  unsigned num_threads = 0;
};

constexpr uint64_t kPicturesAtOnce = 16;

// The rows of some pictures, one after the other.
std::vector<float> rows_of(const std::vector<fs::path>& files,
                           const media::ImageProcessor& processor,
                           const models::DualEncoder& encoder) {
  std::vector<float> rows;
  std::vector<float> values;
  models::PixelsView batch;
  auto embed = [&] {
    if (batch.count == 0) return;
    batch.values = values;
    const models::Matrix made = encoder.embed_images(batch);
    rows.insert(rows.end(), made.values.begin(), made.values.end());
    values.clear();
    batch = {};
  };
  for (const fs::path& file : files) {
    const media::PixelTensor pixels = processor.process(media::read_image(file).value()).value();
    // Processors that keep the shape of a picture give several sizes.
    if (pixels.height != batch.height || pixels.width != batch.width) embed();
    batch.height = pixels.height;
    batch.width = pixels.width;
    ++batch.count;
    values.insert(values.end(), pixels.values.begin(), pixels.values.end());
  }
  embed();
  return rows;
}

int run_features(const Context& context, const FeatureFlags& flags) {
  const inference::OpenedNetwork opened =
      inference::open_network(context.catalogue.installation, flags.network);
  const models::DualEncoder* encoder = opened.network->dual();
  if (encoder == nullptr || !opened.processor)
    throw Error{ErrorCode::kUsage,
                "the model gives no vectors of pictures",
                "--model",
                "name a model with two towers, as CLIP"};
  const annotations::DialogFile dialogs(flags.dialogs);
  std::vector<double> all;
  BuildProgress progress;
  uint64_t done = 0;
  // Always the same pictures together: no number depends on the threads.
  const size_t num_pictures = dialogs.num_dialogs();
  ordered_pipeline<std::vector<float>>(
      (num_pictures + kPicturesAtOnce - 1) / kPicturesAtOnce,
      batch_threads(flags.num_threads, 1024),
      [&](uint64_t block) {
        std::vector<fs::path> files;
        const uint64_t end = std::min<uint64_t>(num_pictures, (block + 1) * kPicturesAtOnce);
        for (uint64_t i = block * kPicturesAtOnce; i < end; ++i)
          files.push_back(flags.images / dialogs.image_name(i));
        return rows_of(files, *opened.processor, *encoder);
      },
      [&](std::vector<float>&& rows) {
        all.insert(all.end(), rows.begin(), rows.end());
        done = std::min<uint64_t>(num_pictures, done + kPicturesAtOnce);
        progress.show("pictures", done, num_pictures);
      },
      [] { return false; });
  const size_t width = num_pictures == 0 ? 0 : all.size() / num_pictures;
  formats::write_npy(flags.output, all, dialogs.num_dialogs(), width);
  if (!context.wants_json)
    fmt::print(
        "{} rows of {} numbers in {}\n", dialogs.num_dialogs(), width, flags.output.string());
  return 0;
}

}  // namespace

std::function<int()> add_media_features(Command media, Context& context) {
  using config::option;
  using S = FeatureFlags;
  Command verb = media.add_subcommand(
      "features", "vectors of the pictures of VisDial dialogs, for `train cca --image-features`");
  verb.footer(
      "Example:\n"
      "  snellen media features --model openai/clip-vit-base-patch32 --output features.npy\n"
      "      --dialogs visdial_1.0_train.json --images VisualDialog_train2018");
  std::vector<config::Option> own = {
      option(&S::dialogs, "dialogs", "VisDial dialogs").value("FILE").required(),
      option(&S::images, "images", "folder of their pictures").value("DIR").required(),
      option(&S::output, "output", "NumPy file to write, a row per dialog")
          .alias("o")
          .value("FILE")
          .required(),
      threads_option(&S::num_threads)};
  return verb_with(verb,
                   S{},
                   config::joined({config::nested(&S::network, network_flag_options()), own}),
                   [&context](const S& flags) { return run_features(context, flags); });
}

}  // namespace snellen::cli
