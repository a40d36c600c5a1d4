// SPDX-License-Identifier: Apache-2.0
#include "snellen/viewer/pictures.h"

#include <charconv>

#include <fmt/format.h>

#include "snellen/base/files.h"
#include "snellen/formats/json.h"
#include "snellen/media/codecs/decode.h"
#include "snellen/media/codecs/encode.h"
#include "snellen/media/corruptions/corruption.h"
#include "snellen/media/placed_picture.h"
#include "snellen/media/processor/image_processor.h"
#include "snellen/media/processor/processor_config.h"
#include "snellen/media/thumbnail.h"
#include "snellen/media/video/poster.h"
#include "snellen/media/video/video_reader.h"
#include "snellen/store/picture_names.h"
#include "snellen/viewer/to_json.h"

namespace snellen::viewer {
namespace {

namespace fs = std::filesystem;

constexpr int kSmallSide = 256;
constexpr int kLargestSide = 1600;
// Bounds what a picture of a run of others may cost here.
constexpr int64_t kMostPixels = 60'000'000;

http::Response image_response(std::string bytes, const char* type) {
  return {.status = 200,
          .body = std::move(bytes),
          .content_type = type,
          .headers = {{"Cache-Control", "private, max-age=3600"}}};
}

http::Response jpeg(const media::Image& image) {
  return image_response(media::encode_jpeg(image, {.quality = 88}), "image/jpeg");
}

Error gone(const std::string& what, const std::string& where) {
  return Error{ErrorCode::kNotFound, what, where};
}

Result<media::Image> image_of(const fs::path& path) {
  if (is_clip(path.string())) return media::poster_frame(path);
  return media::read_image(path, {.max_pixels = kMostPixels});
}

// What a control did to a visual of its rung, drawn as the run draws it (RungTask, snellen/run);
// nothing where the run is no rung.
std::optional<media::PlacedCorruption> control_of(const ViewedRun& run, const std::string& visual) {
  const nlohmann::ordered_json& name = run.stored().stamped({"identity", "control"});
  if (!name.is_string()) return std::nullopt;
  media::PlacedCorruption control{.name = name.get<std::string>(), .image_id = visual};
  const nlohmann::ordered_json& seed = run.stored().stamped({"settings", "seed"});
  if (seed.is_string()) {
    const std::string& digits = seed.get_ref<const std::string&>();
    std::from_chars(digits.data(), digits.data() + digits.size(), control.seed);
  }
  return control;
}

// Whether the rung shows its items a file as it is: that of another item.
bool shows_as_it_is(const media::PlacedCorruption& control) {
  const Result<media::Corruption> known = media::corruption_of(control.name);
  return known && known->facts().shows == media::Shows::kOtherPicture;
}

// Pictures of a rung (RUN/control/NAME) are kept with its run.
fs::path kept_with(const ViewedRun& run, const std::optional<media::PlacedCorruption>& control) {
  return control ? run.folder().parent_path().parent_path() : run.folder();
}

// Under which name a rung's picture is kept: as the run's own, where it shows those of other items.
std::string name_of_change(const std::optional<media::PlacedCorruption>& control) {
  return control && !shows_as_it_is(*control) ? control->name : std::string();
}

// A picture that was kept; decoded, so that nothing but a picture is handed out.
std::optional<media::Image> kept_in(const fs::path& run_folder, const std::string& name) {
  const fs::path file = store::thumbs_folder(run_folder) / name;
  std::error_code ignored;
  if (!fs::is_regular_file(file, ignored)) return std::nullopt;
  Result<media::Image> image = media::read_image(file, {.max_pixels = kMostPixels});
  return image ? std::optional(std::move(image).value()) : std::nullopt;
}

std::optional<media::Image> kept_picture(const ViewedRun& run,
                                         const store::ShownVisual& visual,
                                         PictureKind kind) {
  if (!visual.read || !visual.read->key) return std::nullopt;
  const std::optional<media::PlacedCorruption> control = control_of(run, visual.name);
  return kept_in(
      kept_with(run, control),
      kind == PictureKind::kSeen
          ? store::seen_picture_name(*visual.read->key, visual.name, name_of_change(control))
          : store::small_picture_name(*visual.read->key));
}

// What was done to the picture before the model looked, as the visual's name tells: "...\tc=gray".
// Noise is drawn from what samples.db does not hold, so it cannot be made again here.
Result<media::Image> changed(media::Image image, const std::string& name) {
  const size_t at = name.find('\t');
  if (at == std::string::npos) return image;
  std::string change = name.substr(at + 1);
  if (change.starts_with("c=")) change = change.substr(2);
  change = change.substr(0, change.find('\t'));
  const bool is_drawn =
      change != "gray" && change != "black" && change != "white" && !change.starts_with("blur");
  if (is_drawn)
    return Error{ErrorCode::kNotFound,
                 fmt::format("shown changed ({}), which cannot be drawn again", change)};
  media::VisualPlace place;
  place.corruption = media::PlacedCorruption{.name = change, .image_id = ""};
  return media::as_placed(std::move(image), place);
}

// The same under the control of a rung.
Result<media::Image> controlled(const ViewedRun& run, media::Image image, const std::string& name) {
  media::VisualPlace place;
  place.corruption = control_of(run, name);
  if (!place.corruption || shows_as_it_is(*place.corruption)) return image;
  if (media::shows_no_picture(place))
    return Error{ErrorCode::kNotFound, "the model was shown no picture"};
  return media::as_placed(std::move(image), place);
}

// "openai:NAME", "exec:COMMAND": no folder of a checkpoint.
bool is_asked_elsewhere(const std::string& model) {
  return model.starts_with("openai:") || model.starts_with("exec:");
}

Result<http::Response> seen(const ViewedRun& run, media::Image image, const std::string& name) {
  Result<media::Image> shown = changed(std::move(image), name);
  if (shown) shown = controlled(run, std::move(shown).value(), name);
  if (!shown) return shown.error();
  const nlohmann::ordered_json& model = run.stored().stamped({"settings", "model"});
  const std::string folder = model.is_string() ? model.get<std::string>() : "";
  const std::optional<fs::path> place = folder.empty() ? std::nullopt : place_of(run, folder);
  // A program or a server is handed the picture as it is and does with it what it will.
  if (!place && is_asked_elsewhere(folder)) return jpeg(media::thumbnail(*shown, kLargestSide));
  if (!place || !fs::is_directory(*place))
    return gone("the model's folder is not here, so its view of the picture is not known", folder);
  try {
    const media::ImageProcessor processor(media::read_processor_config(*place));
    Result<media::Image> bytes = processor.to_bytes(*shown);
    if (!bytes) return bytes.error();
    return image_response(media::encode_png(*bytes), "image/png");
  } catch (const Error& error) {
    return error;
  }
}

}  // namespace

std::optional<PictureKind> picture_kind_of(std::string_view name) {
  if (name == "small" || name.empty()) return PictureKind::kSmall;
  if (name == "original") return PictureKind::kOriginal;
  if (name == "seen") return PictureKind::kSeen;
  return std::nullopt;
}

std::optional<fs::path> place_of(const ViewedRun& run, const std::string& path) {
  std::error_code ignored;
  if (path.empty()) return std::nullopt;
  if (fs::exists(path, ignored)) return path;
  if (fs::path(path).is_absolute()) return std::nullopt;
  fs::path folder = fs::absolute(run.folder()).lexically_normal();
  while (folder.has_relative_path()) {
    if (fs::exists(folder / path, ignored)) return folder / path;
    folder = folder.parent_path();
  }
  return std::nullopt;
}

Result<http::Response> picture_of(const ViewedRun& run,
                                  const store::ShownVisual& visual,
                                  PictureKind kind) {
  const std::optional<fs::path> place = place_of(run, visual.path);
  // What the run kept is what was shown; the file may have changed since. The original is only as
  // large as the file.
  if (kind != PictureKind::kOriginal || !place) {
    if (const std::optional<media::Image> kept = kept_picture(run, visual, kind))
      return jpeg(*kept);
  }
  if (!place) return gone("the picture is not where it was, and the run kept none", visual.path);
  if (kind == PictureKind::kSeen && is_clip(visual.path))
    return gone("the run kept no frames of this clip", visual.path);
  Result<media::Image> image = image_of(*place);
  if (!image) return image.error();
  if (kind == PictureKind::kSeen) return seen(run, std::move(image).value(), visual.name);
  return jpeg(media::thumbnail(*image, kind == PictureKind::kSmall ? kSmallSide : kLargestSide));
}

bool shows_no_picture(const ViewedRun& run) {
  const std::optional<media::PlacedCorruption> control = control_of(run, "");
  media::VisualPlace place;
  place.corruption = control;
  return control && media::shows_no_picture(place);
}

std::vector<double> frame_seconds_of(const ViewedRun& run, const store::ShownVisual& visual) {
  constexpr size_t kMostBytes = 1 << 20;
  if (!visual.read || !visual.read->key || !is_clip(visual.path)) return {};
  const std::optional<media::PlacedCorruption> control = control_of(run, visual.name);
  const fs::path file =
      store::thumbs_folder(kept_with(run, control)) /
      store::seen_frames_name(*visual.read->key, visual.name, name_of_change(control));
  try {
    const nlohmann::json json = formats::parse_json(read_text_file(file, kMostBytes));
    std::vector<double> seconds;
    if (!json.is_object() || !json.contains("seconds") || !json["seconds"].is_array()) return {};
    for (const nlohmann::json& one : json["seconds"])
      if (one.is_number()) seconds.push_back(one.get<double>());
    return seconds;
  } catch (const Error&) {
    return {};
  }
}

Result<http::Response> clip_of(const ViewedRun& run, const store::ShownVisual& visual) {
  const std::optional<fs::path> place = place_of(run, visual.path);
  if (!place || !is_clip(visual.path)) return gone("the clip is not where it was", visual.path);
  auto opened = media::VideoReader::open(*place);
  if (!opened) return opened.error();
  http::Response response =
      image_response({}, place->extension() == ".webm" ? "video/webm" : "video/mp4");
  response.file = *place;
  return response;
}

}  // namespace snellen::viewer
