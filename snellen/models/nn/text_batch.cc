// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/nn/text_batch.h"

#include <algorithm>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "snellen/base/error.h"
#include "snellen/models/nn/convert.h"
#include "snellen/models/nn/lengths.h"

namespace snellen::models::nn {
namespace {

// Tokens of a joined batch over those of batches by length.
constexpr int64_t kMostPadding = 2;

void check_text(const TokenIds& text, size_t place, const TextBatchOptions& options) {
  auto fail = [&](std::string what) {
    throw Error{ErrorCode::kInvalidInput,
                std::move(what),
                fmt::format("text {}", place),
                "is the tokenizer the one of this model?"};
  };
  if (text.empty()) fail("has no tokens");
  if (options.max_tokens > 0 && static_cast<int64_t>(text.size()) > options.max_tokens)
    fail(fmt::format("has {} tokens, the model takes {}", text.size(), options.max_tokens));
  for (int32_t id : text) {
    if (id < 0 || id >= options.vocabulary)
      fail(fmt::format("token {} is outside the vocabulary of {}", id, options.vocabulary));
  }
}

TextBatch batch_of(std::span<const TokenIds> texts,
                   std::vector<size_t> places,
                   int64_t length,
                   const TextBatchOptions& options) {
  TextBatch batch;
  auto n = static_cast<int64_t>(places.size());
  std::vector<int64_t> ids(static_cast<size_t>(n * length), options.pad_id);
  std::vector<float> hidden(ids.size(), 0.0F);
  bool has_padding = false;
  for (size_t row = 0; row < places.size(); ++row) {
    const TokenIds& text = texts[places[row]];
    auto begin = ids.begin() + static_cast<ptrdiff_t>(row) * length;
    std::copy(text.begin(), text.end(), begin);
    auto hidden_begin = hidden.begin() + static_cast<ptrdiff_t>(row) * length;
    std::fill(hidden_begin + static_cast<ptrdiff_t>(text.size()),
              hidden_begin + length,
              -std::numeric_limits<float>::infinity());
    has_padding |= static_cast<int64_t>(text.size()) < length;
    batch.lengths.push_back(static_cast<int64_t>(text.size()));
  }
  batch.ids = at::tensor(ids, at::kLong).view({n, length}).to(options.device);
  if (has_padding) {
    batch.hidden_keys = at::tensor(hidden, at::kFloat)
                            .view({n, 1, 1, length})
                            .to(at::TensorOptions(options.device).dtype(options.mask_type));
  }
  batch.places = std::move(places);
  return batch;
}

// One batch for all lengths where that pads little. Only for devices: bits do not depend on the
// batch on the CPU.
void join_lengths(std::map<int64_t, std::vector<size_t>>& places_by_length) {
  if (places_by_length.size() < 2) return;
  auto [longest, all] = *places_by_length.rbegin();
  int64_t num_tokens = 0, num_texts = 0;
  for (const auto& [length, places] : places_by_length) {
    num_tokens += length * static_cast<int64_t>(places.size());
    num_texts += static_cast<int64_t>(places.size());
    if (length != longest) all.insert(all.end(), places.begin(), places.end());
  }
  if (longest * num_texts > kMostPadding * num_tokens) return;
  std::sort(all.begin(), all.end());
  places_by_length.clear();
  places_by_length.emplace(longest, std::move(all));
}

}  // namespace

std::vector<TextBatch> batches_of(std::span<const TokenIds> texts,
                                  const TextBatchOptions& options) {
  std::map<int64_t, std::vector<size_t>> places_by_length;
  for (size_t i = 0; i < texts.size(); ++i) {
    check_text(texts[i], i, options);
    auto length = static_cast<int64_t>(texts[i].size());
    length = options.fixed_length > 0 ? options.fixed_length
                                      : rounded_up_length(length + options.beside) - options.beside;
    places_by_length[length].push_back(i);
  }
  if (!options.device.is_cpu()) join_lengths(places_by_length);
  std::vector<TextBatch> batches;
  batches.reserve(places_by_length.size());
  for (const auto& [length, places] : places_by_length) {
    size_t most = options.most_texts > 0 ? static_cast<size_t>(options.most_texts) : places.size();
    for (size_t begin = 0; begin < places.size(); begin += most) {
      auto first = places.begin() + static_cast<ptrdiff_t>(begin);
      auto last = places.begin() + static_cast<ptrdiff_t>(std::min(begin + most, places.size()));
      batches.push_back(batch_of(texts, {first, last}, length, options));
    }
  }
  return batches;
}

at::Tensor positions_of(int64_t length, int64_t positions, at::Device device) {
  return at::arange(length, at::TensorOptions(device).dtype(at::kLong)).clamp_max(positions - 1);
}

at::Tensor mean_over_tokens(const at::Tensor& states, const TextBatch& batch) {
  at::Tensor x = states.to(at::kFloat);
  std::vector<at::Tensor> rows;
  for (int64_t i = 0; i < batch.size(); ++i)
    rows.push_back(x[i].narrow(0, 0, batch.lengths[static_cast<size_t>(i)]).mean(0));
  return at::stack(rows);
}

TextBatchOptions batching_of(int64_t vocabulary,
                             int64_t max_tokens,
                             const at::TensorOptions& options) {
  return {.vocabulary = vocabulary,
          .max_tokens = max_tokens,
          .device = options.device(),
          .mask_type = c10::typeMetaToScalarType(options.dtype())};
}

Matrix rows_by_text(
    std::span<const TokenIds> texts,
    const TextBatchOptions& options,
    Trace* trace,
    const std::function<at::Tensor(const TextBatch& batch, Trace* trace)>& rows_of) {
  RowsByText rows(texts.size());
  for (const TextBatch& batch : batches_of(texts, options))
    rows.put(batch, rows_of(batch, batch.places[0] == 0 ? trace : nullptr));
  return rows.matrix();
}

void RowsByText::put(const TextBatch& batch, const at::Tensor& rows) {
  Matrix part = to_matrix(rows);
  if (matrix_.values.empty()) {
    matrix_.num_rows = num_texts_;
    matrix_.num_columns = part.num_columns;
    matrix_.values.resize(num_texts_ * part.num_columns);
  }
  for (size_t i = 0; i < batch.places.size(); ++i) {
    std::span<const float> row = part.row(i);
    std::copy(
        row.begin(),
        row.end(),
        matrix_.values.begin() + static_cast<ptrdiff_t>(batch.places[i] * matrix_.num_columns));
  }
}

Matrix RowsByText::matrix() const {
  return matrix_;
}

}  // namespace snellen::models::nn
