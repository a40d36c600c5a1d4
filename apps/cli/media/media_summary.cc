// SPDX-License-Identifier: Apache-2.0
// A contact strip of a clip (docs/spec/vilma.md 6).
#include <fmt/format.h>

#include "apps/cli/media/file_batch.h"
#include "apps/cli/setting_flags.h"
#include "apps/cli/train/clip_flags.h"
#include "apps/cli/verb.h"
#include "snellen/base/files.h"
#include "snellen/media/codecs/encode.h"
#include "snellen/media/labelled_row.h"
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

// Gaps between the frames, and below each its time; the reference's strip has neither.
media::Image strip_of(const media::Clip& clip, const SummaryFlags& flags) {
  if (flags.is_compat) return media::contact_strip(clip.frames, flags.size);
  std::vector<media::Image> squares;
  for (const media::Image& frame : clip.frames)
    squares.push_back(media::square_thumbnail(frame, flags.size));
  std::vector<media::LabelledPicture> shown;
  for (size_t i = 0; i < squares.size(); ++i)
    shown.push_back({&squares[i], fmt::format("{:.2f} s", clip.seconds[i])});
  return media::labelled_row(shown);
}

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
  write_text_file(flags.output, media::encode_png(strip_of(*clip, flags)));
  return FileDone{
      fmt::format("{}: {} of {} frames", flags.output, clip->frames.size(), clip->num_frames),
      {{"file", flags.input},
       {"summary", flags.output},
       {"frames", clip->num_frames},
       {"seconds", clip->seconds}}};
}

}  // namespace

std::function<int()> add_media_summary(Command media, Context& context) {
  using config::option;
  using S = SummaryFlags;
  Command verb = media.add_subcommand("summary", "a strip of frames of one clip, as PNG");
  verb.footer(
      "The frames are the centres of equal parts of the clip, each with its time below; --compat "
      "steps from its start and writes no times.\n"
      "Example:\n  snellen media summary -i clip.mp4 -o strip.png --num-frames 8 -s 2 -e 6.5");
  return verb_with(
      verb,
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
