// SPDX-License-Identifier: Apache-2.0
#include "snellen/training/data/batch_maker.h"

#include <numeric>

#include <fmt/format.h>

#include "snellen/base/error.h"
#include "snellen/base/rng.h"

namespace snellen::training {
namespace {

constexpr int kMostDraws = 64;
constexpr size_t kReasonsKept = 3;

}  // namespace

BatchMaker::BatchMaker(const SampleSource& source,
                       const text::Tokenizer& tokenizer,
                       BatchOptions options)
    : source_(source), tokenizer_(tokenizer), options_(options) {
  uint64_t wanted = options_.batch_size * static_cast<uint64_t>(options_.num_ranks);
  SNELLEN_CHECK(wanted > 0);
  if (source_.size() < wanted) {
    throw Error{ErrorCode::kInvalidInput,
                fmt::format("{} samples do not fill one batch of {}", source_.size(), wanted),
                source_.identity(),
                "pass a smaller --batch-size, or more samples"};
  }
  SNELLEN_CHECK(source_.size() < (uint64_t{1} << 32));
  batches_per_epoch_ = source_.size() / wanted;
}

std::shared_ptr<const BatchMaker::Order> BatchMaker::order_of(uint64_t epoch) const {
  std::lock_guard lock(mutex_);
  std::shared_ptr<const Order>& order = orders_[epoch];
  if (!order) {
    auto drawn = std::make_shared<Order>(source_.size());
    std::iota(drawn->begin(), drawn->end(), 0U);
    Rng rng = Rng(options_.seed).fork("train-order").fork(epoch);
    rng.shuffle<uint32_t>(*drawn);
    order = std::move(drawn);
  }
  std::shared_ptr<const Order> wanted = order;
  // Threads are at most a few batches apart.
  while (orders_.size() > 3) orders_.erase(orders_.begin());
  return wanted;
}

Sample BatchMaker::readable(uint64_t epoch, uint64_t index, Batch& batch) const {
  Result<Sample> sample = source_.sample(epoch, index);
  if (sample) return std::move(sample).value();
  ++batch.num_replaced;
  if (batch.reasons.size() < kReasonsKept) batch.reasons.emplace_back(sample.error().what());
  Rng rng = Rng(options_.seed).fork("train-replacement").fork(epoch).fork(index);
  for (int draw = 0; draw < kMostDraws; ++draw) {
    Result<Sample> other = source_.sample(epoch, rng.below(source_.size()));
    if (other) return std::move(other).value();
  }
  throw sample.error().within("no sample can be read");
}

void BatchMaker::add(Sample&& sample, uint32_t number, Batch& batch) const {
  auto first_visual = static_cast<uint32_t>(batch.num_visuals);
  auto first_text = static_cast<uint32_t>(batch.texts.size());
  auto moved = [&](Match match) {
    return Match{match.visual + first_visual, match.text + first_text};
  };
  for (const media::Image& picture : sample.pictures) {
    SNELLEN_CHECK(picture.width == picture.height);
    SNELLEN_CHECK(batch.side == 0 || batch.side == picture.width);
    batch.side = picture.width;
    batch.pixels.insert(batch.pixels.end(), picture.pixels.begin(), picture.pixels.end());
  }
  batch.num_visuals += static_cast<int64_t>(sample.pictures.size()) / options_.num_frames;
  for (const std::string& text : sample.texts)
    batch.texts.push_back(tokenizer_.encode(text, {.max_length = options_.max_tokens}).ids);
  for (const Match& match : sample.matches) batch.matches.push_back(moved(match));
  for (const Contrast& contrast : sample.contrasts) {
    batch.contrasts.push_back({moved(contrast.right),
                               moved(contrast.wrong),
                               contrast.weight / static_cast<float>(options_.batch_size),
                               contrast.kind,
                               number});
  }
}

Batch BatchMaker::make(uint64_t number) const {
  uint64_t epoch = number / batches_per_epoch_;
  uint64_t first = (number % batches_per_epoch_ * static_cast<uint64_t>(options_.num_ranks) +
                    static_cast<uint64_t>(options_.rank)) *
                   options_.batch_size;
  std::shared_ptr<const Order> order = order_of(epoch);
  Batch batch;
  batch.num_frames = options_.num_frames;
  for (uint64_t i = 0; i < options_.batch_size; ++i)
    add(readable(epoch, (*order)[first + i], batch), static_cast<uint32_t>(i), batch);
  return batch;
}

}  // namespace snellen::training
