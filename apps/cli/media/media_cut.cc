// SPDX-License-Identifier: Apache-2.0
// One clip out of a video, or the clips of all items of an annotation file (docs/spec/vilma.md 6).
#include <cstdlib>

#include <fmt/format.h>

#include "apps/cli/media/file_batch.h"
#include "apps/cli/setting_flags.h"
#include "apps/cli/train/clip_flags.h"
#include "apps/cli/verb.h"
#include "snellen/annotations/vilma/clip_file.h"
#include "snellen/annotations/vilma/vilma_annotations.h"
#include "snellen/base/files.h"
#include "snellen/media/video/transcode.h"

namespace snellen::cli {
namespace {

namespace fs = std::filesystem;

struct CutFlags : ClipFlags {
  std::string input;
  std::string output;
  std::vector<std::string> annotations;
  std::string save_dir;
  std::string quva_dir;
  std::string something_something_dir;
  std::string youtube_dir;
  std::string star_dir;
  bool resumes = false;
  unsigned num_threads = 0;
};

Result<FileDone> cut(const fs::path& input,
                     const fs::path& output,
                     const media::ClipWindow& window,
                     bool is_compat) {
  const auto done = media::cut_clip(input, output, window, is_compat);
  if (!done) return done.error();
  return FileDone{
      fmt::format("{}: {} frames", output.string(), done->num_written),
      {{"file", input.string()}, {"output", output.string()}, {"frames", done->num_written}}};
}

annotations::ClipFolders folders_of(const CutFlags& flags) {
  const char* home = std::getenv("HOME");
  const fs::path at_home = home == nullptr ? "" : home;
  return {annotations::clip_folder(flags.quva_dir, at_home),
          annotations::clip_folder(flags.something_something_dir, at_home),
          annotations::clip_folder(flags.star_dir, at_home),
          annotations::clip_folder(flags.youtube_dir, at_home),
          {}};
}

Result<FileDone> cut_item(const annotations::VilmaAnnotations& items,
                          size_t i,
                          const annotations::ClipFolders& folders,
                          const CutFlags& flags) {
  const auto item = items.item(i);
  if (!item) return item.error();
  if (!stays_inside(item->id + ".mp4"))
    return Error{ErrorCode::kInvalidInput, "its id is not a file name", items.where(i)};
  const fs::path output = fs::path(flags.save_dir) / (item->id + ".mp4");
  if (flags.resumes && fs::exists(output)) {
    return FileDone{fmt::format("{}: is there already", output.string()),
                    {{"output", output.string()}, {"skipped", true}}};
  }
  const auto clip = annotations::find_clip(*item, folders, flags.is_compat);
  if (!clip) return clip.error();
  const bool is_in_frames = clip->unit == annotations::VilmaTimeUnit::kFrames;
  const media::ClipUnit unit = is_in_frames ? media::ClipUnit::kFrames : media::ClipUnit::kSeconds;
  return cut(clip->path, output, {clip->start, clip->end, unit}, flags.is_compat);
}

int run_cut(const Context& context, const CutFlags& flags) {
  if (flags.annotations.empty()) {
    if (flags.input.empty() || flags.output.empty()) {
      throw Error{ErrorCode::kUsage,
                  "nothing to cut",
                  "",
                  "give -i VIDEO -o CLIP, or --annotations FILE --save-dir DIR"};
    }
    return run_file_batch(context, 1, 1, [&](size_t) {
      return cut(flags.input, flags.output, flags.window(), flags.is_compat);
    });
  }
  if (flags.save_dir.empty())
    throw Error{ErrorCode::kUsage, "no folder for the clips", "", "pass --save-dir DIR"};
  const std::vector<fs::path> files(flags.annotations.begin(), flags.annotations.end());
  const annotations::VilmaAnnotations items(files);
  const annotations::ClipFolders folders = folders_of(flags);
  fs::create_directories(flags.save_dir);
  return run_file_batch(context, items.size(), flags.num_threads, [&](size_t i) {
    return cut_item(items, i, folders, flags);
  });
}

}  // namespace

std::function<int()> add_media_cut(Command media, Context& context) {
  using config::option;
  using S = CutFlags;
  Command verb = media.add_subcommand("cut", "cut a clip out of a video, without its sound");
  verb.footer(
      "Frames with start <= time < end are written as H.264, each at its own time. With\n"
      "--annotations every ViLMA item becomes DIR/{item id}.mp4, as --clip-cache reads them.\n"
      "Example:\n  snellen media cut -i video.mp4 -o clip.mp4 -s 12 -e 22");
  return verb_with(
      verb,
      S{},
      config::joined(
          {{option(&S::input, "input", "the video").alias("i", "video-file").value("FILE"),
            option(&S::output, "output", "the clip to write")
                .alias("o", "output-file")
                .value("FILE")},
           config::inherited<S, ClipFlags>(clip_options()),
           {option(&S::annotations, "annotations", "ViLMA annotation files whose items are cut")
                .alias("a", "annotation-file")
                .whole_words()
                .many()
                .value("FILE"),
            option(&S::save_dir, "save-dir", "folder for their clips").value("DIR"),
            option(&S::quva_dir, "quva-dir", "folder that holds normalized_videos/").value("DIR"),
            option(
                &S::something_something_dir, "something-something-dir", "folder of {id}.webm files")
                .value("DIR"),
            option(&S::youtube_dir, "youtube-dir", "folder of {youtube id}.mp4 files")
                .alias("download-dir")
                .value("DIR"),
            option(&S::star_dir, "star-dir", "folder of STAR's videos").value("DIR"),
            option(&S::resumes, "resume", "skip clips that exist already"),
            threads_option(&S::num_threads)}}),
      [&context](const S& flags) { return run_cut(context, flags); });
}

}  // namespace snellen::cli
