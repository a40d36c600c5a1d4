// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/resample/resize.h"

#include <cstring>

#include "snellen/base/error.h"
#include "snellen/media/resample/passes.h"
#include "snellen/media/resample/weights.h"

namespace snellen::media {
namespace {

// The input column or row of each output, as Pillow's affine transform steps through it: the
// position is summed up, not multiplied.
std::vector<int> nearest_inputs(const Axis& axis) {
  const double step = static_cast<double>(static_cast<float>(axis.in_size)) / axis.out_size;
  double position = step * 0.5;
  std::vector<int> inputs;
  for (int i = 0; i < axis.first + axis.count; ++i) {
    if (i >= axis.first) inputs.push_back(std::min(static_cast<int>(position), axis.in_size - 1));
    position += step;
  }
  return inputs;
}

Image nearest(const Image& source, const Axis& across, const Axis& down) {
  Image result = Image::blank(across.count, down.count);
  const std::vector<int> columns = nearest_inputs(across);
  const std::vector<int> rows = nearest_inputs(down);
  for (int y = 0; y < result.height; ++y) {
    const uint8_t* in = source.row(rows[static_cast<size_t>(y)]).data();
    uint8_t* out = result.row(y).data();
    for (int column : columns) {
      std::memcpy(out, in + size_t{3} * static_cast<size_t>(column), 3);
      out += 3;
    }
  }
  return result;
}

BytesView view_of(const Image& image) {
  return {image.pixels.data(),
          image.stride(),
          image.stride(),
          image.height,
          image.pixels.data() + image.pixels.size()};
}

struct Span {
  int first = 0;
  int count = 0;
};

Span span_of(const Axis& axis) {
  return {axis.first, axis.count};
}

Span inputs_of(const Weights& weights) {
  return {weights.first_input(), weights.end_input() - weights.first_input()};
}

BytesView part_of(const BytesView& whole, Span columns, Span rows) {
  BytesView part = whole;
  part.first += whole.stride * static_cast<size_t>(rows.first) +
                size_t{3} * static_cast<size_t>(columns.first);
  part.row_bytes = size_t{3} * static_cast<size_t>(columns.count);
  part.num_rows = rows.count;
  return part;
}

bool is_vertical_first(const Axis& across, const Axis& down) {
  const int64_t lost_height = int64_t{down.in_size} - down.out_size;
  const int64_t lost_width = int64_t{across.in_size} - across.out_size;
  return lost_height > 0 && lost_height > 2 * lost_width;
}

void copy_rows(const BytesView& in, Image& out) {
  for (int y = 0; y < out.height; ++y) std::memcpy(out.row(y).data(), in.row(y), out.stride());
}

}  // namespace

Image resize(const Image& source, const ResizeTarget& target, SimdLevel level) {
  SNELLEN_CHECK(source.width > 0 && source.height > 0 && target.width > 0 && target.height > 0);
  const Rectangle window = target.window.value_or(Rectangle{0, 0, target.width, target.height});
  SNELLEN_CHECK(window.left >= 0 && window.top >= 0 && window.width > 0 && window.height > 0);
  SNELLEN_CHECK(window.width <= target.width - window.left);
  SNELLEN_CHECK(window.height <= target.height - window.top);
  const Axis across{source.width, target.width, window.left, window.width};
  const Axis down{source.height, target.height, window.top, window.height};
  if (target.filter == Filter::kNearest) return nearest(source, across, down);

  Image result = Image::blank(window.width, window.height);
  const BytesView input = view_of(source);
  if (across.is_identity() && down.is_identity()) {
    copy_rows(part_of(input, span_of(across), span_of(down)), result);
  } else if (down.is_identity()) {
    horizontal_pass(part_of(input, {0, source.width}, span_of(down)),
                    Weights(across, target.filter),
                    result,
                    level);
  } else if (across.is_identity()) {
    vertical_pass(part_of(input, span_of(across), {0, source.height}),
                  Weights(down, target.filter),
                  result,
                  level);
  } else {
    Weights horizontal(across, target.filter);
    Weights vertical(down, target.filter);
    if (target.order == PassOrder::kPillow13 && is_vertical_first(across, down)) {
      const Span columns = inputs_of(horizontal);
      horizontal.shift(columns.first);
      Image between = Image::blank(columns.count, window.height);
      vertical_pass(part_of(input, columns, {0, source.height}), vertical, between, level);
      horizontal_pass(view_of(between), horizontal, result, level);
    } else {
      const Span rows = inputs_of(vertical);
      vertical.shift(rows.first);
      Image between = Image::blank(window.width, rows.count);
      horizontal_pass(part_of(input, {0, source.width}, rows), horizontal, between, level);
      vertical_pass(view_of(between), vertical, result, level);
    }
  }
  return result;
}

}  // namespace snellen::media
