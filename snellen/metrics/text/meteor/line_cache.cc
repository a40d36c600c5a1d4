// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/text/meteor/line_cache.h"

#include "snellen/text/meteor/hash_mix.h"

namespace snellen::metrics::meteor {
namespace {

constexpr size_t kNumSlots = 2048;     // a power of two
constexpr size_t kMaxKeptBytes = 160;  // longer texts seldom come back and would fill the memory
constexpr size_t kMaxWords = 30000;

}  // namespace

LineCache::LineCache(std::shared_ptr<const text::meteor::MeteorData> data)
    : data_(std::move(data)), words_(data_), slots_(kNumSlots) {}

const Line& LineCache::hypothesis(std::string_view text) {
  pinned_ = nullptr;
  const Line& line = read(text, spare_hypothesis_);
  if (&line != &spare_hypothesis_)
    pinned_ = &slots_[text::meteor::hash_bytes(text) & (kNumSlots - 1)];
  return line;
}

const Line& LineCache::reference(std::string_view text) {
  return read(text, spare_reference_);
}

const Line& LineCache::read(std::string_view text, Line& spare) {
  if (text.size() > kMaxKeptBytes) return fill(text, spare);
  Slot& slot = slots_[text::meteor::hash_bytes(text) & (kNumSlots - 1)];
  if (slot.is_filled && slot.text == text) return slot.line;
  if (&slot == pinned_) return fill(text, spare);
  slot.is_filled = false;  // should filling throw
  fill(text, slot.line);
  slot.text = text;
  slot.is_filled = true;
  return slot.line;
}

const Line& LineCache::fill(std::string_view text, Line& line) {
  line.assign(
      normalizer_.normalize(text), words_, data_->paraphrases ? &*data_->paraphrases : nullptr);
  if (line.size() > kMaxWords) {
    throw Error{ErrorCode::kInvalidInput,
                fmt::format("a line has {} words, at most {} are aligned", line.size(), kMaxWords),
                "METEOR",
                "score sentences, not documents"};
  }
  return line;
}

void LineCache::forget_if_full() {
  if (!words_.is_full()) return;
  words_.clear();
  for (Slot& slot : slots_) slot.is_filled = false;
}

}  // namespace snellen::metrics::meteor
