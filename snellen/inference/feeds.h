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
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "snellen/inference/backend.h"
#include "snellen/inference/visuals/visual_reader.h"

namespace snellen::inference {

// Pictures of one size that go through the network together.
struct PixelBatch {
  std::vector<uint32_t> ids = {};
  int64_t num_frames = 0;
  int64_t height = 0;
  int64_t width = 0;
  std::vector<uint8_t> bytes = {};
  bool is_masked = false;
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
};
class VisualFeed {
 public:
  struct Options {
    int64_t frames_per_clip = 8;
    bool pads_clips = true;      // VisualReader::Options
    bool shares_content = true;  // files with the same bytes are one visual
    bool leaves_coded = false;   // pictures are decoded where the network computes, if it can
    // Where they are not, because each is asked something else: prepared pixels are kept, so that
    // the bytes are decoded once.
    SpillStore* pixels = nullptr;
    bool keeps_clips = false;  // too: the same one may be asked again
  };
  VisualFeed(const Table& plan, const NetworkParts& parts, const Options& options);

  // The visuals of a job whose content no other visual had before, those of one size together, or
  // each alone where the network's rows are not exact; what cannot be read is among the failures.
  std::vector<PixelBatch> batches(const Job& job, std::map<uint32_t, Error>& failures);
  // Has the coded pictures of a batch decoded by the network's device; where it has no memory for
  // them, by the CPU.
  void decode(PixelBatch& batch, std::map<uint32_t, Error>& failures);
  // The visual that stands for this one: itself, or the one with the same bytes that was read
  // first. Known when the visual's job is done.
  uint32_t owner_of(uint32_t id) const { return owners_[id]; }

  // The frames of a clip that were shown; empty for a picture. Known when the visual's job is done.
  const media::FrameIndices& frames_of(uint32_t id) const { return frames_[id]; }
  // Of the first visual of an ask.
  media::FrameIndices frames_of(const models::Ask& ask) const;
  // Of a visual that is not fed, because what would be made of it is known.
  void restore_frames(uint32_t id, media::FrameIndices frames) { frames_[id] = std::move(frames); }

  uint64_t num_decoded() const { return reader_.num_decoded(); }
  uint64_t num_same_content() const { return num_same_content_; }

 private:
  Result<VisualPixels> read(uint32_t id, bool& is_owner);
  // From what was kept, else by `make`.
  Result<VisualPixels> kept_or(const ContentKey& key,
                               const std::function<Result<VisualPixels>()>& make);
  bool owns(uint32_t id, const ContentKey& key);

  const Table& plan_;
  const NetworkParts& parts_;
  bool is_row_exact_;
  bool shares_content_;
  SpillStore* pixels_;
  bool keeps_clips_;
  VisualReader reader_;
  std::vector<std::atomic<uint32_t>> owners_;
  std::vector<media::FrameIndices> frames_;  // an entry is written by the thread that reads it
  std::mutex mutex_;                         // guards by_content_ and under_way_
  std::condition_variable changed_;          // under_way_
  std::unordered_map<ContentKey, uint32_t, ContentKeyHash> by_content_;
  std::unordered_set<ContentKey, ContentKeyHash> under_way_;
  std::atomic<uint64_t> num_same_content_ = 0;
};

class TokenFeed {
 public:
  TokenFeed(const Table& plan, const NetworkParts& parts) : plan_(plan), parts_(parts) {}

  models::TokenIds tokens(uint32_t text);
  std::vector<models::TokenIds> tokens(std::span<const uint32_t> texts);

  void count(WorkCounts& counts) const;

 private:
  const Table& plan_;
  const NetworkParts& parts_;
  mutable std::mutex mutex_;  // guards the rest
  std::map<uint32_t, bool> truncated_;
};

inline void append_rows(models::Matrix& all, const models::Matrix& more) {
  all.num_rows += more.num_rows;
  all.values.insert(all.values.end(), more.values.begin(), more.values.end());
}
inline void append_rows(std::vector<std::vector<double>>& all,
                        const std::vector<std::vector<double>>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

// The first and the second half of the visuals of a batch; `frames` says how many pictures each
// has.
std::vector<PixelBatch> halves_of(PixelBatch&& batch,
                                  const std::function<size_t(uint32_t)>& frames);
// Calls `work` with all texts, or with one after the other where the network's rows are not exact;
// the values it returns are joined.
template <typename Work>
auto in_batches(std::span<const models::TokenIds> texts, bool is_row_exact, Work work) {
  if (is_row_exact || texts.size() < 2) return work(texts);
  auto all = work(texts.first(1));
  for (size_t i = 1; i < texts.size(); ++i) append_rows(all, work(texts.subspan(i, 1)));
  return all;
}

}  // namespace snellen::inference
