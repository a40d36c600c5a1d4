// SPDX-License-Identifier: Apache-2.0
#include "snellen/inference/feeds.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "snellen/base/file_content_key.h"
#include "snellen/inference/visuals/pixel_bytes.h"
#include "snellen/inference/visuals/visual_key.h"

namespace snellen::inference {

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
  place->frame_counts.push_back(static_cast<size_t>(pixels.num_frames));
  place->num_frames += pixels.num_frames;
  place->has_clips = place->has_clips || !pixels.frames.empty();
  place->bytes.insert(place->bytes.end(), pixels.bytes.begin(), pixels.bytes.end());
  if (pixels.coded) place->coded.push_back(std::move(pixels.coded));
}

PixelBatch PixelBatch::part(size_t begin, size_t end) const {
  PixelBatch some{.height = height,
                  .width = width,
                  .is_masked = is_masked,
                  .has_clips = has_clips,
                  .on_device = on_device};
  int64_t first = 0;
  for (size_t i = 0; i < end; ++i) {
    const auto count = static_cast<int64_t>(frame_counts[i]);
    if (i < begin) {
      first += count;
      continue;
    }
    some.ids.push_back(ids[i]);
    some.frame_counts.push_back(frame_counts[i]);
    some.num_frames += count;
  }
  some.first_on_device = first_on_device + first;
  if (on_device) return some;
  const int64_t frame_size = 3 * height * width;
  const auto from = bytes.begin() + first * frame_size;
  some.bytes.assign(from, from + some.num_frames * frame_size);
  return some;
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

VisualFeed::VisualFeed(const Table& table, const NetworkParts& parts, const Options& options)
    : table_(table),
      parts_(parts),
      keeps_pixels_(options.keeps_pixels && parts.pixels),
      owners_(table.num_visuals()),
      frames_(table.num_visuals()),
      files_(table.num_visuals()) {
  if (parts.opened->processor) {
    reader_.emplace(*parts.opened->processor,
                    VisualReader::Options{
                        .frames_per_clip = options.frames_per_clip,
                        .pads_clips = options.pads_clips,
                        .masks_clips = parts.masks_clips,
                        .is_compat = parts.is_compat,
                        .leaves_coded = options.leaves_coded && parts.opened->decode != nullptr},
                    parts.pictures);
  }
  for (uint32_t i = 0; i < owners_.size(); ++i) owners_[i] = i;
}

Result<VisualFeed::Opened> VisualFeed::open(uint32_t id, bool wants_content) {
  Opened opened;
  if (const questions::Drawn* drawn = table_.visual(id).drawn()) {
    opened.content = content_key(drawn->key);
    return opened;
  }
  const Result<media::VisualPlace>& place = table_.place(id);
  if (!place) return place.error();
  auto key_of = [&](const ContentKey& file) {
    return visual_key(*place, {reinterpret_cast<const char*>(&file), sizeof file});
  };
  try {
    if (!place->clip) {
      opened.file.emplace(place->path);
      ++num_read_;
      const std::string_view bytes = opened.file->bytes();
      files_[id] = {bytes.size(), opened.file->mtime_ns(), content_key(bytes)};
      opened.content = key_of(files_[id]->key);
    } else if (wants_content) {
      opened.content = key_of(content_key_of_file(place->path));
    }
  } catch (const Error& error) {
    // What is wrong with a clip is said by its decoder.
    if (!place->clip) return error;
  }
  return opened;
}

bool VisualFeed::owns(uint32_t id, const ContentKey& content) {
  std::lock_guard lock(mutex_);
  auto [place, is_new] = by_content_.try_emplace(content, id);
  if (is_new || place->second == id) return true;
  owners_[id] = place->second;
  ++num_same_content_;
  return false;
}

Result<VisualPixels> VisualFeed::pixels(uint32_t id, Opened&& opened) {
  if (const questions::Drawn* drawn = table_.visual(id).drawn()) {
    auto draw = [&]() -> Result<VisualPixels> {
      Result<media::Image> picture = drawn->draw();
      if (!picture) return picture.error();
      return reader_->prepared(*picture);
    };
    return keeps_pixels_ ? kept_or(*opened.content, draw) : draw();
  }
  const media::VisualPlace& place = *table_.place(id);
  auto make = [&]() -> Result<VisualPixels> {
    return place.clip ? reader_->read_clip(place) : reader_->decode(std::move(*opened.file), place);
  };
  auto make_or_find = [&]() -> Result<VisualPixels> {
    if (!keeps_pixels_ || (place.clip && !parts_.is_asked_in_parts)) return make();
    return kept_or(place.clip ? visual_key(place, place.path.native()) : *opened.content, make);
  };
  Result<VisualPixels> made = make_or_find();
  if (made) frames_[id] = made->frames;
  return made;
}

Result<VisualPixels> VisualFeed::kept_or(const ContentKey& key,
                                         const std::function<Result<VisualPixels>()>& make) {
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
  if (parts_.pixels->find(key, kept)) {
    // Asks that come in parts may mean the same visual.
    if (!parts_.is_asked_in_parts) ++num_same_content_;
    return pixels_of(kept);
  }
  Result<VisualPixels> made = make();
  if (made) parts_.pixels->add(key, bytes_of(*made));
  return made;
}

void VisualFeed::decode(PixelBatch& batch, std::map<uint32_t, Error>& failures) {
  const std::vector<std::unique_ptr<CodedFile>> coded = std::exchange(batch.coded, {});
  auto decode_here = [&](size_t i) -> std::vector<uint8_t> {
    Result<VisualPixels> made = reader_->decode_here(coded[i]->file);
    if (made) return std::move(std::move(made).value().bytes);
    failures.emplace(batch.ids[i], made.error());
    return {};
  };
  std::vector<models::CodedPicture> files;
  files.reserve(coded.size());
  for (const std::unique_ptr<CodedFile>& file : coded)
    files.push_back({.file = file->file.bytes(), .scan = &file->scan, .cut = file->cut.get()});
  try {
    batch.on_device = parts_.opened->decode(files, decode_here);
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

models::TokenIds TokenFeed::tokens(uint32_t text) {
  return tokens_of(text, table_.prompt(text));
}

models::TokenIds TokenFeed::tokens_of(uint32_t text, std::string_view prompt) {
  const auto most = static_cast<size_t>(parts_.network().facts().max_text_tokens);
  const text::Encoding encoding = parts_.opened->tokenizer->encode(prompt, {.max_length = most});
  models::TokenIds ids(encoding.ids.begin(), encoding.ids.end());
  if (parts_.rules.prepends_bos) prepend_bos(ids, most);
  if (encoding.num_dropped > 0) {
    std::lock_guard lock(mutex_);
    truncated_.emplace(text, prompt);
  }
  return ids;
}

// GPT-2's start token is the one that also ends texts.
void TokenFeed::prepend_bos(models::TokenIds& ids, size_t most) const {
  const text::TokenizerFacts& facts = parts_.opened->tokenizer->facts();
  const std::optional<text::TokenId> bos = facts.bos_id ? facts.bos_id : facts.eos_id;
  if (!bos)
    throw Error{
        ErrorCode::kUsage, "this model's tokenizer has no start token", "--bos", "leave out --bos"};
  if (!ids.empty() && ids.front() == *bos) return;
  ids.insert(ids.begin(), *bos);
  if (most > 0 && ids.size() > most) ids.resize(most);
}

std::vector<models::TokenIds> TokenFeed::tokens(std::span<const uint32_t> texts) {
  std::vector<models::TokenIds> all;
  all.reserve(texts.size());
  for (uint32_t text : texts) all.push_back(tokens(text));
  return all;
}

size_t TokenFeed::num_truncated() const {
  std::lock_guard lock(mutex_);
  return truncated_.size();
}

std::vector<std::string> TokenFeed::first_truncated(size_t most) const {
  std::lock_guard lock(mutex_);
  std::vector<std::string> texts;
  for (const auto& [text, prompt] : truncated_) {
    if (texts.size() == most) break;
    texts.emplace_back(prompt);
  }
  return texts;
}

}  // namespace snellen::inference
