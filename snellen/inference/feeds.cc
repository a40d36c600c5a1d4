// SPDX-License-Identifier: Apache-2.0
#include "snellen/inference/feeds.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "snellen/base/hash.h"
#include "snellen/media/placed_picture.h"
#include "snellen/inference/visuals/pixel_bytes.h"
#include "snellen/inference/visuals/visual_key.h"

namespace snellen::inference {
namespace {

constexpr size_t kTruncatedShown = 5;

// To a batch of its size, or to one of its own.
void append(std::vector<PixelBatch>& batches,
            uint32_t id,
            VisualPixels&& pixels,
            bool is_row_exact) {
  auto fits = [&](const PixelBatch& batch) {
    return is_row_exact && batch.height == pixels.height && batch.width == pixels.width &&
           batch.is_masked == pixels.is_masked && batch.coded.empty() == !pixels.coded;
  };
  auto place = std::find_if(batches.begin(), batches.end(), fits);
  if (place == batches.end()) {
    batches.push_back(
        {.height = pixels.height, .width = pixels.width, .is_masked = pixels.is_masked});
    place = std::prev(batches.end());
  }
  place->ids.push_back(id);
  place->num_frames += pixels.num_frames;
  place->bytes.insert(place->bytes.end(), pixels.bytes.begin(), pixels.bytes.end());
  if (pixels.coded) place->coded.push_back(std::move(pixels.coded));
}

}  // namespace

VisualFeed::VisualFeed(const Table& plan, const NetworkParts& parts, const Options& options)
    : plan_(plan),
      parts_(parts),
      is_row_exact_(parts.network->facts().is_row_exact),
      shares_content_(options.shares_content),
      pixels_(options.pixels),
      keeps_clips_(options.keeps_clips),
      reader_(*parts.processor,
              {.frames_per_clip = options.frames_per_clip,
               .pads_clips = options.pads_clips,
               .masks_clips = parts.masks_clips,
               .is_compat = parts.is_compat,
               .leaves_coded = options.leaves_coded && parts.decode != nullptr},
              parts.client),
      owners_(plan.num_visuals()),
      frames_(plan.num_visuals()) {
  for (uint32_t i = 0; i < owners_.size(); ++i) owners_[i] = i;
}

bool VisualFeed::owns(uint32_t id, const ContentKey& key) {
  std::lock_guard lock(mutex_);
  auto [place, is_new] = by_content_.try_emplace(key, id);
  if (is_new || place->second == id) return true;
  owners_[id] = place->second;
  ++num_same_content_;
  return false;
}

Result<VisualPixels> VisualFeed::read(uint32_t id, bool& is_owner) {
  const Result<media::VisualPlace>& place = plan_.visual(id);
  is_owner = true;
  if (!place) return place.error();
  if (place->clip) {
    auto make = [&] { return reader_.read_clip(*place); };
    return keeps_clips_ ? kept_or(visual_key(*place, place->path.native()), make) : make();
  }
  try {
    MappedFile file(place->path);
    std::string change = media::change_key(*place);
    uint64_t salt = change.empty() ? 0 : fnv1a64(change);
    const ContentKey content = content_key(file.bytes(), salt);
    auto make = [&] { return reader_.decode(file, *place); };
    if (!shares_content_) return kept_or(content, make);
    is_owner = owns(id, content);
    if (!is_owner) return VisualPixels{};
    return make();
  } catch (const Error& error) {
    return error;
  }
}

Result<VisualPixels> VisualFeed::kept_or(const ContentKey& key,
                                         const std::function<Result<VisualPixels>()>& make) {
  if (!pixels_) return make();
  // One thread at a time for each key, so that none decodes what another is decoding.
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return under_way_.insert(key).second; });
  }
  struct Done {
    VisualFeed& feed;
    const ContentKey& key;
    ~Done() {
      {
        std::lock_guard lock(feed.mutex_);
        feed.under_way_.erase(key);
      }
      feed.changed_.notify_all();
    }
  } done{*this, key};
  std::vector<std::byte> kept;
  if (pixels_->find(key, kept)) {
    // Asks that come in parts may mean the same visual.
    if (!keeps_clips_) ++num_same_content_;
    return pixels_of(kept);
  }
  Result<VisualPixels> made = make();
  if (made) pixels_->add(key, bytes_of(*made));
  return made;
}

std::vector<PixelBatch> VisualFeed::batches(const Job& job, std::map<uint32_t, Error>& failures) {
  std::vector<PixelBatch> batches;
  for (uint32_t id = job.begin; id < job.end; ++id) {
    bool is_owner = true;
    Result<VisualPixels> pixels = read(id, is_owner);
    if (!pixels) {
      failures.emplace(id, pixels.error());
    } else if (is_owner) {
      VisualPixels made = std::move(pixels).value();
      frames_[id] = std::move(made.frames);
      append(batches, id, std::move(made), is_row_exact_);
    }
  }
  return batches;
}

void VisualFeed::decode(PixelBatch& batch, std::map<uint32_t, Error>& failures) {
  const std::vector<std::unique_ptr<CodedFile>> coded = std::exchange(batch.coded, {});
  auto decode_here = [&](size_t i) -> std::vector<uint8_t> {
    const Result<media::VisualPlace>& place = plan_.visual(batch.ids[i]);
    Result<VisualPixels> made = reader_.decode_here(coded[i]->bytes, place->path.native());
    if (made) return std::move(std::move(made).value().bytes);
    failures.emplace(batch.ids[i], made.error());
    return {};
  };
  std::vector<models::CodedPicture> files;
  files.reserve(coded.size());
  for (const std::unique_ptr<CodedFile>& file : coded)
    files.push_back({.file = file->bytes, .scan = &file->scan, .cut = file->cut.get()});
  try {
    batch.on_device = parts_.decode(files, decode_here);
    return;
  } catch (const std::exception& thrown) {
    if (!parts_.has_run_out(thrown)) throw;
  }
  // One that fails is black.
  const auto picture_size = static_cast<size_t>(3 * batch.height * batch.width);
  for (size_t i = 0; i < coded.size(); ++i) {
    std::vector<uint8_t> bytes = decode_here(i);
    bytes.resize(picture_size);
    batch.bytes.insert(batch.bytes.end(), bytes.begin(), bytes.end());
  }
}

media::FrameIndices VisualFeed::frames_of(const models::Ask& ask) const {
  if (ask.cells.empty()) return {};
  return frames_[plan_.visual_id(ask, ask.cells.front().visual)];
}

models::TokenIds TokenFeed::tokens(uint32_t text) {
  auto most = static_cast<size_t>(parts_.network->facts().max_text_tokens);
  text::Encoding encoding = parts_.tokenizer->encode(plan_.text(text), {.max_length = most});
  if (encoding.num_dropped > 0) {
    std::lock_guard lock(mutex_);
    truncated_.emplace(text, true);
  }
  return {encoding.ids.begin(), encoding.ids.end()};
}

std::vector<models::TokenIds> TokenFeed::tokens(std::span<const uint32_t> texts) {
  std::vector<models::TokenIds> all;
  all.reserve(texts.size());
  for (uint32_t text : texts) all.push_back(tokens(text));
  return all;
}

void TokenFeed::count(WorkCounts& counts) const {
  std::lock_guard lock(mutex_);
  counts.num_truncated = truncated_.size();
  for (const auto& [text, is_cut] : truncated_) {
    if (counts.truncated.size() == kTruncatedShown) break;
    counts.truncated.emplace_back(plan_.text(text));
  }
}

std::vector<PixelBatch> halves_of(PixelBatch&& batch,
                                  const std::function<size_t(uint32_t)>& frames) {
  const auto middle = batch.ids.begin() + static_cast<std::ptrdiff_t>(batch.ids.size() / 2);
  std::vector<PixelBatch> halves(2);
  halves[0].ids.assign(batch.ids.begin(), middle);
  halves[1].ids.assign(middle, batch.ids.end());
  auto from = batch.bytes.begin();
  int64_t first = batch.first_on_device;
  const auto frame_size = static_cast<std::ptrdiff_t>(3 * batch.height * batch.width);
  for (PixelBatch& half : halves) {
    half.height = batch.height;
    half.width = batch.width;
    half.is_masked = batch.is_masked;
    for (uint32_t id : half.ids) half.num_frames += static_cast<int64_t>(frames(id));
    half.on_device = batch.on_device;
    half.first_on_device = first;
    first += half.num_frames;
    if (half.on_device) continue;
    half.bytes.assign(from, from + half.num_frames * frame_size);
    from += half.num_frames * frame_size;
  }
  return halves;
}

void PixelBatch::make_floats(const media::ImageProcessor& processor) {
  values.resize(bytes.size());
  if (is_masked) return;
  const auto frame_size = static_cast<size_t>(3 * height * width);
  for (int64_t frame = 0; frame < num_frames; ++frame) {
    const size_t from = static_cast<size_t>(frame) * frame_size;
    processor.to_floats(std::span(bytes).subspan(from, frame_size),
                        std::span(values).subspan(from, frame_size));
  }
}

}  // namespace snellen::inference
