// SPDX-License-Identifier: Apache-2.0
#include <csetjmp>
#include <cstring>

#include <png.h>
#include <zlib.h>

#include "snellen/base/error.h"
#include "snellen/media/codecs/encode.h"

namespace snellen::media {
namespace {

// libpng leaves by longjmp, which runs no destructors: write() holds only plain locals.
class PngWriter {
 public:
  PngWriter() {
    png_ = png_create_write_struct(
        PNG_LIBPNG_VER_STRING, this, fail, [](png_structp, png_const_charp) {});
    info_ = png_ ? png_create_info_struct(png_) : nullptr;
  }
  ~PngWriter() { png_destroy_write_struct(&png_, &info_); }
  PngWriter(const PngWriter&) = delete;
  PngWriter& operator=(const PngWriter&) = delete;

  bool write(const Image& image, const PngOptions& options) {
    if (!info_ || setjmp(png_jmpbuf(png_)) != 0) return false;
    png_set_write_fn(png_, this, take, [](png_structp) {});
    png_set_IHDR(png_,
                 info_,
                 static_cast<png_uint_32>(image.width),
                 static_cast<png_uint_32>(image.height),
                 8,
                 PNG_COLOR_TYPE_RGB,
                 PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_set_compression_level(png_, options.compression);
    if (options.is_huffman_only) png_set_compression_strategy(png_, Z_HUFFMAN_ONLY);
    png_set_filter(png_, 0, options.is_filtered ? PNG_ALL_FILTERS : PNG_FILTER_NONE);
    png_write_info(png_, info_);
    for (int y = 0; y < image.height; ++y) png_write_row(png_, image.row(y).data());
    png_write_end(png_, nullptr);
    return true;
  }

  std::string take_bytes() { return std::move(bytes_); }
  const char* message() const { return message_; }

 private:
  [[noreturn]] static void fail(png_structp png, png_const_charp message) {
    PngWriter* self = static_cast<PngWriter*>(png_get_error_ptr(png));
    std::strncpy(self->message_, message, sizeof self->message_ - 1);
    png_longjmp(png, 1);
  }
  static void take(png_structp png, png_bytep data, size_t num_bytes) {
    PngWriter* self = static_cast<PngWriter*>(png_get_io_ptr(png));
    self->bytes_.append(reinterpret_cast<const char*>(data), num_bytes);
  }

  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
  char message_[200] = "out of memory";
  std::string bytes_;
};

}  // namespace

std::string encode_png(const Image& image, const PngOptions& options) {
  SNELLEN_CHECK(image.width > 0 && image.height > 0);
  SNELLEN_CHECK(image.pixels.size() == image.stride() * static_cast<size_t>(image.height));
  PngWriter writer;
  if (!writer.write(image, options))
    throw Error{ErrorCode::kInternal, std::string("cannot write PNG: ") + writer.message()};
  return writer.take_bytes();
}

}  // namespace snellen::media
