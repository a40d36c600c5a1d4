// SPDX-License-Identifier: Apache-2.0
// Every library that the build needs linked and called in one program, so that a
// clash between them (two fmt versions, two OpenMP runtimes, a C++ ABI) shows on the day it
// arrives.
#include <fmt/format.h>

#include <mpi.h>
#include <sentencepiece_processor.h>
#include <sqlite3.h>
#include <unicode/unistr.h>

#include "tests/link/torch_part.h"

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libswscale/swscale.h>
}

namespace {

bool check(bool holds, const char* what) {
  fmt::print("{} {}\n", holds ? "ok  " : "FAIL", what);
  return holds;
}

}  // namespace

int main() {
  bool is_good = check(fmt::format("{:.2f}", 1.5) == "1.50", "fmt");
  is_good &= check(snellen::link::torch_adds_up(), "torch");
  is_good &= check(avcodec_find_decoder(AV_CODEC_ID_H264) != nullptr && avformat_version() > 0 &&
                       swscale_version() > 0,
                   "FFmpeg");
  sentencepiece::SentencePieceProcessor processor;
  is_good &= check(!processor.Load("no such model").ok(), "sentencepiece");
  is_good &= check(icu::UnicodeString("SNELLEN").toLower() == icu::UnicodeString("snellen"), "ICU");
  is_good &= check(sqlite3_libversion_number() > 3000000, "SQLite");
  // MPI_Init starts daemons that a sandbox may not allow; asking for the version needs the library
  // alone.
  char version[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  is_good &= check(MPI_Get_library_version(version, &length) == MPI_SUCCESS && length > 0, "MPI");
  return is_good ? 0 : 1;
}
