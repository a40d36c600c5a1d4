// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "apps/cli/media/picture_files.h"
#include "apps/cli/setting_flags.h"
#include "apps/cli/verb.h"
#include "snellen/media/codecs/decode.h"
#include "snellen/media/corruptions/corruption.h"
#include "snellen/media/corruptions/mismatch.h"

namespace snellen::cli {
namespace {

namespace fs = std::filesystem;

struct CorruptFlags : PictureFlags {
  std::vector<std::string> corruptions;
  uint64_t replicate = 0;
};

std::vector<media::Corruption> read_corruptions(const std::vector<std::string>& texts) {
  std::vector<media::Corruption> found;
  for (const std::string& text : texts) {
    media::Corruption corruption = media::corruption_of(text).value();
    bool is_usable =
        corruption.facts().shows == media::Shows::kPixels || corruption.name() == "mismatch";
    if (!is_usable) {
      throw Error{ErrorCode::kUsage,
                  fmt::format("'{}' makes no picture file", text),
                  "",
                  "it is a control of run --control; snellen list corruptions shows the others"};
    }
    found.push_back(corruption);
  }
  return found;
}

// "gauss:100" as part of a file name.
std::string file_part(const media::Corruption& corruption) {
  std::string part = corruption.name();
  std::replace(part.begin(), part.end(), ':', '-');
  return part;
}

int run_corrupt(const Context& context, const CorruptFlags& flags) {
  std::vector<media::Corruption> corruptions = read_corruptions(flags.corruptions);
  PictureInputs inputs = find_pictures(flags.inputs);
  std::vector<size_t> others;
  for (const media::Corruption& corruption : corruptions) {
    if (corruption.facts().shows == media::Shows::kOtherPicture)
      others = media::mismatched(inputs.files.size(), flags.seed).value();
  }
  fs::path out = flags.out;
  make_folder(out);
  auto make = [&](size_t i) {
    MadeFiles made;
    Result<media::Image> picture = media::read_image(inputs.files[i]);
    if (!picture) {
      made.errors.push_back(picture.error());
      return made;
    }
    std::string stem = inputs.files[i].stem().string();
    for (const media::Corruption& corruption : corruptions) {
      bool is_other = corruption.facts().shows == media::Shows::kOtherPicture;
      Result<media::Image> result =
          is_other ? media::read_image(inputs.files[others[i]])
                   : media::corrupted(
                         corruption,
                         *picture,
                         {.seed = flags.seed, .image_id = stem, .replicate = flags.replicate});
      if (!result) {
        made.errors.push_back(result.error().within(inputs.files[i].string()));
        continue;
      }
      fs::path path = out / fmt::format("{}_{}.{}", stem, file_part(corruption), flags.extension());
      write_picture({.path = path,
                     .picture = std::move(result).value(),
                     .format = flags.wanted_format(),
                     .is_noise = false});
      made.written.push_back(path);
    }
    return made;
  };
  return make_picture_files(context, inputs, flags.threads(), out, make);
}

}  // namespace

std::function<int()> add_media_corrupt(Command media, Context& context) {
  using config::option;
  using S = CorruptFlags;
  Command verb = media.add_subcommand(
      "corrupt", "corrupt images in named ways: blur, shuffles, noise, occlusion");
  verb.footer(
      "Writes DIR/{stem}_{corruption}.png. `snellen list corruptions` shows all names.\n"
      "Example:\n"
      "  snellen media corrupt images --corruption blur:4,patchshuffle:8 --out corrupted");
  return verb_with(
      verb,
      S{},
      config::joined({config::inherited<S, PictureFlags>(picture_options()),
                      {option(&S::corruptions,
                              "corruption",
                              "names separated by commas: gray, gauss:100, patchshuffle:4, ...")
                           .alias("corruptions")
                           .many()
                           .value("NAME[:X]")
                           .required(),
                       option(&S::replicate, "replicate", "number of the repetition")}}),
      [&context](const S& flags) { return run_corrupt(context, flags); });
}

}  // namespace snellen::cli
