// SPDX-License-Identifier: Apache-2.0
// The first frame of a GIF on its canvas, as Pillow gives it.
#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include <gif_lib.h>

#include "snellen/media/codecs/formats.h"

namespace snellen::media {
namespace {

int give(GifFileType* gif, GifByteType* out, int num_bytes) {
  auto* left = static_cast<std::string_view*>(gif->UserData);
  size_t given = std::min(left->size(), static_cast<size_t>(std::max(num_bytes, 0)));
  std::memcpy(out, left->data(), given);
  left->remove_prefix(given);
  return static_cast<int>(given);
}

struct GifCloser {
  void operator()(GifFileType* gif) const { DGifCloseFile(gif, nullptr); }
};

class GifReader {
 public:
  explicit GifReader(const EncodedView& source) : source_(source), left_(source.bytes) {
    gif_.reset(DGifOpen(&left_, give, &code_));
  }

  std::optional<Error> read_header() const {
    if (!gif_) return error(code_);
    return refuse_size(source_, ImageFormat::kGif, gif_->SWidth, gif_->SHeight);
  }
  ImageSize size() const { return {gif_->SWidth, gif_->SHeight}; }

  Result<Decoded> read() {
    if (auto refused = read_header()) return *refused;
    if (auto failed = find_frame()) return *failed;
    const GifImageDesc& frame = gif_->Image;
    // A frame that leaves the canvas enlarges it.
    int64_t width = std::max<int64_t>(gif_->SWidth, int64_t{frame.Left} + frame.Width);
    int64_t height = std::max<int64_t>(gif_->SHeight, int64_t{frame.Top} + frame.Height);
    if (auto refused = refuse_size(source_, ImageFormat::kGif, width, height)) return *refused;
    std::vector<uint8_t> canvas(static_cast<size_t>(width * height), transparent_);
    if (frame.Width > 0) {
      for (size_t row : row_order(static_cast<size_t>(frame.Height), frame.Interlace)) {
        uint8_t* out = canvas.data() +
                       (static_cast<size_t>(frame.Top) + row) * static_cast<size_t>(width) +
                       static_cast<size_t>(frame.Left);
        if (DGifGetLine(gif_.get(), out, frame.Width) != GIF_OK) return error(gif_->Error);
      }
    }
    Decoded decoded{Image::blank(static_cast<int>(width), static_cast<int>(height)), 1, has_alpha_};
    Palette colours = palette();
    if (has_alpha_ && source_.options.alpha_on_white) colours[transparent_].fill(255);
    expand_indices(canvas, colours, decoded.image.pixels.data());
    return decoded;
  }

 private:
  Error error(int code) const {
    if (code == D_GIF_ERR_READ_FAILED || code == D_GIF_ERR_EOF_TOO_SOON || left_.empty())
      return ends_early(source_, ImageFormat::kGif);
    const char* words = GifErrorString(code);
    return damaged(source_, ImageFormat::kGif, words ? words : "broken blocks");
  }

  // Reads up to the first frame's descriptor, keeping the transparent index of its control block.
  std::optional<Error> find_frame() {
    GifRecordType record = UNDEFINED_RECORD_TYPE;
    while (true) {
      if (DGifGetRecordType(gif_.get(), &record) != GIF_OK) return error(gif_->Error);
      if (record == TERMINATE_RECORD_TYPE)
        return damaged(source_, ImageFormat::kGif, "it has no frame");
      if (record == IMAGE_DESC_RECORD_TYPE) break;
      int code = 0;
      GifByteType* block = nullptr;
      if (DGifGetExtension(gif_.get(), &code, &block) != GIF_OK) return error(gif_->Error);
      while (block) {
        if (code == GRAPHICS_EXT_FUNC_CODE && block[0] >= 4 && (block[1] & 1)) {
          transparent_ = block[4];
          has_alpha_ = true;
        }
        if (DGifGetExtensionNext(gif_.get(), &block) != GIF_OK) return error(gif_->Error);
      }
    }
    if (DGifGetImageDesc(gif_.get()) != GIF_OK) return error(gif_->Error);
    return std::nullopt;
  }

  static std::vector<size_t> row_order(size_t height, bool is_interlaced) {
    std::vector<size_t> order;
    if (!is_interlaced) {
      for (size_t y = 0; y < height; ++y) order.push_back(y);
      return order;
    }
    constexpr size_t kPasses[][2] = {{0, 8}, {4, 8}, {2, 4}, {1, 2}};
    for (auto [start, step] : kPasses) {
      for (size_t y = start; y < height; y += step) order.push_back(y);
    }
    return order;
  }

  // Without a palette, or with one that maps each index to itself, indices are greys.
  Palette palette() const {
    Palette colours{};
    const ColorMapObject* map = gif_->Image.ColorMap ? gif_->Image.ColorMap : gif_->SColorMap;
    bool is_ramp = true;
    for (size_t i = 0; map && i < static_cast<size_t>(map->ColorCount) && i < colours.size(); ++i) {
      const GifColorType& colour = map->Colors[i];
      colours[i] = {colour.Red, colour.Green, colour.Blue};
      is_ramp = is_ramp && colour.Red == i && colour.Green == i && colour.Blue == i;
    }
    for (size_t i = 0; is_ramp && i < colours.size(); ++i) colours[i].fill(static_cast<uint8_t>(i));
    return colours;
  }

  EncodedView source_;
  std::string_view left_;
  int code_ = 0;
  uint8_t transparent_ = 0;
  bool has_alpha_ = false;
  std::unique_ptr<GifFileType, GifCloser> gif_;
};

}  // namespace

Result<ImageSize> gif_size(const EncodedView& source) {
  GifReader reader(source);
  if (auto error = reader.read_header()) return *error;
  return reader.size();
}

Result<Decoded> decode_gif(const EncodedView& source) {
  return GifReader(source).read();
}

}  // namespace snellen::media
