// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

#include "snellen/base/content_key.h"
#include "snellen/base/error.h"
#include "snellen/base/files.h"
#include "snellen/media/codecs/decode.h"
#include "snellen/media/image.h"

namespace snellen::inference {

class PictureClient;

// Pictures that several models of one call look at: each file is decoded once, kept until every
// model that wants it has taken it, and never more of them than a number of bytes. A model that is
// far ahead waits for the others; when all would wait, one goes on and keeps nothing.
class SharedPictures {
 public:
  using Picture = std::shared_ptr<const media::Image>;

  // How a picture is decoded; `has_alpha` says whether it has transparency.
  using Decode = std::function<Result<media::Image>(
      std::string_view bytes, std::string_view where, bool& has_alpha)>;
  // Dropping transparency, or laying it on white.
  static Decode decoder(bool alpha_on_white);
  SharedPictures(size_t num_models, uint64_t max_bytes, Decode decode = decoder(false))
      : decode_(std::move(decode)), num_pending_(num_models), max_bytes_(max_bytes) {}

  uint64_t num_decoded() const;

 private:
  friend class PictureClient;
  struct Entry {
    size_t num_wanting = 0;
    bool is_decoding = false;
    std::optional<Result<Picture>> made;
  };

  Result<Picture> decoded(const FileBytes& file) const;
  bool has_room(const PictureClient& client) const;
  void release(const ContentKey& key, size_t times = 1);

  const Decode decode_;
  mutable std::atomic<uint64_t> num_transparent_ = 0;
  mutable std::mutex mutex_;  // guards the rest and the clients
  std::condition_variable changed_;
  std::unordered_map<ContentKey, Entry, ContentKeyHash> entries_;
  std::vector<PictureClient*> clients_;
  size_t num_pending_;  // models that have not said what they expect
  uint64_t max_bytes_;
  uint64_t num_bytes_ = 0;
  uint64_t num_decoded_ = 0;
};

// One of the models, from its opening to its end. Safe from many threads once it has said what it
// expects.
class PictureClient {
 public:
  explicit PictureClient(SharedPictures& shared) : shared_(shared) {}
  ~PictureClient();
  PictureClient(const PictureClient&) = delete;
  PictureClient& operator=(const PictureClient&) = delete;

  // Told before the first picture: the files that this model will take, as often as they are named.
  void expect(const std::vector<std::filesystem::path>& files);
  // Waits until every model has said what it expects, or has gone.
  void wait_for_others();
  Result<SharedPictures::Picture> take(const FileBytes& file);
  // Whether it was expected and is still to be taken.
  bool is_wanted(const FileBytes& file) const;
  // How many this one decoded, for itself or for all.
  uint64_t num_decoded() const { return num_decoded_; }
  // Pictures with transparency, of all that were decoded for anybody.
  uint64_t num_transparent() const { return shared_.num_transparent_; }

 private:
  friend class SharedPictures;
  SharedPictures& shared_;
  bool has_expected_ = false;
  std::atomic<uint64_t> num_decoded_ = 0;
  size_t num_blocked_ = 0;                                         // threads that wait for room
  std::unordered_map<ContentKey, size_t, ContentKeyHash> wanted_;  // how often not taken yet
};

}  // namespace snellen::inference
