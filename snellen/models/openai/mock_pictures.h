// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "snellen/base/content_key.h"
#include "snellen/base/error.h"

namespace snellen::models::openai {

// What the mock server knows of a picture.
struct MockPicture {
  std::string sha256;  // of the encoded bytes
  // Mean difference of horizontal neighbours; none for bytes that are no picture.
  std::optional<double> texture = std::nullopt;
};

// Decodes data URLs, each once while it is among the latest: benchmarks show few pictures often.
// Safe from many threads.
class MockPictures {
 public:
  // Textures are measured where they are wanted.
  explicit MockPictures(bool wants_texture) : wants_texture_(wants_texture) {}
  using Held = std::shared_ptr<const MockPicture>;
  Result<Held> of(std::string_view data_url);

 private:
  const bool wants_texture_;
  std::mutex mutex_;  // guards the following
  std::map<ContentKey, Held> known_;
  std::deque<ContentKey> latest_;  // the oldest first
};

}  // namespace snellen::models::openai
