// SPDX-License-Identifier: Apache-2.0
// QUVA's ends of repetitions at one frame rate (docs/spec/vilma.md 6).
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "apps/cli/media/file_batch.h"
#include "apps/cli/setting_flags.h"
#include "apps/cli/train/clip_flags.h"
#include "apps/cli/verb.h"
#include "snellen/formats/npy.h"
#include "snellen/media/video/frame_times.h"
#include "snellen/media/video/video_reader.h"

namespace snellen::cli {
namespace {

namespace fs = std::filesystem;

struct AnnotationFlags {
  std::string videos;
  std::string annotations;
  std::string output;
  std::string fps = "30";
  unsigned num_threads = 0;
};

// Annotations of `prefix.npy` belong to the video of that stem, whatever its ending.
struct Pair {
  fs::path annotations;
  fs::path video;  // empty: there is none
};

std::vector<fs::path> files_in(const fs::path& folder) {
  std::error_code problem;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder, problem))
    if (entry.is_regular_file()) files.push_back(entry.path());
  if (problem)
    throw Error{ErrorCode::kNotFound,
                fmt::format("cannot be read: {}", problem.message()),
                folder.string(),
                "give the folders of QUVA as they were downloaded"};
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<Pair> pairs_of(const AnnotationFlags& flags) {
  const std::vector<fs::path> videos = files_in(flags.videos);
  std::vector<Pair> pairs;
  for (const fs::path& path : files_in(flags.annotations)) {
    if (path.extension() != ".npy") continue;
    const auto found = std::find_if(videos.begin(), videos.end(), [&](const fs::path& video) {
      return video.stem() == path.stem();
    });
    pairs.push_back({path, found == videos.end() ? fs::path() : *found});
  }
  if (pairs.empty())
    throw Error{
        ErrorCode::kInvalidInput, "holds no .npy file", flags.annotations, "give QUVA/annotations"};
  return pairs;
}

Result<FileDone> normalize(const Pair& pair, const fs::path& output, double target) {
  if (pair.video.empty())
    return Error{ErrorCode::kNotFound,
                 "there is no video of this name",
                 pair.annotations.string(),
                 "put it into the folder of videos"};
  const auto reader = media::VideoReader::open(pair.video);
  if (!reader) return reader.error();
  const double rate = reader->info().average_rate.value();
  if (!(rate > 0))
    return Error{ErrorCode::kInvalidInput, "the video has no frame rate", pair.video.string()};
  std::vector<int64_t> frames;
  for (const double frame : formats::read_npy(pair.annotations)) {
    if (!(std::abs(frame / rate * target) < 1e15))
      return Error{ErrorCode::kInvalidInput,
                   fmt::format("holds {}, which is no frame number", frame),
                   pair.annotations.string()};
    frames.push_back(media::normalized_frame(frame, rate, target));
  }
  formats::write_npy(output, frames);
  return FileDone{fmt::format("{}: {} repetitions, {:.4f} to {} frames per second",
                              output.string(),
                              frames.size(),
                              rate,
                              target),
                  {{"file", pair.annotations.string()},
                   {"output", output.string()},
                   {"fps", rate},
                   {"repetitions", frames.size()}}};
}

int run_normalize(const Context& context, const AnnotationFlags& flags) {
  const double target = parse_rate(flags.fps, "--fps").value();
  const std::vector<Pair> pairs = pairs_of(flags);
  std::error_code problem;
  fs::create_directories(flags.output, problem);
  if (problem || fs::equivalent(flags.annotations, flags.output))
    throw Error{ErrorCode::kUsage,
                problem ? problem.message() : "is the folder of the annotations themselves",
                flags.output,
                "give another folder"};
  return run_file_batch(context, pairs.size(), flags.num_threads, [&](size_t i) {
    return normalize(pairs[i], fs::path(flags.output) / pairs[i].annotations.filename(), target);
  });
}

}  // namespace

std::function<int()> add_media_normalize_annotations(Command media, Context& context) {
  using config::option;
  using S = AnnotationFlags;
  Command verb = media.add_subcommand(
      "normalize-annotations", "move QUVA's repetition ends to the rate of its normalised videos");
  verb.footer(
      "An end at frame f of a video of r frames per second becomes round(f / r * 30); r is the\n"
      "average rate of the original video.\n"
      "Example:\n  snellen media normalize-annotations QUVA/videos QUVA/annotations\n"
      "      QUVA/normalized_annotations");
  return verb_with(
      verb,
      S{},
      {option(&S::videos, "videos", "folder of the original videos").positional().required(),
       option(&S::annotations, "annotations", "folder of their .npy files").positional().required(),
       option(&S::output, "output", "folder for the new .npy files").positional().required(),
       option(&S::fps, "fps", "frames per second of the normalised videos").value("R"),
       threads_option(&S::num_threads)},
      [&context](const S& flags) { return run_normalize(context, flags); });
}

}  // namespace snellen::cli
