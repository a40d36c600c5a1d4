// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/video/frame_converter.h"

#include <cstring>

namespace snellen::media {
namespace {

bool is_full_range(const AVFrame& frame) {
  switch (frame.format) {
    case AV_PIX_FMT_YUVJ420P:
    case AV_PIX_FMT_YUVJ422P:
    case AV_PIX_FMT_YUVJ444P:
    case AV_PIX_FMT_YUVJ440P:
    case AV_PIX_FMT_YUVJ411P:
      return true;
    default:
      return frame.color_range == AVCOL_RANGE_JPEG;
  }
}

Frame allocated(AVPixelFormat format, int width, int height) {
  Frame frame(av_frame_alloc());
  if (frame == nullptr) return {};
  frame->format = format;
  frame->width = width;
  frame->height = height;
  // Rows padded as FFmpeg likes them: swscale's vector code writes past the end of tight rows.
  if (av_frame_get_buffer(frame.get(), 0) < 0) return {};
  return frame;
}

}  // namespace

bool FrameConverter::prepare(const AVFrame& frame, int height, AVPixelFormat format) {
  const int range = is_full_range(frame) ? 1 : 0;
  if (scaler_ != nullptr && width_ == frame.width && height_ == height && from_ == frame.format &&
      to_ == format && colour_space_ == frame.colorspace && range_ == range) {
    return true;
  }
  scaler_.reset(sws_getContext(frame.width,
                               height,
                               static_cast<AVPixelFormat>(frame.format),
                               frame.width,
                               height,
                               format,
                               SWS_BILINEAR,
                               nullptr,
                               nullptr,
                               nullptr));
  if (scaler_ == nullptr) return false;
  constexpr int kOne = 1 << 16;
  const AVPixFmtDescriptor* target = av_pix_fmt_desc_get(format);
  const AVPixFmtDescriptor* source = av_pix_fmt_desc_get(static_cast<AVPixelFormat>(frame.format));
  const bool is_to_rgb = (target->flags & AV_PIX_FMT_FLAG_RGB) != 0;
  const bool is_from_rgb = (source->flags & AV_PIX_FMT_FLAG_RGB) != 0;
  // Pictures become video of BT.601 and limited range, which is what the stream then says of
  // itself; swscale would take their colour space (RGB) for BT.709.
  const int* coefficients = sws_getCoefficients(is_from_rgb ? SWS_CS_ITU601 : frame.colorspace);
  const int target_range = is_to_rgb ? 1 : is_from_rgb ? 0 : range;
  // Fails for pairs that need no colour arithmetic, which is fine.
  sws_setColorspaceDetails(
      scaler_.get(), coefficients, range, coefficients, target_range, 0, kOne, kOne);
  width_ = frame.width;
  height_ = height;
  from_ = frame.format;
  to_ = format;
  colour_space_ = frame.colorspace;
  range_ = range;
  return true;
}

Frame FrameConverter::convert(const AVFrame& frame, AVPixelFormat format) {
  Frame converted = allocated(format, frame.width, frame.height);
  if (converted == nullptr) return {};
  // The lines of an interlaced frame are two pictures: chroma may not be mixed between them.
  const int num_fields = frame.interlaced_frame != 0 && frame.height > 1 ? 2 : 1;
  for (int field = 0; field < num_fields; ++field) {
    if (!convert_field(frame, *converted, field, num_fields)) return {};
  }
  return converted;
}

bool FrameConverter::convert_field(const AVFrame& frame,
                                   AVFrame& converted,
                                   int field,
                                   int num_fields) {
  const int height = (frame.height + num_fields - 1 - field) / num_fields;
  if (!prepare(frame, height, static_cast<AVPixelFormat>(converted.format))) return false;
  const uint8_t* from[AV_NUM_DATA_POINTERS] = {};
  uint8_t* to[AV_NUM_DATA_POINTERS] = {};
  int from_stride[AV_NUM_DATA_POINTERS] = {};
  int to_stride[AV_NUM_DATA_POINTERS] = {};
  for (int plane = 0; plane < AV_NUM_DATA_POINTERS; ++plane) {
    if (frame.data[plane] != nullptr) {
      from[plane] = frame.data[plane] + ptrdiff_t{field} * frame.linesize[plane];
    }
    if (converted.data[plane] != nullptr) {
      to[plane] = converted.data[plane] + ptrdiff_t{field} * converted.linesize[plane];
    }
    from_stride[plane] = frame.linesize[plane] * num_fields;
    to_stride[plane] = converted.linesize[plane] * num_fields;
  }
  return sws_scale(scaler_.get(), from, from_stride, 0, height, to, to_stride) == height;
}

bool FrameConverter::to_image(const AVFrame& frame, Image& image) {
  const Frame rgb = convert(frame, AV_PIX_FMT_RGB24);
  if (rgb == nullptr) return false;
  image = Image::blank(frame.width, frame.height);
  for (int y = 0; y < frame.height; ++y) {
    const auto row = image.row(y);
    std::memcpy(
        row.data(), rgb->data[0] + static_cast<ptrdiff_t>(y) * rgb->linesize[0], row.size());
  }
  return true;
}

Frame frame_of(const Image& image) {
  Frame frame = allocated(AV_PIX_FMT_RGB24, image.width, image.height);
  if (frame == nullptr) return {};
  for (int y = 0; y < image.height; ++y) {
    const auto row = image.row(y);
    std::memcpy(
        frame->data[0] + static_cast<ptrdiff_t>(y) * frame->linesize[0], row.data(), row.size());
  }
  frame->colorspace = AVCOL_SPC_RGB;
  frame->color_range = AVCOL_RANGE_JPEG;
  return frame;
}

}  // namespace snellen::media
