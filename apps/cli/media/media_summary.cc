// SPDX-License-Identifier: Apache-2.0
// A contact strip of a clip (spec/vilma.md 6).
#include <fmt/format.h>

#include "apps/cli/media/file_batch.h"
#include "apps/cli/media/media.h"
#include "apps/cli/setting_flags.h"
#include "apps/cli/train/clip_flags.h"
#include "snellen/base/files.h"
#include "snellen/media/codecs/encode.h"
#include "snellen/media/thumbnail.h"
#include "snellen/media/video/clip.h"

namespace snellen::cli {
namespace {

struct SummaryFlags : ClipFlags {
  std::string input;
  std::string output;
  int64_t num_frames = 5;
  int size = 256;
};

Result<FileDone> make_summary(const SummaryFlags& flags) {
  const auto choose = [&](std::span<const double> seconds) {
    const auto num_frames = static_cast<int64_t>(seconds.size());
    if (flags.is_compat) return media::summary_frames_compat(num_frames, flags.num_frames);
    // A strip repeats no frame.
    return media::uniform_frames(num_frames, std::min(num_frames, flags.num_frames));
  };
  const auto clip =
      media::read_clip(flags.input, flags.window(), choose, {.is_compat = flags.is_compat});
  if (!clip) return clip.error();
  if (clip->frames.empty()) {
    return Error{ErrorCode::kInvalidInput,
                 "the clip has one frame, and the reference leaves out the last",
                 flags.input,
                 "leave out --compat"};
  }
  write_text_file(flags.output, media::encode_png(media::contact_strip(clip->frames, flags.size)));
  return FileDone{
      fmt::format("{}: {} of {} frames", flags.output, clip->frames.size(), clip->num_frames),
      {{"file", flags.input},
       {"summary", flags.output},
       {"frames", clip->num_frames},
       {"seconds", clip->seconds}}};
}

}  // namespace

std::function<int()> add_media_summary(CLI::App& media, Context& context) {
  using config::option;
  using S = SummaryFlags;
  CLI::App* verb = media.add_subcommand("summary", "a strip of frames of one clip, as PNG");
  verb->footer(
      "The frames are the centres of equal parts of the clip; --compat steps from its start.\n"
      "Example:\n  snellen media summary -i clip.mp4 -o strip.png --num-frames 8 -s 2 -e 6.5");
  return verb_with(
      *verb,
      S{},
      config::joined({{option(&S::input, "input", "the video")
                           .alias("i", "video-file")
                           .value("FILE")
                           .required(),
                       option(&S::output, "output", "the PNG to write")
                           .alias("o", "output-file")
                           .value("FILE")
                           .required(),
                       option(&S::num_frames, "num-frames", "frames in the strip").range(1, 1000),
                       option(&S::size, "size", "side of each square in pixels").range(1, 4096)},
                      config::inherited<S, ClipFlags>(clip_options())}),
      [&context](const S& flags) {
        return run_file_batch(context, 1, 1, [&](size_t) { return make_summary(flags); });
      });
}

}  // namespace snellen::cli
