// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include "snellen/base/error.h"
#include "snellen/media/codecs/encode.h"
#include "snellen/media/codecs/jpeg_trap.h"

namespace snellen::media {
namespace {

// write() holds only plain locals: libjpeg may leave it by longjmp.
class JpegWriter {
 public:
  JpegWriter() {
    codec_.err = jpeg_std_error(&trap_.manager);
    trap_.manager.error_exit = escape_from_jpeg;
    trap_.manager.output_message = [](j_common_ptr) {};
  }
  ~JpegWriter() {
    jpeg_destroy_compress(&codec_);
    std::free(bytes_);
  }
  JpegWriter(const JpegWriter&) = delete;
  JpegWriter& operator=(const JpegWriter&) = delete;

  bool write(const Image& image, const JpegOptions& options) {
    if (setjmp(trap_.escape) != 0) return false;
    jpeg_create_compress(&codec_);
    jpeg_mem_dest(&codec_, &bytes_, &num_bytes_);
    codec_.image_width = static_cast<JDIMENSION>(image.width);
    codec_.image_height = static_cast<JDIMENSION>(image.height);
    codec_.input_components = 3;
    codec_.in_color_space = JCS_RGB;
    jpeg_set_defaults(&codec_);
    codec_.comp_info[0].h_samp_factor = options.subsampling == ChromaSubsampling::k444 ? 1 : 2;
    codec_.comp_info[0].v_samp_factor = options.subsampling == ChromaSubsampling::k420 ? 2 : 1;
    jpeg_set_quality(&codec_, options.quality, TRUE);
    jpeg_start_compress(&codec_, TRUE);
    while (codec_.next_scanline < codec_.image_height) {
      // libjpeg takes a pointer to non-const and only reads through it.
      JSAMPROW row = const_cast<JSAMPROW>(image.row(static_cast<int>(codec_.next_scanline)).data());
      jpeg_write_scanlines(&codec_, &row, 1);
    }
    jpeg_finish_compress(&codec_);
    return true;
  }

  std::string bytes() const { return {reinterpret_cast<const char*>(bytes_), num_bytes_}; }
  const char* message() const { return trap_.message; }

 private:
  JpegTrap trap_{};
  jpeg_compress_struct codec_{};
  unsigned char* bytes_ = nullptr;
  unsigned long num_bytes_ = 0;
};

}  // namespace

std::string encode_jpeg(const Image& image, const JpegOptions& options) {
  SNELLEN_CHECK(image.width > 0 && image.height > 0);
  SNELLEN_CHECK(image.pixels.size() == image.stride() * static_cast<size_t>(image.height));
  JpegWriter writer;
  if (!writer.write(image, options))
    throw Error{ErrorCode::kInternal, std::string("cannot write JPEG: ") + writer.message()};
  return writer.bytes();
}

}  // namespace snellen::media
