// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "snellen/base/files.h"
#include "snellen/inference/visuals/decode_budget.h"
#include "snellen/inference/visuals/shared_pictures.h"
#include "snellen/media/codecs/jpeg_scan.h"
#include "snellen/media/processor/image_processor.h"
#include "snellen/media/visual_place.h"

namespace snellen::inference {

// A picture that the network's device decodes.
struct CodedFile {
  FileBytes file;
  media::jpeg::Scan scan;
  std::shared_ptr<const media::Cut> cut;
};

// One visual as the processor cut it: a picture, or the frames of a clip one after the other.
struct VisualPixels {
  int64_t num_frames = 1;
  int64_t height = 0;
  int64_t width = 0;
  std::vector<uint8_t> bytes;              // [num_frames, height, width, 3]
  bool is_masked = false;                  // zeros stand for its pixels
  media::FrameIndices frames = {};         // of a clip, those that are shown
  std::vector<double> frame_seconds = {};  // the times of those, where the clip was read here
  std::unique_ptr<CodedFile> coded = {};   // instead of bytes
};

// Decodes and prepares visuals. Const methods are safe from many threads.
class VisualReader {
 public:
  static constexpr size_t kMostFrames = 256;  // of a clip
  struct Options {
    int64_t frames_per_clip = 8;  // where the clip does not say
    // Whether a clip with fewer frames repeats its last one; the reference's BLIP-2 does not.
    bool pads_clips = true;
    bool masks_clips = false;  // zeros instead of pixels
    bool is_compat = false;
    bool leaves_coded = false;                                 // pictures that a device can decode
    uint64_t max_decoded_bytes = DecodeBudget::usual_bytes();  // of all threads together
  };
  // With a client, pictures that are needed again are decoded once.
  VisualReader(const media::ImageProcessor& processor,
               const Options& options,
               PictureClient* client = nullptr)
      : processor_(processor),
        options_(options),
        client_(client),
        budget_(options.max_decoded_bytes) {}

  // A picture whose file was read by the caller.
  Result<VisualPixels> decode(FileBytes&& file, const media::VisualPlace& place) const;
  Result<VisualPixels> read_clip(const media::VisualPlace& place) const;

  // A picture that is there already.
  Result<VisualPixels> prepared(const media::Image& picture) const;

  // What decode() would have made of a coded picture.
  Result<VisualPixels> decode_here(const FileBytes& file) const;

  // Pictures and clips; those that somebody else decoded for all do not count.
  uint64_t num_decoded() const { return num_decoded_ + (client_ ? client_->num_decoded() : 0); }
  // Pictures with an alpha channel or a transparent colour, of those decoded for all.
  uint64_t num_transparent() const { return client_ ? client_->num_transparent() : 0; }

 private:
  // Null where the device cannot decode it; the file is then as it was.
  std::unique_ptr<CodedFile> coded(FileBytes& file) const;
  std::shared_ptr<const media::Cut> cut_of(int width, int height) const;

  const media::ImageProcessor& processor_;
  Options options_;
  PictureClient* client_;
  mutable DecodeBudget budget_;
  mutable std::atomic<uint64_t> num_decoded_ = 0;
  mutable std::mutex mutex_;  // guards cuts_
  mutable std::map<std::pair<int, int>, std::shared_ptr<const media::Cut>> cuts_;
};

}  // namespace snellen::inference
