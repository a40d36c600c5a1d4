// SPDX-License-Identifier: Apache-2.0
// libjpeg's own defaults (accurate integer DCT, fancy upsampling) are the ones Pillow decodes with.
#include <csetjmp>
#include <cstdio>
#include <string>
#include <vector>

#include <jpeglib.h>

#include "snellen/media/codecs/exif.h"
#include "snellen/media/codecs/formats.h"

namespace snellen::media {
namespace {

// A progressive file may repeat cheap scans for ever; no encoder writes more than a few dozen.
constexpr int kMaxScans = 500;

struct Trap {
  jpeg_error_mgr manager;  // first, since libjpeg hands back a pointer to it
  std::jmp_buf escape;
  char message[JMSG_LENGTH_MAX];
};

[[noreturn]] void escape(j_common_ptr codec) {
  Trap* trap = reinterpret_cast<Trap*>(codec->err);
  trap->manager.format_message(codec, trap->message);
  std::longjmp(trap->escape, 1);
}

void ignore_message(j_common_ptr, int) {}
void ignore_output(j_common_ptr) {}
void nothing(j_decompress_ptr) {}

// All bytes are there from the start, so asking for more means that the file has ended.
boolean no_more(j_decompress_ptr) {
  return FALSE;
}

void skip_bytes(j_decompress_ptr codec, long num_bytes) {
  if (num_bytes <= 0) return;
  size_t skipped = std::min(static_cast<size_t>(num_bytes), codec->src->bytes_in_buffer);
  codec->src->next_input_byte += skipped;
  codec->src->bytes_in_buffer -= skipped;
  // A marker that claims to reach beyond the file leaves nothing behind it.
}

void stop_endless_scans(j_common_ptr codec) {
  if (reinterpret_cast<j_decompress_ptr>(codec)->input_scan_number <= kMaxScans) return;
  Trap* trap = reinterpret_cast<Trap*>(codec->err);
  std::snprintf(trap->message, sizeof trap->message, "more than %d scans", kMaxScans);
  std::longjmp(trap->escape, 1);
}

// (a * b) / 255, rounded as Pillow's MULDIV255.
uint8_t muldiv255(int a, int b) {
  int product = a * b + 128;
  return static_cast<uint8_t>(((product >> 8) + product) >> 8);
}

// libjpeg's functions leave by longjmp, which runs no destructors: each member below that calls one
// holds only plain locals, and everything that owns memory is a member.
class JpegReader {
 public:
  explicit JpegReader(const EncodedView& source) : source_(source) {
    codec_.err = jpeg_std_error(&trap_.manager);
    trap_.manager.error_exit = escape;
    trap_.manager.emit_message = ignore_message;
    trap_.manager.output_message = ignore_output;
    if (setjmp(trap_.escape) != 0) return;
    jpeg_create_decompress(&codec_);
    bytes_.init_source = nothing;
    bytes_.fill_input_buffer = no_more;
    bytes_.skip_input_data = skip_bytes;
    bytes_.resync_to_restart = jpeg_resync_to_restart;
    bytes_.term_source = nothing;
    bytes_.next_input_byte = reinterpret_cast<const JOCTET*>(source.bytes.data());
    bytes_.bytes_in_buffer = source.bytes.size();
    codec_.src = &bytes_;
    progress_.progress_monitor = stop_endless_scans;
    codec_.progress = &progress_;
    is_made_ = true;
  }
  ~JpegReader() { jpeg_destroy_decompress(&codec_); }
  JpegReader(const JpegReader&) = delete;
  JpegReader& operator=(const JpegReader&) = delete;

  std::optional<Error> read_header() {
    Step step = is_made_ ? header() : Step::kFailed;
    if (step != Step::kDone) return error_of(step);
    return refuse_size(source_, ImageFormat::kJpeg, codec_.image_width, codec_.image_height);
  }

  ImageSize size() const {
    return {static_cast<int>(codec_.image_width), static_cast<int>(codec_.image_height)};
  }

  Result<Decoded> read() {
    if (auto error = read_header()) return *error;
    if (codec_.num_components != 1 && codec_.num_components != 3 && codec_.num_components != 4) {
      return damaged(
          source_,
          ImageFormat::kJpeg,
          fmt::format("it has {} components; 1, 3 or 4 are read", codec_.num_components));
    }
    decoded_.orientation = orientation();
    decoded_.image = Image::blank(size().width, size().height);
    row_.resize(size_t{codec_.image_width} * 4);
    Step step = rows();
    if (step != Step::kDone) return error_of(step);
    return std::move(decoded_);
  }

 private:
  enum class Step { kDone, kEndsEarly, kFailed };

  Error error_of(Step step) const {
    if (step == Step::kEndsEarly) return ends_early(source_, ImageFormat::kJpeg);
    return damaged(source_, ImageFormat::kJpeg, trap_.message);
  }

  Step header() {
    if (setjmp(trap_.escape) != 0) return Step::kFailed;
    jpeg_save_markers(&codec_, JPEG_APP0 + 1, 0xffff);
    return jpeg_read_header(&codec_, TRUE) == JPEG_HEADER_OK ? Step::kDone : Step::kEndsEarly;
  }

  Step rows() {
    if (setjmp(trap_.escape) != 0) return Step::kFailed;
    codec_.out_color_space = codec_.num_components == 1   ? JCS_GRAYSCALE
                             : codec_.num_components == 3 ? JCS_RGB
                                                          : JCS_CMYK;
    if (!jpeg_start_decompress(&codec_)) return Step::kEndsEarly;
    while (codec_.output_scanline < codec_.output_height) {
      uint8_t* out = decoded_.image.row(static_cast<int>(codec_.output_scanline)).data();
      JSAMPROW target = codec_.num_components == 3 ? out : row_.data();
      if (jpeg_read_scanlines(&codec_, &target, 1) != 1) return Step::kEndsEarly;
      if (codec_.num_components == 1) expand_grey({row_.data(), codec_.output_width}, out);
      if (codec_.num_components == 4) cmyk_to_rgb(out);
    }
    return Step::kDone;
  }

  // Pillow inverts every CMYK JPEG, whether or not Adobe's marker says so, then multiplies.
  void cmyk_to_rgb(uint8_t* out) const {
    for (size_t x = 0; x < codec_.output_width; ++x) {
      const uint8_t* ink = row_.data() + 4 * x;
      for (size_t c = 0; c < 3; ++c)
        *out++ = static_cast<uint8_t>(ink[3] - muldiv255(255 - ink[c], ink[3]));
    }
  }

  int orientation() const {
    for (jpeg_saved_marker_ptr marker = codec_.marker_list; marker; marker = marker->next) {
      std::string_view block(reinterpret_cast<const char*>(marker->data), marker->data_length);
      if (block.starts_with("Exif")) return exif_orientation(block);
    }
    return 1;
  }

  EncodedView source_;
  Trap trap_{};
  jpeg_decompress_struct codec_{};
  jpeg_source_mgr bytes_{};
  jpeg_progress_mgr progress_{};
  bool is_made_ = false;
  Decoded decoded_;
  std::vector<uint8_t> row_;
};

}  // namespace

Result<ImageSize> jpeg_size(const EncodedView& source) {
  JpegReader reader(source);
  if (auto error = reader.read_header()) return *error;
  return reader.size();
}

Result<Decoded> decode_jpeg(const EncodedView& source) {
  return JpegReader(source).read();
}

}  // namespace snellen::media
