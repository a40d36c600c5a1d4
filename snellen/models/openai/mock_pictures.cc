// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/openai/mock_pictures.h"

#include <cmath>

#include "snellen/base/base64.h"
#include "snellen/base/hash.h"
#include "snellen/media/codecs/decode.h"

namespace snellen::models::openai {
namespace {

constexpr size_t kMostKnown = 64;

std::optional<double> texture_of(const std::string& bytes) {
  Result<media::Image> image = media::decode_image(bytes, "image_url");
  if (!image || image->width < 2) return std::nullopt;
  double sum = 0;
  for (int y = 0; y < image->height; ++y) {
    std::span<const uint8_t> row = image->row(y);
    auto luma = [&](int x) {
      const uint8_t* p = row.data() + 3 * static_cast<size_t>(x);
      return .299 * p[0] + .587 * p[1] + .114 * p[2];
    };
    for (int x = 0; x + 1 < image->width; ++x) sum += std::abs(luma(x + 1) - luma(x));
  }
  return sum / (static_cast<double>(image->width - 1) * image->height);
}

}  // namespace

Result<MockPictures::Held> MockPictures::of(std::string_view data_url) {
  constexpr std::string_view kBase64 = ";base64,";
  const size_t comma = data_url.find(kBase64);
  if (!data_url.starts_with("data:image/") || comma == std::string_view::npos)
    return Error{ErrorCode::kInvalidInput, "image_url is no data URL"};
  const ContentKey key = content_key(data_url);
  {
    std::lock_guard lock(mutex_);
    const auto found = known_.find(key);
    if (found != known_.end()) return found->second;
  }
  const Result<std::string> bytes = from_base64(data_url.substr(comma + kBase64.size()));
  if (!bytes) return bytes.error();
  auto picture = std::make_shared<MockPicture>(MockPicture{.sha256 = sha256_hex(*bytes)});
  if (wants_texture_) picture->texture = texture_of(*bytes);
  std::lock_guard lock(mutex_);
  if (known_.emplace(key, picture).second) latest_.push_back(key);
  if (latest_.size() > kMostKnown) {
    known_.erase(latest_.front());
    latest_.pop_front();
  }
  return Held(std::move(picture));
}

}  // namespace snellen::models::openai
