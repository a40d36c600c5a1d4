// SPDX-License-Identifier: Apache-2.0
// Every video of a folder at one frame rate (docs/spec/vilma.md 6).
#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "apps/cli/media/file_batch.h"
#include "apps/cli/setting_flags.h"
#include "apps/cli/train/clip_flags.h"
#include "apps/cli/verb.h"
#include "snellen/media/video/transcode.h"

namespace snellen::cli {
namespace {

namespace fs = std::filesystem;

struct NormalizeFlags {
  std::string input;
  std::string output;
  std::string fps;
  bool resumes = false;
  unsigned num_threads = 0;
};

std::vector<fs::path> files_in(const fs::path& folder) {
  std::error_code problem;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder, problem)) {
    const bool is_hidden = entry.path().filename().string().starts_with('.');
    if (entry.is_regular_file() && !is_hidden) files.push_back(entry.path());
  }
  if (problem) {
    throw Error{ErrorCode::kNotFound,
                fmt::format("cannot be read: {}", problem.message()),
                folder.string(),
                "give a folder of videos"};
  }
  if (files.empty())
    throw Error{ErrorCode::kInvalidInput, "holds no file", folder.string(), "put the videos there"};
  std::sort(files.begin(), files.end());
  return files;
}

Result<FileDone> normalize(const fs::path& input,
                           const fs::path& output,
                           media::Rational rate,
                           bool resumes) {
  if (resumes && fs::exists(output)) {
    return FileDone{fmt::format("{}: is there already", output.string()),
                    {{"file", input.string()}, {"output", output.string()}, {"skipped", true}}};
  }
  const auto done = media::normalize_rate(input, output, rate);
  if (!done) return done.error();
  return FileDone{
      fmt::format("{}: {} frames from {}", output.string(), done->num_written, done->num_read),
      {{"file", input.string()},
       {"output", output.string()},
       {"frames_read", done->num_read},
       {"frames_written", done->num_written}}};
}

int run_normalize(const Context& context, const NormalizeFlags& flags) {
  std::string fps = flags.fps;
  std::string where = "--fps";
  if (fps.empty()) {
    const char* set = std::getenv("FPS");
    fps = set == nullptr || *set == '\0' ? "30" : set;
    where = "FPS (environment)";
  }
  const media::Rational rate = parse_rate(fps, where);
  const std::vector<fs::path> files = files_in(flags.input);
  std::error_code problem;
  fs::create_directories(flags.output, problem);
  if (problem || fs::equivalent(flags.input, flags.output)) {
    throw Error{ErrorCode::kUsage,
                problem ? problem.message() : "is the folder of the videos themselves",
                flags.output,
                "give another folder"};
  }
  return run_file_batch(context, files.size(), flags.num_threads, [&](size_t i) {
    return normalize(files[i], fs::path(flags.output) / files[i].filename(), rate, flags.resumes);
  });
}

}  // namespace

std::function<int()> add_media_normalize_fps(Command media, Context& context) {
  using config::option;
  using S = NormalizeFlags;
  Command verb = media.add_subcommand("normalize-fps",
                                      "convert a folder of videos to one constant frame rate");
  verb.footer(
      "Frames are repeated and dropped as ffmpeg's fps filter does; file names stay. ViLMA's\n"
      "counting items need QUVA's videos/ as normalized_videos/ at 30 frames per second.\n"
      "Example:\n  snellen media normalize-fps QUVA/videos QUVA/normalized_videos");
  return verb_with(
      verb,
      S{},
      {option(&S::input, "input", "folder of videos").positional().required(),
       option(&S::output, "output", "folder for the new videos").positional().required(),
       option(&S::fps, "fps", "frames per second (default: $FPS, or 30)").value("R"),
       option(&S::resumes, "resume", "skip videos that exist already"),
       threads_option(&S::num_threads)},
      [&context](const S& flags) { return run_normalize(context, flags); });
}

}  // namespace snellen::cli
