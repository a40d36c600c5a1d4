// SPDX-License-Identifier: Apache-2.0
// bpe_simple_vocab_16e6.txt.gz: any bytes, and any bytes as the text inside.
#include <string>

#include <zlib.h>

#include "fuzz/fuzz_file.h"
#include "snellen/text/tokenizers/vocabulary_files.h"

namespace {

std::string gzip_of(std::string_view text) {
  z_stream stream{};
  if (deflateInit2(&stream, 1, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    return {};
  std::string out(deflateBound(&stream, text.size()) + 32, '\0');
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): zlib reads only
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace snellen;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  fuzz::try_reading([&] { (void)text::read_simple_vocabulary(bytes, "fuzz"); });
  fuzz::try_reading([&] { (void)text::read_simple_vocabulary(gzip_of(bytes), "fuzz"); });
  return 0;
}
