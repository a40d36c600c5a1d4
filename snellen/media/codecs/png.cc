// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <csetjmp>
#include <cstring>
#include <string>
#include <vector>

#include <png.h>

#include "snellen/media/codecs/exif.h"
#include "snellen/media/codecs/formats.h"

namespace snellen::media {
namespace {

// Deflate cannot make more than this many bytes of one.
constexpr size_t kMaxInflation = 1032;

// libpng leaves by longjmp, which runs no destructors: each member that calls it holds only plain
// locals, and everything that owns memory is a member.
class PngReader {
 public:
  explicit PngReader(const EncodedView& source) : source_(source), left_(source.bytes) {
    png_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, this, fail, ignore);
    info_ = png_ ? png_create_info_struct(png_) : nullptr;
  }
  ~PngReader() { png_destroy_read_struct(&png_, &info_, nullptr); }
  PngReader(const PngReader&) = delete;
  PngReader& operator=(const PngReader&) = delete;

  std::optional<Error> read_header() {
    if (!info_ || !header()) return error();
    return refuse_size(
        source_, ImageFormat::kPng, static_cast<int64_t>(width_), static_cast<int64_t>(height_));
  }
  ImageSize size() const { return {static_cast<int>(width_), static_cast<int>(height_)}; }

  Result<Decoded> read() {
    if (auto refused = read_header()) return *refused;
    if (!prepare()) return error();
    if (row_bytes_ * height_ / kMaxInflation > source_.bytes.size())
      return ends_early(source_, ImageFormat::kPng);
    decoded_.image = Image::blank(size().width, size().height);
    const bool is_direct = channels_ == 3 && depth_ == 8;
    if (!is_direct) raw_.resize(row_bytes_ * height_);
    for (size_t y = 0; y < height_; ++y) {
      rows_.push_back(is_direct ? decoded_.image.row(static_cast<int>(y)).data()
                                : raw_.data() + row_bytes_ * y);
    }
    if (!pixels()) return error();
    if (!is_direct) expand();
    return std::move(decoded_);
  }

 private:
  [[noreturn]] static void fail(png_structp png, png_const_charp message) {
    PngReader* self = static_cast<PngReader*>(png_get_error_ptr(png));
    std::strncpy(self->message_, message, sizeof self->message_ - 1);
    png_longjmp(png, 1);
  }
  static void ignore(png_structp, png_const_charp) {}
  static void give(png_structp png, png_bytep out, size_t num_bytes) {
    PngReader* self = static_cast<PngReader*>(png_get_io_ptr(png));
    if (self->left_.size() < num_bytes) {
      self->has_ended_ = true;
      png_error(png, "ends early");
    }
    std::memcpy(out, self->left_.data(), num_bytes);
    self->left_.remove_prefix(num_bytes);
  }

  Error error() const {
    if (has_ended_) return ends_early(source_, ImageFormat::kPng);
    return damaged(source_, ImageFormat::kPng, message_);
  }

  bool header() {
    if (setjmp(png_jmpbuf(png_)) != 0) return false;
    png_set_read_fn(png_, this, give);
    png_set_user_limits(png_, PNG_UINT_31_MAX, PNG_UINT_31_MAX);  // max_pixels is ours to check
    png_set_chunk_malloc_max(png_, 8'000'000);
    png_set_chunk_cache_max(png_, 100);
    png_read_info(png_, info_);
    width_ = png_get_image_width(png_, info_);
    height_ = png_get_image_height(png_, info_);
    return true;
  }

  // 16-bit grey keeps its depth, for Pillow clips it; any other 16-bit sample loses its low byte.
  bool prepare() {
    if (setjmp(png_jmpbuf(png_)) != 0) return false;
    int type = png_get_color_type(png_, info_);
    int depth = png_get_bit_depth(png_, info_);
    decoded_.has_alpha = is_see_through(type);
    if (source_.options.alpha_on_white && decoded_.has_alpha) {
      lay_on_white(type);
      return true;
    }
    is_palette_ = type == PNG_COLOR_TYPE_PALETTE;
    if (is_palette_) png_set_packing(png_);
    if (type == PNG_COLOR_TYPE_GRAY && depth < 8) png_set_expand_gray_1_2_4_to_8(png_);
    if (depth == 16 && type != PNG_COLOR_TYPE_GRAY) png_set_strip_16(png_);
    if (type & PNG_COLOR_MASK_ALPHA) png_set_strip_alpha(png_);
    update();
    read_palette();
    return true;
  }

  void update() {
    png_set_interlace_handling(png_);
    png_read_update_info(png_, info_);
    row_bytes_ = png_get_rowbytes(png_, info_);
    channels_ = png_get_channels(png_, info_);
    depth_ = png_get_bit_depth(png_, info_);
  }

  bool is_see_through(int type) const {
    return (type & PNG_COLOR_MASK_ALPHA) != 0 || png_get_valid(png_, info_, PNG_INFO_tRNS) != 0;
  }

  // Everything becomes 8-bit RGB.
  void lay_on_white(int type) {
    png_set_expand(png_);
    png_set_strip_16(png_);
    if ((type & PNG_COLOR_MASK_COLOR) == 0) png_set_gray_to_rgb(png_);
    png_color_16 white = {.index = 0, .red = 255, .green = 255, .blue = 255, .gray = 255};
    png_set_background(png_, &white, PNG_BACKGROUND_GAMMA_SCREEN, /*need_expand=*/0, 1.0);
    update();
  }

  void read_palette() {
    png_colorp colours = nullptr;
    int num_colours = 0;
    if (!is_palette_ || !png_get_PLTE(png_, info_, &colours, &num_colours)) return;
    for (int i = 0; i < std::min(num_colours, 256); ++i)
      palette_[static_cast<size_t>(i)] = {colours[i].red, colours[i].green, colours[i].blue};
  }

  // To the end of the file, so that one which is cut anywhere is told from a whole one.
  bool pixels() {
    if (setjmp(png_jmpbuf(png_)) != 0) return false;
    png_read_image(png_, rows_.data());
    png_read_end(png_, info_);
    png_uint_32 num_bytes = 0;
    png_bytep block = nullptr;
    if (png_get_eXIf_1(png_, info_, &num_bytes, &block))
      decoded_.orientation = exif_orientation({reinterpret_cast<char*>(block), num_bytes});
    return true;
  }

  void expand() {
    for (size_t y = 0; y < height_; ++y) {
      uint8_t* out = decoded_.image.row(static_cast<int>(y)).data();
      std::span<const uint8_t> row(rows_[y], row_bytes_);
      if (is_palette_) {
        expand_indices(row, palette_, out);
      } else if (depth_ == 8) {
        expand_grey(row, out);
      } else {
        for (size_t x = 0; x < width_; ++x, out += 3)
          out[0] = out[1] = out[2] = row[2 * x] > 0 ? 255 : row[2 * x + 1];
      }
    }
  }

  EncodedView source_;
  std::string_view left_;
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
  bool has_ended_ = false;
  char message_[200] = "out of memory";
  size_t width_ = 0;
  size_t height_ = 0;
  size_t row_bytes_ = 0;
  int channels_ = 0;
  int depth_ = 0;
  bool is_palette_ = false;
  Palette palette_{};
  Decoded decoded_;
  std::vector<uint8_t> raw_;
  std::vector<png_bytep> rows_;
};

}  // namespace

Result<ImageSize> png_size(const EncodedView& source) {
  PngReader reader(source);
  if (auto error = reader.read_header()) return *error;
  return reader.size();
}

Result<Decoded> decode_png(const EncodedView& source) {
  return PngReader(source).read();
}

}  // namespace snellen::media
