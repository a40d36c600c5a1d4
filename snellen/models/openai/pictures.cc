// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/openai/pictures.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "snellen/media/codecs/decode.h"
#include "snellen/media/codecs/encode.h"
#include "snellen/media/crop.h"
#include "snellen/media/placed_picture.h"
#include "snellen/media/resample/resize.h"

namespace snellen::models::openai {
namespace {

constexpr size_t kRecentBytes = size_t{96} << 20;
constexpr size_t kForgetAbove = 4096;

// Equal keys, equal pictures.
std::string key_of(const questions::Visual& visual, const media::VisualPlace* place) {
  if (place == nullptr) return "drawn\n" + visual.drawn()->key;
  std::string key = place->path.native() + media::change_key(*place);
  if (!place->clip) return key;
  auto time = [](const std::optional<double>& seconds) {
    return seconds ? fmt::format("{}", *seconds) : std::string("-");
  };
  const media::FrameSampler sampler = place->sampler.value_or(media::FrameSampler{.num_frames = 0});
  return fmt::format("{}\n{} {} {}\n{} {} {}\n{}",
                     key,
                     time(place->clip->start),
                     time(place->clip->end),
                     static_cast<int>(place->clip->unit),
                     static_cast<int>(sampler.kind),
                     sampler.num_frames,
                     sampler.fps,
                     fmt::join(place->frames, ","));
}

media::Image shrunk(media::Image image, int max_side) {
  const int longest = std::max(image.width, image.height);
  if (max_side <= 0 || longest <= max_side) return image;
  auto scaled = [&](int side) {
    return std::max(1,
                    static_cast<int>(std::lround(static_cast<double>(side) * max_side / longest)));
  };
  return media::resize(image,
                       {.width = scaled(image.width),
                        .height = scaled(image.height),
                        .filter = media::Filter::kBox});
}

}  // namespace

Result<Pictures::Held> Pictures::show(const questions::Visual& visual,
                                      const SharedPicture& picture) {
  media::VisualPlace place;
  if (visual.drawn() == nullptr) {
    Result<media::VisualPlace> found = visual.place();
    if (!found) return found.error();
    place = std::move(found).value();
    if (media::shows_no_picture(place)) return std::make_shared<const ShownPictures>();
  }
  const std::string key = key_of(visual, visual.drawn() ? nullptr : &place);
  std::shared_ptr<Entry> entry;
  {
    std::lock_guard lock(mutex_);
    std::weak_ptr<Entry>& known = known_[key];
    entry = known.lock();
    if (!entry) known = entry = std::make_shared<Entry>();
  }
  std::call_once(entry->once, [&] {
    try {
      make(visual, picture, *entry);
    } catch (const Error& error) {
      entry->failure = std::make_unique<Error>(error);
    }
    keep_recent(key, entry);
  });
  if (entry->failure) return *entry->failure;
  return Held(entry, &entry->shown);
}

void Pictures::keep_recent(const std::string& key, const std::shared_ptr<Entry>& entry) {
  std::lock_guard lock(mutex_);
  recent_.emplace_front(key, entry);
  recent_bytes_ += entry->num_bytes;
  while (recent_bytes_ > kRecentBytes && recent_.size() > 1) {
    recent_bytes_ -= recent_.back().second->num_bytes;
    recent_.pop_back();
  }
  if (known_.size() > kForgetAbove + recent_.size())
    std::erase_if(known_, [](const auto& one) { return one.second.expired(); });
}

void Pictures::make(const questions::Visual& visual,
                    const SharedPicture& picture,
                    Entry& entry) const {
  std::vector<media::Image> images;
  if (visual.drawn() != nullptr) {
    images.push_back(visual.drawn()->draw().value());
  } else {
    media::VisualPlace place = visual.place().value();
    if (place.clip) {
      const media::ChooseFrames choose = media::frames_as_placed(place, options_.frames_per_clip);
      auto choose_and_note = [&](std::span<const double> seconds) {
        return entry.shown.frames = choose(seconds);
      };
      images = media::read_clip(place.path,
                                *place.clip,
                                choose_and_note,
                                {.is_compat = options_.is_compat, .limits = {}})
                   .value()
                   .frames;
    } else {
      images.push_back(picture ? *picture().value()
                               : media::read_image(place.path, {.alpha_on_white = true}).value());
    }
    const bool is_clip = place.clip.has_value();
    const std::optional<media::CropBox> crop = std::exchange(place.crop, std::nullopt);
    for (size_t i = 0; i < images.size(); ++i) {
      if (crop) images[i] = media::cropped(images[i], *crop);
      // Noise comes after the picture was made smaller: a smaller picture of noise shows through.
      if (!options_.shrinks_last) images[i] = shrunk(std::move(images[i]), options_.max_side);
      images[i] =
          media::as_placed(
              std::move(images[i]), place, is_clip ? std::optional<size_t>(i) : std::nullopt)
              .value();
    }
  }
  for (media::Image& image : images) {
    entry.shown.pictures.push_back(encode(shrunk(std::move(image), options_.max_side)));
    entry.num_bytes += entry.shown.pictures.back()->url->size();
  }
}

Picture Pictures::encode(media::Image image) const {
  if (options_.is_jpeg)
    return encoded_picture(
        "image/jpeg",
        media::encode_jpeg(
            image, {.quality = options_.jpeg_quality, .subsampling = options_.jpeg_subsampling}));
  return encoded_picture("image/png", media::encode_png(image, {.compression = 1}));
}

}  // namespace snellen::models::openai
