// SPDX-License-Identifier: Apache-2.0
// libjpeg's own defaults (accurate integer DCT, fancy upsampling) are the ones Pillow decodes with.
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "snellen/media/codecs/exif.h"
#include "snellen/media/codecs/formats.h"
#include "snellen/media/codecs/jpeg_trap.h"
#include "snellen/media/codecs/read_jpeg_scan.h"

namespace snellen::media {
namespace {

// A progressive file may repeat cheap scans for ever; no encoder writes more than a few dozen.
constexpr int kMaxScans = 500;

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
  JpegTrap* trap = reinterpret_cast<JpegTrap*>(codec->err);
  std::snprintf(trap->message, sizeof trap->message, "more than %d scans", kMaxScans);
  std::longjmp(trap->escape, 1);
}

// (a * b) / 255, rounded as Pillow's MULDIV255.
uint8_t muldiv255(int a, int b) {
  int product = a * b + 128;
  return static_cast<uint8_t>(((product >> 8) + product) >> 8);
}

// Of a picture that is decoded on a device.
constexpr uint64_t kMostPixels = uint64_t{1} << 24;

// The place in a block, row by row, of each coefficient in a file's order.
constexpr uint8_t kZigzag[64] = {0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,
                                 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6,  7,  14, 21, 28,
                                 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51,
                                 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63};

// False for a code that is none, or that the library would refuse.
bool fill_code(const JHUFF_TBL* table, bool is_dc, jpeg::HuffmanCode& code) {
  if (!table) return false;
  code = {};
  int next = 0, count = 0;
  for (int length = 1; length <= jpeg::HuffmanCode::kLongest; ++length) {
    const int room = jpeg::HuffmanCode::kLongest - length;
    code.offsets[length] = count - next;
    for (int i = 0; i < table->bits[length]; ++i, ++next, ++count) {
      // All ones are no code.
      if (count == 256 || next + 1 >= 1 << length) return false;
      const uint8_t symbol = table->huffval[count];
      if (is_dc && symbol > 15) return false;
      code.symbols[count] = symbol;
      const int spare = jpeg::HuffmanCode::kQuickBits - length;
      for (int k = 0; k < (spare >= 0 ? 1 << spare : 0); ++k)
        code.quick[(next << spare) + k] = static_cast<uint16_t>(length << 8 | symbol);
    }
    code.ends[length] = next << room;
    next <<= 1;
  }
  return count > 0;
}

// libjpeg's functions leave by longjmp, which runs no destructors: each member below that calls one
// holds only plain locals, and everything that owns memory is a member.
class JpegReader {
 public:
  explicit JpegReader(const EncodedView& source) : source_(source) {
    codec_.err = jpeg_std_error(&trap_.manager);
    trap_.manager.error_exit = escape_from_jpeg;
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
    if (!has_enough_bytes()) {
      return damaged(source_,
                     ImageFormat::kJpeg,
                     fmt::format("its header says {} x {} pixels, which its {} bytes cannot hold",
                                 codec_.image_width,
                                 codec_.image_height,
                                 source_.bytes.size()));
    }
    decoded_.orientation = orientation();
    decoded_.image = Image::blank(size().width, size().height);
    row_.resize(size_t{codec_.image_width} * 4);
    Step step = rows();
    if (step != Step::kDone) return error_of(step);
    return std::move(decoded_);
  }

  std::optional<jpeg::Scan> read_scan() {
    if (read_header()) return std::nullopt;
    std::optional<jpeg::Chroma> chroma = plain_chroma();
    if (!chroma) return std::nullopt;
    const jpeg_component_info& luma = codec_.comp_info[0];
    const int unit_width = 8 * luma.h_samp_factor, unit_height = 8 * luma.v_samp_factor;
    jpeg::Scan scan = {};
    scan.width = size().width;
    scan.height = size().height;
    scan.chroma = *chroma;
    scan.units_across = (scan.width + unit_width - 1) / unit_width;
    scan.units_down = (scan.height + unit_height - 1) / unit_height;
    scan.restart_interval = static_cast<int32_t>(codec_.restart_interval);
    scan.begin = static_cast<int32_t>(source_.bytes.size() - bytes_.bytes_in_buffer);
    std::copy_n(kZigzag, DCTSIZE2, scan.zigzag);
    for (int i = 0; i < 3; ++i) {
      if (!fill_plane(codec_.comp_info[i], scan, scan.planes[i])) return std::nullopt;
    }
    return scan;
  }

 private:
  enum class Step { kDone, kEndsEarly, kFailed };

  // A block of a sequential Huffman file takes two bits at least: a code for its mean and one that
  // ends it. A progressive one may end thousands of blocks with one code, but each has a code for
  // its mean in the first scan: one bit at least. So a header alone makes no large picture.
  // Arithmetic codes can say more in less.
  bool has_enough_bytes() const {
    if (codec_.arith_code) return true;
    const jpeg_component_info& luma = codec_.comp_info[0];
    const uint64_t blocks_per_byte = codec_.progressive_mode ? 8 : 4;
    return uint64_t{luma.width_in_blocks} * luma.height_in_blocks <=
           uint64_t{bytes_.bytes_in_buffer} * blocks_per_byte;
  }

  // How the colours of a common file are sampled; nothing for uncommon ones.
  std::optional<jpeg::Chroma> plain_chroma() const {
    const bool is_common = codec_.num_components == 3 && codec_.jpeg_color_space == JCS_YCbCr &&
                           !codec_.progressive_mode && !codec_.arith_code &&
                           codec_.data_precision == 8 && codec_.comps_in_scan == 3 &&
                           uint64_t{codec_.image_width} * codec_.image_height <= kMostPixels;
    if (!is_common) return std::nullopt;
    const jpeg_component_info *y = codec_.comp_info, *cb = y + 1, *cr = y + 2;
    const bool is_whole = cb->h_samp_factor == 1 && cb->v_samp_factor == 1 &&
                          cr->h_samp_factor == 1 && cr->v_samp_factor == 1;
    const bool is_in_order = codec_.cur_comp_info[0] == y && codec_.cur_comp_info[1] == cb &&
                             codec_.cur_comp_info[2] == cr;
    if (!is_whole || !is_in_order) return std::nullopt;
    if (y->h_samp_factor == 1 && y->v_samp_factor == 1) return jpeg::Chroma::kFull;
    // Of narrower pictures the library repeats samples instead of blending them.
    if (y->h_samp_factor != 2 || codec_.image_width < 5) return std::nullopt;
    if (y->v_samp_factor == 1) return jpeg::Chroma::kHalfWide;
    if (y->v_samp_factor == 2) return jpeg::Chroma::kHalfWideAndHigh;
    return std::nullopt;
  }

  bool fill_plane(const jpeg_component_info& from, jpeg::Scan& scan, jpeg::Plane& plane) const {
    const int across = codec_.comp_info[0].h_samp_factor, down = codec_.comp_info[0].v_samp_factor;
    plane.width = (scan.width * from.h_samp_factor + across - 1) / across;
    plane.height = (scan.height * from.v_samp_factor + down - 1) / down;
    plane.unit_across = from.h_samp_factor;
    plane.unit_down = from.v_samp_factor;
    plane.blocks_across = scan.units_across * from.h_samp_factor;
    plane.blocks_down = scan.units_down * from.v_samp_factor;
    // Numbers come from the file; the library looks at them later.
    if (from.quant_tbl_no >= NUM_QUANT_TBLS || from.dc_tbl_no > 1 || from.ac_tbl_no > 1)
      return false;
    const JQUANT_TBL* table = codec_.quant_tbl_ptrs[from.quant_tbl_no];
    if (!table) return false;
    plane.dc_code = from.dc_tbl_no;
    plane.ac_code = 2 + from.ac_tbl_no;
    std::copy_n(table->quantval, DCTSIZE2, plane.quantisation);
    return fill_code(codec_.dc_huff_tbl_ptrs[from.dc_tbl_no], true, scan.codes[plane.dc_code]) &&
           fill_code(codec_.ac_huff_tbl_ptrs[from.ac_tbl_no], false, scan.codes[plane.ac_code]);
  }

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
  JpegTrap trap_{};
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

std::optional<jpeg::Scan> read_jpeg_scan(std::string_view bytes, const DecodeOptions& options) {
  const bool is_jpeg = bytes.starts_with("\xff\xd8\xff") && bytes.size() <= options.max_bytes;
  if (!is_jpeg) return std::nullopt;
  std::optional<jpeg::Scan> scan = JpegReader({bytes, "", options}).read_scan();
  // Without an end the library may want more than the last unit needs.
  if (scan && bytes.find("\xff\xd9", static_cast<size_t>(scan->begin)) == std::string_view::npos)
    return std::nullopt;
  return scan;
}

}  // namespace snellen::media
