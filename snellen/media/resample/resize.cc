// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/resample/resize.h"

#include <array>
#include <cstring>

#include "snellen/base/error.h"
#include "snellen/media/resample/passes.h"
#include "snellen/media/resample/resize_plan.h"

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

BytesView part_of(const BytesView& whole, const Rectangle& part) {
  BytesView view = whole;
  view.first +=
      whole.stride * static_cast<size_t>(part.top) + size_t{3} * static_cast<size_t>(part.left);
  view.row_bytes = size_t{3} * static_cast<size_t>(part.width);
  view.num_rows = part.height;
  return view;
}

void copy_rows(const BytesView& in, Image& out) {
  for (int y = 0; y < out.height; ++y) std::memcpy(out.row(y).data(), in.row(y), out.stride());
}

// A row of millions of pixels would need hundreds of megabytes of weights at once.
constexpr size_t kMaxWeights = size_t{1} << 24;

Image two_passes(const Image& source,
                 const Axis& across,
                 const Axis& down,
                 const ResizeTarget& target,
                 SimdLevel level) {
  const ResizePlan plan = plan_passes(across, down, target.filter, target.order);
  BytesView in = part_of(view_of(source), plan.input);
  if (plan.passes.empty()) {
    Image result = Image::blank(across.count, down.count);
    copy_rows(in, result);
    return result;
  }
  Image done;
  for (const ResizePass& pass : plan.passes) {
    const int outputs = pass.weights.num_outputs();
    Image out = pass.is_vertical ? Image::blank(static_cast<int>(in.row_bytes / 3), outputs)
                                 : Image::blank(outputs, in.num_rows);
    (pass.is_vertical ? vertical_pass : horizontal_pass)(in, pass.weights, out, level);
    done = std::move(out);
    in = view_of(done);
  }
  return done;
}

// Halves the window until the weights of a part are few enough; parts do not depend on each other.
Image in_parts(const Image& source,
               const Axis& across,
               const Axis& down,
               const ResizeTarget& target,
               SimdLevel level) {
  const bool is_wide = num_weights(across, target.filter) > kMaxWeights && across.count > 1;
  const bool is_high = num_weights(down, target.filter) > kMaxWeights && down.count > 1;
  if (!is_wide && !is_high) return two_passes(source, across, down, target, level);
  std::array<Axis, 2> near = {across, down};
  std::array<Axis, 2> far = near;
  const size_t axis = is_wide ? 0 : 1;
  near[axis].count /= 2;
  far[axis].first += near[axis].count;
  far[axis].count -= near[axis].count;
  Image result = Image::blank(across.count, down.count);
  for (const std::array<Axis, 2>& part : {near, far}) {
    const Image piece = in_parts(source, part[0], part[1], target, level);
    const size_t left = size_t{3} * static_cast<size_t>(part[0].first - across.first);
    const int top = part[1].first - down.first;
    for (int y = 0; y < piece.height; ++y)
      std::memcpy(result.row(top + y).data() + left, piece.row(y).data(), piece.stride());
  }
  return result;
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
  return in_parts(source, across, down, target, level);
}

}  // namespace snellen::media
