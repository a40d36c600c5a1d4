// SPDX-License-Identifier: Apache-2.0
// Networks whose numbers can be worked out by hand: of a picture they see its mean colour, of a
// text how many tokens it has. They count what they are asked and can be short of memory.
#pragma once

#include <atomic>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "snellen/base/files.h"
#include "snellen/inference/driver.h"
#include "snellen/inference/network_parts.h"
#include "snellen/media/codecs/encode.h"
#include "snellen/text/tokenizers/load_tokenizer.h"

namespace snellen::testing {

class OutOfMemory : public std::exception {};

struct NetworkLog {
  std::atomic<uint64_t> images = 0;
  std::atomic<uint64_t> texts = 0;
  std::atomic<uint64_t> largest_batch = 0;
  uint64_t max_batch = 1000;  // more at once do not fit
  bool gives_nan = false;

  void see(int64_t count) {
    if (static_cast<uint64_t>(count) > max_batch) throw OutOfMemory();
    images += static_cast<uint64_t>(count);
    largest_batch = std::max<uint64_t>(largest_batch, static_cast<uint64_t>(count));
  }
  void read(size_t count) {
    if (count > max_batch) throw OutOfMemory();
    texts += count;
  }
};

class SmallNetwork : public models::Network,
                     public models::DualEncoder,
                     public models::PairScorer,
                     public models::VideoEncoder {
 public:
  enum class Kind { kDual, kPair, kVideo };
  SmallNetwork(Kind kind, NetworkLog& log) : kind_(kind), log_(log) {
    facts_ = {.family = "small",
              .heads = {kind == Kind::kPair ? "itm" : "itc"},
              .image_size = 4,
              .is_row_exact = true};
  }
  const models::NetworkFacts& facts() const override { return facts_; }
  const models::DualEncoder* dual() const override { return kind_ == Kind::kDual ? this : nullptr; }
  const models::PairScorer* pair() const override { return kind_ == Kind::kPair ? this : nullptr; }
  const models::VideoEncoder* video() const override {
    return kind_ == Kind::kVideo ? this : nullptr;
  }
  std::span<const std::string> unused_weights() const override { return {}; }

  // A row is the mean of each channel, from 0 to 1.
  models::Matrix embed_images(const models::PixelsView& pixels, models::Trace*) const override {
    log_.see(pixels.count);
    models::Matrix rows{static_cast<size_t>(pixels.count), 3, {}};
    const size_t plane = pixels.values.size() / rows.num_rows / 3;
    for (size_t i = 0; i < 3 * rows.num_rows; ++i) {
      double sum = 0;
      for (float value : pixels.values.subspan(i * plane, plane)) sum += value;
      rows.values.push_back(static_cast<float>(sum / static_cast<double>(plane)));
    }
    if (log_.gives_nan) rows.values[0] = std::numeric_limits<float>::quiet_NaN();
    return rows;
  }
  // (tokens after the first, 1, 0): a score is red times tokens plus green.
  models::Matrix embed_texts(std::span<const models::TokenIds> texts,
                             models::Trace*) const override {
    log_.read(texts.size());
    models::Matrix rows{texts.size(), 3, {}};
    for (const models::TokenIds& text : texts)
      rows.values.insert(rows.values.end(), {static_cast<float>(text.size() - 1), 1, 0});
    return rows;
  }
  models::Similarity similarity(std::string_view) const override { return {.is_cosine = false}; }

  struct Seen : models::SeenImage {
    float red = 0;
    float green = 0;
  };
  models::SeenImages see(const models::PixelsView& pixels, models::Trace*) const override {
    const models::Matrix rows = embed_images(pixels, nullptr);
    models::SeenImages all;
    for (size_t i = 0; i < rows.num_rows; ++i) {
      auto seen = std::make_shared<Seen>();
      seen->red = rows.row(i)[0];
      seen->green = rows.row(i)[1];
      all.push_back(std::move(seen));
    }
    return all;
  }
  models::Matrix match(const models::SeenImage& image,
                       std::span<const models::TokenIds> texts,
                       models::Trace*) const override {
    log_.read(texts.size());
    const auto& seen = dynamic_cast<const Seen&>(image);
    models::Matrix logits{texts.size(), 2, {}};
    for (const models::TokenIds& text : texts) {
      const float score = seen.red * static_cast<float>(text.size() - 1) + seen.green;
      logits.values.insert(logits.values.end(), {-score, score});
    }
    return logits;
  }
  size_t score_column() const override { return 1; }

  int64_t num_frames() const override { return 4; }
  models::Matrix embed_clips(const models::PixelsView& pixels, models::Trace*) const override {
    const models::Matrix frames = embed_images(pixels, nullptr);
    models::Matrix clip{1, 3, {0, 0, 0}};
    for (size_t i = 0; i < frames.values.size(); ++i)
      clip.values[i % 3] += frames.values[i] / static_cast<float>(frames.num_rows);
    return clip;
  }
  models::Matrix score(const models::Matrix& clips,
                       const models::Matrix& texts,
                       models::Trace*) const override {
    float sum = 0;
    for (size_t i = 0; i < 3; ++i) sum += clips.row(0)[i] * texts.row(0)[i];
    return {1, 1, {sum}};
  }

 private:
  Kind kind_;
  NetworkLog& log_;
  models::NetworkFacts facts_;
};

// Pictures become 4 x 4 and floats from 0 to 1.
inline media::ProcessorConfig small_processor() {
  media::ProcessorConfig config;
  config.kind = "CLIP";
  config.resize = media::ResizeRule::kExact;
  config.height = config.width = 4;
  config.is_normalized = false;
  return config;
}

inline inference::OpenedNetwork small_network(SmallNetwork::Kind kind, NetworkLog& log) {
  inference::OpenedNetwork opened;
  opened.network = std::make_unique<SmallNetwork>(kind, log);
  opened.is_out_of_memory = [](const std::exception& thrown) {
    return dynamic_cast<const OutOfMemory*>(&thrown) != nullptr;
  };
  opened.tokenizer =
      text::load_tokenizer({.folder = SNELLEN_SOURCE_DIR "/tests/golden/models/gpt2_sharded",
                            .family = {},
                            .clip_vocabulary = {}});
  opened.processor = std::make_unique<media::ImageProcessor>(small_processor());
  opened.identity = {{"weights", "small"}};
  return opened;
}

// A picture of one colour.
inline void write_picture(const std::filesystem::path& path, uint8_t red, uint8_t green) {
  media::Image image = media::Image::blank(8, 8);
  for (size_t i = 0; i < image.pixels.size(); i += 3) {
    image.pixels[i] = red;
    image.pixels[i + 1] = green;
    image.pixels[i + 2] = 0;
  }
  write_text_file(path, media::encode_png(image));
}

}  // namespace snellen::testing
