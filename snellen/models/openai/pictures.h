// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "snellen/media/codecs/encode.h"
#include "snellen/media/image.h"
#include "snellen/media/video/clip.h"
#include "snellen/models/openai/chat.h"
#include "snellen/models/worker.h"
#include "snellen/questions/visual.h"

namespace snellen::models::openai {

struct PictureOptions {
  bool is_jpeg = false;  // else PNG
  int jpeg_quality = 95;
  media::ChromaSubsampling jpeg_subsampling = media::ChromaSubsampling::k420;
  int max_side = 0;  // larger pictures are made smaller; 0: as they are
  // After noise, which then shows the picture again: a mean of noise is nearly the picture.
  bool shrinks_last = false;
  int64_t frames_per_clip = 8;
  bool is_compat = false;
};

// A visual as it is sent: its picture, the frames of its clip, or nothing where its place says so.
struct ShownPictures {
  std::vector<Picture> pictures;
  media::FrameIndices frames;  // counted in the clip
};

// Reads and encodes visuals, each once while it is used or was used lately. All are encoded alike,
// so that the format tells nothing. Safe from many threads.
class Pictures {
 public:
  explicit Pictures(const PictureOptions& options) : options_(options) {}
  using Held = std::shared_ptr<const ShownPictures>;
  // `picture` gives the file of its place; without it the file is read here.
  Result<Held> show(const questions::Visual& visual, const SharedPicture& picture = {});

 private:
  struct Entry {
    std::once_flag once;
    ShownPictures shown;
    std::unique_ptr<Error> failure;
    size_t num_bytes = 0;
  };
  void make(const questions::Visual& visual, const SharedPicture& picture, Entry& entry) const;
  Picture encode(media::Image image) const;
  void keep_recent(const std::string& key, const std::shared_ptr<Entry>& entry);

  const PictureOptions options_;
  std::mutex mutex_;  // guards the following
  std::map<std::string, std::weak_ptr<Entry>> known_;
  std::list<std::pair<std::string, std::shared_ptr<Entry>>> recent_;  // the latest first
  size_t recent_bytes_ = 0;
};

}  // namespace snellen::models::openai
