// SPDX-License-Identifier: Apache-2.0
// Pixels and tokens of the distinct visuals and texts of a plan, each made once. Safe from many
// threads.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "snellen/inference/network_parts.h"
#include "snellen/inference/table.h"
#include "snellen/inference/visuals/visual_reader.h"

namespace snellen::inference {

// Pictures of one size that go through the network together.
struct PixelBatch {
  std::vector<uint32_t> ids = {};
  std::vector<size_t> frame_counts = {};  // pictures of each
  int64_t num_frames = 0;
  int64_t height = 0;
  int64_t width = 0;
  std::vector<uint8_t> bytes = {};
  bool is_masked = false;
  bool has_clips = false;
  std::vector<std::unique_ptr<CodedFile>> coded = {};  // instead of bytes, until they are decoded
  std::shared_ptr<const models::DevicePictures> on_device = {};  // instead of bytes
  int64_t first_on_device = 0;
  std::vector<float> values = {};  // made of the bytes when the network wants floats
  std::shared_ptr<const models::StagedPixels> staged = {};  // where the network computes, if ahead

  models::PixelsView view() const {
    return {.count = num_frames,
            .height = height,
            .width = width,
            .values = values,
            .staged = staged.get()};
  }
  // Rescaled and normalised as the processor does it.
  void make_floats(const media::ImageProcessor& processor);
  // Some of its visuals, as bytes.
  PixelBatch part(size_t begin, size_t end) const;
};

// To a batch of its size, or to one of its own where rows are not exact.
void append(std::vector<PixelBatch>& batches,
            uint32_t id,
            VisualPixels&& pixels,
            bool is_row_exact);

class VisualFeed {
 public:
  struct Options {
    int64_t frames_per_clip = 8;
    bool pads_clips = true;     // VisualReader::Options
    bool leaves_coded = false;  // pictures are decoded where the network computes, if it can
    // Prepared pixels are kept, so that bytes that are asked different things are decoded once.
    bool keeps_pixels = false;
  };
  VisualFeed(const Table& table, const NetworkParts& parts, const Options& options);

  // A visual whose file was read, and what it is known by: the one key of its content, made of the
  // bytes that are decoded. A clip's file stays where it is, and what is drawn has none.
  struct Opened {
    std::optional<FileBytes> file = {};
    std::optional<ContentKey> content = {};
  };
  // Of a clip the content is only made where it is wanted, and absent where it cannot be read.
  Result<Opened> open(uint32_t id, bool wants_content);
  // Whether this visual is the first with its content; the others are answered by the first.
  bool owns(uint32_t id, const ContentKey& content);
  // Decoded and prepared.
  Result<VisualPixels> pixels(uint32_t id, Opened&& opened);
  // Has the coded pictures of a batch decoded by the network's device; where it has no memory for
  // them, by the CPU.
  void decode(PixelBatch& batch, std::map<uint32_t, Error>& failures);

  // The visual that stands for this one: itself, or the one with the same bytes that was read
  // first. Known when the visual's job is done.
  uint32_t owner_of(uint32_t id) const { return owners_[id]; }
  // The frames of a clip that were shown; empty for a picture. Known when the visual's job is done.
  const media::FrameIndices& frames_of(uint32_t id) const { return frames_[id]; }
  // The file of a picture, where one was read. Known when the visual's job is done.
  const std::optional<questions::FileRead>& file_of(uint32_t id) const { return files_[id]; }
  // Of a visual that is not fed, because what would be made of it is known.
  void restore_frames(uint32_t id, media::FrameIndices frames) { frames_[id] = std::move(frames); }

  uint64_t num_read() const { return num_read_; }  // picture files, each read and hashed once
  uint64_t num_decoded() const { return reader_ ? reader_->num_decoded() : 0; }
  uint64_t num_transparent() const { return reader_ ? reader_->num_transparent() : 0; }
  uint64_t num_same_content() const { return num_same_content_; }

 private:
  // From what was kept, else by `make`.
  Result<VisualPixels> kept_or(const ContentKey& key,
                               const std::function<Result<VisualPixels>()>& make);

  const Table& table_;
  const NetworkParts& parts_;
  bool keeps_pixels_;
  std::optional<VisualReader> reader_;  // none where nothing is decoded here
  std::vector<std::atomic<uint32_t>> owners_;
  // Entries are written by the thread that reads the visual.
  std::vector<media::FrameIndices> frames_;
  std::vector<std::optional<questions::FileRead>> files_;
  std::mutex mutex_;                 // guards by_content_ and under_way_
  std::condition_variable changed_;  // under_way_
  std::unordered_map<ContentKey, uint32_t, ContentKeyHash> by_content_;
  std::unordered_set<ContentKey, ContentKeyHash> under_way_;
  std::atomic<uint64_t> num_read_ = 0;
  std::atomic<uint64_t> num_same_content_ = 0;
};

class TokenFeed {
 public:
  TokenFeed(const Table& table, const NetworkParts& parts) : table_(table), parts_(parts) {}

  models::TokenIds tokens(uint32_t text);
  // Of one prompt of an ensemble.
  models::TokenIds tokens_of(uint32_t text, std::string_view prompt);
  std::vector<models::TokenIds> tokens(std::span<const uint32_t> texts);

  // Texts that were too long for the network.
  size_t num_truncated() const;
  std::vector<std::string> first_truncated(size_t most) const;

 private:
  void prepend_bos(models::TokenIds& ids, size_t most) const;

  const Table& table_;
  const NetworkParts& parts_;
  mutable std::mutex mutex_;                                   // guards the rest
  std::set<std::pair<uint32_t, std::string_view>> truncated_;  // texts and their prompts
};

}  // namespace snellen::inference
