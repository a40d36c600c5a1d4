// SPDX-License-Identifier: Apache-2.0
#include "snellen/inference/visuals/visual_reader.h"

#include <algorithm>

#include <fmt/format.h>

#include "snellen/media/codecs/decode.h"
#include "snellen/media/codecs/read_jpeg_scan.h"
#include "snellen/media/placed_picture.h"

namespace snellen::inference {
namespace {

constexpr size_t kCutsKept = 1024;  // sizes of pictures

}  // namespace

Result<VisualPixels> VisualReader::decode(FileBytes&& file, const media::VisualPlace& place) const {
  const bool is_as_it_is = media::change_key(place).empty();
  if (options_.leaves_coded && is_as_it_is && !(client_ && client_->is_wanted(file))) {
    if (std::unique_ptr<CodedFile> file_as_it_is = coded(file)) {
      ++num_decoded_;
      const media::Geometry& geometry = file_as_it_is->cut->geometry;
      return VisualPixels{.num_frames = 1,
                          .height = geometry.height,
                          .width = geometry.width,
                          .bytes = {},
                          .coded = std::move(file_as_it_is)};
    }
  }
  // Until its pixels are prepared.
  const DecodeBudget::Share share(budget_, DecodeBudget::bytes_to_decode(file.bytes()));
  if (client_) {
    Result<SharedPictures::Picture> shared = client_->take(file);
    if (!shared) return shared.error();
    if (is_as_it_is) return prepared(**shared);
    Result<media::Image> changed = media::as_placed(media::Image(**shared), place);
    if (!changed) return changed.error();
    return prepared(*changed);
  }
  ++num_decoded_;
  Result<media::Image> decoded = media::decode_image(file.bytes(), file.path().native());
  if (!decoded) return decoded.error();
  Result<media::Image> picture = media::as_placed(std::move(decoded).value(), place);
  if (!picture) return picture.error();
  return prepared(*picture);
}

Result<VisualPixels> VisualReader::decode_here(const FileBytes& file) const {
  const DecodeBudget::Share share(budget_, DecodeBudget::bytes_to_decode(file.bytes()));
  Result<media::Image> decoded = media::decode_image(file.bytes(), file.path().native());
  if (!decoded) return decoded.error();
  return prepared(*decoded);
}

std::unique_ptr<CodedFile> VisualReader::coded(FileBytes& file) const {
  std::optional<media::jpeg::Scan> scan = media::read_jpeg_scan(file.bytes());
  if (!scan) return nullptr;
  std::shared_ptr<const media::Cut> cut = cut_of(scan->width, scan->height);
  if (!cut) return nullptr;
  return std::make_unique<CodedFile>(CodedFile{std::move(file), *scan, std::move(cut)});
}

std::shared_ptr<const media::Cut> VisualReader::cut_of(int width, int height) const {
  std::lock_guard lock(mutex_);
  if (cuts_.size() >= kCutsKept) cuts_.clear();
  auto [place, is_new] = cuts_.try_emplace({width, height});
  if (is_new) {
    if (std::optional<media::Cut> cut = processor_.cut_of(width, height))
      place->second = std::make_shared<const media::Cut>(std::move(*cut));
  }
  return place->second;
}

Result<VisualPixels> VisualReader::prepared(const media::Image& picture) const {
  Result<media::Image> made = processor_.to_bytes(picture);
  if (!made) return made.error();
  media::Image bytes = std::move(made).value();
  return VisualPixels{.num_frames = 1,
                      .height = bytes.height,
                      .width = bytes.width,
                      .bytes = std::move(bytes.pixels)};
}

Result<VisualPixels> VisualReader::read_clip(const media::VisualPlace& place) const {
  ++num_decoded_;
  VisualPixels pixels;
  const media::ChooseFrames choose = media::frames_as_placed(place, options_.frames_per_clip);
  auto opened = media::VideoReader::open(place.path, {});
  if (!opened) return opened.error();
  media::VideoReader reader = std::move(opened).value();
  std::optional<DecodeBudget::Share> share;  // once it is known how many frames are wanted
  auto choose_and_note = [&](std::span<const double> seconds) {
    pixels.frames = choose(seconds);
    if (!options_.pads_clips) {
      pixels.frames.erase(std::unique(pixels.frames.begin(), pixels.frames.end()),
                          pixels.frames.end());
    }
    const bool is_too_long = pixels.frames.size() > kMostFrames;
    if (is_too_long) return media::FrameIndices{0};
    share.emplace(budget_,
                  pixels.frames.size() * 3 * static_cast<uint64_t>(reader.info().width) *
                      static_cast<uint64_t>(reader.info().height));
    return pixels.frames;
  };
  Result<media::Clip> clip = media::read_clip(
      reader, *place.clip, choose_and_note, {.is_compat = options_.is_compat, .limits = {}});
  if (!clip) return clip.error();
  if (pixels.frames.size() > kMostFrames) {
    return Error{
        ErrorCode::kInvalidInput,
        fmt::format("{} frames would be shown, at most {}", pixels.frames.size(), kMostFrames),
        place.path.string(),
        "use --sampler uniform, or fps:N with a lower rate"};
  }
  pixels.num_frames = static_cast<int64_t>(clip->frames.size());
  pixels.frame_seconds = clip->seconds;
  std::vector<media::Image> frames = std::move(std::move(clip).value().frames);
  for (size_t i = 0; i < frames.size(); ++i) {
    Result<media::Image> frame = media::as_placed(std::move(frames[i]), place, i);
    if (!frame) return frame.error();
    Result<media::Image> one = processor_.to_bytes(*frame);
    if (!one) return one.error();
    pixels.height = one->height;
    pixels.width = one->width;
    pixels.bytes.insert(pixels.bytes.end(), one->pixels.begin(), one->pixels.end());
  }
  pixels.is_masked = options_.masks_clips;
  return pixels;
}

}  // namespace snellen::inference
