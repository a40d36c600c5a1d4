// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/exec/shown_visuals.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "snellen/base/files.h"
#include "snellen/media/codecs/decode.h"
#include "snellen/media/codecs/encode.h"
#include "snellen/media/placed_picture.h"
#include "snellen/models/exec/settings.h"

namespace snellen::models::exec {
namespace {

namespace fs = std::filesystem;

constexpr size_t kRecent = 16;
constexpr size_t kForgetAbove = 1024;

std::string key_of(const media::VisualPlace& place) {
  const std::string change = media::change_key(place);
  if (!place.clip) return place.path.native() + change;
  auto time = [](const std::optional<double>& seconds) {
    return seconds ? fmt::format("{}", *seconds) : std::string("-");
  };
  const media::FrameSampler sampler = place.sampler.value_or(media::FrameSampler{.num_frames = 0});
  return fmt::format("{}\n{} {} {}\n{} {} {}\n{}{}",
                     place.path.native(),
                     time(place.clip->start),
                     time(place.clip->end),
                     static_cast<int>(place.clip->unit),
                     static_cast<int>(sampler.kind),
                     sampler.num_frames,
                     sampler.fps,
                     fmt::join(place.frames, ","),
                     change);
}

bool is_changed(const media::VisualPlace& place) {
  return !media::change_key(place).empty();
}

std::string_view bytes_of(const media::Image& image) {
  return {reinterpret_cast<const char*>(image.pixels.data()), image.pixels.size()};
}

}  // namespace

ShownVisuals::Shown::~Shown() {
  if (made_.empty() || stays_) return;
  std::error_code ignored;
  fs::remove_all(made_, ignored);
}

bool ShownVisuals::decodes(const media::VisualPlace& place) const {
  if (options_.wants == Wants::kPixels || is_changed(place)) return true;
  return place.clip && (options_.wants == Wants::kFrames || options_.frames > 0);
}

Result<ShownVisuals::Held> ShownVisuals::show(const media::VisualPlace& place,
                                              const SharedPicture& picture) {
  std::shared_ptr<Shown> shown = entry_of(place);
  std::call_once(shown->once_, [&] {
    try {
      make(place, picture, *shown);
    } catch (const Error& error) {
      shown->failure_ = error;
    }
  });
  if (shown->failure_) return *shown->failure_;
  return Held(std::move(shown));
}

std::shared_ptr<ShownVisuals::Shown> ShownVisuals::entry_of(const media::VisualPlace& place) {
  if (!decodes(place)) return std::make_shared<Shown>();
  std::shared_ptr<Shown> forgotten;  // goes, with its files, when the lock is no longer held
  std::lock_guard lock(mutex_);
  std::weak_ptr<Shown>& known = by_place_[key_of(place)];
  std::shared_ptr<Shown> shown = known.lock();
  if (!shown) {
    shown = std::make_shared<Shown>();
    known = shown;
    recent_.push_back(shown);
    if (recent_.size() > kRecent && options_.kept_folder.empty()) {
      forgotten = std::move(recent_.front());
      recent_.pop_front();
    }
    if (by_place_.size() > kForgetAbove)
      std::erase_if(by_place_, [](const auto& one) { return one.second.expired(); });
  }
  return shown;
}

void ShownVisuals::make(const media::VisualPlace& place,
                        const SharedPicture& picture,
                        Shown& shown) {
  // Says what is wrong with a file before the adapter stumbles over it.
  MappedFile file(place.path);
  std::string path = fs::absolute(place.path).lexically_normal().string();
  if (place.clip) {
    shown.visual_.video = path;
    shown.visual_.window = *place.clip;
  } else {
    shown.visual_.image = path;
  }
  if (!decodes(place)) return;
  if (options_.wants == Wants::kPixels) {
    make_pixels(images_of(place, picture, shown), place, shown);
    return;
  }
  if (place.clip && is_changed(place) && options_.wants == Wants::kPath && options_.frames == 0) {
    throw Error{ErrorCode::kUsage,
                "the adapter reads the video itself, which is shown cropped or corrupted",
                path,
                "let the adapter want frames or pixels"};
  }
  make_frames(images_of(place, picture, shown), shown);
  // A changed picture is a file of its own.
  if (!place.clip) {
    shown.visual_.image = (shown.made_ / "0000.png").string();
    shown.visual_.frames_dir = {};
  }
}

std::vector<media::Image> ShownVisuals::images_of(const media::VisualPlace& place,
                                                  const SharedPicture& picture,
                                                  Shown& shown) const {
  if (!place.clip) {
    media::Image image = picture ? *picture().value() : media::read_image(place.path).value();
    return {media::as_placed(std::move(image), place).value()};
  }
  const media::ChooseFrames choose =
      media::frames_as_placed(place, options_.frames > 0 ? options_.frames : kUsualFrames);
  auto choose_and_note = [&](std::span<const double> seconds) {
    shown.frames_ = choose(seconds);
    return shown.frames_;
  };
  media::Clip clip =
      media::read_clip(
          place.path, *place.clip, choose_and_note, {.is_compat = options_.is_compat, .limits = {}})
          .value();
  if (clip.average_rate.value() > 0) shown.visual_.fps = clip.average_rate.value();
  for (size_t i = 0; i < clip.frames.size(); ++i)
    clip.frames[i] = media::as_placed(std::move(clip.frames[i]), place, i).value();
  return std::move(clip.frames);
}

const fs::path& ShownVisuals::folder() {
  if (!folder_) folder_ = std::make_unique<TemporaryFolder>(options_.working_folder);
  return folder_->path();
}

void ShownVisuals::make_frames(const std::vector<media::Image>& images, Shown& shown) {
  {
    std::lock_guard lock(mutex_);
    shown.stays_ = !options_.kept_folder.empty();
    const fs::path& parent = shown.stays_ ? options_.kept_folder : folder();
    shown.made_ = fs::absolute(parent / fmt::format("{}", num_made_++));
  }
  for (size_t i = 0; i < images.size(); ++i) {
    write_text_file(shown.made_ / fmt::format("{:04}.png", i),
                    media::encode_png(images[i], {.compression = 1}),
                    Sync::kLater);
  }
  shown.visual_.frames_dir = shown.made_.string();
}

// Where pixels may go, the best place first: shared memory is small in some containers, and absent
// on some machines.
std::vector<fs::path> ShownVisuals::places_for_pixels() {
  std::lock_guard lock(mutex_);
  std::string name = fmt::format("{}.rgb", num_made_++);
  try {
    if (!memory_) memory_ = std::make_unique<TemporaryFolder>(options_.shared_memory);
    return {fs::absolute(memory_->path() / name), fs::absolute(folder() / name)};
  } catch (const Error&) {
    return {fs::absolute(folder() / name)};
  }
}

fs::path ShownVisuals::write_pixels(const std::vector<media::Image>& images) {
  std::vector<fs::path> places = places_for_pixels();
  for (size_t i = 0;; ++i) {
    try {
      AtomicFile file(places[i]);
      for (const media::Image& image : images) file.write(bytes_of(image));
      file.commit(Sync::kLater);
      return places[i];
    } catch (const Error&) {
      if (i + 1 == places.size()) throw;
    }
  }
}

void ShownVisuals::make_pixels(const std::vector<media::Image>& images,
                               const media::VisualPlace& place,
                               Shown& shown) {
  SNELLEN_CHECK(!images.empty());
  const media::Image& first = images.front();
  for (const media::Image& image : images) {
    if (image.width != first.width || image.height != first.height)
      throw Error{ErrorCode::kInvalidInput,
                  "the frames of this clip differ in size",
                  place.path.string(),
                  "let the adapter want frames instead of pixels"};
  }
  shown.made_ = write_pixels(images);
  shown.visual_.pixels = RawPixels{.path = shown.made_.string(),
                                   .frames = static_cast<int64_t>(images.size()),
                                   .height = first.height,
                                   .width = first.width};
}

}  // namespace snellen::models::exec
