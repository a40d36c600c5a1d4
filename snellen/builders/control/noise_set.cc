// SPDX-License-Identifier: Apache-2.0
#include "snellen/builders/control/noise_set.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "snellen/base/files.h"
#include "snellen/base/json_object.h"
#include "snellen/base/ordered_pipeline.h"
#include "snellen/builders/control/noise_statistics.h"
#include "snellen/builders/output_folder.h"
#include "snellen/formats/json.h"
#include "snellen/media/codecs/decode.h"
#include "snellen/media/codecs/encode.h"
#include "snellen/media/corruptions/corruption.h"
#include "snellen/media/corruptions/noise.h"
#include "snellen/media/labelled_row.h"

namespace snellen::builders::control {
namespace {

namespace fs = std::filesystem;

constexpr const char* kBuilder = "control";
constexpr const char* kStatistics = "statistics.json";
constexpr int kSheetHeight = 256;

std::vector<std::string> levels_of(bool has_pure) {
  std::vector<std::string> levels = {"e2", "e3", "e4"};
  if (has_pure) levels.emplace_back("pure");
  return levels;
}

fs::path noisy_file(const std::string& stem, const std::string& level, bool is_jpeg) {
  return fs::path("noisy") / fmt::format("{}_{}.{}", stem, level, is_jpeg ? "jpg" : "png");
}

void write_png(const fs::path& path, const media::Image& picture, bool is_noise) {
  write_text_file(
      path,
      media::encode_png(picture, {.is_filtered = !is_noise, .is_huffman_only = is_noise}),
      Sync::kLater);
}

// Every k-th pixel of the picture: noise stays noise.
media::Image thinned(const media::Image& picture) {
  const int step = std::max(1, (picture.height + kSheetHeight - 1) / kSheetHeight);
  media::Image small =
      media::Image::blank((picture.width + step - 1) / step, (picture.height + step - 1) / step);
  for (int y = 0; y < small.height; ++y) {
    auto to = small.row(y).begin();
    const auto row = picture.row(y * step);
    for (int x = 0; x < small.width; ++x) to = std::copy_n(row.begin() + 3 * x * step, 3, to);
  }
  return small;
}

// The picture and its levels, each with its name below.
media::Image sheet_of(const std::vector<media::Image>& pictures,
                      const std::vector<std::string>& levels) {
  std::vector<media::LabelledPicture> shown;
  for (size_t i = 0; i < pictures.size(); ++i)
    shown.push_back({&pictures[i], i == 0 ? "original" : levels[i - 1]});
  return media::labelled_row(shown);
}

struct Made {
  std::string statistics;  // lines of statistics.json
  uint64_t num_files = 0;
  uint64_t num_outside = 0;  // figures
  std::optional<Error> error = std::nullopt;
};

void add_statistics(const std::string& name,
                    const std::string& level,
                    const media::Image& clean,
                    const media::Image& noisy,
                    Made& made) {
  const std::optional<double> sigma = media::sigma_of_level(level);
  for (size_t channel = 0; channel < kChannels.size(); ++channel) {
    JsonObject line = {{"image", name}, {"level", level}, {"channel", kChannels[channel]}};
    const auto figures = noise_figures(clean, noisy, channel, sigma);
    for (const NoiseFigure& one : figures) {
      line.add({{one.name, std::vector<double>{one.expected, one.measured}}});
      made.num_outside += one.is_within() ? 0 : 1;
    }
    made.statistics += (made.statistics.empty() ? "" : ",\n  ") + line.as_ascii().text;
  }
}

Made make_one(const fs::path& picture, const Options& options, const fs::path& out) {
  Made made;
  Result<media::Image> clean = media::read_image(picture, {.alpha_on_white = true});
  if (!clean) {
    made.error = clean.error();
    return made;
  }
  const std::string stem = picture.stem().string();
  std::vector<media::Image> shown = {thinned(*clean)};
  const std::vector<std::string> levels = levels_of(options.has_pure);
  for (const std::string& level : levels) {
    media::Image noisy = media::corrupted(media::corruption_of(level).value(),
                                          *clean,
                                          {.seed = options.seed, .image_id = stem, .replicate = 0})
                             .value();
    const fs::path file = out / noisy_file(stem, level, options.is_jpeg);
    if (options.is_jpeg) {
      write_text_file(file, media::encode_jpeg(noisy), Sync::kLater);
    } else {
      write_png(file, noisy, /*is_noise=*/true);
    }
    ++made.num_files;
    add_statistics(picture.filename().string(), level, *clean, noisy, made);
    shown.push_back(thinned(noisy));
  }
  write_png(out / "contact_sheets" / (stem + ".png"), sheet_of(shown, levels), /*is_noise=*/true);
  return made;
}

BuildRecord record_of(const std::vector<fs::path>& pictures, const Options& options) {
  return {.builder = kBuilder,
          .options = {{"seed", std::to_string(options.seed)},
                      {"pure", options.has_pure ? "true" : "false"},
                      {"format", options.is_jpeg ? "jpg" : "png"}},
          .sources = {{"images", shown_path(pictures.front().parent_path())}}};
}

}  // namespace

BuildReport build(const std::vector<fs::path>& pictures,
                  const Options& options,
                  const fs::path& out,
                  const Workers& workers) {
  SNELLEN_CHECK(!pictures.empty());
  const FileLock lock = open_output_folder(out, kBuilder, {kStatistics, "noisy", "contact_sheets"});
  make_output_folder(out / "noisy");
  make_output_folder(out / "contact_sheets");
  BuildReport report;
  uint64_t num_pictures = 0, num_files = 0, num_outside = 0, done = 0;
  std::string statistics;
  ordered_pipeline<Made>(
      pictures.size(),
      workers.num_threads,
      [&](uint64_t i) { return make_one(pictures[i], options, out); },
      [&](Made&& made) {
        workers.tell("pictures", ++done, pictures.size());
        if (made.error) {
          report.bad_records.add(*made.error);
          return;
        }
        ++num_pictures;
        num_files += made.num_files;
        num_outside += made.num_outside;
        statistics += (statistics.empty() ? "" : ",\n  ") + made.statistics;
      },
      [] { return false; });
  write_text_file(
      out / kStatistics,
      fmt::format(
          "{{\"schema\": 1, \"figures\": \"[expected, measured] before any lossy encoding\", "
          "\"rows\": [\n  {}\n]}}\n",
          statistics));
  report.counts = {{.set = "control", .what = "items", .ours = num_pictures, .paper = "20"},
                   {.set = "control",
                    .what = "pictures with noise",
                    .ours = num_files,
                    .paper = options.has_pure ? "" : "60"},
                   {.set = "control", .what = "statistics outside tolerance", .ours = num_outside}};
  report.files = {out / kStatistics};
  write_record(record_of(pictures, options), out, report);
  return report;
}

namespace {

// The pictures that a folder's statistics name, in their order.
std::vector<std::string> pictures_of(const fs::path& folder) {
  const fs::path file = folder / kStatistics;
  const nlohmann::json json = formats::parse_json_object(read_text_file(file), file.string());
  std::vector<std::string> names;
  const auto rows = json.find("rows");
  if (rows == json.end() || !rows->is_array())
    throw Error{ErrorCode::kInvalidInput, "has no list 'rows'", file.string()};
  for (const nlohmann::json& row : *rows) {
    const auto name = row.is_object() ? row.find("image") : row.end();
    if (!row.is_object() || name == row.end() || !name->is_string())
      throw Error{ErrorCode::kInvalidInput, "has a row without 'image'", file.string()};
    const std::string image = name->get<std::string>();
    if (!stays_inside(fs::path(image)))
      throw Error{ErrorCode::kInvalidInput, "names a file outside its folder", file.string()};
    if (names.empty() || names.back() != image) names.push_back(image);
  }
  return names;
}

CheckReport check_one(const fs::path& folder, const fs::path& source, bool has_pure, bool is_jpeg) {
  CheckReport report;
  const Result<media::Image> clean = media::read_image(source, {.alpha_on_white = true});
  for (const std::string& level : levels_of(has_pure)) {
    ++report.num_groups;
    const fs::path file = noisy_file(source.stem().string(), level, is_jpeg);
    auto violate = [&](const char* rule, const std::string& what) {
      report.add({.group = file.string(), .rule = rule, .what = what});
    };
    const Result<media::Image> noisy = media::read_image(folder / file);
    if (!clean || !noisy) {
      violate("readable", !clean ? clean.error().what() : noisy.error().what());
      continue;
    }
    if (noisy->width != clean->width || noisy->height != clean->height) {
      violate("size",
              fmt::format("is {} x {}, the picture {} x {}",
                          noisy->width,
                          noisy->height,
                          clean->width,
                          clean->height));
      continue;
    }
    if (is_jpeg) continue;
    for (size_t channel = 0; channel < kChannels.size(); ++channel) {
      for (const NoiseFigure& one :
           noise_figures(*clean, *noisy, channel, media::sigma_of_level(level))) {
        if (one.is_within()) continue;
        violate("statistics",
                fmt::format("{} of channel {} is {}, expected {} within {}",
                            one.name,
                            kChannels[channel],
                            one.measured,
                            one.expected,
                            one.tolerance));
      }
    }
  }
  return report;
}

}  // namespace

CheckReport check(const fs::path& folder, const BuildRecord& record, const Workers& workers) {
  const std::vector<std::string> names = pictures_of(folder);
  const fs::path images = record.source("images");
  CheckReport report;
  uint64_t done = 0;
  ordered_pipeline<CheckReport>(
      names.size(),
      workers.num_threads,
      [&](uint64_t i) {
        return check_one(folder,
                         images / names[i],
                         record.option("pure") == "true",
                         record.option("format") == "jpg");
      },
      [&](CheckReport&& part) {
        report.add(std::move(part));
        workers.tell("pictures", ++done, names.size());
      },
      [] { return false; });
  return report;
}

}  // namespace snellen::builders::control
