// SPDX-License-Identifier: Apache-2.0
#include "snellen/inference/visuals/shared_pictures.h"

#include <algorithm>

namespace snellen::inference {
namespace {

ContentKey key_of(const std::filesystem::path& file) {
  return content_key(file.native());
}

uint64_t bytes_of(const Result<SharedPictures::Picture>& made) {
  return made ? (*made)->pixels.size() : 0;
}

}  // namespace

SharedPictures::Decode SharedPictures::decoder(bool alpha_on_white) {
  return [alpha_on_white](std::string_view bytes, std::string_view where, bool& has_alpha) {
    return media::decode_image(
        bytes, where, {.alpha_on_white = alpha_on_white, .has_alpha = &has_alpha});
  };
}

Result<SharedPictures::Picture> SharedPictures::decoded(const FileBytes& file) const {
  bool has_alpha = false;
  Result<media::Image> picture = decode_(file.bytes(), file.path().native(), has_alpha);
  if (has_alpha) ++num_transparent_;
  if (!picture) return picture.error();
  return std::make_shared<const media::Image>(std::move(picture).value());
}

PictureClient::~PictureClient() {
  {
    std::lock_guard lock(shared_.mutex_);
    for (const auto& [key, times] : wanted_) shared_.release(key, times);
    if (has_expected_) {
      std::erase(shared_.clients_, this);
    } else {
      --shared_.num_pending_;
    }
  }
  shared_.changed_.notify_all();
}

void PictureClient::expect(const std::vector<std::filesystem::path>& files) {
  {
    std::lock_guard lock(shared_.mutex_);
    SNELLEN_CHECK(!has_expected_);
    for (const std::filesystem::path& file : files) {
      ++wanted_[key_of(file)];
      ++shared_.entries_[key_of(file)].num_wanting;
    }
    has_expected_ = true;
    shared_.clients_.push_back(this);
    --shared_.num_pending_;
  }
  shared_.changed_.notify_all();
}

void PictureClient::wait_for_others() {
  std::unique_lock lock(shared_.mutex_);
  shared_.changed_.wait(lock, [&] { return shared_.num_pending_ == 0; });
}

bool PictureClient::is_wanted(const FileBytes& file) const {
  std::lock_guard lock(shared_.mutex_);
  return wanted_.contains(key_of(file.path()));
}

Result<SharedPictures::Picture> PictureClient::take(const FileBytes& file) {
  const ContentKey key = key_of(file.path());
  std::unique_lock lock(shared_.mutex_);
  auto wanted = wanted_.find(key);
  if (wanted == wanted_.end()) {
    // Never expected: nobody else waits for it with us.
    ++shared_.num_decoded_;
    ++num_decoded_;
    lock.unlock();
    return shared_.decoded(file);
  }
  if (--wanted->second == 0) wanted_.erase(wanted);
  SharedPictures::Entry& entry = shared_.entries_.at(key);  // its address stays
  shared_.changed_.wait(lock, [&] { return !entry.is_decoding; });
  if (!entry.made && entry.num_wanting > 1) {
    ++num_blocked_;
    shared_.changed_.wait(
        lock, [&] { return entry.made || entry.is_decoding || shared_.has_room(*this); });
    --num_blocked_;
    shared_.changed_.wait(lock, [&] { return !entry.is_decoding; });
  }
  if (!entry.made) {
    entry.is_decoding = true;
    ++shared_.num_decoded_;
    ++num_decoded_;
    lock.unlock();
    std::optional<Result<SharedPictures::Picture>> made;
    try {
      made = shared_.decoded(file);
    } catch (...) {
      // Out of memory: whoever waits for it tries for itself.
      lock.lock();
      entry.is_decoding = false;
      shared_.release(key);
      lock.unlock();
      shared_.changed_.notify_all();
      throw;
    }
    lock.lock();
    entry.is_decoding = false;
    if (entry.num_wanting > 1 && shared_.num_bytes_ < shared_.max_bytes_) {
      entry.made = made;
      shared_.num_bytes_ += bytes_of(*made);
    }
    shared_.release(key);
    lock.unlock();
    shared_.changed_.notify_all();
    return *std::move(made);
  }
  Result<SharedPictures::Picture> made = *entry.made;
  shared_.release(key);
  lock.unlock();
  shared_.changed_.notify_all();
  return made;
}

uint64_t SharedPictures::num_decoded() const {
  std::lock_guard lock(mutex_);
  return num_decoded_;
}

// There is room when there is, or when every other model waits for it too.
bool SharedPictures::has_room(const PictureClient& client) const {
  if (num_bytes_ < max_bytes_) return true;
  return std::all_of(clients_.begin(), clients_.end(), [&](const PictureClient* other) {
    return other == &client || other->num_blocked_ > 0;
  });
}

// It is wanted less often.
void SharedPictures::release(const ContentKey& key, size_t times) {
  Entry& entry = entries_.at(key);
  entry.num_wanting -= times;
  if (entry.num_wanting > 0 || !entry.made) return;
  num_bytes_ -= bytes_of(*entry.made);
  entry.made.reset();
}

}  // namespace snellen::inference
